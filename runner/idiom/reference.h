// SPDX-License-Identifier: Apache-2.0
/* The answers, computed on the host one element after another. Knows nothing of OpenCL. */
#ifndef OCLMM_RUNNER_IDIOM_REFERENCE_H
#define OCLMM_RUNNER_IDIOM_REFERENCE_H

#include "oclmm/base.h"

/* a[0] = 1, and each further one `step` more, modulo 2^32. */
void reference_count_up(uint32_t *a, size_t n, uint32_t step);
/* The sum modulo 2^32. */
uint32_t reference_sum(const uint32_t *a, size_t n);
/* The product modulo 2^32. */
uint32_t reference_product(const uint32_t *a, size_t n);

/* Any 32-bit numbers. */
void reference_draw(uint64_t seed, uint32_t *a, size_t n);
/*
 * `steps` of a[i] = a[i] + a[i+1] + a[i+2] from the values of the step before,
 * modulo 2^32, round the end.
 */
void reference_neighbour_sum(uint32_t *a, size_t n, uint64_t steps);

/*
 * Whole numbers from -8 to 8 such that no sum of neighbouring ones is 2^24 or
 * more: `float` then adds exactly in any order, and answers can be compared.
 */
void reference_draw_floats(uint64_t seed, float *a, size_t n);
/* Inclusive prefix sums; `in` may be `out`. */
void reference_scan(const float *in, float *out, size_t n);

/* The middle value, or the mean of the two; sorts. 0 for none. */
double reference_median(double *values, size_t count);

/* The index of the first word that differs, `n` when none does. */
size_t reference_differ(const uint32_t *a, const uint32_t *b, size_t n);

/* The largest power of two that is at most `n` > 0. */
uint64_t reference_power_of_two(uint64_t n);

#endif
