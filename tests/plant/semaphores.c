// SPDX-License-Identifier: Apache-2.0
/*
 * Semaphores for a driver that has none: a layer of the ICD loader (OPENCL_LAYERS) that adds
 * cl_khr_semaphore to what the devices claim, and makes signals and waits of fills and events. In
 * a queue that executes out of order neither waits for its neighbours, as the extension has it.
 *
 * OCLMM_SEMAPHORES_LACK names a function that is claimed and not there.
 */
#include "plant/icd_layer.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "claims.h"

ICD_LAYER("oclmm semaphores");

static const char extension[] = "cl_khr_semaphore";

struct semaphore {
	cl_event signal; /* of the last one; NULL where that has been waited for */
};

enum { EVENTS_MOST = 64 };

static struct semaphore *CL_API_CALL create(cl_context context, const cl_ulong *properties,
                                            cl_int *code)
{
	struct semaphore *made = calloc(1, sizeof(*made));

	(void)context;
	/* CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR */
	if (!properties || properties[0] != 0x203D || properties[1] != 1) {
		free(made);
		made = NULL;
	}
	if (code)
		*code = made ? CL_SUCCESS : CL_INVALID_PROPERTY;
	return made;
}

static void forget(struct semaphore *semaphore)
{
	if (semaphore->signal)
		layer_real->clReleaseEvent(semaphore->signal);
	semaphore->signal = NULL;
}

static cl_int CL_API_CALL release(struct semaphore *semaphore)
{
	forget(semaphore);
	free(semaphore);
	return CL_SUCCESS;
}

/* A command that waits for the list, for a barrier before it, and in an in-order queue for all that
 * is before it. A marker without a list would wait for all in every queue: this one fills a buffer
 * of its own. */
static cl_int send(cl_command_queue queue, cl_uint count, const cl_event *list, cl_event *event)
{
	const cl_uint zero = 0;
	cl_context context = NULL;
	cl_mem own;
	cl_int code = layer_real->clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof(context),
	                                                &context, NULL);

	if (code != CL_SUCCESS)
		return code;
	own = layer_real->clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof(zero), NULL, &code);
	if (!own)
		return code;
	code = layer_real->clEnqueueFillBuffer(queue, own, &zero, sizeof(zero), 0, sizeof(zero),
	                                       count, count ? list : NULL, event);
	layer_real->clReleaseMemObject(own);
	return code;
}

static cl_int CL_API_CALL signal_all(cl_command_queue queue, cl_uint count,
                                     struct semaphore *const *semaphores, const cl_ulong *payloads,
                                     cl_uint wait_count, const cl_event *waits, cl_event *event)
{
	cl_event done = NULL;
	cl_int code = send(queue, wait_count, waits, &done);

	(void)payloads;
	for (cl_uint i = 0; code == CL_SUCCESS && i < count; i++) {
		forget(semaphores[i]);
		layer_real->clRetainEvent(done);
		semaphores[i]->signal = done;
	}
	if (code == CL_SUCCESS && event)
		*event = done;
	else if (code == CL_SUCCESS)
		layer_real->clReleaseEvent(done);
	return code;
}

static cl_int CL_API_CALL wait_for_all(cl_command_queue queue, cl_uint count,
                                       struct semaphore *const *semaphores,
                                       const cl_ulong *payloads, cl_uint wait_count,
                                       const cl_event *waits, cl_event *event)
{
	cl_event list[EVENTS_MOST];
	cl_uint listed = 0;
	cl_int code;

	(void)payloads;
	if (count + wait_count > EVENTS_MOST)
		return CL_INVALID_VALUE;
	for (cl_uint i = 0; i < wait_count; i++)
		list[listed++] = waits[i];
	for (cl_uint i = 0; i < count; i++) {
		/* it would wait for ever */
		if (!semaphores[i]->signal)
			return CL_INVALID_VALUE;
		list[listed++] = semaphores[i]->signal;
	}
	code = send(queue, listed, list, event);
	for (cl_uint i = 0; i < count; i++)
		forget(semaphores[i]);
	return code;
}

/* ---- what the layer replaces ---- */

static void *CL_API_CALL find_function(cl_platform_id platform, const char *name)
{
	struct semaphore *(CL_API_CALL * own_create)(cl_context, const cl_ulong *,
	                                             cl_int *) = create;
	cl_int(CL_API_CALL * own_release)(struct semaphore *) = release;
	cl_int(CL_API_CALL * own_send[])(cl_command_queue, cl_uint, struct semaphore *const *,
	                                 const cl_ulong *, cl_uint, const cl_event *,
	                                 cl_event *) = {signal_all, wait_for_all};
	const struct {
		const char *name;
		const void *function;
	} functions[] = {
		{"clCreateSemaphoreWithPropertiesKHR", &own_create},
		{"clReleaseSemaphoreKHR", &own_release},
		{"clEnqueueSignalSemaphoresKHR", &own_send[0]},
		{"clEnqueueWaitSemaphoresKHR", &own_send[1]},
	};
	const char *lacking = getenv("OCLMM_SEMAPHORES_LACK");
	void *address;

	for (size_t i = 0; i < sizeof(functions) / sizeof(*functions); i++) {
		if (strcmp(name, functions[i].name) != 0)
			continue;
		if (lacking && strcmp(name, lacking) == 0)
			return NULL;
		memcpy(&address, functions[i].function, sizeof(address));
		return address;
	}
	return layer_real->clGetExtensionFunctionAddressForPlatform(platform, name);
}

bool layer_start(struct _cl_icd_dispatch *own)
{
	own->clGetExtensionFunctionAddressForPlatform = find_function;
	claims_begin(own, extension);
	return true;
}
