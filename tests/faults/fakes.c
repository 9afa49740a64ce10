// SPDX-License-Identifier: Apache-2.0
/*
 * Drivers that hold back what they have to say, and leave processes behind: a layer of the ICD
 * loader. OCLMM_LIE names what it does:
 *
 *     silent    no device says which orders and scopes its atomics have
 *     second    the first device that is asked does, and no other
 *     others    all but that one do
 *     helper    a context begins with a process that outlives the run, its number in
 *               OCLMM_LIE_FILE
 *     scribble  each launch writes to all files that are open, but for sockets
 *     blot      the same, sockets and all
 *
 * Test code only.
 */
#include "lie.h"
#include "plant/icd_layer.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

ICD_LAYER("oclmm fakes");

static bool lies(const char *lie)
{
	return lie_is_due(lie, 0);
}

static cl_int CL_API_CALL get_device_info(cl_device_id device, cl_device_info what, size_t size,
                                          void *value, size_t *ret_size)
{
	static cl_device_id first;
	bool capability = what == CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES ||
	                  what == CL_DEVICE_ATOMIC_FENCE_CAPABILITIES;

	first = first ? first : device;
	if (capability && (lies("silent") || lies(device == first ? "others" : "second")))
		return CL_OUT_OF_RESOURCES;
	return layer_real->clGetDeviceInfo(device, what, size, value, ret_size);
}

/* Longer than any run here; the test ends it. */
enum { LIFE = 600 };

static void leave_behind(void)
{
	const char *path = getenv("OCLMM_LIE_FILE");
	pid_t child = fork();
	FILE *file;

	if (child == 0) {
		sleep(LIFE);
		_exit(0);
	}
	file = path ? fopen(path, "a") : NULL;
	if (file) {
		fprintf(file, "%ld\n", (long)child);
		fclose(file);
	}
}

static cl_context CL_API_CALL create_context(const cl_context_properties *properties, cl_uint count,
                                             const cl_device_id *devices,
                                             void(CL_CALLBACK *notify)(const char *, const void *,
                                                                       size_t, void *),
                                             void *data, cl_int *code)
{
	if (lies("helper"))
		leave_behind();
	return layer_real->clCreateContext(properties, count, devices, notify, data, code);
}

static void scribble(void)
{
	enum { FILES = 1024 };
	static const char words[] = "{\"type\":\"scribbled\n";

	for (int file = 0; file < FILES; file++) {
		struct stat info;

		if (fstat(file, &info) < 0 || (S_ISSOCK(info.st_mode) && !lies("blot")))
			continue;
		if (write(file, words, sizeof(words) - 1) < 0)
			continue; /* it is open for reading only */
	}
}

static cl_int CL_API_CALL launch(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                 const size_t *offset, const size_t *global, const size_t *local,
                                 cl_uint wait_count, const cl_event *waits, cl_event *event)
{
	if (lies("scribble") || lies("blot"))
		scribble();
	return layer_real->clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global, local,
	                                          wait_count, waits, event);
}

bool layer_start(struct _cl_icd_dispatch *own)
{
	own->clGetDeviceInfo = get_device_info;
	own->clCreateContext = create_context;
	own->clEnqueueNDRangeKernel = launch;
	return true;
}
