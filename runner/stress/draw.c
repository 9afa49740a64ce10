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

/*
 * Distinct shifts: an odd multiple of distinct small numbers, from a random
 * start. Two litmus work-groups differ by an odd number, so that of two places
 * that share an instance one is even and one odd: with flip_groups = 1 they
 * play its two roles at the same time.
 */
static void draw_groups(struct stream *stream, const struct oclmm_environment *environment,
                        const struct oclmm_kernel_plan *plan, struct oclmm_parameters *p)
{
	uint32_t order[OCLMM_KERNEL_ROLES] = { 0 };
	uint32_t start = next(stream), factor = next(stream) | 1, multiplier = next(stream);
	uint32_t addend = next(stream);
	bool shuffled = chance(stream, environment->shuffle_groups);

	p->group_multiplier = shuffled ? multiplier | 1 : 1;
	p->group_addend = shuffled ? addend & (environment->groups - 1) : 0;
	if (!shuffled)
		factor = 1;
	shuffle(stream, order, plan->work_groups);
	for (uint32_t w = 0; w < plan->work_groups; w++)
		p->group_shift[w] = (start + factor * order[w]) & (environment->groups - 1);
}

static void draw_lanes(struct stream *stream, const struct oclmm_environment *environment,
                       const struct oclmm_kernel_plan *plan, struct oclmm_parameters *p)
{
	uint32_t order[OCLMM_KERNEL_ROLES] = { 0 };
	uint32_t factor = next(stream) | 1, addend = next(stream);
	bool far = chance(stream, environment->shuffle_lanes);

	p->lane_addend = far ? addend & (environment->lanes - 1) : 0;
	shuffle(stream, order, plan->roles);
	for (uint32_t r = 0; r < plan->roles; r++) {
		uint32_t rank = 0;

		/* among the roles of its own litmus work-group only: lanes may be few */
		for (uint32_t q = 0; q < plan->roles; q++)
			rank += plan->role_work_group[q] == plan->role_work_group[r] && order[q] < order[r];
		p->lane_shift[r] = (rank * (far ? factor : 1)) & (environment->lanes - 1);
	}
}

static void draw_locations(struct stream *stream, const struct oclmm_environment *environment,
                           const struct oclmm_program *program, struct oclmm_parameters *p)
{
	uint32_t mask = oclmm_environment_instances(environment) - 1;
	bool shuffled = chance(stream, environment->shuffle_locations);

	for (uint32_t i = 0; i < program->location_count; i++) {
		uint32_t multiplier = next(stream) | 1, addend = next(stream);

		p->location[i].multiplier = shuffled ? multiplier : 1;
		p->location[i].addend = shuffled ? addend & mask : 0;
		oclmm_layout(environment, program, i, &p->location[i]);
	}
}

static void set_counting(const struct oclmm_environment *environment, struct oclmm_parameters *p)
{
	uint32_t instances = oclmm_environment_instances(environment);
	uint32_t each = environment->count_each;

	while (each > 1 && instances / each < environment->count_lanes)
		each /= 2;
	p->count_each = each;
	p->count_first = environment->count_chunked ? each : 1;
	p->count_step = environment->count_chunked ? 1 : instances / each;
}

void oclmm_draw(const struct oclmm_environment *environment, const struct oclmm_program *program,
                const struct oclmm_kernel_plan *plan, uint64_t key, struct oclmm_parameters *ret_parameters)
{
	struct stream stream = { .key = key };
	struct oclmm_parameters p;

	memset(&p, 0, sizeof(p));
	p.groups = environment->groups;
	p.lanes = environment->lanes;
	p.rounds = environment->rounds;
	p.all_groups = environment->groups + environment->stress_groups;
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
	draw_locations(&stream, environment, program, &p);
	set_counting(environment, &p);
	*ret_parameters = p;
}
