// SPDX-License-Identifier: Apache-2.0
#include "opencl.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oclmm/base.h"
#include "platform/system.h"

/* Of CL/cl_ext.h: what a loader says that finds no vendor. */
enum { PLATFORM_NOT_FOUND_KHR = -1001 };

static struct oclmm_opencl table;
static char missing[512];
static bool is_broken;

/* ---- a layer between the program and the loader ---- */

/* Of CL/cl_layer.h, where a table of calls is a structure. */
enum { LAYER_API_VERSION = 0x4240, LAYER_API_VERSION_100 = 100 };
typedef cl_int CL_API_CALL get_layer_info(cl_uint what, size_t size, void *value, size_t *ret_size);
typedef cl_int CL_API_CALL init_layer(cl_uint count, void *const *target, cl_uint *ret_count,
                                      void *const **ret_calls);

/* The calls of struct _cl_icd_dispatch (CL/cl_icd.h), in its order: a layer is compiled with it. */
static const char *const calls[] = {
	"clGetPlatformIDs",
	"clGetPlatformInfo",
	"clGetDeviceIDs",
	"clGetDeviceInfo",
	"clCreateContext",
	"clCreateContextFromType",
	"clRetainContext",
	"clReleaseContext",
	"clGetContextInfo",
	"clCreateCommandQueue",
	"clRetainCommandQueue",
	"clReleaseCommandQueue",
	"clGetCommandQueueInfo",
	"clSetCommandQueueProperty",
	"clCreateBuffer",
	"clCreateImage2D",
	"clCreateImage3D",
	"clRetainMemObject",
	"clReleaseMemObject",
	"clGetSupportedImageFormats",
	"clGetMemObjectInfo",
	"clGetImageInfo",
	"clCreateSampler",
	"clRetainSampler",
	"clReleaseSampler",
	"clGetSamplerInfo",
	"clCreateProgramWithSource",
	"clCreateProgramWithBinary",
	"clRetainProgram",
	"clReleaseProgram",
	"clBuildProgram",
	"clUnloadCompiler",
	"clGetProgramInfo",
	"clGetProgramBuildInfo",
	"clCreateKernel",
	"clCreateKernelsInProgram",
	"clRetainKernel",
	"clReleaseKernel",
	"clSetKernelArg",
	"clGetKernelInfo",
	"clGetKernelWorkGroupInfo",
	"clWaitForEvents",
	"clGetEventInfo",
	"clRetainEvent",
	"clReleaseEvent",
	"clGetEventProfilingInfo",
	"clFlush",
	"clFinish",
	"clEnqueueReadBuffer",
	"clEnqueueWriteBuffer",
	"clEnqueueCopyBuffer",
	"clEnqueueReadImage",
	"clEnqueueWriteImage",
	"clEnqueueCopyImage",
	"clEnqueueCopyImageToBuffer",
	"clEnqueueCopyBufferToImage",
	"clEnqueueMapBuffer",
	"clEnqueueMapImage",
	"clEnqueueUnmapMemObject",
	"clEnqueueNDRangeKernel",
	"clEnqueueTask",
	"clEnqueueNativeKernel",
	"clEnqueueMarker",
	"clEnqueueWaitForEvents",
	"clEnqueueBarrier",
	"clGetExtensionFunctionAddress",
	"clCreateFromGLBuffer",
	"clCreateFromGLTexture2D",
	"clCreateFromGLTexture3D",
	"clCreateFromGLRenderbuffer",
	"clGetGLObjectInfo",
	"clGetGLTextureInfo",
	"clEnqueueAcquireGLObjects",
	"clEnqueueReleaseGLObjects",
	"clGetGLContextInfoKHR",
	"clGetDeviceIDsFromD3D10KHR",
	"clCreateFromD3D10BufferKHR",
	"clCreateFromD3D10Texture2DKHR",
	"clCreateFromD3D10Texture3DKHR",
	"clEnqueueAcquireD3D10ObjectsKHR",
	"clEnqueueReleaseD3D10ObjectsKHR",
	"clSetEventCallback",
	"clCreateSubBuffer",
	"clSetMemObjectDestructorCallback",
	"clCreateUserEvent",
	"clSetUserEventStatus",
	"clEnqueueReadBufferRect",
	"clEnqueueWriteBufferRect",
	"clEnqueueCopyBufferRect",
	"clCreateSubDevicesEXT",
	"clRetainDeviceEXT",
	"clReleaseDeviceEXT",
	"clCreateEventFromGLsyncKHR",
	"clCreateSubDevices",
	"clRetainDevice",
	"clReleaseDevice",
	"clCreateImage",
	"clCreateProgramWithBuiltInKernels",
	"clCompileProgram",
	"clLinkProgram",
	"clUnloadPlatformCompiler",
	"clGetKernelArgInfo",
	"clEnqueueFillBuffer",
	"clEnqueueFillImage",
	"clEnqueueMigrateMemObjects",
	"clEnqueueMarkerWithWaitList",
	"clEnqueueBarrierWithWaitList",
	"clGetExtensionFunctionAddressForPlatform",
	"clCreateFromGLTexture",
	"clGetDeviceIDsFromD3D11KHR",
	"clCreateFromD3D11BufferKHR",
	"clCreateFromD3D11Texture2DKHR",
	"clCreateFromD3D11Texture3DKHR",
	"clCreateFromDX9MediaSurfaceKHR",
	"clEnqueueAcquireD3D11ObjectsKHR",
	"clEnqueueReleaseD3D11ObjectsKHR",
	"clGetDeviceIDsFromDX9MediaAdapterKHR",
	"clEnqueueAcquireDX9MediaSurfacesKHR",
	"clEnqueueReleaseDX9MediaSurfacesKHR",
	"clCreateFromEGLImageKHR",
	"clEnqueueAcquireEGLObjectsKHR",
	"clEnqueueReleaseEGLObjectsKHR",
	"clCreateEventFromEGLSyncKHR",
	"clCreateCommandQueueWithProperties",
	"clCreatePipe",
	"clGetPipeInfo",
	"clSVMAlloc",
	"clSVMFree",
	"clEnqueueSVMFree",
	"clEnqueueSVMMemcpy",
	"clEnqueueSVMMemFill",
	"clEnqueueSVMMap",
	"clEnqueueSVMUnmap",
	"clCreateSamplerWithProperties",
	"clSetKernelArgSVMPointer",
	"clSetKernelExecInfo",
	"clGetKernelSubGroupInfoKHR",
	"clCloneKernel",
	"clCreateProgramWithIL",
	"clEnqueueSVMMigrateMem",
	"clGetDeviceAndHostTimer",
	"clGetHostTimer",
	"clGetKernelSubGroupInfo",
	"clSetDefaultDeviceCommandQueue",
	"clSetProgramReleaseCallback",
	"clSetProgramSpecializationConstant",
	"clCreateBufferWithProperties",
	"clCreateImageWithProperties",
	"clSetContextDestructorCallback",
};
static void *beneath[OCLMM_COUNT(calls)]; /* what the layer calls */
static void *const *layered;              /* what stands in their place; NULL without a layer */

static cl_int CL_API_CALL find_no_platform(cl_uint count, cl_platform_id *platforms,
                                           cl_uint *ret_count)
{
	(void)count;
	(void)platforms;
	if (ret_count)
		*ret_count = 0;
	return PLATFORM_NOT_FOUND_KHR;
}

static void *find(const char *name)
{
	for (size_t i = 0; layered && i < OCLMM_COUNT(calls); i++) {
		/* what the loader lacks no layer adds */
		if (strcmp(calls[i], name) == 0)
			return beneath[i] ? layered[i] : NULL;
	}
	return dlsym(RTLD_DEFAULT, name);
}

/* A function and a pointer to data are of one size wherever there is dlsym(). */
static bool look_up(const char *name, void *ret_function, size_t size)
{
	void *function = find(name);

	memcpy(ret_function, &function, size);
	return function != NULL;
}

static bool is_layer(get_layer_info *get_info)
{
	cl_uint version = 0;

	return get_info &&
	       get_info(LAYER_API_VERSION, sizeof(version), &version, NULL) == CL_SUCCESS &&
	       version == LAYER_API_VERSION_100;
}

/* Puts the layer there that OCLMM_LAYER names, whatever the loader knows of layers. */
static void insert_layer(void)
{
	const char *path = getenv("OCLMM_LAYER");
	void *const *made = NULL;
	void *layer, *function;
	get_layer_info *get_info;
	init_layer *init;
	cl_uint count = 0;

	if (!path || !*path)
		return;
	is_broken = true;
	layer = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!layer) {
		snprintf(missing, sizeof(missing),
		         "cannot open the layer that OCLMM_LAYER names: %s", dlerror());
		return;
	}
	function = dlsym(layer, "clGetLayerInfo");
	memcpy(&get_info, &function, sizeof(get_info));
	function = dlsym(layer, "clInitLayer");
	memcpy(&init, &function, sizeof(init));
	if (!init || !is_layer(get_info)) {
		snprintf(missing, sizeof(missing),
		         "OCLMM_LAYER names %s, which is no layer of OpenCL loaders", path);
		return;
	}
	for (size_t i = 0; i < OCLMM_COUNT(calls); i++)
		beneath[i] = find(calls[i]);
	if (init(OCLMM_COUNT(calls), beneath, &count, &made) != CL_SUCCESS || !made ||
	    count < OCLMM_COUNT(calls)) {
		snprintf(missing, sizeof(missing), "OCLMM_LAYER names %s, which does not start",
		         path);
		return;
	}
	layered = made;
	is_broken = false;
}

static bool open_loader(void)
{
	const char *asked = getenv("OCLMM_OPENCL");
	void *loader = asked && *asked ? dlopen(asked, RTLD_NOW | RTLD_GLOBAL) : NULL;

	for (size_t i = 0; !(asked && *asked) && !loader && oclmm_opencl_loaders[i]; i++)
		loader = dlopen(oclmm_opencl_loaders[i], RTLD_NOW | RTLD_GLOBAL);
	if (!loader) {
		snprintf(missing, sizeof(missing), "there is no OpenCL loader: %s", dlerror());
		is_broken = asked && *asked;
	}
	return loader != NULL;
}

/* Never closed: drivers do not survive it. */
static void fill_table(void)
{
	bool loader = open_loader();

	if (loader)
		insert_layer();
#define OCLMM_X(name)                                                                              \
	if (!*missing && !look_up(#name, &table.name##_, sizeof(table.name##_)))                   \
		snprintf(missing, sizeof(missing), "the OpenCL loader has no function %s", #name);
	OCLMM_OPENCL_1_2(OCLMM_X)
#undef OCLMM_X
	is_broken |= loader && *missing;
#define OCLMM_X(name)                                                                              \
	if (!*missing)                                                                             \
		look_up(#name, &table.name##_, sizeof(table.name##_));
	OCLMM_OPENCL_LATER(OCLMM_X)
#undef OCLMM_X
	if (*missing) {
		table = (struct oclmm_opencl){0};
		table.clGetPlatformIDs_ = find_no_platform;
	}
}

const struct oclmm_opencl *oclmm_opencl(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, fill_table);
	return &table;
}

const char *oclmm_opencl_missing(bool *ret_broken)
{
	oclmm_opencl();
	*ret_broken = is_broken;
	return *missing ? missing : NULL;
}
