// SPDX-License-Identifier: Apache-2.0
/* the 1.x call that makes a queue works on devices of every version */
#include "internal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The least that every kernel of this project needs of a language version. */
static const char language_probe[] =
	"kernel void probe(global atomic_int *x, global int *y)\n"
	"{\n"
	"\tatomic_store_explicit(x, 1, memory_order_relaxed, memory_scope_work_group);\n"
	"\t*y = atomic_load_explicit(x, memory_order_relaxed, memory_scope_work_group);\n"
	"}\n";

const char oclmm_scope_probe[] = "kernel void probe(global int *y)\n"
				 "{\n"
				 "\t*y = (int)memory_scope_all_svm_devices;\n"
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
	/* one that has a compiler claims that it takes this, and its refusal is told test by test
	 */
	if (!device->builds)
		snprintf(device->options, sizeof(device->options), "%s",
		         standards[device->info.major < 3]);
}

/* Behind the language version: who runs the tests may want them built otherwise. */
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

void oclmm_device_define_all_scope(struct oclmm_device *device)
{
	size_t length = strlen(device->options);

	snprintf(device->options + length, sizeof(device->options) - length,
	         " -Dmemory_scope_all_svm_devices=((memory_scope)3)");
}

/*
 * PoCL 3.1 claims the scope and its header lacks the name. The number is the
 * one that clang has for it; whether a device takes it is seen when a kernel
 * that uses it is built.
 */
void oclmm_device_name_all_scope(struct oclmm_device *device)
{
	if (device->all_scope_named || !device->builds)
		return;
	device->all_scope_named = true;
	device->lacks_all_scope = !oclmm_device_accepts(device, oclmm_scope_probe);
	if (!device->lacks_all_scope)
		return;
	oclmm_device_define_all_scope(device);
	device->probe_count = 0;
}

int oclmm_device_open(const struct oclmm_device_list *list, size_t index, struct oclmm_error *error,
                      struct oclmm_device **ret_device)
{
	struct oclmm_device *device = oclmm_calloc(1, sizeof(*device));
	cl_int code;
	int r;

	device->info = list->devices[index];
	device->id = list->ids[index];
	device->producer = oclmm_il_producer();
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
	size_t own, other;

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
	if (device->on_device)
		clReleaseCommandQueue(device->on_device);
	if (device->second_queue)
		clReleaseCommandQueue(device->second_queue);
	if (device->reading_queue)
		clReleaseCommandQueue(device->reading_queue);
	if (device->context)
		clReleaseContext(device->context);
	for (uint32_t i = 0; device->divided && i < device->count; i++)
		if (device->ids[i])
			clReleaseDevice(device->ids[i]);
	oclmm_il_forget(device);
	free(device->driver_key);
	free(device);
}

const struct oclmm_device_info *oclmm_device_info(const struct oclmm_device *device)
{
	return &device->info;
}

cl_context oclmm_device_context(const struct oclmm_device *device)
{
	return device->context;
}

cl_device_id oclmm_device_id(const struct oclmm_device *device)
{
	return device->id;
}

cl_command_queue oclmm_device_queue(const struct oclmm_device *device)
{
	return device->queue;
}

int oclmm_device_second_queue(struct oclmm_device *device, struct oclmm_error *error,
                              cl_command_queue *ret_queue)
{
	int r = device->second_queue ? 0
	                             : oclmm_queue_create(device, 0, error, &device->second_queue);

	*ret_queue = device->second_queue;
	return r;
}

cl_command_queue oclmm_device_reading_queue(struct oclmm_device *device)
{
	struct oclmm_error ignored;

	if (!device->reading_queue &&
	    oclmm_queue_create(device, 0, &ignored, &device->reading_queue) < 0)
		device->reading_queue = NULL;
	return device->reading_queue ? device->reading_queue : device->queue;
}

int oclmm_device_default_queue(struct oclmm_device *device, struct oclmm_error *error)
{
	/* such a queue is always one that executes out of order (A:5.1) */
	static const cl_queue_properties properties[] = {
		CL_QUEUE_PROPERTIES,
		CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT |
			CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
		0,
	};
	cl_int code;

	if (device->on_device)
		return 0;
	device->on_device = clCreateCommandQueueWithProperties(device->context, device->id,
	                                                       properties, &code);
	return oclmm_cl_made(error, "clCreateCommandQueueWithProperties", device->on_device, code);
}

const char *oclmm_device_build_options(const struct oclmm_device *device)
{
	return device->options;
}
