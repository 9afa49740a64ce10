// SPDX-License-Identifier: Apache-2.0
/*
 * Drivers that are wrong in one place only: a layer of the ICD loader. OCLMM_LIE names what it
 * does, from launch OCLMM_LIE_AFTER on:
 *
 *     garbage   what a test's controls store in the location `odd` as 1 is 7
 *     counts    programs that only count are one program, the first
 *     table     a buffer that is made with its contents has those of the first of its size
 *     early     a wait for events ends before what they stand for was done
 *     finish    the last kernel runs once more whenever all is waited for
 *     deaf      kernels keep the arguments that they were given first
 *     swapped   the buffers of two neighbouring arguments are exchanged
 *     lone      of each work-group one work-item runs
 *     memo      a kernel runs once; then each read returns what the first one of its size gave
 *     seventh   each seventh read returns what the one before it gave
 *     page      of each read 4 KiB come back
 *     repeat    of the reads behind a kernel the first one is made, and its bytes are given to
 *               the others
 *     twice     kernels whose work-groups nobody chose run twice
 *     nothing   no command does anything, and all is well
 *
 * Test code only.
 */
#include "lie.h"
#include "plant/icd_layer.h"

#include <stdlib.h>
#include <string.h>

ICD_LAYER("oclmm lies in one place");
static unsigned launched;

static bool lies(const char *lie)
{
	return lie_is_due(lie, launched);
}

static cl_int succeed(cl_command_queue queue, cl_event *event)
{
	return event ? layer_real->clEnqueueMarkerWithWaitList(queue, 0, NULL, event) : CL_SUCCESS;
}

/* ---- programs ---- */

/* A test's own stores come first, then those of its controls. */
static char *forge(const char *text)
{
	static const char stored[] = "at_odd, 1,";
	char *copy = strdup(text), *at = strstr(copy, stored);

	while (at && (at = strstr(at + 1, stored)))
		at[strcspn(at, "1")] = '7';
	return copy;
}

static cl_program counting;

static cl_program CL_API_CALL create_program(cl_context context, cl_uint count,
                                             const char **strings, const size_t *lengths,
                                             cl_int *code)
{
	bool plays = count == 1 && strstr(strings[0], "oclmm_test");
	bool counts = count == 1 && !plays && strstr(strings[0], "kernel void oclmm_count");
	cl_program program;
	char *text;

	if (counts && counting && lies("counts")) {
		layer_real->clRetainProgram(counting);
		if (code)
			*code = CL_SUCCESS;
		return counting;
	}
	if (!plays || !lies("garbage")) {
		program = layer_real->clCreateProgramWithSource(context, count, strings, lengths,
		                                                code);
		if (counts && !counting && program && layer_real->clRetainProgram(program) == 0)
			counting = program;
		return program;
	}
	text = forge(strings[0]);
	program = layer_real->clCreateProgramWithSource(context, 1, (const char **)&text, NULL,
	                                                code);
	free(text);
	return program;
}

static cl_int CL_API_CALL build_program(cl_program program, cl_uint count,
                                        const cl_device_id *devices, const char *options,
                                        void(CL_CALLBACK *notify)(cl_program, void *), void *data)
{
	return program == counting
	               ? lie_build_once(program, count, devices, options, notify, data)
	               : layer_real->clBuildProgram(program, count, devices, options, notify, data);
}

/* ---- buffers ---- */

static struct {
	size_t size;
	void *contents;
} first_of[64];

static cl_mem CL_API_CALL create_buffer(cl_context context, cl_mem_flags flags, size_t size,
                                        void *host, cl_int *code)
{
	unsigned i = 0;

	if (!(flags & CL_MEM_COPY_HOST_PTR) || !lies("table"))
		return layer_real->clCreateBuffer(context, flags, host ? size : size + LIE_SPARE,
		                                  host, code);
	while (i < 63 && first_of[i].size && first_of[i].size != size)
		i++;
	if (!first_of[i].size) {
		first_of[i].contents = memcpy(malloc(size), host, size);
		first_of[i].size = size;
	}
	return layer_real->clCreateBuffer(context, flags, size, first_of[i].contents, code);
}

/* ---- kernels ---- */

/* What kernels were given first: whether the argument has been set. */
static struct {
	cl_kernel kernel;
	uint64_t set;
} given[256];
static unsigned given_count;

static bool is_first(cl_kernel kernel, cl_uint index)
{
	unsigned i = 0;
	bool first;

	while (i < given_count && given[i].kernel != kernel)
		i++;
	if (i == given_count && given_count < 255)
		given[given_count++].kernel = kernel;
	first = !(given[i].set >> index & 1);
	given[i].set |= UINT64_C(1) << index;
	return first;
}

static cl_int CL_API_CALL set_argument(cl_kernel kernel, cl_uint index, size_t size,
                                       const void *value)
{
	cl_int code = CL_SUCCESS;

	if (!is_first(kernel, index) && lies("deaf"))
		return CL_SUCCESS;
	if (value && size == sizeof(cl_mem) && lies("swapped"))
		code = layer_real->clSetKernelArg(kernel, index ^ 1, size, value);
	return code == CL_SUCCESS ? layer_real->clSetKernelArg(kernel, index, size, value) : code;
}

/* The last launch. */
static struct {
	cl_command_queue queue;
	cl_kernel kernel;
	cl_uint dimensions;
	size_t global[3], local[3];
} last;

static void note(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t *global,
                 const size_t *local)
{
	last.queue = queue;
	last.kernel = local && dimensions <= 3 ? kernel : NULL;
	last.dimensions = dimensions;
	for (cl_uint i = 0; last.kernel && i < dimensions; i++) {
		last.global[i] = global[i];
		last.local[i] = local[i];
	}
}

static cl_int CL_API_CALL enqueue_kernel(cl_command_queue queue, cl_kernel kernel,
                                         cl_uint dimensions, const size_t *offset,
                                         const size_t *global, const size_t *local,
                                         cl_uint wait_count, const cl_event *waits, cl_event *event)
{
	static const size_t one[3] = {1, 1, 1};
	size_t groups[3];
	bool lone = lies("lone") && local;

	launched++;
	if (lies("memo") || lies("nothing"))
		return succeed(queue, event);
	note(queue, kernel, dimensions, global, local);
	for (cl_uint i = 0; lone && i < dimensions; i++)
		groups[i] = global[i] / local[i];
	if (lies("twice") && !local)
		layer_real->clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global, local,
		                                   wait_count, waits, NULL);
	return layer_real->clEnqueueNDRangeKernel(queue, kernel, dimensions, offset,
	                                          lone ? groups : global, lone ? one : local,
	                                          wait_count, waits, event);
}

static void run_again(void)
{
	if (!last.kernel || !lies("finish"))
		return;
	layer_real->clEnqueueNDRangeKernel(last.queue, last.kernel, last.dimensions, NULL,
	                                   last.global, last.local, 0, NULL, NULL);
	last.kernel = NULL;
}

static cl_int CL_API_CALL flush(cl_command_queue queue)
{
	run_again();
	return layer_real->clFlush(queue);
}

static cl_int CL_API_CALL finish(cl_command_queue queue)
{
	run_again();
	return layer_real->clFinish(queue);
}

/* ---- reads ---- */

enum { LATE_MOST = 8 };
/* Reads that are done when the next ones are asked for. */
static struct {
	void *to, *bytes;
	size_t size;
} late[LATE_MOST];
static unsigned late_count;

static void deliver(void)
{
	for (unsigned i = 0; i < late_count; i++) {
		memcpy(late[i].to, late[i].bytes, late[i].size);
		free(late[i].bytes);
	}
	late_count = 0;
}

static void hand_over(void *to, void *read, size_t size)
{
	static struct {
		size_t size;
		void *bytes;
	} first[64];
	static void *before;
	static size_t before_size;
	static unsigned reads;
	unsigned i = 0;

	while (i < 63 && first[i].size && first[i].size != size)
		i++;
	if (!first[i].size) {
		first[i].bytes = memcpy(malloc(size), read, size);
		first[i].size = size;
	}
	if (lies("memo"))
		memcpy(to, first[i].bytes, size);
	else if (lies("seventh") && ++reads % 7 == 0 && before_size == size)
		memcpy(to, before, size);
	else if (lies("page"))
		memcpy(to, read, size < 4096 ? size : 4096);
	else if (!lies("nothing"))
		memcpy(to, read, size);
	free(before);
	before = memcpy(malloc(size), read, size);
	before_size = size;
}

/* What the first read behind the last kernel gave; of words that count nothing is repeated. */
static void repeat(void *read, size_t size)
{
	enum { CELLS = 4096 };
	static unsigned behind;
	static size_t first_size;
	static void *first;

	if (size < CELLS || !lies("repeat"))
		return;
	if (behind == launched && first_size == size) {
		memcpy(read, first, size);
		return;
	}
	free(first);
	first = memcpy(malloc(size), read, size);
	first_size = size;
	behind = launched;
}

static cl_int CL_API_CALL read_buffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                      size_t offset, size_t size, void *to, cl_uint wait_count,
                                      const cl_event *waits, cl_event *event)
{
	void *read;
	cl_int code;

	if (!getenv("OCLMM_LIE") || size == 0)
		return layer_real->clEnqueueReadBuffer(queue, buffer, blocking, offset, size, to,
		                                       wait_count, waits, event);
	deliver();
	read = malloc(size);
	code = layer_real->clEnqueueReadBuffer(queue, buffer, CL_TRUE, offset, size, read,
	                                       wait_count, waits, event);
	if (code == CL_SUCCESS && !blocking && lies("early")) {
		late[late_count].to = to;
		late[late_count].bytes = read;
		late[late_count++].size = size;
		return code;
	}
	if (code == CL_SUCCESS)
		repeat(read, size);
	if (code == CL_SUCCESS)
		hand_over(to, read, size);
	free(read);
	return code;
}

static cl_int CL_API_CALL fill_buffer(cl_command_queue queue, cl_mem buffer, const void *pattern,
                                      size_t pattern_size, size_t offset, size_t size,
                                      cl_uint wait_count, const cl_event *waits, cl_event *event)
{
	if (lies("nothing"))
		return succeed(queue, event);
	return layer_real->clEnqueueFillBuffer(queue, buffer, pattern, pattern_size, offset, size,
	                                       wait_count, waits, event);
}

static cl_int CL_API_CALL write_buffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                       size_t offset, size_t size, const void *from,
                                       cl_uint wait_count, const cl_event *waits, cl_event *event)
{
	if (lies("nothing"))
		return succeed(queue, event);
	return layer_real->clEnqueueWriteBuffer(queue, buffer, blocking, offset, size, from,
	                                        wait_count, waits, event);
}

bool layer_start(struct _cl_icd_dispatch *own)
{
	own->clCreateProgramWithSource = create_program;
	own->clBuildProgram = build_program;
	own->clCreateBuffer = create_buffer;
	own->clSetKernelArg = set_argument;
	own->clEnqueueNDRangeKernel = enqueue_kernel;
	own->clFlush = flush;
	own->clFinish = finish;
	own->clEnqueueReadBuffer = read_buffer;
	own->clEnqueueFillBuffer = fill_buffer;
	own->clEnqueueWriteBuffer = write_buffer;
	return true;
}
