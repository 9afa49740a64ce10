// SPDX-License-Identifier: Apache-2.0
/* From a key to the parameters of one launch. */
#include "internal.h"

#include <string.h>

/* A stream of numbers from a key. */
struct stream {
	uint64_t key;
	uint64_t counter;
};

static uint32_t next(struct stream *stream)
{
	return (uint32_t)(oclmm_random(stream->key, stream->counter++) >> 32);
}

static uint32_t below(struct stream *stream, uint32_t bound)
{
	return (uint32_t)oclmm_random_below(stream->key, stream->counter++, bound);
}

/* One draw whatever the outcome, so that a knob does not shift the draws after it. */
static bool chance(struct stream *stream, uint32_t percentage)
{
	return below(stream, 100) < percentage;
}

static void shuffle(struct stream *stream, uint32_t *numbers, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		numbers[i] = i;
	for (uint32_t i = count; i > 1; i--) {
		uint32_t j = below(stream, i), kept = numbers[i - 1];

		numbers[i - 1] = numbers[j];
		numbers[j] = kept;
	}
}

/* A factor that permutes n numbers: odd under a mask, else with no divisor in common and small
 * enough. */
static uint32_t factor_of(uint32_t draw, uint32_t n, bool any_count)
{
	uint32_t most = UINT32_MAX / n - 1, factor;

	if (!any_count)
		return draw | 1;
	factor = 1 + draw % most;
	while (oclmm_common_divisor(factor, n) != 1)
		factor = factor < most ? factor + 1 : 1;
	return factor;
}

static uint32_t place_on(uint64_t start, uint64_t factor, uint32_t rank, uint32_t n)
{
	return (uint32_t)((start % n + factor % n * rank) % n);
}

/*
 * Devices share out many groups among their units in two halves or more, and each unit takes its
 * own one after another: about half of all groups apart are two that run at the same time, which
 * neighbours are not. Odd, and never quite the same, because units do not begin together.
 */
static uint32_t far_apart(uint32_t groups, uint32_t draw)
{
	enum { JITTER = 8 };

	return (groups / 2 + draw % JITTER) | 1;
}

/*
 * Distinct shifts: multiples of distinct small numbers, from a random start.
 * Two litmus work-groups differ by an odd number where groups are a power of
 * two, so that of two places that share an instance one is even and one odd:
 * with flip_groups = 1 they play its two roles at the same time.
 */
static void draw_groups(struct stream *stream, const struct oclmm_environment *environment,
                        const struct oclmm_kernel_plan *plan, struct oclmm_parameters *p)
{
	bool any_count = oclmm_environment_any_count(environment, plan);
	uint32_t order[OCLMM_KERNEL_ROLES] = {0};
	uint32_t start = next(stream), factor = factor_of(next(stream), p->groups, any_count);
	uint32_t multiplier = factor_of(next(stream), p->groups, any_count);
	uint32_t addend = next(stream);
	bool shuffled = chance(stream, environment->shuffle_groups);

	p->group_multiplier = shuffled ? multiplier : 1;
	p->group_addend = shuffled ? addend % p->groups : 0;
	/* what a permutation would take, if there were one */
	if (!shuffled && !any_count && addend % 100 < environment->far_groups)
		factor = far_apart(p->groups, multiplier >> 8);
	else if (!shuffled)
		factor = 1;
	shuffle(stream, order, plan->work_groups);
	for (uint32_t w = 0; w < plan->work_groups; w++)
		p->group_shift[w] = place_on(start, factor, order[w], p->groups);
}

/* Rank of a role, in a random order, among those of its litmus work-group, or of its litmus
 * sub-group. */
static uint32_t rank_of(const struct oclmm_kernel_plan *plan, const uint32_t *order, uint32_t role)
{
	uint32_t rank = 0;

	for (uint32_t q = 0; q < plan->roles; q++)
		rank += oclmm_roles_together(plan, q, role) && order[q] < order[role] &&
		        (!plan->in_sub_groups ||
		         plan->role_sub_group[q] == plan->role_sub_group[role]);
	return rank;
}

static void draw_lanes(struct stream *stream, const struct oclmm_environment *environment,
                       const struct oclmm_kernel_plan *plan, struct oclmm_parameters *p)
{
	bool any_count = oclmm_environment_any_count(environment, plan);
	uint32_t lanes = plan->in_sub_groups ? p->sub_lanes : p->lanes;
	uint32_t order[OCLMM_KERNEL_ROLES] = {0};
	uint32_t factor = factor_of(next(stream), lanes, any_count), addend = next(stream);
	bool far = chance(stream, environment->shuffle_lanes);

	p->lane_addend = far ? addend % lanes : 0;
	shuffle(stream, order, plan->roles);
	/* among the roles of its own litmus work-group only: lanes may be few */
	for (uint32_t r = 0; r < plan->roles; r++)
		p->lane_shift[r] = environment->split == OCLMM_SPLIT_NEIGHBOURS
		                           ? 0
		                           : place_on(0, far ? factor : 1, rank_of(plan, order, r),
		                                      lanes);
}

/* As with lanes: neighbouring sub-groups, or some that are far apart. */
static void draw_sub_groups(struct stream *stream, const struct oclmm_environment *environment,
                            const struct oclmm_kernel_plan *plan, struct oclmm_parameters *p)
{
	uint32_t start = next(stream), factor = factor_of(next(stream), p->sub_groups, true);
	uint32_t order[OCLMM_KERNEL_ROLES] = {0};

	if (!chance(stream, environment->shuffle_lanes))
		factor = 1;
	shuffle(stream, order, plan->sub_groups);
	for (uint32_t r = 0; r < plan->roles; r++)
		p->sub_shift[r] = place_on(start, factor, order[plan->role_sub_group[r]],
		                           p->sub_groups);
}

static void draw_locations(struct stream *stream, const struct oclmm_environment *environment,
                           const struct oclmm_program *program,
                           const struct oclmm_kernel_plan *plan, struct oclmm_parameters *p)
{
	bool any_count = oclmm_environment_any_count(environment, plan);
	uint32_t instances = oclmm_environment_instances(environment);
	bool shuffled = chance(stream, environment->shuffle_locations);

	for (uint32_t i = 0; i < program->location_count; i++) {
		uint32_t multiplier = factor_of(next(stream), instances, any_count),
			 addend = next(stream);

		p->location[i].multiplier = shuffled ? multiplier : 1;
		p->location[i].addend = shuffled ? addend % instances : 0;
		oclmm_layout(environment, program, i, &p->location[i]);
	}
}

uint32_t oclmm_counting_work_items(const struct oclmm_environment *environment,
                                   const struct oclmm_parameters *parameters, uint32_t *ret_local)
{
	uint32_t instances = oclmm_environment_instances(environment),
		 each = parameters->count_each;
	uint32_t global = (instances + each - 1) / each;
	uint32_t local = environment->count_lanes < global ? environment->count_lanes : global;

	*ret_local = local;
	return (global + local - 1) / local * local;
}

static void set_counting(const struct oclmm_environment *environment, struct oclmm_parameters *p)
{
	uint32_t instances = oclmm_environment_instances(environment), local;
	uint32_t each = environment->count_each;

	/* none without work; where one counts alone, all of it */
	while (each > 1 &&
	       (each / 2 >= instances || (instances + each - 1) / each < environment->count_lanes))
		each /= 2;
	p->count_each = each;
	p->count_first = environment->count_chunked == 1 ? each : 1;
	p->count_step = environment->count_chunked == 1
	                        ? 1
	                        : oclmm_counting_work_items(environment, p, &local);
}

static void set_shape(const struct oclmm_environment *environment,
                      const struct oclmm_kernel_plan *plan, struct oclmm_parameters *p)
{
	uint32_t dimensions = oclmm_environment_dimensions(environment);

	p->groups = environment->groups;
	p->lanes = environment->lanes;
	p->rounds = environment->rounds;
	p->groups_inverse = UINT32_MAX / p->groups;
	p->instances_inverse = UINT32_MAX / oclmm_environment_instances(environment);
	p->split = environment->split;
	p->parties = oclmm_environment_places(environment, plan) * plan->kernels + plan->parts -
	             plan->kernels;
	p->places = oclmm_environment_places(environment, plan);
	p->width = oclmm_environment_width(environment, plan);
	p->all_groups = p->places + environment->stress_groups;
	p->offset_x = environment->offset;
	if (dimensions > 1)
		p->offset_y = 2 * environment->offset;
	if (dimensions > 2)
		p->offset_z = 3 * environment->offset;
	if (plan->in_sub_groups) {
		p->sub_lanes = environment->sub_lanes ? environment->sub_lanes : environment->lanes;
		p->sub_groups = environment->lanes / p->sub_lanes;
	}
}

void oclmm_draw(const struct oclmm_environment *environment, const struct oclmm_program *program,
                const struct oclmm_kernel_plan *plan, uint64_t key,
                struct oclmm_parameters *ret_parameters)
{
	struct stream stream = {.key = key};
	struct oclmm_parameters p;

	memset(&p, 0, sizeof(p));
	set_shape(environment, plan, &p);
	p.rotation = below(&stream, p.all_groups);
	p.flip_groups = environment->flip_groups;
	p.flip_lanes = environment->flip_lanes;
	p.flip_rounds = environment->flip_rounds;
	p.results_reversed = chance(&stream, environment->reverse_results);
	p.polls = environment->polls;
	p.poll_mask = environment->poll_every - 1;
	p.poll_budget = environment->poll_budget;
	p.pre_stress = environment->pre_stress;
	p.stress = environment->stress;
	p.stress_pattern = below(&stream, 4);
	if (environment->stress_pattern < 4)
		p.stress_pattern = environment->stress_pattern;
	p.stress_lines = environment->stress_lines;
	p.stress_stride = environment->stress_stride;
	draw_groups(&stream, environment, plan, &p);
	draw_lanes(&stream, environment, plan, &p);
	draw_locations(&stream, environment, program, plan, &p);
	if (plan->in_sub_groups)
		draw_sub_groups(&stream, environment, plan, &p);
	set_counting(environment, &p);
	*ret_parameters = p;
}

bool oclmm_draw_look(uint64_t key, uint64_t number)
{
	/* a stream of its own, so that a launch that looks is drawn like any other */
	return number < 2 || oclmm_random_below(~key, 0, 64) == 0;
}
