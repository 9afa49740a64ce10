// SPDX-License-Identifier: Apache-2.0
/* The staged reduction in one launch: groups wait for those that contribute to them. */
#include "internal.h"

enum { INPUT, PARTIAL, ARRIVED, LOCK, SUM, GAVE_UP };

static const size_t WORD = sizeof(uint32_t);

/* Parts that a group of the next stage adds; two at least, or there would be no end of stages. */
static uint32_t fan_of(const struct idiom_session *session, uint64_t group_size)
{
	(void)session;
	return group_size > 2 ? (uint32_t)group_size : 2;
}

static int choose_shape(struct idiom_session *session, struct oclmm_error *error)
{
	int r = idiom_group_size(session, idiom_sum_group(session), WORD, error);

	if (r < 0)
		return r;
	r = idiom_co_resident_groups(session, idiom_busy_groups(session, session->size), error);
	return r < 0 ? r : idiom_check_shares(session, 1, error);
}

static void find_needs(const struct idiom_session *session, uint64_t *ret_device,
                       uint64_t *ret_host)
{
	*ret_host = session->size * WORD;
	*ret_device = 3 * *ret_host + 6 * session->most.groups * WORD;
}

/* All stages together have at most twice the groups of the first, and one more each. */
static uint64_t cells_of(const struct idiom_session *session)
{
	return 2 * session->most.groups + 64;
}

static const struct idiom_area areas[] = {
	{PARTIAL, cells_of, IDIOM_FILLED, 0xdeadbeef},
	{ARRIVED, cells_of, IDIOM_FILLED, 0},
	{LOCK, cells_of, IDIOM_FILLED, 1},
	{SUM, cells_of, IDIOM_FILLED, 0},
	{GAVE_UP, cells_of, IDIOM_FILLED, 0},
	{0},
};

static int set_arguments(struct idiom_session *session, struct oclmm_error *error)
{
	const cl_ulong n = session->size;
	const cl_uint fan = fan_of(session, session->shape.group_size);

	return IDIOM_SET(session->kernels[0], error, IDIOM_MEMORY(session, INPUT), IDIOM_VALUE(n),
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
	.shape = choose_shape,
	.needs = find_needs,
	.prepare = idiom_sum_input,
	.areas = areas,
	.set_arguments = set_arguments,
	.answer = SUM,
	.gave_up = GAVE_UP,
	.vary = idiom_vary,
};
const struct idiom_program idiom_staged_reduction = {
	.name = "staged-reduction",
	.summary = "sum in one launch: groups of each stage wait on locks for the stage before",
	.published = "legacy atomics on locks, which are set too late",
	.repaired = &staged,
	.as_published = &idiom_published_staged,
};
