// SPDX-License-Identifier: Apache-2.0
/*
 * What every layer of the ICD loader (OPENCL_LAYERS) has to answer. Includes
 * the headers; a layer defines clGetLayerInfo and clInitLayer with it.
 */
#ifndef OCLMM_RUNNER_SABOTEUR_ICD_LAYER_H
#define OCLMM_RUNNER_SABOTEUR_ICD_LAYER_H

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <CL/cl_icd.h>
#include <CL/cl_layer.h>

#include <string.h>

#define ICD_LAYER_EXPORT __attribute__((visibility("default")))

static inline cl_int icd_layer_info(const char *name, cl_layer_info what, size_t size, void *value,
                                    size_t *ret_size)
{
	const cl_layer_api_version version = CL_LAYER_API_VERSION_100;
	const void *answer = what == CL_LAYER_NAME ? (const void *)name : &version;
	size_t length = what == CL_LAYER_NAME ? strlen(name) + 1 : sizeof(version);

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

/*
 * Copies the loader's table, whose calls the layer then replaces, and hands
 * over the copy. False where the loader knows fewer calls than this header.
 */
static inline int icd_layer_init(cl_uint count, const struct _cl_icd_dispatch *target,
                                 struct _cl_icd_dispatch *own, cl_uint *ret_count,
                                 const struct _cl_icd_dispatch **ret_layer)
{
	if (!target || !ret_layer || count < sizeof(*target) / sizeof(target->clGetPlatformIDs))
		return 0;
	*own = *target;
	*ret_layer = own;
	if (ret_count)
		*ret_count = sizeof(*own) / sizeof(own->clGetPlatformIDs);
	return 1;
}

#endif
