// SPDX-License-Identifier: Apache-2.0
/* Prefix sums, repaired and as published: in segments by two kernels, and in one launch. */
#include "internal.h"

#include <errno.h>
#include <string.h>

static const size_t WORD = sizeof(float);

/* ---- what all have ---- */

/* No whole number: an output that looks like no answer. */
enum { SCAN_NONE = 0x7fc0dead };

/* scan.c: floats and what the host makes of them; for preparing, the same in the first buffer. */
static int scan_data(struct idiom_session *session, void (*scan)(const float *, float *, size_t))
{
	double begun;
	int r = idiom_allocate(session, session->size, session->size);

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

/* scan.c: floats and what the host makes of them; for preparing, the same in the first buffer. */
static int scan_input(struct idiom_session *session)
{
	int r = scan_data(session, reference_scan);

	if (r == 0)
		r = idiom_buffer(session, 0, session->size * WORD);
	return r == 0 ? idiom_write(session, session->buffers[0], session->input,
	                            session->size * WORD)
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

static int no_groups(struct idiom_session *session)
{
	if (session->request->groups == IDIOM_DEFAULT)
		return 0;
	return IDIOM_REFUSE(session,
	                    "--groups: their number follows from the size and the group size here");
}

static int choose_segments(struct idiom_session *session)
{
	int r = no_groups(session);
	uint64_t groups;

	/* two elements for each work-item; of a group that is no power of two some only load */
	if (r == 0)
		r = idiom_group_size(session, 512, 2 * WORD);
	if (r < 0)
		return r;
	groups = divide_up(session->size, 2 * half_of(session->most.group_size));
	return idiom_groups_of(session, groups ? groups : 1);
}

/* The buffers are for the smallest segments that a run may have. */
static int prepare_segments(struct idiom_session *session)
{
	uint64_t least = session->request->group_size == IDIOM_DEFAULT
	                         ? (session->most.group_size + 7) / 8
	                         : session->most.group_size;
	uint64_t n = session->size;
	int r = scan_input(session), level = LEVELS;

	do {
		n = divide_up(n, 2 * half_of(least));
		level++;
		if (r == 0)
			r = idiom_buffer(session, level, n * WORD);
	} while (r == 0 && n > 1);
	return r;
}

static const struct idiom_area areas[] = {
	{LEVELS, idiom_each, IDIOM_FILLED, SCAN_NONE},
	{0},
};

/* Sets the arguments, which differ from launch to launch, and enqueues. */
static int scan_level(struct idiom_session *session, int level, uint64_t size, uint64_t segments)
{
	const cl_ulong n = size;
	const cl_uint half = (cl_uint)half_of(session->shape.group_size);
	const cl_mem *in = &session->buffers[level == LEVELS ? INPUT : level];
	int r = IDIOM_SET(session, session->kernels[0], {sizeof(cl_mem), in},
	                  IDIOM_VALUE(session->buffers[level]), IDIOM_VALUE(n), IDIOM_VALUE(half),
	                  IDIOM_VALUE(session->buffers[level + 1]),
	                  IDIOM_LOCAL((size_t)2 * half * WORD));

	return r == 0 ? idiom_enqueue(session, session->kernels[0],
	                              (struct idiom_shape){session->shape.group_size, segments})
	              : r;
}

static int add_level(struct idiom_session *session, int level, uint64_t size, uint64_t segments)
{
	const cl_ulong n = size;
	const cl_uint half = (cl_uint)half_of(session->shape.group_size);
	int r = IDIOM_SET(session, session->kernels[1], IDIOM_VALUE(session->buffers[level]),
	                  IDIOM_VALUE(n), IDIOM_VALUE(half),
	                  IDIOM_VALUE(session->buffers[level + 1]));

	return r == 0 ? idiom_enqueue(session, session->kernels[1],
	                              (struct idiom_shape){session->shape.group_size, segments})
	              : r;
}

/* Scans the segments of a level, then their totals in the same way, and adds these. */
static int launch_level(struct idiom_session *session, int level, uint64_t size)
{
	uint64_t segments = divide_up(size, 2 * half_of(session->shape.group_size));
	int r;

	if (segments == 0)
		return 0;
	r = scan_level(session, level, size, segments);
	if (r == 0 && segments > 1)
		r = launch_level(session, level + 1, segments);
	if (r == 0 && segments > 1)
		r = add_level(session, level, size, segments);
	return r;
}

static int launch_segments(struct idiom_session *session)
{
	return launch_level(session, LEVELS, session->size);
}

static const struct idiom_actions in_segments = {
	.file = "scan-segments.cl",
	.kernels = {"scan_segment", "add_totals"},
	.size = 1 << 20,
	.floats = true,
	.shape = choose_segments,
	.host_words = 3,
	.device_words = 5, /* levels of segments of two make another size at most */
	.prepare = prepare_segments,
	.areas = areas,
	.launch = launch_segments,
	.answer = LEVELS,
	.vary = idiom_vary_group_size,
};
/* ---- segments as published: column_sum() over the data, again over the totals of its segments,
 * and scan_sum() that adds these. Sums are exclusive. ---- */

enum { SRC, DST, TOTALS, SCRATCH, TOTAL_SUMS, TOTALS_OF_TOTALS };

static uint64_t global_size(const struct idiom_session *session)
{
	return session->most.group_size * session->most.groups;
}

/* One group, as the text has it ("in one work-group"); more show what it shares. */
static int choose_published(struct idiom_session *session)
{
	uint64_t n = session->size, all;
	int r = idiom_group_size(session, 256, 0);

	if (r == 0)
		r = idiom_groups(session, 1);
	if (r < 0)
		return r;
	all = global_size(session);
	if (n == 0 || n > INT32_MAX / WORD)
		return IDIOM_REFUSE(session, "--size %llu: as published, 1 to 2^29-1",
		                    (unsigned long long)n);
	if (all & (all - 1))
		return IDIOM_REFUSE(session,
		                    "as published, the number of work-items is a power of two, "
		                    "and %llu is none",
		                    (unsigned long long)all);
	return 0;
}

static uint64_t segments_of(const struct idiom_session *session, uint64_t n)
{
	return (n + global_size(session) - 1) / global_size(session);
}

/* The work-items reach one segment further than the data does. */
static uint64_t words_of(const struct idiom_session *session, uint64_t n)
{
	return (segments_of(session, n) + 1) * global_size(session);
}

/* Of all its buffers together. */
static uint64_t published_words(const struct idiom_session *session)
{
	return 6 * (session->most.groups ? words_of(session, session->size) : session->size);
}

static void scan_exclusively(const float *in, float *out, size_t n)
{
	float sum = 0.0f;

	for (size_t i = 0; i < n; i++) {
		out[i] = sum;
		sum += in[i];
	}
}

static int prepare_published(struct idiom_session *session)
{
	uint64_t n = session->size, segments = segments_of(session, n);
	const uint64_t words[] = {
		[SRC] = words_of(session, n),
		[DST] = words_of(session, n),
		[TOTALS] = words_of(session, segments),
		[SCRATCH] = 2 * global_size(session),
		[TOTAL_SUMS] = words_of(session, segments),
		[TOTALS_OF_TOTALS] = segments_of(session, segments),
	};
	int r = scan_data(session, scan_exclusively);

	for (int i = SRC; r == 0 && i <= TOTALS_OF_TOTALS; i++)
		r = idiom_buffer(session, i, words[i] * WORD);
	for (int i = SRC; r == 0 && i <= TOTALS_OF_TOTALS; i++)
		r = idiom_fill(session, session->buffers[i], 0, words[i]);
	return r == 0 ? idiom_write(session, session->buffers[SRC], session->input, n * WORD) : r;
}

static int reset_published(struct idiom_session *session)
{
	return idiom_fill(session, session->buffers[DST], SCAN_NONE, session->size);
}

static int column_sum(struct idiom_session *session, int src, int dst, int totals, uint64_t n)
{
	const cl_int bytes = (cl_int)(n * WORD), all = (cl_int)global_size(session);
	int r = IDIOM_SET(session, session->kernels[0], IDIOM_VALUE(session->buffers[src]),
	                  IDIOM_VALUE(session->buffers[dst]), IDIOM_VALUE(session->buffers[totals]),
	                  IDIOM_VALUE(session->buffers[SCRATCH]), IDIOM_VALUE(bytes),
	                  IDIOM_VALUE(all));

	return r == 0 ? idiom_enqueue(session, session->kernels[0], session->shape) : r;
}

static int scan_sum(struct idiom_session *session)
{
	const cl_int bytes = (cl_int)(session->size * WORD), all = (cl_int)global_size(session);
	const struct idiom_argument arguments[] = {
		IDIOM_VALUE(session->buffers[TOTAL_SUMS]),
		IDIOM_VALUE(session->buffers[DST]),
		IDIOM_VALUE(bytes),
		IDIOM_VALUE(all),
	};
	const struct idiom_shape shape = {
		session->shape.group_size,
		(session->size + session->shape.group_size - 1) / session->shape.group_size,
	};
	int r = idiom_set_arguments(session->kernels[1], arguments, OCLMM_COUNT(arguments),
	                            session->error);

	return r == 0 ? idiom_enqueue(session, session->kernels[1], shape) : r;
}

static int launch_published(struct idiom_session *session)
{
	uint64_t n = session->size, segments = segments_of(session, n);
	int r = column_sum(session, SRC, DST, TOTALS, n);

	if (r == 0 && segments > 1)
		r = column_sum(session, TOTALS, TOTAL_SUMS, TOTALS_OF_TOTALS, segments);
	return r == 0 && segments > 1 ? scan_sum(session) : r;
}

static const struct idiom_actions published_scan = {
	.file = "scan-segments-published.cl",
	.kernels = {"column_sum", "scan_sum"},
	.size = 1 << 20,
	.floats = true,
	.shape = choose_published,
	.host_words = 3,
	.more_words = published_words,
	.prepare = prepare_published,
	.reset = reset_published,
	.launch = launch_published,
	.answer = DST,
};

const struct idiom_program idiom_scan_segments = {
	.name = "scan-segments",
	.summary = "prefix sum: segments, then their totals, then a second kernel adds them",
	.published = "one scratch array in global memory, and local barriers",
	.repaired = &in_segments,
	.as_published = &published_scan,
};

/* ---- in one launch, with look-back over tiles: two ways to publish a tile ---- */

enum { IN, OUT, NEXT_TILE, GAVE_UP, STATES, TOTAL, PREFIX };

/* Words of local memory for each work-item in which the sums of the rows are scanned. */
enum { CELLS = 2 };

static bool is_packed(const struct idiom_session *session)
{
	return session->request->program == &idiom_scan_packed;
}

/* Vectors of four for each work-item: a GPU has the registers for them, a CPU the cache. */
static uint32_t each_of(const struct idiom_session *session)
{
	return idiom_on_cpu(session) ? 256 : 8;
}

/* Words of local memory for each work-item: the sums of its vectors, and two cells. */
static uint64_t words_of_item(const struct idiom_session *session)
{
	return each_of(session) + CELLS;
}

static void define_each(const struct idiom_session *session, struct oclmm_text *text)
{
	oclmm_text_printf(text, "#define EACH %uu\n", each_of(session));
}

static uint64_t tiles_of(const struct idiom_session *session, uint64_t group_size)
{
	uint64_t tile = group_size * each_of(session) * 4;

	return session->size ? (session->size + tile - 1) / tile : 1;
}

/*
 * On a CPU a barrier costs more than it gains. The form with fences gains by larger groups, which
 * have larger tiles and so fewer fences.
 */
static uint64_t group_size_of(const struct idiom_session *session)
{
	return idiom_on_cpu(session) ? 1 : is_packed(session) ? 256 : 1024;
}

static int choose_tiles(struct idiom_session *session)
{
	int r = no_groups(session);

	if (r == 0 && is_packed(session) && !session->info->int64_atomics)
		r = oclmm_error_set(session->error, -ENOTSUP,
		                    "the device has no atomics of 64 bits; take scan-look-back");
	/* and a word more, where the sums have a gap behind each 32 */
	if (r == 0)
		r = idiom_group_size(session, group_size_of(session),
		                     (words_of_item(session) + 1) * WORD);
	return r == 0 ? idiom_groups_of(session, tiles_of(session, session->most.group_size)) : r;
}

/* No run has more tiles than one with the smallest groups. */
static uint64_t most_tiles(const struct idiom_session *session)
{
	uint64_t least = session->request->group_size == IDIOM_DEFAULT
	                         ? (session->most.group_size + 7) / 8
	                         : session->most.group_size;

	return tiles_of(session, least);
}

static uint64_t state_words(const struct idiom_session *session)
{
	return 2 * most_tiles(session);
}

/* Packed, the states hold totals and prefixes. */
static uint64_t total_words(const struct idiom_session *session)
{
	return is_packed(session) ? 0 : state_words(session);
}

static const struct idiom_area tile_areas[] = {
	{OUT, idiom_each, IDIOM_FILLED, SCAN_NONE},
	{NEXT_TILE, idiom_one, IDIOM_FILLED, 0},
	{GAVE_UP, idiom_one, IDIOM_FILLED, 0},
	{STATES, state_words, IDIOM_FILLED, 0},
	{TOTAL, total_words, IDIOM_KEPT, 0},
	{PREFIX, total_words, IDIOM_KEPT, 0},
	{0},
};

static int set_tiles(struct idiom_session *session)
{
	const cl_ulong n = session->size;
	size_t size = session->shape.group_size, sums = size * each_of(session);
	const struct idiom_argument arguments[] = {
		IDIOM_VALUE(session->buffers[IN]),
		IDIOM_VALUE(session->buffers[OUT]),
		IDIOM_VALUE(n),
		IDIOM_VALUE(session->buffers[NEXT_TILE]),
		IDIOM_VALUE(session->buffers[GAVE_UP]),
		IDIOM_VALUE(session->turns),
		IDIOM_LOCAL(CELLS * size * WORD),
		IDIOM_LOCAL((sums + sums / 32) * WORD),
		IDIOM_VALUE(session->buffers[STATES]),
		IDIOM_VALUE(session->buffers[TOTAL]),
		IDIOM_VALUE(session->buffers[PREFIX]),
	};
	/* packed, the states hold totals and prefixes */
	size_t count = OCLMM_COUNT(arguments) - (is_packed(session) ? 2 : 0);

	return idiom_set_arguments(session->kernels[0], arguments, count, session->error);
}

static void vary_tiles(struct idiom_session *session, uint64_t key)
{
	idiom_vary_group_size(session, key);
	session->shape.groups = tiles_of(session, session->shape.group_size);
}

#define ACTIONS(source, kernel)                                                                    \
	{                                                                                          \
		.prelude = "scan-tiles.cl", .define = define_each, .file = source,                 \
		.kernels = {kernel}, .spins = true, .size = 1 << 20, .floats = true,               \
		.shape = choose_tiles, .host_words = 3, .device_words = 4, .group_words = 3,       \
		.prepare = scan_input, .areas = tile_areas, .set_arguments = set_tiles,            \
		.answer = OUT, .gave_up = GAVE_UP, .vary = vary_tiles,                             \
	}

static const struct idiom_actions look_back = ACTIONS("scan-look-back.cl", "scan_look_back");
static const struct idiom_actions packed = ACTIONS("scan-packed.cl", "scan_packed");

const struct idiom_program idiom_scan_look_back = {
	.name = "scan-look-back",
	.summary = "prefix sum in one launch: groups look back at those before them",
	.published = "it was written with OpenCL 2.0 atomics in the first place",
	.repaired = &look_back,
};
const struct idiom_program idiom_scan_packed = {
	.name = "scan-packed",
	.summary = "the same with flag and sum in one word of 64 bits",
	.published = "it was written with OpenCL 2.0 atomics in the first place",
	.repaired = &packed,
};
