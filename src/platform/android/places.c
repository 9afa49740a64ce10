// SPDX-License-Identifier: Apache-2.0
/* Where Android keeps what other systems keep elsewhere. */
#include "platform/system.h"

#include <stddef.h>
#include <stdlib.h>

const char *oclmm_temporary_folder(void)
{
	const char *folder = getenv("TMPDIR");

	return folder && *folder ? folder : "/data/local/tmp";
}

const char *const oclmm_opencl_loaders[] = {"libOpenCL.so",
                                            "/vendor/lib64/libOpenCL.so",
                                            "/system/vendor/lib64/libOpenCL.so",
                                            "/vendor/lib64/libPVROCL.so",
                                            "/vendor/lib64/egl/libGLES_mali.so",
                                            "/vendor/lib/libOpenCL.so",
                                            "/vendor/lib/libPVROCL.so",
                                            "/vendor/lib/egl/libGLES_mali.so",
                                            NULL};
const char *const oclmm_opencl_vendors = "/system/vendor/Khronos/OpenCL/vendors";
