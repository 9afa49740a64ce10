// SPDX-License-Identifier: Apache-2.0
#include "reference.h"

#include <stdlib.h>
#include <string.h>

void reference_count_up(uint32_t *a, size_t n, uint32_t step)
{
	for (size_t i = 0; i < n; i++)
		a[i] = (uint32_t)i * step + 1;
}

uint32_t reference_sum(const uint32_t *a, size_t n)
{
	uint32_t sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += a[i];
	return sum;
}

uint32_t reference_product(const uint32_t *a, size_t n)
{
	uint32_t product = 1;

	for (size_t i = 0; i < n; i++)
		product *= a[i];
	return product;
}

void reference_draw(uint64_t seed, uint32_t *a, size_t n)
{
	for (size_t i = 0; i < n; i++)
		a[i] = (uint32_t)oclmm_random(seed, i);
}

void reference_neighbour_sum(uint32_t *a, size_t n, uint64_t steps)
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

/* Prefix sums stay within this, so that differences of two stay below 2^24. */
static const int64_t BOUND = 1 << 23;

void reference_draw_floats(uint64_t seed, float *a, size_t n)
{
	int64_t sum = 0;

	for (size_t i = 0; i < n; i++) {
		int64_t value = (int64_t)oclmm_random_below(seed, i, 17) - 8;

		if (sum + value >= BOUND || sum + value <= -BOUND)
			value = -value;
		sum += value;
		a[i] = (float)value;
	}
}

void reference_scan(const float *in, float *out, size_t n)
{
	float sum = 0;

	for (size_t i = 0; i < n; i++) {
		sum += in[i];
		out[i] = sum;
	}
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

double reference_median(double *values, size_t count)
{
	if (count == 0)
		return 0;
	qsort(values, count, sizeof(*values), compare);
	return (values[(count - 1) / 2] + values[count / 2]) / 2;
}

size_t reference_differ(const uint32_t *a, const uint32_t *b, size_t n)
{
	size_t i = 0;

	if (n == 0 || memcmp(a, b, n * sizeof(*a)) == 0)
		return n;
	while (a[i] == b[i])
		i++;
	return i;
}

uint64_t reference_power_of_two(uint64_t n)
{
	uint64_t power = 1;

	while (power <= n / 2)
		power *= 2;
	return power;
}
