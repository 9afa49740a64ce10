// SPDX-License-Identifier: Apache-2.0
/*
 * How a device divides a work-group into sub-groups is its own affair (C:6.15.19,
 * A:5.9.4): one is asked, for groups in one dimension and, where these do not
 * give enough sub-groups, for groups in two, with a row for each.
 */
#include "internal.h"

#include <errno.h>
#include <string.h>

typedef cl_int(CL_API_CALL *ask_fn)(cl_kernel kernel, cl_device_id device,
                                    cl_kernel_sub_group_info what, size_t input_size,
                                    const void *input, size_t size, void *value, size_t *ret_size);

/* Core from 2.1 on, and the extension's before. */
static ask_fn find_function(const struct oclmm_device *device)
{
	const struct oclmm_device_info *info = oclmm_device_info(device);
	cl_platform_id platform = NULL;
	ask_fn function = NULL;
	void *address;

	if (info->major > 2 || (info->major == 2 && info->minor >= 1))
		return clGetKernelSubGroupInfo;
	clGetDeviceInfo(oclmm_device_id(device), CL_DEVICE_PLATFORM, sizeof(platform), &platform,
	                NULL);
	address = clGetExtensionFunctionAddressForPlatform(platform, "clGetKernelSubGroupInfoKHR");
	_Static_assert(sizeof(function) == sizeof(address),
	               "functions and data have addresses of one size");
	memcpy(&function, &address, sizeof(function));
	return function;
}

/* Asks for the sub-groups of a shape. \return whether all of them are full. */
static bool ask(ask_fn function, const struct oclmm_device *device, cl_kernel kernel,
                const size_t *local, cl_uint dimensions, size_t *ret_lanes, size_t *ret_count)
{
	size_t lanes = 0, count = 0, all = dimensions == 2 ? local[0] * local[1] : local[0];
	cl_device_id id = oclmm_device_id(device);

	if (function(kernel, id, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE,
	             dimensions * sizeof(*local), local, sizeof(lanes), &lanes,
	             NULL) != CL_SUCCESS ||
	    function(kernel, id, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, dimensions * sizeof(*local),
	             local, sizeof(count), &count, NULL) != CL_SUCCESS)
		return false;
	*ret_lanes = lanes;
	*ret_count = count;
	return lanes > 0 && lanes * count == all;
}

static bool suits(const struct oclmm_kernel_plan *plan, const struct oclmm_environment *environment,
                  size_t lanes, size_t count)
{
	return lanes >= plan->sub_crowd && count >= plan->sub_groups &&
	       (environment->sub_lanes == 0 || environment->sub_lanes == lanes);
}

int oclmm_sub_groups_fit(struct oclmm_session *session, uint32_t number, struct oclmm_error *error)
{
	struct oclmm_environment *environment = &session->environments[number];
	const struct oclmm_kernel_plan *plan = &session->plan;
	cl_kernel test = session->kernels[0].texts[oclmm_text_of(environment, plan)].test;
	ask_fn function = find_function(session->device);
	size_t lanes = 0, count = 0;

	if (!function)
		return oclmm_error_set(error, -ENOTSUP,
		                       "the device does not say what its sub-groups are");
	if (ask(function, session->device, test, (size_t[]){environment->lanes}, 1, &lanes,
	        &count) &&
	    suits(plan, environment, lanes, count)) {
		environment->sub_lanes = (uint32_t)lanes;
		return 0;
	}
	for (uint32_t row = environment->lanes; row > 0; row /= 2) {
		const size_t local[] = {row, environment->lanes / row};

		if (row * (environment->lanes / row) != environment->lanes ||
		    !ask(function, session->device, test, local, 2, &lanes, &count) ||
		    lanes != row || !suits(plan, environment, lanes, count))
			continue;
		environment->sub_lanes = row;
		session->folded[number] = true;
		return 0;
	}
	return oclmm_error_set(error, -ENOTSUP,
	                       "the device forms no %u sub-groups of at least %u work-items in a "
	                       "group of %u",
	                       plan->sub_groups, plan->sub_crowd, environment->lanes);
}
