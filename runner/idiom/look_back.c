// SPDX-License-Identifier: Apache-2.0
/* Prefix sums chained in one launch, with look-back over tiles: two ways to publish a tile. */
#include "internal.h"

#include <errno.h>

enum { IN, OUT, NEXT_TILE, GAVE_UP, STATES, TOTAL, PREFIX };

/* Words of local memory for each work-item in which the sums of the rows are scanned. */
enum { CELLS = 2 };

static const size_t WORD = sizeof(float);

static bool is_packed(const struct idiom_session *session)
{
	return session->request->program == &idiom_scan_packed;
}

/* Vectors of four for each work-item: a GPU has registers for so many, a CPU cache. */
static uint32_t each_of(const struct idiom_session *session)
{
	return idiom_on_cpu(session) ? 256 : 8;
}

/* Words of local memory for each work-item: the sums of its vectors, and two cells. */
static uint64_t words_of_item(const struct idiom_session *session)
{
	return each_of(session) + CELLS;
}

static void define(const struct idiom_session *session, struct oclmm_text *text)
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

static int choose(struct idiom_session *session, struct oclmm_error *error)
{
	int r = idiom_no_groups(session, error);

	if (r == 0 && is_packed(session) && !session->info->int64_atomics)
		r = oclmm_error_set(error, -ENOTSUP,
		                    "the device has no atomics of 64 bits; take scan-look-back");
	/* and a word more, where the sums have a gap behind each 32 */
	if (r == 0)
		r = idiom_group_size(session, group_size_of(session),
		                     (words_of_item(session) + 1) * WORD, error);
	return r == 0 ? idiom_groups_of(session, tiles_of(session, session->most.group_size), error)
	              : r;
}

static void find_needs(const struct idiom_session *session, uint64_t *ret_device,
                       uint64_t *ret_host)
{
	*ret_host = 3 * session->size * WORD;
	*ret_device = 4 * session->size * WORD + 3 * session->most.groups * WORD;
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

static const struct idiom_area areas[] = {
	{OUT, idiom_each, IDIOM_FILLED, IDIOM_SCAN_NONE},
	{NEXT_TILE, idiom_one, IDIOM_FILLED, 0},
	{GAVE_UP, idiom_one, IDIOM_FILLED, 0},
	{STATES, state_words, IDIOM_FILLED, 0},
	{TOTAL, total_words, IDIOM_KEPT, 0},
	{PREFIX, total_words, IDIOM_KEPT, 0},
	{0},
};

static int set_arguments(struct idiom_session *session, struct oclmm_error *error)
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

	return idiom_set_arguments(session->kernels[0], arguments, count, error);
}

static void vary(struct idiom_session *session, uint64_t key)
{
	idiom_vary_group_size(session, key);
	session->shape.groups = tiles_of(session, session->shape.group_size);
}

#define ACTIONS(source, kernel)                                                                    \
	{                                                                                          \
		.prelude = "scan-tiles.cl", .define = define, .file = source, .kernels = {kernel}, \
		.spins = true, .size = 1 << 20, .floats = true, .shape = choose,                   \
		.needs = find_needs, .prepare = idiom_scan_input, .areas = areas,                  \
		.set_arguments = set_arguments, .answer = OUT, .gave_up = GAVE_UP, .vary = vary,   \
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
