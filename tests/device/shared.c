// SPDX-License-Identifier: Apache-2.0
/*
 * Texts that work-items share, in launches so long that the device says whether all instances left
 * the same: what one of them left is seen wherever it is, and a device that does not compare, or
 * lies about it, is found out.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <dlfcn.h>

#include "../fixture/run.h"
#include "fixture.h"

enum { GROUPS = 4096, ITEMS = 4, LONG = 1024 };

static const char text[] = "OPENCL T\n{\nout[4];\n}\n"
			   "kernel@wg 0, li 0..3 (global int *out) {\n"
			   "  const int l = get_local_id(0);\n\n"
			   "  out[l] = 1 - l;\n}\n"
			   "locations [out;]\nexists (out[0]=0)\n";

/* ---- a driver with faults ---- */

enum compares { COMPARES_WELL, COMPARES_NOTHING, COMPARES_WRONGLY };

static struct {
	enum { NOWHERE, FIRST, SECOND, AMID, LAST } where; /* an instance of each long launch … */
	size_t byte; /* … in which this byte of its object is changed */
	enum compares compares;
	uint64_t damaged; /* launches */
	uint64_t compared;
	cl_mem object, found; /* arguments of the two kernels */
} fault;

static bool is_named(cl_kernel kernel, const char *wanted)
{
	char name[64] = "";

	clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof(name), name, NULL);
	return strcmp(name, wanted) == 0;
}

#undef clSetKernelArg
cl_int clSetKernelArg(cl_kernel kernel, cl_uint index, size_t size, const void *value)
{
	cl_int (*real)(cl_kernel, cl_uint, size_t, const void *) =
		(cl_int(*)(cl_kernel, cl_uint, size_t, const void *))(
			uintptr_t)dlsym(RTLD_NEXT, "clSetKernelArg");

	if (index == 0 && is_named(kernel, "oclmm_test"))
		memcpy(&fault.object, value, sizeof(fault.object));
	if (index == 3 && is_named(kernel, "oclmm_compare"))
		memcpy(&fault.found, value, sizeof(fault.found));
	return real(kernel, index, size, value);
}

/* Changes a byte of what an instance left. */
static void damage(cl_command_queue queue, size_t instances)
{
	const size_t at[] = {[FIRST] = 0, [SECOND] = 1, [AMID] = 2000, [LAST] = instances - 1};
	const cl_uchar other = 77;
	size_t stride = 0;

	if (fault.where == NOWHERE || instances <= LONG || at[fault.where] >= instances)
		return;
	assert_int_equal(clGetMemObjectInfo(fault.object, CL_MEM_SIZE, sizeof(stride), &stride,
	                                    NULL),
	                 CL_SUCCESS);
	stride /= GROUPS;
	assert_int_equal(clEnqueueWriteBuffer(queue, fault.object, CL_TRUE,
	                                      at[fault.where] * stride + fault.byte, 1, &other, 0,
	                                      NULL, NULL),
	                 CL_SUCCESS);
	fault.damaged++;
}

typedef cl_int enqueue(cl_command_queue, cl_kernel, cl_uint, const size_t *, const size_t *,
                       const size_t *, cl_uint, const cl_event *, cl_event *);

#undef clEnqueueNDRangeKernel
cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                              const size_t *offset, const size_t *global, const size_t *local,
                              cl_uint count, const cl_event *list, cl_event *ret_event)
{
	enqueue *real = (enqueue *)(uintptr_t)dlsym(RTLD_NEXT, "clEnqueueNDRangeKernel");
	bool compare = is_named(kernel, "oclmm_compare"), lies = fault.compares == COMPARES_WRONGLY;
	cl_uint before = 0;
	cl_int code;

	fault.compared += compare;
	if (compare && fault.compares == COMPARES_NOTHING)
		return CL_SUCCESS;
	if (compare && lies)
		clEnqueueReadBuffer(queue, fault.found, CL_TRUE, 0, sizeof(before), &before, 0,
		                    NULL, NULL);
	code = real(queue, kernel, dimensions, offset, global, local, count, list, ret_event);
	if (compare && lies)
		clEnqueueWriteBuffer(queue, fault.found, CL_TRUE, 0, sizeof(before), &before, 0,
		                     NULL, NULL);
	if (is_named(kernel, "oclmm_test"))
		damage(queue, global[0] / ITEMS);
	return code;
}

/* ---- the tests ---- */

/* \return how it ended. */
static enum oclmm_end run(struct oclmm_device *device, uint32_t groups,
                          struct oclmm_error *ret_error, struct oclmm_run_result *ret_result)
{
	struct oclmm_environment environment;
	struct fixture_test test = fixture_read(text);
	struct oclmm_run_request request = {
		.program = test.program,
		.space = &test.answer->space,
		.environment = &environment,
		.launches = 48,
		.seed = 3,
	};
	enum oclmm_end end;

	fixture_require(device, &test);
	oclmm_environment_whole(oclmm_device_info(device), 1, &environment);
	environment.groups = groups;
	fault.damaged = fault.compared = 0;
	*ret_error = (struct oclmm_error){0};
	end = fixture_run_alone(device, &request, ret_error, ret_result);
	fixture_finish(&test);
	return end;
}

static const int64_t right[] = {1, 0, -1, -2};

static void expect(struct oclmm_device *device, uint32_t groups, uint64_t other)
{
	struct oclmm_run_result result;
	struct oclmm_error error;
	enum oclmm_end end = run(device, groups, &error, &result);
	uint64_t seen;

	if (end != OCLMM_END_OK)
		fail_msg("%s", error.message);
	assert_int_equal(result.counts.launches, 48);
	assert_int_equal(oclmm_histogram_total(result.counts.histogram), result.counts.instances);
	seen = oclmm_histogram_count(result.counts.histogram, right);
	assert_int_equal(result.counts.instances - seen, other ? fault.damaged : 0);
	assert_int_equal(oclmm_histogram_rows(result.counts.histogram), other ? 2 : 1);
	oclmm_run_result_finish(&result);
}

static void all_instances_leave_the_same(void **state)
{
	fault.where = NOWHERE;
	expect(*state, LONG, 0);
	assert_int_equal(fault.compared, 0);
	expect(*state, GROUPS, 0);
	assert_true(fault.compared > 10);
}

static void one_instance_leaves_something_else(void **state)
{
	fault.byte = 5; /* of out[1] */
	for (fault.where = FIRST; fault.where <= LAST; fault.where++) {
		expect(*state, GROUPS, 1);
		assert_true(fault.damaged > 10);
	}
	fault.where = NOWHERE;
}

static void expect_lost(struct oclmm_device *device, const char *words)
{
	struct oclmm_run_result result;
	struct oclmm_error error;

	assert_int_equal(run(device, GROUPS, &error, &result), OCLMM_END_RESULTS_LOST);
	if (!strstr(error.message, words))
		fail_msg("%s", error.message);
	oclmm_run_result_finish(&result);
}

static void something_is_written_behind_an_object(void **state)
{
	fault.byte = ITEMS * sizeof(cl_int);
	for (fault.where = FIRST; fault.where <= LAST; fault.where++)
		expect_lost(*state, "something was written behind out");
	fault.where = NOWHERE;
}

static void the_device_does_not_compare(void **state)
{
	fault.compares = COMPARES_NOTHING;
	expect_lost(*state, "the device did not compare all objects");
	fault.compares = COMPARES_WELL;
}

static void the_device_lies(void **state)
{
	fault.compares = COMPARES_WRONGLY;
	fault.where = AMID;
	fault.byte = 0;
	expect_lost(*state, "the device says that all instances left the same, and that is wrong");
	fault.where = NOWHERE;
	fault.compares = COMPARES_WELL;
}

int main(void)
{
	struct oclmm_device *device = fixture_open();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_prestate(all_instances_leave_the_same, device),
		cmocka_unit_test_prestate(one_instance_leaves_something_else, device),
		cmocka_unit_test_prestate(something_is_written_behind_an_object, device),
		cmocka_unit_test_prestate(the_device_does_not_compare, device),
		cmocka_unit_test_prestate(the_device_lies, device),
	};
	int r;

	if (!device)
		return 77;
	r = cmocka_run_group_tests(tests, NULL, NULL);
	fixture_close(device);
	return r;
}
