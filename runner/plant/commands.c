// SPDX-License-Identifier: Apache-2.0
/* What plants share: the bug that is planted, its log, calls that enqueue commands as data that a
 * plant changes before the driver has it, and the kernels that are remembered. */
#include "layer.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "oclmm/base.h"

ICD_LAYER("oclmm plant");
struct plant layer_plant;

/* ---- the log --------------------------------------------------------------- */

static struct {
	pthread_mutex_t lock;
	size_t events[LAYER_EVENTS];
	size_t places;
	size_t untouched; /* texts in which nothing was to be changed */
} tally = {.lock = PTHREAD_MUTEX_INITIALIZER};

static const char *const words[LAYER_EVENTS] = {
	[LAYER_LOADED] = "loaded", [LAYER_SOURCE] = "source",           [LAYER_BINARY] = "binary",
	[LAYER_IL] = "il",         [LAYER_TWIN_FAILED] = "twin-failed", [LAYER_LAUNCH] = "launch",
	[LAYER_CALL] = "call",
};

void layer_append(const char *variable, const char *bytes, size_t length)
{
	const char *path = getenv(variable);
	int file = path && *path ? open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : -1;

	if (file < 0)
		return;
	if (write(file, bytes, length) != (ssize_t)length)
		fprintf(stderr, "oclmm plant: cannot write to %s\n", path);
	close(file);
}

void layer_note(enum layer_event event, size_t places)
{
	char line[128];
	int length = snprintf(line, sizeof(line), "%s %s %zu\n",
	                      plant_descriptions[layer_plant.bug].name, words[event], places);
	bool again;

	pthread_mutex_lock(&tally.lock);
	tally.events[event]++;
	tally.places += places;
	tally.untouched += event == LAYER_SOURCE && places == 0;
	again = event == LAYER_CALL && tally.events[event] > 1;
	pthread_mutex_unlock(&tally.lock);
	/* of calls there are many */
	if (!again)
		layer_append("OCLMM_PLANT_LOG", line, (size_t)length);
}

void layer_summarise(void)
{
	fprintf(stderr,
	        "oclmm plant: %s: %zu places changed in %zu programs; %zu had nothing to "
	        "change, "
	        "%zu came as binaries or IL\n",
	        plant_descriptions[layer_plant.bug].name, tally.places,
	        tally.events[LAYER_SOURCE] - tally.untouched, tally.untouched,
	        tally.events[LAYER_BINARY] + tally.events[LAYER_IL]);
	if (plant_by_launch(layer_plant.bug))
		fprintf(stderr, "oclmm plant: they ran in %zu launches\n",
		        tally.events[LAYER_LAUNCH]);
	if (plant_in_calls(layer_plant.bug))
		fprintf(stderr, "oclmm plant: %zu calls changed\n", tally.events[LAYER_CALL]);
	if (tally.events[LAYER_TWIN_FAILED])
		fprintf(stderr, "oclmm plant: %zu changed programs could not be built\n",
		        tally.events[LAYER_TWIN_FAILED]);
}

/* ---- commands -------------------------------------------------------------- */

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

/* ---- kernels --------------------------------------------------------------- */

pthread_mutex_t kernels_lock = PTHREAD_MUTEX_INITIALIZER;
static struct known_kernel *kernels;
static size_t kernel_count, kernel_capacity;

struct known_kernel *kernels_find(cl_kernel kernel)
{
	for (size_t i = 0; i < kernel_count; i++) {
		if (kernels[i].kernel == kernel)
			return &kernels[i];
	}
	oclmm_grow(&kernels, &kernel_capacity, kernel_count, sizeof(*kernels));
	kernels[kernel_count] = (struct known_kernel){.kernel = kernel};
	return &kernels[kernel_count++];
}

void kernels_forget_buffer(cl_mem buffer)
{
	for (size_t i = 0; i < kernel_count; i++) {
		if (kernels[i].first.buffer == buffer)
			kernels[i].first = (struct known_buffer){0};
	}
}

void kernels_drop_late(struct known_kernel *known)
{
	for (size_t i = 0; i < known->late_count; i++)
		free(known->late[i].value);
	known->late_count = 0;
}

cl_int CL_API_CALL kernels_release(cl_kernel kernel)
{
	if (layer_is_last_kernel(kernel)) {
		struct known_kernel *known;

		pthread_mutex_lock(&kernels_lock);
		known = kernels_find(kernel);
		if (known->twin)
			layer_real->clReleaseKernel(known->twin);
		kernels_drop_late(known);
		free(known->late);
		*known = kernels[--kernel_count];
		pthread_mutex_unlock(&kernels_lock);
	}
	return layer_real->clReleaseKernel(kernel);
}
