// SPDX-License-Identifier: Apache-2.0
/*
 * Clocks for a driver whose kernels have none: a layer of the ICD loader (OPENCL_LAYERS) that adds
 * cl_khr_kernel_clock to what the devices claim, and its functions in front of each program text.
 * These clocks stand still, which nobody may notice who looks at memory alone.
 *
 * OCLMM_CLOCK_LACK names a scope whose clock is not claimed; `functions`: no text has them.
 */
#include "plant/icd_layer.h"

#include <stdlib.h>
#include <string.h>

#include "claims.h"

ICD_LAYER("oclmm clocks");

static const char *const scopes[] = {"device", "work_group", "sub_group"}; /* bit by bit */

static bool lacks(const char *name)
{
	const char *lacking = getenv("OCLMM_CLOCK_LACK");

	return lacking && strcmp(lacking, name) == 0;
}

static cl_int CL_API_CALL device_info(cl_device_id device, cl_device_info what, size_t size,
                                      void *value, size_t *ret_size)
{
	cl_bitfield capabilities = 0;

	if (what != 0x1076) /* CL_DEVICE_KERNEL_CLOCK_CAPABILITIES_KHR */
		return claims_device_info(device, what, size, value, ret_size);
	for (unsigned i = 0; i < sizeof(scopes) / sizeof(*scopes); i++)
		if (!lacks(scopes[i]))
			capabilities |= 1u << i;
	return claims_answer(&capabilities, sizeof(capabilities), size, value, ret_size);
}

static cl_program CL_API_CALL create_program(cl_context context, cl_uint count, const char **texts,
                                             const size_t *lengths, cl_int *code)
{
	static const char functions[] = "ulong clock_read_device(void) { return 1; }\n"
					"ulong clock_read_work_group(void) { return 2; }\n"
					"ulong clock_read_sub_group(void) { return 3; }\n#line 1\n";
	const char **more = calloc(count + 1, sizeof(*more));
	size_t *own = calloc(count + 1, sizeof(*own));
	cl_program program;

	if (!more || !own)
		abort();
	more[0] = lacks("functions") ? "\n" : functions;
	for (cl_uint i = 0; i < count; i++) {
		more[i + 1] = texts[i];
		own[i + 1] = lengths ? lengths[i] : 0;
	}
	program = layer_real->clCreateProgramWithSource(context, count + 1, more, own, code);
	free(more);
	free(own);
	return program;
}

bool layer_start(struct _cl_icd_dispatch *own)
{
	claims_begin(own, "cl_khr_kernel_clock");
	own->clGetDeviceInfo = device_info;
	own->clCreateProgramWithSource = create_program;
	return true;
}
