// SPDX-License-Identifier: Apache-2.0
#include "icd_layer.h"

#include <string.h>

#define EXPORT __attribute__((visibility("default"))) CL_API_ENTRY cl_int CL_API_CALL

EXPORT clGetLayerInfo(cl_layer_info what, size_t size, void *value, size_t *ret_size)
{
	const cl_layer_api_version version = CL_LAYER_API_VERSION_100;
	const void *answer = what == CL_LAYER_NAME ? (const void *)layer_name : &version;
	size_t length = what == CL_LAYER_NAME ? strlen(layer_name) + 1 : sizeof(version);

	if (what != CL_LAYER_API_VERSION && what != CL_LAYER_NAME)
		return CL_INVALID_VALUE;
	if (value && size < length)
		return CL_INVALID_VALUE;
	if (value)
		memcpy(value, answer, length);
	if (ret_size)
		*ret_size = length;
	return CL_SUCCESS;
}

/* Refuses a loader that knows fewer calls than its header here. */
EXPORT clInitLayer(cl_uint count, const struct _cl_icd_dispatch *target, cl_uint *ret_count,
                   const struct _cl_icd_dispatch **ret_layer)
{
	static struct _cl_icd_dispatch own;
	const cl_uint calls = sizeof(own) / sizeof(own.clGetPlatformIDs);

	if (!target || !ret_layer || count < calls)
		return CL_INVALID_VALUE;
	own = *target;
	layer_real = target;
	if (!layer_start(&own))
		return CL_INVALID_VALUE;
	*ret_layer = &own;
	if (ret_count)
		*ret_count = calls;
	return CL_SUCCESS;
}
