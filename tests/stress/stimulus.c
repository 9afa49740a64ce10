// SPDX-License-Identifier: Apache-2.0
/*
 * The placement of roles and slots is sound for every shape of launch: checked
 * by playing launches on the host, for programs with all kinds of placement
 * and for parameters drawn from many keys. No device is needed.
 */

#include "../fixture/test.h"

#include <errno.h>
#include <string.h>

#include "play.h"
#include "programs.h"
#include "stress/internal.h"

static void check_one(const struct program_test *test, const struct oclmm_environment *environment,
                      uint64_t key)
{
	struct oclmm_parameters parameters;
	struct oclmm_error error;

	oclmm_draw(environment, test->program, &test->plan, key, &parameters);
	if (play_launch(&parameters, test->program, &test->plan, &error) < 0)
		fail_msg("groups %u lanes %u rounds %u split %u sub_lanes %u stride %u interleaved "
		         "%u gap %u key %llu: %s",
		         environment->groups, environment->lanes, environment->rounds,
		         environment->split, environment->sub_lanes, environment->stride,
		         environment->interleaved, environment->gap, (unsigned long long)key,
		         error.message);
}

static void check_layouts(const struct program_test *test, struct oclmm_environment environment,
                          uint64_t key)
{
	static const uint32_t strides[] = {1, 3, 16}, gaps[] = {0, 8, 4096};

	for (size_t i = 0; i < OCLMM_COUNT(strides); i++) {
		environment.stride = strides[i];
		environment.gap = gaps[i];
		environment.interleaved = 0;
		check_one(test, &environment, key);
		environment.interleaved = 1;
		check_one(test, &environment, key);
	}
}

static void check_shapes(const char *text)
{
	struct program_test test = program_read(text);
	uint64_t key = 0;

	for (uint32_t groups = 1; groups <= 64; groups *= 2)
		for (uint32_t lanes = 1; lanes <= 64; lanes *= 2)
			for (uint32_t rounds = 1; rounds <= 8; rounds *= 4)
				for (int i = 0; i < 4; i++)
					if (groups >= test.plan.work_groups &&
					    lanes >= test.plan.crowd)
						check_layouts(&test,
						              program_environment(groups, lanes,
						                                  rounds),
						              key++);
	assert_true(key > 100);
	oclmm_litmus_destroy(test.litmus);
}

TEST(roles_across_groups)
{
	check_shapes(program_across);
}

TEST(roles_in_one_group)
{
	check_shapes(program_together);
}

TEST(mixed_roles_and_sizes)
{
	check_shapes(program_mixed);
}

/* Numbers of which nothing can be said but that they are there. */
static void check_counts(const char *text, uint32_t split)
{
	static const uint32_t counts[] = {1,  2,  3,  5,  6,   7,   12,  13,  17,
	                                  31, 32, 96, 97, 100, 127, 251, 256, 1000};
	struct program_test test = program_read(text);
	uint32_t checked = 0;

	for (uint64_t key = 0; key < 400; key++) {
		uint32_t groups = counts[oclmm_random_below(1, 3 * key, OCLMM_COUNT(counts))];
		uint32_t lanes = counts[oclmm_random_below(1, 3 * key + 1, OCLMM_COUNT(counts))];
		uint32_t rounds = counts[oclmm_random_below(1, 3 * key + 2, OCLMM_COUNT(counts))];
		struct oclmm_environment e = program_environment(groups, lanes, rounds);

		/* as many as the check gets through quickly */
		if (groups * lanes > 10000 || groups * lanes * rounds > 20000 ||
		    (!split && (groups < test.plan.work_groups || lanes < test.plan.crowd)))
			continue;
		e.split = split;
		e.stride = 1 + (uint32_t)(key % 3);
		e.interleaved = key % 2;
		check_one(&test, &e, key);
		checked++;
	}
	assert_true(checked > 100);
	oclmm_litmus_destroy(test.litmus);
}

TEST(any_count)
{
	check_counts(program_across, 0);
	check_counts(program_together, 0);
	check_counts(program_mixed, 0);
}

TEST(split_roles)
{
	for (uint32_t split = 1; split <= OCLMM_SPLIT_NEIGHBOURS; split++) {
		check_counts(program_across, split);
		check_counts(program_together, split);
		check_counts(program_mixed, split);
	}
}

/* Sub-groups of every size and number, powers of two or not. */
TEST(roles_in_sub_groups)
{
	struct program_test test = program_read(program_sub_grouped);
	struct oclmm_environment e;
	uint32_t checked = 0;

	assert_true(test.plan.in_sub_groups);
	for (uint32_t size = 1; size <= 20; size++) {
		for (uint32_t number = 1; number <= 9; number++) {
			if (size < test.plan.sub_crowd || number < test.plan.sub_groups)
				continue;
			for (uint32_t groups = 2; groups <= 5; groups++) {
				e = program_environment(groups, size * number, 3);
				e.sub_lanes = size;
				check_one(&test, &e, checked++);
			}
		}
	}
	assert_true(checked > 100);
	oclmm_litmus_destroy(test.litmus);
}

/* The largest launches, whose products would not fit into 32 bits if a factor were drawn
 * carelessly. */
TEST(large_counts)
{
	static const uint32_t shapes[][3] = {
		{1, 2, 8388608}, {16777213, 1, 1}, {8191, 1024, 2},
		{65537, 255, 1}, {2, 5, 1677721},
	};
	struct program_test test = program_read(program_across);

	for (size_t i = 0; i < OCLMM_COUNT(shapes); i++) {
		struct oclmm_environment e = program_environment(shapes[i][0], shapes[i][1],
		                                                 shapes[i][2]);
		struct oclmm_parameters p;
		struct oclmm_error error;

		e.split = shapes[i][0] < 2;
		e.shuffle_groups = e.shuffle_lanes = e.shuffle_locations = 100;
		for (uint64_t key = 0; key < 1000; key++) {
			oclmm_draw(&e, test.program, &test.plan, key, &p);
			if (oclmm_parameters_check(&p, test.program, &test.plan, &error) < 0)
				fail_msg("shape %zu key %llu: %s", i, (unsigned long long)key,
				         error.message);
			assert_true((uint64_t)p.location[0].multiplier *
			                            oclmm_environment_instances(&e) <=
			                    UINT32_MAX ||
			            !oclmm_environment_any_count(&e, &test.plan));
		}
		check_one(&test, &e, i);
	}
	oclmm_litmus_destroy(test.litmus);
}

/*
 * A driver that knew in which launches objects are looked at could leave out work in all others. So
 * no class of launch numbers is without looks or full of them, and another seed looks elsewhere.
 */
TEST(looks_follow_no_pattern)
{
	enum { LAUNCHES = 1 << 18 };
	uint32_t in_class[64] = {0}, both = 0, all = 0;

	for (uint64_t seed = 1; seed <= 20; seed++)
		for (uint64_t number = 0; number < 2; number++)
			assert_true(oclmm_draw_look(oclmm_random(seed, number), number));
	for (uint64_t number = 2; number < LAUNCHES; number++) {
		bool look = oclmm_draw_look(oclmm_random(1, number), number);

		all += look;
		in_class[number % 64] += look;
		both += look && oclmm_draw_look(oclmm_random(2, number), number);
	}
	/* 4,096 are expected, with a deviation of 64; of each class 64 with 8; of both 64 with 8 */
	assert_in_range(all, 4096 - 6 * 64, 4096 + 6 * 64);
	assert_in_range(both, 64 - 6 * 8, 64 + 6 * 8);
	for (uint32_t i = 0; i < 64; i++)
		assert_in_range(in_class[i], 64 - 6 * 8, 64 + 6 * 8);
}

/* The check itself has to notice what it is there for. */
TEST(broken_parameters_are_noticed)
{
	struct program_test test = program_read(program_mixed);
	struct oclmm_environment environment = program_environment(8, 8, 2);
	struct oclmm_parameters good, bad;
	struct oclmm_error error;

	oclmm_draw(&environment, test.program, &test.plan, 7, &good);
	assert_int_equal(play_launch(&good, test.program, &test.plan, &error), 0);
	bad = good;
	bad.group_shift[1] = bad.group_shift[0];
	assert_int_not_equal(play_launch(&bad, test.program, &test.plan, &error), 0);
	bad = good;
	bad.lane_shift[2] = bad.lane_shift[0];
	assert_int_not_equal(play_launch(&bad, test.program, &test.plan, &error), 0);
	bad = good;
	bad.location[0].stride = 1;
	assert_int_not_equal(play_launch(&bad, test.program, &test.plan, &error), 0);
	bad = good;
	bad.location[1].base = bad.location[3].base;
	assert_int_not_equal(play_launch(&bad, test.program, &test.plan, &error), 0);
	/* odd or even, any multiplier is as good as any other */
	bad = good;
	bad.group_multiplier = bad.location[2].multiplier = 0xfffffffe;
	bad.group_addend = bad.location[2].addend = UINT32_MAX;
	assert_int_equal(play_launch(&bad, test.program, &test.plan, &error), 0);
	oclmm_litmus_destroy(test.litmus);
}

/* The same where counts are not powers of two, and with the quick check as well. */
TEST(broken_factors_are_noticed)
{
	struct program_test test = program_read(program_mixed);
	struct oclmm_environment environment = program_environment(9, 6, 2);
	struct oclmm_parameters good, bad;
	struct oclmm_error error;

	oclmm_draw(&environment, test.program, &test.plan, 7, &good);
	assert_int_equal(play_launch(&good, test.program, &test.plan, &error), 0);
#define NOTICED(field, value)                                                                      \
	do {                                                                                       \
		bad = good;                                                                        \
		bad.field = (value);                                                               \
		assert_int_not_equal(                                                              \
			oclmm_parameters_check(&bad, test.program, &test.plan, &error), 0);        \
	} while (0)
	NOTICED(group_multiplier, 3);
	NOTICED(group_multiplier, 0);
	NOTICED(group_multiplier, 477218588 + 9); /* coprime, but 9 times it does not fit */
	NOTICED(group_addend, 9);
	NOTICED(groups_inverse, good.groups_inverse + 1);
	NOTICED(instances_inverse, 0);
	NOTICED(location[0].multiplier, 2);
	NOTICED(location[0].addend, 108);
	NOTICED(group_shift[1], good.group_shift[0]);
	NOTICED(group_shift[2], 9);
	NOTICED(lane_shift[2], good.lane_shift[0]);
	NOTICED(lane_shift[2], 6);
	NOTICED(lane_addend, 6);
#undef NOTICED
	/* what a bad factor leads to, seen by playing */
	bad = good;
	bad.groups_inverse = good.groups_inverse / 2;
	bad.group_multiplier = 8;
	assert_int_not_equal(play_launch(&bad, test.program, &test.plan, &error), 0);
	oclmm_litmus_destroy(test.litmus);
}

TEST(broken_sub_groups_are_noticed)
{
	struct program_test test = program_read(program_sub_grouped);
	struct oclmm_environment environment = program_environment(4, 12, 2);
	struct oclmm_parameters good, bad;
	struct oclmm_error error;

	environment.sub_lanes = 4;
	oclmm_draw(&environment, test.program, &test.plan, 7, &good);
	assert_int_equal(play_launch(&good, test.program, &test.plan, &error), 0);
	bad = good;
	bad.sub_shift[1] = bad.sub_shift[0];
	assert_int_not_equal(play_launch(&bad, test.program, &test.plan, &error), 0);
	bad = good;
	bad.sub_shift[2] = (bad.sub_shift[0] + 1) % 3;
	assert_int_not_equal(play_launch(&bad, test.program, &test.plan, &error), 0);
	bad = good;
	bad.lane_shift[2] = bad.lane_shift[0];
	assert_int_not_equal(play_launch(&bad, test.program, &test.plan, &error), 0);
	bad = good;
	bad.lane_addend = 4;
	assert_int_not_equal(play_launch(&bad, test.program, &test.plan, &error), 0);
	oclmm_litmus_destroy(test.litmus);
}

/* A draw is a pure function of its key, and another key gives another one. */
TEST(draws_repeat)
{
	struct program_test test = program_read(program_mixed);
	struct oclmm_environment environment = program_environment(64, 32, 4);
	struct oclmm_parameters a, b;
	int different = 0;

	for (uint64_t key = 0; key < 100; key++) {
		oclmm_draw(&environment, test.program, &test.plan, key, &a);
		oclmm_draw(&environment, test.program, &test.plan, key, &b);
		assert_memory_equal(&a, &b, sizeof(a));
		oclmm_draw(&environment, test.program, &test.plan, key + 1000, &b);
		different += memcmp(&a, &b, sizeof(a)) != 0;
	}
	assert_int_equal(different, 100);
	oclmm_litmus_destroy(test.litmus);
}

enum { SLOTS_MOST = 1 << 12 };

/* Which elements of a location a launch with this key uses. */
static void mark_slots(const struct program_test *test, const struct oclmm_environment *environment,
                       uint64_t key, uint32_t location, bool *ret_slots)
{
	bool any = oclmm_environment_any_count(environment, &test->plan);
	struct oclmm_parameters p;

	memset(ret_slots, 0, SLOTS_MOST * sizeof(*ret_slots));
	oclmm_draw(environment, test->program, &test->plan, key, &p);
	for (uint32_t i = 0; i < oclmm_environment_instances(environment); i++) {
		uint32_t slot = oclmm_slot_of(&p, &p.location[location], i, any);

		assert_true(slot < SLOTS_MOST);
		ret_slots[slot] = true;
	}
}

/* What launches in one environment restored holds initial values for those in another, whatever
 * permutation either draws. */
/* What a driver may say of a group, and what would be a feature that it lacks without a word. */
TEST(sub_groups_that_are_none)
{
	static const struct {
		size_t all, lanes, count;
		int result;
	} rows[] = {{64, 16, 4, 0},    {60, 16, 4, 0},    {1, 16, 1, 0},
	            {64, 64, 1, 0},    {8, 4, 4, 0},      {64, 0, 0, -EIO},
	            {64, 16, 0, -EIO}, {64, 0, 4, -EIO},  {64, 1, 1, -EIO},
	            {64, 15, 4, -EIO}, {64, 1, 65, -EIO}, {64, 9, SIZE_MAX, -EIO}};
	struct oclmm_error error;

	for (size_t i = 0; i < OCLMM_COUNT(rows); i++)
		assert_int_equal(oclmm_sub_groups_judge(rows[i].all, rows[i].lanes, rows[i].count,
		                                        &error),
		                 rows[i].result);
}

TEST(layouts_that_cover_others)
{
	enum { DRAWS = 2000 };
	static bool there[SLOTS_MOST], wanted[SLOTS_MOST];
	struct program_test test = program_read(program_mixed);
	uint32_t covered = 0, others = 0;

	for (uint64_t draw = 0; draw < DRAWS; draw++) {
		struct oclmm_environment e[2];

		for (int i = 0; i < 2; i++) {
			uint64_t key = oclmm_random(draw, (uint64_t)i);

			e[i] = program_environment(3 + (uint32_t)oclmm_random_below(key, 0, 3),
			                           4u << oclmm_random_below(key, 1, 2),
			                           1u << oclmm_random_below(key, 2, 2));
			e[i].stride = 1 + (uint32_t)oclmm_random_below(key, 3, 2);
			e[i].interleaved = (uint32_t)oclmm_random_below(key, 4, 2);
			e[i].gap = 8 * (uint32_t)oclmm_random_below(key, 5, 2);
		}
		if (!oclmm_layout_covers(&e[0], &e[1], test.program)) {
			others++;
			continue;
		}
		covered++;
		for (uint32_t i = 0; i < test.program->location_count; i++) {
			mark_slots(&test, &e[0], draw, i, there);
			mark_slots(&test, &e[1], ~draw, i, wanted);
			for (uint32_t k = 0; k < SLOTS_MOST; k++)
				assert_true(there[k] || !wanted[k]);
		}
	}
	assert_true(covered > 50 && others > 50);
	oclmm_litmus_destroy(test.litmus);
}
