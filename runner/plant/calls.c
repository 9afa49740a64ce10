// SPDX-License-Identifier: Apache-2.0
/*
 * Plants in the calls that enqueue commands and wait for them: programs pass
 * unchanged, what orders them does not hold.
 */
#include "layer.h"

#include <stdlib.h>

#include "oclmm/base.h"

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

/* An event that is complete, in the context of a queue; NULL where there can be none. */
static cl_event complete_event(cl_command_queue queue)
{
	cl_context context;
	cl_event event;
	cl_int code = layer_real->clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof(context),
	                                                &context, NULL);

	event = code == CL_SUCCESS ? layer_real->clCreateUserEvent(context, &code) : NULL;
	if (event)
		layer_real->clSetUserEventStatus(event, CL_COMPLETE);
	return event;
}

/* Gives the application an event in place of that of its command. */
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

void calls_init(struct _cl_icd_dispatch *layer)
{
	const unsigned ordered = COMMAND_KERNEL | COMMAND_FILL | COMMAND_COPY | COMMAND_READ |
	                         COMMAND_WRITE | COMMAND_MARKER;

	switch (layer_plant.bug) {
	case PLANT_FLUSH_LOST: flush_init(layer); break;
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
	case PLANT_START_CHANGED: starts_init(layer); break;
	case PLANT_ARGUMENT_KEPT:
	case PLANT_ARGUMENT_LATE: arguments_init(layer); break;
	case PLANT_OFFSET_IGNORED:
	case PLANT_OFFSET_DOUBLED:
	case PLANT_OFFSET_FIRST:
	case PLANT_ROWS_SWAPPED:
	case PLANT_GROUP_REPEATED: ranges_init(layer); break;
	default:
		short_init(layer);
		waits_init(layer);
		break;
	}
}
