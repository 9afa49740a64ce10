// SPDX-License-Identifier: Apache-2.0
/*
 * A driver to which an argument that was shared virtual memory once is never a buffer again: the
 * call that sets it succeeds, and the launch finds no argument there, as with NVIDIA's 580.159.04.
 * With OCLMM_STICKY=all no argument that is set as a buffer is there.
 */
#include "plant/icd_layer.h"

#include <pthread.h>
#include <stdlib.h>

ICD_LAYER("oclmm sticky arguments");

enum { MOST = 4096 };
static struct argument {
	cl_kernel kernel; /* NULL: free */
	cl_uint index;
	bool lost;
} arguments[MOST];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct argument *find(cl_kernel kernel, cl_uint index, bool add)
{
	struct argument *unused = NULL;

	for (unsigned i = 0; i < MOST; i++) {
		struct argument *at = &arguments[i];

		if (at->kernel == kernel && at->index == index)
			return at;
		if (!at->kernel && !unused)
			unused = at;
	}
	if (!add)
		return NULL;
	if (!unused)
		abort();
	*unused = (struct argument){kernel, index, false};
	return unused;
}

static cl_int CL_API_CALL set_pointer(cl_kernel kernel, cl_uint index, const void *value)
{
	pthread_mutex_lock(&lock);
	find(kernel, index, true)->lost = false;
	pthread_mutex_unlock(&lock);
	return layer_real->clSetKernelArgSVMPointer(kernel, index, value);
}

/* What is as large as a buffer's name may be another value, which no kernel of ours has there. */
static cl_int CL_API_CALL set_argument(cl_kernel kernel, cl_uint index, size_t size,
                                       const void *value)
{
	const char *which = getenv("OCLMM_STICKY");

	if (size == sizeof(cl_mem) && value) {
		struct argument *argument;

		pthread_mutex_lock(&lock);
		argument = find(kernel, index, which != NULL);
		if (argument)
			argument->lost = true;
		pthread_mutex_unlock(&lock);
	}
	return layer_real->clSetKernelArg(kernel, index, size, value);
}

static cl_int CL_API_CALL enqueue(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                  const size_t *offset, const size_t *global, const size_t *local,
                                  cl_uint count, const cl_event *waits, cl_event *event)
{
	bool lost = false;

	pthread_mutex_lock(&lock);
	for (unsigned i = 0; i < MOST; i++)
		lost |= arguments[i].kernel == kernel && arguments[i].lost;
	pthread_mutex_unlock(&lock);
	if (lost)
		return CL_INVALID_KERNEL_ARGS;
	return layer_real->clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global, local,
	                                          count, waits, event);
}

/* The next kernel may have the same handle. */
static cl_int CL_API_CALL release(cl_kernel kernel)
{
	pthread_mutex_lock(&lock);
	for (unsigned i = 0; i < MOST; i++)
		if (arguments[i].kernel == kernel)
			arguments[i].kernel = NULL;
	pthread_mutex_unlock(&lock);
	return layer_real->clReleaseKernel(kernel);
}

bool layer_start(struct _cl_icd_dispatch *own)
{
	own->clSetKernelArgSVMPointer = set_pointer;
	own->clSetKernelArg = set_argument;
	own->clEnqueueNDRangeKernel = enqueue;
	own->clReleaseKernel = release;
	return true;
}
