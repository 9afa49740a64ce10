// SPDX-License-Identifier: Apache-2.0
/* What a producer writes: a module, compared with some tests. */
#include "oclmm/spirv.h"
#include "fuzz.h"

const int fuzz_json = 0;

/* Atomic functions, a barrier and a fence; what is on some devices only; all in branches. */
static const char *const tests[] = {
	"OPENCL X\n{\n[x] = 0;\n}\n"
	"P0@wg 0, dev 0 (global atomic_int *x) {\n"
	"  atomic_store_explicit(x, 1, memory_order_release, memory_scope_device);\n"
	"  barrier(CLK_GLOBAL_MEM_FENCE);\n}\n"
	"P1@wg 1, dev 0 (global atomic_int *x) {\n"
	"  atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_seq_cst,\n"
	"                         memory_scope_device);\n"
	"  int r0 = atomic_load_explicit(x, memory_order_acquire, memory_scope_device);\n}\n"
	"exists (1:r0=0)\n",
	"OPENCL Y\n{\n[x] = 0;\n[y] = 0;\n}\n"
	"P0@sg 0, wg 0, dev 0 (global atomic_float *x, global atomic_long *y) {\n"
	"  float r0 = atomic_fetch_add_explicit(x, 1.0f, memory_order_relaxed,\n"
	"                                       memory_scope_sub_group);\n"
	"  sub_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_device);\n"
	"  long r1 = atomic_fetch_min_explicit(y, 3, memory_order_acq_rel,\n"
	"                                      memory_scope_all_svm_devices);\n}\n"
	"P1@sg 0, wg 0, dev 0 (global atomic_float *x) {\n"
	"  sub_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_device);\n"
	"  float r0 = atomic_exchange_explicit(x, 2.0f, memory_order_seq_cst,\n"
	"                                      memory_scope_work_group);\n}\n"
	"exists (0:r0=1.0)\n",
	"OPENCL Z\n{\n[x] = 0;\nl = 0;\n}\n"
	"P0@wg 0, dev 0 (global atomic_uint *x, local int *l) {\n"
	"  uint e = 0;\n"
	"  int r0 = atomic_compare_exchange_strong_explicit(x, &e, 1, memory_order_acq_rel,\n"
	"                             memory_order_acquire, memory_scope_device);\n"
	"  if (r0) {\n"
	"    atomic_work_item_fence(CLK_LOCAL_MEM_FENCE, memory_order_release,\n"
	"                           memory_scope_work_group);\n"
	"    *l = 1;\n"
	"  } else {\n"
	"    atomic_fetch_xor(x, 5);\n"
	"  }\n}\n"
	"exists (0:r0=1)\n",
};

static void check(const struct oclmm_spirv_module *module, const char *test)
{
	const struct oclmm_program *program = fuzz_program(test);
	struct oclmm_error error = {0};
	struct oclmm_spirv_found found;

	if (oclmm_spirv_check(module, program, (1u << program->thread_count) - 1, "", &error,
	                      &found) < 0)
		fuzz_check_error(&error);
	else
		FUZZ_CHECK(found.operations >= 3 && found.classless <= found.operations);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct oclmm_spirv_module *module;
	struct oclmm_error error = {0};

	if (oclmm_spirv_read(data, size, &error, &module) < 0) {
		fuzz_check_error(&error);
		return 0;
	}
	for (size_t i = 0; i < module->count; i++)
		FUZZ_CHECK(oclmm_spirv_find(module, module->functions[i].name));
	for (size_t i = 0; i < OCLMM_COUNT(tests); i++)
		check(module, tests[i]);
	if (oclmm_spirv_check_barriers(module, "barrier(", &error) < 0)
		fuzz_check_error(&error);
	oclmm_spirv_destroy(module);
	return 0;
}
