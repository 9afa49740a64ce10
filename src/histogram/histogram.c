// SPDX-License-Identifier: Apache-2.0
#include "oclmm/histogram.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/*
 * Rows stand sorted in two parallel arrays: a tuple costs `width` words and a
 * look-up a binary search. A test has tens of outcomes, so the shifting that
 * an insertion costs is of no account beside the launch that caused it.
 */
struct oclmm_histogram {
	uint32_t width;
	size_t rows;
	size_t values_capacity;
	size_t counts_capacity;
	int64_t *values;
	uint64_t *counts;
	uint64_t cut;
};

struct oclmm_histogram *oclmm_histogram_create(uint32_t width)
{
	struct oclmm_histogram *histogram = oclmm_calloc(1, sizeof(*histogram));

	histogram->width = width;
	return histogram;
}

void oclmm_histogram_destroy(struct oclmm_histogram *histogram)
{
	if (!histogram)
		return;
	free(histogram->values);
	free(histogram->counts);
	free(histogram);
}

uint32_t oclmm_histogram_width(const struct oclmm_histogram *histogram)
{
	return histogram->width;
}

static const int64_t *tuple(const struct oclmm_histogram *histogram, size_t row)
{
	/* a histogram of width 0 has no array to point into */
	return histogram->width ? histogram->values + row * histogram->width : NULL;
}

/* The first row that is not below `values`; `*ret_equal` tells whether it is the tuple itself. */
static size_t lower_bound(const struct oclmm_histogram *histogram, const int64_t *values,
                          bool *ret_equal)
{
	size_t low = 0, high = histogram->rows;

	*ret_equal = false;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = oclmm_compare_values(tuple(histogram, middle), values,
		                                 histogram->width);

		if (order == 0) {
			*ret_equal = true;
			return middle;
		}
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void insert(struct oclmm_histogram *histogram, size_t at, const int64_t *values)
{
	size_t width = histogram->width, after = histogram->rows - at;

	oclmm_grow(&histogram->counts, &histogram->counts_capacity, histogram->rows,
	           sizeof(*histogram->counts));
	memmove(histogram->counts + at + 1, histogram->counts + at,
	        after * sizeof(*histogram->counts));
	histogram->counts[at] = 0;
	if (width) {
		oclmm_grow(&histogram->values, &histogram->values_capacity, histogram->rows,
		           width * sizeof(*histogram->values));
		memmove(histogram->values + (at + 1) * width, histogram->values + at * width,
		        after * width * sizeof(*histogram->values));
		memcpy(histogram->values + at * width, values, width * sizeof(*values));
	}
	histogram->rows++;
}

void oclmm_histogram_add(struct oclmm_histogram *histogram, const int64_t *values, uint64_t count)
{
	bool equal;
	size_t at = lower_bound(histogram, values, &equal);

	if (!equal)
		insert(histogram, at, values);
	histogram->counts[at] = oclmm_add_saturating(histogram->counts[at], count);
}

void oclmm_histogram_add_cut(struct oclmm_histogram *histogram, uint64_t count)
{
	histogram->cut = oclmm_add_saturating(histogram->cut, count);
}

uint64_t oclmm_histogram_cut(const struct oclmm_histogram *histogram)
{
	return histogram->cut;
}

uint64_t oclmm_histogram_count(const struct oclmm_histogram *histogram, const int64_t *values)
{
	bool equal;
	size_t at = lower_bound(histogram, values, &equal);

	return equal ? histogram->counts[at] : 0;
}

uint64_t oclmm_histogram_total(const struct oclmm_histogram *histogram)
{
	uint64_t total = histogram->cut;

	for (size_t i = 0; i < histogram->rows; i++)
		total = oclmm_add_saturating(total, histogram->counts[i]);
	return total;
}

/* Both stand sorted; they may be the same one. */
static void merge_rows(struct oclmm_histogram *merged, const struct oclmm_histogram *a,
                       const struct oclmm_histogram *b)
{
	size_t i = 0, k = 0;

	while (i < a->rows || k < b->rows) {
		int order = i == a->rows ? 1
		            : k == b->rows
		                    ? -1
		                    : oclmm_compare_values(tuple(a, i), tuple(b, k), merged->width);
		const int64_t *values = order <= 0 ? tuple(a, i) : tuple(b, k);

		insert(merged, merged->rows, values);
		if (order <= 0)
			merged->counts[merged->rows - 1] = a->counts[i++];
		if (order >= 0)
			merged->counts[merged->rows - 1] = oclmm_add_saturating(
				merged->counts[merged->rows - 1], b->counts[k++]);
	}
}

int oclmm_histogram_merge(struct oclmm_histogram *to, const struct oclmm_histogram *from)
{
	struct oclmm_histogram merged = *to;

	if (to->width != from->width)
		return -EINVAL;
	merged.values = NULL;
	merged.counts = NULL;
	merged.rows = merged.values_capacity = merged.counts_capacity = 0;
	merge_rows(&merged, to, from);
	oclmm_histogram_add_cut(&merged, from->cut);
	free(to->values);
	free(to->counts);
	*to = merged;
	return 0;
}

size_t oclmm_histogram_rows(struct oclmm_histogram *histogram)
{
	return histogram->rows;
}

struct oclmm_histogram_row oclmm_histogram_row(struct oclmm_histogram *histogram, size_t index)
{
	return (struct oclmm_histogram_row){
		.values = tuple(histogram, index),
		.count = histogram->counts[index],
	};
}
