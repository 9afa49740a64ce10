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

/* What a shape is divided into. */
struct division {
	size_t all, lanes, count;
};

static cl_int ask(ask_fn function, const struct oclmm_device *device, cl_kernel kernel,
                  const size_t *local, cl_uint dimensions, struct division *ret_division)
{
	struct division d = {.all = dimensions == 2 ? local[0] * local[1] : local[0]};
	cl_device_id id = oclmm_device_id(device);
	cl_int code = function(kernel, id, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE,
	                       dimensions * sizeof(*local), local, sizeof(d.lanes), &d.lanes, NULL);

	if (code == CL_SUCCESS)
		code = function(kernel, id, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE,
		                dimensions * sizeof(*local), local, sizeof(d.count), &d.count,
		                NULL);
	*ret_division = d;
	return code;
}

static bool is_full(const struct division *d)
{
	return d->lanes > 0 && d->lanes * d->count == d->all;
}

/* None is larger than the largest. */
int oclmm_sub_groups_judge(size_t all, size_t lanes, size_t count, struct oclmm_error *error)
{
	if (count > 0 && count <= all && lanes >= (all + count - 1) / count)
		return 0;
	return oclmm_error_set(error, -EIO,
	                       "clGetKernelSubGroupInfo: %zu sub-groups of %zu work-items or fewer "
	                       "are no group of %zu",
	                       count, lanes, all);
}

static bool suits(const struct oclmm_kernel_plan *plan, const struct oclmm_environment *environment,
                  const struct division *d)
{
	return is_full(d) && d->lanes >= plan->sub_crowd && d->count >= plan->sub_groups &&
	       (environment->sub_lanes == 0 || environment->sub_lanes == d->lanes);
}

int oclmm_sub_groups_fit(struct oclmm_session *session, uint32_t number, struct oclmm_error *error)
{
	struct oclmm_environment *environment = &session->environments[number];
	const struct oclmm_kernel_plan *plan = &session->plan;
	cl_kernel test = session->kernels[0].texts[oclmm_text_of(environment, plan)].test;
	ask_fn function = find_function(session->device);
	struct division d;
	int r;

	if (!function)
		return oclmm_error_set(error, -ENOTSUP,
		                       "the device does not say what its sub-groups are");
	/* one that claims to have them can say which: no lack of a feature, which would be a skip
	 */
	r = oclmm_cl_check(error, "clGetKernelSubGroupInfo",
	                   ask(function, session->device, test, (size_t[]){environment->lanes}, 1,
	                       &d));
	if (r == 0)
		r = oclmm_sub_groups_judge(d.all, d.lanes, d.count, error);
	if (r < 0)
		return r;
	if (suits(plan, environment, &d)) {
		environment->sub_lanes = (uint32_t)d.lanes;
		return 0;
	}
	for (uint32_t row = environment->lanes; row > 0; row /= 2) {
		const size_t local[] = {row, environment->lanes / row};

		if (row * (environment->lanes / row) != environment->lanes ||
		    ask(function, session->device, test, local, 2, &d) != CL_SUCCESS ||
		    d.lanes != row || !suits(plan, environment, &d))
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
