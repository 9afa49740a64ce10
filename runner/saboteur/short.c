// SPDX-License-Identifier: Apache-2.0
/* Plants in how much of a command is done, and where: a part of a launch or a transfer, or what a
 * migration leaves of an object. */
#include "layer.h"

/* What is left of that many bytes. */
static size_t shorter(size_t size)
{
	enum { LEFT_OUT = 8 };

	if (size <= LEFT_OUT || layer_plant.bug != SABOTEUR_TRANSFER_SHORT)
		return size;
	layer_note(LAYER_CALL, 1);
	return size - LEFT_OUT;
}

/* Where a transfer or a map begins in its buffer. */
static size_t begin(size_t offset)
{
	if (offset == 0 || layer_plant.bug == SABOTEUR_TRANSFER_SHORT)
		return offset;
	layer_note(LAYER_CALL, 1);
	return 0;
}

/* The size of work-groups that the driver may choose: one work-item is left out then. */
static cl_int CL_API_CALL kernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                 const size_t *offset, const size_t *global, const size_t *local,
                                 cl_uint count, const cl_event *list, cl_event *event)
{
	size_t less[3] = {0}, group = local ? local[0] : 1;

	for (cl_uint i = 0; global && i < dimensions && i < 3; i++)
		less[i] = global[i];
	if (less[0] > group) {
		less[0] -= group;
		layer_note(LAYER_CALL, 1);
	}
	return layer_real->clEnqueueNDRangeKernel(queue, kernel, dimensions, offset,
	                                          global ? less : NULL, local, count, list, event);
}

static cl_int CL_API_CALL fill(cl_command_queue queue, cl_mem buffer, const void *pattern,
                               size_t pattern_size, size_t offset, size_t size, cl_uint count,
                               const cl_event *list, cl_event *event)
{
	/* it has to stay a multiple of the pattern's */
	return layer_real->clEnqueueFillBuffer(queue, buffer, pattern, pattern_size, begin(offset),
	                                       pattern_size <= 8 ? shorter(size) : size, count,
	                                       list, event);
}

static cl_int CL_API_CALL copy(cl_command_queue queue, cl_mem from, cl_mem to, size_t from_offset,
                               size_t to_offset, size_t size, cl_uint count, const cl_event *list,
                               cl_event *event)
{
	return layer_real->clEnqueueCopyBuffer(queue, from, to, begin(from_offset),
	                                       begin(to_offset), shorter(size), count, list, event);
}

static cl_int CL_API_CALL read_buffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                      size_t offset, size_t size, void *to, cl_uint count,
                                      const cl_event *list, cl_event *event)
{
	return layer_real->clEnqueueReadBuffer(queue, buffer, blocking, begin(offset),
	                                       shorter(size), to, count, list, event);
}

static cl_int CL_API_CALL write_buffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                       size_t offset, size_t size, const void *from, cl_uint count,
                                       const cl_event *list, cl_event *event)
{
	return layer_real->clEnqueueWriteBuffer(queue, buffer, blocking, begin(offset),
	                                        shorter(size), from, count, list, event);
}

static void *CL_API_CALL map(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                             cl_map_flags flags, size_t offset, size_t size, cl_uint count,
                             const cl_event *list, cl_event *event, cl_int *ret_code)
{
	return layer_real->clEnqueueMapBuffer(queue, buffer, blocking, flags, begin(offset), size,
	                                      count, list, event, ret_code);
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
	switch (layer_plant.bug) {
	case SABOTEUR_LAUNCH_SHORT: layer->clEnqueueNDRangeKernel = kernel; break;
	case SABOTEUR_TRANSFER_SHORT:
	case SABOTEUR_TRANSFER_OFFSET:
		layer->clEnqueueFillBuffer = fill;
		layer->clEnqueueCopyBuffer = copy;
		layer->clEnqueueReadBuffer = read_buffer;
		layer->clEnqueueWriteBuffer = write_buffer;
		break;
	case SABOTEUR_MAP_OFFSET: layer->clEnqueueMapBuffer = map; break;
	case SABOTEUR_MIGRATE_LOST: layer->clEnqueueMigrateMemObjects = migrate; break;
	default: break;
	}
}
