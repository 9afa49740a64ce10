// SPDX-License-Identifier: Apache-2.0
/*
 * What the device can do at most: copies, relaxed atomics on words of their
 * own, empty launches. Neighbouring lanes take neighbouring words, as in the
 * dense layouts.
 */
#include "benchmark.h"

#include <stdio.h>
#include <stdlib.h>

/* A work-item makes EACH accesses, a work-group a contiguous block of them. */
#define EACH "4u"
enum { ACCESSES = 4, LANES = 256 };

static const char copy_text[] = "kernel void copy(global const uint4 *from, global uint4 *to)\n"
				"{\n"
				"	size_t i = get_group_id(0) * get_local_size(0) * " EACH
				" + get_local_id(0);\n"
				"	for (uint k = 0u; k < " EACH
				"; k++, i += get_local_size(0))\n"
				"		to[i] = from[i];\n"
				"}\n"
				"kernel void empty(uint n) { }\n";

/* a kernel as text */
/* clang-format off */
#define ATOMIC(name, statement)                                                             \
	"kernel void " name "(global atomic_uint *words)\n"                                 \
	"{\n"                                                                               \
	"	size_t i = get_group_id(0) * get_local_size(0) * " EACH " + get_local_id(0);\n" \
	"	uint sum = 0u;\n"                                                           \
	"	for (uint k = 0u; k < " EACH "; k++, i += get_local_size(0))\n"              \
	"		" statement ";\n"                                                   \
	"	/* what is read must be of use, or the compiler need not read it */\n"      \
	"	if (sum == 0x9e3779b9u)\n"                                                  \
	"		atomic_store_explicit(&words[0], sum, memory_order_relaxed,\n" \
	"		                      memory_scope_device);\n" \
	"}\n"
/* clang-format on */
static const char atomic_text[] = ATOMIC(
	"load", "sum += atomic_load_explicit(&words[i], memory_order_relaxed, memory_scope_device)")
	ATOMIC("store",
               "atomic_store_explicit(&words[i], k, memory_order_relaxed, memory_scope_device)")
		ATOMIC("add", "atomic_fetch_add_explicit(&words[i], 1u, memory_order_relaxed, "
                              "memory_scope_device)");

static const char *const names[TRAFFIC_COUNT] = {
#define X(name, kernel, what) kernel,
	TRAFFICS(X)
#undef X
};

struct work {
	cl_command_queue queue;
	cl_kernel kernel;
	size_t global, local;
	bool wait; /* for every launch before the next one */
};

static int launch(const struct work *work, uint64_t times, struct oclmm_error *error,
                  double *ret_seconds)
{
	double start = oclmm_clock();
	int r = 0;

	for (uint64_t i = 0; r == 0 && i < times; i++) {
		r = oclmm_cl_check(error, "clEnqueueNDRangeKernel",
		                   clEnqueueNDRangeKernel(work->queue, work->kernel, 1, NULL,
		                                          &work->global, &work->local, 0, NULL,
		                                          NULL));
		/* drivers keep what is queued in memory of their own */
		if (r == 0 && (work->wait || i % 256 == 255))
			r = oclmm_cl_check(error, "clFinish", clFinish(work->queue));
	}
	if (r == 0)
		r = oclmm_cl_check(error, "clFinish", clFinish(work->queue));
	*ret_seconds = oclmm_clock() - start;
	return r;
}

/* Seconds per launch; as many launches at a time as make a measurable while. */
static int measure(const struct work *work, double seconds, struct oclmm_error *error,
                   struct range *ret_range)
{
	double values[REPETITIONS], spent = 0;
	uint64_t times = 1;
	int r = launch(work, 1, error, &spent);

	if (r == 0)
		r = launch(work, times, error, &spent);
	while (r == 0 && spent < seconds / REPETITIONS / 2 && times < 1u << 20) {
		times *= 2;
		r = launch(work, times, error, &spent);
	}
	for (int i = 0; r == 0 && i < REPETITIONS; i++) {
		r = launch(work, times, error, &spent);
		values[i] = spent / (double)times;
	}
	if (r == 0)
		*ret_range = range_of(values, REPETITIONS);
	return r;
}

static struct range per_second(struct range seconds, double amount)
{
	return (struct range){amount / seconds.median, amount / seconds.max, amount / seconds.min,
	                      seconds.count};
}

static uint64_t query(struct oclmm_device *device, cl_device_info what)
{
	cl_ulong value = 0;

	clGetDeviceInfo(oclmm_device_id(device, 0), what, sizeof(value), &value, NULL);
	return value;
}

/* Eight times the cache that the device speaks of, and at least 256 MiB, if it has room for two of
 * them. */
static uint64_t large_bytes(struct oclmm_device *device)
{
	uint64_t most = query(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE),
		 room = oclmm_device_info(device)->global_memory;
	uint64_t wanted = (uint64_t)256 << 20;

	while (wanted < 8 * query(device, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE) &&
	       wanted < (uint64_t)1 << 31)
		wanted *= 2;
	while (wanted > (1 << 20) && (wanted > most || wanted > room / 8))
		wanted /= 2;
	return wanted;
}

struct bed {
	struct oclmm_device *device;
	cl_program copy, atomics;
	cl_mem from, to;
};

static int create_buffers(struct bed *bed, uint64_t bytes, struct oclmm_error *error)
{
	const cl_uint zero = 0;
	cl_command_queue queue = oclmm_device_queue(bed->device);
	cl_mem *const buffers[] = {&bed->from, &bed->to};
	cl_int code;
	int r = 0;

	for (int i = 0; r == 0 && i < 2; i++) {
		*buffers[i] = clCreateBuffer(oclmm_device_context(bed->device), CL_MEM_READ_WRITE,
		                             (size_t)bytes, NULL, &code);
		r = oclmm_cl_check(error, "clCreateBuffer", code);
		if (r == 0)
			r = oclmm_cl_check(error, "clEnqueueFillBuffer",
			                   clEnqueueFillBuffer(queue, *buffers[i], &zero,
			                                       sizeof(zero), 0, (size_t)bytes, 0,
			                                       NULL, NULL));
	}
	return r;
}

static size_t lanes_of(const struct bed *bed)
{
	size_t most = oclmm_device_info(bed->device)->max_work_group_size, lanes = LANES;

	while (lanes > most)
		lanes /= 2;
	return lanes;
}

static int make_kernel(cl_program program, const char *name, struct oclmm_error *error,
                       cl_kernel *ret_kernel)
{
	cl_int code;

	*ret_kernel = clCreateKernel(program, name, &code);
	return oclmm_cl_check(error, "clCreateKernel", code);
}

/* The copy moves twice `bytes`, the others access each word of them once. */
static int measure_traffic(struct bed *bed, enum traffic traffic, uint64_t bytes, double seconds,
                           struct oclmm_error *error, struct range *ret_rate)
{
	size_t width = traffic == TRAFFIC_COPY ? 16 : 4;
	struct work work = {
		.queue = oclmm_device_queue(bed->device),
		.global = (size_t)bytes / width / ACCESSES,
		.local = lanes_of(bed),
	};
	struct range range = {0};
	int r = make_kernel(traffic == TRAFFIC_COPY ? bed->copy : bed->atomics, names[traffic],
	                    error, &work.kernel);

	if (r < 0)
		return r;
	r = oclmm_cl_check(error, "clSetKernelArg",
	                   clSetKernelArg(work.kernel, 0, sizeof(cl_mem), &bed->from));
	if (r == 0 && traffic == TRAFFIC_COPY)
		r = oclmm_cl_check(error, "clSetKernelArg",
		                   clSetKernelArg(work.kernel, 1, sizeof(cl_mem), &bed->to));
	if (r == 0)
		r = measure(&work, seconds, error, &range);
	if (r == 0)
		*ret_rate = per_second(range, traffic == TRAFFIC_COPY ? 2 * (double)bytes
		                                                      : (double)bytes / 4);
	clReleaseKernel(work.kernel);
	return r;
}

static int measure_launches(struct bed *bed, double seconds, const struct oclmm_environment *shape,
                            struct oclmm_error *error, struct limits *limits)
{
	const cl_uint zero = 0;
	struct work work = {.queue = oclmm_device_queue(bed->device), .global = 1, .local = 1};
	int r = make_kernel(bed->copy, "empty", error, &work.kernel);

	if (r < 0)
		return r;
	r = oclmm_cl_check(error, "clSetKernelArg",
	                   clSetKernelArg(work.kernel, 0, sizeof(zero), &zero));
	if (r == 0)
		r = measure(&work, seconds, error, &limits->launch_one);
	work.wait = true;
	if (r == 0)
		r = measure(&work, seconds, error, &limits->round_trip);
	work.wait = false;
	work.local = shape->lanes;
	work.global = (size_t)shape->groups * shape->lanes;
	if (r == 0)
		r = measure(&work, seconds, error, &limits->launch_wide);
	clReleaseKernel(work.kernel);
	return r;
}

static int build(struct bed *bed, struct oclmm_error *error, struct limits *limits)
{
	char *log = NULL;
	int r = oclmm_device_build(bed->device, copy_text, error, &log, &bed->copy);

	free(log);
	log = NULL;
	if (r < 0)
		return r;
	if (oclmm_device_build(bed->device, atomic_text, error, &log, &bed->atomics) < 0)
		snprintf(limits->refused, sizeof(limits->refused), "%s", error->message);
	free(log);
	return 0;
}

static void release(struct bed *bed)
{
	if (bed->copy)
		clReleaseProgram(bed->copy);
	if (bed->atomics)
		clReleaseProgram(bed->atomics);
	if (bed->from)
		clReleaseMemObject(bed->from);
	if (bed->to)
		clReleaseMemObject(bed->to);
}

int limits_measure(struct oclmm_device *device, double seconds,
                   const struct oclmm_environment *shape, struct oclmm_error *error,
                   struct limits *ret_limits)
{
	uint64_t footprint = (uint64_t)oclmm_environment_instances(shape) * 2 * sizeof(cl_int);
	struct bed bed = {.device = device};
	struct limits limits = {0};
	double share = seconds / (TRAFFIC_COUNT * FOOTPRINT_COUNT + 3);
	int r;

	limits.bytes[FOOTPRINT_MEMORY] = large_bytes(device);
	limits.bytes[FOOTPRINT_LAUNCH] = limits.bytes[FOOTPRINT_MEMORY];
	/* two locations of all its instances */
	while (limits.bytes[FOOTPRINT_LAUNCH] > 1 << 16 &&
	       limits.bytes[FOOTPRINT_LAUNCH] > footprint)
		limits.bytes[FOOTPRINT_LAUNCH] /= 2;
	r = build(&bed, error, &limits);
	if (r == 0)
		r = create_buffers(&bed, limits.bytes[FOOTPRINT_MEMORY], error);
	for (int t = 0; r == 0 && t < TRAFFIC_COUNT; t++)
		for (int f = 0; r == 0 && f < FOOTPRINT_COUNT; f++)
			if (t == TRAFFIC_COPY || bed.atomics)
				r = measure_traffic(&bed, (enum traffic)t, limits.bytes[f], share,
				                    error, &limits.rate[t][f]);
	if (r == 0)
		r = measure_launches(&bed, share, shape, error, &limits);
	release(&bed);
	if (r == 0)
		*ret_limits = limits;
	return r;
}
