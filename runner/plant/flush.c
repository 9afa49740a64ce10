// SPDX-License-Identifier: Apache-2.0
/*
 * A plant in clFlush: it sends nothing. Drivers that send commands as they
 * come do not heed it, so that each command waits here for a gate of its queue, an
 * event that is set when the application does what sends commands all the same: clFinish, a
 * blocking call, clWaitForEvents (A:5.15), the end of the queue.
 */
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

static cl_int send_behind_gate(struct command *command)
{
	struct held held = hold(command->queue, command->count, command->list);
	cl_int code;

	command->count = held.count;
	command->list = held.count > 0 ? held.list : NULL;
	code = command_send(command);
	if (held.gate)
		layer_real->clReleaseEvent(held.gate);
	free(held.list);
	return code;
}

static cl_int gate(struct command *command)
{
	/* nothing of these is held back; what stands before them is, unless they block */
	const unsigned free_ones = COMMAND_MAP | COMMAND_SVM_COPY | COMMAND_SVM_MAP;

	if (command->blocking)
		send(command->queue);
	return command->blocking || (command->kind & free_ones) ? command_send(command)
	                                                        : send_behind_gate(command);
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
	commands_init(layer, COMMAND_KERNEL | COMMAND_FILL | COMMAND_COPY | COMMANDS_THAT_BLOCK,
	              gate);
	layer->clFlush = flush;
	layer->clFinish = finish;
	layer->clWaitForEvents = wait_for;
	layer->clReleaseCommandQueue = release_queue;
}
