// SPDX-License-Identifier: Apache-2.0
#include "no_device.h"

#include "oclmm/grade.h"

int no_device(const struct command *command)
{
	options_error(command, "no OpenCL device found; install a driver, for a CPU for instance "
	                       "\"apt install pocl-opencl-icd\"");
	return OCLMM_EXIT_NOTHING;
}
