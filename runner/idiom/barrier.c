// SPDX-License-Identifier: Apache-2.0
/* Three barriers for all work-items of a launch, measured by a sum over neighbours. */
#include "internal.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { ELEMENTS, SCRATCH, WORDS, GAVE_UP, MADE };

static const size_t WORD = sizeof(uint32_t);
/* Unless asked for: one element for each of 32 groups' work-items. */
static const uint64_t GROUP_SIZE = 64;

/* Where all work-items wait for each other, those of one group have to go on together. */
static int choose_single(struct idiom_session *session)
{
	bool together = false;
	int r = idiom_together(session, session->most.group_size, &together);

	if (r < 0 || together)
		return r;
	if (session->request->group_size == IDIOM_DEFAULT) {
		session->most.group_size = 1;
		r = idiom_build_kernels(session, 1);
		snprintf(session->result->note, sizeof(session->result->note),
		         "groups of one work-item, because those of a group run one after another "
		         "here");
		return r;
	}
	return IDIOM_REFUSE(
		session,
		"--group-size %llu: all work-items wait for each other, and those of one group "
		"run one after another here; take 1, or global-barrier-leaders",
		(unsigned long long)session->most.group_size);
}

static int choose(struct idiom_session *session, bool single)
{
	uint64_t needed;
	int r = idiom_group_size(session, GROUP_SIZE, 0);

	if (r == 0 && session->size > INT32_MAX)
		r = IDIOM_REFUSE(session, "--size %llu: at most 2^31-1 here",
		                 (unsigned long long)session->size);
	if (r == 0 && single && session->most.group_size > 1)
		r = choose_single(session);
	if (r < 0)
		return r;
	needed = (session->size + session->most.group_size - 1) / session->most.group_size;
	r = idiom_co_resident_groups(session, needed ? needed : 1);
	return r < 0 ? r
	             : idiom_check_loops(session,
	                                 (uint64_t)session->steps *
	                                         (3 + session->size / session->most.group_size));
}

static int choose_count(struct idiom_session *session)
{
	return choose(session, true);
}

static int choose_groups(struct idiom_session *session)
{
	return choose(session, false);
}

/* barrier.c: the answer for the input there is, after all steps. */
static void neighbour_sum(struct idiom_session *session)
{
	double begun;

	if (session->size)
		memcpy(session->expected, session->input, session->size * WORD);
	begun = oclmm_clock();
	reference_neighbour_sum(session->expected, session->size, session->steps);
	session->result->sequential = oclmm_clock() - begun;
	session->result->barriers = 2 * (uint64_t)session->steps;
	/* read three and write one in each step */
	session->result->bytes = 4 * session->size * WORD * session->steps;
}

static int prepare(struct idiom_session *session)
{
	int r = idiom_allocate(session, session->size, session->size);

	if (r < 0)
		return r;
	reference_draw(session->request->seed, session->input, session->size);
	neighbour_sum(session);
	return 0;
}

static const struct idiom_area areas[] = {
	{ELEMENTS, idiom_each, IDIOM_COPIED, 0},    {SCRATCH, idiom_each, IDIOM_KEPT, 0},
	{WORDS, idiom_each_group, IDIOM_FILLED, 0}, {GAVE_UP, idiom_one, IDIOM_FILLED, 0},
	{MADE, idiom_one, IDIOM_FILLED, 0},         {0},
};

static int set_arguments(struct idiom_session *session)
{
	const cl_uint n = (cl_uint)session->size;

	return IDIOM_SET(session, session->kernels[0], IDIOM_MEMORY(session, ELEMENTS),
	                 IDIOM_MEMORY(session, SCRATCH), IDIOM_VALUE(n),
	                 IDIOM_VALUE(session->steps), IDIOM_MEMORY(session, WORDS),
	                 IDIOM_MEMORY(session, GAVE_UP), IDIOM_VALUE(session->turns),
	                 IDIOM_MEMORY(session, MADE), IDIOM_VALUE(session->poll),
	                 IDIOM_VALUE(session->patience), IDIOM_LOCAL(WORD));
}

static int collect(struct idiom_session *session)
{
	uint32_t made = 0;
	int r = idiom_check_gave_up(session, session->buffers[GAVE_UP]);

	if (r == 0)
		r = idiom_read(session, session->buffers[MADE], &made, WORD);
	if (r == 0 && made != session->steps)
		r = oclmm_error_set(session->error, -ETIME,
		                    "the device ended the loop after %u of %u steps", made,
		                    session->steps);
	return r == 0 ? idiom_answer(session, ELEMENTS) : r;
}

#define ACTIONS(name, choose_shape)                                                                \
	{                                                                                          \
		.file = name ".cl", .kernels = {"neighbour_sum"}, .spins = true, .size = 2048,     \
		.steps = 10000, .shape = choose_shape, .host_words = 3, .device_words = 4,         \
		.group_words = 1, .prepare = prepare, .areas = areas,                              \
		.set_arguments = set_arguments, .collect = collect, .vary = idiom_vary,            \
	}

static const struct idiom_actions count = ACTIONS("global-barrier-count", choose_count);
static const struct idiom_actions leaders = ACTIONS("global-barrier-leaders", choose_groups);
static const struct idiom_actions flags = ACTIONS("global-barrier-flags", choose_groups);

/* ---- as published: one element per work-item, all 1 at first and all the same at the end ---- */

/* The benchmark takes a remainder by `& (n - 1)`. */
static int choose_published(struct idiom_session *session)
{
	uint64_t n = session->size;
	int r = idiom_group_size(session, GROUP_SIZE, 0);

	if (r == 0 && (n == 0 || (n & (n - 1)) || n > INT32_MAX))
		r = IDIOM_REFUSE(session, "--size %llu: as published, a power of two below 2^31",
		                 (unsigned long long)n);
	return r == 0 ? idiom_exact_groups(session) : r;
}

/* A work-item of the first group stands for each group. */
static int choose_gathered_published(struct idiom_session *session)
{
	int r = choose_published(session);

	if (r == 0 && session->most.groups > session->most.group_size)
		r = IDIOM_REFUSE(
			session,
			"as published, a work-item of the first group stands for each group, and "
			"%llu groups are more than %llu work-items",
			(unsigned long long)session->most.groups,
			(unsigned long long)session->most.group_size);
	return r;
}

/* The third form lowers a flag for each work-item of a group, whatever the number of groups. */
static uint64_t flags_of(const struct idiom_session *session)
{
	return session->most.groups > session->most.group_size ? session->most.groups
	                                                       : session->most.group_size;
}

static int prepare_ones(struct idiom_session *session)
{
	int r = idiom_allocate(session, session->size, session->size);

	if (r < 0)
		return r;
	for (uint64_t i = 0; i < session->size; i++)
		session->input[i] = 1;
	neighbour_sum(session);
	return 0;
}

static const struct idiom_area published_areas[] = {
	{ELEMENTS, idiom_each, IDIOM_COPIED, 0},
	{WORDS, flags_of, IDIOM_FILLED, 0},
	{0},
};

static int set_published(struct idiom_session *session)
{
	const cl_int n = (cl_int)session->size, steps = (cl_int)session->steps;

	return IDIOM_SET(session, session->kernels[0], IDIOM_VALUE(session->buffers[ELEMENTS]),
	                 IDIOM_VALUE(session->buffers[WORDS]), IDIOM_VALUE(n), IDIOM_VALUE(steps));
}

#define PUBLISHED(source, choose_shape, why)                                                       \
	{                                                                                          \
		.file = source, .kernels = {"neighbour_sum"}, .waiting = why, .spins = true,       \
		.size = 2048, .steps = 10000, .shape = choose_shape, .host_words = 3,              \
		.device_words = 3, .more_words = flags_of, .prepare = prepare_ones,                \
		.areas = published_areas, .set_arguments = set_published, .answer = ELEMENTS,      \
	}

static const struct idiom_actions published_count = PUBLISHED(
	"global-barrier-count-published.cl", choose_published,
	"these work-items are not all running at the same time here, or one missed the full count");
static const struct idiom_actions published_leaders =
	PUBLISHED("global-barrier-leaders-published.cl", choose_published,
                  "these groups are not co-resident here, or one missed the full count");
static const struct idiom_actions published_flags = PUBLISHED(
	"global-barrier-flags-published.cl", choose_gathered_published,
	"these groups are not co-resident here, or a flag was lowered before it was seen");

/* ---- the programs ------------------------------------------------------------ */

const struct idiom_program idiom_global_barrier_count = {
	.name = "global-barrier-count",
	.summary = "barrier over all groups: every work-item counts itself and waits",
	.published = "a volatile counter that work-item 0 sets back",
	.repaired = &count,
	.as_published = &published_count,
};
const struct idiom_program idiom_global_barrier_leaders = {
	.name = "global-barrier-leaders",
	.summary = "barrier over all groups: one work-item of each group counts and waits",
	.published = "a volatile counter that work-item 0 sets back",
	.repaired = &leaders,
	.as_published = &published_leaders,
};
const struct idiom_program idiom_global_barrier_flags = {
	.name = "global-barrier-flags",
	.summary = "barrier over all groups: flags that the first group gathers and lowers",
	.published = "plain volatile flags",
	.repaired = &flags,
	.as_published = &published_flags,
};
