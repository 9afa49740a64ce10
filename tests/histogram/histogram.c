// SPDX-License-Identifier: Apache-2.0

#include "../fixture/test.h"

#include <errno.h>
#include <sys/resource.h>

#include "oclmm/histogram.h"

TEST(test_rows_are_sorted_and_counted)
{
	struct oclmm_histogram *h = oclmm_histogram_create(2);
	const int64_t a[] = {1, 0}, b[] = {0, 1}, c[] = {-1, 5}, d[] = {1, -7};

	oclmm_histogram_add(h, a, 3);
	oclmm_histogram_add(h, b, 2);
	oclmm_histogram_add(h, c, 1);
	oclmm_histogram_add(h, d, 4);
	oclmm_histogram_add(h, a, 5);

	const int64_t *order[] = {c, b, d, a};
	const uint64_t counts[] = {1, 2, 4, 8};

	assert_int_equal(oclmm_histogram_rows(h), 4);
	for (size_t i = 0; i < 4; i++) {
		struct oclmm_histogram_row row = oclmm_histogram_row(h, i);

		assert_memory_equal(row.values, order[i], sizeof(a));
		assert_int_equal(row.count, counts[i]);
	}
	assert_int_equal(oclmm_histogram_count(h, a), 8);
	assert_int_equal(oclmm_histogram_count(h, (int64_t[]){9, 9}), 0);
	assert_int_equal(oclmm_histogram_total(h), 15);
	oclmm_histogram_destroy(h);
}

TEST(test_zero_makes_a_row)
{
	struct oclmm_histogram *h = oclmm_histogram_create(1);

	oclmm_histogram_add(h, (int64_t[]){7}, 0);
	assert_int_equal(oclmm_histogram_rows(h), 1);
	assert_int_equal(oclmm_histogram_total(h), 0);
	oclmm_histogram_destroy(h);
}

TEST(test_width_zero)
{
	struct oclmm_histogram *h = oclmm_histogram_create(0);

	oclmm_histogram_add(h, NULL, 3);
	oclmm_histogram_add(h, NULL, 4);
	assert_int_equal(oclmm_histogram_rows(h), 1);
	assert_int_equal(oclmm_histogram_count(h, NULL), 7);
	oclmm_histogram_destroy(h);
}

TEST(test_cut_counts_in_the_total)
{
	struct oclmm_histogram *h = oclmm_histogram_create(1);

	oclmm_histogram_add(h, (int64_t[]){0}, 10);
	oclmm_histogram_add_cut(h, 5);
	assert_int_equal(oclmm_histogram_cut(h), 5);
	assert_int_equal(oclmm_histogram_total(h), 15);
	assert_int_equal(oclmm_histogram_rows(h), 1);
	oclmm_histogram_destroy(h);
}

TEST(test_saturation)
{
	struct oclmm_histogram *h = oclmm_histogram_create(1);

	oclmm_histogram_add(h, (int64_t[]){0}, UINT64_MAX - 1);
	oclmm_histogram_add(h, (int64_t[]){0}, 5);
	assert_true(oclmm_histogram_count(h, (int64_t[]){0}) == UINT64_MAX);
	oclmm_histogram_add(h, (int64_t[]){1}, 5);
	assert_true(oclmm_histogram_total(h) == UINT64_MAX);
	oclmm_histogram_destroy(h);
}

TEST(test_merge)
{
	struct oclmm_histogram *a = oclmm_histogram_create(1), *b = oclmm_histogram_create(1);
	struct oclmm_histogram *wide = oclmm_histogram_create(2);

	oclmm_histogram_add(a, (int64_t[]){1}, 1);
	oclmm_histogram_add(b, (int64_t[]){1}, 2);
	oclmm_histogram_add(b, (int64_t[]){0}, 4);
	oclmm_histogram_add_cut(b, 8);
	assert_int_equal(oclmm_histogram_merge(a, b), 0);
	assert_int_equal(oclmm_histogram_count(a, (int64_t[]){1}), 3);
	assert_int_equal(oclmm_histogram_count(a, (int64_t[]){0}), 4);
	assert_int_equal(oclmm_histogram_total(a), 15);
	assert_int_equal(oclmm_histogram_merge(a, wide), -EINVAL);
	assert_int_equal(oclmm_histogram_total(a), 15);
	assert_int_equal(oclmm_histogram_merge(a, a), 0);
	assert_int_equal(oclmm_histogram_total(a), 30);
	oclmm_histogram_destroy(a);
	oclmm_histogram_destroy(b);
	oclmm_histogram_destroy(wide);
	oclmm_histogram_destroy(NULL);
}

/* Merging is adding row by row, whatever the two have in common. */
TEST(test_merge_drawn)
{
	enum { ROUNDS = 200, VALUES = 6 };

	for (uint64_t round = 0; round < ROUNDS; round++) {
		struct oclmm_histogram *a = oclmm_histogram_create(2),
				       *b = oclmm_histogram_create(2),
				       *wanted = oclmm_histogram_create(2);
		uint64_t rows = oclmm_random_below(round, 0, 20);

		for (uint64_t i = 1; i <= rows; i++) {
			int64_t values[] = {(int64_t)oclmm_random_below(round, 3 * i, VALUES),
			                    (int64_t)oclmm_random_below(round, 3 * i + 1, VALUES)};

			oclmm_histogram_add(oclmm_random(round, 3 * i + 2) % 2 ? a : b, values, i);
			oclmm_histogram_add(wanted, values, i);
		}
		assert_int_equal(oclmm_histogram_merge(a, b), 0);
		assert_int_equal(oclmm_histogram_rows(a), oclmm_histogram_rows(wanted));
		for (size_t i = 0; i < oclmm_histogram_rows(a); i++) {
			struct oclmm_histogram_row got = oclmm_histogram_row(a, i),
						   row = oclmm_histogram_row(wanted, i);

			assert_memory_equal(got.values, row.values, 2 * sizeof(*row.values));
			assert_int_equal(got.count, row.count);
		}
		oclmm_histogram_destroy(a);
		oclmm_histogram_destroy(b);
		oclmm_histogram_destroy(wanted);
	}
}

/* Thousands of tuples in a scattered order: each once, sorted, all counted. */
TEST(test_many)
{
	struct oclmm_histogram *h = oclmm_histogram_create(2);

	for (int64_t i = 0; i < 4096; i++) {
		int64_t n = (i * 1597) & 4095;

		oclmm_histogram_add(h, (int64_t[]){n / 64 - 32, n % 64}, 2);
	}
	assert_int_equal(oclmm_histogram_rows(h), 4096);
	for (size_t i = 0; i < 4096; i++) {
		struct oclmm_histogram_row row = oclmm_histogram_row(h, i);

		assert_int_equal(row.values[0], (int64_t)i / 64 - 32);
		assert_int_equal(row.values[1], (int64_t)i % 64);
		assert_int_equal(row.count, 2);
	}
	assert_int_equal(oclmm_histogram_total(h), 8192);
	oclmm_histogram_destroy(h);
}

/* What is obviously right: rows in any order, looked for one by one. */
struct slow {
	struct {
		int64_t values[2];
		uint64_t count;
	} rows[4096];
	size_t count;
};

static void slow_add(struct slow *slow, const int64_t *values, uint64_t count)
{
	size_t i = 0;

	while (i < slow->count && oclmm_compare_values(slow->rows[i].values, values, 2) != 0)
		i++;
	if (i == slow->count) {
		slow->rows[slow->count].values[0] = values[0];
		slow->rows[slow->count].values[1] = values[1];
		slow->rows[slow->count++].count = 0;
	}
	slow->rows[i].count = oclmm_add_saturating(slow->rows[i].count, count);
}

static void assert_same(struct oclmm_histogram *h, const struct slow *slow)
{
	assert_int_equal(oclmm_histogram_rows(h), slow->count);
	for (size_t i = 0; i < slow->count; i++)
		assert_true(oclmm_histogram_count(h, slow->rows[i].values) == slow->rows[i].count);
	for (size_t i = 1; i < slow->count; i++)
		assert_true(oclmm_compare_values(oclmm_histogram_row(h, i - 1).values,
		                                 oclmm_histogram_row(h, i).values, 2) < 0);
}

/* Few and many tuples, some of them always greater than those before, read at any time. */
TEST(test_like_the_slow_one)
{
	static struct slow slow;

	for (uint64_t round = 0; round < 60; round++) {
		struct oclmm_histogram *h = oclmm_histogram_create(2);
		int64_t range = 1 + (int64_t)oclmm_random_below(round, 0, round % 3 ? 200 : 6);
		uint64_t adds = oclmm_random_below(round, 1, 2000);

		slow.count = 0;
		for (uint64_t i = 0; i < adds; i++) {
			uint64_t random = oclmm_random(round, i + 2);
			int64_t first = round % 4 ? 0 : (int64_t)i / 8;
			int64_t values[] = {first - (int64_t)(random % 3),
			                    (int64_t)(random >> 8) % range};
			uint64_t count = random >> 32 & 3 ? random >> 60 : UINT64_MAX - i;

			oclmm_histogram_add(h, values, count);
			slow_add(&slow, values, count);
			if ((random >> 40) % 100 == 0)
				assert_same(h, &slow);
		}
		assert_same(h, &slow);
		oclmm_histogram_destroy(h);
	}
}

/*
 * A driver that does nothing may leave another outcome in each instance. Two million of them, which
 * come in no order, twice and with a sum in between; where each is inserted in its place that
 * takes many minutes.
 */
TEST(test_millions)
{
	enum { ROWS = 1 << 21, TIMES = 2, KILOBYTES = 1 << 20 };

	struct oclmm_histogram *h = oclmm_histogram_create(2), *sum = oclmm_histogram_create(2);
	struct rusage used;

	for (int64_t i = 0; i < ROWS * TIMES; i++) {
		int64_t n = (i * 1000003) & (ROWS - 1);

		oclmm_histogram_add(h, (int64_t[]){n / 1000 - 1000, -(n % 1000)}, 2);
		if (i % ROWS == 0)
			assert_int_equal(oclmm_histogram_merge(sum, h), 0);
	}
	assert_int_equal(oclmm_histogram_rows(h), ROWS);
	assert_int_equal(oclmm_histogram_total(h), 2 * ROWS * TIMES);
	assert_int_equal(oclmm_histogram_merge(sum, h), 0);
	assert_int_equal(oclmm_histogram_rows(sum), ROWS);
	for (size_t i = 0; i < ROWS; i++)
		assert_int_equal(oclmm_histogram_row(h, i).count, 2 * TIMES);
	oclmm_histogram_destroy(h);
	oclmm_histogram_destroy(sum);
	assert_int_equal(getrusage(RUSAGE_SELF, &used), 0);
	assert_true(used.ru_maxrss < KILOBYTES);
}
