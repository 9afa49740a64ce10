// SPDX-License-Identifier: Apache-2.0
/* Buffers that serve one run after the other: the same one where it is large enough, and no more
 * than a small part of the device's memory. */

#include "../fixture/test.h"

#include "device/device.h"
#include "fixture.h"

static cl_mem take(struct oclmm_device *device, size_t bytes)
{
	struct oclmm_error error;
	size_t size = 0;
	cl_mem buffer;

	assert_int_equal(oclmm_buffer_take(device, bytes, &error, &buffer), 0);
	assert_int_equal(clGetMemObjectInfo(buffer, CL_MEM_SIZE, sizeof(size), &size, NULL), 0);
	assert_true(size >= bytes);
	return buffer;
}

TEST(given_back_and_taken_again)
{
	struct oclmm_device *device = fixture_open();
	cl_mem first, second, large;

	if (!device)
		skip();
	first = take(device, 5000);
	second = take(device, 5000);
	assert_ptr_not_equal(first, second);
	oclmm_buffer_give(device, first);
	large = take(device, 50000);
	assert_ptr_not_equal(large, first);
	/* a little more fits, too, but not by two runs at once */
	assert_ptr_equal(take(device, 6000), first);
	assert_ptr_not_equal(take(device, 6000), first);
	oclmm_buffer_give(device, second);
	oclmm_buffer_give(device, large);
	oclmm_buffer_give(device, NULL);
	assert_ptr_equal(take(device, 40000), large);
	fixture_close(device);
}

/* So many that they would fill the device, were they all kept: the driver says who still has one.
 */
TEST(most_go_back)
{
	enum { COUNT = 300 };
	struct oclmm_device *device = fixture_open();
	cl_mem buffers[COUNT];
	unsigned kept = 0;

	if (!device)
		skip();
	for (int i = 0; i < COUNT; i++) {
		buffers[i] = take(device, 64);
		assert_int_equal(clRetainMemObject(buffers[i]), CL_SUCCESS);
	}
	for (int i = 0; i < COUNT; i++)
		oclmm_buffer_give(device, buffers[i]);
	for (int i = 0; i < COUNT; i++) {
		cl_uint count = 0;

		clGetMemObjectInfo(buffers[i], CL_MEM_REFERENCE_COUNT, sizeof(count), &count, NULL);
		kept += count > 1;
		clReleaseMemObject(buffers[i]);
	}
	assert_in_range(kept, 1, COUNT / 2);
	fixture_close(device);
}
