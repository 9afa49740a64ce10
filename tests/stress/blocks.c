// SPDX-License-Identifier: Apache-2.0
/* Blocks of launches, their drawn order, and what is kept of each launch. */
#include "stress/internal.h"

#include "../fixture/test.h"

/* One of each at first; where many lie behind, a block is a small part of them. */
TEST(blocks_follow_each_other)
{
	uint64_t first = 0, block = 0;

	while (first < 100000) {
		uint64_t end = oclmm_block_end(first);

		assert_true(end > first);
		assert_true(end - first == 1 || (end - first) * 32 <= first);
		for (uint64_t launch = first; launch < end; launch++) {
			assert_int_equal(oclmm_block_of(launch), block);
			assert_int_equal(oclmm_block_end(launch), end);
		}
		first = end;
		block++;
	}
	assert_int_equal(oclmm_block_end(0), 1);
	assert_int_equal(oclmm_block_end(63), 64);
	assert_int_equal(oclmm_block_end(64), 66);
	/* in the end 64 launches a block */
	assert_int_equal(oclmm_block_end(oclmm_block_end(90000)) - oclmm_block_end(90000), 64);
}

TEST(all_have_equally_many)
{
	for (uint32_t members = 1; members <= 5; members++) {
		for (uint32_t launches = 1; launches <= 4; launches++) {
			uint32_t order[20], seen[5] = {0};

			oclmm_block_order(members, 7, members, launches, order);
			for (uint32_t i = 0; i < members * launches; i++) {
				assert_true(order[i] < members);
				seen[order[i]]++;
			}
			for (uint32_t i = 0; i < members; i++)
				assert_int_equal(seen[i], launches);
		}
	}
}

/* Each of the 6 orders of 3 members comes up in a sixth of 60,000 draws: within five standard
 * deviations, 457 of 10,000. */
TEST(all_orders_are_alike)
{
	enum { DRAWS = 60000, EACH = DRAWS / 6, FAR = 457 };
	uint32_t seen[9] = {0};

	for (uint64_t key = 0; key < DRAWS; key++) {
		uint32_t order[3];

		oclmm_block_order(key, 0, 3, 1, order);
		seen[order[0] * 3 + order[1]]++;
	}
	for (uint32_t first = 0; first < 3; first++) {
		for (uint32_t second = 0; second < 3; second++) {
			uint32_t count = seen[first * 3 + second];

			if (first == second)
				assert_int_equal(count, 0);
			else
				assert_in_range(count, EACH - FAR, EACH + FAR);
		}
	}
}

TEST(launches_of_a_block_stand_together)
{
	struct oclmm_seen shown = {.width = 1};

	oclmm_seen_add(&shown, 4, 3, 10);
	oclmm_seen_add(&shown, 4, 1, 10);
	oclmm_seen_add(&shown, 4, 3, 10);
	oclmm_seen_add(&shown, 5, 3, 10);
	assert_int_equal(shown.count, 3);
	assert_int_equal(shown.launches[0].mask, 3);
	assert_int_equal(shown.launches[0].launches, 2);
	assert_int_equal(shown.launches[0].instances, 20);
	assert_int_equal(shown.launches[0].instances, 20);
	assert_int_equal(shown.launches[1].launches, 1);
	assert_int_equal(shown.launches[2].block, 5);
	oclmm_seen_finish(&shown);
}

TEST(outcomes_beyond_the_last_number_have_none)
{
	struct oclmm_seen shown = {.width = 2};

	for (int64_t n = 0; n < 2 * OCLMM_SEEN_OUTCOMES; n++) {
		const int64_t values[] = {7, n};
		uint32_t number = oclmm_seen_number(&shown, values);

		assert_int_equal(number, n < OCLMM_SEEN_OUTCOMES ? n : OCLMM_SEEN_OUTCOMES);
		assert_int_equal(oclmm_seen_number(&shown, values), number);
	}
	assert_int_equal(shown.outcomes, OCLMM_SEEN_OUTCOMES);
	assert_int_equal(shown.values[2 * 5 + 1], 5);
	oclmm_seen_finish(&shown);
}
