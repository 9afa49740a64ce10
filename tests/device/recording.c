// SPDX-License-Identifier: Apache-2.0
/* A driver that claims command buffers and lacks a function of theirs: it is named. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "fixture.h"
#include "oclmm/base.h"
#include "stress/host_calls.h"

/* ---- a driver without one of the functions ---- */

static const char *lacking;

static cl_int CL_API_CALL unused(void)
{
	return CL_INVALID_OPERATION;
}

#undef clGetExtensionFunctionAddressForPlatform
void *clGetExtensionFunctionAddressForPlatform(cl_platform_id platform, const char *func_name)
{
	cl_int(CL_API_CALL * function)(void) = unused;
	void *address = NULL;

	(void)platform;
	if (strcmp(func_name, lacking) != 0)
		memcpy(&address, &function, sizeof(address));
	return address;
}

/* ---- the test ---- */

static const char text[] = "OPENCL T\n{ [x] = 0; }\n"
			   "P0@kernel queue 0 recording 0 (global int *x) { *x = 1; }\n"
			   "P1@replay queue 0 recording 0 () {}\n"
			   "exists (x=0)\n";

static void what_a_driver_lacks_is_named(void **state)
{
	static const char *const names[] = {
		"clCreateCommandBufferKHR",  "clFinalizeCommandBufferKHR",
		"clReleaseCommandBufferKHR", "clEnqueueCommandBufferKHR",
		"clCommandNDRangeKernelKHR", "clCommandBarrierWithWaitListKHR",
		"clCommandFillBufferKHR",    "clCommandCopyBufferKHR",
	};
	const struct commands_shape shape = {.cells = 64, .rounds = 1};
	struct fixture_test test = fixture_read(text);

	for (size_t i = 0; i < OCLMM_COUNT(names); i++) {
		struct commands *commands;
		struct oclmm_error error = {0};
		uint64_t hash;
		char *log = NULL;

		lacking = names[i];
		assert_int_equal(commands_create(*state, test.program, &shape, &error, &log, &hash,
		                                 &commands),
		                 -EIO);
		assert_non_null(strstr(error.message, "claims cl_khr_command_buffer and lacks"));
		assert_non_null(strstr(error.message, names[i]));
		free(log);
	}
	fixture_finish(&test);
}

int main(void)
{
	struct oclmm_device *device = fixture_open();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_prestate(what_a_driver_lacks_is_named, device),
	};
	int failed;

	if (!device)
		return 77;
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	fixture_close(device);
	return failed;
}
