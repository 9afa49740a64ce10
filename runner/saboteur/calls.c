// SPDX-License-Identifier: Apache-2.0
/*
 * Plants in the calls that enqueue commands and wait for them: programs pass
 * unchanged, what orders them does not hold.
 */
#include "layer.h"

#include <pthread.h>
#include <stdlib.h>

#include "oclmm/base.h"

/* A call on its way to the driver. */
struct call {
	cl_command_queue queue;
	cl_uint count; /* of its wait list */
	const cl_event *list;
	cl_event *event; /* where the application has it; NULL: it asks for none */
};

static struct call begin(cl_command_queue queue, cl_uint count, const cl_event *list,
                         cl_event *event)
{
	struct call call = {queue, count, list, event};

	if (layer_plant.bug == SABOTEUR_WAIT_LIST_IGNORED && count > 0) {
		call.count = 0;
		call.list = NULL;
		layer_note(LAYER_CALL, 1);
	} else if (layer_plant.bug == SABOTEUR_WAIT_LIST_FIRST && count > 1) {
		call.count = 1;
		layer_note(LAYER_CALL, 1);
	}
	return call;
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
static cl_int end(const struct call *call, cl_int code)
{
	cl_event early;

	if (layer_plant.bug != SABOTEUR_EVENT_EARLY || code != CL_SUCCESS || !call->event)
		return code;
	early = complete_event(call->queue);
	if (early) {
		layer_real->clReleaseEvent(*call->event);
		*call->event = early;
		layer_note(LAYER_CALL, 1);
	}
	return code;
}

/* ---- commands ---------------------------------------------------------- */

static cl_int CL_API_CALL kernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                 const size_t *offset, const size_t *global, const size_t *local,
                                 cl_uint count, const cl_event *list, cl_event *event)
{
	struct call call = begin(queue, count, list, event);

	return end(&call,
	           layer_real->clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global,
	                                              local, call.count, call.list, event));
}

static cl_int CL_API_CALL fill(cl_command_queue queue, cl_mem buffer, const void *pattern,
                               size_t pattern_size, size_t offset, size_t size, cl_uint count,
                               const cl_event *list, cl_event *event)
{
	struct call call = begin(queue, count, list, event);

	return end(&call,
	           layer_real->clEnqueueFillBuffer(queue, buffer, pattern, pattern_size, offset,
	                                           size, call.count, call.list, event));
}

static cl_int CL_API_CALL copy(cl_command_queue queue, cl_mem from, cl_mem to, size_t from_offset,
                               size_t to_offset, size_t size, cl_uint count, const cl_event *list,
                               cl_event *event)
{
	struct call call = begin(queue, count, list, event);

	return end(&call, layer_real->clEnqueueCopyBuffer(queue, from, to, from_offset, to_offset,
	                                                  size, call.count, call.list, event));
}

static cl_int CL_API_CALL read_buffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                      size_t offset, size_t size, void *to, cl_uint count,
                                      const cl_event *list, cl_event *event)
{
	struct call call = begin(queue, count, list, event);

	return end(&call, layer_real->clEnqueueReadBuffer(queue, buffer, blocking, offset, size, to,
	                                                  call.count, call.list, event));
}

static cl_int CL_API_CALL write_buffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                       size_t offset, size_t size, const void *from, cl_uint count,
                                       const cl_event *list, cl_event *event)
{
	struct call call = begin(queue, count, list, event);

	return end(&call, layer_real->clEnqueueWriteBuffer(queue, buffer, blocking, offset, size,
	                                                   from, call.count, call.list, event));
}

static cl_int CL_API_CALL marker(cl_command_queue queue, cl_uint count, const cl_event *list,
                                 cl_event *event)
{
	struct call call = begin(queue, count, list, event);

	return end(&call,
	           layer_real->clEnqueueMarkerWithWaitList(queue, call.count, call.list, event));
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

/* What waits for nothing gives an event that is complete. */
static cl_int wait_for_nothing(cl_command_queue queue, cl_event *event)
{
	cl_event early = event ? complete_event(queue) : NULL;

	layer_note(LAYER_CALL, 1);
	if (event && !early)
		return CL_OUT_OF_RESOURCES;
	if (event)
		*event = early;
	return CL_SUCCESS;
}

static cl_int CL_API_CALL free_barrier(cl_command_queue queue, cl_uint count, const cl_event *list,
                                       cl_event *event)
{
	(void)count;
	(void)list;
	return wait_for_nothing(queue, event);
}

static cl_int CL_API_CALL free_marker(cl_command_queue queue, cl_uint count, const cl_event *list,
                                      cl_event *event)
{
	(void)count;
	(void)list;
	return wait_for_nothing(queue, event);
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
	switch (layer_plant.bug) {
	case SABOTEUR_FLUSH_LOST: flush_init(layer); break;
	case SABOTEUR_EVENT_EARLY:
	case SABOTEUR_WAIT_LIST_IGNORED:
	case SABOTEUR_WAIT_LIST_FIRST:
		layer->clEnqueueNDRangeKernel = kernel;
		layer->clEnqueueFillBuffer = fill;
		layer->clEnqueueCopyBuffer = copy;
		layer->clEnqueueReadBuffer = read_buffer;
		layer->clEnqueueWriteBuffer = write_buffer;
		layer->clEnqueueMarkerWithWaitList = marker;
		break;
	case SABOTEUR_MAP_EMPTY:
		layer->clEnqueueMapBuffer = map;
		layer->clEnqueueUnmapMemObject = unmap;
		break;
	case SABOTEUR_FINISH_EARLY: layer->clFinish = finish; break;
	case SABOTEUR_QUEUE_UNORDERED:
		layer->clCreateCommandQueue = create_queue;
		layer->clCreateCommandQueueWithProperties = create_queue_with;
		break;
	case SABOTEUR_BARRIER_IGNORED:
		layer->clEnqueueBarrierWithWaitList = free_barrier;
		layer->clEnqueueMarkerWithWaitList = free_marker;
		break;
	case SABOTEUR_ORIGIN_IGNORED: layer->clCreateSubBuffer = create_sub_buffer; break;
	case SABOTEUR_START_CHANGED: starts_init(layer); break;
	case SABOTEUR_ARGUMENT_KEPT:
	case SABOTEUR_ARGUMENT_LATE: arguments_init(layer); break;
	case SABOTEUR_OFFSET_IGNORED:
	case SABOTEUR_OFFSET_DOUBLED:
	case SABOTEUR_OFFSET_FIRST:
	case SABOTEUR_ROWS_SWAPPED:
	case SABOTEUR_GROUP_REPEATED: ranges_init(layer); break;
	default:
		short_init(layer);
		waits_init(layer);
		break;
	}
}
