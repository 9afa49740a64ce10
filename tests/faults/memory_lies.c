// SPDX-License-Identifier: Apache-2.0
/*
 * Drivers that lose or mix up memory behind the back of kernels: a layer of the ICD loader.
 * OCLMM_LIE names what it does, from launch OCLMM_LIE_AFTER on:
 *
 *     line    of what a kernel changed in each buffer, one line of 64 bytes has its old contents
 *             again: the last one …
 *     some    … or one that is drawn
 *     mirror  of each buffer of 8 KiB or more that the host did not fill, both halves are the same
 *             memory
 *     flip    in each eighth read one bit is another one
 *
 * Test code only.
 */
#include "lie.h"
#include "plant/icd_layer.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

ICD_LAYER("oclmm lies of memory");
static unsigned launched;

static bool lies(const char *lie)
{
	return lie_is_due(lie, launched);
}

/* The same numbers in each run. */
static uint64_t draw(uint64_t below)
{
	static uint64_t state = UINT64_C(0x9e3779b97f4a7c15);

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state % below;
}

/* ---- buffers ---- */

enum { BUFFERS = 1024, LINE = 64 };
static struct {
	cl_mem buffer;
	size_t size;
	unsigned char *before; /* the kernel that runs */
} buffers[BUFFERS];
static unsigned buffer_count;

/* Memory of which the second half is the first one, or NULL; there until the process ends. */
static void *mirror(size_t size)
{
	int file = memfd_create("mirror", 0);
	size_t half = size / 2;
	unsigned char *at;

	if (file < 0 || ftruncate(file, (off_t)half) < 0)
		return NULL;
	at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	for (size_t i = 0; at != MAP_FAILED && i < size; i += half)
		if (mmap(at + i, half, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0) ==
		    MAP_FAILED)
			return NULL;
	close(file);
	return at == MAP_FAILED ? NULL : at;
}

static cl_mem CL_API_CALL create_buffer(cl_context context, cl_mem_flags flags, size_t size,
                                        void *host, cl_int *code)
{
	size_t pages = 2 * (size_t)sysconf(_SC_PAGESIZE);
	cl_mem buffer;

	if (lies("mirror") && !host && size >= pages) {
		/* whole pages that are all of the buffer, but for its end */
		void *memory = mirror(size / pages * pages);

		if (memory)
			return layer_real->clCreateBuffer(context, flags | CL_MEM_USE_HOST_PTR,
			                                  size / pages * pages, memory, code);
	}
	buffer = layer_real->clCreateBuffer(context, flags, size, host, code);
	if (buffer && buffer_count < BUFFERS) {
		buffers[buffer_count].buffer = buffer;
		buffers[buffer_count++].size = size;
	}
	return buffer;
}

static cl_int CL_API_CALL release(cl_mem buffer)
{
	cl_uint held = 0;

	layer_real->clGetMemObjectInfo(buffer, CL_MEM_REFERENCE_COUNT, sizeof(held), &held, NULL);
	for (unsigned i = 0; held == 1 && i < buffer_count; i++)
		if (buffers[i].buffer == buffer)
			buffers[i--] = buffers[--buffer_count];
	return layer_real->clReleaseMemObject(buffer);
}

static unsigned char *contents(cl_command_queue queue, unsigned i)
{
	unsigned char *bytes = malloc(buffers[i].size);

	layer_real->clEnqueueReadBuffer(queue, buffers[i].buffer, CL_TRUE, 0, buffers[i].size,
	                                bytes, 0, NULL, NULL);
	return bytes;
}

/* One of the lines that differ gets its old contents. */
static void lose_line(cl_command_queue queue, unsigned i, bool last)
{
	unsigned char *now = contents(queue, i), *before = buffers[i].before;
	size_t found = SIZE_MAX, changed = 0;

	for (size_t at = 0; at + LINE <= buffers[i].size; at += LINE) {
		if (memcmp(now + at, before + at, LINE) == 0)
			continue;
		if (last || draw(++changed) == 0)
			found = at;
	}
	if (found != SIZE_MAX)
		layer_real->clEnqueueWriteBuffer(queue, buffers[i].buffer, CL_TRUE, found, LINE,
		                                 before + found, 0, NULL, NULL);
	free(now);
}

/* ---- kernels and reads ---- */

static cl_int CL_API_CALL enqueue_kernel(cl_command_queue queue, cl_kernel kernel,
                                         cl_uint dimensions, const size_t *offset,
                                         const size_t *global, const size_t *local,
                                         cl_uint wait_count, const cl_event *waits, cl_event *event)
{
	bool loses = lies("line") || lies("some");
	cl_int code;

	launched++;
	if (loses)
		layer_real->clFinish(queue);
	for (unsigned i = 0; loses && i < buffer_count; i++)
		buffers[i].before = contents(queue, i);
	code = layer_real->clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global, local,
	                                          wait_count, waits, event);
	if (loses)
		layer_real->clFinish(queue);
	for (unsigned i = 0; loses && i < buffer_count; i++) {
		lose_line(queue, i, lies("line"));
		free(buffers[i].before);
	}
	return code;
}

static cl_int CL_API_CALL read_buffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                      size_t offset, size_t size, void *to, cl_uint wait_count,
                                      const cl_event *waits, cl_event *event)
{
	static unsigned reads;
	bool flips = lies("flip") && ++reads % 8 == 0;
	cl_int code = layer_real->clEnqueueReadBuffer(queue, buffer, blocking || flips, offset,
	                                              size, to, wait_count, waits, event);

	if (flips && code == CL_SUCCESS)
		((unsigned char *)to)[draw(size)] ^= (unsigned char)(1u << draw(8));
	return code;
}

bool layer_start(struct _cl_icd_dispatch *own)
{
	own->clCreateBuffer = create_buffer;
	own->clReleaseMemObject = release;
	own->clEnqueueNDRangeKernel = enqueue_kernel;
	own->clEnqueueReadBuffer = read_buffer;
	return true;
}
