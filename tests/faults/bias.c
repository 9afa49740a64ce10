// SPDX-License-Identifier: Apache-2.0
/*
 * Drivers that have a bug in what is strong and hide it: a layer of the ICD loader. Programs whose
 * text has the words OCLMM_BIAS_FOR are strong, unless they play more than one test: these are not
 * built, so that each is compiled by itself. In a strong program OCLMM_BIAS_FROM becomes
 * OCLMM_BIAS_TO, everywhere; and its kernel that plays is launched as OCLMM_BIAS says:
 *
 *     none      as any other
 *     one-core  alone, and on one processor
 *     part      without the second half of its work-groups
 *     most      with 4 work-items at most
 *     skipped   not at all
 *     control   not at all: the kernel of another program that played last runs in its place
 *     before    and what is read behind it is what was read behind it before
 *     alone     one work-group after the other, each as a launch
 *     twice     after a launch of the same kernel that nobody asked for
 *
 * Test code only.
 */
#include "plant/icd_layer.h"

#include <dirent.h>
#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

ICD_LAYER("oclmm bias");

static const char *word(const char *variable)
{
	const char *value = getenv(variable);

	return value ? value : "";
}

static bool hides(const char *how)
{
	return strcmp(word("OCLMM_BIAS"), how) == 0;
}

/* ---- programs ---- */

enum { PROGRAMS = 256 };
static cl_program strong[PROGRAMS];
static unsigned strong_count;

static bool is_strong(cl_program program)
{
	for (unsigned i = 0; i < strong_count && i < PROGRAMS; i++)
		if (strong[i] == program)
			return true;
	return false;
}

static char *rewrite(const char *text, const char *from, const char *to)
{
	size_t length = strlen(text), each = strlen(to);
	char *copy = malloc(length * (each + 1) + 1), *at = copy;
	const char *found;

	while (*from && (found = strstr(text, from))) {
		memcpy(at, text, (size_t)(found - text));
		at += found - text;
		memcpy(at, to, each);
		at += each;
		text = found + strlen(from);
	}
	memcpy(at, text, strlen(text) + 1);
	return copy;
}

static cl_program CL_API_CALL create_program(cl_context context, cl_uint count,
                                             const char **strings, const size_t *lengths,
                                             cl_int *code)
{
	static const char plays[] = "kernel void oclmm_test";
	const char *first = count == 1 ? strstr(strings[0], plays) : NULL;
	cl_program program;
	char *text;

	if (!first)
		return layer_real->clCreateProgramWithSource(context, count, strings, lengths,
		                                             code);
	if (strstr(first + 1, plays)) {
		const char *nothing = "none";

		return layer_real->clCreateProgramWithSource(context, 1, &nothing, NULL, code);
	}
	if (!strstr(strings[0], word("OCLMM_BIAS_FOR")))
		return layer_real->clCreateProgramWithSource(context, count, strings, lengths,
		                                             code);
	text = rewrite(strings[0], word("OCLMM_BIAS_FROM"), word("OCLMM_BIAS_TO"));
	program = layer_real->clCreateProgramWithSource(context, 1, (const char **)&text, NULL,
	                                                code);
	free(text);
	if (program && !is_strong(program))
		strong[strong_count++ % PROGRAMS] = program;
	return program;
}

/* ---- kernels ---- */

static bool plays(cl_kernel kernel)
{
	char name[32] = "";

	layer_real->clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof(name), name, NULL);
	return strncmp(name, "oclmm_test", strlen("oclmm_test")) == 0;
}

static bool is_of_strong(cl_kernel kernel)
{
	cl_program program = NULL;

	layer_real->clGetKernelInfo(kernel, CL_KERNEL_PROGRAM, sizeof(program), &program, NULL);
	return is_strong(program);
}

/* All threads of the process. */
static void let_run_on(const cpu_set_t *set)
{
	DIR *threads = opendir("/proc/self/task");
	struct dirent *thread;

	while (threads && (thread = readdir(threads)))
		if (thread->d_name[0] != '.')
			sched_setaffinity((pid_t)strtol(thread->d_name, NULL, 10), sizeof(*set),
			                  set);
	if (threads)
		closedir(threads);
}

struct range {
	cl_uint dimensions;
	const size_t *offset, *global, *local;
};

static cl_int run(cl_command_queue queue, cl_kernel kernel, const struct range *range)
{
	return layer_real->clEnqueueNDRangeKernel(queue, kernel, range->dimensions, range->offset,
	                                          range->global, range->local, 0, NULL, NULL);
}

static cl_int run_on_one_core(cl_command_queue queue, cl_kernel kernel, const struct range *range)
{
	cpu_set_t all, one;
	cl_int code;

	sched_getaffinity(0, sizeof(all), &all);
	CPU_ZERO(&one);
	for (int i = 0; CPU_COUNT(&one) == 0 && i < CPU_SETSIZE; i++)
		if (CPU_ISSET(i, &all))
			CPU_SET(i, &one);
	layer_real->clFinish(queue);
	let_run_on(&one);
	code = run(queue, kernel, range);
	layer_real->clFinish(queue);
	let_run_on(&all);
	return code;
}

static cl_int run_group_by_group(cl_command_queue queue, cl_kernel kernel,
                                 const struct range *range)
{
	struct range one = *range;
	size_t global[3], offset[3];
	cl_int code = CL_SUCCESS;

	for (cl_uint i = 0; i < range->dimensions; i++) {
		global[i] = range->global[i];
		offset[i] = range->offset ? range->offset[i] : 0;
	}
	global[0] = range->local[0];
	one.global = global;
	one.offset = offset;
	for (size_t n = 0; code == CL_SUCCESS && n < range->global[0] / range->local[0]; n++) {
		code = run(queue, kernel, &one);
		offset[0] += range->local[0];
	}
	return code;
}

static cl_int run_part(cl_command_queue queue, cl_kernel kernel, const struct range *range,
                       size_t most)
{
	struct range part = *range;
	size_t global[3];

	memcpy(global, range->global, range->dimensions * sizeof(*global));
	if (global[0] > most)
		global[0] = most < range->local[0] ? range->local[0]
		                                   : most / range->local[0] * range->local[0];
	part.global = global;
	return run(queue, kernel, &part);
}

static bool reads_as_before; /* the strong kernel played last */

static cl_int CL_API_CALL enqueue_kernel(cl_command_queue queue, cl_kernel kernel,
                                         cl_uint dimensions, const size_t *offset,
                                         const size_t *global, const size_t *local,
                                         cl_uint wait_count, const cl_event *waits, cl_event *event)
{
	static cl_kernel other;
	struct range range = {dimensions, offset, global, local};

	if (!plays(kernel))
		return layer_real->clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global,
		                                          local, wait_count, waits, event);
	if (wait_count || event || !local || !is_of_strong(kernel)) {
		reads_as_before = false;
		other = kernel;
		return layer_real->clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global,
		                                          local, wait_count, waits, event);
	}
	reads_as_before = hides("before");
	if (hides("one-core"))
		return run_on_one_core(queue, kernel, &range);
	if (hides("part"))
		return run_part(queue, kernel, &range, global[0] / 2);
	if (hides("most"))
		return run_part(queue, kernel, &range, 4);
	if (hides("skipped"))
		return CL_SUCCESS;
	if (hides("control") && other)
		return run(queue, other, &range);
	if (hides("alone"))
		return run_group_by_group(queue, kernel, &range);
	if (hides("twice"))
		run(queue, kernel, &range);
	return run(queue, kernel, &range);
}

/* ---- reads ---- */

static cl_int CL_API_CALL read_buffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                      size_t offset, size_t size, void *to, cl_uint wait_count,
                                      const cl_event *waits, cl_event *event)
{
	static void *before;
	static size_t before_size;
	void *now;
	cl_int code;

	code = layer_real->clEnqueueReadBuffer(queue, buffer, blocking || reads_as_before, offset,
	                                       size, to, wait_count, waits, event);
	if (!reads_as_before || code != CL_SUCCESS)
		return code;
	now = memcpy(malloc(size), to, size);
	if (before_size == size)
		memcpy(to, before, size);
	free(before);
	before = now;
	before_size = size;
	return code;
}

bool layer_start(struct _cl_icd_dispatch *own)
{
	own->clCreateProgramWithSource = create_program;
	own->clEnqueueNDRangeKernel = enqueue_kernel;
	own->clEnqueueReadBuffer = read_buffer;
	return true;
}
