// SPDX-License-Identifier: Apache-2.0
/*
 * Sub-buffers that are memory of their own are seen: what is written by way of one does not come to
 * the buffer, nor the other way, and all else is as ever.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "fixture.h"

/* ---- a driver that copies where it should share ---- */

#undef clCreateSubBuffer
cl_mem clCreateSubBuffer(cl_mem buffer, cl_mem_flags flags, cl_buffer_create_type type,
                         const void *region, cl_int *ret_code)
{
	const cl_buffer_region *part = region;
	cl_context context = NULL;

	(void)flags;
	assert_int_equal(type, CL_BUFFER_CREATE_TYPE_REGION);
	assert_int_equal(clGetMemObjectInfo(buffer, CL_MEM_CONTEXT, sizeof(context), &context,
	                                    NULL),
	                 CL_SUCCESS);
	return clCreateBuffer(context, CL_MEM_READ_WRITE, part->size, NULL, ret_code);
}

/* ---- the tests ---- */

static void run(void **state, const char *text, const int64_t *values)
{
	struct fixture_test test = fixture_read(text);

	fixture_require(*state, &test);
	fixture_assert_betrayed(*state, &test, values, 1000000);
	fixture_finish(&test);
}

static void the_buffer_lacks_what_was_written(void **state)
{
	run(state,
	    "OPENCL T\n{ [x] = 0; }\n"
	    "P0@kernel queue 1 sub 0 (global int *x) { *x = 1; }\n"
	    "P1@kernel queue 0 wait 0 (global int *x) { int r0 = *x; }\n"
	    "exists (1:r0=0)\n",
	    (const int64_t[]){0});
}

static void a_map_lacks_it(void **state)
{
	run(state,
	    "OPENCL T\n{ [x] = 0; host [y] = 1; }\n"
	    "P0@write queue 0 sub 1 (global int *x, int *y) { *x = *y; }\n"
	    "P1@map queue 0 blocking (global int *x) {}\n"
	    "P2@host (global int *x) { int r0 = *x; }\n"
	    "exists (2:r0=0)\n",
	    (const int64_t[]){0});
}

static void buffers_alone_are_as_ever(void **state)
{
	struct fixture_test test = fixture_read(
		"OPENCL T\n{ [x] = 0; }\n"
		"P0@kernel queue 1 (global int *x) { *x = 1; }\n"
		"P1@kernel queue 0 wait 0 (global int *x) { int r0 = *x; }\n"
		"exists (1:r0=0)\n");
	struct oclmm_run_result result;

	fixture_require(*state, &test);
	result = fixture_run(*state, &test, 1000000, 1);
	fixture_assert_legal(&test, &result);
	oclmm_run_result_finish(&result);
	fixture_finish(&test);
}

int main(void)
{
	struct oclmm_device *device = fixture_open();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_prestate(the_buffer_lacks_what_was_written, device),
		cmocka_unit_test_prestate(a_map_lacks_it, device),
		cmocka_unit_test_prestate(buffers_alone_are_as_ever, device),
	};
	int r;

	if (!device)
		return 77;
	r = cmocka_run_group_tests(tests, NULL, NULL);
	fixture_close(device);
	return r;
}
