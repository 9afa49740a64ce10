// SPDX-License-Identifier: Apache-2.0
#include "internal.h"

#include <errno.h>
#include <string.h>

/* X(name): the codes of CL/cl.h and of the ICD loader. */
/* a list */
/* clang-format off */
#define CODES(X) \
	X(CL_SUCCESS) X(CL_DEVICE_NOT_FOUND) X(CL_DEVICE_NOT_AVAILABLE) \
	X(CL_COMPILER_NOT_AVAILABLE) X(CL_MEM_OBJECT_ALLOCATION_FAILURE) \
	X(CL_OUT_OF_RESOURCES) X(CL_OUT_OF_HOST_MEMORY) X(CL_PROFILING_INFO_NOT_AVAILABLE) \
	X(CL_MEM_COPY_OVERLAP) X(CL_IMAGE_FORMAT_MISMATCH) X(CL_IMAGE_FORMAT_NOT_SUPPORTED) \
	X(CL_BUILD_PROGRAM_FAILURE) X(CL_MAP_FAILURE) X(CL_MISALIGNED_SUB_BUFFER_OFFSET) \
	X(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST) X(CL_COMPILE_PROGRAM_FAILURE) \
	X(CL_LINKER_NOT_AVAILABLE) X(CL_LINK_PROGRAM_FAILURE) X(CL_DEVICE_PARTITION_FAILED) \
	X(CL_KERNEL_ARG_INFO_NOT_AVAILABLE) X(CL_INVALID_VALUE) X(CL_INVALID_DEVICE_TYPE) \
	X(CL_INVALID_PLATFORM) X(CL_INVALID_DEVICE) X(CL_INVALID_CONTEXT) \
	X(CL_INVALID_QUEUE_PROPERTIES) X(CL_INVALID_COMMAND_QUEUE) X(CL_INVALID_HOST_PTR) \
	X(CL_INVALID_MEM_OBJECT) X(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR) \
	X(CL_INVALID_IMAGE_SIZE) X(CL_INVALID_SAMPLER) X(CL_INVALID_BINARY) \
	X(CL_INVALID_BUILD_OPTIONS) X(CL_INVALID_PROGRAM) X(CL_INVALID_PROGRAM_EXECUTABLE) \
	X(CL_INVALID_KERNEL_NAME) X(CL_INVALID_KERNEL_DEFINITION) X(CL_INVALID_KERNEL) \
	X(CL_INVALID_ARG_INDEX) X(CL_INVALID_ARG_VALUE) X(CL_INVALID_ARG_SIZE) \
	X(CL_INVALID_KERNEL_ARGS) X(CL_INVALID_WORK_DIMENSION) X(CL_INVALID_WORK_GROUP_SIZE) \
	X(CL_INVALID_WORK_ITEM_SIZE) X(CL_INVALID_GLOBAL_OFFSET) \
	X(CL_INVALID_EVENT_WAIT_LIST) X(CL_INVALID_EVENT) X(CL_INVALID_OPERATION) \
	X(CL_INVALID_GL_OBJECT) X(CL_INVALID_BUFFER_SIZE) X(CL_INVALID_MIP_LEVEL) \
	X(CL_INVALID_GLOBAL_WORK_SIZE) X(CL_INVALID_PROPERTY) X(CL_INVALID_IMAGE_DESCRIPTOR) \
	X(CL_INVALID_COMPILER_OPTIONS) X(CL_INVALID_LINKER_OPTIONS) \
	X(CL_INVALID_DEVICE_PARTITION_COUNT) X(CL_INVALID_PIPE_SIZE) \
	X(CL_INVALID_DEVICE_QUEUE) X(CL_INVALID_SPEC_ID) X(CL_MAX_SIZE_RESTRICTION_EXCEEDED)
/* clang-format on */

/* CL/cl_ext.h defines it; the loader gives it when no vendor is installed. */
#define PLATFORM_NOT_FOUND_KHR (-1001)

const char *oclmm_cl_error_name(cl_int code)
{
	switch (code) {
#define OCLMM_X(name)                                                                              \
	case name: return #name;
		CODES(OCLMM_X)
#undef OCLMM_X
	case PLATFORM_NOT_FOUND_KHR: return "CL_PLATFORM_NOT_FOUND_KHR";
	default: return "an unknown OpenCL error";
	}
}

static int kind_of(const char *call, cl_int code)
{
	bool creates = strncmp(call, "clCreate", 8) == 0 || strncmp(call, "clSVMAlloc", 10) == 0;

	switch (code) {
	case CL_MEM_OBJECT_ALLOCATION_FAILURE:
	case CL_OUT_OF_HOST_MEMORY: return -ENOMEM;
	case CL_OUT_OF_RESOURCES: return creates ? -ENOMEM : -ENODEV;
	case CL_DEVICE_NOT_AVAILABLE: return -ENODEV;
	default: return -EIO;
	}
}

int oclmm_cl_check(struct oclmm_error *error, const char *call, cl_int code)
{
	if (code == CL_SUCCESS)
		return 0;
	return oclmm_error_set(error, kind_of(call, code), "%s: %s (%d)", call,
	                       oclmm_cl_error_name(code), (int)code);
}

int oclmm_cl_made(struct oclmm_error *error, const char *call, const void *object, cl_int code)
{
	if (code == CL_SUCCESS && !object)
		return oclmm_error_set(error, -EIO, "%s: success, but it gave nothing", call);
	return oclmm_cl_check(error, call, code);
}
