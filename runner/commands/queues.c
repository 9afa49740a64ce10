// SPDX-License-Identifier: Apache-2.0
#include "internal.h"

/* As many as the program names; those that are alike change places from launch to launch. */
int commands_queues_create(struct commands *c, struct oclmm_error *error)
{
	int r = 0;

	for (uint32_t i = 0; r == 0 && i < c->program->thread_count; i++) {
		const struct oclmm_command *command = command_of(c, i);
		cl_command_queue *queue = command->unordered ? &c->unordered[command->queue]
		                                             : &c->in_order[command->queue];

		if (!oclmm_command_is_queued(command->kind) || *queue)
			continue;
		c->device_of[command->queue] = command->device;
		r = oclmm_device_queue_new(c->device, command->device,
		                           command->unordered
		                                   ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE
		                                   : 0,
		                           error, queue);
	}
	return r;
}

void commands_queues_destroy(struct commands *c)
{
	for (uint32_t i = 0; i < OCLMM_QUEUES_MOST; i++) {
		if (c->in_order[i])
			clReleaseCommandQueue(c->in_order[i]);
		if (c->unordered[i])
			clReleaseCommandQueue(c->unordered[i]);
	}
}

/* The n-th queue behind one among those that there are of its device. */
static cl_command_queue turn(const struct commands *c, const cl_command_queue *queues,
                             uint32_t queue, uint32_t steps)
{
	uint32_t at = queue;

	for (uint32_t i = 0; i < steps; i++) {
		do
			at = (at + 1) % OCLMM_QUEUES_MOST;
		while (!queues[at] || c->device_of[at] != c->device_of[queue]);
	}
	return queues[at];
}

cl_command_queue commands_queue(const struct commands *c, const struct oclmm_command *command)
{
	return turn(c, command->unordered ? c->unordered : c->in_order, command->queue,
	            c->draw.rotation);
}

int commands_settle(cl_command_queue queue, struct oclmm_error *error)
{
	cl_event all = NULL;
	cl_int code = clEnqueueMarkerWithWaitList(queue, 0, NULL, &all);
	int r = oclmm_cl_made(error, "clEnqueueMarkerWithWaitList", all, code);

	if (r < 0)
		return r;
	r = OCLMM_CL_CALL(error, clWaitForEvents, 1, &all);
	clReleaseEvent(all);
	return r < 0 ? r : OCLMM_CL_CALL(error, clFinish, queue);
}

int commands_finish(struct commands *c, struct oclmm_error *error)
{
	int r = 0;

	for (uint32_t i = 0; r == 0 && i < OCLMM_QUEUES_MOST; i++) {
		if (c->in_order[i])
			r = commands_settle(c->in_order[i], error);
		if (r == 0 && c->unordered[i])
			r = commands_settle(c->unordered[i], error);
	}
	return r;
}
