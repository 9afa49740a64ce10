// SPDX-License-Identifier: Apache-2.0
/* Kernels in two queues of one device, which run at once, or do not. */
#include "fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <dlfcn.h>

#include "device/device.h"
#include "oclmm/histogram.h"

#define DEVICE ", memory_scope_device"
#define SB(order, first, second)                                                                   \
	"OPENCL SB\n{ coarse [x] = 0; coarse [y] = 0; }\n"                                         \
	"P0@" first " (global atomic_int *x, global atomic_int *y) {\n"                            \
	"  atomic_store_explicit(x, 1, " order DEVICE ");\n"                                       \
	"  int r0 = atomic_load_explicit(y, " order DEVICE ");\n}\n"                               \
	"P1@" second " (global atomic_int *x, global atomic_int *y) {\n"                           \
	"  atomic_store_explicit(y, 1, " order DEVICE ");\n"                                       \
	"  int r0 = atomic_load_explicit(x, " order DEVICE ");\n}\n"                               \
	"exists (0:r0=0 /\\ 1:r0=0)\n"

/* A device that runs one kernel after the other; otherwise the driver's own. */
static bool one_by_one;

#undef clEnqueueNDRangeKernel
cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                              const size_t *offset, const size_t *global, const size_t *local,
                              cl_uint count, const cl_event *waits, cl_event *event)
{
	typedef cl_int enqueue(cl_command_queue, cl_kernel, cl_uint, const size_t *, const size_t *,
	                       const size_t *, cl_uint, const cl_event *, cl_event *);
	enqueue *next = (enqueue *)(uintptr_t)dlsym(RTLD_NEXT, "clEnqueueNDRangeKernel");
	cl_int code = next(queue, kernel, dimensions, offset, global, local, count, waits, event);

	return code == CL_SUCCESS && one_by_one ? clFinish(queue) : code;
}

static struct fixture_test read_test(struct oclmm_device *device, const char *text)
{
	struct fixture_test test = fixture_read(text);

	fixture_require(device, &test);
	return test;
}

/* What every processor with a store buffer shows when both kernels run. */
static void two_queues_are_weak(void **state)
{
	struct fixture_test test = read_test(*state, SB("memory_order_relaxed", "wg 0, dev 0",
	                                                "wg 0, dev 0, queue 1"));

	fixture_assert_shown(*state, &test, (const int64_t[]){0, 0}, 300000);
	fixture_finish(&test);
}

static void two_queues_agree_on_one_order(void **state)
{
	struct fixture_test test = read_test(*state, SB("memory_order_seq_cst",
	                                                "wg 0, dev 0, queue 2", "wg 0, dev 0"));
	struct oclmm_run_result result = fixture_run(*state, &test, 300000, 1);

	fixture_assert_legal(&test, &result);
	oclmm_run_result_finish(&result);
	fixture_finish(&test);
}

/* Local objects, plain buffers and values that are wide, in the kernel that does not count. */
static void the_other_kernel_plays_anything(void **state)
{
	struct fixture_test test = read_test(
		*state,
		"OPENCL other\n{ coarse [x] = 0; [d] = 4; long w = 0; [l] = 3; }\n"
		"P0@wg 0, dev 0 (global atomic_int *x) {\n"
		"  atomic_fetch_add_explicit(x, 1, memory_order_relaxed" DEVICE ");\n}\n"
		"P1@wg 0, dev 0, queue 1 (global atomic_int *x, global int *d, local int *l,"
		" global long *w) {\n"
		"  *l = *l + *d; barrier(CLK_LOCAL_MEM_FENCE);\n"
		"  *d = 7; *w = -4294967296l;\n"
		"  atomic_fetch_add_explicit(x, 2, memory_order_relaxed" DEVICE ");\n}\n"
		"P2@wg 0, dev 0, queue 1 (local int *l) {\n"
		"  barrier(CLK_LOCAL_MEM_FENCE); int r0 = *l; }\n"
		"P3@wg 0, dev 0, queue 2 (global atomic_int *x) {\n"
		"  atomic_fetch_add_explicit(x, 4, memory_order_relaxed" DEVICE ");\n}\n"
		"exists (2:r0=7 /\\ d=7 /\\ x=7 /\\ w=-4294967296 /\\ l=7)\n");
	struct oclmm_run_result result = fixture_run(*state, &test, 50000, 5);

	assert_int_equal(oclmm_histogram_count(result.counts.histogram,
	                                       (const int64_t[]){7, 7, 7, -4294967296, 7}),
	                 result.counts.instances);
	oclmm_run_result_finish(&result);
	fixture_finish(&test);
}

/* Buffers that both use: undefined, and run all the same. */
static void a_buffer_of_two_kernels(void **state)
{
	struct fixture_test test = read_test(
		*state, "OPENCL sum\n{ [x] = 0; }\n"
			"P0@wg 0, dev 0 (global atomic_int *x) { atomic_fetch_add(x, 1); }\n"
			"P1@wg 0, dev 0, queue 1 (global atomic_int *x) {\n"
			"  atomic_fetch_add(x, 2); }\n"
			"exists (x=3)\n");
	struct oclmm_run_result result = fixture_run(*state, &test, 50000, 5);

	assert_true(result.counts.instances >= 50000);
	oclmm_run_result_finish(&result);
	fixture_finish(&test);
}

static void equal_seeds_give_equal_stimulus(void **state)
{
	struct fixture_test test = read_test(*state, SB("memory_order_relaxed", "wg 0, dev 0",
	                                                "wg 0, dev 0, queue 1"));
	struct oclmm_run_result a = fixture_run(*state, &test, 50000, 42);
	struct oclmm_run_result b = fixture_run(*state, &test, 50000, 42);

	assert_int_equal(a.counts.stimulus, b.counts.stimulus);
	oclmm_run_result_finish(&a);
	oclmm_run_result_finish(&b);
	fixture_finish(&test);
}

/* A device of its own, because what was tried is remembered. */
static void kernels_one_by_one_are_skipped_by_name(void **state)
{
	struct fixture_test test = fixture_read(
		SB("memory_order_relaxed", "wg 0, dev 0", "wg 0, dev 0, queue 1"));
	struct oclmm_device *device = fixture_open();
	char missing[80];

	(void)state;
	one_by_one = true;
	assert_int_equal(oclmm_device_supports(device, test.program, missing, sizeof(missing)),
	                 OCLMM_SUPPORT_UNSUPPORTED);
	one_by_one = false;
	assert_string_equal(missing, "two queues whose kernels run at once");
	fixture_close(device);
	fixture_finish(&test);
}

int main(void)
{
	struct oclmm_device *device = fixture_open();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_prestate(two_queues_are_weak, device),
		cmocka_unit_test_prestate(two_queues_agree_on_one_order, device),
		cmocka_unit_test_prestate(the_other_kernel_plays_anything, device),
		cmocka_unit_test_prestate(a_buffer_of_two_kernels, device),
		cmocka_unit_test_prestate(equal_seeds_give_equal_stimulus, device),
		cmocka_unit_test_prestate(kernels_one_by_one_are_skipped_by_name, device),
	};
	int r;

	if (!device)
		return 77;
	r = cmocka_run_group_tests(tests, NULL, NULL);
	fixture_close(device);
	return r;
}
