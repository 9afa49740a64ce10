// SPDX-License-Identifier: Apache-2.0
/* Building before the turn: what was allowed is built, what was not is left alone, and nothing
 * waits for ever. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "device.h"

static void allowed_jobs_are_built(void **state)
{
	const struct oclmm_device_identity *identity = *state;
	struct fixture_test test = fixture_read(worker_test);
	const struct oclmm_run_request job = {.program = test.program,
	                                      .space = &test.answer->space};
	const struct oclmm_run_request jobs[] = {job, {.program = test.program}, job, job};
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
	struct fixture_test test = fixture_read(worker_test);
	const struct oclmm_run_request job = {.program = test.program,
	                                      .space = &test.answer->space};
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

	if (!worker_find_device(&identity))
		return 77;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
