// SPDX-License-Identifier: Apache-2.0
/* Two sums as published: in stages with locks, and over vectors of four. */
#include "internal.h"

#include <errno.h>
#include <stdlib.h>

static const size_t WORD = sizeof(int32_t);

/* Adds up `count` words of a buffer on the host, as both texts do in the end. */
static int add_up(struct idiom_session *session, int buffer, uint64_t count,
                  struct oclmm_error *error)
{
	uint32_t *parts = oclmm_malloc((count ? count : 1) * WORD);
	int r = idiom_read_answer(session, buffer, parts, count, error);

	if (r == 0)
		session->answer[0] = reference_sum(parts, count);
	free(parts);
	return r;
}

/* ---- in stages ---- */

enum { SRC, DST, LOCKS };

static int choose_staged(struct idiom_session *session, struct oclmm_error *error)
{
	int r = idiom_group_size(session, 0, WORD, error);

	return r == 0 ? idiom_exact_groups(session, error) : r;
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

static void find_staged_needs(const struct idiom_session *session, uint64_t *ret_device,
                              uint64_t *ret_host)
{
	*ret_host = 2 * session->size * WORD;
	*ret_device = 3 * session->size * WORD + result_words(session) * WORD;
}

/* The text leaves both as they were created; 0 is what fresh memory mostly holds. */
static const struct idiom_area staged_areas[] = {
	{DST, result_words, IDIOM_FILLED, 0},
	{LOCKS, lock_words, IDIOM_FILLED, 0},
	{0},
};

static int set_staged(struct idiom_session *session, struct oclmm_error *error)
{
	const cl_int size = (cl_int)session->shape.group_size;

	return IDIOM_SET(session->kernels[0], error, IDIOM_VALUE(session->buffers[DST]),
	                 IDIOM_VALUE(session->buffers[SRC]), IDIOM_VALUE(session->buffers[LOCKS]),
	                 IDIOM_VALUE(size), IDIOM_LOCAL((size_t)size * WORD));
}

/* The kernel leaves the number of sums that the host has still to add in the first lock. */
static int collect_staged(struct idiom_session *session, struct oclmm_error *error)
{
	uint32_t remain = 0;
	int r = idiom_read(session, session->buffers[LOCKS], &remain, WORD, error);

	if (r == 0 && remain > result_words(session))
		remain = 0; /* the text's read fails, and its sum stays 0 */
	return r == 0 ? add_up(session, DST, remain, error) : r;
}

const struct idiom_actions idiom_published_staged = {
	.file = "staged-reduction-published.cl",
	.kernels = {"staged_reduction"},
	.waiting = "its first groups wait for later ones, and these are not co-resident here, or a "
		   "lock was set after it was opened",
	.spins = true,
	.size = 8 << 20,
	.shape = choose_staged,
	.needs = find_staged_needs,
	.prepare = idiom_sum_input,
	.areas = staged_areas,
	.set_arguments = set_staged,
	.collect = collect_staged,
};

/* ---- over vectors of four ---- */

enum { INPUT, OUTPUT };

/* 640 work-items in groups of 64; the array in local memory has 64 cells. */
static int choose_tree(struct idiom_session *session, struct oclmm_error *error)
{
	uint64_t size;
	int r = idiom_group_size(session, 64, 0, error);

	if (r < 0)
		return r;
	size = session->most.group_size;
	if (size > 64 || (size & (size - 1)))
		return oclmm_error_set(error, -EINVAL,
		                       "--group-size %llu: as published, a power of two up to 64",
		                       (unsigned long long)size);
	if (session->size % 4 || session->size > INT32_MAX)
		return oclmm_error_set(error, -EINVAL,
		                       "--size %llu: as published, a multiple of four below 2^31",
		                       (unsigned long long)session->size);
	return idiom_groups(session, 10, error);
}

static void find_tree_needs(const struct idiom_session *session, uint64_t *ret_device,
                            uint64_t *ret_host)
{
	*ret_host = 2 * session->size * WORD;
	*ret_device = 3 * session->size * WORD + 4 * session->most.groups * WORD;
}

static uint64_t sum_words(const struct idiom_session *session)
{
	return 4 * session->most.groups;
}

static const struct idiom_area tree_areas[] = {
	{OUTPUT, sum_words, IDIOM_FILLED, 0xdeadbeef},
	{0},
};

static int set_tree(struct idiom_session *session, struct oclmm_error *error)
{
	const cl_int number = (cl_int)session->size;

	return IDIOM_SET(session->kernels[0], error, IDIOM_VALUE(session->buffers[INPUT]),
	                 IDIOM_VALUE(session->buffers[OUTPUT]), IDIOM_VALUE(number));
}

static int collect_tree(struct idiom_session *session, struct oclmm_error *error)
{
	return add_up(session, OUTPUT, 4 * session->shape.groups, error);
}

const struct idiom_actions idiom_published_tree = {
	.file = "tree-reduction-published.cl",
	.kernels = {"tree_reduction"},
	.size = 25600,
	.shape = choose_tree,
	.needs = find_tree_needs,
	.prepare = idiom_sum_input,
	.areas = tree_areas,
	.set_arguments = set_tree,
	.collect = collect_tree,
};
