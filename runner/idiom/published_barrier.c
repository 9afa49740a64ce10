// SPDX-License-Identifier: Apache-2.0
/* The three barriers as published: one element per work-item, all 1 at first, and all the same
 * at the end. */
#include "internal.h"

#include <errno.h>

enum { ELEMENTS, FLAGS };

static const size_t WORD = sizeof(int32_t);
static const uint64_t GROUP_SIZE = 64;

/* The benchmark takes a remainder by `& (n - 1)`. */
static int choose(struct idiom_session *session, struct oclmm_error *error)
{
	uint64_t n = session->size;
	int r = idiom_group_size(session, GROUP_SIZE, 0, error);

	if (r == 0 && (n == 0 || (n & (n - 1)) || n > INT32_MAX))
		r = oclmm_error_set(error, -EINVAL,
		                    "--size %llu: as published, a power of two below 2^31",
		                    (unsigned long long)n);
	return r == 0 ? idiom_exact_groups(session, error) : r;
}

/* A work-item of the first group stands for each group. */
static int choose_gathered(struct idiom_session *session, struct oclmm_error *error)
{
	int r = choose(session, error);

	if (r == 0 && session->most.groups > session->most.group_size)
		r = oclmm_error_set(
			error, -EINVAL,
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

static void find_needs(const struct idiom_session *session, uint64_t *ret_device,
                       uint64_t *ret_host)
{
	*ret_host = 3 * session->size * WORD;
	*ret_device = 3 * session->size * WORD + flags_of(session) * WORD;
}

static int prepare(struct idiom_session *session, struct oclmm_error *error)
{
	int r = idiom_allocate(session, session->size, session->size, error);

	if (r < 0)
		return r;
	for (uint64_t i = 0; i < session->size; i++)
		session->input[i] = 1;
	idiom_neighbour_sum(session);
	return 0;
}

static const struct idiom_area areas[] = {
	{ELEMENTS, idiom_each, IDIOM_COPIED, 0},
	{FLAGS, flags_of, IDIOM_FILLED, 0},
	{0},
};

static int set_arguments(struct idiom_session *session, struct oclmm_error *error)
{
	const cl_int n = (cl_int)session->size, steps = (cl_int)session->steps;

	return IDIOM_SET(session->kernels[0], error, IDIOM_VALUE(session->buffers[ELEMENTS]),
	                 IDIOM_VALUE(session->buffers[FLAGS]), IDIOM_VALUE(n), IDIOM_VALUE(steps));
}

#define ACTIONS(source, choose_shape, why)                                                         \
	{                                                                                          \
		.file = source, .kernels = {"neighbour_sum"}, .waiting = why, .spins = true,       \
		.size = 2048, .steps = 10000, .shape = choose_shape, .needs = find_needs,          \
		.prepare = prepare, .areas = areas, .set_arguments = set_arguments,                \
		.answer = ELEMENTS,                                                                \
	}

const struct idiom_actions idiom_published_count = ACTIONS(
	"global-barrier-count-published.cl", choose,
	"these work-items are not all running at the same time here, or one missed the full count");
const struct idiom_actions idiom_published_leaders =
	ACTIONS("global-barrier-leaders-published.cl", choose,
                "these groups are not co-resident here, or one missed the full count");
const struct idiom_actions idiom_published_flags =
	ACTIONS("global-barrier-flags-published.cl", choose_gathered,
                "these groups are not co-resident here, or a flag was lowered before it was seen");
