// SPDX-License-Identifier: Apache-2.0
/*
 * A layer of the ICD loader (OPENCL_LAYERS) that counts what a run asks of a driver, in a file of
 * 64-bit numbers that OCLMM_COUNTS names and all processes share, for they are killed when they
 * have answered. Test code only.
 *
 * A launch is played where the kernel that counts follows the test's own; the latter alone warms
 * up, and the former alone sets objects up.
 *
 * Behind the counts stand, for each call that is timed, how often it was made and nanoseconds.
 */
#include "plant/icd_layer.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

/* In the order in which launches.py reads them. */
enum count { PLAYED, WARMED_UP, SET_UP, TEXTS, KERNELS, BYTES_READ, COUNTS };
/* Calls that are timed, in the same order. */
enum call {
	ENQUEUE_KERNEL,
	ENQUEUE_READ,
	SET_ARGUMENT,
	FLUSH,
	WAIT_FOR_EVENTS,
	FINISH,
	BUILD_PROGRAM,
	CREATE_BUFFER,
	RELEASE_BUFFER,
	CALLS
};

static _Atomic uint64_t *counts;

ICD_LAYER("oclmm counts");
static bool tested; /* the test's own kernel was queued last */

static void add(enum count which, uint64_t count)
{
	atomic_fetch_add(&counts[which], count);
}

static uint64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static void note(enum call which, uint64_t begin)
{
	atomic_fetch_add(&counts[COUNTS + 2 * which], 1);
	atomic_fetch_add(&counts[COUNTS + 2 * which + 1], now() - begin);
}

static bool map(void)
{
	const char *path = getenv("OCLMM_COUNTS");
	size_t size = (COUNTS + 2 * CALLS) * sizeof(*counts);
	int file = path ? open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600) : -1;
	void *memory;

	if (file < 0 || ftruncate(file, (off_t)size) < 0)
		return false;
	memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	close(file);
	counts = memory;
	return memory != MAP_FAILED;
}

static cl_int CL_API_CALL enqueue_kernel(cl_command_queue queue, cl_kernel kernel,
                                         cl_uint dimensions, const size_t *offset,
                                         const size_t *global, const size_t *local,
                                         cl_uint wait_count, const cl_event *waits, cl_event *event)
{
	char name[32] = "";
	uint64_t begin;
	cl_int code;

	layer_real->clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof(name), name, NULL);
	if (strcmp(name, "oclmm_count") == 0) {
		add(tested ? PLAYED : SET_UP, 1);
		tested = false;
	} else if (strncmp(name, "oclmm_test", strlen("oclmm_test")) == 0) {
		add(WARMED_UP, tested);
		tested = true;
	}
	begin = now();
	code = layer_real->clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global, local,
	                                          wait_count, waits, event);
	note(ENQUEUE_KERNEL, begin);
	return code;
}

static cl_int CL_API_CALL read_buffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                      size_t offset, size_t size, void *to, cl_uint wait_count,
                                      const cl_event *waits, cl_event *event)
{
	uint64_t begin = now();
	cl_int code = layer_real->clEnqueueReadBuffer(queue, buffer, blocking, offset, size, to,
	                                              wait_count, waits, event);

	note(ENQUEUE_READ, begin);
	add(BYTES_READ, size);
	return code;
}

static cl_program CL_API_CALL create_program(cl_context context, cl_uint count,
                                             const char **strings, const size_t *lengths,
                                             cl_int *code)
{
	add(TEXTS, 1);
	return layer_real->clCreateProgramWithSource(context, count, strings, lengths, code);
}

static cl_kernel CL_API_CALL create_kernel(cl_program program, const char *name, cl_int *code)
{
	add(KERNELS, 1);
	return layer_real->clCreateKernel(program, name, code);
}

static cl_mem CL_API_CALL create_buffer(cl_context context, cl_mem_flags flags, size_t size,
                                        void *host, cl_int *code)
{
	uint64_t begin = now();
	cl_mem buffer = layer_real->clCreateBuffer(context, flags, size, host, code);

	note(CREATE_BUFFER, begin);
	return buffer;
}

static cl_int CL_API_CALL finish(cl_command_queue queue)
{
	uint64_t begin = now();
	cl_int code = layer_real->clFinish(queue);

	note(FINISH, begin);
	/* what warms up is waited for */
	add(WARMED_UP, tested);
	tested = false;
	return code;
}

static cl_int CL_API_CALL flush(cl_command_queue queue)
{
	uint64_t begin = now();
	cl_int code = layer_real->clFlush(queue);

	note(FLUSH, begin);
	return code;
}

static cl_int CL_API_CALL wait_for_events(cl_uint count, const cl_event *events)
{
	uint64_t begin = now();
	cl_int code = layer_real->clWaitForEvents(count, events);

	note(WAIT_FOR_EVENTS, begin);
	return code;
}

static cl_int CL_API_CALL set_argument(cl_kernel kernel, cl_uint index, size_t size,
                                       const void *value)
{
	uint64_t begin = now();
	cl_int code = layer_real->clSetKernelArg(kernel, index, size, value);

	note(SET_ARGUMENT, begin);
	return code;
}

static cl_int CL_API_CALL build_program(cl_program program, cl_uint count,
                                        const cl_device_id *devices, const char *options,
                                        void(CL_CALLBACK *told)(cl_program, void *), void *data)
{
	uint64_t begin = now();
	cl_int code = layer_real->clBuildProgram(program, count, devices, options, told, data);

	note(BUILD_PROGRAM, begin);
	return code;
}

static cl_int CL_API_CALL release_buffer(cl_mem buffer)
{
	uint64_t begin = now();
	cl_int code = layer_real->clReleaseMemObject(buffer);

	note(RELEASE_BUFFER, begin);
	return code;
}

bool layer_start(struct _cl_icd_dispatch *own)
{
	if (!map())
		return false;
	own->clEnqueueNDRangeKernel = enqueue_kernel;
	own->clEnqueueReadBuffer = read_buffer;
	own->clCreateProgramWithSource = create_program;
	own->clCreateKernel = create_kernel;
	own->clCreateBuffer = create_buffer;
	own->clFinish = finish;
	own->clFlush = flush;
	own->clWaitForEvents = wait_for_events;
	own->clSetKernelArg = set_argument;
	own->clBuildProgram = build_program;
	own->clReleaseMemObject = release_buffer;
	return true;
}
