// SPDX-License-Identifier: Apache-2.0
/* The answers on the host, against small ones worked out by hand and against slower ways. */

#include "../fixture/test.h"

#include <stdlib.h>
#include <string.h>

#include "idiom/reference.h"

TEST(test_sum)
{
	uint32_t a[1000];

	reference_count_up(a, 1000, 1);
	assert_int_equal(a[0], 1);
	assert_int_equal(a[999], 1000);
	assert_int_equal(reference_sum(a, 1000), 500500);
	assert_int_equal(reference_sum(a, 0), 0);
	a[0] = a[1] = UINT32_MAX;
	assert_int_equal(reference_sum(a, 2), UINT32_MAX - 1);
}

TEST(test_product)
{
	uint32_t a[5];

	reference_count_up(a, 5, 2);
	assert_int_equal(a[4], 9);
	assert_int_equal(reference_product(a, 5), 945);
	assert_int_equal(reference_product(a, 0), 1);
	a[0] = a[1] = UINT32_C(1) << 16;
	assert_int_equal(reference_product(a, 5), 0);
}

/* The same with a second array. */
static void neighbour_sum_slowly(uint32_t *a, size_t n, uint64_t steps)
{
	uint32_t old[64];

	for (uint64_t step = 0; step < steps; step++) {
		memcpy(old, a, n * sizeof(*a));
		for (size_t i = 0; i < n; i++)
			a[i] = old[i] + old[(i + 1) % n] + old[(i + 2) % n];
	}
}

TEST(test_neighbour_sum)
{
	uint32_t a[64], b[64];

	reference_neighbour_sum(NULL, 0, 3);
	for (size_t n = 1; n <= 64; n++) {
		for (uint64_t steps = 0; steps < 5; steps++) {
			reference_draw(n, a, n);
			memcpy(b, a, sizeof(a));
			reference_neighbour_sum(a, n, steps);
			neighbour_sum_slowly(b, n, steps);
			assert_memory_equal(a, b, n * sizeof(*a));
		}
	}
}

/* All equal at the end, as published: each step multiplies by 3. */
TEST(test_neighbour_sum_of_ones)
{
	uint32_t a[2048], power = 1;

	for (size_t i = 0; i < 2048; i++)
		a[i] = 1;
	for (int i = 0; i < 40; i++)
		power *= 3;
	reference_neighbour_sum(a, 2048, 40);
	for (size_t i = 0; i < 2048; i++)
		assert_int_equal(a[i], power);
}

TEST(test_scan)
{
	float a[] = {1, -2, 3, 8}, b[4];

	reference_scan(a, b, 4);
	assert_true(b[0] == 1 && b[1] == -1 && b[2] == 2 && b[3] == 10);
	reference_scan(a, a, 4);
	assert_memory_equal(a, b, sizeof(a));
	reference_scan(NULL, NULL, 0);
}

/* Exact in float means: the same as with whole numbers, from either end. */
TEST(test_floats_add_exactly)
{
	enum { N = 200000 };
	float *a = malloc(N * sizeof(*a)), *b = malloc(N * sizeof(*b)), backwards = 0;
	int64_t sum = 0;
	bool different = false;

	reference_draw_floats(7, a, N);
	reference_scan(a, b, N);
	for (size_t i = 0; i < N; i++) {
		assert_true(a[i] >= -8 && a[i] <= 8 && a[i] == (float)(int)a[i]);
		different |= a[i] != a[0];
		sum += (int64_t)a[i];
		assert_true(b[i] == (float)sum && llabs(sum) < 1 << 23);
		backwards += a[N - 1 - i];
	}
	assert_true(different);
	assert_true(backwards == b[N - 1]);
	free(a);
	free(b);
}

TEST(test_median)
{
	double odd[] = {5, 1, 9}, even[] = {4, 1, 3, 2};

	assert_true(reference_median(odd, 3) == 5);
	assert_true(reference_median(even, 4) == 2.5);
	assert_true(reference_median(even, 1) == 1);
	assert_true(reference_median(NULL, 0) == 0);
}

TEST(test_differ)
{
	const uint32_t a[] = {1, 2, 3}, b[] = {1, 2, 4};

	assert_int_equal(reference_differ(a, b, 3), 2);
	assert_int_equal(reference_differ(a, b, 2), 2);
	assert_int_equal(reference_differ(a, a, 3), 3);
	assert_int_equal(reference_differ(NULL, NULL, 0), 0);
}

TEST(test_power_of_two)
{
	assert_int_equal(reference_power_of_two(1), 1);
	assert_int_equal(reference_power_of_two(2), 2);
	assert_int_equal(reference_power_of_two(3), 2);
	assert_int_equal(reference_power_of_two(1023), 512);
	assert_int_equal(reference_power_of_two(1024), 1024);
	assert_int_equal(reference_power_of_two(UINT64_MAX), UINT64_C(1) << 63);
}
