// SPDX-License-Identifier: Apache-2.0
#include "opencl.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "platform/system.h"

/* Of CL/cl_ext.h: what a loader says that finds no vendor. */
enum { PLATFORM_NOT_FOUND_KHR = -1001 };

static struct oclmm_opencl table;
static char missing[512];
static bool is_broken;

static cl_int CL_API_CALL find_no_platform(cl_uint count, cl_platform_id *platforms,
                                           cl_uint *ret_count)
{
	(void)count;
	(void)platforms;
	if (ret_count)
		*ret_count = 0;
	return PLATFORM_NOT_FOUND_KHR;
}

/* A function and a pointer to data are of one size wherever there is dlsym(). */
static bool look_up(const char *name, void *ret_function, size_t size)
{
	void *function = dlsym(RTLD_DEFAULT, name);

	memcpy(ret_function, &function, size);
	return function != NULL;
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
