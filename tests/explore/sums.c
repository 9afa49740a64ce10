// SPDX-License-Identifier: Apache-2.0
/*
 * Sums that decide nothing make no two states out of one. Those that decide something, by whatever
 * way, keep all their values; and a sum that overflows in some execution is found, whatever it is
 * for.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "oclmm/explore.h"
#include "oclmm/syntax.h"

#define LOAD  "atomic_load_explicit(x, memory_order_relaxed, memory_scope_device)"
#define OTHER "atomic_load_explicit(z, memory_order_relaxed, memory_scope_device)"

/* P0's statements beside a P1 that writes 1 and 2, so that a load reads 0, 1 or 2. */
static struct oclmm_explored *explore(const char *statements, const char *condition)
{
	struct oclmm_explored *found;
	struct oclmm_litmus *litmus;
	struct oclmm_error error;
	struct oclmm_text text = {0};

	oclmm_text_printf(
		&text,
		"OPENCL t\n{ [x] = 0; [z] = 0; out[3] = {0, 0, 0}; uint u = 0; }\n"
		"P0@wg 0, dev 0 (global atomic_int *x, global atomic_int *z, global int *out, "
		"global uint *u) {\n%s\n}\n"
		"P1@wg 1, dev 0 (global atomic_int *x) {\n"
		"atomic_store_explicit(x, 1, memory_order_relaxed, memory_scope_device);\n"
		"atomic_store_explicit(x, 2, memory_order_relaxed, memory_scope_device);\n}\n"
		"exists (%s)\n",
		statements, condition);
	assert_int_equal(oclmm_litmus_parse("t.litmus", oclmm_text_string(&text), text.length, NULL,
	                                    &error, &litmus),
	                 0);
	assert_int_equal(oclmm_explore_program(litmus->variants[0].program,
	                                       &(struct oclmm_explore_options){.seconds = 60},
	                                       &found),
	                 0);
	oclmm_litmus_destroy(litmus);
	oclmm_text_finish(&text);
	return found;
}

/* Two loads, each as new as the one before: 0 0, 0 1, 0 2, 1 1, 1 2, 2 2. */
static void needed(void **state)
{
	static const struct {
		const char *statements, *condition;
		size_t states;
	} rows[] = {
		{"int s = " LOAD "; s = s + " LOAD "; out[0] = s;", "out[0]=1", 5},
		{"int s = " LOAD "; s = s + " LOAD "; out[0] = s; out[1] = out[0];", "out[1]=1", 5},
		{"int s = " LOAD "; s = s + " LOAD "; int r = 0; if (s == 1) { r = 1; }", "0:r=1",
	         2},
		{"int s = " LOAD "; int r = 0; if (s - 1 > 0) { r = 1; }", "0:r=1", 2},
		{"int s = " LOAD "; s = s - 1; out[(s & 1) + 1] = 7;", "out[1]=7 /\\ out[2]=7", 2},
		{"int s = " LOAD "; s = s ^ 3; atomic_store_explicit(z, s, memory_order_relaxed, "
	         "memory_scope_device);",
	         "z=3", 3},
		{"int s = " LOAD "; s = s * 2; int r = s + 1;", "0:r=5", 3},
		{"int s = " LOAD "; uint t = (uint)s; *u = t - 1u; int r = (int)*u;", "0:r=-1", 3},
		{"int s = " LOAD "; char c = (char)s; long l = c; int r = (int)l;", "0:r=2", 3},
	};

	(void)state;
	for (size_t i = 0; i < OCLMM_COUNT(rows); i++) {
		struct oclmm_explored *found = explore(rows[i].statements, rows[i].condition);

		assert_int_equal(found->fault, OCLMM_EXPLORED_SOUND);
		assert_int_equal(found->state_count, rows[i].states);
		oclmm_explored_destroy(found);
	}
}

/* The same accesses with and without a sum are as many states. */
static void not_needed(void **state)
{
	static const char *const rows[][2] = {
		{"int a = " LOAD "; int b = " LOAD ";",
	         "int s = " LOAD "; s = s + " LOAD "; out[0] = s;"},
		{"int a = " LOAD "; int b = " LOAD ";",
	         "int a = " LOAD "; int b = " LOAD "; int s = a - b; s = s ^ a; out[2] = s;"},
		{"int a = " LOAD "; int b = " LOAD ";",
	         "long a = " LOAD "; char c = (char)a; c = (char)(c + " LOAD "); out[1] = c;"},
	};

	(void)state;
	for (size_t i = 0; i < OCLMM_COUNT(rows); i++) {
		struct oclmm_explored *without = explore(rows[i][0], "z=1"),
				      *with = explore(rows[i][1], "z=1");

		assert_int_equal(with->fault, OCLMM_EXPLORED_SOUND);
		assert_int_equal(with->visited, without->visited);
		oclmm_explored_destroy(without);
		oclmm_explored_destroy(with);
	}
}

/* Each fits for the values that are read first, and not for all that may be read. Behind the second
 * load there are executions that differ in `s` alone. */
static void overflowing(void **state)
{
	static const char *const rows[] = {
		"int s = " LOAD "; int t = " LOAD "; t = " LOAD "; t = t + " OTHER
		"; s = s + 2147483646; out[0] = s;",
		"int s = " LOAD "; int t = " LOAD "; t = " LOAD "; t = t + " OTHER
		"; s = -2147483647 - s; out[0] = s;",
		/* twice the sum in each line */
		"int s = " LOAD "; int t = " LOAD "; t = " LOAD "; t = t + " OTHER
		"; s = s + s; s = s + s; s = s + s; s = s + s; s = s + s; s = s + s; s = s + s;"
		"s = s + s; s = s + s; s = s + s; s = s + s; s = s + s; s = s + s; s = s + s;"
		"s = s + s; s = s + s; s = s + s; s = s + s; s = s + s; s = s + s; s = s + s;"
		"s = s + s; s = s + s; s = s + s; s = s + s; s = s + s; s = s + s; s = s + s;"
		"s = s + s; s = s + s; out[0] = s;",
	};

	(void)state;
	for (size_t i = 0; i < OCLMM_COUNT(rows); i++) {
		struct oclmm_explored *found = explore(rows[i], "z=1");

		assert_int_equal(found->fault, OCLMM_EXPLORED_FAULTED);
		oclmm_explored_destroy(found);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(needed),
		cmocka_unit_test(not_needed),
		cmocka_unit_test(overflowing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
