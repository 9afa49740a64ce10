// SPDX-License-Identifier: Apache-2.0
/* Counters that are read in a queue of their own, behind the kernel that counts; and drivers that
 * read them too early, or not at all. */
#include "../fixture/run.h"
#include "fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <dlfcn.h>

#include <string.h>

static enum { AS_ASKED, EARLY, REFUSED, LOST } manner;
static unsigned behind_kernels; /* reads that wait for an event */

#undef clEnqueueReadBuffer
cl_int clEnqueueReadBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset,
                           size_t size, void *to, cl_uint count, const cl_event *waits,
                           cl_event *event)
{
	typedef cl_int read_buffer(cl_command_queue, cl_mem, cl_bool, size_t, size_t, void *,
	                           cl_uint, const cl_event *, cl_event *);
	read_buffer *next = (read_buffer *)(uintptr_t)dlsym(RTLD_NEXT, "clEnqueueReadBuffer");

	if (blocking)
		return next(queue, buffer, blocking, offset, size, to, count, waits, event);
	behind_kernels += count == 1;
	switch (manner) {
	case EARLY: return next(queue, buffer, CL_TRUE, offset, size, to, 0, NULL, event);
	case REFUSED: return CL_OUT_OF_RESOURCES;
	case LOST: return clEnqueueMarkerWithWaitList(queue, count, waits, event);
	case AS_ASKED: break;
	}
	return next(queue, buffer, blocking, offset, size, to, count, waits, event);
}

static enum oclmm_end run(struct oclmm_device *device, const struct fixture_test *test,
                          bool read_apart, struct oclmm_error *error,
                          struct oclmm_run_result *result)
{
	struct oclmm_run_request request = {
		.program = test->program,
		.space = &test->answer->space,
		.instances = 4000000,
		.seed = 3,
		.read_apart = read_apart,
	};

	return fixture_run_alone(device, &request, error, result);
}

static void each_read_waits_for_its_kernel(void **state)
{
	struct fixture_test test = fixture_read(
		FIXTURE_SB("memory_order_relaxed", "memory_scope_device", "1"));
	struct oclmm_run_result result;
	struct oclmm_error error;

	manner = AS_ASKED;
	behind_kernels = 0;
	if (run(*state, &test, true, &error, &result) != OCLMM_END_OK)
		fail_msg("%s", error.message);
	assert_int_equal(behind_kernels, result.counts.launches);
	assert_int_equal(oclmm_histogram_total(result.counts.histogram), result.counts.instances);
	fixture_assert_legal(&test, &result);
	oclmm_run_result_finish(&result);
	fixture_finish(&test);
}

/* Runtimes of CPUs copy in the device's own queue. */
static void cpus_read_in_order(void **state)
{
	struct fixture_test test = fixture_read(
		FIXTURE_SB("memory_order_relaxed", "memory_scope_device", "1"));
	struct oclmm_run_result result;
	struct oclmm_error error;

	if (!(oclmm_device_info(*state)->type & CL_DEVICE_TYPE_CPU))
		skip();
	manner = AS_ASKED;
	behind_kernels = 0;
	assert_int_equal(run(*state, &test, false, &error, &result), OCLMM_END_OK);
	assert_int_equal(behind_kernels, 0);
	oclmm_run_result_finish(&result);
	fixture_finish(&test);
}

static void assert_noticed(struct oclmm_device *device, const char *message)
{
	struct fixture_test test = fixture_read(
		FIXTURE_SB("memory_order_relaxed", "memory_scope_device", "1"));
	struct oclmm_run_result result;
	struct oclmm_error error;

	assert_int_not_equal(run(device, &test, true, &error, &result), OCLMM_END_OK);
	if (!strstr(error.message, message))
		fail_msg("%s", error.message);
	oclmm_run_result_finish(&result);
	fixture_finish(&test);
}

/* Of many launches some are read before they have run. */
static void early_reads_are_noticed(void **state)
{
	manner = EARLY;
	assert_noticed(*state, "launch ");
}

static void refused_reads_are_noticed(void **state)
{
	manner = REFUSED;
	assert_noticed(*state, "clEnqueueReadBuffer");
}

static void lost_reads_are_noticed(void **state)
{
	manner = LOST;
	assert_noticed(*state, "nothing was read back");
}

int main(void)
{
	struct oclmm_device *device = fixture_open();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_prestate(each_read_waits_for_its_kernel, device),
		cmocka_unit_test_prestate(cpus_read_in_order, device),
		cmocka_unit_test_prestate(early_reads_are_noticed, device),
		cmocka_unit_test_prestate(refused_reads_are_noticed, device),
		cmocka_unit_test_prestate(lost_reads_are_noticed, device),
	};
	int failed;

	if (!device)
		return 77;
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	fixture_close(device);
	return failed;
}
