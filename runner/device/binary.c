// SPDX-License-Identifier: Apache-2.0
#include "internal.h"

#include <stdlib.h>

void oclmm_program_binary(cl_program program, struct oclmm_text *binary)
{
	unsigned char *bytes;
	size_t size = 0;

	/* one device was built for, so that there is one size and one binary */
	if (clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof(size), &size, NULL) !=
	            CL_SUCCESS ||
	    !size)
		return;
	bytes = oclmm_calloc(size, 1);
	if (clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof(bytes), &bytes, NULL) ==
	    CL_SUCCESS)
		oclmm_text_add_bytes(binary, (const char *)bytes, size);
	free(bytes);
}

void oclmm_device_binary(struct oclmm_device *device, const char *source, struct oclmm_text *binary)
{
	struct oclmm_error ignored;
	cl_program program = NULL;
	char *log = NULL;
	int r = oclmm_device_compile(device, source, &ignored, &log, &program);

	free(log);
	if (r < 0)
		return;
	oclmm_program_binary(program, binary);
	clReleaseProgram(program);
}
