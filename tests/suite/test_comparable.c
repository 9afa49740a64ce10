// SPDX-License-Identifier: Apache-2.0
/* Controls as they must not be, and one as it must. */

#include "../fixture/test.h"

#include <string.h>

#include "controls.h"

/* Message passing by an addition; `axis` has a choice that is the control. */
#define PARAMETERS "(global atomic_int *x, global atomic_int *y) {\n"
#define TEXT(axis, locations)                                                                      \
	"OPENCL T\n\"?\"\n" axis "\n{ [x] = 0; [y] = 0; }\nP0@wg 0 " PARAMETERS STORE ADD          \
	"\n}\nP1@wg 1 " PARAMETERS READ LOAD "}\n" locations "\n" ASKED "\n"
#define STORE "atomic_store_explicit(x, 1, memory_order_relaxed, memory_scope_device);\n"
#define LOAD  "int r1 = atomic_load_explicit(x, memory_order_relaxed, memory_scope_device);\n"
#define ADD   "atomic_fetch_add_explicit(y, 1, memory_order_release, memory_scope_device);"
#define READ  "int r0 = atomic_load_explicit(y, memory_order_acquire, memory_scope_device);\n"
#define ASKED "exists (1:r0=1 /\\ 1:r1=0)"
#define WEAK_ORDERS                                                                                \
	"vary order: memory_order_release, memory_order_acquire => \"weak\" "                      \
	"memory_order_relaxed, memory_order_relaxed\ncontrol order=weak"
/* The other choice adds 2. */
#define ADDS_TWO(asked)                                                                            \
	"vary by: " ADD ", " ASKED " => \"two\" atomic_fetch_add_explicit(y, 2, "                  \
	"memory_order_relaxed, memory_scope_device);, " asked "\ncontrol by=two"

/* How many complaints there are about the first variant and its control. */
static unsigned told(const char *text)
{
	const struct oclmm_check_options options = {0};
	const struct oclmm_variant *control;
	struct oclmm_litmus *litmus;
	struct oclmm_answer *answer;
	struct oclmm_error error;
	unsigned before = complaints;

	if (oclmm_litmus_parse("t", text, strlen(text), NULL, &error, &litmus) < 0)
		fail_msg("%u: %s", error.position.line, error.message);
	control = oclmm_litmus_find(litmus, litmus->variants[0].control);
	assert_non_null(control);
	assert_int_equal(oclmm_check(litmus->variants[0].program, &options, &error, &answer), 0);
	check_comparable(&litmus->variants[0], answer, control);
	oclmm_answer_destroy(answer);
	oclmm_litmus_destroy(litmus);
	return complaints - before;
}

TEST(by_weakness_alone)
{
	assert_int_equal(told(TEXT(WEAK_ORDERS, "")), 0);
	/* 2 is no value of the test, but it is not asked for alone */
	assert_int_equal(told(TEXT(ADDS_TWO("exists (1:r0=2 /\\ 1:r1=0)"), "")), 0);
}

/* What the control asks for shows when the writer is done before the reader begins. */
TEST(shows_at_rest)
{
	assert_int_equal(told(TEXT(ADDS_TWO("exists (1:r0=2)"), "locations [1:r1;]")), 1);
}

TEST(observes_less)
{
	assert_int_equal(told(TEXT(ADDS_TWO("exists (1:r0=2)"), "")), 1);
}
