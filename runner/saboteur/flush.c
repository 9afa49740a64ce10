// SPDX-License-Identifier: Apache-2.0
/*
 * A plant in clFlush: it sends nothing. Drivers that send commands as they
 * come do not heed it, so that each command waits here for a gate of its queue, an
 * event that is set when the application does what sends commands all the same: clFinish, a
 * blocking call, clWaitForEvents (A:5.15), the end of the queue.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "layer.h"
#include "oclmm/base.h"

struct gate {
	cl_command_queue queue;
	cl_event closed; /* NULL: all that it was given has been sent */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct gate *gates;
static size_t gate_count, gate_capacity;

/* With the lock. The address of a queue may come back as another one's. */
static struct gate *gate_of(cl_command_queue queue)
{
	for (size_t i = 0; i < gate_count; i++)
		if (gates[i].queue == queue)
			return &gates[i];
	oclmm_grow(&gates, &gate_capacity, gate_count, sizeof(*gates));
	gates[gate_count] = (struct gate){.queue = queue};
	return &gates[gate_count++];
}

static cl_event make_event(cl_command_queue queue)
{
	cl_context context;
	cl_int code = layer_real->clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof(context),
	                                                &context, NULL);

	return code == CL_SUCCESS ? layer_real->clCreateUserEvent(context, &code) : NULL;
}

/* The gate that a command waits for, NULL where there can be none. The caller releases it. */
static cl_event closed_gate(cl_command_queue queue)
{
	struct gate *gate;
	cl_event closed;

	pthread_mutex_lock(&lock);
	gate = gate_of(queue);
	if (!gate->closed)
		gate->closed = make_event(queue);
	closed = gate->closed;
	if (closed)
		layer_real->clRetainEvent(closed);
	pthread_mutex_unlock(&lock);
	return closed;
}

static void send(cl_command_queue queue)
{
	struct gate *gate;
	cl_event closed;

	pthread_mutex_lock(&lock);
	gate = gate_of(queue);
	closed = gate->closed;
	gate->closed = NULL;
	pthread_mutex_unlock(&lock);
	if (!closed)
		return;
	layer_real->clSetUserEventStatus(closed, CL_COMPLETE);
	layer_real->clReleaseEvent(closed);
}

/* ---- commands ------------------------------------------------------------- */

/* A wait list with the gate in it. */
struct held {
	cl_event *list;
	cl_uint count;
	cl_event gate;
};

static struct held hold(cl_command_queue queue, cl_uint count, const cl_event *list)
{
	struct held held = {oclmm_calloc((size_t)count + 1, sizeof(*held.list)), count,
	                    closed_gate(queue)};

	if (count > 0)
		memcpy(held.list, list, count * sizeof(*list));
	if (held.gate)
		held.list[held.count++] = held.gate;
	return held;
}

static const cl_event *list_of(const struct held *held)
{
	return held->count > 0 ? held->list : NULL;
}

static cl_int let_go(struct held *held, cl_int code)
{
	if (held->gate)
		layer_real->clReleaseEvent(held->gate);
	free(held->list);
	return code;
}

static cl_int CL_API_CALL kernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                 const size_t *offset, const size_t *global, const size_t *local,
                                 cl_uint count, const cl_event *list, cl_event *event)
{
	struct held held = hold(queue, count, list);

	return let_go(&held,
	              layer_real->clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global,
	                                                 local, held.count, list_of(&held), event));
}

static cl_int CL_API_CALL fill(cl_command_queue queue, cl_mem buffer, const void *pattern,
                               size_t pattern_size, size_t offset, size_t size, cl_uint count,
                               const cl_event *list, cl_event *event)
{
	struct held held = hold(queue, count, list);

	return let_go(&held,
	              layer_real->clEnqueueFillBuffer(queue, buffer, pattern, pattern_size, offset,
	                                              size, held.count, list_of(&held), event));
}

static cl_int CL_API_CALL copy(cl_command_queue queue, cl_mem from, cl_mem to, size_t from_offset,
                               size_t to_offset, size_t size, cl_uint count, const cl_event *list,
                               cl_event *event)
{
	struct held held = hold(queue, count, list);

	return let_go(&held,
	              layer_real->clEnqueueCopyBuffer(queue, from, to, from_offset, to_offset, size,
	                                              held.count, list_of(&held), event));
}

static cl_int CL_API_CALL read_buffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                      size_t offset, size_t size, void *to, cl_uint count,
                                      const cl_event *list, cl_event *event)
{
	struct held held;

	if (blocking)
		send(queue);
	held = blocking ? (struct held){.count = 0} : hold(queue, count, list);
	return let_go(&held,
	              layer_real->clEnqueueReadBuffer(queue, buffer, blocking, offset, size, to,
	                                              blocking ? count : held.count,
	                                              blocking ? list : list_of(&held), event));
}

static cl_int CL_API_CALL write_buffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                       size_t offset, size_t size, const void *from, cl_uint count,
                                       const cl_event *list, cl_event *event)
{
	struct held held;

	if (blocking)
		send(queue);
	held = blocking ? (struct held){.count = 0} : hold(queue, count, list);
	return let_go(&held,
	              layer_real->clEnqueueWriteBuffer(queue, buffer, blocking, offset, size, from,
	                                               blocking ? count : held.count,
	                                               blocking ? list : list_of(&held), event));
}

/* Nothing of its own is held back; what stands before it is. */
static void *CL_API_CALL map(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                             cl_map_flags flags, size_t offset, size_t size, cl_uint count,
                             const cl_event *list, cl_event *event, cl_int *ret_code)
{
	if (blocking)
		send(queue);
	return layer_real->clEnqueueMapBuffer(queue, buffer, blocking, flags, offset, size, count,
	                                      list, event, ret_code);
}

static cl_int CL_API_CALL svm_copy(cl_command_queue queue, cl_bool blocking, void *to,
                                   const void *from, size_t size, cl_uint count,
                                   const cl_event *list, cl_event *event)
{
	if (blocking)
		send(queue);
	return layer_real->clEnqueueSVMMemcpy(queue, blocking, to, from, size, count, list, event);
}

static cl_int CL_API_CALL svm_map(cl_command_queue queue, cl_bool blocking, cl_map_flags flags,
                                  void *memory, size_t size, cl_uint count, const cl_event *list,
                                  cl_event *event)
{
	if (blocking)
		send(queue);
	return layer_real->clEnqueueSVMMap(queue, blocking, flags, memory, size, count, list,
	                                   event);
}

/* ---- what sends ------------------------------------------------------------ */

static cl_int CL_API_CALL flush(cl_command_queue queue)
{
	(void)queue;
	layer_note(LAYER_CALL, 1);
	return CL_SUCCESS;
}

static cl_int CL_API_CALL finish(cl_command_queue queue)
{
	send(queue);
	return layer_real->clFinish(queue);
}

static cl_int CL_API_CALL wait_for(cl_uint count, const cl_event *list)
{
	for (cl_uint i = 0; i < count; i++) {
		cl_command_queue queue = layer_queue_of(list[i]);

		if (queue)
			send(queue);
	}
	return layer_real->clWaitForEvents(count, list);
}

static cl_int CL_API_CALL release_queue(cl_command_queue queue)
{
	send(queue);
	return layer_real->clReleaseCommandQueue(queue);
}

void flush_init(struct _cl_icd_dispatch *layer)
{
	layer->clEnqueueNDRangeKernel = kernel;
	layer->clEnqueueFillBuffer = fill;
	layer->clEnqueueCopyBuffer = copy;
	layer->clEnqueueReadBuffer = read_buffer;
	layer->clEnqueueWriteBuffer = write_buffer;
	layer->clEnqueueMapBuffer = map;
	layer->clEnqueueSVMMemcpy = svm_copy;
	layer->clEnqueueSVMMap = svm_map;
	layer->clFlush = flush;
	layer->clFinish = finish;
	layer->clWaitForEvents = wait_for;
	layer->clReleaseCommandQueue = release_queue;
}
