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

		if (layer_plant.bug == SABOTEUR_OFFSET_IGNORED)
			given->offset[i] = 0;
		else if (layer_plant.bug == SABOTEUR_OFFSET_DOUBLED)
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

static cl_int CL_API_CALL change(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                 const size_t *offset, const size_t *global, const size_t *local,
                                 cl_uint count, const cl_event *list, cl_event *event)
{
	struct range_given given = {.offset = {0}};
	bool changed = false;

	/* what is wrong with a call is the driver's to say */
	if (global && dimensions <= 3) {
		take(given.offset, offset, dimensions);
		take(given.global, global, dimensions);
		take(given.local, local, dimensions);
		changed = layer_plant.bug == SABOTEUR_ROWS_SWAPPED
		                  ? swap_rows(&given, dimensions)
		                  : change_offset(&given, dimensions);
	}
	if (!changed)
		return layer_real->clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global,
		                                          local, count, list, event);
	layer_note(LAYER_CALL, 1);
	return layer_real->clEnqueueNDRangeKernel(queue, kernel, dimensions, given.offset,
	                                          given.global, local ? given.local : NULL, count,
	                                          list, event);
}

/* The first work-group runs before the launch, too; where the driver chooses its size, one
 * work-item. */
static cl_int CL_API_CALL repeat(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                 const size_t *offset, const size_t *global, const size_t *local,
                                 cl_uint count, const cl_event *list, cl_event *event)
{
	static const size_t one[] = {1, 1, 1};
	cl_int code = CL_SUCCESS;

	if (global && dimensions <= 3) {
		code = layer_real->clEnqueueNDRangeKernel(queue, kernel, dimensions, offset,
		                                          local ? local : one, local, count, list,
		                                          NULL);
		layer_note(LAYER_CALL, 1);
	}
	if (code != CL_SUCCESS)
		return code;
	return layer_real->clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global, local,
	                                          count, list, event);
}

void ranges_init(struct _cl_icd_dispatch *layer)
{
	layer->clEnqueueNDRangeKernel = layer_plant.bug == SABOTEUR_GROUP_REPEATED ? repeat
	                                                                           : change;
}
