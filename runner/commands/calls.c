// SPDX-License-Identifier: Apache-2.0
/* The calls that enqueue commands. */
#include "call.h"

#include <errno.h>

static int kernel(const struct call *call)
{
	static const struct oclmm_command itself = {.kind = OCLMM_COMMAND_KERNEL};
	struct commands *c = call->c;
	cl_kernel own = c->kernel[call->number];
	size_t global = c->shape.cells, offset = c->shape.offset;
	cl_uint index = 0, base = c->draw.base ^ c->mark;
	int r = 0;

	for (uint32_t i = 0; r == 0 && i < call->thread->parameter_count; i++)
		r = commands_cells_argument(
			own, index++, &call->round->object[call->thread->parameters[i].location],
			call->command, call->error);
	for (uint32_t i = 0; r == 0 && i < call->thread->register_count; i++)
		r = commands_cells_argument(own, index++,
		                            &call->round->reg[c->first_register[call->number] + i],
		                            &itself, call->error);
	if (r == 0)
		r = oclmm_argument_set(own, index++, sizeof(base), &base, call->error);
	if (r == 0)
		r = oclmm_argument_set(own, index, sizeof(cl_uint), &c->shape.offset, call->error);
	if (r < 0)
		return r;
	return OCLMM_CL_CALL(call->error, clEnqueueNDRangeKernel, call->queue, own, 1, &offset,
	                     &global, NULL, call->wait_count, list(call), call->event);
}

static int fill(const struct call *call)
{
	uint32_t value = value_of_fill(call);

	if (target(call)->svm)
		return commands_svm_fill(call);
	return OCLMM_CL_CALL(call->error, clEnqueueFillBuffer, call->queue,
	                     buffer_of(target(call), call->command), &value, sizeof(value),
	                     origin_of(target(call), call->command), bytes_of(call->c),
	                     call->wait_count, list(call), call->event);
}

static int write(const struct call *call)
{
	if (target(call)->svm)
		return commands_svm_copy(call);
	return OCLMM_CL_CALL(call->error, clEnqueueWriteBuffer, call->queue,
	                     buffer_of(target(call), call->command), call->command->blocking,
	                     origin_of(target(call), call->command), bytes_of(call->c),
	                     origin(call)->host, call->wait_count, list(call), call->event);
}

static int read(const struct call *call)
{
	if (origin(call)->svm)
		return commands_svm_copy(call);
	return OCLMM_CL_CALL(call->error, clEnqueueReadBuffer, call->queue,
	                     buffer_of(origin(call), call->command), call->command->blocking,
	                     origin_of(origin(call), call->command), bytes_of(call->c),
	                     target(call)->host, call->wait_count, list(call), call->event);
}

static int copy(const struct call *call)
{
	if (target(call)->svm)
		return commands_svm_copy(call);
	return OCLMM_CL_CALL(call->error, clEnqueueCopyBuffer, call->queue,
	                     buffer_of(origin(call), call->command),
	                     buffer_of(target(call), call->command),
	                     origin_of(origin(call), call->command),
	                     origin_of(target(call), call->command), bytes_of(call->c),
	                     call->wait_count, list(call), call->event);
}

static int map_buffer(const struct call *call)
{
	cl_int code;
	void *memory = clEnqueueMapBuffer(call->queue, buffer_of(whole(call), call->command),
	                                  call->command->blocking, CL_MAP_READ | CL_MAP_WRITE,
	                                  origin_of(whole(call), call->command), bytes_of(call->c),
	                                  call->wait_count, list(call), call->event, &code);
	int r = oclmm_cl_made(call->error, "clEnqueueMapBuffer", memory, code);

	if (r == 0)
		whole(call)->map = memory;
	return r;
}

static int map(const struct call *call)
{
	struct cells *cells = whole(call);
	int r;

	/* the host's use waits for it */
	if (!call->event)
		return oclmm_error_set(call->error, -EINVAL, "nobody asks for the event of a map");
	r = cells->svm ? commands_svm_map(call) : map_buffer(call);
	if (r == 0)
		r = OCLMM_CL_CALL(call->error, clRetainEvent, *call->event);
	if (r < 0) {
		cells->map = NULL;
		return r;
	}
	cells->mapped = *call->event;
	cells->map_queue = call->queue;
	cells->map_buffer = buffer_of(cells, call->command);
	return 0;
}

static int unmap_cells(cl_command_queue queue, struct cells *cells, const cl_event *waits,
                       cl_uint count, cl_event *event, struct oclmm_error *error)
{
	uint32_t *mapped = cells->map;

	cells->map = NULL;
	clReleaseEvent(cells->mapped);
	cells->mapped = NULL;
	if (cells->svm)
		return commands_svm_unmap(queue, cells, waits, count, event, error);
	return OCLMM_CL_CALL(error, clEnqueueUnmapMemObject, queue, cells->map_buffer, mapped,
	                     count, waits, event);
}

static int unmap(const struct call *call)
{
	return unmap_cells(call->queue, whole(call), list(call), call->wait_count, call->event,
	                   call->error);
}

static int migrate(const struct call *call)
{
	cl_mem objects[OCLMM_COMMAND_OBJECTS_MOST];
	cl_uint count = 0;

	for (; count < call->thread->parameter_count; count++)
		objects[count] =
			buffer_of(&call->round->object[call->thread->parameters[count].location],
		                  call->command);
	return OCLMM_CL_CALL(call->error, clEnqueueMigrateMemObjects, call->queue, count, objects,
	                     0, call->wait_count, list(call), call->event);
}

static int marker(const struct call *call)
{
	return OCLMM_CL_CALL(call->error, clEnqueueMarkerWithWaitList, call->queue,
	                     call->wait_count, list(call), call->event);
}

static int barrier(const struct call *call)
{
	return OCLMM_CL_CALL(call->error, clEnqueueBarrierWithWaitList, call->queue,
	                     call->wait_count, list(call), call->event);
}

static int make_call(const struct call *call)
{
	switch (call->command->kind) {
	case OCLMM_COMMAND_KERNEL: return kernel(call);
	case OCLMM_COMMAND_FILL: return fill(call);
	case OCLMM_COMMAND_WRITE: return write(call);
	case OCLMM_COMMAND_READ: return read(call);
	case OCLMM_COMMAND_COPY: return copy(call);
	case OCLMM_COMMAND_MAP: return map(call);
	case OCLMM_COMMAND_UNMAP: return unmap(call);
	case OCLMM_COMMAND_MIGRATE: return migrate(call);
	case OCLMM_COMMAND_MARKER: return marker(call);
	case OCLMM_COMMAND_BARRIER: return barrier(call);
	default: return 0;
	}
}

/* The first thread that has a queue, or their number. */
static uint32_t first_queued(const struct commands *c)
{
	uint32_t i = 0;

	while (i < c->program->thread_count && !oclmm_command_is_queued(command_of(c, i)->kind))
		i++;
	return i;
}

int commands_lag(struct commands *c, struct oclmm_error *error)
{
	uint32_t thread = first_queued(c);
	const struct oclmm_command *first = &c->program->threads[thread].placement.command;
	const size_t one = 1;
	int r;

	if (thread == c->program->thread_count || c->draw.lag == 0)
		return 0;
	r = oclmm_argument_set(c->lag, 0, sizeof(cl_mem), &c->lag_end, error);
	if (r == 0)
		r = oclmm_argument_set(c->lag, 1, sizeof(cl_uint), &c->draw.lag, error);
	if (r == 0)
		r = oclmm_kernel_enqueue(commands_queue(c, first), c->lag, 1, &one, NULL,
		                         first->unordered ? &c->lagging : NULL, error);
	return r < 0 ? r : OCLMM_CL_CALL(error, clFlush, commands_queue(c, first));
}

int commands_enqueue(struct commands *c, struct round *round, uint32_t thread,
                     struct oclmm_error *error)
{
	struct call call = {
		.c = c,
		.round = round,
		.number = thread,
		.thread = &c->program->threads[thread],
		.command = command_of(c, thread),
		.event = c->asked >> thread & 1 ? &round->turn[thread].event : NULL,
		.error = error,
	};
	int r;

	call.queue = commands_queue(c, call.command);
	for (uint32_t i = 0; i < c->program->thread_count; i++) {
		if (call.command->waits >> i & 1)
			call.waits[call.wait_count++] = round->turn[i].event;
	}
	/* where order is free, nothing else holds it up */
	if (c->lagging && thread == first_queued(c))
		call.waits[call.wait_count++] = c->lagging;
	r = make_call(&call);
	if (r == 0 && c->leaving >> thread & 1)
		r = OCLMM_CL_CALL(error, clFlush, call.queue);
	return r;
}

int commands_unmap(struct commands *c, struct round *round, struct oclmm_error *error)
{
	int r = 0;

	for (uint32_t i = 0; r == 0 && i < c->program->location_count; i++) {
		struct cells *cells = &round->object[i];
		cl_event mapped = cells->mapped;

		if (!cells->map)
			continue;
		/* the host may have used it without waiting; to give it back it waits */
		r = OCLMM_CL_CALL(error, clWaitForEvents, 1, &mapped);
		if (r == 0)
			r = unmap_cells(cells->map_queue, cells, NULL, 0, NULL, error);
	}
	return r;
}
