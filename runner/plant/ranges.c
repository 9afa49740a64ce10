// SPDX-License-Identifier: Apache-2.0
/* Plants in what a launch ranges over: its global offset, its dimensions, its work-groups. */
#include "layer.h"

/* What clEnqueueNDRangeKernel is given. */
struct range_given {
	size_t offset[3], global[3], local[3];
};

static bool change_offset(struct range_given *given, cl_uint dimensions)
{
	bool changed = false;

	for (cl_uint i = 0; i < dimensions; i++) {
		size_t before = given->offset[i];

		if (layer_plant.bug == PLANT_OFFSET_IGNORED)
			given->offset[i] = 0;
		else if (layer_plant.bug == PLANT_OFFSET_DOUBLED)
			given->offset[i] *= 2;
		else
			given->offset[i] = given->offset[0];
		changed |= given->offset[i] != before;
	}
	return changed;
}

static void swap(size_t *numbers)
{
	size_t first = numbers[0];

	numbers[0] = numbers[1];
	numbers[1] = first;
}

static bool swap_rows(struct range_given *given, cl_uint dimensions)
{
	if (dimensions < 2)
		return false;
	swap(given->offset);
	swap(given->global);
	swap(given->local);
	return true;
}

static void take(size_t *ret_numbers, const size_t *given, cl_uint dimensions)
{
	for (cl_uint i = 0; given && i < dimensions; i++)
		ret_numbers[i] = given[i];
}

static cl_int change(struct command *c)
{
	struct range_given given = {.offset = {0}};
	bool changed = false;

	/* what is wrong with a call is the driver's to say */
	if (c->global && c->dimensions <= 3) {
		take(given.offset, c->offsets, c->dimensions);
		take(given.global, c->global, c->dimensions);
		take(given.local, c->local, c->dimensions);
		changed = layer_plant.bug == PLANT_ROWS_SWAPPED
		                  ? swap_rows(&given, c->dimensions)
		                  : change_offset(&given, c->dimensions);
	}
	if (changed) {
		layer_note(LAYER_CALL, 1);
		c->offsets = given.offset;
		c->global = given.global;
		c->local = c->local ? given.local : NULL;
	}
	return command_send(c);
}

/* The first work-group runs before the launch, too; where the driver chooses its size, one
 * work-item. */
static cl_int repeat(struct command *command)
{
	static const size_t one[] = {1, 1, 1};
	cl_int code = CL_SUCCESS;

	if (command->global && command->dimensions <= 3) {
		struct command first = *command;

		first.global = command->local ? command->local : one;
		first.event = NULL;
		code = command_send(&first);
		layer_note(LAYER_CALL, 1);
	}
	return code == CL_SUCCESS ? command_send(command) : code;
}

void ranges_init(struct _cl_icd_dispatch *layer)
{
	commands_init(layer, COMMAND_KERNEL,
	              layer_plant.bug == PLANT_GROUP_REPEATED ? repeat : change);
}
