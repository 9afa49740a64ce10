// SPDX-License-Identifier: Apache-2.0
/*
 * Where the time of a launch goes: a layer of the ICD loader (OPENCL_LAYERS) that leaves parts of
 * the kernels out and asks the device how long they took.
 *
 * OCLMM_WHERE_OUT has names of parts, divided by commas:
 *
 *     loads, stores    those of the test itself
 *     results          storing what was observed
 *     count_reads      the counting kernel's reading of it
 *     restores         setting objects up again
 *
 * What is left out is still counted, wrongly, for only the time matters; objects are not looked at
 * where that would tell. With OCLMM_WHERE_FOLDER
 * each process leaves a file there, named by its number: see struct totals. Benchmark code only.
 */
#include "plant/icd_layer.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

ICD_LAYER("oclmm where");

/* In this order in the file, for where.py. */
struct totals {
	uint64_t launches[2], busy[2]; /* of the test kernel and of the counting one; nanoseconds */
	uint64_t gaps; /* nanoseconds from a kernel's end to the beginning of one that waited */
};
static struct totals none, *totals = &none;

/* Kernels in the queue, the oldest first. */
enum { WAITING = 64 };
static struct {
	cl_event event;
	bool counts;
} waiting[WAITING];
static unsigned waiting_count;
static cl_ulong ended; /* when the last kernel did */

static bool leaves_out(const char *part)
{
	const char *parts = getenv("OCLMM_WHERE_OUT"), *at = parts ? strstr(parts, part) : NULL;
	size_t length = strlen(part);

	return at && (at == parts || at[-1] == ',') && (at[length] == ',' || at[length] == '\0');
}

/* Replaces all of them. */
static void replace(char **text, const char *from, const char *to)
{
	size_t count = 0;
	char *made, *end;

	for (const char *at = *text; (at = strstr(at, from)); at += strlen(from))
		count++;
	made = malloc(strlen(*text) + count * strlen(to) + 1);
	if (!made)
		abort();
	end = made;
	*end = '\0';
	for (char *at = *text, *next; at; at = next) {
		next = strstr(at, from);
		end += sprintf(end, "%.*s%s", next ? (int)(next - at) : (int)strlen(at), at,
		               next ? to : "");
		next = next ? next + strlen(from) : NULL;
	}
	free(*text);
	*text = made;
}

/* No launch has so many polls, which a compiler does not know. */
#define NEVER "p.polls == 0xffffffffu"

static void define(char **text, const char *part, const char *line)
{
	char *made;

	if (!leaves_out(part))
		return;
	if (asprintf(&made, "%s\n%s", line, *text) < 0)
		abort();
	free(*text);
	*text = made;
}

static void leave_out(char **text)
{
	bool counts = strstr(*text, "kernel void oclmm_count(") != NULL;

	if (!counts && leaves_out("results"))
		replace(text, "\tcodes[", "\tif (" NEVER ") codes[");
	if (counts && leaves_out("count_reads")) {
		replace(text, "= (codes[", "= !(" NEVER ") ? 0u : (codes[");
		replace(text, "= convert_uint4(*(global const uchar4 *)",
		        "= !(" NEVER ") ? (uint4)(0u) : convert_uint4(*(global const uchar4 *)");
	}
	if (counts && leaves_out("restores")) {
		replace(text, "\tat_", "\tif (" NEVER ") at_");
		replace(text, "\t*(global ", "\tif (" NEVER ") *(global ");
	}
	if (counts && (leaves_out("stores") || leaves_out("restores")))
		replace(text, "if (p.looks)", "if (p.looks && " NEVER ")");
	/* outcomes that nobody foresaw are read back one by one: they count as the first one */
	if (counts && getenv("OCLMM_WHERE_OUT") && *getenv("OCLMM_WHERE_OUT")) {
		replace(text, "bucket = outcomes + 0u;", "bucket = 0u;");
		replace(text, "(uint4)(outcomes + 0u)", "(uint4)(0u)");
	}
	if (counts)
		return;
	define(text, "loads", "#define atomic_load_explicit(at, order, scope) 0");
	define(text, "stores", "#define atomic_store_explicit(at, value, order, scope) ((void)0)");
}

static cl_program CL_API_CALL create_program(cl_context context, cl_uint count,
                                             const char **strings, const size_t *lengths,
                                             cl_int *code)
{
	char *text = count == 1 && strstr(strings[0], "kernel void oclmm_") ? strdup(strings[0])
	                                                                    : NULL;
	cl_program program;

	if (!text)
		return layer_real->clCreateProgramWithSource(context, count, strings, lengths,
		                                             code);
	leave_out(&text);
	program = layer_real->clCreateProgramWithSource(context, 1, (const char **)&text, NULL,
	                                                code);
	free(text);
	return program;
}

static cl_command_queue CL_API_CALL create_queue(cl_context context, cl_device_id device,
                                                 cl_command_queue_properties properties,
                                                 cl_int *code)
{
	if (getenv("OCLMM_WHERE_FOLDER"))
		properties |= CL_QUEUE_PROFILING_ENABLE;
	return layer_real->clCreateCommandQueue(context, device, properties, code);
}

/* One that is done. */
static void take(cl_event event, bool counts)
{
	cl_ulong queued = 0, begin = 0, end = 0;

	layer_real->clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_QUEUED, sizeof(queued),
	                                    &queued, NULL);
	layer_real->clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof(begin),
	                                    &begin, NULL);
	layer_real->clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof(end), &end,
	                                    NULL);
	totals->launches[counts]++;
	totals->busy[counts] += end - begin;
	if (queued < ended && begin > ended)
		totals->gaps += begin - ended;
	ended = end;
}

/* The oldest ones, as many as are done. */
static void take_done(void)
{
	unsigned taken = 0;

	for (; taken < waiting_count; taken++) {
		cl_int status = CL_QUEUED;

		layer_real->clGetEventInfo(waiting[taken].event, CL_EVENT_COMMAND_EXECUTION_STATUS,
		                           sizeof(status), &status, NULL);
		if (status != CL_COMPLETE)
			break;
		take(waiting[taken].event, waiting[taken].counts);
		layer_real->clReleaseEvent(waiting[taken].event);
	}
	waiting_count -= taken;
	memmove(waiting, waiting + taken, waiting_count * sizeof(*waiting));
}

static bool is_counting(cl_kernel kernel)
{
	char name[64] = "";

	layer_real->clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof(name), name, NULL);
	return strncmp(name, "oclmm_count", strlen("oclmm_count")) == 0;
}

static cl_int CL_API_CALL enqueue_kernel(cl_command_queue queue, cl_kernel kernel,
                                         cl_uint dimensions, const size_t *offset,
                                         const size_t *global, const size_t *local,
                                         cl_uint wait_count, const cl_event *waits, cl_event *event)
{
	bool timed = getenv("OCLMM_WHERE_FOLDER") && waiting_count < WAITING;
	cl_event own = NULL;
	cl_int code = layer_real->clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global,
	                                                 local, wait_count, waits,
	                                                 timed && !event ? &own : event);

	if (timed && event && code == CL_SUCCESS) {
		own = *event;
		layer_real->clRetainEvent(own);
	}
	if (code == CL_SUCCESS && own) {
		waiting[waiting_count].event = own;
		waiting[waiting_count++].counts = is_counting(kernel);
	}
	return code;
}

static cl_int CL_API_CALL wait_for_events(cl_uint count, const cl_event *events)
{
	cl_int code = layer_real->clWaitForEvents(count, events);

	take_done();
	return code;
}

/* What was waited for in this way was no launch of a test, but set up and compiled for it. */
static cl_int CL_API_CALL finish(cl_command_queue queue)
{
	cl_int code = layer_real->clFinish(queue);

	while (waiting_count > 0)
		layer_real->clReleaseEvent(waiting[--waiting_count].event);
	ended = 0;
	return code;
}

/* A file, for children end without a word. */
static void share_totals(void)
{
	const char *folder = getenv("OCLMM_WHERE_FOLDER");
	char path[4096];
	int file;

	if (!folder)
		return;
	snprintf(path, sizeof(path), "%s/%ld", folder, (long)getpid());
	file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (file >= 0 && ftruncate(file, sizeof(*totals)) == 0) {
		void *shared = mmap(NULL, sizeof(*totals), PROT_READ | PROT_WRITE, MAP_SHARED, file,
		                    0);

		if (shared != MAP_FAILED)
			totals = shared;
	}
	if (file >= 0)
		close(file);
}

bool layer_start(struct _cl_icd_dispatch *own)
{
	own->clCreateProgramWithSource = create_program;
	own->clCreateCommandQueue = create_queue;
	own->clEnqueueNDRangeKernel = enqueue_kernel;
	own->clWaitForEvents = wait_for_events;
	own->clFinish = finish;
	share_totals();
	return true;
}
