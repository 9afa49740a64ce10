// SPDX-License-Identifier: Apache-2.0
/* Which environment a block is in: equal turns, shares by yield with a floor, and their text. */
#include "stress/internal.h"

#include "../fixture/test.h"
#include <string.h>

enum { ALL = 3 };

static uint32_t sum_of(const struct oclmm_turn *turn)
{
	uint32_t sum = 0;

	for (unsigned i = 0; i < OCLMM_TURN_ENVIRONMENTS; i++)
		sum += turn->share[i];
	return sum;
}

TEST(all_have_their_turn_at_first)
{
	static const struct oclmm_turns none;
	uint32_t seen[ALL] = {0};

	for (uint32_t block = 0; block < ALL; block++)
		assert_int_equal(oclmm_turn_of(&none, ALL, block), block);
	for (uint32_t block = 12; block < 12 + 12 * ALL; block++)
		seen[oclmm_turn_of(&none, ALL, block)]++;
	for (uint32_t i = 0; i < ALL; i++)
		assert_int_equal(seen[i], 12);
}

/* Of two with equal launches the one that yields half as much has a sixteenth of what is not shared
 * equally; one that yields nothing, and takes ten times as long, keeps its part of the floor. */
TEST(time_goes_by_yield)
{
	const struct oclmm_yield yields[ALL] = {
		{.hits = 1000000, .launches = 10, .seconds = 1},
		{.hits = 500000, .launches = 10, .seconds = 1},
		{.hits = 0, .launches = 10, .seconds = 10},
	};
	double floor = 0.2 / ALL, times[ALL], whole = 0;
	struct oclmm_turns turns = {0};

	assert_true(oclmm_turns_decide(&turns, yields, ALL, 15));
	assert_int_equal(turns.count, 1);
	assert_int_equal(turns.at[0].block, 15);
	assert_int_equal(sum_of(&turns.at[0]), OCLMM_TURN_WHOLE);
	for (unsigned i = 0; i < ALL; i++)
		whole += times[i] = turns.at[0].share[i] * yields[i].seconds;
	assert_true(times[0] / whole > floor + 0.8 * 16 / 17 - 0.01);
	assert_true(times[1] / whole > floor + 0.8 / 17 - 0.01);
	assert_true(times[1] / whole < floor + 0.8 / 17 + 0.01);
	assert_true(times[2] / whole > floor - 0.01 && times[2] / whole < floor + 0.01);
}

/* Whatever the numbers, each environment keeps a share, and there are no more decisions than are
 * recorded. */
TEST(each_keeps_a_share)
{
	struct oclmm_turns turns = {0};
	uint64_t key = 1;

	for (uint64_t round = 0; round < 2000; round++) {
		uint32_t count = 2 + (uint32_t)oclmm_random_below(key, 9 * round, 7);
		struct oclmm_yield yields[OCLMM_ENVIRONMENTS_MAX] = {{0}};
		uint64_t hits = 0;

		if (round % OCLMM_TURNS_MOST == 0)
			turns = (struct oclmm_turns){0};
		for (uint32_t i = 0; i < count; i++) {
			uint64_t drawn = oclmm_random(key, 9 * round + i + 1);

			yields[i].launches = drawn % 5 ? drawn % 1000 : 0;
			yields[i].hits = yields[i].launches ? drawn >> (drawn % 60) >> 4 : 0;
			yields[i].seconds = (double)yields[i].launches * (double)(1 + drawn % 77) *
			                    1e-6;
			hits += yields[i].hits;
		}
		if (hits == 0 && turns.count) {
			assert_false(oclmm_turns_decide(&turns, yields, count, round + 1));
			continue;
		}
		assert_true(oclmm_turns_decide(&turns, yields, count, round + 1));
		assert_int_equal(sum_of(&turns.at[turns.count - 1]), OCLMM_TURN_WHOLE);
		for (uint32_t i = 0; i < OCLMM_TURN_ENVIRONMENTS; i++)
			assert_true((turns.at[turns.count - 1].share[i] > 0) == (i < count));
		/* not twice for one block, nor for one that is past */
		assert_false(oclmm_turns_decide(&turns, yields, count, round + 1));
		assert_false(oclmm_turns_decide(&turns, yields, count, round));
	}
	turns.count = OCLMM_TURNS_MOST;
	assert_false(oclmm_turns_decide(&turns, (struct oclmm_yield[]){{1, 1, 1}, {1, 1, 1}}, 2,
	                                1 << 20));
}

/* A run that has yielded nothing says so, once: without a word a replay that yields something would
 * decide otherwise than the run it repeats. */
TEST(nothing_yielded_is_a_decision)
{
	struct oclmm_yield yields[2] = {{0, 10, 1}, {0, 10, 2}};
	struct oclmm_turns turns = {0};

	assert_true(oclmm_turns_decide(&turns, yields, 2, 10));
	assert_int_equal(turns.count, 1);
	assert_int_equal(turns.at[0].block, 10);
	assert_int_equal(turns.at[0].share[0], OCLMM_TURN_WHOLE / 2);
	assert_int_equal(turns.at[0].share[1], OCLMM_TURN_WHOLE / 2);
	assert_false(oclmm_turns_decide(&turns, yields, 2, 20));
	yields[1].hits = 1;
	assert_true(oclmm_turns_decide(&turns, yields, 2, 20));
	assert_int_equal(turns.count, 2);
}

/* Blocks are drawn by the shares, from the block on that they are for. */
TEST(blocks_are_drawn)
{
	const struct oclmm_turns turns = {2, {{8, {1024, 3072}}, {40000, {4095, 1}}}};
	uint32_t seen[2][2] = {{0}};

	for (uint32_t block = 0; block < 8; block++)
		assert_int_equal(oclmm_turn_of(&turns, 2, block),
		                 oclmm_turn_of(&(struct oclmm_turns){0}, 2, block));
	for (uint32_t block = 8; block < 80000; block++)
		seen[block >= 40000][oclmm_turn_of(&turns, 2, block)]++;
	/* of 9,998 turns of four blocks a quarter: within five standard deviations, 217 of 2,500 */
	assert_in_range(seen[0][0], (2500 - 217) * 4, (2500 + 217) * 4);
	assert_in_range(seen[1][1], 0, 20 * 4);
}

TEST(text_goes_both_ways)
{
	static const char *const refused[] = {
		"",
		"30",
		"30:",
		"30:4096",
		"30:1,2",
		"30:4096,0,",
		"30:2048,2048;",
		"30:2048,2048;30:2048,2048",
		"30:2048,2048;29:2048,2048",
		"-1:2048,2048",
		"30:2048;2048",
		"30: 2048,2048",
		"30:1,1,1,1,1,1,1,1,4088",
		"99999999999:2048,2048",
		"30:65536,4096",
		"1:1,4095;2:1,4095;3:1,4095;4:1,4095;5:1,4095;6:1,4095;7:1,4095;8:1,4095;9:1,4095",
	};
	static const char *const taken[] = {
		"30:96,4000",           "0:2048,2048",       "30:96,4000;240:2048,2048",
		"1:1,1,1,1,1,1,1,4089", "5:4095,1;6:1,4095",
	};

	for (size_t i = 0; i < OCLMM_COUNT(refused); i++) {
		struct oclmm_turns turns = {7, {{0}}};

		if (oclmm_turns_parse(refused[i], &turns))
			fail_msg("%s is taken", refused[i]);
		assert_int_equal(turns.count, 7);
	}
	for (size_t i = 0; i < OCLMM_COUNT(taken); i++) {
		struct oclmm_text text = {0};
		struct oclmm_turns turns;

		assert_true(oclmm_turns_parse(taken[i], &turns));
		oclmm_turns_print(&text, &turns);
		assert_string_equal(oclmm_text_string(&text), taken[i]);
		oclmm_text_finish(&text);
	}
}
