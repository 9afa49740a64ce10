// SPDX-License-Identifier: Apache-2.0
/*
 * Barriers in two calls for a driver that has none: a layer of the ICD loader (OPENCL_LAYERS) that
 * adds cl_intel_split_work_group_barrier to what the devices claim, and gives each program text
 * both functions. Nobody has to wait at an arrival, so it is nothing; the wait is a whole barrier
 * for all memory, which orders more than the flags of the two ask for.
 *
 * OCLMM_SPLIT_LACK=extension: it is not claimed; `functions`: it is, and the texts do without;
 * `wait`: who waits does not.
 */
#include "plant/icd_layer.h"

#include <stdlib.h>
#include <string.h>

#include "claims.h"

ICD_LAYER("oclmm split barriers");

static const char extension[] = "cl_intel_split_work_group_barrier";

static const char functions[] = "#define intel_work_group_barrier_arrive(...) ((void)0)\n"
				"#define intel_work_group_barrier_wait(...) "
				"work_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)\n"
				"#line 1\n";

static const char without_wait[] = "#define intel_work_group_barrier_arrive(...) ((void)0)\n"
				   "#define intel_work_group_barrier_wait(...) ((void)0)\n"
				   "#line 1\n";

static bool lacks(const char *name)
{
	const char *lacking = getenv("OCLMM_SPLIT_LACK");

	return lacking && strcmp(lacking, name) == 0;
}

static cl_program CL_API_CALL create_program(cl_context context, cl_uint count, const char **texts,
                                             const size_t *lengths, cl_int *code)
{
	const char **all;
	size_t *sizes;
	cl_program program;

	if (lacks("functions"))
		return layer_real->clCreateProgramWithSource(context, count, texts, lengths, code);
	all = calloc(count + 1, sizeof(*all));
	sizes = calloc(count + 1, sizeof(*sizes));
	if (!all || !sizes)
		abort();
	all[0] = lacks("wait") ? without_wait : functions;
	for (cl_uint i = 0; i < count; i++) {
		all[i + 1] = texts[i];
		sizes[i + 1] = lengths ? lengths[i] : 0; /* 0: up to its end */
	}
	program = layer_real->clCreateProgramWithSource(context, count + 1, all, sizes, code);
	free(all);
	free(sizes);
	return program;
}

static cl_int CL_API_CALL get_device_info(cl_device_id device, cl_device_info what, size_t size,
                                          void *value, size_t *ret_size)
{
	if (what != CL_DEVICE_EXTENSIONS || lacks("extension"))
		return layer_real->clGetDeviceInfo(device, what, size, value, ret_size);
	return claims_extensions(device, extension, size, value, ret_size);
}

bool layer_start(struct _cl_icd_dispatch *own)
{
	own->clGetDeviceInfo = get_device_info;
	own->clCreateProgramWithSource = create_program;
	return true;
}
