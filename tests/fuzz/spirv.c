// SPDX-License-Identifier: Apache-2.0
/* What a producer writes: a module, compared with a test of the suite. */
#include "oclmm/spirv.h"
#include "fuzz.h"

const int fuzz_json = 0;

static const char test[] =
	"OPENCL X\n{\n[x] = 0;\n}\n"
	"P0@wg 0, dev 0 (global atomic_int *x) {\n"
	"  atomic_store_explicit(x, 1, memory_order_release, memory_scope_device);\n"
	"  barrier(CLK_GLOBAL_MEM_FENCE);\n}\n"
	"P1@wg 1, dev 0 (global atomic_int *x) {\n"
	"  atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_seq_cst,\n"
	"                         memory_scope_device);\n"
	"  int r0 = atomic_load_explicit(x, memory_order_acquire, memory_scope_device);\n}\n"
	"exists (1:r0=0)\n";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct oclmm_spirv_module *module;
	struct oclmm_spirv_found found;
	struct oclmm_error error = {0};

	if (oclmm_spirv_read(data, size, &error, &module) < 0) {
		fuzz_check_error(&error);
		return 0;
	}
	for (size_t i = 0; i < module->count; i++)
		FUZZ_CHECK(oclmm_spirv_find(module, module->functions[i].name));
	if (oclmm_spirv_check(module, fuzz_program(test), 3, "", &error, &found) < 0)
		fuzz_check_error(&error);
	else
		FUZZ_CHECK(found.operations == 4 && found.classless <= found.operations);
	if (oclmm_spirv_check_barriers(module, "barrier(", &error) < 0)
		fuzz_check_error(&error);
	oclmm_spirv_destroy(module);
	return 0;
}
