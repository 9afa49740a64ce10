// SPDX-License-Identifier: Apache-2.0
/* What stands behind `explain --outcome`: a condition, asked of some tests. */
#include "fuzz.h"
#include "oclmm/explain.h"

const int fuzz_json = 0;

static const char *const tests[] = {
	"OPENCL X\n{\n[x] = 0;\n[y] = 0;\n}\n"
	"P0@wg 0, dev 0 (global atomic_int *x, global atomic_int *y) {\n"
	"  atomic_store_explicit(x, 1, memory_order_relaxed, memory_scope_device);\n"
	"  int r0 = atomic_load_explicit(y, memory_order_relaxed, memory_scope_device);\n}\n"
	"P1@wg 1, dev 0 (global atomic_int *x, global atomic_int *y) {\n"
	"  atomic_store_explicit(y, 1, memory_order_relaxed, memory_scope_device);\n"
	"  int r0 = atomic_load_explicit(x, memory_order_relaxed, memory_scope_device);\n}\n"
	"exists (0:r0=0 /\\ 1:r0=0)\n",
	/* values of all kinds */
	"OPENCL Y\n{\n[x] = 0;\ny = 0;\nh[2] = {1, 2};\nl = 0;\n}\n"
	"P0@wg 0, dev 0 (global atomic_float *x, global double *y, global half *h) {\n"
	"  float r0 = atomic_load_explicit(x, memory_order_relaxed, memory_scope_device);\n"
	"  double r1 = *y;\n"
	"  half r2 = h[1];\n}\n"
	"P1@wg 0, dev 0 (global long *l, global atomic_float *x) {\n"
	"  ulong r0 = 5;\n  uchar r3 = 200;\n"
	"  bool r1 = *l;\n"
	"  short r2 = (short)-3;\n}\n"
	"exists (0:r0=1.0 /\\ 1:r0=5)\n",
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	for (size_t i = 0; i < OCLMM_COUNT(tests); i++) {
		struct oclmm_arena *arena = oclmm_arena_create();
		const char *outcome = oclmm_arena_strndup(arena, (const char *)data, size);
		const struct oclmm_program *asked;
		struct oclmm_error error = {0};
		struct oclmm_text text = {0};

		if (oclmm_explain_ask(arena, fuzz_program(tests[i]), outcome, &error, &asked) < 0)
			fuzz_check_error(&error);
		else
			oclmm_program_print(&text, asked);
		oclmm_text_finish(&text);
		oclmm_arena_destroy(arena);
	}
	return 0;
}
