// SPDX-License-Identifier: Apache-2.0
/* What a layer answers that claims for devices what their driver has not. */
#ifndef OCLMM_TESTS_PLANT_CLAIMS_H
#define OCLMM_TESTS_PLANT_CLAIMS_H

#include "plant/icd_layer.h"

#include <string.h>

/* As clGetDeviceInfo gives a value. */
static inline cl_int claims_answer(const void *from, size_t have, size_t size, void *value,
                                   size_t *ret_size)
{
	if (ret_size)
		*ret_size = have;
	if (value && size < have)
		return CL_INVALID_VALUE;
	if (value)
		memcpy(value, from, have);
	return CL_SUCCESS;
}

/* CL_DEVICE_EXTENSIONS with more of them, blanks between them. */
static inline cl_int claims_extensions(cl_device_id device, const char *more, size_t size,
                                       void *value, size_t *ret_size)
{
	char text[8192] = "";
	cl_int code = layer_real->clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof(text) / 2,
	                                          text, NULL);

	if (code != CL_SUCCESS)
		return code;
	strcat(text, " ");
	strncat(text, more, sizeof(text) / 2 - 2);
	return claims_answer(text, strlen(text) + 1, size, value, ret_size);
}

#endif
