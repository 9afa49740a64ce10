// SPDX-License-Identifier: Apache-2.0
/*
 * A host mapping without its fences is seen: linked with planted_atomic.c, store
 * buffering of host and device shows what seq_cst forbids, of operations and of fences, and no
 * more than that is wrong.
 */
#include "fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define ALL ", memory_scope_all_svm_devices"

static void a_store_without_its_fence(void **state)
{
	struct fixture_test test = fixture_read(
		"OPENCL SB\n{ svm [x] = 0; svm [y] = 0; }\n"
		"P0@host (global atomic_int *x, global atomic_int *y) {\n"
		"  atomic_store(x, 1); int r0 = atomic_load(y);\n}\n"
		"P1@wg 0, dev 0 (global atomic_int *x, global atomic_int *y) {\n"
		"  atomic_store_explicit(y, 1, memory_order_seq_cst" ALL ");\n"
		"  int r0 = atomic_load_explicit(x, memory_order_seq_cst" ALL ");\n}\n"
		"exists (0:r0=0 /\\ 1:r0=0)\n");

	fixture_require(*state, &test);
	fixture_assert_betrayed(*state, &test, (const int64_t[]){0, 0}, 300000);
	fixture_finish(&test);
}

static void a_fence_that_is_none(void **state)
{
	struct fixture_test test = fixture_read(
		"OPENCL SB\n{ svm [x] = 0; svm [y] = 0; }\n"
		"P0@host (global atomic_int *x, global atomic_int *y) {\n"
		"  atomic_store_explicit(x, 1, memory_order_relaxed);\n"
		"  atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_seq_cst" ALL ");\n"
		"  int r0 = atomic_load_explicit(y, memory_order_relaxed);\n}\n"
		"P1@wg 0, dev 0 (global atomic_int *x, global atomic_int *y) {\n"
		"  atomic_store_explicit(y, 1, memory_order_seq_cst" ALL ");\n"
		"  int r0 = atomic_load_explicit(x, memory_order_seq_cst" ALL ");\n}\n"
		"exists (0:r0=0 /\\ 1:r0=0)\n");

	fixture_require(*state, &test);
	fixture_assert_betrayed(*state, &test, (const int64_t[]){0, 0}, 300000);
	fixture_finish(&test);
}

static void messages_still_arrive(void **state)
{
	struct fixture_test test = fixture_read(
		"OPENCL MP\n{ svm [x] = 0; svm [y] = 0; }\n"
		"P0@host (global atomic_int *x, global atomic_int *y) {\n"
		"  atomic_store(x, 1); atomic_store(y, 1);\n}\n"
		"P1@wg 0, dev 0 (global atomic_int *x, global atomic_int *y) {\n"
		"  int r0 = atomic_load_explicit(y, memory_order_acquire" ALL ");\n"
		"  int r1 = atomic_load_explicit(x, memory_order_relaxed" ALL ");\n}\n"
		"exists (1:r0=1 /\\ 1:r1=0)\n");
	struct oclmm_run_result result;

	fixture_require(*state, &test);
	result = fixture_run(*state, &test, 300000, 1);
	fixture_assert_legal(&test, &result);
	oclmm_run_result_finish(&result);
	fixture_finish(&test);
}

int main(void)
{
	struct oclmm_device *device = fixture_open();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_prestate(a_store_without_its_fence, device),
		cmocka_unit_test_prestate(a_fence_that_is_none, device),
		cmocka_unit_test_prestate(messages_still_arrive, device),
	};
	int r;

	if (!device)
		return 77;
	r = cmocka_run_group_tests(tests, NULL, NULL);
	fixture_close(device);
	return r;
}
