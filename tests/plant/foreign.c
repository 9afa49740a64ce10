// SPDX-License-Identifier: Apache-2.0
/*
 * A program that knows nothing of litmus tests: builds files of OpenCL C and
 * runs one work-item of the kernel of each, so that nothing happens at the same time and
 * the result is certain. Prints, a line for each, what the kernel left in its third argument.
 *
 * usage: foreign KERNEL OPTIONS PIECES LAUNCHES FILE...
 *
 * The text is given in PIECES strings, every second one with its length. With FOREIGN_OFFERS the
 * text of that file is offered to the layer for it, with four places.
 * Status: 0, 77 without a device, 1 otherwise.
 */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oclmm/base.h"
#include "plant/offer.h"

enum { WORDS = 16, ARGUMENTS = 6, PIECES = 64 };

static void check(cl_int code, const char *what)
{
	if (code == CL_SUCCESS)
		return;
	fprintf(stderr, "%s: %d\n", what, code);
	exit(code == CL_DEVICE_NOT_FOUND || code == -1001 ? 77 : 1);
}

static cl_device_id find_device(void)
{
	cl_platform_id platforms[8];
	cl_device_id device;
	cl_uint count = 0;

	check(clGetPlatformIDs(8, platforms, &count), "clGetPlatformIDs");
	for (cl_uint i = 0; i < count && i < 8; i++) {
		if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &device, NULL) ==
		    CL_SUCCESS)
			return device;
	}
	check(CL_DEVICE_NOT_FOUND, "clGetDeviceIDs");
	return NULL;
}

static char *read_text(const char *path)
{
	FILE *file = fopen(path, "rb");
	char *text = calloc(1, 1 << 16);

	if (!file || !text || fread(text, 1, (1 << 16) - 1, file) == 0) {
		fprintf(stderr, "cannot read %s\n", path);
		exit(1);
	}
	fclose(file);
	return text;
}

/* Cuts the text in the midst of words; a piece without a length must be terminated, so it is a
 * copy. */
static cl_program create(cl_context context, const char *text, size_t pieces)
{
	const char *strings[PIECES] = {NULL};
	size_t lengths[PIECES] = {0}, length = strlen(text), each = length / pieces + 1;
	cl_program program;
	cl_int code;

	for (size_t i = 0; i < pieces; i++) {
		size_t from = i * each < length ? i * each : length;
		size_t size = length - from < each ? length - from : each;

		strings[i] = i % 2 ? strndup(text + from, size) : text + from;
		lengths[i] = i % 2 ? 0 : size;
	}
	program = clCreateProgramWithSource(context, (cl_uint)pieces, strings,
	                                    pieces == 1 ? NULL : lengths, &code);
	check(code, "clCreateProgramWithSource");
	for (size_t i = 1; i < pieces; i += 2)
		free((void *)(size_t)strings[i]);
	return program;
}

static void build(cl_program program, cl_device_id device, const char *options)
{
	char log[16384] = "";

	if (clBuildProgram(program, 1, &device, options, NULL, NULL) == CL_SUCCESS)
		return;
	clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof(log), log, NULL);
	fprintf(stderr, "%s\n", log);
	check(CL_BUILD_PROGRAM_FAILURE, "clBuildProgram");
}

/* Buffers for all arguments, local memory where a buffer is refused. */
static cl_mem set_arguments(cl_context context, cl_kernel kernel, cl_mem buffers[ARGUMENTS])
{
	cl_uint count = 0;

	check(clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof(count), &count, NULL),
	      "clGetKernelInfo");
	for (cl_uint i = 0; i < count && i < ARGUMENTS; i++) {
		long words[WORDS] = {0};
		bool local = i == 4 || (count == 4 && i == 2);

		buffers[i] = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
		                            sizeof(words), words, NULL);
		check(clSetKernelArg(kernel, i, local ? sizeof(words) : sizeof(cl_mem),
		                     local ? NULL : (void *)&buffers[i]),
		      "clSetKernelArg");
	}
	return buffers[count == 4 ? 1 : 2];
}

static void offer(const char *text)
{
	const char *path = getenv("FOREIGN_OFFERS"), *layer = getenv("OPENCL_LAYERS");
	void (*take)(uint64_t hash, const char *text, size_t length, size_t places);
	void *loaded, *function;
	char *other;

	if (!path || !layer)
		return;
	loaded = dlopen(layer, RTLD_LAZY | RTLD_NOLOAD);
	function = loaded ? dlsym(loaded, OCLMM_PLANT_OFFER_NAME) : NULL;
	if (!function) {
		fputs("the layer takes no offers\n", stderr);
		exit(1);
	}
	memcpy(&take, &function, sizeof(take));
	other = read_text(path);
	take(oclmm_hash(text, strlen(text)), other, strlen(other), 4);
	free(other);
	dlclose(loaded);
}

struct place {
	cl_device_id device;
	cl_context context;
	cl_command_queue queue;
};

static void run(const struct place *place, const char *path, char **how)
{
	cl_mem buffers[ARGUMENTS] = {NULL}, result;
	const size_t one = 1;
	int words[3] = {0};
	cl_program program;
	cl_kernel kernel;
	cl_int code;
	char *text = read_text(path);

	offer(text);
	program = create(place->context, text, (size_t)atoi(how[2]));
	build(program, place->device, how[1]);
	kernel = clCreateKernel(program, how[0], &code);
	check(code, "clCreateKernel");
	result = set_arguments(place->context, kernel, buffers);
	for (int i = 0; i < atoi(how[3]); i++)
		check(clEnqueueNDRangeKernel(place->queue, kernel, 1, NULL, &one, &one, 0, NULL,
		                             NULL),
		      "clEnqueueNDRangeKernel");
	check(clEnqueueReadBuffer(place->queue, result, CL_TRUE, 0, sizeof(words), words, 0, NULL,
	                          NULL),
	      "clEnqueueReadBuffer");
	printf("%d %d %d\n", words[0], words[1], words[2]);
	/* whoever ends this program early knows how far it came */
	fflush(stdout);
	clReleaseKernel(kernel);
	clReleaseProgram(program);
	for (int i = 0; i < ARGUMENTS; i++) {
		if (buffers[i])
			clReleaseMemObject(buffers[i]);
	}
	free(text);
}

int main(int argc, char **argv)
{
	struct place place;

	if (argc < 6)
		return 1;
	place.device = find_device();
	place.context = clCreateContext(NULL, 1, &place.device, NULL, NULL, NULL);
	place.queue = clCreateCommandQueueWithProperties(place.context, place.device, NULL, NULL);
	for (int i = 5; i < argc; i++)
		run(&place, argv[i], argv + 1);
	clReleaseCommandQueue(place.queue);
	clReleaseContext(place.context);
	return 0;
}
