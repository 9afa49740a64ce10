// SPDX-License-Identifier: Apache-2.0
/* Plants in how much of a command is done, and where: a part of a launch or a transfer, or what a
 * migration leaves of an object. */
#include "layer.h"
#include "oclmm/base.h"

/* The size of work-groups that the driver may choose: one work-item is left out then. */
static cl_int launch_less(struct command *command)
{
	size_t less[3] = {0}, group = command->local ? command->local[0] : 1;

	for (cl_uint i = 0; command->global && i < command->dimensions && i < 3; i++)
		less[i] = command->global[i];
	if (less[0] > group) {
		less[0] -= group;
		layer_note(LAYER_CALL, 1);
	}
	if (command->global)
		command->global = less;
	return command_send(command);
}

static cl_int shorten(struct command *command)
{
	enum { LEFT_OUT = 8 };

	/* what is filled has to stay a multiple of the pattern's size */
	if (command->size > LEFT_OUT && command->pattern_size <= LEFT_OUT) {
		layer_note(LAYER_CALL, 1);
		command->size -= LEFT_OUT;
	}
	return command_send(command);
}

/* A transfer or a map begins at the beginning of its buffers. */
static cl_int begin_at_0(struct command *command)
{
	size_t *offsets[] = {&command->offset, &command->to_offset};

	for (size_t i = 0; i < OCLMM_COUNT(offsets); i++) {
		if (*offsets[i] > 0)
			layer_note(LAYER_CALL, 1);
		*offsets[i] = 0;
	}
	return command_send(command);
}

/* Filled in place of being migrated; of several the last one has the event. */
static cl_int CL_API_CALL migrate(cl_command_queue queue, cl_uint number, const cl_mem *objects,
                                  cl_mem_migration_flags flags, cl_uint count, const cl_event *list,
                                  cl_event *event)
{
	const cl_uchar zero = 0;
	cl_int code = CL_SUCCESS;
	size_t size;

	if (number == 0 || !objects)
		return layer_real->clEnqueueMigrateMemObjects(queue, number, objects, flags, count,
		                                              list, event);
	layer_note(LAYER_CALL, 1);
	for (cl_uint i = 0; i < number && code == CL_SUCCESS; i++) {
		code = layer_real->clGetMemObjectInfo(objects[i], CL_MEM_SIZE, sizeof(size), &size,
		                                      NULL);
		if (code == CL_SUCCESS)
			code = layer_real->clEnqueueFillBuffer(queue, objects[i], &zero, 1, 0, size,
			                                       count, list,
			                                       i + 1 < number ? NULL : event);
	}
	return code;
}

void short_init(struct _cl_icd_dispatch *layer)
{
	const unsigned transfers = COMMAND_FILL | COMMAND_COPY | COMMAND_READ | COMMAND_WRITE;

	switch (layer_plant.bug) {
	case PLANT_LAUNCH_SHORT: commands_init(layer, COMMAND_KERNEL, launch_less); break;
	case PLANT_TRANSFER_SHORT: commands_init(layer, transfers, shorten); break;
	case PLANT_TRANSFER_OFFSET: commands_init(layer, transfers, begin_at_0); break;
	case PLANT_MAP_OFFSET: commands_init(layer, COMMAND_MAP, begin_at_0); break;
	case PLANT_MIGRATE_LOST: layer->clEnqueueMigrateMemObjects = migrate; break;
	default: break;
	}
}
