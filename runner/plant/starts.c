// SPDX-License-Identifier: Apache-2.0
/*
 * A plant in what a launch finds: before each launch of a kernel but its first
 * one the buffer that is its first argument is filled with a number, where the
 * application left something else.
 */
#include "layer.h"
#include "oclmm/base.h"

static struct known_buffer *buffers;
static size_t buffer_count, buffer_capacity;
static cl_mem CL_API_CALL create_buffer(cl_context context, cl_mem_flags flags, size_t size,
                                        void *host, cl_int *code)
{
	cl_mem buffer = layer_real->clCreateBuffer(context, flags, size, host, code);

	if (!buffer)
		return NULL;
	pthread_mutex_lock(&kernels_lock);
	oclmm_grow(&buffers, &buffer_capacity, buffer_count, sizeof(*buffers));
	buffers[buffer_count++] = (struct known_buffer){buffer, size};
	pthread_mutex_unlock(&kernels_lock);
	return buffer;
}

/* The address may come back as another buffer's, and is that one's then. */
static struct known_buffer find_buffer(cl_mem buffer)
{
	for (size_t i = buffer_count; i > 0; i--) {
		if (buffers[i - 1].buffer == buffer)
			return buffers[i - 1];
	}
	return (struct known_buffer){0};
}

static void forget(cl_mem buffer)
{
	for (size_t i = 0; i < buffer_count;) {
		if (buffers[i].buffer == buffer)
			buffers[i] = buffers[--buffer_count];
		else
			i++;
	}
	kernels_forget_buffer(buffer);
}

static cl_int CL_API_CALL release_buffer(cl_mem buffer)
{
	pthread_mutex_lock(&kernels_lock);
	if (layer_is_last_buffer(buffer))
		forget(buffer);
	pthread_mutex_unlock(&kernels_lock);
	return layer_real->clReleaseMemObject(buffer);
}

static cl_int CL_API_CALL set_argument(cl_kernel kernel, cl_uint index, size_t size,
                                       const void *value)
{
	if (index == 0) {
		pthread_mutex_lock(&kernels_lock);
		kernels_find(kernel)->first = size == sizeof(cl_mem) && value
		                                      ? find_buffer(*(const cl_mem *)value)
		                                      : (struct known_buffer){0};
		pthread_mutex_unlock(&kernels_lock);
	}
	return layer_real->clSetKernelArg(kernel, index, size, value);
}

/* What is to be filled before a launch. */
static struct known_buffer note_launch(cl_kernel kernel)
{
	struct known_buffer first = {0};
	struct known_kernel *known;

	pthread_mutex_lock(&kernels_lock);
	known = kernels_find(kernel);
	if (known->launches++ > 0)
		first = known->first;
	pthread_mutex_unlock(&kernels_lock);
	return first;
}

static cl_int launch(struct command *command)
{
	struct known_buffer first = note_launch(command->kernel);
	cl_uint number = (cl_uint)layer_plant.mutation.number;
	size_t size = first.size - first.size % sizeof(number);

	if (size > 0 && layer_real->clEnqueueFillBuffer(command->queue, first.buffer, &number,
	                                                sizeof(number), 0, size, command->count,
	                                                command->list, NULL) == CL_SUCCESS) {
		/* also where the queue keeps no order */
		layer_real->clEnqueueBarrierWithWaitList(command->queue, 0, NULL, NULL);
		layer_note(LAYER_CALL, 1);
	}
	return command_send(command);
}

void starts_init(struct _cl_icd_dispatch *layer)
{
	layer->clCreateBuffer = create_buffer;
	layer->clReleaseMemObject = release_buffer;
	layer->clReleaseKernel = kernels_release;
	layer->clSetKernelArg = set_argument;
	commands_init(layer, COMMAND_KERNEL, launch);
}
