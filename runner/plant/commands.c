// SPDX-License-Identifier: Apache-2.0
/* Calls that enqueue commands, as data that a plant changes before the driver has it. */
#include "layer.h"

static cl_int (*plant)(struct command *command);

/* What all of these calls have. */
#define BASE(kind_) .kind = (kind_), .queue = queue, .count = count, .list = list, .event = event

static cl_int CL_API_CALL kernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                 const size_t *offset, const size_t *global, const size_t *local,
                                 cl_uint count, const cl_event *list, cl_event *event)
{
	struct command command = {BASE(COMMAND_KERNEL), .kernel = kernel, .dimensions = dimensions,
	                          .offsets = offset,    .global = global, .local = local};

	return plant(&command);
}

static cl_int CL_API_CALL fill(cl_command_queue queue, cl_mem buffer, const void *pattern,
                               size_t pattern_size, size_t offset, size_t size, cl_uint count,
                               const cl_event *list, cl_event *event)
{
	struct command command = {
		BASE(COMMAND_FILL),           .buffer = buffer, .from = pattern, .offset = offset,
		.pattern_size = pattern_size, .size = size};

	return plant(&command);
}

static cl_int CL_API_CALL copy(cl_command_queue queue, cl_mem from, cl_mem to, size_t from_offset,
                               size_t to_offset, size_t size, cl_uint count, const cl_event *list,
                               cl_event *event)
{
	struct command command = {BASE(COMMAND_COPY),    .buffer = from,         .to = to,
	                          .offset = from_offset, .to_offset = to_offset, .size = size};

	return plant(&command);
}

static cl_int CL_API_CALL read_buffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                      size_t offset, size_t size, void *to, cl_uint count,
                                      const cl_event *list, cl_event *event)
{
	struct command command = {BASE(COMMAND_READ), .buffer = buffer, .blocking = blocking,
	                          .offset = offset,   .size = size,     .memory = to};

	return plant(&command);
}

static cl_int CL_API_CALL write_buffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                       size_t offset, size_t size, const void *from, cl_uint count,
                                       const cl_event *list, cl_event *event)
{
	struct command command = {BASE(COMMAND_WRITE), .buffer = buffer, .blocking = blocking,
	                          .offset = offset,    .size = size,     .from = from};

	return plant(&command);
}

static cl_int CL_API_CALL marker(cl_command_queue queue, cl_uint count, const cl_event *list,
                                 cl_event *event)
{
	return plant(&(struct command){BASE(COMMAND_MARKER)});
}

static void *CL_API_CALL map(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                             cl_map_flags flags, size_t offset, size_t size, cl_uint count,
                             const cl_event *list, cl_event *event, cl_int *ret_code)
{
	struct command command = {BASE(COMMAND_MAP), .buffer = buffer, .blocking = blocking,
	                          .flags = flags,    .offset = offset, .size = size};
	cl_int code = plant(&command);

	if (ret_code)
		*ret_code = code;
	return command.memory;
}

static cl_int CL_API_CALL svm_copy(cl_command_queue queue, cl_bool blocking, void *to,
                                   const void *from, size_t size, cl_uint count,
                                   const cl_event *list, cl_event *event)
{
	struct command command = {BASE(COMMAND_SVM_COPY), .blocking = blocking, .memory = to,
	                          .from = from, .size = size};

	return plant(&command);
}

static cl_int CL_API_CALL svm_map(cl_command_queue queue, cl_bool blocking, cl_map_flags flags,
                                  void *memory, size_t size, cl_uint count, const cl_event *list,
                                  cl_event *event)
{
	struct command command = {BASE(COMMAND_SVM_MAP), .blocking = blocking, .flags = flags,
	                          .memory = memory, .size = size};

	return plant(&command);
}

cl_int command_send(struct command *c)
{
	const struct _cl_icd_dispatch *real = layer_real;
	cl_int code = CL_SUCCESS;

	switch (c->kind) {
	case COMMAND_KERNEL:
		return real->clEnqueueNDRangeKernel(c->queue, c->kernel, c->dimensions, c->offsets,
		                                    c->global, c->local, c->count, c->list,
		                                    c->event);
	case COMMAND_FILL:
		return real->clEnqueueFillBuffer(c->queue, c->buffer, c->from, c->pattern_size,
		                                 c->offset, c->size, c->count, c->list, c->event);
	case COMMAND_COPY:
		return real->clEnqueueCopyBuffer(c->queue, c->buffer, c->to, c->offset,
		                                 c->to_offset, c->size, c->count, c->list,
		                                 c->event);
	case COMMAND_READ:
		return real->clEnqueueReadBuffer(c->queue, c->buffer, c->blocking, c->offset,
		                                 c->size, c->memory, c->count, c->list, c->event);
	case COMMAND_WRITE:
		return real->clEnqueueWriteBuffer(c->queue, c->buffer, c->blocking, c->offset,
		                                  c->size, c->from, c->count, c->list, c->event);
	case COMMAND_MARKER:
		return real->clEnqueueMarkerWithWaitList(c->queue, c->count, c->list, c->event);
	case COMMAND_MAP:
		c->memory = real->clEnqueueMapBuffer(c->queue, c->buffer, c->blocking, c->flags,
		                                     c->offset, c->size, c->count, c->list,
		                                     c->event, &code);
		return code;
	case COMMAND_SVM_COPY:
		return real->clEnqueueSVMMemcpy(c->queue, c->blocking, c->memory, c->from, c->size,
		                                c->count, c->list, c->event);
	case COMMAND_SVM_MAP:
		return real->clEnqueueSVMMap(c->queue, c->blocking, c->flags, c->memory, c->size,
		                             c->count, c->list, c->event);
	}
	return CL_INVALID_OPERATION;
}

void commands_init(struct _cl_icd_dispatch *layer, unsigned kinds,
                   cl_int (*change)(struct command *command))
{
	plant = change;
	if (kinds & COMMAND_KERNEL)
		layer->clEnqueueNDRangeKernel = kernel;
	if (kinds & COMMAND_FILL)
		layer->clEnqueueFillBuffer = fill;
	if (kinds & COMMAND_COPY)
		layer->clEnqueueCopyBuffer = copy;
	if (kinds & COMMAND_READ)
		layer->clEnqueueReadBuffer = read_buffer;
	if (kinds & COMMAND_WRITE)
		layer->clEnqueueWriteBuffer = write_buffer;
	if (kinds & COMMAND_MARKER)
		layer->clEnqueueMarkerWithWaitList = marker;
	if (kinds & COMMAND_MAP)
		layer->clEnqueueMapBuffer = map;
	if (kinds & COMMAND_SVM_COPY)
		layer->clEnqueueSVMMemcpy = svm_copy;
	if (kinds & COMMAND_SVM_MAP)
		layer->clEnqueueSVMMap = svm_map;
}
