// SPDX-License-Identifier: Apache-2.0
/* Building before the turn: what was allowed is built, what was not is left alone, and nothing
 * waits for ever. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>
#include <unistd.h>

#include "../device/fixture.h"
#include "worker/worker.h"

static const char text[] =
	"OPENCL one\n{ [x] = 0; }\n"
	"P0@wg 0, dev 0 (global atomic_int *x) {\n"
	"  atomic_store_explicit(x, 1, memory_order_relaxed, memory_scope_work_group);\n}\n"
	"P1@wg 1, dev 0 (global atomic_int *x) {\n"
	"  int r0 = atomic_load_explicit(x, memory_order_relaxed, memory_scope_work_group);\n}\n"
	"exists (1:r0=1)\n";

/* By a child: the program itself makes no OpenCL call, or its forks could not. */
static bool find_device(struct oclmm_device_identity *ret_identity)
{
	struct worker_options options = {.limit = 60};
	struct worker_devices devices;
	struct oclmm_error error;
	struct worker *worker;
	int index = -1;

	if (worker_start(&options, NULL, 0, &error, &worker) < 0)
		return false;
	if (worker_devices(worker, &error, &devices) == OCLMM_END_OK) {
		index = oclmm_device_choose(&devices.list, getenv("OCLMM_DEVICE"), &error);
		if (index >= 0 && devices.list.devices[index].major >= 2)
			*ret_identity = devices.identities[index];
		else
			index = -1;
		worker_devices_finish(&devices);
	}
	worker_stop(worker);
	return index >= 0;
}

static void allowed_jobs_are_built(void **state)
{
	const struct oclmm_device_identity *identity = *state;
	struct fixture_test test = fixture_read(text);
	const struct worker_job job = {.program = test.program, .space = &test.answer->space};
	const struct worker_job jobs[] = {job, {.program = test.program}, job, job};
	struct worker_ahead *ahead;

	assert_int_equal(worker_ahead_start(jobs, 4, identity, 2, true, &ahead), 0);
	worker_ahead_allow(ahead, 3);
	worker_ahead_begun(ahead, 3, 600);
	assert_true(worker_ahead_wait(ahead, 0, 600) > 0);
	assert_true(worker_ahead_wait(ahead, 2, 600) > 0);
	/* one without a space, and one that was not allowed */
	assert_true(worker_ahead_wait(ahead, 1, 600) == 0);
	assert_true(worker_ahead_wait(ahead, 3, 600) == 0);
	worker_ahead_stop(ahead);
	fixture_finish(&test);
}

/* Without the device, and without processes, nothing is built and nothing waits. */
static void nobody_builds(void **state)
{
	struct oclmm_device_identity nowhere = {.text = "no such device"};
	struct fixture_test test = fixture_read(text);
	const struct worker_job job = {.program = test.program, .space = &test.answer->space};
	struct worker_ahead *ahead;

	(void)state;
	for (unsigned processes = 0; processes <= 2; processes += 2) {
		assert_int_equal(worker_ahead_start(&job, 1, &nowhere, processes, false, &ahead),
		                 0);
		worker_ahead_allow(ahead, 1);
		worker_ahead_begun(ahead, 1, 600);
		assert_true(worker_ahead_wait(ahead, 0, 600) == 0);
		worker_ahead_stop(ahead);
	}
	worker_ahead_stop(NULL);
	fixture_finish(&test);
}

int main(void)
{
	struct oclmm_device_identity identity;
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_prestate(allowed_jobs_are_built, &identity),
		cmocka_unit_test(nobody_builds),
	};

	if (!find_device(&identity))
		return 77;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
