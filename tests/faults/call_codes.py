# SPDX-License-Identifier: Apache-2.0
"""What each OpenCL call that the program makes may fail with, and which failures may pass."""

RESOURCES = {"CL_OUT_OF_RESOURCES": -5, "CL_OUT_OF_HOST_MEMORY": -6}
# Codes of each call beside those (A:4 to A:5); only the first is drawn as often as other faults.
CODES = {
    "clGetPlatformInfo": {"CL_INVALID_PLATFORM": -32, "CL_INVALID_VALUE": -30},
    "clGetDeviceIDs": {"CL_DEVICE_NOT_FOUND": -1, "CL_INVALID_PLATFORM": -32, "CL_INVALID_DEVICE_TYPE": -31},
    "clGetDeviceInfo": {"CL_INVALID_DEVICE": -33, "CL_INVALID_VALUE": -30},
    "clCreateContext": {"CL_DEVICE_NOT_AVAILABLE": -2, "CL_INVALID_DEVICE": -33, "CL_INVALID_PLATFORM": -32},
    "clCreateCommandQueue": {"CL_INVALID_QUEUE_PROPERTIES": -35, "CL_INVALID_DEVICE": -33},
    "clCreateBuffer": {"CL_MEM_OBJECT_ALLOCATION_FAILURE": -4, "CL_INVALID_BUFFER_SIZE": -61},
    "clCreateBufferWithProperties": {"CL_MEM_OBJECT_ALLOCATION_FAILURE": -4, "CL_INVALID_PROPERTY": -64},
    "clCreateProgramWithSource": {"CL_INVALID_CONTEXT": -34, "CL_INVALID_VALUE": -30},
    "clBuildProgram": {"CL_BUILD_PROGRAM_FAILURE": -11, "CL_COMPILER_NOT_AVAILABLE": -3,
                       "CL_INVALID_BUILD_OPTIONS": -43, "CL_INVALID_BINARY": -42},
    "clGetProgramInfo": {"CL_INVALID_PROGRAM": -44},
    "clGetProgramBuildInfo": {"CL_INVALID_PROGRAM": -44},
    "clCreateKernel": {"CL_INVALID_KERNEL_NAME": -46, "CL_INVALID_PROGRAM_EXECUTABLE": -45,
                       "CL_INVALID_KERNEL_DEFINITION": -47},
    "clSetKernelArg": {"CL_INVALID_ARG_SIZE": -51, "CL_INVALID_ARG_INDEX": -49, "CL_INVALID_MEM_OBJECT": -38},
    "clGetKernelWorkGroupInfo": {"CL_INVALID_KERNEL": -48},
    "clEnqueueNDRangeKernel": {"CL_INVALID_KERNEL_ARGS": -52, "CL_MEM_OBJECT_ALLOCATION_FAILURE": -4,
                               "CL_INVALID_WORK_GROUP_SIZE": -54, "CL_INVALID_PROGRAM_EXECUTABLE": -45},
    "clEnqueueReadBuffer": {"CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST": -14, "CL_INVALID_MEM_OBJECT": -38,
                            "CL_MEM_OBJECT_ALLOCATION_FAILURE": -4},
    "clEnqueueFillBuffer": {"CL_MEM_OBJECT_ALLOCATION_FAILURE": -4, "CL_INVALID_MEM_OBJECT": -38},
    "clFlush": {"CL_INVALID_COMMAND_QUEUE": -36},
    "clFinish": {"CL_INVALID_COMMAND_QUEUE": -36},
    "clWaitForEvents": {"CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST": -14, "CL_INVALID_EVENT": -58},
    "clGetEventInfo": {"CL_INVALID_EVENT": -58},
    "clReleaseEvent": {"CL_INVALID_EVENT": -58},
    "clGetMemObjectInfo": {"CL_INVALID_MEM_OBJECT": -38, "CL_INVALID_VALUE": -30},
    "clReleaseMemObject": {"CL_INVALID_MEM_OBJECT": -38},
    "clReleaseKernel": {"CL_INVALID_KERNEL": -48},
    "clReleaseProgram": {"CL_INVALID_PROGRAM": -44},
    "clReleaseCommandQueue": {"CL_INVALID_COMMAND_QUEUE": -36},
    "clReleaseContext": {"CL_INVALID_CONTEXT": -34},
    "clGetPlatformIDs": {"CL_PLATFORM_NOT_FOUND_KHR": -1001, "CL_INVALID_VALUE": -30},
    "clCreateSubDevices": {"CL_DEVICE_PARTITION_FAILED": -18, "CL_INVALID_DEVICE_PARTITION_COUNT": -68,
                           "CL_INVALID_DEVICE": -33, "CL_INVALID_VALUE": -30},
    "clReleaseDevice": {"CL_INVALID_DEVICE": -33},
    "clRetainProgram": {"CL_INVALID_PROGRAM": -44},
    "clSetKernelArgSVMPointer": {"CL_INVALID_ARG_VALUE": -50, "CL_INVALID_ARG_INDEX": -49,
                                 "CL_INVALID_OPERATION": -59},
    "clSetKernelExecInfo": {"CL_INVALID_OPERATION": -59, "CL_INVALID_VALUE": -30, "CL_INVALID_KERNEL": -48},
    "clGetKernelSubGroupInfo": {"CL_INVALID_KERNEL": -48, "CL_INVALID_OPERATION": -59},
    "clEnqueueWriteBuffer": {"CL_MEM_OBJECT_ALLOCATION_FAILURE": -4, "CL_INVALID_MEM_OBJECT": -38},
    "clEnqueueCopyBuffer": {"CL_MEM_COPY_OVERLAP": -8, "CL_MEM_OBJECT_ALLOCATION_FAILURE": -4},
    "clEnqueueCopyBufferRect": {"CL_MEM_COPY_OVERLAP": -8, "CL_MEM_OBJECT_ALLOCATION_FAILURE": -4},
    "clEnqueueReadBufferRect": {"CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST": -14, "CL_INVALID_MEM_OBJECT": -38},
    "clEnqueueWriteBufferRect": {"CL_MEM_OBJECT_ALLOCATION_FAILURE": -4, "CL_INVALID_MEM_OBJECT": -38},
    "clEnqueueReadImage": {"CL_INVALID_IMAGE_SIZE": -40, "CL_INVALID_MEM_OBJECT": -38},
    "clEnqueueWriteImage": {"CL_MEM_OBJECT_ALLOCATION_FAILURE": -4, "CL_INVALID_MEM_OBJECT": -38},
    "clEnqueueCopyImage": {"CL_IMAGE_FORMAT_MISMATCH": -9, "CL_MEM_OBJECT_ALLOCATION_FAILURE": -4},
    "clEnqueueCopyImageToBuffer": {"CL_MEM_OBJECT_ALLOCATION_FAILURE": -4, "CL_INVALID_MEM_OBJECT": -38},
    "clEnqueueCopyBufferToImage": {"CL_MEM_OBJECT_ALLOCATION_FAILURE": -4, "CL_INVALID_MEM_OBJECT": -38},
    "clGetEventProfilingInfo": {"CL_PROFILING_INFO_NOT_AVAILABLE": -7, "CL_INVALID_EVENT": -58},
    "clEnqueueUnmapMemObject": {"CL_INVALID_MEM_OBJECT": -38},
    "clEnqueueSVMMemFill": {"CL_MEM_OBJECT_ALLOCATION_FAILURE": -4, "CL_INVALID_VALUE": -30},
    "clEnqueueSVMMemcpy": {"CL_MEM_COPY_OVERLAP": -8, "CL_INVALID_VALUE": -30},
    "clEnqueueSVMMap": {"CL_INVALID_VALUE": -30},
    "clEnqueueSVMUnmap": {"CL_INVALID_VALUE": -30},
    "clEnqueueMigrateMemObjects": {"CL_MEM_OBJECT_ALLOCATION_FAILURE": -4, "CL_INVALID_MEM_OBJECT": -38},
    "clEnqueueMarkerWithWaitList": {"CL_INVALID_EVENT_WAIT_LIST": -57},
    "clEnqueueBarrierWithWaitList": {"CL_INVALID_EVENT_WAIT_LIST": -57},
    "clSetEventCallback": {"CL_INVALID_EVENT": -58},
    "clSetUserEventStatus": {"CL_INVALID_EVENT": -58, "CL_INVALID_OPERATION": -59},
    "clRetainEvent": {"CL_INVALID_EVENT": -58},
    "clCreateUserEvent": {"CL_INVALID_CONTEXT": -34},
    "clCreateSubBuffer": {"CL_MISALIGNED_SUB_BUFFER_OFFSET": -13, "CL_INVALID_BUFFER_SIZE": -61},
    "clCreateImage": {"CL_IMAGE_FORMAT_NOT_SUPPORTED": -10, "CL_INVALID_IMAGE_SIZE": -40},
    "clCreatePipe": {"CL_MEM_OBJECT_ALLOCATION_FAILURE": -4, "CL_INVALID_PIPE_SIZE": -69},
    "clCreateCommandQueueWithProperties": {"CL_INVALID_QUEUE_PROPERTIES": -35},
    "clEnqueueMapBuffer": {"CL_MAP_FAILURE": -12, "CL_MEM_OBJECT_ALLOCATION_FAILURE": -4},
    # these return no code: no memory, no function, nothing to say
    "clSVMAlloc": None,
    "clGetExtensionFunctionAddressForPlatform": None,
    "clSVMFree": None,
}
# Made for what not every device has, and tried only where it has it.
ON_SOME_DEVICES = {"clGetKernelSubGroupInfo": "sub-groups",
                   "clCreateImage": "images", "clEnqueueReadImage": "images", "clEnqueueWriteImage": "images",
                   "clEnqueueCopyImage": "images", "clEnqueueCopyImageToBuffer": "images",
                   "clEnqueueCopyBufferToImage": "images",
                   "clCreatePipe": "__opencl_c_pipes",
                   "clCreateBufferWithProperties": "external memory",
                   "clCreateCommandQueueWithProperties": "queues on the device",
                   "clGetExtensionFunctionAddressForPlatform": "sub-groups, in OpenCL 2.0"}
# Their code tells nothing of a result, and a process that ends gives all back: a run may pass.
HARMLESS = {name for name in CODES if name.startswith("clRelease")} | {
    # asked for what is better to know: a build log, how well a kernel fits, how large a buffer is that may serve again;
    # a flush is a hint, a wait comes after
    "clGetMemObjectInfo", "clGetProgramInfo", "clGetProgramBuildInfo", "clGetKernelWorkGroupInfo", "clFlush", "clGetEventInfo",
    # a program that cannot be shared is built again; the rate of copying and the device's clock only inform
    "clSVMFree", "clRetainProgram", "clEnqueueCopyBuffer", "clGetEventProfilingInfo"}
# Who does not wait may find that all is there already; the counts would tell if it were not. What is filled in
# shared virtual memory are words by which roles and kernels meet. From another number on, roles wait for each other up
# to a bound or not at all, and show less; so do the controls beside them, and then silence counts for nothing.
# Two kernels have met when both see exactly 2: one after the other they see different numbers, whatever stood there.
# Where the fill is what a test is about, the event that it should give is missed at once. A device whose memory is
# the host's reaches all of it, whatever it is told.
HARMLESS_IDLE = {"clWaitForEvents", "clFinish", "clEnqueueSVMMemFill", "clSetKernelExecInfo"}
# At the last use: a kernel keeps its arguments, so that the launch is that of before; what is waited for
# before the end, when all has been counted.
HARMLESS_LAST = {("clSetKernelArg", "nothing"), ("clSetKernelArgSVMPointer", "nothing")}
ALWAYS_HARMLESS_LAST = {"clFinish"}
# A process that ends has done all: whatever becomes of it then is told nobody.
HARMLESS_AT_THE_END = {name for name in CODES if name.startswith("clRelease")} | {"clSVMFree"}
PROCESS = ("crash", "leave", "hang", "spin")
# Whatever it does wrong, commands wait for it for ever: in three tests, each of them twice.
WAITED_FOR = {"clSetUserEventStatus"}
