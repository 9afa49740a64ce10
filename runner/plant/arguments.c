// SPDX-License-Identifier: Apache-2.0
/*
 * Plants in the arguments of kernels: one that was launched keeps those of its first launch, or
 * gets what is set for it one launch too late.
 */
#include "layer.h"

#include <string.h>

#include "oclmm/base.h"

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
	struct known_kernel *known;
	bool taken;

	pthread_mutex_lock(&kernels_lock);
	known = kernels_find(kernel);
	taken = known->launches > 0;
	if (taken && layer_plant.bug == PLANT_ARGUMENT_LATE) {
		oclmm_grow(&known->late, &known->late_capacity, known->late_count,
		           sizeof(*known->late));
		known->late[known->late_count++] = (struct late_argument){index, size,
		                                                          duplicate(value, size)};
	}
	pthread_mutex_unlock(&kernels_lock);
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
	struct known_kernel *known;

	pthread_mutex_lock(&kernels_lock);
	known = kernels_find(kernel);
	known->launches++;
	for (size_t i = 0; i < known->late_count; i++)
		layer_real->clSetKernelArg(kernel, known->late[i].index, known->late[i].size,
		                           known->late[i].value);
	kernels_drop_late(known);
	pthread_mutex_unlock(&kernels_lock);
}

static cl_int launch(struct command *command)
{
	cl_int code = command_send(command);

	set_late(command->kernel);
	return code;
}

void arguments_init(struct _cl_icd_dispatch *layer)
{
	layer->clReleaseKernel = kernels_release;
	layer->clSetKernelArg = set;
	commands_init(layer, COMMAND_KERNEL, launch);
}
