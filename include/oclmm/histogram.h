// SPDX-License-Identifier: Apache-2.0
/**
 * \file
 * How often each outcome was seen. Knows tuples of numbers, nothing of tests.
 */
#ifndef OCLMM_HISTOGRAM_H
#define OCLMM_HISTOGRAM_H

#include "oclmm/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Counts by tuple. */
struct oclmm_histogram;

/** One row: `values` has the histogram's width and belongs to it. */
struct oclmm_histogram_row {
	const int64_t *values;
	uint64_t count;
};

/** \param width values per tuple; 0 is allowed (a test that observes nothing). */
struct oclmm_histogram *oclmm_histogram_create(uint32_t width);
void oclmm_histogram_destroy(struct oclmm_histogram *histogram);
uint32_t oclmm_histogram_width(const struct oclmm_histogram *histogram);
/** Adds `count` (0 is allowed and makes the row exist, so that it is listed). Saturates at
 * UINT64_MAX. */
void oclmm_histogram_add(struct oclmm_histogram *histogram, const int64_t *values, uint64_t count);
/** Instances whose bounded loop was cut: they have no outcome, but they count in the total. */
void oclmm_histogram_add_cut(struct oclmm_histogram *histogram, uint64_t count);
uint64_t oclmm_histogram_cut(const struct oclmm_histogram *histogram);
/** \return the count of a tuple, 0 when it was never added. */
uint64_t oclmm_histogram_count(const struct oclmm_histogram *histogram, const int64_t *values);
/** Sum of all counts, the cut ones included. */
uint64_t oclmm_histogram_total(const struct oclmm_histogram *histogram);
/** Adds all of `from` to `to`; -EINVAL when the widths differ. */
int oclmm_histogram_merge(struct oclmm_histogram *to, const struct oclmm_histogram *from);
/** Number of rows; rows stand in ascending order of their tuples. */
size_t oclmm_histogram_rows(struct oclmm_histogram *histogram);
struct oclmm_histogram_row oclmm_histogram_row(struct oclmm_histogram *histogram, size_t index);

#ifdef __cplusplus
}
#endif

#endif
