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

/* What claims_begin() was given. */
static inline const char **claims_more(void)
{
	static const char *more;

	return &more;
}

/* clGetDeviceInfo of a layer that claims_begin() has begun. */
static inline cl_int CL_API_CALL claims_device_info(cl_device_id device, cl_device_info what,
                                                    size_t size, void *value, size_t *ret_size)
{
	if (what != CL_DEVICE_EXTENSIONS || !*claims_more())
		return layer_real->clGetDeviceInfo(device, what, size, value, ret_size);
	return claims_extensions(device, *claims_more(), size, value, ret_size);
}

/* The layer claims these extensions, too; NULL: none. */
static inline void claims_begin(struct _cl_icd_dispatch *own, const char *more)
{
	*claims_more() = more;
	own->clGetDeviceInfo = claims_device_info;
}

#endif
