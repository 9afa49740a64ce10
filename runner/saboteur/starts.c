// SPDX-License-Identifier: Apache-2.0
/*
 * A plant in what a launch finds: before each launch of a kernel but its first
 * one the buffer that is its first argument is filled with a number, where the
 * application left something else.
 */
#include <pthread.h>

#include "layer.h"
#include "oclmm/base.h"

struct buffer {
	cl_mem buffer;
	size_t size;
};

struct kernel {
	cl_kernel kernel;
	struct buffer first; /* its first argument; NULL where that is no buffer */
	uint64_t launches;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct buffer *buffers;
static size_t buffer_count, buffer_capacity;
static struct kernel *kernels;
static size_t kernel_count, kernel_capacity;

static cl_mem CL_API_CALL create_buffer(cl_context context, cl_mem_flags flags, size_t size,
                                        void *host, cl_int *code)
{
	cl_mem buffer = layer_real->clCreateBuffer(context, flags, size, host, code);

	if (!buffer)
		return NULL;
	pthread_mutex_lock(&lock);
	oclmm_grow(&buffers, &buffer_capacity, buffer_count, sizeof(*buffers));
	buffers[buffer_count++] = (struct buffer){buffer, size};
	pthread_mutex_unlock(&lock);
	return buffer;
}

/* The address may come back as another buffer's, and is that one's then. */
static struct buffer find_buffer(cl_mem buffer)
{
	for (size_t i = buffer_count; i > 0; i--) {
		if (buffers[i - 1].buffer == buffer)
			return buffers[i - 1];
	}
	return (struct buffer){0};
}

static void forget(cl_mem buffer)
{
	for (size_t i = 0; i < buffer_count;) {
		if (buffers[i].buffer == buffer)
			buffers[i] = buffers[--buffer_count];
		else
			i++;
	}
	for (size_t i = 0; i < kernel_count; i++) {
		if (kernels[i].first.buffer == buffer)
			kernels[i].first = (struct buffer){0};
	}
}

static cl_int CL_API_CALL release_buffer(cl_mem buffer)
{
	cl_uint references = 0;

	pthread_mutex_lock(&lock);
	layer_real->clGetMemObjectInfo(buffer, CL_MEM_REFERENCE_COUNT, sizeof(references),
	                               &references, NULL);
	if (references == 1)
		forget(buffer);
	pthread_mutex_unlock(&lock);
	return layer_real->clReleaseMemObject(buffer);
}

static struct kernel *find_kernel(cl_kernel kernel)
{
	for (size_t i = 0; i < kernel_count; i++) {
		if (kernels[i].kernel == kernel)
			return &kernels[i];
	}
	oclmm_grow(&kernels, &kernel_capacity, kernel_count, sizeof(*kernels));
	kernels[kernel_count] = (struct kernel){.kernel = kernel};
	return &kernels[kernel_count++];
}

/* A kernel that is gone may have left its address to another one. */
static void forget_kernel(cl_kernel kernel)
{
	struct kernel *known;

	pthread_mutex_lock(&lock);
	known = find_kernel(kernel);
	*known = kernels[--kernel_count];
	pthread_mutex_unlock(&lock);
}

static cl_int CL_API_CALL release_kernel(cl_kernel kernel)
{
	cl_uint references = 0;

	layer_real->clGetKernelInfo(kernel, CL_KERNEL_REFERENCE_COUNT, sizeof(references),
	                            &references, NULL);
	if (references == 1)
		forget_kernel(kernel);
	return layer_real->clReleaseKernel(kernel);
}

static cl_int CL_API_CALL set_argument(cl_kernel kernel, cl_uint index, size_t size,
                                       const void *value)
{
	if (index == 0) {
		pthread_mutex_lock(&lock);
		find_kernel(kernel)->first = size == sizeof(cl_mem) && value
		                                     ? find_buffer(*(const cl_mem *)value)
		                                     : (struct buffer){0};
		pthread_mutex_unlock(&lock);
	}
	return layer_real->clSetKernelArg(kernel, index, size, value);
}

/* What is to be filled before a launch. */
static struct buffer note_launch(cl_kernel kernel)
{
	struct buffer first = {0};
	struct kernel *known;

	pthread_mutex_lock(&lock);
	known = find_kernel(kernel);
	if (known->launches++ > 0)
		first = known->first;
	pthread_mutex_unlock(&lock);
	return first;
}

static cl_int CL_API_CALL enqueue(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                  const size_t *offset, const size_t *global, const size_t *local,
                                  cl_uint count, const cl_event *list, cl_event *event)
{
	struct buffer first = note_launch(kernel);
	cl_uint number = (cl_uint)layer_plant.number;
	size_t size = first.size - first.size % sizeof(number);

	if (size > 0 &&
	    layer_real->clEnqueueFillBuffer(queue, first.buffer, &number, sizeof(number), 0, size,
	                                    count, list, NULL) == CL_SUCCESS) {
		/* also where the queue keeps no order */
		layer_real->clEnqueueBarrierWithWaitList(queue, 0, NULL, NULL);
		layer_note(LAYER_CALL, 1);
	}
	return layer_real->clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global, local,
	                                          count, list, event);
}

void starts_init(struct _cl_icd_dispatch *layer)
{
	layer->clCreateBuffer = create_buffer;
	layer->clReleaseMemObject = release_buffer;
	layer->clReleaseKernel = release_kernel;
	layer->clSetKernelArg = set_argument;
	layer->clEnqueueNDRangeKernel = enqueue;
}
