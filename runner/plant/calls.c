// SPDX-License-Identifier: Apache-2.0
/* Plants in calls: programs pass unchanged, and what the calls promise does not hold. */
#include "layer.h"

#include <stdlib.h>
#include <string.h>

#include "oclmm/base.h"

/* ---- what orders commands -------------------------------------------------- */

static cl_int cut_wait_list(struct command *command)
{
	cl_uint left = layer_plant.bug == PLANT_WAIT_LIST_FIRST;

	if (command->count > left) {
		command->count = left;
		command->list = left ? command->list : NULL;
		layer_note(LAYER_CALL, 1);
	}
	return command_send(command);
}

/* A user's event in the context of a queue; NULL where there can be none. */
static cl_event user_event(cl_command_queue queue)
{
	cl_context context;
	cl_int code = layer_real->clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof(context),
	                                                &context, NULL);

	return code == CL_SUCCESS ? layer_real->clCreateUserEvent(context, &code) : NULL;
}

/* The same, complete. */
static cl_event complete_event(cl_command_queue queue)
{
	cl_event event = user_event(queue);

	if (event)
		layer_real->clSetUserEventStatus(event, CL_COMPLETE);
	return event;
}

/* Gives the application a complete event in place of that of its command. */
static cl_int complete_early(struct command *command)
{
	cl_int code = command_send(command);
	cl_event early;

	if (code != CL_SUCCESS || !command->event)
		return code;
	early = complete_event(command->queue);
	if (early) {
		layer_real->clReleaseEvent(*command->event);
		*command->event = early;
		layer_note(LAYER_CALL, 1);
	}
	return code;
}

/* ---- waiting ------------------------------------------------------------- */

static cl_int CL_API_CALL finish(cl_command_queue queue)
{
	layer_note(LAYER_CALL, 1);
	return layer_real->clFlush(queue);
}

/* ---- order within a queue ------------------------------------------------ */

static cl_command_queue CL_API_CALL create_queue(cl_context context, cl_device_id device,
                                                 cl_command_queue_properties properties,
                                                 cl_int *code)
{
	layer_note(LAYER_CALL, 1);
	return layer_real->clCreateCommandQueue(context, device,
	                                        properties | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
	                                        code);
}

static cl_command_queue CL_API_CALL create_queue_with(cl_context context, cl_device_id device,
                                                      const cl_queue_properties *properties,
                                                      cl_int *code)
{
	cl_queue_properties changed[32] = {CL_QUEUE_PROPERTIES,
	                                   CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE};
	size_t count = 2;

	for (size_t i = 0; properties && properties[i] && count + 2 < OCLMM_COUNT(changed);
	     i += 2) {
		if (properties[i] == CL_QUEUE_PROPERTIES) {
			changed[1] |= properties[i + 1];
			continue;
		}
		changed[count++] = properties[i];
		changed[count++] = properties[i + 1];
	}
	layer_note(LAYER_CALL, 1);
	return layer_real->clCreateCommandQueueWithProperties(context, device, changed, code);
}

/* A barrier or a marker that waits for nothing; its event is complete. */
static cl_int CL_API_CALL wait_for_nothing(cl_command_queue queue, cl_uint count,
                                           const cl_event *list, cl_event *event)
{
	cl_event early = event ? complete_event(queue) : NULL;

	(void)count;
	(void)list;
	layer_note(LAYER_CALL, 1);
	if (event && !early)
		return CL_OUT_OF_RESOURCES;
	if (event)
		*event = early;
	return CL_SUCCESS;
}

/* ---- sub-buffers ---------------------------------------------------------- */

static cl_mem CL_API_CALL create_sub_buffer(cl_mem buffer, cl_mem_flags flags,
                                            cl_buffer_create_type type, const void *info,
                                            cl_int *code)
{
	cl_buffer_region region;

	if (type != CL_BUFFER_CREATE_TYPE_REGION || !info)
		return layer_real->clCreateSubBuffer(buffer, flags, type, info, code);
	region = *(const cl_buffer_region *)info;
	if (region.origin > 0)
		layer_note(LAYER_CALL, 1);
	region.origin = 0;
	return layer_real->clCreateSubBuffer(buffer, flags, type, &region, code);
}

/* ---- maps ---------------------------------------------------------------- */

/* Memory that an application was given in place of a mapped object. */
struct shadow {
	void *shadow, *real;
	struct shadow *next;
};
static struct shadow *shadows;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *CL_API_CALL map(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                             cl_map_flags flags, size_t offset, size_t size, cl_uint count,
                             const cl_event *list, cl_event *event, cl_int *ret_code)
{
	void *real = layer_real->clEnqueueMapBuffer(queue, buffer, blocking, flags, offset, size,
	                                            count, list, event, ret_code);
	struct shadow *shadow;

	if (!real)
		return NULL;
	shadow = oclmm_calloc(1, sizeof(*shadow));
	*shadow = (struct shadow){oclmm_calloc(1, size), real, NULL};
	pthread_mutex_lock(&lock);
	shadow->next = shadows;
	shadows = shadow;
	pthread_mutex_unlock(&lock);
	layer_note(LAYER_CALL, 1);
	return shadow->shadow;
}

/* What stands for `mapped`, which is forgotten; `mapped` itself where nothing does. */
static void *take_shadow(void *mapped)
{
	void *real = mapped;

	pthread_mutex_lock(&lock);
	for (struct shadow **link = &shadows; *link; link = &(*link)->next) {
		struct shadow *shadow = *link;

		if (shadow->shadow != mapped)
			continue;
		*link = shadow->next;
		real = shadow->real;
		free(shadow->shadow);
		free(shadow);
		break;
	}
	pthread_mutex_unlock(&lock);
	return real;
}

static cl_int CL_API_CALL unmap(cl_command_queue queue, cl_mem buffer, void *mapped, cl_uint count,
                                const cl_event *list, cl_event *event)
{
	return layer_real->clEnqueueUnmapMemObject(queue, buffer, take_shadow(mapped), count, list,
	                                           event);
}

/* That of the command whose event it is; NULL: a user's event has none. */
static cl_command_queue queue_of(cl_event event)
{
	cl_command_queue queue = NULL;
	cl_int code = layer_real->clGetEventInfo(event, CL_EVENT_COMMAND_QUEUE, sizeof(queue),
	                                         &queue, NULL);

	return code == CL_SUCCESS ? queue : NULL;
}

/* ---- calls that block ------------------------------------------------------ */

static cl_int do_not_block(struct command *command)
{
	if (command->blocking)
		layer_note(LAYER_CALL, 1);
	command->blocking = CL_FALSE;
	return command_send(command);
}

/* ---- events ------------------------------------------------------------------ */

/* The commands are sent, as the call promises. */
static cl_int CL_API_CALL wait_for_nobody(cl_uint count, const cl_event *list)
{
	for (cl_uint i = 0; i < count; i++) {
		cl_command_queue queue = queue_of(list[i]);

		if (queue)
			layer_real->clFlush(queue);
	}
	layer_note(LAYER_CALL, 1);
	return CL_SUCCESS;
}

static cl_int CL_API_CALL set_callback(cl_event event, cl_int status,
                                       void(CL_CALLBACK *call)(cl_event, cl_int, void *),
                                       void *data)
{
	if (!call)
		return layer_real->clSetEventCallback(event, status, call, data);
	layer_note(LAYER_CALL, 1);
	call(event, status, data);
	return CL_SUCCESS;
}

static cl_event CL_API_CALL create_user_event(cl_context context, cl_int *code)
{
	cl_event event = layer_real->clCreateUserEvent(context, code);

	if (event) {
		layer_note(LAYER_CALL, 1);
		layer_real->clSetUserEventStatus(event, CL_COMPLETE);
	}
	return event;
}

/* It is set already. */
static cl_int CL_API_CALL set_user_event(cl_event event, cl_int status)
{
	(void)event;
	(void)status;
	return CL_SUCCESS;
}

/* ---- commands that are never sent ------------------------------------------ */

/*
 * A plant in clFlush: it sends nothing. Drivers that send commands as they
 * come do not heed it, so that each command waits here for a gate of its queue, an
 * event that is set when the application does what sends commands all the same: clFinish, a
 * blocking call, clWaitForEvents (A:5.15), the end of the queue.
 */

struct gate {
	cl_command_queue queue;
	cl_event closed; /* NULL: all that it was given has been sent */
};

static pthread_mutex_t gates_lock = PTHREAD_MUTEX_INITIALIZER;
static struct gate *gates;
static size_t gate_count, gate_capacity;

/* With the lock. The address of a queue may come back as another one's. */
static struct gate *gate_of(cl_command_queue queue)
{
	for (size_t i = 0; i < gate_count; i++)
		if (gates[i].queue == queue)
			return &gates[i];
	oclmm_grow(&gates, &gate_capacity, gate_count, sizeof(*gates));
	gates[gate_count] = (struct gate){.queue = queue};
	return &gates[gate_count++];
}

/* The gate that a command waits for, NULL where there can be none. The caller releases it. */
static cl_event closed_gate(cl_command_queue queue)
{
	struct gate *gate;
	cl_event closed;

	pthread_mutex_lock(&gates_lock);
	gate = gate_of(queue);
	if (!gate->closed)
		gate->closed = user_event(queue);
	closed = gate->closed;
	if (closed)
		layer_real->clRetainEvent(closed);
	pthread_mutex_unlock(&gates_lock);
	return closed;
}

static void send(cl_command_queue queue)
{
	struct gate *gate;
	cl_event closed;

	pthread_mutex_lock(&gates_lock);
	gate = gate_of(queue);
	closed = gate->closed;
	gate->closed = NULL;
	pthread_mutex_unlock(&gates_lock);
	if (!closed)
		return;
	layer_real->clSetUserEventStatus(closed, CL_COMPLETE);
	layer_real->clReleaseEvent(closed);
}

/* ---- commands ------------------------------------------------------------- */

/* A wait list with the gate in it. */
struct held {
	cl_event *list;
	cl_uint count;
	cl_event gate;
};

static struct held hold(cl_command_queue queue, cl_uint count, const cl_event *list)
{
	struct held held = {oclmm_calloc((size_t)count + 1, sizeof(*held.list)), count,
	                    closed_gate(queue)};

	if (count > 0)
		memcpy(held.list, list, count * sizeof(*list));
	if (held.gate)
		held.list[held.count++] = held.gate;
	return held;
}

static cl_int send_behind_gate(struct command *command)
{
	struct held held = hold(command->queue, command->count, command->list);
	cl_int code;

	command->count = held.count;
	command->list = held.count > 0 ? held.list : NULL;
	code = command_send(command);
	if (held.gate)
		layer_real->clReleaseEvent(held.gate);
	free(held.list);
	return code;
}

static cl_int hold_back(struct command *command)
{
	/* these are not held back; commands before them are, unless these block */
	const unsigned free_ones = COMMAND_MAP | COMMAND_SVM_COPY | COMMAND_SVM_MAP;

	if (command->blocking)
		send(command->queue);
	return command->blocking || (command->kind & free_ones) ? command_send(command)
	                                                        : send_behind_gate(command);
}

/* ---- what sends ------------------------------------------------------------ */

static cl_int CL_API_CALL flush(cl_command_queue queue)
{
	(void)queue;
	layer_note(LAYER_CALL, 1);
	return CL_SUCCESS;
}

static cl_int CL_API_CALL finish_and_send(cl_command_queue queue)
{
	send(queue);
	return layer_real->clFinish(queue);
}

static cl_int CL_API_CALL wait_and_send(cl_uint count, const cl_event *list)
{
	for (cl_uint i = 0; i < count; i++) {
		cl_command_queue queue = queue_of(list[i]);

		if (queue)
			send(queue);
	}
	return layer_real->clWaitForEvents(count, list);
}

static cl_int CL_API_CALL release_queue(cl_command_queue queue)
{
	send(queue);
	return layer_real->clReleaseCommandQueue(queue);
}

/* ---- how much of a command is done, and where ------------------------------ */

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

/* ---- what a launch ranges over --------------------------------------------- */

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

static void swap_sizes(size_t *numbers)
{
	size_t first = numbers[0];

	numbers[0] = numbers[1];
	numbers[1] = first;
}

static bool swap_rows(struct range_given *given, cl_uint dimensions)
{
	if (dimensions < 2)
		return false;
	swap_sizes(given->offset);
	swap_sizes(given->global);
	swap_sizes(given->local);
	return true;
}

static void copy_sizes(size_t *ret_numbers, const size_t *given, cl_uint dimensions)
{
	for (cl_uint i = 0; given && i < dimensions; i++)
		ret_numbers[i] = given[i];
}

static cl_int change_range(struct command *c)
{
	struct range_given given = {.offset = {0}};
	bool changed = false;

	/* what is wrong with a call is the driver's to say */
	if (c->global && c->dimensions <= 3) {
		copy_sizes(given.offset, c->offsets, c->dimensions);
		copy_sizes(given.global, c->global, c->dimensions);
		copy_sizes(given.local, c->local, c->dimensions);
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
static cl_int repeat_group(struct command *command)
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

/* ---- arguments of kernels -------------------------------------------------- */

/*
 * Plants in the arguments of kernels: one that was launched keeps those of its first
 * launch, or gets what is set for it one launch too late.
 */

static void *duplicate(const void *value, size_t size)
{
	void *copy = value ? oclmm_calloc(1, size ? size : 1) : NULL;

	if (copy)
		memcpy(copy, value, size);
	return copy;
}

/* Takes what is set of a kernel that was launched; false where it was not. */
static bool take_argument(cl_kernel kernel, cl_uint index, size_t size, const void *value)
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

static cl_int CL_API_CALL set_argument(cl_kernel kernel, cl_uint index, size_t size,
                                       const void *value)
{
	if (!take_argument(kernel, index, size, value))
		return layer_real->clSetKernelArg(kernel, index, size, value);
	layer_note(LAYER_CALL, 1);
	return CL_SUCCESS;
}

/* Sets behind the launch what was set before it. */
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

static cl_int launch_and_set(struct command *command)
{
	cl_int code = command_send(command);

	set_late(command->kernel);
	return code;
}

/* ---- what a launch finds in memory ----------------------------------------- */

/*
 * A plant in what a launch finds: before each launch of a kernel but its first
 * one the buffer that is its first argument is filled with a number, where the
 * application left something else.
 */

static struct known_buffer *buffers;
static size_t buffer_count, buffer_capacity;
static cl_mem CL_API_CALL create_buffer(cl_context context, cl_mem_flags flags, size_t size,
                                        void *host, cl_int *code)
{
	cl_mem buffer = layer_real->clCreateBuffer(context, flags, size, host, code);

	if (!buffer)
		return NULL;
	pthread_mutex_lock(&kernels_lock);
	oclmm_grow(&buffers, &buffer_capacity, buffer_count, sizeof(*buffers));
	buffers[buffer_count++] = (struct known_buffer){buffer, size};
	pthread_mutex_unlock(&kernels_lock);
	return buffer;
}

/* The address may come back as another buffer's, and is that one's then. */
static struct known_buffer find_buffer(cl_mem buffer)
{
	for (size_t i = buffer_count; i > 0; i--) {
		if (buffers[i - 1].buffer == buffer)
			return buffers[i - 1];
	}
	return (struct known_buffer){0};
}

static void forget_buffer(cl_mem buffer)
{
	for (size_t i = 0; i < buffer_count;) {
		if (buffers[i].buffer == buffer)
			buffers[i] = buffers[--buffer_count];
		else
			i++;
	}
	kernels_forget_buffer(buffer);
}

static cl_int CL_API_CALL release_buffer(cl_mem buffer)
{
	pthread_mutex_lock(&kernels_lock);
	if (layer_is_last_buffer(buffer))
		forget_buffer(buffer);
	pthread_mutex_unlock(&kernels_lock);
	return layer_real->clReleaseMemObject(buffer);
}

static cl_int CL_API_CALL note_argument(cl_kernel kernel, cl_uint index, size_t size,
                                        const void *value)
{
	if (index == 0) {
		pthread_mutex_lock(&kernels_lock);
		kernels_find(kernel)->first = size == sizeof(cl_mem) && value
		                                      ? find_buffer(*(const cl_mem *)value)
		                                      : (struct known_buffer){0};
		pthread_mutex_unlock(&kernels_lock);
	}
	return layer_real->clSetKernelArg(kernel, index, size, value);
}

/* What is to be filled before a launch. */
static struct known_buffer note_launch(cl_kernel kernel)
{
	struct known_buffer first = {0};
	struct known_kernel *known;

	pthread_mutex_lock(&kernels_lock);
	known = kernels_find(kernel);
	if (known->launches++ > 0)
		first = known->first;
	pthread_mutex_unlock(&kernels_lock);
	return first;
}

static cl_int fill_and_launch(struct command *command)
{
	struct known_buffer first = note_launch(command->kernel);
	cl_uint number = (cl_uint)layer_plant.mutation.number;
	size_t size = first.size - first.size % sizeof(number);

	if (size > 0 && layer_real->clEnqueueFillBuffer(command->queue, first.buffer, &number,
	                                                sizeof(number), 0, size, command->count,
	                                                command->list, NULL) == CL_SUCCESS) {
		/* also where the queue keeps no order */
		layer_real->clEnqueueBarrierWithWaitList(command->queue, 0, NULL, NULL);
		layer_note(LAYER_CALL, 1);
	}
	return command_send(command);
}

/* ---- the calls of each plant ------------------------------------------------ */

void calls_init(struct _cl_icd_dispatch *layer)
{
	const unsigned transfers = COMMAND_FILL | COMMAND_COPY | COMMAND_READ | COMMAND_WRITE;
	const unsigned ordered = COMMAND_KERNEL | transfers | COMMAND_MARKER;

	switch (layer_plant.bug) {
	case PLANT_FLUSH_LOST:
		commands_init(layer,
		              COMMAND_KERNEL | COMMAND_FILL | COMMAND_COPY | COMMANDS_THAT_BLOCK,
		              hold_back);
		layer->clFlush = flush;
		layer->clFinish = finish_and_send;
		layer->clWaitForEvents = wait_and_send;
		layer->clReleaseCommandQueue = release_queue;
		break;
	case PLANT_EVENT_EARLY: commands_init(layer, ordered, complete_early); break;
	case PLANT_WAIT_LIST_IGNORED:
	case PLANT_WAIT_LIST_FIRST: commands_init(layer, ordered, cut_wait_list); break;
	case PLANT_MAP_EMPTY:
		layer->clEnqueueMapBuffer = map;
		layer->clEnqueueUnmapMemObject = unmap;
		break;
	case PLANT_FINISH_EARLY: layer->clFinish = finish; break;
	case PLANT_QUEUE_UNORDERED:
		layer->clCreateCommandQueue = create_queue;
		layer->clCreateCommandQueueWithProperties = create_queue_with;
		break;
	case PLANT_BARRIER_IGNORED:
		layer->clEnqueueBarrierWithWaitList = wait_for_nothing;
		layer->clEnqueueMarkerWithWaitList = wait_for_nothing;
		break;
	case PLANT_ORIGIN_IGNORED: layer->clCreateSubBuffer = create_sub_buffer; break;
	case PLANT_START_CHANGED:
		layer->clCreateBuffer = create_buffer;
		layer->clReleaseMemObject = release_buffer;
		layer->clReleaseKernel = kernels_release;
		layer->clSetKernelArg = note_argument;
		commands_init(layer, COMMAND_KERNEL, fill_and_launch);
		break;
	case PLANT_ARGUMENT_KEPT:
	case PLANT_ARGUMENT_LATE:
		layer->clReleaseKernel = kernels_release;
		layer->clSetKernelArg = set_argument;
		commands_init(layer, COMMAND_KERNEL, launch_and_set);
		break;
	case PLANT_OFFSET_IGNORED:
	case PLANT_OFFSET_DOUBLED:
	case PLANT_OFFSET_FIRST:
	case PLANT_ROWS_SWAPPED: commands_init(layer, COMMAND_KERNEL, change_range); break;
	case PLANT_GROUP_REPEATED: commands_init(layer, COMMAND_KERNEL, repeat_group); break;
	case PLANT_LAUNCH_SHORT: commands_init(layer, COMMAND_KERNEL, launch_less); break;
	case PLANT_TRANSFER_SHORT: commands_init(layer, transfers, shorten); break;
	case PLANT_TRANSFER_OFFSET: commands_init(layer, transfers, begin_at_0); break;
	case PLANT_MAP_OFFSET: commands_init(layer, COMMAND_MAP, begin_at_0); break;
	case PLANT_MIGRATE_LOST: layer->clEnqueueMigrateMemObjects = migrate; break;
	case PLANT_BLOCKING_IGNORED: commands_init(layer, COMMANDS_THAT_BLOCK, do_not_block); break;
	case PLANT_WAIT_EARLY: layer->clWaitForEvents = wait_for_nobody; break;
	case PLANT_CALLBACK_EARLY: layer->clSetEventCallback = set_callback; break;
	case PLANT_USER_EVENT_EARLY:
		layer->clCreateUserEvent = create_user_event;
		layer->clSetUserEventStatus = set_user_event;
		break;
	default: break;
	}
}
