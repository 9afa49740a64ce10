// SPDX-License-Identifier: Apache-2.0
/*
 * Any OpenCL call fails in any way: a layer of the ICD loader, told by variables.
 *
 *     OCLMM_CALLS_USES  a file, in which each call is counted over all processes:
 *                       records of CALL_NAME bytes for its name and 8 for its number
 *     OCLMM_CALLS_NAME  the call that fails: clFinish
 *     OCLMM_CALLS_AT    from which of its uses on, from 1
 *     OCLMM_CALLS_DO    how: a number (the code it returns), `crash`, `leave`, `hang`, `spin`,
 *                       or `nothing`: success without effect
 *
 * Test code only.
 */
#include "saboteur/icd_layer.h"

#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { CALL_NAME = 56 };

/* X(name, parameters, arguments): calls that return a code. */
#define CODES(X)                                                                                   \
	X(clGetPlatformInfo, (cl_platform_id a, cl_platform_info b, size_t c, void *d, size_t *e), \
	  (a, b, c, d, e))                                                                         \
	X(clGetDeviceIDs,                                                                          \
	  (cl_platform_id a, cl_device_type b, cl_uint c, cl_device_id * d, cl_uint * e),          \
	  (a, b, c, d, e))                                                                         \
	X(clGetDeviceInfo, (cl_device_id a, cl_device_info b, size_t c, void *d, size_t *e),       \
	  (a, b, c, d, e))                                                                         \
	X(clBuildProgram,                                                                          \
	  (cl_program a, cl_uint b, const cl_device_id *c, const char *d,                          \
	   void(CL_CALLBACK * e)(cl_program, void *), void *f),                                    \
	  (a, b, c, d, e, f))                                                                      \
	X(clGetProgramInfo, (cl_program a, cl_program_info b, size_t c, void *d, size_t *e),       \
	  (a, b, c, d, e))                                                                         \
	X(clGetProgramBuildInfo,                                                                   \
	  (cl_program a, cl_device_id b, cl_program_build_info c, size_t d, void *e, size_t *f),   \
	  (a, b, c, d, e, f))                                                                      \
	X(clSetKernelArg, (cl_kernel a, cl_uint b, size_t c, const void *d), (a, b, c, d))         \
	X(clSetKernelExecInfo, (cl_kernel a, cl_kernel_exec_info b, size_t c, const void *d),      \
	  (a, b, c, d))                                                                            \
	X(clGetKernelInfo, (cl_kernel a, cl_kernel_info b, size_t c, void *d, size_t *e),          \
	  (a, b, c, d, e))                                                                         \
	X(clGetKernelWorkGroupInfo,                                                                \
	  (cl_kernel a, cl_device_id b, cl_kernel_work_group_info c, size_t d, void *e,            \
	   size_t *f),                                                                             \
	  (a, b, c, d, e, f))                                                                      \
	X(clEnqueueNDRangeKernel,                                                                  \
	  (cl_command_queue a, cl_kernel b, cl_uint c, const size_t *d, const size_t *e,           \
	   const size_t *f, cl_uint g, const cl_event *h, cl_event *i),                            \
	  (a, b, c, d, e, f, g, h, i))                                                             \
	X(clEnqueueReadBuffer,                                                                     \
	  (cl_command_queue a, cl_mem b, cl_bool c, size_t d, size_t e, void *f, cl_uint g,        \
	   const cl_event *h, cl_event *i),                                                        \
	  (a, b, c, d, e, f, g, h, i))                                                             \
	X(clEnqueueFillBuffer,                                                                     \
	  (cl_command_queue a, cl_mem b, const void *c, size_t d, size_t e, size_t f, cl_uint g,   \
	   const cl_event *h, cl_event *i),                                                        \
	  (a, b, c, d, e, f, g, h, i))                                                             \
	X(clFlush, (cl_command_queue a), (a))                                                      \
	X(clFinish, (cl_command_queue a), (a))                                                     \
	X(clWaitForEvents, (cl_uint a, const cl_event *b), (a, b))                                 \
	X(clGetEventInfo, (cl_event a, cl_event_info b, size_t c, void *d, size_t *e),             \
	  (a, b, c, d, e))                                                                         \
	X(clReleaseEvent, (cl_event a), (a))                                                       \
	X(clReleaseMemObject, (cl_mem a), (a))                                                     \
	X(clReleaseKernel, (cl_kernel a), (a))                                                     \
	X(clReleaseProgram, (cl_program a), (a))                                                   \
	X(clReleaseCommandQueue, (cl_command_queue a), (a))                                        \
	X(clReleaseContext, (cl_context a), (a))

/* X(name, type, parameters, arguments): calls that return an object, and a code by their last
 * argument, `z`. */
#define OBJECTS(X)                                                                                 \
	X(clCreateContext, cl_context,                                                             \
	  (const cl_context_properties *a, cl_uint b, const cl_device_id *c,                       \
	   void(CL_CALLBACK * d)(const char *, const void *, size_t, void *), void *e, cl_int *z), \
	  (a, b, c, d, e, z))                                                                      \
	X(clCreateCommandQueue, cl_command_queue,                                                  \
	  (cl_context a, cl_device_id b, cl_command_queue_properties c, cl_int * z), (a, b, c, z)) \
	X(clCreateBuffer, cl_mem, (cl_context a, cl_mem_flags b, size_t c, void *d, cl_int *z),    \
	  (a, b, c, d, z))                                                                         \
	X(clCreateProgramWithSource, cl_program,                                                   \
	  (cl_context a, cl_uint b, const char **c, const size_t *d, cl_int *z), (a, b, c, d, z))  \
	X(clCreateKernel, cl_kernel, (cl_program a, const char *b, cl_int *z), (a, b, z))

static const struct _cl_icd_dispatch *real;
static struct _cl_icd_dispatch spoilt;

enum call {
#define X_CODE(name, parameters, arguments)         CALL_##name,
#define X_OBJECT(name, type, parameters, arguments) CALL_##name,
	CODES(X_CODE) OBJECTS(X_OBJECT)
#undef X_CODE
#undef X_OBJECT
		CALL_COUNT
};

static const char *const names[] = {
#define X_CODE(name, parameters, arguments)         #name,
#define X_OBJECT(name, type, parameters, arguments) #name,
	CODES(X_CODE) OBJECTS(X_OBJECT)
#undef X_CODE
#undef X_OBJECT
};

/* The file of uses, seen by all processes. */
static struct {
	char name[CALL_NAME];
	uint64_t uses;
} * calls;

static void open_uses(void)
{
	const char *path = getenv("OCLMM_CALLS_USES");
	size_t size = CALL_COUNT * sizeof(*calls);
	int file = path ? open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600) : -1;

	if (file < 0 || ftruncate(file, (off_t)size) < 0)
		return;
	calls = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	close(file);
	for (int i = 0; i < CALL_COUNT; i++)
		strncpy(calls[i].name, names[i], CALL_NAME - 1);
}

/* Whether this use is to have no effect and return `*ret_code`; other faults happen here. */
static int strikes(enum call call, cl_int *ret_code)
{
	const char *name = getenv("OCLMM_CALLS_NAME"), *how = getenv("OCLMM_CALLS_DO");
	const char *from = getenv("OCLMM_CALLS_AT");
	uint64_t use = calls ? __atomic_add_fetch(&calls[call].uses, 1, __ATOMIC_RELAXED) : 0;

	if (!name || !how || strcmp(name, names[call]) != 0 ||
	    use < (from ? strtoull(from, NULL, 10) : 1))
		return 0;
	if (strcmp(how, "crash") == 0) {
		signal(SIGSEGV, SIG_DFL);
		raise(SIGSEGV);
	}
	if (strcmp(how, "leave") == 0)
		_exit(3);
	while (strcmp(how, "hang") == 0)
		pause();
	for (volatile int on = strcmp(how, "spin") == 0; on;)
		;
	*ret_code = strcmp(how, "nothing") == 0 ? CL_SUCCESS : (cl_int)strtol(how, NULL, 10);
	return 1;
}

#define X_CODE(name, parameters, arguments)                                                        \
	static cl_int CL_API_CALL spoilt_##name parameters                                         \
	{                                                                                          \
		cl_int code;                                                                       \
                                                                                                   \
		return strikes(CALL_##name, &code) ? code : real->name arguments;                  \
	}
CODES(X_CODE)
#undef X_CODE

#define X_OBJECT(name, type, parameters, arguments)                                                \
	static type CL_API_CALL spoilt_##name parameters                                           \
	{                                                                                          \
		cl_int code;                                                                       \
                                                                                                   \
		if (!strikes(CALL_##name, &code))                                                  \
			return real->name arguments;                                               \
		if (z)                                                                             \
			*z = code;                                                                 \
		return NULL;                                                                       \
	}
OBJECTS(X_OBJECT)
#undef X_OBJECT

ICD_LAYER_EXPORT CL_API_ENTRY cl_int CL_API_CALL clGetLayerInfo(cl_layer_info what, size_t size,
                                                                void *value, size_t *ret_size)
{
	return icd_layer_info("oclmm calls", what, size, value, ret_size);
}

ICD_LAYER_EXPORT CL_API_ENTRY cl_int CL_API_CALL
clInitLayer(cl_uint count, const struct _cl_icd_dispatch *target, cl_uint *ret_count,
            const struct _cl_icd_dispatch **ret_layer)
{
	if (!icd_layer_init(count, target, &spoilt, ret_count, ret_layer))
		return CL_INVALID_VALUE;
	real = target;
	open_uses();
#define X_CODE(name, parameters, arguments)         spoilt.name = spoilt_##name;
#define X_OBJECT(name, type, parameters, arguments) spoilt.name = spoilt_##name;
	CODES(X_CODE)
	OBJECTS(X_OBJECT)
#undef X_CODE
#undef X_OBJECT
	return CL_SUCCESS;
}
