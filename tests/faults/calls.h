// SPDX-License-Identifier: Apache-2.0
/*
 * The OpenCL calls that the program makes, as calls.c wraps them; call_codes.py knows the same and
 * what each may return, and compares both with what the program looks up (runner/device/opencl.h).
 */
#ifndef OCLMM_TESTS_FAULTS_CALLS_H
#define OCLMM_TESTS_FAULTS_CALLS_H

/* X(name, parameters, arguments): calls that return a code. */
#define CODES_OF_COMMANDS(X)                                                                       \
	X(clEnqueueUnmapMemObject,                                                                 \
	  (cl_command_queue a, cl_mem b, void *c, cl_uint d, const cl_event *e, cl_event *f),      \
	  (a, b, c, d, e, f))                                                                      \
	X(clEnqueueMigrateMemObjects,                                                              \
	  (cl_command_queue a, cl_uint b, const cl_mem *c, cl_mem_migration_flags d, cl_uint e,    \
	   const cl_event *f, cl_event *g),                                                        \
	  (a, b, c, d, e, f, g))                                                                   \
	X(clEnqueueSVMMemFill,                                                                     \
	  (cl_command_queue a, void *b, const void *c, size_t d, size_t e, cl_uint f,              \
	   const cl_event *g, cl_event *h),                                                        \
	  (a, b, c, d, e, f, g, h))                                                                \
	X(clEnqueueSVMMemcpy,                                                                      \
	  (cl_command_queue a, cl_bool b, void *c, const void *d, size_t e, cl_uint f,             \
	   const cl_event *g, cl_event *h),                                                        \
	  (a, b, c, d, e, f, g, h))                                                                \
	X(clEnqueueSVMMap,                                                                         \
	  (cl_command_queue a, cl_bool b, cl_map_flags c, void *d, size_t e, cl_uint f,            \
	   const cl_event *g, cl_event *h),                                                        \
	  (a, b, c, d, e, f, g, h))                                                                \
	X(clEnqueueSVMUnmap,                                                                       \
	  (cl_command_queue a, void *b, cl_uint c, const cl_event *d, cl_event *e),                \
	  (a, b, c, d, e))                                                                         \
	X(clEnqueueMarkerWithWaitList,                                                             \
	  (cl_command_queue a, cl_uint b, const cl_event *c, cl_event *d), (a, b, c, d))           \
	X(clEnqueueBarrierWithWaitList,                                                            \
	  (cl_command_queue a, cl_uint b, const cl_event *c, cl_event *d), (a, b, c, d))           \
	X(clSetEventCallback,                                                                      \
	  (cl_event a, cl_int b, void(CL_CALLBACK * c)(cl_event, cl_int, void *), void *d),        \
	  (a, b, c, d))                                                                            \
	X(clSetUserEventStatus, (cl_event a, cl_int b), (a, b))                                    \
	X(clRetainEvent, (cl_event a), (a))
#define CODES(X)                                                                                   \
	CODES_OF_COMMANDS(X)                                                                       \
	X(clGetPlatformIDs, (cl_uint a, cl_platform_id * b, cl_uint * c), (a, b, c))               \
	X(clCreateSubDevices,                                                                      \
	  (cl_device_id a, const cl_device_partition_property *b, cl_uint c, cl_device_id *d,      \
	   cl_uint *e),                                                                            \
	  (a, b, c, d, e))                                                                         \
	X(clSetKernelArgSVMPointer, (cl_kernel a, cl_uint b, const void *c), (a, b, c))            \
	X(clSetKernelExecInfo, (cl_kernel a, cl_kernel_exec_info b, size_t c, const void *d),      \
	  (a, b, c, d))                                                                            \
	X(clGetKernelSubGroupInfo,                                                                 \
	  (cl_kernel a, cl_device_id b, cl_kernel_sub_group_info c, size_t d, const void *e,       \
	   size_t f, void *g, size_t *h),                                                          \
	  (a, b, c, d, e, f, g, h))                                                                \
	X(clEnqueueWriteBuffer,                                                                    \
	  (cl_command_queue a, cl_mem b, cl_bool c, size_t d, size_t e, const void *f, cl_uint g,  \
	   const cl_event *h, cl_event *i),                                                        \
	  (a, b, c, d, e, f, g, h, i))                                                             \
	X(clEnqueueCopyBuffer,                                                                     \
	  (cl_command_queue a, cl_mem b, cl_mem c, size_t d, size_t e, size_t f, cl_uint g,        \
	   const cl_event *h, cl_event *i),                                                        \
	  (a, b, c, d, e, f, g, h, i))                                                             \
	X(clEnqueueCopyBufferRect,                                                                 \
	  (cl_command_queue a, cl_mem b, cl_mem c, const size_t *d, const size_t *e,               \
	   const size_t *f, size_t g, size_t h, size_t i, size_t j, cl_uint k, const cl_event *l,  \
	   cl_event *m),                                                                           \
	  (a, b, c, d, e, f, g, h, i, j, k, l, m))                                                 \
	X(clEnqueueReadBufferRect,                                                                 \
	  (cl_command_queue a, cl_mem b, cl_bool c, const size_t *d, const size_t *e,              \
	   const size_t *f, size_t g, size_t h, size_t i, size_t j, void *k, cl_uint l,            \
	   const cl_event *m, cl_event *n),                                                        \
	  (a, b, c, d, e, f, g, h, i, j, k, l, m, n))                                              \
	X(clEnqueueWriteBufferRect,                                                                \
	  (cl_command_queue a, cl_mem b, cl_bool c, const size_t *d, const size_t *e,              \
	   const size_t *f, size_t g, size_t h, size_t i, size_t j, const void *k, cl_uint l,      \
	   const cl_event *m, cl_event *n),                                                        \
	  (a, b, c, d, e, f, g, h, i, j, k, l, m, n))                                              \
	X(clEnqueueReadImage,                                                                      \
	  (cl_command_queue a, cl_mem b, cl_bool c, const size_t *d, const size_t *e, size_t f,    \
	   size_t g, void *h, cl_uint i, const cl_event *j, cl_event *k),                          \
	  (a, b, c, d, e, f, g, h, i, j, k))                                                       \
	X(clEnqueueWriteImage,                                                                     \
	  (cl_command_queue a, cl_mem b, cl_bool c, const size_t *d, const size_t *e, size_t f,    \
	   size_t g, const void *h, cl_uint i, const cl_event *j, cl_event *k),                    \
	  (a, b, c, d, e, f, g, h, i, j, k))                                                       \
	X(clEnqueueCopyImage,                                                                      \
	  (cl_command_queue a, cl_mem b, cl_mem c, const size_t *d, const size_t *e,               \
	   const size_t *f, cl_uint g, const cl_event *h, cl_event *i),                            \
	  (a, b, c, d, e, f, g, h, i))                                                             \
	X(clEnqueueCopyImageToBuffer,                                                              \
	  (cl_command_queue a, cl_mem b, cl_mem c, const size_t *d, const size_t *e, size_t f,     \
	   cl_uint g, const cl_event *h, cl_event *i),                                             \
	  (a, b, c, d, e, f, g, h, i))                                                             \
	X(clEnqueueCopyBufferToImage,                                                              \
	  (cl_command_queue a, cl_mem b, cl_mem c, size_t d, const size_t *e, const size_t *f,     \
	   cl_uint g, const cl_event *h, cl_event *i),                                             \
	  (a, b, c, d, e, f, g, h, i))                                                             \
	X(clGetEventProfilingInfo,                                                                 \
	  (cl_event a, cl_profiling_info b, size_t c, void *d, size_t *e), (a, b, c, d, e))        \
	X(clRetainProgram, (cl_program a), (a))                                                    \
	X(clReleaseDevice, (cl_device_id a), (a))                                                  \
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
	X(clGetMemObjectInfo, (cl_mem a, cl_mem_info b, size_t c, void *d, size_t *e),             \
	  (a, b, c, d, e))                                                                         \
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
	X(clCreateBufferWithProperties, cl_mem,                                                    \
	  (cl_context a, const cl_mem_properties *b, cl_mem_flags c, size_t d, void *e,            \
	   cl_int *z),                                                                             \
	  (a, b, c, d, e, z))                                                                      \
	X(clCreateSubBuffer, cl_mem,                                                               \
	  (cl_mem a, cl_mem_flags b, cl_buffer_create_type c, const void *d, cl_int *z),           \
	  (a, b, c, d, z))                                                                         \
	X(clCreateProgramWithSource, cl_program,                                                   \
	  (cl_context a, cl_uint b, const char **c, const size_t *d, cl_int *z), (a, b, c, d, z))  \
	X(clCreateUserEvent, cl_event, (cl_context a, cl_int * z), (a, z))                         \
	X(clCreateImage, cl_mem,                                                                   \
	  (cl_context a, cl_mem_flags b, const cl_image_format *c, const cl_image_desc *d,         \
	   void *e, cl_int *z),                                                                    \
	  (a, b, c, d, e, z))                                                                      \
	X(clCreatePipe, cl_mem,                                                                    \
	  (cl_context a, cl_mem_flags b, cl_uint c, cl_uint d, const cl_pipe_properties *e,        \
	   cl_int *z),                                                                             \
	  (a, b, c, d, e, z))                                                                      \
	X(clCreateCommandQueueWithProperties, cl_command_queue,                                    \
	  (cl_context a, cl_device_id b, const cl_queue_properties *c, cl_int *z), (a, b, c, z))   \
	X(clEnqueueMapBuffer, void *,                                                              \
	  (cl_command_queue a, cl_mem b, cl_bool c, cl_map_flags d, size_t e, size_t f, cl_uint g, \
	   const cl_event *h, cl_event *i, cl_int *z),                                             \
	  (a, b, c, d, e, f, g, h, i, z))                                                          \
	X(clCreateKernel, cl_kernel, (cl_program a, const char *b, cl_int *z), (a, b, z))

/* X(name, parameters, arguments): calls that return a pointer and no code. */
#define POINTERS(X)                                                                                \
	X(clSVMAlloc, (cl_context a, cl_svm_mem_flags b, size_t c, cl_uint d), (a, b, c, d))       \
	X(clGetExtensionFunctionAddressForPlatform, (cl_platform_id a, const char *b), (a, b))

/* X(name, parameters, arguments): calls that return nothing. */
#define SILENT(X) X(clSVMFree, (cl_context a, void *b), (a, b))

#endif
