// SPDX-License-Identifier: Apache-2.0
/* Launches of the sizes that a user or a planted bug asks for. */

#include "../fixture/test.h"

#include <string.h>

#include "profile/sizes.h"

static const struct oclmm_device_info cpu = {
	.type = CL_DEVICE_TYPE_CPU,
	.compute_units = 2,
	.max_work_group_size = 64,
	.global_memory = 1 << 30,
	.local_memory = 1 << 15,
};

/* Two roles in two work-groups. */
static const struct oclmm_kernel_plan across = {
	.roles = 2, .work_groups = 2, .crowd = 1, .parts = 1, .outcomes = 4};

static struct oclmm_sizes read_sizes(const char *text)
{
	struct oclmm_sizes sizes;
	struct oclmm_error error;

	if (oclmm_sizes_parse(text, &error, &sizes) < 0)
		fail_msg("%s: %s", text, error.message);
	return sizes;
}

TEST(numbers_are_read)
{
	static const struct {
		const char *text;
		struct oclmm_sizes sizes;
	} rows[] = {
		{"groups=16", {.groups = {16, 16, 0}}},
		{" lanes=2-  groups=-3 ", {.groups = {0, 3, 0}, .lanes = {2, 0, 0}}},
		{"lanes=4-9", {.lanes = {4, 9, 0}}},
		{"lanes=!32", {.lanes = {0, 0, 32}}},
	};

	for (size_t i = 0; i < OCLMM_COUNT(rows); i++) {
		struct oclmm_sizes sizes = read_sizes(rows[i].text);

		assert_memory_equal(&sizes, &rows[i].sizes, sizeof(sizes));
	}
}

TEST(other_texts_are_refused)
{
	static const struct {
		const char *text;
		uint32_t column;
	} rows[] = {
		{"", 1},
		{"  ", 3},
		{"16", 1},
		{"rounds=2", 1},
		{"groups=", 8},
		{"groups=0", 8},
		{"lanes=!1", 7},
		{"lanes=9-4", 7},
		{"lanes=4x", 7},
		{"lanes=-", 7},
		{"lanes=4--5", 7},
		{"lanes=2 lanes=3", 9},
		{"lanes=2 wide=3", 9},
		{"lanes=5000000000", 7},
	};

	for (size_t i = 0; i < OCLMM_COUNT(rows); i++) {
		struct oclmm_sizes sizes = {.lanes = {7, 7, 0}}, before = sizes;
		struct oclmm_error error = {0};

		if (oclmm_sizes_parse(rows[i].text, &error, &sizes) == 0)
			fail_msg("'%s' is read", rows[i].text);
		assert_int_equal(error.position.column, rows[i].column);
		assert_memory_equal(&sizes, &before, sizeof(sizes));
	}
}

/* What a CPU has by default, or nearly: of few groups, and of some more. */
static struct oclmm_environment_set usual(void)
{
	struct oclmm_environment_set set;
	struct oclmm_error error;

	if (oclmm_environment_set_parse("groups=2 lanes=1 rounds=4096 direct=1 polls=100; "
	                                "groups=128 lanes=1 rounds=64 direct=1 few_groups=1; "
	                                "groups=2 lanes=1 rounds=4096 direct=1 stress_groups=1",
	                                &error, &set) < 0)
		fail_msg("%s", error.message);
	return set;
}

/* An environment that has such launches stays, and of one that has some of them these; the rest
 * goes. */
TEST(what_has_them_stays)
{
	struct oclmm_environment_set set = usual();
	struct oclmm_sizes sizes = read_sizes("groups=16");

	oclmm_sizes_narrow(&sizes, &cpu, &across, &set);
	assert_int_equal(set.count, 1);
	assert_int_equal(set.environments[0].groups, 16);
	assert_int_equal(set.environments[0].rounds, 512);
	assert_int_equal(set.environments[0].few_groups, 0);
	set = usual();
	sizes = read_sizes("groups=3");
	oclmm_sizes_narrow(&sizes, &cpu, &across, &set);
	assert_int_equal(set.count, 1);
	assert_int_equal(set.environments[0].stress_groups, 1);
	set = usual();
	sizes = read_sizes("lanes=!2");
	oclmm_sizes_narrow(&sizes, &cpu, &across, &set);
	assert_int_equal(set.count, 3);
	assert_int_equal(set.environments[1].few_groups, 1);
}

/* Where nothing has them all is changed, to as many instances or fewer. */
TEST(what_has_none_is_changed)
{
	static const struct {
		const char *text;
		uint32_t groups, lanes;
	} rows[] = {
		{"lanes=32", 0, 32},
		{"groups=5", 5, 1},
		{"lanes=3- groups=6-", 0, 3},
	};

	for (size_t i = 0; i < OCLMM_COUNT(rows); i++) {
		struct oclmm_environment_set set = usual(), before = set;
		struct oclmm_sizes sizes = read_sizes(rows[i].text);
		struct oclmm_error error;

		oclmm_sizes_narrow(&sizes, &cpu, &across, &set);
		assert_int_equal(set.count, 3);
		for (uint32_t k = 0; k < set.count; k++) {
			const struct oclmm_environment *e = &set.environments[k];

			assert_true(oclmm_sizes_met(&sizes, e, &across));
			assert_int_equal(oclmm_environment_check(e, &cpu, &across, &error), 0);
			assert_in_range(oclmm_environment_instances(e), 1,
			                oclmm_environment_instances(&before.environments[k]));
			assert_true(!rows[i].groups ||
			            e->groups + e->stress_groups == rows[i].groups);
			assert_int_equal(e->lanes, rows[i].lanes);
			/* a group that no unit is free for would be waited for in vain */
			assert_true(e->groups <= 2 || e->polls == 0);
		}
	}
}

/* Roles that are split have groups and work-items of their own; where these do not come to the
 * number that is asked for, they are not split. */
TEST(roles_that_are_split)
{
	struct oclmm_kernel_plan plan = {
		.roles = 4, .work_groups = 2, .crowd = 2, .parts = 1, .outcomes = 4};
	struct oclmm_environment_set set = {
		.count = 1, .environments = {{.groups = 4, .lanes = 8, .rounds = 64, .split = 2}}};
	struct oclmm_environment_set before = set;
	struct oclmm_sizes sizes = read_sizes("lanes=32 groups=6");

	oclmm_sizes_narrow(&sizes, &cpu, &plan, &set);
	assert_int_equal(set.environments[0].split, 2);
	assert_int_equal(set.environments[0].lanes, 16);
	assert_int_equal(set.environments[0].groups, 3);
	set = before;
	sizes = read_sizes("lanes=3");
	oclmm_sizes_narrow(&sizes, &cpu, &plan, &set);
	assert_int_equal(set.environments[0].split, 0);
	assert_true(oclmm_sizes_met(&sizes, &set.environments[0], &plan));
}

/* What the program or the device cannot have is left to be refused, and only where all is so. */
TEST(what_does_not_fit_is_refused)
{
	static const char *const texts[] = {"groups=1", "lanes=65"};

	for (size_t i = 0; i < OCLMM_COUNT(texts); i++) {
		struct oclmm_environment_set set = usual();
		struct oclmm_sizes sizes = read_sizes(texts[i]);
		struct oclmm_error error;

		oclmm_sizes_narrow(&sizes, &cpu, &across, &set);
		assert_int_equal(set.count, 1);
		assert_true(oclmm_environment_check(&set.environments[0], &cpu, &across, &error) <
		            0);
	}
}
