// SPDX-License-Identifier: Apache-2.0
/*
 * Buffers of runs that are over serve those that come. A GPU's driver takes longer to give memory
 * back and to find new memory than most tests run.
 */
#include "internal.h"

#include <errno.h>
#include <sys/random.h>

/* No larger one is kept, nor more in all; nor more than this part of the device's memory. */
static const size_t ONE_MOST = (size_t)64 << 20, ALL_MOST = (size_t)1 << 30;
enum { PART = 32 };

uint32_t oclmm_fresh_number(void)
{
	uint32_t number;

	if (getrandom(&number, sizeof(number), 0) != (ssize_t)sizeof(number))
		number = (uint32_t)(oclmm_clock() * 1e6);
	return number;
}

/* Powers of two, so that one fits the next test, too. */
static size_t round_up(size_t bytes)
{
	size_t size = 64;

	if (bytes > ONE_MOST)
		return bytes;
	while (size < bytes)
		size *= 2;
	return size;
}

int oclmm_buffer_take(struct oclmm_device *device, size_t bytes, struct oclmm_error *error,
                      cl_mem *ret_buffer)
{
	size_t size = round_up(bytes);
	int r;

	/* the last one that was given back, for a processor may still have it in a cache */
	for (unsigned i = device->spare_count; i-- > 0;) {
		if (device->spare[i].size != size)
			continue;
		*ret_buffer = device->spare[i].buffer;
		device->spare_bytes -= size;
		for (device->spare_count--; i < device->spare_count; i++)
			device->spare[i] = device->spare[i + 1];
		return 0;
	}
	r = oclmm_buffer_create(device, size, error, ret_buffer);
	if (r != -ENOMEM || device->spare_count == 0)
		return r;
	oclmm_buffers_forget(device);
	return oclmm_buffer_create(device, size, error, ret_buffer);
}

void oclmm_buffer_give(struct oclmm_device *device, cl_mem buffer)
{
	cl_ulong part = device->info.global_memory / PART;
	size_t size = 0, most = part < ALL_MOST ? (size_t)part : ALL_MOST;

	if (!buffer)
		return;
	if (device->spare_count == OCLMM_SPARE_BUFFERS ||
	    clGetMemObjectInfo(buffer, CL_MEM_SIZE, sizeof(size), &size, NULL) != CL_SUCCESS ||
	    size == 0 || size > ONE_MOST || device->spare_bytes + size > most) {
		clReleaseMemObject(buffer);
		return;
	}
	device->spare[device->spare_count].buffer = buffer;
	device->spare[device->spare_count++].size = size;
	device->spare_bytes += size;
}

void oclmm_buffers_forget(struct oclmm_device *device)
{
	while (device->spare_count > 0)
		clReleaseMemObject(device->spare[--device->spare_count].buffer);
	device->spare_bytes = 0;
}
