// SPDX-License-Identifier: Apache-2.0
/*
 * Sums over all groups that need no group to wait for another: one atomic per
 * group, the last step on the host, and the last group to finish.
 */
#include "internal.h"

#include <stdlib.h>

enum { INPUT, PARTIAL, DONE, SUM };

static const size_t WORD = sizeof(uint32_t);

/* Unless asked for. A CPU's work-items are loops, and more of them make barriers dearer. */
uint64_t idiom_sum_group(const struct idiom_session *session)
{
	return idiom_on_cpu(session) ? 64 : session->actions->product ? 1024 : 256;
}

/* Groups that fail to exchange a word because of others try again: few large ones are better. */
static uint64_t sum_groups(const struct idiom_session *session)
{
	uint64_t groups = idiom_busy_groups(session, session->size),
		 units = session->info->compute_units;

	return session->actions->product && !idiom_on_cpu(session) && groups > units ? units
	                                                                             : groups;
}

static bool is_published(const struct idiom_session *session)
{
	return session->request->form == IDIOM_PUBLISHED;
}

static int choose_shape(struct idiom_session *session, struct oclmm_error *error)
{
	int r = idiom_group_size(session, is_published(session) ? 0 : idiom_sum_group(session),
	                         WORD, error);
	uint64_t work_items;

	if (r < 0)
		return r;
	if (is_published(session))
		return idiom_exact_groups(session, error);
	r = idiom_groups(session, sum_groups(session), error);
	work_items = session->most.group_size * session->most.groups;
	return r < 0 ? r
	             : idiom_check_loops(session, session->size / work_items + session->most.groups,
	                                 error);
}

/* As published, the last step on the host is the same program: one group takes what is left. */
static int choose_host_shape(struct idiom_session *session, struct oclmm_error *error)
{
	int r = idiom_group_size(session, idiom_sum_group(session), WORD, error);

	if (r == 0)
		r = idiom_groups(session, idiom_busy_groups(session, session->size), error);
	return r < 0 ? r : idiom_check_shares(session, 1, error);
}

static void find_needs(const struct idiom_session *session, uint64_t *ret_device,
                       uint64_t *ret_host)
{
	*ret_host = session->size * WORD;
	/* and as much again for the copy that is measured */
	*ret_device = 3 * *ret_host + session->most.groups * WORD;
}

int idiom_sum_input(struct idiom_session *session, struct oclmm_error *error)
{
	bool product = session->actions->product;
	/* the last vector of four */
	uint64_t words = (session->size + 3) / 4 * 4;
	double begun;
	int r = idiom_allocate(session, session->size, 1, error);

	if (r < 0)
		return r;
	reference_count_up(session->input, session->size, product ? 2 : 1);
	begun = oclmm_clock();
	session->expected[0] = product ? reference_product(session->input, session->size)
	                               : reference_sum(session->input, session->size);
	session->result->sequential = oclmm_clock() - begun;
	session->result->bytes = session->size * WORD;
	r = idiom_buffer(session, INPUT, words * WORD, error);
	if (r == 0)
		r = idiom_fill(session, session->buffers[INPUT], 0, words, error);
	return r == 0 ? idiom_write(session, session->buffers[INPUT], session->input,
	                            session->size * WORD, error)
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

/* Kernels that reduce `n` elements, each of so many words, into one buffer. */
static int set_sum(struct idiom_session *session, cl_ulong n, size_t words, int out,
                   struct oclmm_error *error)
{

	return IDIOM_SET(session->kernels[0], error, IDIOM_VALUE(session->buffers[INPUT]),
	                 IDIOM_VALUE(n), IDIOM_VALUE(session->buffers[out]),
	                 IDIOM_LOCAL(session->shape.group_size * words * WORD));
}

static int set_atomics(struct idiom_session *session, struct oclmm_error *error)
{
	return set_sum(session, session->size, 1, SUM, error);
}

#define ATOMICS(name, kernel)                                                                      \
	{                                                                                          \
		.file = name, .kernels = {kernel}, .size = 8 << 20, .shape = choose_shape,         \
		.needs = find_needs, .prepare = idiom_sum_input, .areas = areas,                   \
		.set_arguments = set_atomics, .answer = SUM, .vary = idiom_vary,                   \
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
	.needs = find_needs,
	.prepare = idiom_sum_input,
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

static int set_partial(struct idiom_session *session, struct oclmm_error *error)
{
	return set_sum(session, session->size, 1, PARTIAL, error);
}

static int collect_partial(struct idiom_session *session, struct oclmm_error *error)
{
	uint32_t *partial = oclmm_malloc(session->shape.groups * WORD);
	int r = idiom_read_answer(session, PARTIAL, partial, session->shape.groups, error);

	if (r == 0)
		session->answer[0] = reference_sum(partial, session->shape.groups);
	free(partial);
	return r;
}

static const struct idiom_actions host = {
	.file = "sum-by-host.cl",
	.kernels = {"sum_by_host"},
	.size = 8 << 20,
	.shape = choose_host_shape,
	.needs = find_needs,
	.prepare = idiom_sum_input,
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

static int choose_tree_shape(struct idiom_session *session, struct oclmm_error *error)
{
	/* groups of 64, as published, or what is faster */
	int r = idiom_group_size(session, session->size <= 25600 ? 64 : idiom_sum_group(session),
	                         4 * WORD, error);

	/* 640 work-items, as published, or what keeps the device busy with more */
	if (r == 0)
		r = idiom_groups(session,
		                 session->size <= 25600
		                         ? 10
		                         : idiom_busy_groups(session, session->size / 4),
		                 error);
	return r < 0 ? r : idiom_check_shares(session, 4, error);
}

static int set_tree(struct idiom_session *session, struct oclmm_error *error)
{
	return set_sum(session, (session->size + 3) / 4, 4, PARTIAL, error);
}

static const struct idiom_actions tree = {
	.file = "tree-reduction.cl",
	.kernels = {"tree_reduction"},
	.size = 25600,
	.shape = choose_tree_shape,
	.needs = find_needs,
	.prepare = idiom_sum_input,
	.areas = areas,
	.set_arguments = set_tree,
	.collect = collect_partial,
	.vary = idiom_vary,
};
const struct idiom_program idiom_tree_reduction = {
	.name = "tree-reduction",
	.summary = "sum of vectors: a tree in local memory with a barrier per level",
	.published = "uint4 sums for the host to add; defined as it is",
	.repaired = &tree,
	.as_published = &idiom_published_tree,
};

/* ---- the last group to finish ---- */

static int set_last(struct idiom_session *session, struct oclmm_error *error)
{
	const cl_ulong n = session->size;

	return IDIOM_SET(session->kernels[0], error, IDIOM_VALUE(session->buffers[INPUT]),
	                 IDIOM_VALUE(n), IDIOM_VALUE(session->buffers[PARTIAL]),
	                 IDIOM_VALUE(session->buffers[DONE]), IDIOM_VALUE(session->buffers[SUM]),
	                 IDIOM_LOCAL(session->shape.group_size * WORD), IDIOM_LOCAL(WORD));
}

#define LAST(name)                                                                                 \
	{                                                                                          \
		.file = name, .kernels = {"last_group_done"}, .size = 8 << 20,                     \
		.shape = choose_shape, .needs = find_needs, .prepare = idiom_sum_input,            \
		.areas = areas, .set_arguments = set_last, .answer = SUM, .vary = idiom_vary,      \
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
