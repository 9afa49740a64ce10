// SPDX-License-Identifier: Apache-2.0
/*
 * Several devices of one context for tests that need them: the parts that a
 * device can be divided into (A:4.3), or it and the partner that was chosen.
 */
/* the 1.x call that makes a queue works on devices of every version */
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include "internal.h"

#include <errno.h>
#include <string.h>

static bool divides_equally(cl_device_id id)
{
	cl_device_partition_property kinds[16] = {0};

	if (clGetDeviceInfo(id, CL_DEVICE_PARTITION_PROPERTIES, sizeof(kinds), kinds, NULL) !=
	    CL_SUCCESS)
		return false;
	for (size_t i = 0; i < OCLMM_COUNT(kinds); i++)
		if (kinds[i] == CL_DEVICE_PARTITION_EQUALLY)
			return true;
	return false;
}

/* Parts that are of one size; those that are left over are given back. */
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
	/* it said that it can: no lack of a feature, which would be a skip */
	if (r == 0 && made < count)
		return oclmm_error_set(error, -EIO,
		                       "clCreateSubDevices: %u parts where %u were asked for", made,
		                       count);
	return r;
}

bool oclmm_device_has_several(const struct oclmm_device *device, uint32_t count)
{
	if (count <= 1)
		return true;
	if (device->partner)
		return count == 2;
	return count <= OCLMM_DEVICES_MAX && device->info.compute_units >= count &&
	       device->info.compute_units / (device->info.compute_units / count) <=
	               OCLMM_DIVISIONS &&
	       divides_equally(device->id);
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

int oclmm_device_queue_new(const struct oclmm_device *device, uint32_t number,
                           cl_command_queue_properties properties, struct oclmm_error *error,
                           cl_command_queue *ret_queue)
{
	cl_device_id id = device->count > 0 ? device->ids[number] : device->id;
	cl_int code;

	*ret_queue = clCreateCommandQueue(device->context, id, properties, &code);
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
