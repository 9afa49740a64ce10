// SPDX-License-Identifier: Apache-2.0
/* A callback that comes when its round has failed, and all that was played is dropped, finds its
 * place. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>

#include "fixture.h"
#include "stress/host_calls.h"

/* ---- a driver whose callbacks are late, and that writes nothing ---- */

static struct {
	void(CL_CALLBACK *call)(cl_event event, cl_int status, void *data);
	cl_event event;
	void *data;
	bool freed; /* what it writes to */
} late;

/* From the first launch on; before it, counters are set up. */
static bool writes_fail;

#undef clSetEventCallback
cl_int clSetEventCallback(cl_event event, cl_int command_exec_callback_type,
                          void(CL_CALLBACK *pfn_notify)(cl_event, cl_int, void *), void *user_data)
{
	(void)command_exec_callback_type;
	late.call = pfn_notify;
	late.event = event;
	late.data = user_data;
	return CL_SUCCESS;
}

#undef clEnqueueWriteBuffer
cl_int clEnqueueWriteBuffer(cl_command_queue command_queue, cl_mem buffer, cl_bool blocking_write,
                            size_t offset, size_t size, const void *ptr,
                            cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
                            cl_event *event)
{
	(void)command_queue;
	(void)buffer;
	(void)blocking_write;
	(void)offset;
	(void)size;
	(void)ptr;
	(void)num_events_in_wait_list;
	(void)event_wait_list;
	(void)event;
	return writes_fail ? CL_OUT_OF_RESOURCES : CL_SUCCESS;
}

/* The linker gives these names to what the program calls free. */
void __real_free(void *block);
void __wrap_free(void *block);

void __wrap_free(void *block)
{
	char *from = block, *data = late.data;

	if (data && from && data >= from && data < from + malloc_usable_size(block))
		late.freed = true;
	__real_free(block);
}

/* ---- the test ---- */

static const char text[] = "OPENCL T\n{ [x] = 0; host [y] = 1; }\n"
			   "P0@kernel queue 0 (global int *x) { int r0 = *x; }\n"
			   "P1@write queue 0 (global int *x, global int *y) { *x = *y; }\n"
			   "P2@host callback 0 () {}\n"
			   "exists (0:r0=1)\n";

static void a_late_callback_finds_its_place(void **state)
{
	struct fixture_test test = fixture_read(text);
	const struct commands_shape shape = {.cells = 64, .rounds = 1};
	const struct commands_draw draw = {0};
	struct commands *commands;
	struct oclmm_error error;
	uint64_t hash;
	char *log;

	if (commands_create(*state, test.program, &shape, &error, &log, &hash, &commands) < 0)
		fail_msg("%s", error.message);
	free(log);
	writes_fail = true;
	assert_int_equal(commands_play(commands, &draw, 1, &error), -ENODEV);
	assert_non_null(late.call);
	commands_destroy(commands);
	assert_false(late.freed);
	late.call(late.event, CL_COMPLETE, late.data);
	fixture_finish(&test);
}

int main(void)
{
	struct oclmm_device *device = fixture_open();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_prestate(a_late_callback_finds_its_place, device),
	};
	int failed;

	if (!device)
		return 77;
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	fixture_close(device);
	return failed;
}
