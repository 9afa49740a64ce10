// SPDX-License-Identifier: Apache-2.0
/*
 * A division without a quotient has an unspecified value (C:6.4), which no state of the explorer
 * holds: such a program is not taken, and none is called undefined for it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "oclmm/explore.h"
#include "oclmm/syntax.h"

static struct oclmm_explored *found;

static int explore(const char *statements)
{
	struct oclmm_litmus *litmus;
	struct oclmm_error error;
	struct oclmm_text text = {0};
	int r;

	oclmm_text_printf(
		&text,
		"OPENCL t\n{ [x] = 0; [m] = -2147483648; [n] = -1; long l = -9223372036854775808; "
		"a[2] = {5, 6}; }\n"
		"P0@wg 0, dev 0 (global int *x, global int *m, global int *n, global long *l, "
		"global int *a) {\nint d = *x; int least = *m; int one = *n; long low = *l; "
		"int r = 0;\n%s\n}\nexists (0:r=3)\n",
		statements);
	assert_int_equal(oclmm_litmus_parse("t.litmus", oclmm_text_string(&text), text.length, NULL,
	                                    &error, &litmus),
	                 0);
	r = oclmm_explore_program(litmus->variants[0].program,
	                          &(struct oclmm_explore_options){.seconds = 60}, &found);
	oclmm_litmus_destroy(litmus);
	oclmm_text_finish(&text);
	return r;
}

static void without_a_quotient(void **state)
{
	static const char *const programs[] = {
		"r = 7 / d;",
		"r = 7 % d;",
		"r = least / one;",
		"r = least % one;",
		"r = (int)(low / one);",
		"r = (int)(low % one);",
		"r = (int)(7u / (uint)d);",
		"r = (int)(7ul % (ulong)d);",
		"int q = 7 / d; r = 1;",
		"if (7 / d == 3) { r = 1; }",
		"*x = 7 / d;",
		"r = a[(7 / d) & 1];",
		"if (d == 0) { r = 7 / d; }",
	};

	(void)state;
	for (size_t i = 0; i < OCLMM_COUNT(programs); i++)
		assert_int_equal(explore(programs[i]), -EOPNOTSUPP);
}

static void with_one(void **state)
{
	static const char *const programs[] = {
		"r = 6 / (d + 2);",
		"r = 3 % (d - 7);",
		"r = (least + 1) / one - 2147483644;",
		"r = (least + 1) % one + 3;",
		"r = 3 + (int)((long)least / one - 2147483648);",
		"r = 3; if (d) { r = 7 / d; }",
		"r = 3 + (d && 7 / d);",
	};

	(void)state;
	for (size_t i = 0; i < OCLMM_COUNT(programs); i++) {
		assert_int_equal(explore(programs[i]), 0);
		assert_int_equal(found->fault, OCLMM_EXPLORED_SOUND);
		assert_int_equal(found->state_count, 1);
		assert_int_equal(found->states[0].values[0], 3);
		oclmm_explored_destroy(found);
	}
}

/* What is undefined stays so: a sum that does not fit, and an index outside. */
static void undefined(void **state)
{
	static const char *const programs[] = {"r = least - 1;", "r = -least;", "r = a[d + 2];"};

	(void)state;
	for (size_t i = 0; i < OCLMM_COUNT(programs); i++) {
		assert_int_equal(explore(programs[i]), 0);
		assert_int_equal(found->fault, OCLMM_EXPLORED_FAULTED);
		oclmm_explored_destroy(found);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_a_quotient),
		cmocka_unit_test(with_one),
		cmocka_unit_test(undefined),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
