// SPDX-License-Identifier: Apache-2.0
/*
 * Kernels that somebody would write by hand for one shape: what a device plays at most, of the same
 * atomic functions in launches of the same width. Nothing is drawn, nothing is checked of an
 * instance, and nothing is restored: each launch stores a number of its own, and what is not of
 * that number is what was there before.
 */
#include "benchmark.h"

#include <errno.h>
#include <stdlib.h>

/* Work-items of a group that counts, and how many vectors each of them reads. */
enum { COUNTING = 128, VECTORS = 4 };

/*
 * A work-item plays both roles, of two instances: its own and that of its place in the neighbouring
 * group, which plays them in the other order. So both roles of an instance are played at one
 * moment. `weak` counts where one role sees the outcome; `codes` are for who sees half of it.
 */
static const char text[] =
	"#define LOAD(p) \\\n"
	"	atomic_load_explicit(&p, memory_order_relaxed, memory_scope_device)\n"
	"#define STORE(p, v) \\\n"
	"	atomic_store_explicit(&p, v, memory_order_relaxed, memory_scope_device)\n"
	"#define PLAY(name, first, second, after) \\\n"
	"kernel void name(global atomic_uint *x, global atomic_uint *y, global uchar *codes, \\\n"
	"                 volatile global uint *weak, uint n, uint rounds, uint flips) \\\n"
	"{ \\\n"
	"	const uint group = get_group_id(0), lane = get_local_id(0); \\\n"
	"	const uint lanes = get_local_size(0); \\\n"
	"	const uint width = get_num_groups(0) * lanes, all = width * rounds; \\\n"
	"	uint a = group * lanes + lane, b = (group ^ 1u) * lanes + lane; \\\n"
	"	uint r0 = 0u, r1 = 0u, own = 0u; \\\n"
	"	BEGIN \\\n"
	"	for (uint round = 0u; round < rounds; round++, a += width, b += width) { \\\n"
	"		const uint turned = (uint)((lane & flips) != 0u); \\\n"
	"		if (((group & 1u) ^ turned ^ (round & 1u)) != 0u) { \\\n"
	"			second first \\\n"
	"		} else { \\\n"
	"			first second \\\n"
	"		} \\\n"
	"		after \\\n"
	"	} \\\n"
	"	END \\\n"
	"}\n"
	"#define COUNT(name, after) \\\n"
	"kernel void name(global const uint4 *first, global const uint4 *second, \\\n"
	"                 volatile global uint *weak, uint n) \\\n"
	"{ \\\n"
	"	const uint lane = get_local_id(0); \\\n"
	"	uint i = get_group_id(0) * get_local_size(0) * 4u + lane, own = 0u; \\\n"
	"	BEGIN \\\n"
	"	for (uint k = 0u; k < 4u; k++, i += get_local_size(0)) { \\\n"
	"		const uint4 p = first[i], q = second[i]; \\\n"
	"		after \\\n"
	"	} \\\n"
	"	END \\\n"
	"}\n"
	"#define BEGIN local uint sum; if (lane == 0u) sum = 0u; barrier(CLK_LOCAL_MEM_FENCE);\n"
	"#define END if (own != 0u) atomic_add((volatile local uint *)&sum, own); \\\n"
	"	barrier(CLK_LOCAL_MEM_FENCE); if (lane == 0u && sum != 0u) atomic_add(weak, sum);\n"
	"#define CODES codes[a] = (uchar)(r0 == n); codes[all + b] = (uchar)(r1 == n);\n"
	"#define ONES(v) \\\n"
	"	own += popcount((v).x) + popcount((v).y) + popcount((v).z) + popcount((v).w);\n"
	"PLAY(MP, STORE(x[a], n); STORE(y[a], n);, r0 = LOAD(y[b]); r1 = LOAD(x[b]);,\n"
	"     own += (uint)(r0 == n && r1 != n);)\n"
	"PLAY(SB, STORE(x[a], n); r0 = LOAD(y[a]);, STORE(y[b], n); r1 = LOAD(x[b]);, CODES)\n"
	"PLAY(LB, r0 = LOAD(y[a]); STORE(x[a], n);, r1 = LOAD(x[b]); STORE(y[b], n);, CODES)\n"
	"PLAY(WW, STORE(x[a], n); STORE(y[a], n + 1u);, STORE(y[b], n); STORE(x[b], n + 1u);, )\n"
	"COUNT(none, ONES(~(p | q) & 0x01010101u))\n"
	"COUNT(both, ONES(p & q))\n"
	"COUNT(first, own += (uint)(p.x == n && q.x == n) + (uint)(p.y == n && q.y == n) +\n"
	"                          (uint)(p.z == n && q.z == n) + (uint)(p.w == n && q.w == n);)\n";

/* `count` NULL: one role sees the outcome. It reads the codes, or the locations. */
static const struct shape_by_hand {
	const char *test, *play, *count;
	bool codes;
	uint32_t last; /* what the later stores of a launch add to its number */
} shapes[HAND_COUNT] = {
	{"MP+rlx+rlx", "MP", NULL, false, 0},
	{"SB+rlx+rlx", "SB", "none", true, 0},
	{"LB+rlx+rlx", "LB", "both", true, 0},
	{"2+2W+rlx+rlx", "WW", "first", false, 1},
};

/* What a launch stores is greater than what any before it did. */
enum { NUMBERS = 2 };

enum { SIZES = 3 };

struct desk {
	struct oclmm_device *device;
	const struct shape_by_hand *shape;
	cl_program program;
	cl_kernel play, count;
	cl_mem x, y, codes, halves[2], weak;
	uint32_t instances, number;
	size_t global, local, counting, counters;
};

static int make_buffers(struct desk *desk, struct oclmm_error *error)
{
	const cl_uint zero = 0;
	size_t words = (size_t)desk->instances * sizeof(cl_uint);
	const struct {
		cl_mem *buffer;
		size_t bytes;
	} buffers[] = {
		{&desk->x, words},
		{&desk->y, words},
		{&desk->codes, 2 * (size_t)desk->instances},
		{&desk->weak, sizeof(zero)},
	};
	int r = 0;

	for (size_t i = 0; r == 0 && i < OCLMM_COUNT(buffers); i++) {
		r = oclmm_buffer_create(desk->device, buffers[i].bytes, error, buffers[i].buffer);
		if (r == 0)
			r = OCLMM_CL_CALL(error, clEnqueueFillBuffer,
			                  oclmm_device_queue(desk->device), *buffers[i].buffer,
			                  &zero, sizeof(zero), 0, buffers[i].bytes, 0, NULL, NULL);
	}
	for (int i = 0; r == 0 && i < 2; i++) {
		const cl_buffer_region half = {i * (size_t)desk->instances, desk->instances};
		cl_int code;

		desk->halves[i] = clCreateSubBuffer(desk->codes, CL_MEM_READ_ONLY,
		                                    CL_BUFFER_CREATE_TYPE_REGION, &half, &code);
		r = oclmm_cl_made(error, "clCreateSubBuffer", desk->halves[i], code);
	}
	return r;
}

static int set_all(cl_kernel kernel, const cl_mem *const *buffers, cl_uint count,
                   struct oclmm_error *error)
{
	int r = 0;

	for (cl_uint i = 0; r == 0 && i < count; i++)
		r = oclmm_argument_set(kernel, i, sizeof(cl_mem), buffers[i], error);
	return r;
}

static int make_kernels(struct desk *desk, const struct oclmm_environment *launch,
                        struct oclmm_error *error)
{
	const cl_mem *const played[] = {&desk->x, &desk->y, &desk->codes, &desk->weak};
	bool codes = desk->shape->codes;
	const cl_mem *const counted[] = {codes ? &desk->halves[0] : &desk->x,
	                                 codes ? &desk->halves[1] : &desk->y, &desk->weak};
	cl_uint rounds = launch->rounds, flips = launch->flip_lanes;
	int r = oclmm_kernel_create(desk->program, desk->shape->play, error, &desk->play);

	if (r == 0)
		r = set_all(desk->play, played, OCLMM_COUNT(played), error);
	if (r == 0)
		r = oclmm_argument_set(desk->play, 5, sizeof(rounds), &rounds, error);
	if (r == 0)
		r = oclmm_argument_set(desk->play, 6, sizeof(flips), &flips, error);
	if (r < 0 || !desk->shape->count)
		return r;
	r = oclmm_kernel_create(desk->program, desk->shape->count, error, &desk->count);
	return r < 0 ? r : set_all(desk->count, counted, OCLMM_COUNT(counted), error);
}

static int launch(struct desk *desk, struct oclmm_error *error)
{
	cl_command_queue queue = oclmm_device_queue(desk->device);
	int r;

	desk->number += NUMBERS;
	r = oclmm_argument_set(desk->play, 4, sizeof(desk->number), &desk->number, error);
	if (r == 0)
		r = oclmm_kernel_enqueue(queue, desk->play, 1, &desk->global, &desk->local, NULL,
		                         error);
	if (r < 0 || !desk->count)
		return r;
	r = oclmm_argument_set(desk->count, 3, sizeof(desk->number), &desk->number, error);
	return r < 0 ? r
	             : oclmm_kernel_enqueue(queue, desk->count, 1, &desk->counters, &desk->counting,
	                                    NULL, error);
}

/* As many launches as a counter of 32 bits has room for, and their weak outcomes. */
static int play_some(struct desk *desk, uint64_t *weak, uint64_t *instances,
                     struct oclmm_error *error)
{
	cl_command_queue queue = oclmm_device_queue(desk->device);
	const cl_uint zero = 0;
	cl_uint seen = 0;
	int r = OCLMM_CL_CALL(error, clEnqueueFillBuffer, queue, desk->weak, &zero, sizeof(zero), 0,
	                      sizeof(zero), 0, NULL, NULL);

	for (uint32_t i = 0; r == 0 && i < UINT32_MAX / desk->instances / 2 && i < 64; i++) {
		r = launch(desk, error);
		*instances += desk->instances;
	}
	if (r == 0)
		r = OCLMM_CL_CALL(error, clEnqueueReadBuffer, queue, desk->weak, CL_TRUE, 0,
		                  sizeof(seen), &seen, 0, NULL, NULL);
	*weak += seen;
	return r;
}

/* Whether the last launch stored in both locations of each instance, and what it has to. */
static int check(const struct desk *desk, struct oclmm_error *error)
{
	size_t bytes = (size_t)desk->instances * sizeof(cl_uint);
	cl_uint *words = oclmm_calloc(desk->instances, sizeof(*words));
	const cl_mem buffers[] = {desk->x, desk->y};
	int r = 0;

	for (size_t k = 0; r == 0 && k < OCLMM_COUNT(buffers); k++) {
		r = OCLMM_CL_CALL(error, clEnqueueReadBuffer, oclmm_device_queue(desk->device),
		                  buffers[k], CL_TRUE, 0, bytes, words, 0, NULL, NULL);
		for (uint32_t i = 0; r == 0 && i < desk->instances; i++)
			if (words[i] - desk->number > desk->shape->last)
				r = oclmm_error_set(error, -EIO,
				                    "%s: instance %u has %u, and the launch %u",
				                    desk->shape->test, i, words[i], desk->number);
	}
	free(words);
	return r;
}

static int measure(struct desk *desk, double seconds, struct oclmm_error *error,
                   struct by_hand *ret_figures)
{
	double rates[REPETITIONS], weak_rates[REPETITIONS];
	uint64_t ignored = 0;
	int r = play_some(desk, &ignored, &ignored, error);

	for (int i = 0; r == 0 && i < REPETITIONS; i++) {
		uint64_t weak = 0, instances = 0;
		double begun = oclmm_clock(), spent;

		do {
			r = play_some(desk, &weak, &instances, error);
			spent = oclmm_clock() - begun;
		} while (r == 0 && spent < seconds / REPETITIONS);
		rates[i] = (double)instances / spent;
		weak_rates[i] = (double)weak / spent;
	}
	if (r == 0)
		r = check(desk, error);
	if (r == 0)
		*ret_figures = (struct by_hand){desk->shape->test, desk->instances,
		                                range_of(rates, REPETITIONS),
		                                range_of(weak_rates, REPETITIONS)};
	return r;
}

static void clear(struct desk *desk)
{
	const cl_mem buffers[] = {desk->halves[0], desk->halves[1], desk->x,
	                          desk->y,         desk->codes,     desk->weak};

	clFinish(oclmm_device_queue(desk->device));
	for (size_t i = 0; i < OCLMM_COUNT(buffers); i++)
		if (buffers[i])
			clReleaseMemObject(buffers[i]);
	if (desk->play)
		clReleaseKernel(desk->play);
	if (desk->count)
		clReleaseKernel(desk->count);
}

static int measure_shape(struct oclmm_device *device, cl_program program,
                         const struct shape_by_hand *shape, double seconds,
                         const struct oclmm_environment *launch, struct oclmm_error *error,
                         struct by_hand *ret_figures)
{
	/* of a vector, codes or words */
	uint32_t each = shape->codes ? 16 : 4;
	struct desk desk = {
		.device = device,
		.shape = shape,
		.program = program,
		.instances = oclmm_environment_instances(launch),
		.global = (size_t)launch->groups * launch->lanes,
		.local = launch->lanes,
		.counting = COUNTING,
	};
	int r = 0;

	while (desk.counting > 1 &&
	       (desk.counting > oclmm_device_info(device)->max_work_group_size ||
	        desk.instances % (desk.counting * each * VECTORS)))
		desk.counting /= 2;
	desk.counters = desk.instances / each / VECTORS;
	if (desk.instances % (each * VECTORS))
		r = oclmm_error_set(error, -EINVAL, "%u instances are no launch of %s",
		                    desk.instances, shape->test);
	if (r == 0)
		r = make_buffers(&desk, error);
	if (r == 0)
		r = make_kernels(&desk, launch, error);
	if (r == 0)
		r = measure(&desk, seconds, error, ret_figures);
	clear(&desk);
	return r;
}

/* In launches of the width that is given, of a half and of a quarter: what a launch touches may
 * just fit into a cache. Keeps those in which the most instances were played. */
static int measure_sizes(struct oclmm_device *device, cl_program program,
                         const struct shape_by_hand *shape, double seconds,
                         const struct oclmm_environment *launch, struct oclmm_error *error,
                         struct by_hand *ret_figures)
{
	struct oclmm_environment size = *launch;
	int r = 0;

	for (unsigned i = 0; r == 0 && i < SIZES && size.groups % 2 == 0; i++, size.groups /= 2) {
		struct by_hand figures = {0};

		r = measure_shape(device, program, shape, seconds / SIZES, &size, error, &figures);
		if (r == 0 && figures.instances.median > ret_figures->instances.median)
			*ret_figures = figures;
	}
	return r;
}

int hand_measure(struct oclmm_device *device, double seconds,
                 const struct oclmm_environment *launch, struct oclmm_error *error,
                 struct by_hand ret_figures[HAND_COUNT])
{
	cl_program program = NULL;
	char *log = NULL;
	int r = oclmm_device_build(device, text, error, &log, &program);

	free(log);
	for (int i = 0; r == 0 && i < HAND_COUNT; i++)
		r = measure_sizes(device, program, &shapes[i], seconds / HAND_COUNT, launch, error,
		                  &ret_figures[i]);
	if (program)
		clReleaseProgram(program);
	return r;
}
