// SPDX-License-Identifier: Apache-2.0
/* An explanation that its caller ends is none: whenever that is, it does not look like one whose
 * limits were reached. */

#include "../fixture/test.h"

#include <errno.h>
#include <string.h>

#include "oclmm/explain.h"
#include "oclmm/syntax.h"

/* Forbidden, and allowed when one of the four is weaker: both searches have something to do. */
static const char text[] = "OPENCL SB\n"
			   "{ [x] = 0; [y] = 0; }\n"
			   "P0@wg 0, dev 0 (global atomic_int *x, global atomic_int *y) {\n"
			   "  atomic_store(x, 1);\n"
			   "  int r0 = atomic_load(y);\n"
			   "}\n"
			   "P1@wg 1, dev 0 (global atomic_int *x, global atomic_int *y) {\n"
			   "  atomic_store(y, 1);\n"
			   "  int r0 = atomic_load(x);\n"
			   "}\n"
			   "exists (0:r0=0 /\\ 1:r0=0)\n";

struct asked {
	unsigned calls, last; /* the call that ends it */
};

static int ended(const void *data)
{
	/* the caller's own */
	struct asked *asked = (struct asked *)(uintptr_t)data;

	return asked->calls++ >= asked->last ? -EINTR : 0;
}

TEST(whenever_it_ends_it_is_no_explanation)
{
	struct oclmm_error error = {0};
	struct oclmm_litmus *litmus;
	unsigned last = 0;
	int r = -EINTR;

	assert_int_equal(oclmm_litmus_parse("SB.litmus", text, strlen(text), NULL, &error, &litmus),
	                 0);
	for (; r == -EINTR; last++) {
		struct asked asked = {.last = last};
		const struct oclmm_explain_options options = {.ended = ended, .data = &asked};
		struct oclmm_explanation *explanation = NULL;

		error = (struct oclmm_error){0};
		r = oclmm_explain(litmus->variants[0].program, &options, &error, &explanation);
		if (r == -EINTR) {
			assert_null(explanation);
			assert_string_equal(error.message, "test SB: interrupted");
			continue;
		}
		assert_int_equal(r, 0);
		assert_int_equal(asked.calls, last);
		assert_false(explanation->candidates_cut);
		assert_false(explanation->changes_cut);
		assert_true(explanation->change_count > 0);
		oclmm_explanation_destroy(explanation);
	}
	/* the answer, the executions, and changes one by one */
	assert_true(last > 10);
	oclmm_litmus_destroy(litmus);
}
