// SPDX-License-Identifier: Apache-2.0
/* Which lie a layer of the loader is asked to tell, and from when on. */
#ifndef OCLMM_TESTS_FAULTS_LIE_H
#define OCLMM_TESTS_FAULTS_LIE_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "plant/icd_layer.h"

/* OCLMM_LIE names it, OCLMM_LIE_AFTER how many launches come before it. */
static inline bool lie_is_due(const char *lie, unsigned launched)
{
	const char *told = getenv("OCLMM_LIE"), *after = getenv("OCLMM_LIE_AFTER");

	return told && strcmp(told, lie) == 0 &&
	       launched >= (after ? (unsigned)strtoul(after, NULL, 10) : 0);
}

/*
 * Bytes behind each buffer, for what work-items of another launch, or of more of them, write: what
 * is told of such a lie is then the same each time, and not at times the end of a process whose
 * heap it broke.
 */
enum { LIE_SPARE = 1 << 16 };

/* One program that stands for several is built with the first of them. */
static inline cl_int lie_build_once(cl_program program, cl_uint count, const cl_device_id *devices,
                                    const char *options,
                                    void(CL_CALLBACK *notify)(cl_program, void *), void *data)
{
	cl_build_status status = CL_BUILD_NONE;

	layer_real->clGetProgramBuildInfo(program, devices[0], CL_PROGRAM_BUILD_STATUS,
	                                  sizeof(status), &status, NULL);
	return status == CL_BUILD_SUCCESS
	               ? CL_SUCCESS
	               : layer_real->clBuildProgram(program, count, devices, options, notify, data);
}

#endif
