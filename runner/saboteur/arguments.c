// SPDX-License-Identifier: Apache-2.0
/*
 * Plants in the arguments of kernels: one that was launched keeps those of its first launch, or
 * gets what is set for it one launch too late.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "layer.h"
#include "oclmm/base.h"

/* What was set behind the last launch, and counts from the one after the next. */
struct late {
	cl_uint index;
	size_t size;
	void *value; /* NULL: local memory */
};

struct kernel {
	cl_kernel kernel;
	bool launched;
	struct late *late;
	size_t count, capacity;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct kernel *kernels;
static size_t kernel_count, kernel_capacity;

/* With the lock. */
static struct kernel *find(cl_kernel kernel)
{
	for (size_t i = 0; i < kernel_count; i++) {
		if (kernels[i].kernel == kernel)
			return &kernels[i];
	}
	oclmm_grow(&kernels, &kernel_capacity, kernel_count, sizeof(*kernels));
	kernels[kernel_count] = (struct kernel){.kernel = kernel};
	return &kernels[kernel_count++];
}

static void drop(struct kernel *kernel)
{
	for (size_t i = 0; i < kernel->count; i++)
		free(kernel->late[i].value);
	kernel->count = 0;
}

/* A kernel that is gone may leave its address to another one. */
static cl_int CL_API_CALL release(cl_kernel kernel)
{
	cl_uint references = 0;

	layer_real->clGetKernelInfo(kernel, CL_KERNEL_REFERENCE_COUNT, sizeof(references),
	                            &references, NULL);
	if (references == 1) {
		struct kernel *known;

		pthread_mutex_lock(&lock);
		known = find(kernel);
		drop(known);
		free(known->late);
		*known = kernels[--kernel_count];
		pthread_mutex_unlock(&lock);
	}
	return layer_real->clReleaseKernel(kernel);
}

static void *duplicate(const void *value, size_t size)
{
	void *copy = value ? oclmm_calloc(1, size ? size : 1) : NULL;

	if (copy)
		memcpy(copy, value, size);
	return copy;
}

/* Takes what is set of a kernel that was launched; false where it was not. */
static bool take(cl_kernel kernel, cl_uint index, size_t size, const void *value)
{
	struct kernel *known;
	bool taken;

	pthread_mutex_lock(&lock);
	known = find(kernel);
	taken = known->launched;
	if (taken && layer_plant.bug == SABOTEUR_ARGUMENT_LATE) {
		oclmm_grow(&known->late, &known->capacity, known->count, sizeof(*known->late));
		known->late[known->count++] = (struct late){index, size, duplicate(value, size)};
	}
	pthread_mutex_unlock(&lock);
	return taken;
}

static cl_int CL_API_CALL set(cl_kernel kernel, cl_uint index, size_t size, const void *value)
{
	if (!take(kernel, index, size, value))
		return layer_real->clSetKernelArg(kernel, index, size, value);
	layer_note(LAYER_CALL, 1);
	return CL_SUCCESS;
}

/* What was set before a launch is there behind it. */
static void set_late(cl_kernel kernel)
{
	struct kernel *known;

	pthread_mutex_lock(&lock);
	known = find(kernel);
	known->launched = true;
	for (size_t i = 0; i < known->count; i++)
		layer_real->clSetKernelArg(kernel, known->late[i].index, known->late[i].size,
		                           known->late[i].value);
	drop(known);
	pthread_mutex_unlock(&lock);
}

static cl_int CL_API_CALL enqueue(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                  const size_t *offset, const size_t *global, const size_t *local,
                                  cl_uint count, const cl_event *list, cl_event *event)
{
	cl_int code = layer_real->clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global,
	                                                 local, count, list, event);

	set_late(kernel);
	return code;
}

void arguments_init(struct _cl_icd_dispatch *layer)
{
	layer->clReleaseKernel = release;
	layer->clSetKernelArg = set;
	layer->clEnqueueNDRangeKernel = enqueue;
}
