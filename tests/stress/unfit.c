// SPDX-License-Identifier: Apache-2.0
/* Environments that do not fit a device or a program are refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <string.h>

#include "play.h"
#include "programs.h"

static void bad_environments_are_refused(void **state)
{
	struct program_test test = program_read(program_mixed);
	struct oclmm_device_info info = {.max_work_group_size = 64};
	struct oclmm_environment e;
	struct oclmm_error error;

	(void)state;
#define REFUSED(field, value, word)                                                                \
	do {                                                                                       \
		e = program_environment(8, 8, 2);                                                  \
		e.field = (value);                                                                 \
		assert_true(oclmm_environment_check(&e, &info, &test.plan, &error) < 0);           \
		assert_non_null(strstr(error.message, word));                                      \
	} while (0)
	REFUSED(groups, 0, "groups");
	REFUSED(groups, 2, "groups");
	REFUSED(groups, 1 << 25, "groups");
	REFUSED(lanes, 0, "lanes");
	REFUSED(lanes, 1, "lanes");
	REFUSED(lanes, 128, "lanes");
	REFUSED(rounds, 0, "rounds");
	REFUSED(rounds, 1 << 30, "instances");
	REFUSED(stride, 0, "stride");
	REFUSED(gap, 4, "gap");
	REFUSED(poll_every, 3, "poll_every");
	REFUSED(stress_pattern, 5, "pattern");
	REFUSED(count_each, 0, "count_each");
	REFUSED(split, 4, "split");
	REFUSED(direct, 2, "direct");
	REFUSED(queue_groups, (1 << 16) + 1, "queue");
	REFUSED(queue_stress, (1 << 20) + 1, "queue_stress");
	oclmm_litmus_destroy(test.litmus);
}

/* Where roles are split, a group is as wide as its lanes times the roles in it. */
static void bad_splits_are_refused(void **state)
{
	struct program_test test = program_read(program_mixed),
			    sub = program_read(program_sub_grouped);
	struct oclmm_device_info info = {.max_work_group_size = 64, .local_memory = 1 << 15};
	struct oclmm_environment e = program_environment(1, 32, 2);
	struct oclmm_error error;

	(void)state;
	e.split = 1;
	assert_int_equal(oclmm_environment_check(&e, &info, &test.plan, &error), 0);
	e.lanes = 33;
	assert_true(oclmm_environment_check(&e, &info, &test.plan, &error) < 0);
	assert_non_null(strstr(error.message, "64 lanes"));
	e = program_environment(2, 12, 2);
	assert_int_equal(oclmm_environment_check(&e, &info, &sub.plan, &error), 0);
	e.split = 1;
	assert_true(oclmm_environment_check(&e, &info, &sub.plan, &error) < 0);
	assert_non_null(strstr(error.message, "split"));
	e.split = 0;
	e.sub_lanes = 5;
	assert_true(oclmm_environment_check(&e, &info, &sub.plan, &error) < 0);
	e.sub_lanes = 12;
	assert_true(oclmm_environment_check(&e, &info, &sub.plan, &error) < 0);
	assert_non_null(strstr(error.message, "2 sub-groups"));
	e.sub_lanes = 1;
	assert_true(oclmm_environment_check(&e, &info, &sub.plan, &error) < 0);
	assert_non_null(strstr(error.message, "sub-groups of at least 2"));
	oclmm_litmus_destroy(test.litmus);
	oclmm_litmus_destroy(sub.litmus);
}

/* All instances of a launch have their place in the variables, which are as large as each device
 * has them. */
static void bad_program_scopes_are_refused(void **state)
{
	struct program_test test = program_read(program_at_scope);
	struct oclmm_device_info info = {.max_work_group_size = 64, .local_memory = 1 << 15};
	struct oclmm_environment e = program_environment(2, 1, 1365);
	struct oclmm_parameters p;
	struct oclmm_error error;

	(void)state;
	assert_int_equal(test.plan.program_bytes, 24);
	/* 2730 of 24 bytes are 65520 */
	assert_int_equal(oclmm_environment_check(&e, &info, &test.plan, &error), 0);
	e.rounds++;
	assert_true(oclmm_environment_check(&e, &info, &test.plan, &error) < 0);
	assert_non_null(strstr(error.message, "2732 instances"));
	e = program_environment(2, 1, 32);
	e.stride = 43;
	assert_true(oclmm_environment_check(&e, &info, &test.plan, &error) < 0);
	/* each variable begins at its own beginning, and no buffer has room for it */
	for (e.interleaved = 0; e.interleaved < 2; e.interleaved++) {
		e.stride = 2;
		oclmm_draw(&e, test.program, &test.plan, 1, &p);
		assert_int_equal(p.location[0].base, 0);
		assert_int_equal(p.location[0].stride, 6);
		assert_int_equal(p.location[1].base, 0);
		assert_int_equal(p.location[1].stride, 2);
	}
	e.interleaved = 1;
	assert_int_equal(oclmm_layout_bytes(&e, test.program, OCLMM_STORAGE_BUFFER),
	                 2 * 32 * 2 * 4);
	oclmm_litmus_destroy(test.litmus);
}

/* The same of images, and of all defaults. */
static void bad_images_are_refused(void **state)
{
	struct program_test test = program_read(program_with_images);
	struct oclmm_device_info info = {.type = CL_DEVICE_TYPE_CPU,
	                                 .max_work_group_size = 4096,
	                                 .compute_units = 64,
	                                 .global_memory = (cl_ulong)1 << 33,
	                                 .local_memory = 1 << 15};
	struct oclmm_environment e = program_environment(1, 1, 21845),
				 defaults[OCLMM_ENVIRONMENTS_MAX];
	struct oclmm_parameters p;
	struct oclmm_error error;
	uint32_t count;

	(void)state;
	assert_int_equal(test.plan.image_elements, 3);
	/* 21845 of 3 elements are 65535 */
	assert_int_equal(oclmm_environment_check(&e, &info, &test.plan, &error), 0);
	e.rounds++;
	assert_true(oclmm_environment_check(&e, &info, &test.plan, &error) < 0);
	assert_non_null(strstr(error.message, "21846 instances need larger images"));
	e = program_environment(1, 1, 64);
	for (e.interleaved = 0; e.interleaved < 2; e.interleaved++) {
		e.stride = 2;
		oclmm_draw(&e, test.program, &test.plan, 1, &p);
		assert_int_equal(p.location[0].base, 0);
		assert_int_equal(p.location[0].stride, 6);
		assert_int_equal(p.location[1].base, 0);
		assert_int_equal(p.location[1].stride, 2);
	}
	count = oclmm_environment_defaults(&info, &test.plan, defaults);
	for (uint32_t i = 0; i < count; i++)
		assert_int_equal(oclmm_environment_check(&defaults[i], &info, &test.plan, &error),
		                 0);
	oclmm_litmus_destroy(test.litmus);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bad_environments_are_refused),
		cmocka_unit_test(bad_splits_are_refused),
		cmocka_unit_test(bad_program_scopes_are_refused),
		cmocka_unit_test(bad_images_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
