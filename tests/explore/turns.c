// SPDX-License-Identifier: Apache-2.0
/*
 * Of a text that work-items share, a barrier is one for all who come to it by the same branches,
 * in the same turns of loops (C:6.15.8). Texts of their own meet barrier by barrier.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "oclmm/explore.h"
#include "oclmm/syntax.h"

static enum oclmm_explored_fault fault_of(const char *text)
{
	struct oclmm_litmus *litmus;
	struct oclmm_error error;
	struct oclmm_explored *found;
	enum oclmm_explored_fault fault;

	assert_int_equal(oclmm_litmus_parse("t.litmus", text, strlen(text), NULL, &error, &litmus),
	                 0);
	assert_int_equal(oclmm_explore_program(litmus->variants[0].program,
	                                       &(struct oclmm_explore_options){.seconds = 60},
	                                       &found),
	                 0);
	fault = found->fault;
	oclmm_explored_destroy(found);
	oclmm_litmus_destroy(litmus);
	return fault;
}

#define MEET   "barrier(CLK_GLOBAL_MEM_FENCE);\n"
#define ARRIVE "intel_work_group_barrier_arrive(CLK_GLOBAL_MEM_FENCE);\n"
#define WAIT   "intel_work_group_barrier_wait(CLK_GLOBAL_MEM_FENCE);\n"
/* `k` tells who came first. */
#define SHARED(body)                                                                               \
	"OPENCL t\n{ [x] = 0; }\nkernel@wg 0, li 0..1 (global atomic_int *x) {\n"                  \
	"int l = get_local_id(0);\n"                                                               \
	"int k = atomic_fetch_add_explicit(x, 1, memory_order_relaxed, "                           \
	"memory_scope_work_group);\n" body "}\nexists (x=2)\n"

static void in_other_turns(void **state)
{
	static const char *const programs[] = {
		SHARED("for (int i = 0; i < 2; i++) { if (i == l) " MEET " }\n"),
		SHARED("for (int i = 0; i < 2; i++) { if (i == k) " MEET " }\n"),
		SHARED("for (int i = 0; i < 2; i++) { if (i == (l == 0 && k == 1)) " MEET " }\n"),
		SHARED("for (int i = 0; i < 2; i++) { for (int j = 0; j < 2; j++) { if (i == l && "
	               "j == 0) " MEET " } }\n"),
		SHARED("if (l) { " MEET " } else { " MEET " }\n"),
		SHARED("if (k == 0) { " MEET " }\nif (k == 1) { " MEET " }\n"),
		SHARED("for (int i = 0; i < 2; i++) { if (i == k) { " ARRIVE WAIT " } }\n"),
		SHARED(ARRIVE "for (int i = 0; i < 2; i++) { if (i == l) { " WAIT " } }\n"),
		SHARED("if (l == 0) { " ARRIVE " }\n"),
		SHARED("if (l == 0) { " ARRIVE WAIT " } else { " MEET " }\n"),
		SHARED(ARRIVE "if (k == 0) { " WAIT " }\n"),
	};

	(void)state;
	for (size_t i = 0; i < OCLMM_COUNT(programs); i++)
		assert_int_equal(fault_of(programs[i]), OCLMM_EXPLORED_DIVERGED);
}

static void in_the_same_turns(void **state)
{
	static const char *const programs[] = {
		SHARED("for (int i = 0; i < 2; i++) { " MEET " }\n"),
		SHARED("for (int i = 0; i < 2; i++) { if (i == 1) " MEET " }\n"),
		SHARED("for (int i = 0; i < 2 + k; i++) { if (i == 0) " MEET " }\n" MEET),
		SHARED("if (k) { k = 1; } else { k = 2; }\n" MEET "if (l == 0) { k = 3; }\n" MEET),
		SHARED(ARRIVE "for (int i = 0; i < k; i++) { k = k; }\n" WAIT ARRIVE WAIT),
		SHARED("for (int i = 0; i < 2; i++) { " ARRIVE WAIT " }\n"),
		/* barriers of texts of their own are paired by their number */
		"OPENCL t\n{ [x] = 0; }\nP0@wg 0, dev 0 (global int *x) {\n" MEET "*x = 1;\n}\n"
		"P1@wg 0, dev 0 (global int *x) {\nint r = 0;\nif (r == 0) { " MEET " }\n}\n"
		"exists (x=1)\n",
	};

	(void)state;
	for (size_t i = 0; i < OCLMM_COUNT(programs); i++)
		assert_int_equal(fault_of(programs[i]), OCLMM_EXPLORED_SOUND);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(in_other_turns),
		cmocka_unit_test(in_the_same_turns),
	};

	return cmocka_run_group_tests_name("turns of loops around barriers", tests, NULL, NULL);
}
