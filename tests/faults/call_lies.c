// SPDX-License-Identifier: Apache-2.0
/*
 * Drivers that do not quite do what they are called for: a layer of the ICD loader. OCLMM_LIE names
 * what it does, from launch OCLMM_LIE_AFTER on:
 *
 *     tired     a kernel runs four times, and then no more
 *     local     the driver chooses the work-groups
 *     origin    launches begin at 0, whatever their offset is
 *     alike     an argument is not set again where its first eight bytes are as before
 *     late      a kernel runs when the next one is queued
 *     swap      two kernels that are queued one after the other change places
 *     other     a kernel runs with the work-groups of the one before it
 *     half      a kernel runs on half of its work-items, rounded to groups
 *     cold      the first launch of each kernel that plays runs on half of its work-items
 *     shifted   a kernel runs one work-group further on
 *     thrice    a kernel runs three times
 *     length    a text as long as an earlier one is taken for it
 *     overlap   each buffer begins within the one before
 *     small     of a buffer there is only the first half
 *     low       of each word that is read the lowest byte is that of the read before
 *     byte      the last byte of each read is that of the read before
 *     other-end words that are read come in the other order
 *     where     a read begins four bytes too far on
 *     unread    reads of more than 16 bytes give all but the last one
 *     unwaited  waits for events end at once, and reads take their time
 *     unfilled  buffers are not filled
 *     unmade    a buffer that is made with its contents has none
 *     constant  reads are what the first one of that size was, plus a number that grows
 *
 * Test code only.
 */
#include "lie.h"
#include "plant/icd_layer.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

ICD_LAYER("oclmm lies of calls");
static unsigned launched;

static bool lies(const char *lie)
{
	return lie_is_due(lie, launched);
}

/* ---- programs ---- */

static struct {
	size_t length;
	cl_program program;
} texts[256];

static cl_program CL_API_CALL create_program(cl_context context, cl_uint count,
                                             const char **strings, const size_t *lengths,
                                             cl_int *code)
{
	cl_program program;
	unsigned i = 0;

	while (count == 1 && i < 255 && texts[i].length && texts[i].length != strlen(strings[0]))
		i++;
	if (lies("length") && count == 1 && texts[i].length) {
		layer_real->clRetainProgram(texts[i].program);
		if (code)
			*code = CL_SUCCESS;
		return texts[i].program;
	}
	program = layer_real->clCreateProgramWithSource(context, count, strings, lengths, code);
	if (count == 1 && program && lies("length")) {
		texts[i].length = strlen(strings[0]);
		texts[i].program = program;
		layer_real->clRetainProgram(program);
	}
	return program;
}

static cl_int CL_API_CALL build_program(cl_program program, cl_uint count,
                                        const cl_device_id *devices, const char *options,
                                        void(CL_CALLBACK *notify)(cl_program, void *), void *data)
{
	return lies("length")
	               ? lie_build_once(program, count, devices, options, notify, data)
	               : layer_real->clBuildProgram(program, count, devices, options, notify, data);
}

/* ---- buffers ---- */

/* A part of one large buffer, which begins in the first eighth of the one before it. */
static cl_mem overlap(cl_context context, size_t size, cl_int *code)
{
	enum { ALL = 1 << 26, ALIGNED = 128 };
	static cl_mem all;
	static size_t at;
	cl_buffer_region region = {at, size};

	if (!all)
		all = layer_real->clCreateBuffer(context, CL_MEM_READ_WRITE, ALL, NULL, NULL);
	at += (size / 8 + ALIGNED - 1) / ALIGNED * ALIGNED;
	return layer_real->clCreateSubBuffer(all, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION,
	                                     &region, code);
}

static cl_mem CL_API_CALL create_buffer(cl_context context, cl_mem_flags flags, size_t size,
                                        void *host, cl_int *code)
{
	if (lies("overlap") && !host)
		return overlap(context, size, code);
	if (lies("small") && !host)
		size = (size + 1) / 2;
	else if (!host)
		size += LIE_SPARE;
	if (lies("unmade") && flags & CL_MEM_COPY_HOST_PTR) {
		flags &= ~(cl_mem_flags)CL_MEM_COPY_HOST_PTR;
		host = NULL;
	}
	return layer_real->clCreateBuffer(context, flags, size, host, code);
}

static cl_int CL_API_CALL fill_buffer(cl_command_queue queue, cl_mem buffer, const void *pattern,
                                      size_t pattern_size, size_t offset, size_t size,
                                      cl_uint wait_count, const cl_event *waits, cl_event *event)
{
	if (lies("unfilled"))
		return event ? layer_real->clEnqueueMarkerWithWaitList(queue, 0, NULL, event)
		             : CL_SUCCESS;
	return layer_real->clEnqueueFillBuffer(queue, buffer, pattern, pattern_size, offset, size,
	                                       wait_count, waits, event);
}

/* ---- kernels ---- */

/* What each was given, and how often it ran. */
static struct {
	cl_kernel kernel;
	unsigned runs, asked;
	uint64_t first[32];
} kernels[256];

static unsigned number_of(cl_kernel kernel)
{
	unsigned i = 0;

	while (i < 255 && kernels[i].kernel && kernels[i].kernel != kernel)
		i++;
	kernels[i].kernel = kernel;
	return i;
}

static cl_int CL_API_CALL set_argument(cl_kernel kernel, cl_uint index, size_t size,
                                       const void *value)
{
	unsigned number = number_of(kernel);
	uint64_t first;

	if (value && size >= sizeof(first) && index < 32) {
		memcpy(&first, value, sizeof(first));
		if (lies("alike") && first == kernels[number].first[index])
			return CL_SUCCESS;
		kernels[number].first[index] = first;
	}
	return layer_real->clSetKernelArg(kernel, index, size, value);
}

struct range {
	cl_kernel kernel;
	cl_uint dimensions;
	size_t offset[3], global[3], local[3];
};

static cl_int run(cl_command_queue queue, const struct range *range)
{
	return layer_real->clEnqueueNDRangeKernel(queue, range->kernel, range->dimensions,
	                                          range->offset, range->global,
	                                          range->local[0] ? range->local : NULL, 0, NULL,
	                                          NULL);
}

static bool is_first_to_play(cl_kernel kernel)
{
	char name[32] = "";

	layer_real->clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof(name), name, NULL);
	return strncmp(name, "oclmm_test", strlen("oclmm_test")) == 0 &&
	       kernels[number_of(kernel)].asked++ == 0;
}

static void change(struct range *range, const struct range *before)
{
	size_t groups = range->local[0] ? range->global[0] / range->local[0] : 1;
	bool cold = lies("cold") && is_first_to_play(range->kernel);

	if (lies("local"))
		range->local[0] = 0;
	if (lies("origin"))
		memset(range->offset, 0, sizeof(range->offset));
	if (lies("shifted"))
		range->offset[0] += range->local[0];
	if ((lies("half") || cold) && groups > 1)
		range->global[0] = groups / 2 * range->local[0];
	if (lies("other") && before->kernel && before->dimensions == range->dimensions) {
		memcpy(range->global, before->global, sizeof(range->global));
		memcpy(range->local, before->local, sizeof(range->local));
	}
}

static cl_int launch(cl_command_queue queue, struct range *range)
{
	static struct range held, before;
	struct range asked = *range;
	cl_int code = CL_SUCCESS;

	change(range, &before);
	before = asked;
	if (lies("tired") && kernels[number_of(range->kernel)].runs++ >= 4)
		return CL_SUCCESS;
	if (lies("late") || (lies("swap") && !held.kernel)) {
		if (held.kernel)
			code = run(queue, &held);
		held = *range;
		return code;
	}
	code = run(queue, range);
	for (int i = 0; i < 2 && lies("thrice"); i++)
		code = run(queue, range);
	if (held.kernel && code == CL_SUCCESS)
		code = run(queue, &held);
	held.kernel = NULL;
	return code;
}

static cl_int CL_API_CALL enqueue_kernel(cl_command_queue queue, cl_kernel kernel,
                                         cl_uint dimensions, const size_t *offset,
                                         const size_t *global, const size_t *local,
                                         cl_uint wait_count, const cl_event *waits, cl_event *event)
{
	struct range range = {.kernel = kernel, .dimensions = dimensions};

	launched++;
	if (!getenv("OCLMM_LIE") || event || wait_count)
		return layer_real->clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global,
		                                          local, wait_count, waits, event);
	for (cl_uint i = 0; i < dimensions; i++) {
		range.offset[i] = offset ? offset[i] : 0;
		range.global[i] = global[i];
		range.local[i] = local ? local[i] : 0;
	}
	return launch(queue, &range);
}

/* ---- reads ---- */

/* The last and the first read of each size. */
static struct read {
	size_t size;
	unsigned char *last, *first;
	uint32_t count;
} of_size[64];

static struct read *read_of(const unsigned char *read, size_t size)
{
	unsigned i = 0;

	while (i < 63 && of_size[i].size && of_size[i].size != size)
		i++;
	if (!of_size[i].size) {
		of_size[i].first = memcpy(malloc(size), read, size);
		of_size[i].last = memcpy(malloc(size), read, size);
		of_size[i].size = size;
	}
	return &of_size[i];
}

static void change_words(uint32_t *to, const uint32_t *read, const struct read *known, size_t words)
{
	const uint32_t *first = (const uint32_t *)(const void *)known->first;

	for (size_t i = 0; i < words; i++) {
		if (lies("other-end"))
			to[i] = read[words - 1 - i];
		if (lies("constant"))
			to[i] = first[i] + known->count;
	}
}

static void hand_over(unsigned char *to, unsigned char *read, size_t size)
{
	struct read *known = read_of(read, size);
	size_t all = lies("unread") && size > 16 ? size - 1 : size;

	memcpy(to, read, all);
	for (size_t i = 0; lies("low") && i < size; i += 4)
		to[i] = known->last[i];
	if (lies("byte"))
		to[size - 1] = known->last[size - 1];
	change_words((uint32_t *)(void *)to, (const uint32_t *)(const void *)read, known, size / 4);
	memcpy(known->last, read, size);
	known->count++;
}

static cl_int CL_API_CALL read_buffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                      size_t offset, size_t size, void *to, cl_uint wait_count,
                                      const cl_event *waits, cl_event *event)
{
	unsigned char *read;
	cl_int code;

	if (!getenv("OCLMM_LIE") || size == 0 || lies("unwaited"))
		return layer_real->clEnqueueReadBuffer(queue, buffer, blocking, offset, size, to,
		                                       wait_count, waits, event);
	read = calloc(1, size);
	if (lies("where") && size > 4)
		code = layer_real->clEnqueueReadBuffer(queue, buffer, CL_TRUE, offset + 4, size - 4,
		                                       read, wait_count, waits, event);
	else
		code = layer_real->clEnqueueReadBuffer(queue, buffer, CL_TRUE, offset, size, read,
		                                       wait_count, waits, event);
	if (code == CL_SUCCESS)
		hand_over(to, read, size);
	free(read);
	return code;
}

static cl_int CL_API_CALL wait_for_events(cl_uint count, const cl_event *events)
{
	return lies("unwaited") ? CL_SUCCESS : layer_real->clWaitForEvents(count, events);
}

bool layer_start(struct _cl_icd_dispatch *own)
{
	own->clCreateProgramWithSource = create_program;
	own->clBuildProgram = build_program;
	own->clCreateBuffer = create_buffer;
	own->clEnqueueFillBuffer = fill_buffer;
	own->clSetKernelArg = set_argument;
	own->clEnqueueNDRangeKernel = enqueue_kernel;
	own->clEnqueueReadBuffer = read_buffer;
	own->clWaitForEvents = wait_for_events;
	return true;
}
