// SPDX-License-Identifier: Apache-2.0
#include "internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define PLATFORM_NOT_FOUND_KHR (-1001)

static void note_left_out(struct oclmm_device_list *list, const struct oclmm_error *error)
{
	if (*list->left_out.message)
		return;
	list->left_out = *error;
	list->left_out_at = list->count;
}

/*
 * A platform without devices is passed over, and so is what fails to answer, for others may;
 * `error` says what was the matter with it.
 */
static void add_platform(struct oclmm_device_list *list, cl_platform_id platform,
                         struct oclmm_error *error)
{
	cl_uint count = 0;
	cl_int code = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, NULL, &count);
	cl_device_id *ids;

	if (code == CL_DEVICE_NOT_FOUND)
		oclmm_cache_check(platform, error);
	if (code == CL_DEVICE_NOT_FOUND || oclmm_cl_check(error, "clGetDeviceIDs", code) < 0 ||
	    count == 0)
		return;
	ids = oclmm_calloc(count, sizeof(*ids));
	if (OCLMM_CL_CALL(error, clGetDeviceIDs, platform, CL_DEVICE_TYPE_ALL, count, ids, NULL) <
	    0)
		count = 0;
	list->devices = oclmm_realloc(list->devices,
	                              (list->count + count + 1) * sizeof(*list->devices));
	list->ids = oclmm_realloc(list->ids, (list->count + count + 1) * sizeof(cl_device_id));
	for (cl_uint i = 0; i < count; i++) {
		if (oclmm_device_query(platform, ids[i], error, &list->devices[list->count]) < 0) {
			note_left_out(list, error);
			continue;
		}
		list->ids[list->count++] = ids[i];
	}
	free(ids);
}

/* Whether PoCL binds its threads to processors. */
static const char binding[] = "POCL_AFFINITY";

/*
 * PoCL's threads share a core whenever the machine is busy, and then no two
 * work-groups ever run at the same time; bound to cores they do. A user who
 * set the variable is left alone.
 */
static void prepare_drivers(void)
{
	setenv(binding, "1", 0);
}

bool oclmm_devices_bind(bool bind)
{
	if (bind)
		return setenv(binding, "1", 1) == 0;
	return !getenv(binding) && setenv(binding, "0", 1) == 0;
}

int oclmm_devices_list(struct oclmm_error *error, struct oclmm_device_list *ret_list)
{
	struct oclmm_device_list list = {0};
	struct oclmm_error failed = {0};
	cl_platform_id *platforms;
	cl_uint count = 0;
	cl_int code;
	int r;

	prepare_drivers();
	code = clGetPlatformIDs(0, NULL, &count);
	if (code == PLATFORM_NOT_FOUND_KHR)
		count = 0;
	else if ((r = oclmm_cl_check(error, "clGetPlatformIDs", code)) < 0)
		return r;
	platforms = oclmm_calloc((size_t)count + 1, sizeof(cl_platform_id));
	if (count > 0 && (r = OCLMM_CL_CALL(error, clGetPlatformIDs, count, platforms, NULL)) < 0) {
		free(platforms);
		return r;
	}
	/* a NULL platform would be the loader's choice */
	for (cl_uint i = 0; i < count; i++)
		if (oclmm_cl_made(&failed, "clGetPlatformIDs", platforms[i], CL_SUCCESS) == 0)
			add_platform(&list, platforms[i], &failed);
	free(platforms);
	/* a machine without devices has nothing to run; one whose only driver is broken has failed
	 */
	if (list.count == 0 && *failed.message) {
		oclmm_device_list_finish(&list);
		*error = failed;
		return -EIO;
	}
	*ret_list = list;
	return 0;
}

void oclmm_device_list_finish(struct oclmm_device_list *list)
{
	if (!list)
		return;
	free(list->devices);
	free(list->ids);
	memset(list, 0, sizeof(*list));
}
