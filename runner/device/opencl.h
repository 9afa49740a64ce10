// SPDX-License-Identifier: Apache-2.0
/*
 * OpenCL by a loader that is opened when it is needed first: the program links none, so that one
 * binary runs where there is none, or an old one, and says what it lacks.
 *
 * The names of the functions stay: each stands for what the loader has. What is called is looked up
 * as the linker would, so that a library that was preloaded comes first.
 */
#ifndef OCLMM_RUNNER_DEVICE_OPENCL_H
#define OCLMM_RUNNER_DEVICE_OPENCL_H

#define CL_TARGET_OPENCL_VERSION 300
/* clCreateCommandQueue, which all versions have */
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <stdbool.h>

/* What a loader must have: the functions of OpenCL 1.2 that are called. */
#define OCLMM_OPENCL_1_2(X)                                                                        \
	X(clBuildProgram)                                                                          \
	X(clCreateBuffer)                                                                          \
	X(clCreateCommandQueue)                                                                    \
	X(clCreateContext)                                                                         \
	X(clCreateImage)                                                                           \
	X(clCreateKernel)                                                                          \
	X(clCreateProgramWithBinary)                                                               \
	X(clCreateProgramWithSource)                                                               \
	X(clCreateSubBuffer)                                                                       \
	X(clCreateSubDevices)                                                                      \
	X(clCreateUserEvent)                                                                       \
	X(clEnqueueBarrierWithWaitList)                                                            \
	X(clEnqueueCopyBuffer)                                                                     \
	X(clEnqueueCopyBufferRect)                                                                 \
	X(clEnqueueCopyBufferToImage)                                                              \
	X(clEnqueueCopyImage)                                                                      \
	X(clEnqueueCopyImageToBuffer)                                                              \
	X(clEnqueueFillBuffer)                                                                     \
	X(clEnqueueMapBuffer)                                                                      \
	X(clEnqueueMarkerWithWaitList)                                                             \
	X(clEnqueueMigrateMemObjects)                                                              \
	X(clEnqueueNDRangeKernel)                                                                  \
	X(clEnqueueReadBuffer)                                                                     \
	X(clEnqueueReadBufferRect)                                                                 \
	X(clEnqueueReadImage)                                                                      \
	X(clEnqueueUnmapMemObject)                                                                 \
	X(clEnqueueWriteBuffer)                                                                    \
	X(clEnqueueWriteBufferRect)                                                                \
	X(clEnqueueWriteImage)                                                                     \
	X(clFinish)                                                                                \
	X(clFlush)                                                                                 \
	X(clGetDeviceIDs)                                                                          \
	X(clGetDeviceInfo)                                                                         \
	X(clGetEventInfo)                                                                          \
	X(clGetEventProfilingInfo)                                                                 \
	X(clGetExtensionFunctionAddressForPlatform)                                                \
	X(clGetKernelWorkGroupInfo)                                                                \
	X(clGetMemObjectInfo)                                                                      \
	X(clGetPlatformIDs)                                                                        \
	X(clGetPlatformInfo)                                                                       \
	X(clGetProgramBuildInfo)                                                                   \
	X(clGetProgramInfo)                                                                        \
	X(clReleaseCommandQueue)                                                                   \
	X(clReleaseContext)                                                                        \
	X(clReleaseDevice)                                                                         \
	X(clReleaseEvent)                                                                          \
	X(clReleaseKernel)                                                                         \
	X(clReleaseMemObject)                                                                      \
	X(clReleaseProgram)                                                                        \
	X(clRetainEvent)                                                                           \
	X(clRetainProgram)                                                                         \
	X(clSetEventCallback)                                                                      \
	X(clSetKernelArg)                                                                          \
	X(clSetUserEventStatus)                                                                    \
	X(clWaitForEvents)

/* What came later. NULL where the loader is older: devices then claim nothing that needs it. */
#define OCLMM_OPENCL_LATER(X)                                                                      \
	X(clCreateBufferWithProperties)                                                            \
	X(clCreateCommandQueueWithProperties)                                                      \
	X(clCreatePipe)                                                                            \
	X(clCreateProgramWithIL)                                                                   \
	X(clEnqueueSVMMap)                                                                         \
	X(clEnqueueSVMMemFill)                                                                     \
	X(clEnqueueSVMMemcpy)                                                                      \
	X(clEnqueueSVMUnmap)                                                                       \
	X(clGetKernelSubGroupInfo)                                                                 \
	X(clSVMAlloc)                                                                              \
	X(clSVMFree)                                                                               \
	X(clSetKernelArgSVMPointer)                                                                \
	X(clSetKernelExecInfo)

struct oclmm_opencl {
#define OCLMM_X(name) __typeof__(&(name)) name##_;
	OCLMM_OPENCL_1_2(OCLMM_X)
	OCLMM_OPENCL_LATER(OCLMM_X)
#undef OCLMM_X
};

/* Opened by the first call, of whatever thread. Without a loader that can be used
 * clGetPlatformIDs() says CL_PLATFORM_NOT_FOUND_KHR, and no other function may be called. */
const struct oclmm_opencl *oclmm_opencl(void);
/* Why there is none, one line; NULL where there is one. Lives on. `*ret_broken`: there is one, or
 * was one asked for by name, and it cannot be used. */
const char *oclmm_opencl_missing(bool *ret_broken);

#define clBuildProgram               (oclmm_opencl()->clBuildProgram_)
#define clCreateBuffer               (oclmm_opencl()->clCreateBuffer_)
#define clCreateCommandQueue         (oclmm_opencl()->clCreateCommandQueue_)
#define clCreateContext              (oclmm_opencl()->clCreateContext_)
#define clCreateImage                (oclmm_opencl()->clCreateImage_)
#define clCreateKernel               (oclmm_opencl()->clCreateKernel_)
#define clCreateProgramWithBinary    (oclmm_opencl()->clCreateProgramWithBinary_)
#define clCreateProgramWithSource    (oclmm_opencl()->clCreateProgramWithSource_)
#define clCreateSubBuffer            (oclmm_opencl()->clCreateSubBuffer_)
#define clCreateSubDevices           (oclmm_opencl()->clCreateSubDevices_)
#define clCreateUserEvent            (oclmm_opencl()->clCreateUserEvent_)
#define clEnqueueBarrierWithWaitList (oclmm_opencl()->clEnqueueBarrierWithWaitList_)
#define clEnqueueCopyBuffer          (oclmm_opencl()->clEnqueueCopyBuffer_)
#define clEnqueueCopyBufferRect      (oclmm_opencl()->clEnqueueCopyBufferRect_)
#define clEnqueueCopyBufferToImage   (oclmm_opencl()->clEnqueueCopyBufferToImage_)
#define clEnqueueCopyImage           (oclmm_opencl()->clEnqueueCopyImage_)
#define clEnqueueCopyImageToBuffer   (oclmm_opencl()->clEnqueueCopyImageToBuffer_)
#define clEnqueueFillBuffer          (oclmm_opencl()->clEnqueueFillBuffer_)
#define clEnqueueMapBuffer           (oclmm_opencl()->clEnqueueMapBuffer_)
#define clEnqueueMarkerWithWaitList  (oclmm_opencl()->clEnqueueMarkerWithWaitList_)
#define clEnqueueMigrateMemObjects   (oclmm_opencl()->clEnqueueMigrateMemObjects_)
#define clEnqueueNDRangeKernel       (oclmm_opencl()->clEnqueueNDRangeKernel_)
#define clEnqueueReadBuffer          (oclmm_opencl()->clEnqueueReadBuffer_)
#define clEnqueueReadBufferRect      (oclmm_opencl()->clEnqueueReadBufferRect_)
#define clEnqueueReadImage           (oclmm_opencl()->clEnqueueReadImage_)
#define clEnqueueUnmapMemObject      (oclmm_opencl()->clEnqueueUnmapMemObject_)
#define clEnqueueWriteBuffer         (oclmm_opencl()->clEnqueueWriteBuffer_)
#define clEnqueueWriteBufferRect     (oclmm_opencl()->clEnqueueWriteBufferRect_)
#define clEnqueueWriteImage          (oclmm_opencl()->clEnqueueWriteImage_)
#define clFinish                     (oclmm_opencl()->clFinish_)
#define clFlush                      (oclmm_opencl()->clFlush_)
#define clGetDeviceIDs               (oclmm_opencl()->clGetDeviceIDs_)
#define clGetDeviceInfo              (oclmm_opencl()->clGetDeviceInfo_)
#define clGetEventInfo               (oclmm_opencl()->clGetEventInfo_)
#define clGetEventProfilingInfo      (oclmm_opencl()->clGetEventProfilingInfo_)
#define clGetExtensionFunctionAddressForPlatform                                                   \
	(oclmm_opencl()->clGetExtensionFunctionAddressForPlatform_)
#define clGetKernelWorkGroupInfo           (oclmm_opencl()->clGetKernelWorkGroupInfo_)
#define clGetMemObjectInfo                 (oclmm_opencl()->clGetMemObjectInfo_)
#define clGetPlatformIDs                   (oclmm_opencl()->clGetPlatformIDs_)
#define clGetPlatformInfo                  (oclmm_opencl()->clGetPlatformInfo_)
#define clGetProgramBuildInfo              (oclmm_opencl()->clGetProgramBuildInfo_)
#define clGetProgramInfo                   (oclmm_opencl()->clGetProgramInfo_)
#define clReleaseCommandQueue              (oclmm_opencl()->clReleaseCommandQueue_)
#define clReleaseContext                   (oclmm_opencl()->clReleaseContext_)
#define clReleaseDevice                    (oclmm_opencl()->clReleaseDevice_)
#define clReleaseEvent                     (oclmm_opencl()->clReleaseEvent_)
#define clReleaseKernel                    (oclmm_opencl()->clReleaseKernel_)
#define clReleaseMemObject                 (oclmm_opencl()->clReleaseMemObject_)
#define clReleaseProgram                   (oclmm_opencl()->clReleaseProgram_)
#define clRetainEvent                      (oclmm_opencl()->clRetainEvent_)
#define clRetainProgram                    (oclmm_opencl()->clRetainProgram_)
#define clSetEventCallback                 (oclmm_opencl()->clSetEventCallback_)
#define clSetKernelArg                     (oclmm_opencl()->clSetKernelArg_)
#define clSetUserEventStatus               (oclmm_opencl()->clSetUserEventStatus_)
#define clWaitForEvents                    (oclmm_opencl()->clWaitForEvents_)
#define clCreateBufferWithProperties       (oclmm_opencl()->clCreateBufferWithProperties_)
#define clCreateCommandQueueWithProperties (oclmm_opencl()->clCreateCommandQueueWithProperties_)
#define clCreatePipe                       (oclmm_opencl()->clCreatePipe_)
#define clCreateProgramWithIL              (oclmm_opencl()->clCreateProgramWithIL_)
#define clEnqueueSVMMap                    (oclmm_opencl()->clEnqueueSVMMap_)
#define clEnqueueSVMMemFill                (oclmm_opencl()->clEnqueueSVMMemFill_)
#define clEnqueueSVMMemcpy                 (oclmm_opencl()->clEnqueueSVMMemcpy_)
#define clEnqueueSVMUnmap                  (oclmm_opencl()->clEnqueueSVMUnmap_)
#define clGetKernelSubGroupInfo            (oclmm_opencl()->clGetKernelSubGroupInfo_)
#define clSVMAlloc                         (oclmm_opencl()->clSVMAlloc_)
#define clSVMFree                          (oclmm_opencl()->clSVMFree_)
#define clSetKernelArgSVMPointer           (oclmm_opencl()->clSetKernelArgSVMPointer_)
#define clSetKernelExecInfo                (oclmm_opencl()->clSetKernelExecInfo_)

#endif
