// SPDX-License-Identifier: Apache-2.0
/* Where a Unix system keeps what other systems keep elsewhere. */
#include "platform/system.h"

#include <stddef.h>
#include <stdlib.h>

const char *oclmm_temporary_folder(void)
{
	const char *folder = getenv("TMPDIR");

	return folder && *folder ? folder : "/tmp";
}

const char *const oclmm_opencl_loaders[] = {"libOpenCL.so.1", "libOpenCL.so", NULL};
const char *const oclmm_opencl_vendors = "/etc/OpenCL/vendors";
