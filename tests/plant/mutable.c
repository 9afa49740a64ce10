// SPDX-License-Identifier: Apache-2.0
/*
 * Kernels that are changed between replays, for a driver that has command buffers and not that: a
 * layer of the ICD loader (OPENCL_LAYERS) that claims cl_khr_command_buffer_mutable_dispatch. A
 * command buffer is a list of kernels here, each with the arguments that it has at the time and
 * with its launch, and a replay enqueues them. Nothing but kernels is recorded. They may be
 * recorded for several queues, cl_khr_command_buffer_multi_device.
 *
 * OCLMM_MUTABLE_LACK names a function that is claimed and not there; `arguments`: nothing can be
 * changed; `offset`, `size`, `local`: not that of a launch; `queues`: there is one for all;
 * `event`: that of a replay waits for what is played in its first queue alone.
 * OCLMM_MUTABLE_LATE=1: what a replay plays is looked up when the next command is enqueued.
 */
#include "plant/changed_kernel.h"
#include "plant/icd_layer.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "claims.h"

ICD_LAYER("oclmm mutable dispatch");

static const char extension[] =
	"cl_khr_command_buffer_mutable_dispatch cl_khr_command_buffer_multi_device";

enum {
	ARGUMENTS_MOST = 16,
	COMMANDS_MOST = 16,
	KERNELS_MOST = 512,
	EVENTS_MOST = 64,
	QUEUES_MOST = 4
};

struct arguments {
	size_t size[ARGUMENTS_MOST]; /* 0: not set */
	uint64_t value[ARGUMENTS_MOST];
};

/* What kernels have been given, by the application's only thread that sets arguments. */
static struct {
	cl_kernel kernel;
	struct arguments arguments;
} kernels[KERNELS_MOST];

struct recorded {
	cl_command_queue queue; /* NULL: that of the replay */
	cl_kernel kernel;
	struct arguments arguments;
	size_t offset, global, local; /* local: 0 where the driver chooses it */
	cl_uint after[COMMANDS_MOST], after_count;
	cl_ulong updatable;
};

struct buffer {
	cl_command_queue queue[QUEUES_MOST];
	cl_uint queue_count;
	struct recorded command[COMMANDS_MOST];
	cl_uint count;
	bool updatable, finalized;
};

static struct arguments *arguments_of(cl_kernel kernel)
{
	for (size_t i = 0; i < KERNELS_MOST; i++) {
		if (!kernels[i].kernel)
			kernels[i].kernel = kernel;
		if (kernels[i].kernel == kernel)
			return &kernels[i].arguments;
	}
	abort();
}

static bool set_one(struct arguments *arguments, cl_uint index, size_t size, const void *value)
{
	if (index >= ARGUMENTS_MOST || size > sizeof(*arguments->value) || !value)
		return false;
	arguments->size[index] = size;
	memcpy(&arguments->value[index], value, size);
	return true;
}

static cl_int CL_API_CALL set_argument(cl_kernel kernel, cl_uint index, size_t size,
                                       const void *value)
{
	set_one(arguments_of(kernel), index, size, value);
	return layer_real->clSetKernelArg(kernel, index, size, value);
}

/* Of kernels that are gone a new one may have the handle. */
static cl_kernel CL_API_CALL create_kernel(cl_program program, const char *name, cl_int *code)
{
	cl_kernel kernel = layer_real->clCreateKernel(program, name, code);

	if (kernel)
		*arguments_of(kernel) = (struct arguments){0};
	return kernel;
}

/* ---- command buffers ---- */

static cl_ulong value_of(const cl_ulong *properties, cl_ulong name)
{
	for (; properties && properties[0]; properties += 2)
		if (properties[0] == name)
			return properties[1];
	return 0;
}

/* cl_mutable_dispatch_fields_khr, and what OCLMM_MUTABLE_LACK calls them */
static const struct field {
	const char *name;
	cl_ulong bit;
} fields[] = {{"offset", 1 << 0}, {"size", 1 << 1}, {"local", 1 << 2}, {"arguments", 1 << 3}};

static bool lacks(const char *name)
{
	const char *lacking = getenv("OCLMM_MUTABLE_LACK");

	return lacking && strcmp(lacking, name) == 0;
}

static cl_ulong changeable(void)
{
	cl_ulong all = 0;

	for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++)
		all |= lacks(fields[i].name) ? 0 : fields[i].bit;
	return lacks("arguments") ? 0 : all;
}

static struct buffer *CL_API_CALL create(cl_uint count, const cl_command_queue *queues,
                                         const cl_ulong *properties, cl_int *code)
{
	bool fits = count >= 1 && count <= (lacks("queues") ? 1 : QUEUES_MOST);
	struct buffer *made = fits ? calloc(1, sizeof(*made)) : NULL;

	if (made) {
		memcpy(made->queue, queues, count * sizeof(*queues));
		made->queue_count = count;
		/* CL_COMMAND_BUFFER_FLAGS_KHR, CL_COMMAND_BUFFER_MUTABLE_KHR */
		made->updatable = value_of(properties, 0x1293) & 2;
	}
	if (code)
		*code = made ? CL_SUCCESS : CL_INVALID_VALUE;
	return made;
}

static cl_int CL_API_CALL finalize(struct buffer *buffer)
{
	buffer->finalized = true;
	return CL_SUCCESS;
}

static cl_int CL_API_CALL release(struct buffer *buffer)
{
	free(buffer);
	return CL_SUCCESS;
}

static cl_int CL_API_CALL record(struct buffer *buffer, cl_command_queue queue,
                                 const cl_ulong *properties, cl_kernel kernel, cl_uint dimensions,
                                 const size_t *offset, const size_t *global, const size_t *local,
                                 cl_uint after_count, const cl_uint *after, cl_uint *sync_point,
                                 struct recorded **handle)
{
	struct recorded *command = &buffer->command[buffer->count];
	bool has = buffer->queue_count == 1 && !queue;

	for (cl_uint i = 0; i < buffer->queue_count; i++)
		has |= buffer->queue_count > 1 && buffer->queue[i] == queue;
	if (!has || dimensions != 1 || buffer->count == COMMANDS_MOST ||
	    after_count > COMMANDS_MOST || buffer->finalized)
		return CL_INVALID_OPERATION;
	*command = (struct recorded){
		.queue = queue,
		.kernel = kernel,
		.arguments = *arguments_of(kernel),
		.offset = offset ? *offset : 0,
		.global = *global,
		.local = local ? *local : 0,
		.after_count = after_count,
		/* CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR */
		.updatable = value_of(properties, 0x12B1) & changeable(),
	};
	for (cl_uint i = 0; i < after_count; i++)
		command->after[i] = after[i];
	if (sync_point)
		*sync_point = buffer->count;
	if (handle)
		*handle = command;
	buffer->count++;
	return CL_SUCCESS;
}

static cl_int send(cl_command_queue queue, const struct recorded *command, cl_uint count,
                   const cl_event *waits, const cl_event *events, cl_event *event)
{
	cl_event list[EVENTS_MOST];
	cl_int code = count + command->after_count > EVENTS_MOST ? CL_INVALID_EVENT_WAIT_LIST
	                                                         : CL_SUCCESS;

	for (cl_uint i = 0; code == CL_SUCCESS && i < ARGUMENTS_MOST; i++)
		if (command->arguments.size[i])
			code = layer_real->clSetKernelArg(command->kernel, i,
			                                  command->arguments.size[i],
			                                  &command->arguments.value[i]);
	if (code != CL_SUCCESS)
		return code;
	for (cl_uint i = 0; i < count; i++)
		list[i] = waits[i];
	for (cl_uint i = 0; i < command->after_count; i++)
		list[count + i] = events[command->after[i]];
	count += command->after_count;
	return layer_real->clEnqueueNDRangeKernel(queue, command->kernel, 1, &command->offset,
	                                          &command->global,
	                                          command->local ? &command->local : NULL, count,
	                                          count ? list : NULL, event);
}

/* The event of the whole is that of a marker for all. */
static cl_int play(cl_command_queue queue, struct buffer *buffer, cl_uint wait_count,
                   const cl_event *waits, cl_event *event)
{
	cl_event events[COMMANDS_MOST], ends[COMMANDS_MOST];
	cl_uint sent = 0, end_count = 0;
	cl_int code = buffer->finalized ? CL_SUCCESS : CL_INVALID_OPERATION;

	while (code == CL_SUCCESS && sent < buffer->count) {
		const struct recorded *command = &buffer->command[sent];
		cl_command_queue own = command->queue ? command->queue : queue;

		code = send(own, command, wait_count, waits, events, &events[sent]);
		if (code == CL_SUCCESS && (own == queue || !lacks("event")))
			ends[end_count++] = events[sent];
		sent += code == CL_SUCCESS;
	}
	if (code == CL_SUCCESS && event)
		code = layer_real->clEnqueueMarkerWithWaitList(queue, end_count, ends, event);
	for (cl_uint i = 0; i < sent; i++)
		layer_real->clReleaseEvent(events[i]);
	return code;
}

/* A replay that has not been played yet. */
static struct {
	cl_command_queue queue;
	struct buffer *buffer; /* NULL: there is none */
} held;

static cl_int play_held(void)
{
	struct buffer *buffer = held.buffer;

	held.buffer = NULL;
	return buffer ? play(held.queue, buffer, 0, NULL, NULL) : CL_SUCCESS;
}

static cl_int CL_API_CALL replay(cl_uint count, const cl_command_queue *queues,
                                 struct buffer *buffer, cl_uint wait_count, const cl_event *waits,
                                 cl_event *event)
{
	cl_command_queue queue = count ? queues[0] : buffer->queue[0];
	cl_int code = play_held();

	if (code != CL_SUCCESS || !getenv("OCLMM_MUTABLE_LATE") || wait_count || event)
		return code == CL_SUCCESS ? play(queue, buffer, wait_count, waits, event) : code;
	held.queue = queue;
	held.buffer = buffer;
	return CL_SUCCESS;
}

static cl_int CL_API_CALL launch(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                 const size_t *offset, const size_t *global, const size_t *local,
                                 cl_uint wait_count, const cl_event *waits, cl_event *event)
{
	struct arguments now = *arguments_of(kernel);
	cl_int code = play_held();

	/* which may be a run of the same kernel */
	for (cl_uint i = 0; code == CL_SUCCESS && i < ARGUMENTS_MOST; i++)
		if (now.size[i])
			code = layer_real->clSetKernelArg(kernel, i, now.size[i], &now.value[i]);
	return code == CL_SUCCESS
	               ? layer_real->clEnqueueNDRangeKernel(queue, kernel, dimensions, offset,
	                                                    global, local, wait_count, waits, event)
	               : code;
}

static cl_ulong changed_by(const struct changed_kernel *c)
{
	return (c->offset ? 1u << 0 : 0) | (c->global ? 1u << 1 : 0) | (c->local ? 1u << 2 : 0) |
	       (c->arguments ? 1u << 3 : 0);
}

static cl_int CL_API_CALL update(struct buffer *buffer, cl_uint count, const cl_uint *kinds,
                                 const struct changed_kernel **changes)
{
	if (!buffer->finalized || !buffer->updatable)
		return CL_INVALID_OPERATION;
	for (cl_uint i = 0; i < count; i++) {
		const struct changed_kernel *c = changes[i];
		struct recorded *command = c->command;

		if (kinds[i] != 0 || c->svm_arguments || c->infos || c->dimensions > 1 ||
		    (c->argument == NULL) != (c->arguments == 0))
			return CL_INVALID_VALUE;
		if (changed_by(c) & ~command->updatable)
			return CL_INVALID_OPERATION;
		command->offset = c->offset ? *c->offset : command->offset;
		command->global = c->global ? *c->global : command->global;
		command->local = c->local ? *c->local : command->local;
		for (cl_uint k = 0; k < c->arguments; k++)
			if (!set_one(&command->arguments, c->argument[k].index, c->argument[k].size,
			             c->argument[k].value))
				return CL_INVALID_ARG_INDEX;
	}
	return CL_SUCCESS;
}

/* ---- what the layer replaces ---- */

static void *CL_API_CALL find_function(cl_platform_id platform, const char *name)
{
	struct buffer *(CL_API_CALL * own_create)(cl_uint, const cl_command_queue *,
	                                          const cl_ulong *, cl_int *) = create;
	cl_int(CL_API_CALL * own_end[])(struct buffer *) = {finalize, release};
	cl_int(CL_API_CALL * own_record)(struct buffer *, cl_command_queue, const cl_ulong *,
	                                 cl_kernel, cl_uint, const size_t *, const size_t *,
	                                 const size_t *, cl_uint, const cl_uint *, cl_uint *,
	                                 struct recorded **) = record;
	cl_int(CL_API_CALL * own_replay)(cl_uint, const cl_command_queue *, struct buffer *,
	                                 cl_uint, const cl_event *, cl_event *) = replay;
	cl_int(CL_API_CALL * own_update)(struct buffer *, cl_uint, const cl_uint *,
	                                 const struct changed_kernel **) = update;
	const struct {
		const char *name;
		const void *function;
	} functions[] = {
		{"clCreateCommandBufferKHR", &own_create},
		{"clFinalizeCommandBufferKHR", &own_end[0]},
		{"clReleaseCommandBufferKHR", &own_end[1]},
		{"clCommandNDRangeKernelKHR", &own_record},
		{"clEnqueueCommandBufferKHR", &own_replay},
		{"clUpdateMutableCommandsKHR", &own_update},
	};
	void *address;

	if (lacks(name))
		return NULL;
	for (size_t i = 0; i < sizeof(functions) / sizeof(*functions); i++) {
		if (strcmp(name, functions[i].name) != 0)
			continue;
		memcpy(&address, functions[i].function, sizeof(address));
		return address;
	}
	return layer_real->clGetExtensionFunctionAddressForPlatform(platform, name);
}

static cl_int CL_API_CALL get_device_info(cl_device_id device, cl_device_info what, size_t size,
                                          void *value, size_t *ret_size)
{
	const cl_bitfield capabilities = changeable();
	cl_bitfield own = 0;

	if (what == 0x12A9 /* CL_DEVICE_COMMAND_BUFFER_CAPABILITIES_KHR */) {
		cl_int code = layer_real->clGetDeviceInfo(device, what, sizeof(own), &own, NULL);

		own |= lacks("queues") ? 0 : 1 << 4; /* …MULTIPLE_QUEUE_KHR */
		return code == CL_SUCCESS ? claims_answer(&own, sizeof(own), size, value, ret_size)
		                          : code;
	}
	if (what == 0x12B0 /* CL_DEVICE_MUTABLE_DISPATCH_CAPABILITIES_KHR */)
		return claims_answer(&capabilities, sizeof(capabilities), size, value, ret_size);
	return claims_device_info(device, what, size, value, ret_size);
}

bool layer_start(struct _cl_icd_dispatch *own)
{
	own->clGetExtensionFunctionAddressForPlatform = find_function;
	claims_begin(own, extension);
	own->clGetDeviceInfo = get_device_info;
	own->clSetKernelArg = set_argument;
	own->clCreateKernel = create_kernel;
	own->clEnqueueNDRangeKernel = launch;
	return true;
}
