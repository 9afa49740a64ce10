// SPDX-License-Identifier: Apache-2.0
/* Calls of OpenCL, each checked: what a code means, and the objects that several rooms make. */
/* clCreateCommandQueue() works on devices of every version */
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include "internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "platform/system.h"

/* ---- codes ---- */

/* X(name): the codes of CL/cl.h. */
/* clang-format off */
#define CODES(X) \
	X(CL_SUCCESS) X(CL_DEVICE_NOT_FOUND) X(CL_DEVICE_NOT_AVAILABLE) \
	X(CL_COMPILER_NOT_AVAILABLE) X(CL_MEM_OBJECT_ALLOCATION_FAILURE) \
	X(CL_OUT_OF_RESOURCES) X(CL_OUT_OF_HOST_MEMORY) X(CL_PROFILING_INFO_NOT_AVAILABLE) \
	X(CL_MEM_COPY_OVERLAP) X(CL_IMAGE_FORMAT_MISMATCH) X(CL_IMAGE_FORMAT_NOT_SUPPORTED) \
	X(CL_BUILD_PROGRAM_FAILURE) X(CL_MAP_FAILURE) X(CL_MISALIGNED_SUB_BUFFER_OFFSET) \
	X(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST) X(CL_COMPILE_PROGRAM_FAILURE) \
	X(CL_LINKER_NOT_AVAILABLE) X(CL_LINK_PROGRAM_FAILURE) X(CL_DEVICE_PARTITION_FAILED) \
	X(CL_KERNEL_ARG_INFO_NOT_AVAILABLE) X(CL_INVALID_VALUE) X(CL_INVALID_DEVICE_TYPE) \
	X(CL_INVALID_PLATFORM) X(CL_INVALID_DEVICE) X(CL_INVALID_CONTEXT) \
	X(CL_INVALID_QUEUE_PROPERTIES) X(CL_INVALID_COMMAND_QUEUE) X(CL_INVALID_HOST_PTR) \
	X(CL_INVALID_MEM_OBJECT) X(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR) \
	X(CL_INVALID_IMAGE_SIZE) X(CL_INVALID_SAMPLER) X(CL_INVALID_BINARY) \
	X(CL_INVALID_BUILD_OPTIONS) X(CL_INVALID_PROGRAM) X(CL_INVALID_PROGRAM_EXECUTABLE) \
	X(CL_INVALID_KERNEL_NAME) X(CL_INVALID_KERNEL_DEFINITION) X(CL_INVALID_KERNEL) \
	X(CL_INVALID_ARG_INDEX) X(CL_INVALID_ARG_VALUE) X(CL_INVALID_ARG_SIZE) \
	X(CL_INVALID_KERNEL_ARGS) X(CL_INVALID_WORK_DIMENSION) X(CL_INVALID_WORK_GROUP_SIZE) \
	X(CL_INVALID_WORK_ITEM_SIZE) X(CL_INVALID_GLOBAL_OFFSET) \
	X(CL_INVALID_EVENT_WAIT_LIST) X(CL_INVALID_EVENT) X(CL_INVALID_OPERATION) \
	X(CL_INVALID_GL_OBJECT) X(CL_INVALID_BUFFER_SIZE) X(CL_INVALID_MIP_LEVEL) \
	X(CL_INVALID_GLOBAL_WORK_SIZE) X(CL_INVALID_PROPERTY) X(CL_INVALID_IMAGE_DESCRIPTOR) \
	X(CL_INVALID_COMPILER_OPTIONS) X(CL_INVALID_LINKER_OPTIONS) \
	X(CL_INVALID_DEVICE_PARTITION_COUNT) X(CL_INVALID_PIPE_SIZE) \
	X(CL_INVALID_DEVICE_QUEUE) X(CL_INVALID_SPEC_ID) X(CL_MAX_SIZE_RESTRICTION_EXCEEDED)
/* clang-format on */

const char *oclmm_cl_error_name(cl_int code)
{
	switch (code) {
#define OCLMM_X(name)                                                                              \
	case name: return #name;
		CODES(OCLMM_X)
#undef OCLMM_X
	case PLATFORM_NOT_FOUND_KHR: return "CL_PLATFORM_NOT_FOUND_KHR";
	default: return "an unknown OpenCL error";
	}
}

static int kind_of(const char *call, cl_int code)
{
	bool creates = strncmp(call, "clCreate", 8) == 0 || strncmp(call, "clSVMAlloc", 10) == 0;

	switch (code) {
	case CL_MEM_OBJECT_ALLOCATION_FAILURE:
	case CL_OUT_OF_HOST_MEMORY: return -ENOMEM;
	case CL_OUT_OF_RESOURCES: return creates ? -ENOMEM : -ENODEV;
	case CL_DEVICE_NOT_AVAILABLE: return -ENODEV;
	default: return -EIO;
	}
}

int oclmm_cl_check(struct oclmm_error *error, const char *call, cl_int code)
{
	if (code == CL_SUCCESS)
		return 0;
	return oclmm_error_set(error, kind_of(call, code), "%s: %s (%d)", call,
	                       oclmm_cl_error_name(code), (int)code);
}

int oclmm_cl_made(struct oclmm_error *error, const char *call, const void *object, cl_int code)
{
	if (code == CL_SUCCESS && !object)
		return oclmm_error_set(error, -EIO, "%s: success, but it gave nothing", call);
	return oclmm_cl_check(error, call, code);
}

/* ---- objects ---- */

int oclmm_queue_create(const struct oclmm_device *device, cl_command_queue_properties properties,
                       struct oclmm_error *error, cl_command_queue *ret_queue)
{
	cl_int code;

	*ret_queue = clCreateCommandQueue(device->context, device->id, properties, &code);
	return oclmm_cl_made(error, "clCreateCommandQueue", *ret_queue, code);
}

int oclmm_buffer_create(const struct oclmm_device *device, size_t bytes, struct oclmm_error *error,
                        cl_mem *ret_buffer)
{
	cl_int code;

	*ret_buffer = clCreateBuffer(device->context, CL_MEM_READ_WRITE, bytes, NULL, &code);
	return oclmm_cl_made(error, "clCreateBuffer", *ret_buffer, code);
}

int oclmm_kernel_create(cl_program program, const char *name, struct oclmm_error *error,
                        cl_kernel *ret_kernel)
{
	cl_int code;

	*ret_kernel = clCreateKernel(program, name, &code);
	return oclmm_cl_made(error, "clCreateKernel", *ret_kernel, code);
}

int oclmm_argument_set(cl_kernel kernel, cl_uint index, size_t size, const void *value,
                       struct oclmm_error *error)
{
	return OCLMM_CL_CALL(error, clSetKernelArg, kernel, index, size, value);
}

int oclmm_kernel_enqueue_at(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                            const size_t *offset, const size_t *global, const size_t *local,
                            cl_event *ret_done, struct oclmm_error *error)
{
	cl_int code;

	if (ret_done)
		*ret_done = NULL;
	code = clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global, local, 0, NULL,
	                              ret_done);
	return oclmm_cl_made(error, "clEnqueueNDRangeKernel", ret_done ? (void *)*ret_done : kernel,
	                     code);
}

/*
 * ---- buffers of runs ----
 *
 * A run takes the buffers of runs that are over: a GPU's driver takes longer to free and to
 * allocate memory than most tests run.
 */
/* At most so much of one buffer and of all is held, and of all at most this part of the device's
 * memory. */
static const size_t ONE_MOST = (size_t)64 << 20, ALL_MOST = (size_t)1 << 30;
enum { PART = 32 };

uint32_t oclmm_fresh_number(void)
{
	uint32_t number;

	if (getrandom(&number, sizeof(number), 0) != (ssize_t)sizeof(number))
		number = (uint32_t)(oclmm_clock() * 1e6);
	return number;
}

/* A power of two fits the next test, too. */
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

	/* the one given back last, which may still be in a processor's cache */
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

/* ---- shared virtual memory ---- */

static void *create_buffer(const struct oclmm_device *device, enum oclmm_storage kind, size_t bytes)
{
	cl_svm_mem_flags flags = CL_MEM_READ_WRITE;

	if (kind != OCLMM_STORAGE_SVM_COARSE)
		flags |= CL_MEM_SVM_FINE_GRAIN_BUFFER;
	if (kind == OCLMM_STORAGE_SVM_ATOMICS)
		flags |= CL_MEM_SVM_ATOMICS;
	return clSVMAlloc(device->context, flags, bytes, 0);
}

int oclmm_svm_create(const struct oclmm_device *device, enum oclmm_storage kind, size_t bytes,
                     struct oclmm_error *error, void **ret_memory)
{
	bool system = kind == OCLMM_STORAGE_SVM_SYSTEM;
	/* pages: the host's own objects then share no cache line with the device's */
	void *memory = system ? oclmm_take_pages(bytes) : create_buffer(device, kind, bytes);

	if (!memory)
		return oclmm_error_set(error, -ENOMEM, "%s: no %zu bytes",
		                       system ? "system memory" : "clSVMAlloc", bytes);
	*ret_memory = memory;
	return 0;
}

void oclmm_svm_destroy(const struct oclmm_device *device, enum oclmm_storage kind, void *memory)
{
	if (kind == OCLMM_STORAGE_SVM_SYSTEM)
		oclmm_free_pages(memory);
	else if (memory)
		clSVMFree(device->context, memory);
}
