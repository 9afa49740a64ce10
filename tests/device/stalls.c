// SPDX-License-Identifier: Apache-2.0
/*
 * A command waits for a user event, and the host waits for a later one of the queue, which executes
 * out of order, before it sets the event (A:3.2). A driver that begins no later command stalls:
 * that is told, and not waited for. One that is slow has a command that runs, or comes further.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "fixture.h"
#include "oclmm/base.h"
#include "stress/host_calls.h"

/* ---- a driver that says how far a command is ---- */

/* A status that stands for so many seconds. */
struct phase {
	cl_int status;
	double seconds;
};

static const struct phase *script;
static double asked_first;
/* The command that it is of, by its event; all others are complete. */
static cl_event scripted;
static uint32_t others_asked;

#undef clGetEventInfo
cl_int clGetEventInfo(cl_event event, cl_event_info param_name, size_t param_value_size,
                      void *param_value, size_t *param_value_size_ret)
{
	double now = oclmm_clock();
	const struct phase *p = script;

	(void)param_name;
	(void)param_value_size_ret;
	assert_int_equal(param_value_size, sizeof(cl_int));
	if (asked_first == 0) {
		asked_first = now;
		scripted = event;
	}
	if (event != scripted) {
		const cl_int complete = CL_COMPLETE;

		memcpy(param_value, &complete, sizeof(complete));
		others_asked++;
		return CL_SUCCESS;
	}
	for (now -= asked_first; p->seconds > 0 && now > p->seconds; p++)
		now -= p->seconds;
	memcpy(param_value, &p->status, sizeof(p->status));
	return CL_SUCCESS;
}

/* ---- the tests ---- */

/* The device itself may be one that stalls, so that here nothing is held up. */
static const char text[] = "OPENCL T\n{ [x] = 0; [y] = 0; }\n"
			   "P0@kernel unordered 0 (global int *y) { *y = 1; }\n"
			   "P1@host wait 0 () {}\n"
			   "P2@user () {}\n"
			   "P3@kernel unordered 0 wait 2 (global int *x) { *x = 1; }\n"
			   "P4@host wait 3 () {}\n"
			   "exists (x=0)\n";

static int play(void **state, const struct phase *phases, struct oclmm_error *error)
{
	struct fixture_test test = fixture_read(text);
	const struct commands_shape shape = {.cells = 64, .rounds = 1};
	const struct commands_draw draw = {0};
	struct commands *commands;
	uint64_t hash;
	char *log;
	int r;

	script = phases;
	asked_first = 0;
	others_asked = 0;
	if (commands_create(*state, test.program, &shape, error, &log, &hash, &commands) < 0)
		fail_msg("%s", error->message);
	free(log);
	r = commands_play(commands, &draw, 1, error);
	commands_destroy(commands);
	fixture_finish(&test);
	return r;
}

static void one_that_stalls_is_told(void **state)
{
	static const struct phase stalls[] = {{CL_QUEUED, 1}, {CL_SUBMITTED, 0}};
	struct oclmm_error error = {0};
	double begun = oclmm_clock();

	assert_int_equal(play(state, stalls, &error), -ERANGE);
	assert_string_equal(error.message, "P0 does not begin, though nothing that it waits for is "
	                                   "missing: the device stalls (A:3.2)");
	assert_true(oclmm_clock() - begun > 5);
	/* a CPU's threads tell nothing of each other */
	assert_int_equal(others_asked, 0);
}

/* The device of the tests, whatever it is, as one of another type. */
static cl_device_type swap_type(struct oclmm_device *device, cl_device_type type)
{
	struct oclmm_device_info *info = (struct oclmm_device_info *)oclmm_device_info(device);
	cl_device_type before = info->type;

	info->type = type;
	return before;
}

static int play_on_gpu(void **state, const struct phase *phases, struct oclmm_error *error)
{
	cl_device_type type = swap_type(*state, CL_DEVICE_TYPE_GPU);
	int r = play(state, phases, error);

	swap_type(*state, type);
	return r;
}

/* Kernels of our own that end meanwhile show that it has the time. */
static void a_gpu_that_keeps_something_back_is_told_soon(void **state)
{
	static const struct phase stalls[] = {{CL_SUBMITTED, 0}};
	struct oclmm_error error = {0};

	assert_int_equal(play_on_gpu(state, stalls, &error), -ERANGE);
	assert_string_equal(error.message, "P0 does not begin, though nothing that it waits for is "
	                                   "missing and others end: the device stalls (A:3.2)");
	assert_in_range(others_asked, 3, 1000);
}

/* What runs is no longer kept back, however many others end. */
static void a_gpu_that_is_slow_is_waited_for(void **state)
{
	static const struct phase runs[] = {{CL_RUNNING, 3}, {CL_COMPLETE, 0}};
	struct oclmm_error error = {0};

	if (play_on_gpu(state, runs, &error) < 0)
		fail_msg("%s", error.message);
}

/* Longer than a device that stalls is given. */
static void one_that_is_slow_is_waited_for(void **state)
{
	static const struct phase runs[] = {{CL_QUEUED, 1}, {CL_RUNNING, 6}, {CL_COMPLETE, 0}};
	struct oclmm_error error = {0};

	if (play(state, runs, &error) < 0)
		fail_msg("%s", error.message);
}

static void one_that_fails_is_told(void **state)
{
	static const struct phase fails[] = {{CL_SUBMITTED, 1}, {CL_OUT_OF_RESOURCES, 0}};
	struct oclmm_error error = {0};

	assert_int_equal(play(state, fails, &error), -ENODEV);
}

int main(void)
{
	struct oclmm_device *device = fixture_open();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_prestate(one_that_stalls_is_told, device),
		cmocka_unit_test_prestate(one_that_is_slow_is_waited_for, device),
		cmocka_unit_test_prestate(one_that_fails_is_told, device),
		cmocka_unit_test_prestate(a_gpu_that_keeps_something_back_is_told_soon, device),
		cmocka_unit_test_prestate(a_gpu_that_is_slow_is_waited_for, device),
	};
	int failed;

	if (!device)
		return 77;
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	fixture_close(device);
	return failed;
}
