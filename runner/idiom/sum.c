// SPDX-License-Identifier: Apache-2.0
/* Sums over all groups, repaired and as published: from an atomic per group to stages that wait. */
#include "internal.h"

#include <errno.h>
#include <stdlib.h>

enum { INPUT, PARTIAL, DONE, SUM, ARRIVED, LOCK, GAVE_UP };

static const size_t WORD = sizeof(uint32_t);

/* Unless asked for. A CPU's work-items are loops, and more of them make barriers dearer. */
static uint64_t sum_group(const struct idiom_session *session)
{
	return idiom_on_cpu(session) ? 64 : session->actions->product ? 1024 : 256;
}

/* Groups that keep a device busy with a loop over all elements. */
static uint64_t busy_groups(const struct idiom_session *session, uint64_t elements)
{
	uint64_t size = session->most.group_size;
	uint64_t needed = (elements + size - 1) / size;
	uint64_t places = (uint64_t)session->info->compute_units * 2 *
	                  (size < 2048 ? 2048 / size : 1);

	/* a thread takes longer to begin than to add up a few elements */
	if (session->info->type & CL_DEVICE_TYPE_CPU) {
		uint64_t units = session->info->compute_units, worth = elements / 16384;

		places = worth < units ? units : worth < places ? worth : places;
	}
	if (needed > places)
		needed = places;
	return needed ? needed : 1;
}

/* Groups that fail to exchange a word because of others try again: few large ones are better. */
static uint64_t sum_groups(const struct idiom_session *session)
{
	uint64_t groups = busy_groups(session, session->size), units = session->info->compute_units;

	return session->actions->product && !idiom_on_cpu(session) && groups > units ? units
	                                                                             : groups;
}

static bool is_published(const struct idiom_session *session)
{
	return session->request->form == IDIOM_PUBLISHED;
}

static int choose_shape(struct idiom_session *session)
{
	int r = idiom_group_size(session, is_published(session) ? 0 : sum_group(session), WORD);
	uint64_t work_items;

	if (r < 0)
		return r;
	if (is_published(session))
		return idiom_exact_groups(session);
	r = idiom_groups(session, sum_groups(session));
	work_items = session->most.group_size * session->most.groups;
	return r < 0 ? r
	             : idiom_check_loops(session,
	                                 session->size / work_items + session->most.groups);
}

/* The same for kernels that share the elements, a vector at a time, among all work-items. */
static int check_shares(const struct idiom_session *session, uint64_t each)
{
	uint64_t work_items = session->most.group_size * session->most.groups;

	return idiom_check_loops(session, session->size / each / work_items);
}

/* As published, the last step on the host is the same program: one group takes what is left. */
static int choose_host_shape(struct idiom_session *session)
{
	int r = idiom_group_size(session, sum_group(session), WORD);

	if (r == 0)
		r = idiom_groups(session, busy_groups(session, session->size));
	return r < 0 ? r : check_shares(session, 1);
}

/*
 * sum.c: for preparing: 1, 2, 3 … (or 1, 3, 5 … for a product, which even numbers would soon make
 * 0) in the first buffer, and the answer.
 */
static int sum_input(struct idiom_session *session)
{
	bool product = session->actions->product;
	/* the last vector of four */
	uint64_t words = (session->size + 3) / 4 * 4;
	double begun;
	int r = idiom_allocate(session, session->size, 1);

	if (r < 0)
		return r;
	reference_count_up(session->input, session->size, product ? 2 : 1);
	begun = oclmm_clock();
	session->expected[0] = product ? reference_product(session->input, session->size)
	                               : reference_sum(session->input, session->size);
	session->result->sequential = oclmm_clock() - begun;
	session->result->bytes = session->size * WORD;
	r = idiom_buffer(session, INPUT, words * WORD);
	if (r == 0)
		r = idiom_fill(session, session->buffers[INPUT], 0, words);
	return r == 0 ? idiom_write(session, session->buffers[INPUT], session->input,
	                            session->size * WORD)
	              : r;
}

/* What is not written by the kernel must not look like an answer. */
static const struct idiom_area areas[] = {
	{PARTIAL, idiom_each_group, IDIOM_FILLED, 0xdeadbeef},
	{DONE, idiom_one, IDIOM_FILLED, 0},
	{SUM, idiom_one, IDIOM_FILLED, 0},
	{0},
};
static const struct idiom_area product_areas[] = {
	{PARTIAL, idiom_each_group, IDIOM_FILLED, 0xdeadbeef},
	{SUM, idiom_one, IDIOM_FILLED, 1},
	{0},
};

/* ---- an atomic per group ---- */

/* Kernels that reduce `n` elements, each of several words, into one buffer. */
static int set_sum(struct idiom_session *session, cl_ulong n, size_t words, int out)
{

	return IDIOM_SET(session, session->kernels[0], IDIOM_VALUE(session->buffers[INPUT]),
	                 IDIOM_VALUE(n), IDIOM_VALUE(session->buffers[out]),
	                 IDIOM_LOCAL(session->shape.group_size * words * WORD));
}

static int set_atomics(struct idiom_session *session)
{
	return set_sum(session, session->size, 1, SUM);
}

#define ATOMICS(name, kernel)                                                                      \
	{                                                                                          \
		.file = name, .kernels = {kernel}, .size = 8 << 20, .shape = choose_shape,         \
		.host_words = 1, .device_words = 3, .group_words = 1, .prepare = sum_input,        \
		.areas = areas, .set_arguments = set_atomics, .answer = SUM, .vary = idiom_vary,   \
	}

static const struct idiom_actions atomics = ATOMICS("sum-by-atomics.cl", "sum_by_atomics");
static const struct idiom_actions atomics_published = ATOMICS("sum-by-atomics-published.cl",
                                                              "sum_by_atomics");
const struct idiom_program idiom_sum_by_atomics = {
	.name = "sum-by-atomics",
	.summary = "sum: each group adds its part to one word in global memory",
	.published = "atomic_add() of OpenCL 1.x",
	.repaired = &atomics,
	.as_published = &atomics_published,
};

static const struct idiom_actions product = {
	.file = "product-by-atomics.cl",
	.kernels = {"product_by_atomics"},
	.product = true,
	.size = 8 << 20,
	.shape = choose_shape,
	.host_words = 1,
	.device_words = 3,
	.group_words = 1,
	.prepare = sum_input,
	.areas = product_areas,
	.set_arguments = set_atomics,
	.answer = SUM,
	.vary = idiom_vary,
};
const struct idiom_program idiom_product_by_atomics = {
	.name = "product-by-atomics",
	.summary = "product: each group multiplies one word in global memory by its part",
	.published = "the text speaks of it and shows no program",
	.repaired = &product,
};

/* ---- the last step on the host ---- */

static int set_partial(struct idiom_session *session)
{
	return set_sum(session, session->size, 1, PARTIAL);
}

/* Adds up `count` words of a buffer on the host, as both texts do in the end. */
static int add_up(struct idiom_session *session, int buffer, uint64_t count)
{
	uint32_t *parts = oclmm_malloc((count ? count : 1) * WORD);
	int r = idiom_read_answer(session, buffer, parts, count);

	if (r == 0)
		session->answer[0] = reference_sum(parts, count);
	free(parts);
	return r;
}

static int collect_partial(struct idiom_session *session)
{
	return add_up(session, PARTIAL, session->shape.groups);
}

static const struct idiom_actions host = {
	.file = "sum-by-host.cl",
	.kernels = {"sum_by_host"},
	.size = 8 << 20,
	.shape = choose_host_shape,
	.host_words = 1,
	.device_words = 3,
	.group_words = 1,
	.prepare = sum_input,
	.areas = areas,
	.set_arguments = set_partial,
	.collect = collect_partial,
	.vary = idiom_vary,
};
const struct idiom_program idiom_sum_by_host = {
	.name = "sum-by-host",
	.summary = "sum: each group stores its part, and the host adds the parts",
	.published = "defined as it is: there is nothing to repair",
	.repaired = &host,
	.as_published = &host,
};

/* ---- a tree over vectors of four, the last step on the host ---- */

static int choose_tree_shape(struct idiom_session *session)
{
	/* groups of 64, as published, or what is faster */
	int r = idiom_group_size(session, session->size <= 25600 ? 64 : sum_group(session),
	                         4 * WORD);

	/* 640 work-items, as published, or what keeps the device busy with more */
	if (r == 0)
		r = idiom_groups(session, session->size <= 25600
		                                  ? 10
		                                  : busy_groups(session, session->size / 4));
	return r < 0 ? r : check_shares(session, 4);
}

static int set_tree(struct idiom_session *session)
{
	return set_sum(session, (session->size + 3) / 4, 4, PARTIAL);
}

static const struct idiom_actions tree = {
	.file = "tree-reduction.cl",
	.kernels = {"tree_reduction"},
	.size = 25600,
	.shape = choose_tree_shape,
	.host_words = 1,
	.device_words = 3,
	.group_words = 1,
	.prepare = sum_input,
	.areas = areas,
	.set_arguments = set_tree,
	.collect = collect_partial,
	.vary = idiom_vary,
};
/* 640 work-items in groups of 64; the array in local memory has 64 cells. */
static int choose_published_tree(struct idiom_session *session)
{
	uint64_t size;
	int r = idiom_group_size(session, 64, 0);

	if (r < 0)
		return r;
	size = session->most.group_size;
	if (size > 64 || (size & (size - 1)))
		return IDIOM_REFUSE(session,
		                    "--group-size %llu: as published, a power of two up to 64",
		                    (unsigned long long)size);
	if (session->size % 4 || session->size > INT32_MAX)
		return IDIOM_REFUSE(session,
		                    "--size %llu: as published, a multiple of four below 2^31",
		                    (unsigned long long)session->size);
	return idiom_groups(session, 10);
}

static uint64_t sum_words(const struct idiom_session *session)
{
	return 4 * session->most.groups;
}

static const struct idiom_area tree_areas[] = {
	{PARTIAL, sum_words, IDIOM_FILLED, 0xdeadbeef},
	{0},
};

static int set_published_tree(struct idiom_session *session)
{
	const cl_int number = (cl_int)session->size;

	return IDIOM_SET(session, session->kernels[0], IDIOM_VALUE(session->buffers[INPUT]),
	                 IDIOM_VALUE(session->buffers[PARTIAL]), IDIOM_VALUE(number));
}

static int collect_published_tree(struct idiom_session *session)
{
	return add_up(session, PARTIAL, 4 * session->shape.groups);
}

static const struct idiom_actions published_tree = {
	.file = "tree-reduction-published.cl",
	.kernels = {"tree_reduction"},
	.size = 25600,
	.shape = choose_published_tree,
	.host_words = 2,
	.device_words = 3,
	.group_words = 4,
	.prepare = sum_input,
	.areas = tree_areas,
	.set_arguments = set_published_tree,
	.collect = collect_published_tree,
};

const struct idiom_program idiom_tree_reduction = {
	.name = "tree-reduction",
	.summary = "sum of vectors: a tree in local memory with a barrier per level",
	.published = "uint4 sums for the host to add; defined as it is",
	.repaired = &tree,
	.as_published = &published_tree,
};

/* ---- the last group to finish ---- */

static int set_last(struct idiom_session *session)
{
	const cl_ulong n = session->size;

	return IDIOM_SET(session, session->kernels[0], IDIOM_VALUE(session->buffers[INPUT]),
	                 IDIOM_VALUE(n), IDIOM_VALUE(session->buffers[PARTIAL]),
	                 IDIOM_VALUE(session->buffers[DONE]), IDIOM_VALUE(session->buffers[SUM]),
	                 IDIOM_LOCAL(session->shape.group_size * WORD), IDIOM_LOCAL(WORD));
}

#define LAST(name)                                                                                 \
	{                                                                                          \
		.file = name, .kernels = {"last_group_done"}, .size = 8 << 20,                     \
		.shape = choose_shape, .host_words = 1, .device_words = 3, .group_words = 1,       \
		.prepare = sum_input, .areas = areas, .set_arguments = set_last, .answer = SUM,    \
		.vary = idiom_vary,                                                                \
	}

static const struct idiom_actions last = LAST("last-group-done.cl");
static const struct idiom_actions last_published = LAST("last-group-done-published.cl");
const struct idiom_program idiom_last_group_done = {
	.name = "last-group-done",
	.summary = "sum in one launch: the last group to finish adds the parts; none waits",
	.published = "mem_fence() and atomic_inc() of OpenCL 1.x",
	.repaired = &last,
	.as_published = &last_published,
};

/* ---- in stages: groups wait for those that contribute to them -------------------- */

/* Parts that a group of the next stage adds; two at least, or there would be no end of stages. */
static uint32_t fan_of(const struct idiom_session *session, uint64_t group_size)
{
	(void)session;
	return group_size > 2 ? (uint32_t)group_size : 2;
}

static int choose_staged_shape(struct idiom_session *session)
{
	int r = idiom_group_size(session, sum_group(session), WORD);

	if (r < 0)
		return r;
	r = idiom_co_resident_groups(session, busy_groups(session, session->size));
	return r < 0 ? r : check_shares(session, 1);
}

/* All stages together have at most twice the groups of the first, and one more each. */
static uint64_t cells_of(const struct idiom_session *session)
{
	return 2 * session->most.groups + 64;
}

static const struct idiom_area staged_areas[] = {
	{PARTIAL, cells_of, IDIOM_FILLED, 0xdeadbeef},
	{ARRIVED, cells_of, IDIOM_FILLED, 0},
	{LOCK, cells_of, IDIOM_FILLED, 1},
	{SUM, cells_of, IDIOM_FILLED, 0},
	{GAVE_UP, cells_of, IDIOM_FILLED, 0},
	{0},
};

static int set_staged(struct idiom_session *session)
{
	const cl_ulong n = session->size;
	const cl_uint fan = fan_of(session, session->shape.group_size);

	return IDIOM_SET(session, session->kernels[0], IDIOM_MEMORY(session, INPUT), IDIOM_VALUE(n),
	                 IDIOM_MEMORY(session, PARTIAL), IDIOM_MEMORY(session, ARRIVED),
	                 IDIOM_MEMORY(session, LOCK), IDIOM_VALUE(fan), IDIOM_MEMORY(session, SUM),
	                 IDIOM_MEMORY(session, GAVE_UP), IDIOM_VALUE(session->turns),
	                 IDIOM_VALUE(session->poll), IDIOM_VALUE(session->patience),
	                 IDIOM_LOCAL(session->shape.group_size * WORD), IDIOM_LOCAL(WORD));
}

static const struct idiom_actions staged = {
	.file = "staged-reduction.cl",
	.kernels = {"staged_reduction"},
	.spins = true,
	.size = 8 << 20,
	.shape = choose_staged_shape,
	.host_words = 1,
	.device_words = 3,
	.group_words = 6,
	.prepare = sum_input,
	.areas = staged_areas,
	.set_arguments = set_staged,
	.answer = SUM,
	.gave_up = GAVE_UP,
	.vary = idiom_vary,
};

static int choose_published_staged(struct idiom_session *session)
{
	int r = idiom_group_size(session, 0, WORD);

	return r == 0 ? idiom_exact_groups(session) : r;
}

/* The text's sizes: a word for the groups of each group, and room for a square of them. */
static uint64_t lock_words(const struct idiom_session *session)
{
	uint64_t words = session->size / session->most.group_size / session->most.group_size;

	return words ? words : 1;
}

static uint64_t result_words(const struct idiom_session *session)
{
	return session->most.group_size * session->most.group_size;
}

/* The text leaves both as they were created; 0 is what fresh memory mostly holds. */
static const struct idiom_area published_staged_areas[] = {
	{SUM, result_words, IDIOM_FILLED, 0},
	{LOCK, lock_words, IDIOM_FILLED, 0},
	{0},
};

static int set_published_staged(struct idiom_session *session)
{
	const cl_int size = (cl_int)session->shape.group_size;

	return IDIOM_SET(session, session->kernels[0], IDIOM_VALUE(session->buffers[SUM]),
	                 IDIOM_VALUE(session->buffers[INPUT]), IDIOM_VALUE(session->buffers[LOCK]),
	                 IDIOM_VALUE(size), IDIOM_LOCAL((size_t)size * WORD));
}

/* The kernel leaves the number of sums that the host has still to add in the first lock. */
static int collect_staged(struct idiom_session *session)
{
	uint32_t remain = 0;
	int r = idiom_read(session, session->buffers[LOCK], &remain, WORD);

	if (r == 0 && remain > result_words(session))
		remain = 0; /* the text's read fails, and its sum stays 0 */
	return r == 0 ? add_up(session, SUM, remain) : r;
}

static const struct idiom_actions published_staged = {
	.file = "staged-reduction-published.cl",
	.kernels = {"staged_reduction"},
	.waiting = "its first groups wait for later ones, and these are not co-resident here, or a "
		   "lock was set after it was opened",
	.spins = true,
	.size = 8 << 20,
	.shape = choose_published_staged,
	.host_words = 2,
	.device_words = 3,
	.more_words = result_words,
	.prepare = sum_input,
	.areas = published_staged_areas,
	.set_arguments = set_published_staged,
	.collect = collect_staged,
};

const struct idiom_program idiom_staged_reduction = {
	.name = "staged-reduction",
	.summary = "sum in one launch: groups of each stage wait on locks for the stage before",
	.published = "legacy atomics on locks, which are set too late",
	.repaired = &staged,
	.as_published = &published_staged,
};
