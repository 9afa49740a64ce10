// SPDX-License-Identifier: Apache-2.0
/* The generator's OpenCL text gives the host's numbers. */
#include "fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>

enum { NUMBERS = 4096 };

static void numbers_agree(void **state)
{
	static const char kernel_text[] =
		"kernel void numbers(global ulong *out, ulong key, ulong first)\n"
		"{\n"
		"\tout[get_global_id(0)] = oclmm_random(key, first + get_global_id(0));\n"
		"}\n";
	static const cl_ulong keys[] = {0, 1, 0x9e3779b97f4a7c15, UINT64_MAX};
	struct oclmm_device *device = *state;
	cl_command_queue queue = oclmm_device_queue(device);
	cl_ulong *numbers = oclmm_calloc(NUMBERS, sizeof(*numbers));
	const size_t size = NUMBERS * sizeof(*numbers), global = NUMBERS;
	struct oclmm_text source;
	struct oclmm_error error;
	cl_program program;
	char *log = NULL;
	cl_int code;

	oclmm_text_init(&source);
	oclmm_text_printf(&source, "%s\n%s", oclmm_random_opencl, kernel_text);
	if (oclmm_device_build(device, oclmm_text_string(&source), &error, &log, &program) < 0)
		fail_msg("%s\n%s", error.message, log ? log : "");
	cl_kernel kernel = clCreateKernel(program, "numbers", &code);
	cl_mem out = clCreateBuffer(oclmm_device_context(device), CL_MEM_WRITE_ONLY, size, NULL,
	                            &code);

	assert_int_equal(code, CL_SUCCESS);
	for (size_t k = 0; k < OCLMM_COUNT(keys); k++) {
		cl_ulong first = k * 1000003;

		clSetKernelArg(kernel, 0, sizeof(out), &out);
		clSetKernelArg(kernel, 1, sizeof(keys[k]), &keys[k]);
		clSetKernelArg(kernel, 2, sizeof(first), &first);
		assert_int_equal(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0,
		                                        NULL, NULL),
		                 0);
		assert_int_equal(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, size, numbers, 0, NULL,
		                                     NULL),
		                 0);
		for (uint64_t i = 0; i < NUMBERS; i++)
			assert_true(numbers[i] == oclmm_random(keys[k], first + i));
	}
	clReleaseMemObject(out);
	clReleaseKernel(kernel);
	clReleaseProgram(program);
	oclmm_text_finish(&source);
	free(log);
	free(numbers);
}

int main(void)
{
	struct oclmm_device *device = fixture_open();
	const struct CMUnitTest tests[] = {cmocka_unit_test_prestate(numbers_agree, device)};
	int failed;

	if (!device)
		return 77;
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	fixture_close(device);
	return failed;
}
