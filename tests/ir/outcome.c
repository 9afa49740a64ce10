// SPDX-License-Identifier: Apache-2.0
#include "oclmm/ir.h"

#include "../fixture/test.h"

enum { WIDEST = 5, SPACES = 200 };

/* A space of drawn shape; the first observable has the smallest stride when
 * `ascending`, the last one otherwise: the mapping must not care. */
static void draw(struct oclmm_arena *arena, uint64_t key, struct oclmm_outcome_space *ret_space)
{
	bool ascending = oclmm_random_below(key, 0, 2);
	uint32_t count = (uint32_t)oclmm_random_below(key, 1, WIDEST + 1);
	uint32_t i, k, size = 1;

	ret_space->observable_count = count;
	ret_space->domains = OCLMM_NEW_ARRAY(arena, struct oclmm_outcome_domain, count);
	for (i = 0; i < count; i++) {
		struct oclmm_outcome_domain *domain =
			&ret_space->domains[ascending ? i : count - 1 - i];

		domain->count = 1 + (uint32_t)oclmm_random_below(key, 2 + i, 4);
		domain->stride = size;
		domain->values = OCLMM_NEW_ARRAY(arena, int64_t, domain->count);
		size *= domain->count;
		for (k = 0; k < domain->count; k++)
			domain->values[k] = -3 + (int64_t)i + 2 * (int64_t)k;
	}
	ret_space->size = size;
}

TEST(indices_and_tuples_agree)
{
	uint64_t key;

	for (key = 0; key < SPACES; key++) {
		struct oclmm_arena *arena = oclmm_arena_create();
		struct oclmm_outcome_space space;
		int64_t values[WIDEST];
		uint32_t index;

		draw(arena, key, &space);
		for (index = 0; index < space.size; index++) {
			oclmm_outcome_values(&space, index, values);
			assert_int_equal(oclmm_outcome_index(&space, values), index);
		}
		oclmm_arena_destroy(arena);
	}
}

/* Every tuple of the domains, counted by hand, has an index of its own. */
TEST(tuples_have_distinct_indices)
{
	uint64_t key;

	for (key = 0; key < SPACES; key++) {
		struct oclmm_arena *arena = oclmm_arena_create();
		struct oclmm_outcome_space space;
		uint32_t at[WIDEST + 1] = {0}, seen = 0, index, i;
		int64_t values[WIDEST];
		bool *taken;

		draw(arena, key, &space);
		taken = OCLMM_NEW_ARRAY(arena, bool, space.size);
		while (!at[space.observable_count]) {
			for (i = 0; i < space.observable_count; i++)
				values[i] = space.domains[i].values[at[i]];
			index = oclmm_outcome_index(&space, values);
			assert_true(index < space.size && !taken[index]);
			taken[index] = true;
			seen++;
			for (i = 0; i < space.observable_count && ++at[i] == space.domains[i].count;
			     i++)
				at[i] = 0;
			if (i == space.observable_count)
				at[i] = 1;
		}
		assert_int_equal(seen, space.size);
		oclmm_arena_destroy(arena);
	}
}

TEST(other_values_have_the_extra_index)
{
	uint64_t key;

	for (key = 0; key < SPACES; key++) {
		struct oclmm_arena *arena = oclmm_arena_create();
		struct oclmm_outcome_space space;
		int64_t values[WIDEST];
		uint32_t i;

		draw(arena, key, &space);
		for (i = 0; i < space.observable_count; i++) {
			oclmm_outcome_values(&space, 0, values);
			values[i]++; /* domains step by two */
			assert_int_equal(oclmm_outcome_index(&space, values), space.size);
			values[i] = INT64_MAX;
			assert_int_equal(oclmm_outcome_index(&space, values), space.size);
		}
		oclmm_arena_destroy(arena);
	}
}

/* The product of the counts must not wrap: 2^16 * 2^16 is no space of 0 outcomes. */
TEST(numbers_go_up_with_tuples)
{
	struct oclmm_outcome_domain domains[] = {{.count = 3}, {.count = 5}, {.count = 2}};
	struct oclmm_outcome_domain wide[] = {{.count = 1 << 16}, {.count = 1 << 16}, {.count = 3}};
	struct oclmm_outcome_space space = {.observable_count = 3, .domains = domains};
	struct oclmm_outcome_space none = {0};

	oclmm_outcome_space_number(&space);
	assert_int_equal(space.size, 30);
	assert_int_equal(domains[0].stride, 10);
	assert_int_equal(domains[1].stride, 2);
	assert_int_equal(domains[2].stride, 1);
	space.domains = wide;
	oclmm_outcome_space_number(&space);
	assert_int_equal(space.size, UINT32_MAX);
	oclmm_outcome_space_number(&none);
	assert_int_equal(none.size, 1);
}
