// SPDX-License-Identifier: Apache-2.0
/* Prefix sums: what all have, and in segments by two kernels. */
#include "internal.h"

#include <string.h>

static const size_t WORD = sizeof(float);

/* ---- what all have ---- */

int idiom_scan_data(struct idiom_session *session, void (*scan)(const float *, float *, size_t),
                    struct oclmm_error *error)
{
	double begun;
	int r = idiom_allocate(session, session->size, session->size, error);

	if (r < 0)
		return r;
	reference_draw_floats(session->request->seed, (float *)session->input, session->size);
	/* memory that is touched for the first time would count against the host */
	memset(session->expected, 0, session->size * WORD);
	begun = oclmm_clock();
	scan((const float *)session->input, (float *)session->expected, session->size);
	session->result->sequential = oclmm_clock() - begun;
	/* each element is read once and written once */
	session->result->bytes = 2 * session->size * WORD;
	return 0;
}

int idiom_scan_input(struct idiom_session *session, struct oclmm_error *error)
{
	int r = idiom_scan_data(session, reference_scan, error);

	if (r == 0)
		r = idiom_buffer(session, 0, session->size * WORD, error);
	return r == 0 ? idiom_write(session, session->buffers[0], session->input,
	                            session->size * WORD, error)
	              : r;
}

static uint64_t divide_up(uint64_t a, uint64_t b)
{
	return (a + b - 1) / b;
}

/* ---- segments ---- */

/* Level 0 is the output; level k + 1 holds the totals of the segments of level k. */
enum { INPUT, LEVELS };

static uint64_t half_of(uint64_t group_size)
{
	return reference_power_of_two(group_size);
}

static int choose_segments(struct idiom_session *session, struct oclmm_error *error)
{
	int r = idiom_no_groups(session, error);
	uint64_t groups;

	/* two elements for each work-item; of a group that is no power of two some only load */
	if (r == 0)
		r = idiom_group_size(session, 512, 2 * WORD, error);
	if (r < 0)
		return r;
	groups = divide_up(session->size, 2 * half_of(session->most.group_size));
	return idiom_groups_of(session, groups ? groups : 1, error);
}

static void find_segment_needs(const struct idiom_session *session, uint64_t *ret_device,
                               uint64_t *ret_host)
{
	*ret_host = 3 * session->size * WORD;
	/* levels of segments of two make another size at most */
	*ret_device = 5 * session->size * WORD;
}

/* The buffers are for the smallest segments that a run may have. */
static int prepare_segments(struct idiom_session *session, struct oclmm_error *error)
{
	uint64_t least = session->request->group_size == IDIOM_DEFAULT
	                         ? (session->most.group_size + 7) / 8
	                         : session->most.group_size;
	uint64_t n = session->size;
	int r = idiom_scan_input(session, error), level = LEVELS;

	do {
		n = divide_up(n, 2 * half_of(least));
		level++;
		if (r == 0)
			r = idiom_buffer(session, level, n * WORD, error);
	} while (r == 0 && n > 1);
	return r;
}

static const struct idiom_area areas[] = {
	{LEVELS, idiom_each, IDIOM_FILLED, IDIOM_SCAN_NONE},
	{0},
};

/* Sets the arguments, which differ from launch to launch, and enqueues. */
static int scan_level(struct idiom_session *session, int level, uint64_t size, uint64_t segments,
                      struct oclmm_error *error)
{
	const cl_ulong n = size;
	const cl_uint half = (cl_uint)half_of(session->shape.group_size);
	const cl_mem *in = &session->buffers[level == LEVELS ? INPUT : level];
	int r = IDIOM_SET(session->kernels[0], error, {sizeof(cl_mem), in},
	                  IDIOM_VALUE(session->buffers[level]), IDIOM_VALUE(n), IDIOM_VALUE(half),
	                  IDIOM_VALUE(session->buffers[level + 1]),
	                  IDIOM_LOCAL((size_t)2 * half * WORD));

	return r == 0 ? idiom_enqueue(session, session->kernels[0],
	                              (struct idiom_shape){session->shape.group_size, segments},
	                              error)
	              : r;
}

static int add_level(struct idiom_session *session, int level, uint64_t size, uint64_t segments,
                     struct oclmm_error *error)
{
	const cl_ulong n = size;
	const cl_uint half = (cl_uint)half_of(session->shape.group_size);
	int r = IDIOM_SET(session->kernels[1], error, IDIOM_VALUE(session->buffers[level]),
	                  IDIOM_VALUE(n), IDIOM_VALUE(half),
	                  IDIOM_VALUE(session->buffers[level + 1]));

	return r == 0 ? idiom_enqueue(session, session->kernels[1],
	                              (struct idiom_shape){session->shape.group_size, segments},
	                              error)
	              : r;
}

/* Scans the segments of a level, then their totals in the same way, and adds these. */
static int launch_level(struct idiom_session *session, int level, uint64_t size,
                        struct oclmm_error *error)
{
	uint64_t segments = divide_up(size, 2 * half_of(session->shape.group_size));
	int r;

	if (segments == 0)
		return 0;
	r = scan_level(session, level, size, segments, error);
	if (r == 0 && segments > 1)
		r = launch_level(session, level + 1, segments, error);
	if (r == 0 && segments > 1)
		r = add_level(session, level, size, segments, error);
	return r;
}

static int launch_segments(struct idiom_session *session, struct oclmm_error *error)
{
	return launch_level(session, LEVELS, session->size, error);
}

static const struct idiom_actions segments = {
	.file = "scan-segments.cl",
	.kernels = {"scan_segment", "add_totals"},
	.size = 1 << 20,
	.floats = true,
	.shape = choose_segments,
	.needs = find_segment_needs,
	.prepare = prepare_segments,
	.areas = areas,
	.launch = launch_segments,
	.answer = LEVELS,
	.vary = idiom_vary_group_size,
};
const struct idiom_program idiom_scan_segments = {
	.name = "scan-segments",
	.summary = "prefix sum: segments, then their totals, then a second kernel adds them",
	.published = "one scratch array in global memory, and local barriers",
	.repaired = &segments,
	.as_published = &idiom_published_scan,
};
