// SPDX-License-Identifier: Apache-2.0
/* The answers, computed on the host one element after another. Knows nothing of OpenCL. */
#ifndef OCLMM_RUNNER_IDIOM_REFERENCE_H
#define OCLMM_RUNNER_IDIOM_REFERENCE_H

#include <stdlib.h>
#include <string.h>

#include "oclmm/base.h"

/* a[0] = 1, and each further one `step` more, modulo 2^32. */
static inline void reference_count_up(uint32_t *a, size_t n, uint32_t step)
{
	for (size_t i = 0; i < n; i++)
		a[i] = (uint32_t)i * step + 1;
}

/* The sum modulo 2^32. */
static inline uint32_t reference_sum(const uint32_t *a, size_t n)
{
	uint32_t sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += a[i];
	return sum;
}

/* The product modulo 2^32. */
static inline uint32_t reference_product(const uint32_t *a, size_t n)
{
	uint32_t product = 1;

	for (size_t i = 0; i < n; i++)
		product *= a[i];
	return product;
}

/* Any 32-bit numbers. */
static inline void reference_draw(uint64_t seed, uint32_t *a, size_t n)
{
	for (size_t i = 0; i < n; i++)
		a[i] = (uint32_t)oclmm_random(seed, i);
}

/*
 * `steps` of a[i] = a[i] + a[i+1] + a[i+2] from the values of the step before,
 * modulo 2^32, round the end.
 */
static inline void reference_neighbour_sum(uint32_t *a, size_t n, uint64_t steps)
{
	for (uint64_t step = 0; step < steps && n > 0; step++) {
		/* old values that the last two elements need when the first are new already */
		uint32_t first = a[0], second = a[1 % n];

		for (size_t i = 0; i + 2 < n; i++)
			a[i] += a[i + 1] + a[i + 2];
		if (n == 1) {
			a[0] = 3 * first;
		} else {
			/* for n = 2 both are among the first: 2 a[i] + the other */
			uint32_t last = a[n - 1];

			a[n - 2] += last + first;
			a[n - 1] = last + first + second;
		}
	}
}

/*
 * Whole numbers from -8 to 8 such that no sum of neighbouring ones is 2^24 or
 * more: `float` then adds exactly in any order, and answers can be compared.
 */
static inline void reference_draw_floats(uint64_t seed, float *a, size_t n)
{
	/* prefix sums stay within this, so that differences of two stay below 2^24 */
	const int64_t bound = 1 << 23;
	int64_t sum = 0;

	for (size_t i = 0; i < n; i++) {
		int64_t value = (int64_t)oclmm_random_below(seed, i, 17) - 8;

		if (sum + value >= bound || sum + value <= -bound)
			value = -value;
		sum += value;
		a[i] = (float)value;
	}
}

/* Inclusive prefix sums; `in` may be `out`. */
static inline void reference_scan(const float *in, float *out, size_t n)
{
	float sum = 0;

	for (size_t i = 0; i < n; i++) {
		sum += in[i];
		out[i] = sum;
	}
}

static inline int reference_compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* The middle value, or the mean of the two; sorts. 0 for none. */
static inline double reference_median(double *values, size_t count)
{
	if (count == 0)
		return 0;
	qsort(values, count, sizeof(*values), reference_compare);
	return (values[(count - 1) / 2] + values[count / 2]) / 2;
}

/* The index of the first word that differs, `n` when none does. */
static inline size_t reference_differ(const uint32_t *a, const uint32_t *b, size_t n)
{
	size_t i = 0;

	if (n == 0 || memcmp(a, b, n * sizeof(*a)) == 0)
		return n;
	while (a[i] == b[i])
		i++;
	return i;
}

/* The largest power of two that is at most `n` > 0. */
static inline uint64_t reference_power_of_two(uint64_t n)
{
	uint64_t power = 1;

	while (power <= n / 2)
		power *= 2;
	return power;
}

#endif
