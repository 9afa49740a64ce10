// SPDX-License-Identifier: Apache-2.0
/* Adjustments of programs whose work-items share a text, and of others. */
#include <stdlib.h>
#include <string.h>

#include "../fixture/test.h"

#include "oclmm/change.h"
#include "oclmm/syntax.h"

/* A text that so many work-items of a group share. */
static struct oclmm_litmus *read_group(unsigned size)
{
	struct oclmm_text text = {0};
	struct oclmm_litmus *litmus;
	struct oclmm_error error;

	oclmm_text_printf(&text,
	                  "OPENCL g\n\n{\ng[%u] = {0};\nout[%u] = {-1};\n}\n\n"
	                  "kernel@wg 0, li 0..%u (global int *out, global int *g) {\n"
	                  "  const int l = get_local_linear_id();\n"
	                  "  g[l] = 1;\n"
	                  "  barrier(CLK_GLOBAL_MEM_FENCE);\n"
	                  "  int a = g[l];\n"
	                  "  out[l] = a;\n"
	                  "}\n\nlocations [out;]\nexists (out[0]=-1)\n",
	                  size, size, size - 1);
	assert_int_equal(
		oclmm_litmus_parse("g.litmus", text.data, text.length, NULL, &error, &litmus), 0);
	oclmm_text_finish(&text);
	return litmus;
}

static size_t count_adjustments(struct oclmm_litmus *litmus, bool stronger)
{
	struct oclmm_arena *arena = oclmm_arena_create();
	struct oclmm_adjusted *plain = oclmm_adjusted_create(arena, litmus->variants[0].program);
	size_t count = SIZE_MAX;
	bool cut = true;

	free(oclmm_adjustments_list(plain, stronger, &count, &cut));
	assert_false(cut);
	oclmm_adjusted_destroy(plain);
	oclmm_litmus_destroy(litmus);
	oclmm_arena_destroy(arena);
	return count;
}

TEST(lists_those_of_threads)
{
	static const char text[] = "OPENCL t\n\n{\nx = 0;\n}\n\n"
				   "P0@wg 0, dev 0 (global int *x) {\n  *x = 1;\n}\n\n"
				   "P1@wg 0, dev 0 (global int *x) {\n  int r0 = *x;\n}\n\n"
				   "exists (1:r0=0)\n";
	struct oclmm_litmus *litmus;
	struct oclmm_error error;

	assert_int_equal(oclmm_litmus_parse("t.litmus", text, strlen(text), NULL, &error, &litmus),
	                 0);
	assert_true(count_adjustments(litmus, true) > 0);
}

/* A group may have more work-items than threads have texts of their own. */
TEST(lists_none_of_shared_texts)
{
	static const unsigned sizes[] = {2, 16, 17, 128};

	for (size_t i = 0; i < OCLMM_COUNT(sizes); i++) {
		struct oclmm_litmus *litmus = read_group(sizes[i]);

		assert_int_equal(litmus->variants[0].program->thread_count, sizes[i]);
		assert_int_equal(count_adjustments(litmus, true), 0);
		assert_int_equal(count_adjustments(read_group(sizes[i]), false), 0);
	}
}
