// SPDX-License-Identifier: Apache-2.0
/*
 * A layer of OpenCL loaders that changes nothing, and does what ODD_LAYER says: says another
 * version, says none, refuses to start, gives no calls, or fewer than it was asked for. It notes in
 * the file that ODD_LAYER_SAW names which calls the loader has.
 */
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <CL/cl_icd.h>
#include <CL/cl_layer.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool does(const char *what)
{
	const char *asked = getenv("ODD_LAYER");

	return asked && strcmp(asked, what) == 0;
}

CL_API_ENTRY cl_int CL_API_CALL clGetLayerInfo(cl_layer_info what, size_t size, void *value,
                                               size_t *ret_size)
{
	const cl_layer_api_version version = CL_LAYER_API_VERSION_100 + does("version");

	if (what != CL_LAYER_API_VERSION || size < sizeof(version) || does("none"))
		return CL_INVALID_VALUE;
	memcpy(value, &version, sizeof(version));
	if (ret_size)
		*ret_size = sizeof(version);
	return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL clInitLayer(cl_uint count, const struct _cl_icd_dispatch *target,
                                            cl_uint *ret_count,
                                            const struct _cl_icd_dispatch **ret_calls)
{
	const char *path = getenv("ODD_LAYER_SAW");
	FILE *file = path ? fopen(path, "we") : NULL;

	if (file) {
		fprintf(file, "%u of %zu: ids %d, build %d, context %d, last %d\n", count,
		        sizeof(*target) / sizeof(target->clGetPlatformIDs),
		        target->clGetPlatformIDs != NULL, target->clBuildProgram != NULL,
		        target->clGetContextInfo != NULL,
		        target->clSetContextDestructorCallback != NULL);
		fclose(file);
	}
	*ret_calls = does("nothing") ? NULL : target;
	*ret_count = count - does("fewer");
	return does("refuse") ? CL_INVALID_VALUE : CL_SUCCESS;
}
