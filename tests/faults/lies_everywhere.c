// SPDX-License-Identifier: Apache-2.0
/*
 * A driver that says that all is well and does something else: a layer of the ICD loader.
 * OCLMM_LIE names what it does, to every program, from launch OCLMM_LIE_AFTER on:
 *
 *     zeros     foreign values, which are read behind the counters, come back as zeros
 *     first     of each read the first half comes back
 *     last      of each read the last half comes back
 *     pages     of each read every other piece of 16 bytes comes back
 *     alias     buffers of one size are one buffer
 *     kernels   of several kernels of tests in one text each is the first one
 *     rounds    the test's own kernel plays half of the rounds
 *     planes    what it leaves for the kernel that counts goes elsewhere: that one reads what an
 *               earlier launch left
 *     own       the test's own kernel is given the parameters of the launch before …
 *     counting  … or the one that counts is …
 *     both      … or both are
 *     claims    the device claims of atomics the least that there can be …
 *     version   … or an older version, to each process but the first one, which leaves the file
 *               OCLMM_LIE_FILE
 *
 * Test code only.
 */
#include "lie.h"
#include "plant/icd_layer.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

ICD_LAYER("oclmm lies");
static unsigned launched;

static bool lies(const char *lie)
{
	return lie_is_due(lie, launched);
}

static bool is_named(cl_kernel kernel, const char *name)
{
	char own[64] = "";

	layer_real->clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof(own), own, NULL);
	return strncmp(own, name, strlen(name)) == 0;
}

/* ---- buffers ---- */

/* The first of each size. */
static struct {
	size_t size;
	cl_mem buffer;
} first_of[64];

static cl_mem CL_API_CALL create_buffer(cl_context context, cl_mem_flags flags, size_t size,
                                        void *host, cl_int *code)
{
	cl_mem buffer;
	unsigned i = 0;

	while (i < 63 && first_of[i].size && first_of[i].size != size)
		i++;
	if (lies("alias") && first_of[i].size && !host) {
		layer_real->clRetainMemObject(first_of[i].buffer);
		if (code)
			*code = CL_SUCCESS;
		return first_of[i].buffer;
	}
	buffer = layer_real->clCreateBuffer(context, flags, size, host, code);
	first_of[i].size = size;
	first_of[i].buffer = buffer;
	layer_real->clRetainMemObject(buffer);
	return buffer;
}

/* ---- reads ---- */

static void spoil(unsigned char *to, const unsigned char *read, size_t size, bool blocking)
{
	size_t first = 0, end = size;
	/* only foreign values are waited for at once */
	if (blocking && lies("zeros")) {
		memset(to, 0, size);
		return;
	}
	if (lies("first"))
		end = size / 2;
	if (lies("last"))
		first = size / 2;
	for (size_t i = first; i < end; i++)
		if (!lies("pages") || i / 16 % 2 == 0)
			to[i] = read[i];
}

static cl_int CL_API_CALL read_buffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                      size_t offset, size_t size, void *to, cl_uint wait_count,
                                      const cl_event *waits, cl_event *event)
{
	unsigned char *read;
	cl_int code;

	if (!getenv("OCLMM_LIE"))
		return layer_real->clEnqueueReadBuffer(queue, buffer, blocking, offset, size, to,
		                                       wait_count, waits, event);
	read = malloc(size);
	code = layer_real->clEnqueueReadBuffer(queue, buffer, CL_TRUE, offset, size, read,
	                                       wait_count, waits, event);
	if (code == CL_SUCCESS)
		spoil(to, read, size, blocking);
	free(read);
	return code;
}

/* ---- kernels ---- */

static cl_kernel CL_API_CALL create_kernel(cl_program program, const char *name, cl_int *code)
{
	cl_kernel kernel;

	if (lies("kernels") && strncmp(name, "oclmm_test", 10) == 0) {
		kernel = layer_real->clCreateKernel(program, "oclmm_test", code);
		if (kernel)
			return kernel;
	}
	return layer_real->clCreateKernel(program, name, code);
}

enum { ROUNDS = 2 /* among the parameters */, PARAMETERS = 128, ARGUMENTS = 32 };
/* Before the parameters stand, of the test's own kernel, these two and four others. */
enum { CODES = 6, RESULTS = 5 };

/* What a kernel was given last. */
struct given {
	cl_kernel kernel;
	cl_mem buffer[ARGUMENTS], other[ARGUMENTS];
	uint32_t parameters[256];
};

static struct given *given_to(cl_kernel kernel)
{
	static struct given all[64];
	unsigned i = 0;

	while (i < 63 && all[i].kernel && all[i].kernel != kernel)
		i++;
	all[i].kernel = kernel;
	return &all[i];
}

/* Another buffer of the same size, where nobody looks. It stays: a driver need not retain it. */
static void lead_astray(struct given *given, cl_uint index)
{
	cl_mem buffer = given->buffer[index], *other = &given->other[index];
	cl_context context;
	size_t size;

	layer_real->clGetMemObjectInfo(buffer, CL_MEM_SIZE, sizeof(size), &size, NULL);
	layer_real->clGetMemObjectInfo(buffer, CL_MEM_CONTEXT, sizeof(context), &context, NULL);
	if (!*other)
		*other = layer_real->clCreateBuffer(context, CL_MEM_READ_WRITE, size, NULL, NULL);
	layer_real->clSetKernelArg(given->kernel, index, sizeof(*other), other);
}

static cl_int set_parameters(cl_kernel kernel, cl_uint index, size_t size, const void *value)
{
	struct given *given = given_to(kernel);
	bool test = is_named(kernel, "oclmm_test"), counts = is_named(kernel, "oclmm_count");
	bool late = lies("both") || (test && lies("own")) || (counts && lies("counting"));
	uint32_t words[256];

	memcpy(words, late ? (const void *)given->parameters : value, size);
	memcpy(given->parameters, value, size);
	if (test && lies("rounds"))
		words[ROUNDS] /= 2;
	if (test && lies("planes")) {
		lead_astray(given, index - CODES);
		lead_astray(given, index - RESULTS);
	}
	return layer_real->clSetKernelArg(kernel, index, size, words);
}

static cl_int CL_API_CALL set_argument(cl_kernel kernel, cl_uint index, size_t size,
                                       const void *value)
{
	if (value && size >= PARAMETERS && size <= sizeof(given_to(kernel)->parameters))
		return set_parameters(kernel, index, size, value);
	if (value && size == sizeof(cl_mem) && index < ARGUMENTS)
		memcpy(&given_to(kernel)->buffer[index], value, size);
	return layer_real->clSetKernelArg(kernel, index, size, value);
}

static cl_int CL_API_CALL enqueue_kernel(cl_command_queue queue, cl_kernel kernel,
                                         cl_uint dimensions, const size_t *offset,
                                         const size_t *global, const size_t *local,
                                         cl_uint wait_count, const cl_event *waits, cl_event *event)
{
	launched++;
	return layer_real->clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global, local,
	                                          wait_count, waits, event);
}

/* Whether another process asked before this one. */
static bool is_later(void)
{
	static int later = -1;
	const char *path = getenv("OCLMM_LIE_FILE");

	if (later < 0) {
		int file = path ? open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600) : -1;

		later = file < 0;
		if (file >= 0)
			close(file);
	}
	return later;
}

static cl_int CL_API_CALL get_device_info(cl_device_id device, cl_device_info what, size_t size,
                                          void *value, size_t *ret_size)
{
	cl_int code = layer_real->clGetDeviceInfo(device, what, size, value, ret_size);
	cl_bitfield least = CL_DEVICE_ATOMIC_ORDER_RELAXED | CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP;

	if (code != CL_SUCCESS || !value)
		return code;
	if (what == CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES && lies("claims") && is_later())
		memcpy(value, &least, sizeof(least));
	if (what == CL_DEVICE_VERSION && lies("version") && is_later())
		((char *)value)[strlen("OpenCL ")] = '2';
	return code;
}

bool layer_start(struct _cl_icd_dispatch *own)
{
	own->clGetDeviceInfo = get_device_info;
	own->clCreateBuffer = create_buffer;
	own->clEnqueueReadBuffer = read_buffer;
	own->clCreateKernel = create_kernel;
	own->clSetKernelArg = set_argument;
	own->clEnqueueNDRangeKernel = enqueue_kernel;
	return true;
}
