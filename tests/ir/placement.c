// SPDX-License-Identifier: Apache-2.0
/* Who is in one group with whom. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "oclmm/ir.h"

static void test_groups(void **state)
{
	static const struct oclmm_placement given = {
		.device = 1, .work_group = 2, .sub_group_given = true, .sub_group = 3};
	struct oclmm_placement other = given;

	(void)state;
	assert_true(oclmm_same_work_group(&given, &other));
	assert_true(oclmm_same_sub_group(&given, &other));
	other.sub_group = 0;
	assert_true(oclmm_same_work_group(&given, &other));
	assert_false(oclmm_same_sub_group(&given, &other));
	/* both without a sub-group: each is alone */
	other = given;
	other.sub_group_given = false;
	assert_true(oclmm_same_work_group(&given, &other));
	assert_false(oclmm_same_sub_group(&given, &other));
	assert_false(oclmm_same_sub_group(&other, &other));
	/* work-groups and sub-groups of one number in different ones */
	other = given;
	other.work_group = 0;
	assert_false(oclmm_same_work_group(&given, &other));
	assert_false(oclmm_same_sub_group(&given, &other));
	other = given;
	other.device = 0;
	assert_false(oclmm_same_work_group(&given, &other));
	other = given;
	other.queue = 1;
	assert_false(oclmm_same_kernel(&given, &other));
	assert_false(oclmm_same_work_group(&given, &other));
	other = given;
	other.work_group = 0;
	assert_true(oclmm_same_kernel(&given, &other));
	other.host = true;
	assert_false(oclmm_same_kernel(&given, &other));
	assert_false(oclmm_same_kernel(&other, &other));
	other = given;
	other.host = true;
	assert_false(oclmm_same_work_group(&given, &other));
	assert_false(oclmm_same_work_group(&other, &given));
	assert_false(oclmm_same_work_group(&other, &other));
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_groups)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
