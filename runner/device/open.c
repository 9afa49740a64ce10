// SPDX-License-Identifier: Apache-2.0
/* Opened devices: contexts, queues, options of the compiler, and several devices of one context. */
/* clCreateCommandQueue() works on devices of every version */
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include "internal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- options of the compiler ---- */

/* The least that every kernel of this project needs of a language version. */
static const char language_probe[] =
	"kernel void probe(global atomic_int *x, global int *y)\n"
	"{\n"
	"\tatomic_store_explicit(x, 1, memory_order_relaxed, memory_scope_work_group);\n"
	"\t*y = atomic_load_explicit(x, memory_order_relaxed, memory_scope_work_group);\n"
	"}\n";

/*
 * Without -cl-std a compiler takes its highest 1.x (A:5.8.6.5). 3.0 comes
 * first: some 3.0 devices refuse 2.0, which is optional for them.
 */
static void find_options(struct oclmm_device *device)
{
	static const char *const standards[] = {"-cl-std=CL3.0", "-cl-std=CL2.0"};

	for (size_t i = 0; i < OCLMM_COUNT(standards) && !device->builds; i++) {
		snprintf(device->options, sizeof(device->options), "%s", standards[i]);
		device->builds = oclmm_device_accepts(device, language_probe);
		device->probe_count = 0;
	}
	/* a device with a compiler claims to take it: each test reports the refusal */
	if (!device->builds)
		snprintf(device->options, sizeof(device->options), "%s",
		         standards[device->info.major < 3]);
}

/* The user's options follow the language version. */
static int add_given_options(struct oclmm_device *device, struct oclmm_error *error)
{
	enum { MOST = 120 };
	const char *given = getenv(OCLMM_BUILD_OPTIONS);
	size_t length = strlen(device->options);

	if (given && *given) {
		if (strlen(given) > MOST)
			return oclmm_error_set(error, -EINVAL,
			                       OCLMM_BUILD_OPTIONS " is longer than %d characters",
			                       MOST);
		snprintf(device->options + length, sizeof(device->options) - length, " %s", given);
		if (device->builds && !oclmm_device_accepts(device, language_probe))
			return oclmm_error_set(error, -EINVAL,
			                       "%s builds nothing with " OCLMM_BUILD_OPTIONS "=%s",
			                       device->info.name, given);
		device->probe_count = 0;
	}
	snprintf(device->il_options, sizeof(device->il_options), "%s", device->options);
	return 0;
}

/* ---- opening and closing ---- */

int oclmm_device_open(const struct oclmm_device_list *list, size_t index, struct oclmm_error *error,
                      struct oclmm_device **ret_device)
{
	struct oclmm_device *device = oclmm_calloc(1, sizeof(*device));
	cl_int code;
	int r;

	device->info = list->devices[index];
	device->id = list->ids[index];
	device->producer = oclmm_device_settings.producer;
	device->context = clCreateContext(NULL, 1, &device->id, NULL, NULL, &code);
	r = oclmm_cl_made(error, "clCreateContext", device->context, code);
	if (r == 0)
		r = oclmm_queue_create(device, 0, error, &device->queue);
	if (r == 0 && device->info.major >= 2) {
		find_options(device);
		r = add_given_options(device, error);
	}
	if (r < 0) {
		oclmm_device_close(device);
		return r;
	}
	*ret_device = device;
	return 0;
}

/* The device of an identity, if it claims what it claimed. */
static int find_identified(const struct oclmm_device_list *list, const char *text, uint64_t claims,
                           struct oclmm_error *error, size_t *ret_index)
{
	for (size_t i = 0; i < list->count; i++) {
		struct oclmm_device_identity identity;

		oclmm_device_identify(list, i, &identity);
		if (strcmp(identity.text, text) != 0)
			continue;
		*ret_index = i;
		return identity.claims == claims
		               ? 0
		               : oclmm_error_set(error, -ENODEV,
		                                 "the device claims something else than "
		                                 "before: its version, orders, scopes or "
		                                 "features");
	}
	return oclmm_error_set(error, -ENODEV, "the device is not there any more");
}

int oclmm_device_open_identified(const struct oclmm_device_identity *wanted,
                                 struct oclmm_error *error, struct oclmm_device **ret_device)
{
	struct oclmm_device_list list;
	int r = oclmm_devices_list(error, &list);
	size_t own = 0, other = 0;

	if (r < 0)
		return r;
	r = find_identified(&list, wanted->text, wanted->claims, error, &own);
	if (r == 0 && *wanted->partner)
		r = find_identified(&list, wanted->partner, wanted->partner_claims, error, &other);
	if (r == 0)
		r = oclmm_device_open(&list, own, error, ret_device);
	if (r == 0 && *wanted->partner) {
		(*ret_device)->partner = list.ids[other];
		(*ret_device)->partner_info = list.devices[other];
	}
	oclmm_device_list_finish(&list);
	return r;
}

void oclmm_device_close(struct oclmm_device *device)
{
	if (!device)
		return;
	for (unsigned i = 0; i < OCLMM_SHARED_PROGRAMS; i++)
		if (device->shared[i].program)
			clReleaseProgram(device->shared[i].program);
	oclmm_buffers_forget(device);
	for (uint32_t i = 0; i < OCLMM_DEVICES_MAX; i++)
		oclmm_device_close(device->several[i]);
	for (uint32_t i = 0; i < device->count; i++)
		if (device->queues[i])
			clReleaseCommandQueue(device->queues[i]);
	if (device->queue && device->count == 0)
		clReleaseCommandQueue(device->queue);
	for (unsigned i = 0; i < OCLMM_QUEUE_EXTRAS; i++)
		if (device->extra[i])
			clReleaseCommandQueue(device->extra[i]);
	if (device->context)
		clReleaseContext(device->context);
	for (uint32_t i = 0; device->divided && i < device->count; i++)
		if (device->ids[i])
			clReleaseDevice(device->ids[i]);
	oclmm_text_finish(&device->last.module);
	free(device->driver_key);
	free(device);
}

/* ---- what others ask of it ---- */

const struct oclmm_device_info *oclmm_device_info(const struct oclmm_device *device)
{
	return &device->info;
}

cl_context oclmm_device_context(const struct oclmm_device *device)
{
	return device->context;
}

cl_command_queue oclmm_device_queue(const struct oclmm_device *device)
{
	return device->queue;
}

static int create_on_device(struct oclmm_device *device, struct oclmm_error *error,
                            cl_command_queue *ret_queue)
{
	/* such a queue always executes out of order (A:5.1) */
	static const cl_queue_properties properties[] = {
		CL_QUEUE_PROPERTIES,
		CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT |
			CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
		0,
	};
	cl_int code;

	*ret_queue = clCreateCommandQueueWithProperties(device->context, device->id, properties,
	                                                &code);
	return oclmm_cl_made(error, "clCreateCommandQueueWithProperties", *ret_queue, code);
}

int oclmm_device_extra_queue(struct oclmm_device *device, enum oclmm_extra_queue which,
                             struct oclmm_error *error, cl_command_queue *ret_queue)
{
	cl_command_queue *queue = &device->extra[which];
	int r = 0;

	if (!*queue)
		r = which == OCLMM_QUEUE_ON_DEVICE ? create_on_device(device, error, queue)
		                                   : oclmm_queue_create(device, 0, error, queue);
	*ret_queue = *queue;
	return r;
}

const char *oclmm_device_build_options(const struct oclmm_device *device)
{
	return device->options;
}

/*
 * ---- several devices of one context ----
 *
 * They are the parts that a device can be divided into (A:4.3), or it and the partner that was
 * chosen.
 */
/* Parts of one size; those left over are released. */
static int divide(const struct oclmm_device *whole, struct oclmm_device *several,
                  struct oclmm_error *error)
{
	uint32_t count = several->count;
	const cl_device_partition_property how[] = {CL_DEVICE_PARTITION_EQUALLY,
	                                            whole->info.compute_units / count, 0};
	cl_device_id ids[OCLMM_DIVISIONS];
	cl_uint made = 0;
	int r;

	several->divided = true;
	several->info.compute_units = whole->info.compute_units / count;
	r = OCLMM_CL_CALL(error, clCreateSubDevices, whole->id, how, OCLMM_DIVISIONS, ids, &made);
	for (cl_uint i = 0; r == 0 && i < made; i++) {
		if (i < count)
			several->ids[i] = ids[i];
		else
			clReleaseDevice(ids[i]);
	}
	/* no lack of a feature, which would be a skip: the device said that it can */
	if (r == 0 && made < count)
		return oclmm_error_set(error, -EIO,
		                       "clCreateSubDevices: %u parts where %u were asked for", made,
		                       count);
	return r;
}

/* What both can do. */
static void join_partner(const struct oclmm_device *device, struct oclmm_device *several)
{
	const struct oclmm_device_info *other = &device->partner_info;

	several->ids[0] = device->id;
	several->ids[1] = device->partner;
	if (other->max_work_group_size < several->info.max_work_group_size)
		several->info.max_work_group_size = other->max_work_group_size;
	if (other->local_memory < several->info.local_memory)
		several->info.local_memory = other->local_memory;
}

cl_device_id oclmm_device_id(const struct oclmm_device *device, uint32_t number)
{
	return device->count > 0 ? device->ids[number] : device->id;
}

int oclmm_device_queue_new(const struct oclmm_device *device, uint32_t number,
                           cl_command_queue_properties properties, struct oclmm_error *error,
                           cl_command_queue *ret_queue)
{
	cl_int code;

	*ret_queue = clCreateCommandQueue(device->context, oclmm_device_id(device, number),
	                                  properties, &code);
	return oclmm_cl_made(error, "clCreateCommandQueue", *ret_queue, code);
}

static int open_queues(struct oclmm_device *several, struct oclmm_error *error)
{
	cl_int code;
	int r;

	several->context = clCreateContext(NULL, several->count, several->ids, NULL, NULL, &code);
	r = oclmm_cl_made(error, "clCreateContext", several->context, code);
	for (uint32_t i = 0; r == 0 && i < several->count; i++)
		r = oclmm_device_queue_new(several, i, 0, error, &several->queues[i]);
	several->queue = several->queues[0];
	return r;
}

int oclmm_device_several(struct oclmm_device *device, uint32_t count, struct oclmm_error *error,
                         struct oclmm_device **ret_several)
{
	struct oclmm_device *several = device->several[count - 1];
	int r = 0;

	if (count == 1 || several) {
		*ret_several = several ? several : device;
		return 0;
	}
	several = oclmm_calloc(1, sizeof(*several));
	several->info = device->info;
	several->builds = device->builds;
	several->producer = device->producer;
	several->all_scope_named = device->all_scope_named;
	several->lacks_all_scope = device->lacks_all_scope;
	memcpy(several->options, device->options, sizeof(several->options));
	memcpy(several->il_options, device->il_options, sizeof(several->il_options));
	several->count = count;
	if (device->partner)
		join_partner(device, several);
	else
		r = divide(device, several, error);
	several->id = several->ids[0];
	if (r == 0)
		r = open_queues(several, error);
	if (r < 0) {
		oclmm_device_close(several);
		return r;
	}
	device->several[count - 1] = several;
	*ret_several = several;
	return 0;
}

cl_command_queue oclmm_device_queue_of(const struct oclmm_device *device, uint32_t number)
{
	return device->count > 0 ? device->queues[number] : device->queue;
}
