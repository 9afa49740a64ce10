// SPDX-License-Identifier: Apache-2.0
/* The calls that enqueue commands on objects in shared virtual memory. */
#include "call.h"

int commands_svm_fill(const struct call *call)
{
	uint32_t value = value_of_fill(call);

	return OCLMM_CL_CALL(call->error, clEnqueueSVMMemFill, call->queue, target(call)->svm,
	                     &value, sizeof(value), bytes_of(call->c), call->wait_count, list(call),
	                     call->event);
}

static void *bytes_at(const struct cells *cells)
{
	return cells->svm ? cells->svm : cells->host;
}

int commands_svm_copy(const struct call *call)
{
	return OCLMM_CL_CALL(call->error, clEnqueueSVMMemcpy, call->queue, call->command->blocking,
	                     bytes_at(target(call)), bytes_at(origin(call)), bytes_of(call->c),
	                     call->wait_count, list(call), call->event);
}

int commands_svm_map(const struct call *call)
{
	struct cells *cells = whole(call);
	cl_int code = clEnqueueSVMMap(call->queue, call->command->blocking,
	                              CL_MAP_READ | CL_MAP_WRITE, cells->svm, bytes_of(call->c),
	                              call->wait_count, list(call), call->event);
	int r = oclmm_cl_check(call->error, "clEnqueueSVMMap", code);

	if (r == 0)
		cells->map = cells->svm;
	return r;
}

int commands_svm_unmap(cl_command_queue queue, const struct cells *cells, const cl_event *waits,
                       cl_uint count, cl_event *event, struct oclmm_error *error)
{
	return OCLMM_CL_CALL(error, clEnqueueSVMUnmap, queue, cells->svm, count, waits, event);
}
