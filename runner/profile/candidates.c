// SPDX-License-Identifier: Apache-2.0
/* Environments drawn and changed at random, and made to fit a device and a program. */
#include "candidates.h"

/* ---- made to fit ---- */

/* Makes environments fit a device and a program. The bounds are those of
 * oclmm_environment_check(). */

/* Of instances in one launch, and of what their slots take. */
static const uint64_t INSTANCES_MOST = 1u << 24, WORKERS_MOST = 1u << 26,
		      MEMORY_MOST = (uint64_t)1 << 28;
/*
 * What a launch may cost: accesses of the test itself, operations of stress,
 * polls. Sized so that a launch takes hundredths of a second even where all
 * stress hits one line.
 */
static const struct limits {
	uint64_t accesses, stress, polls;
} cpu_limits = {1u << 21, 1u << 19, 1u << 24}, gpu_limits = {1u << 26, 1u << 23, 1u << 28};

static void limit(uint32_t *field, uint32_t least, uint32_t most)
{
	if (*field > most)
		*field = most;
	if (*field < least)
		*field = least;
}

/* Between bounds that are powers of two themselves. */
static void limit_power(uint32_t *field, uint32_t least, uint32_t most)
{
	*field = oclmm_power_at_most(*field);
	limit(field, least, most);
}

static uint32_t smaller(uint64_t a, uint64_t b)
{
	return (uint32_t)(a < b ? a : b);
}

/* Full sub-groups, or as the device likes. */
static void fit_sub_groups(struct oclmm_environment *e, const struct oclmm_kernel_plan *plan)
{
	if (!plan->in_sub_groups || e->sub_lanes == 0)
		return;
	if (e->sub_lanes < plan->sub_crowd || e->lanes % e->sub_lanes ||
	    e->lanes / e->sub_lanes < plan->sub_groups)
		e->sub_lanes = 0;
}

static void fit_shape(struct oclmm_environment *e, const struct oclmm_device_info *info,
                      const struct oclmm_kernel_plan *plan)
{
	uint64_t most = info->max_work_group_size;
	uint32_t full = plan->in_sub_groups ? plan->sub_crowd * plan->sub_groups : 0;
	uint32_t crowd = plan->crowd > full ? plan->crowd : full;

	limit(&e->split, 0, OCLMM_SPLIT_NEIGHBOURS);
	if (plan->in_sub_groups || plan->crowd > most)
		e->split = 0;
	if (e->split)
		most /= plan->crowd ? plan->crowd : 1;
	if (plan->local_bytes && most > info->local_memory / plan->local_bytes)
		most = info->local_memory / plan->local_bytes;
	limit(&e->lanes, 1, smaller(most ? most : 1, INSTANCES_MOST));
	limit(&e->lanes, e->split || !crowd ? 1 : crowd, UINT32_MAX);
	limit(&e->groups, 1,
	      smaller(INSTANCES_MOST / e->lanes,
	              WORKERS_MOST / ((uint64_t)oclmm_environment_width(e, plan) *
	                              (e->split ? plan->work_groups : 1))));
	limit(&e->groups, e->split || !plan->work_groups ? 1 : plan->work_groups, UINT32_MAX);
	limit(&e->rounds, 1,
	      smaller(INSTANCES_MOST / ((uint64_t)e->groups * e->lanes), INSTANCES_MOST));
	fit_sub_groups(e, plan);
}

static void bound_stress(struct oclmm_environment *e, const struct oclmm_kernel_plan *plan,
                         uint64_t most)
{
	while (oclmm_environment_stress(e, plan) > most &&
	       (e->stress > 1 || e->pre_stress > 0 || e->queue_stress > 1)) {
		e->stress = e->stress > 1 ? e->stress / 2 : e->stress;
		e->queue_stress = e->queue_stress > 1 ? e->queue_stress / 2 : e->queue_stress;
		e->pre_stress /= 2;
	}
	while (oclmm_environment_stress(e, plan) > most && (e->stress_groups || e->queue_groups)) {
		e->stress_groups /= 2;
		e->queue_groups /= 2;
	}
}

static void fit_stress(struct oclmm_environment *e, const struct oclmm_kernel_plan *plan)
{
	limit(&e->pre_stress, 0, 1u << 16);
	limit(&e->stress_groups, 0, 1u << 16);
	limit(&e->stress, 0, 1u << 20);
	limit(&e->stress_pattern, 0, 4);
	limit_power(&e->stress_lines, 1, 1u << 16);
	limit(&e->stress_stride, 1, 1u << 12);
	limit(&e->queue_groups, 0, 1u << 16);
	limit(&e->queue_stress, 0, 1u << 20);
	bound_stress(e, plan, OCLMM_STRESS_MOST);
}

/* llvmpipe ends all loops of a work-item after 65,535 turns together. */
static void fit_short_loops(struct oclmm_environment *e)
{
	limit(&e->rounds, 1, 1024);
	limit(&e->polls, 0, 4);
	limit(&e->poll_budget, 0, 1u << 14);
	limit(&e->pre_stress, 0, 1u << 10);
	limit(&e->stress, 0, 1u << 14);
	limit(&e->queue_stress, 0, 1u << 14);
	limit(&e->count_each, 1, 1u << 12);
}

/* As wide as a group may be. */
static void fit_few_groups(struct oclmm_environment *e, const struct oclmm_device_info *info,
                           const struct oclmm_kernel_plan *plan)
{
	uint64_t most = info->max_work_group_size;

	if (plan->local_bytes && most > info->local_memory / plan->local_bytes)
		most = info->local_memory / plan->local_bytes;
	limit(&e->few_groups, 0, smaller(most, INSTANCES_MOST));
}

void oclmm_environment_fit(struct oclmm_environment *e, const struct oclmm_device_info *info,
                           const struct oclmm_kernel_plan *plan)
{
	fit_shape(e, info, plan);
	fit_few_groups(e, info, plan);
	fit_stress(e, plan);
	limit(&e->offset, 0, 1u << 30);
	limit(&e->dimensions, 0, 3);
	limit(&e->stride, 1, smaller(OCLMM_SLOTS_MOST / oclmm_environment_instances(e), 4096));
	limit(&e->shuffle_locations, 0, 100);
	limit(&e->shuffle_groups, 0, 100);
	limit(&e->far_groups, 0, 100);
	limit(&e->shuffle_lanes, 0, 100);
	limit(&e->reverse_results, 0, 100);
	limit(&e->gap, 0, 1u << 20);
	e->gap -= e->gap % 8;
	limit(&e->interleaved, 0, 1);
	limit_power(&e->poll_every, 1, 1u << 30);
	limit(&e->poll_budget, 0, 1u << 24);
	limit(&e->direct, 0, 1);
	limit(&e->count_chunked, 0, OCLMM_COUNT_QUADS);
	limit_power(&e->count_lanes, 1, oclmm_power_at_most(info->max_work_group_size));
	limit_power(&e->count_each, 1, 1u << 30);
	if (info->short_loops)
		fit_short_loops(e);
}

static uint64_t workers_of(const struct oclmm_environment *e, const struct oclmm_kernel_plan *plan)
{
	return (uint64_t)oclmm_environment_places(e, plan) * oclmm_environment_width(e, plan);
}

static void bound_size(struct oclmm_environment *e, const struct oclmm_device_info *info,
                       const struct oclmm_kernel_plan *plan, uint64_t most)
{
	uint64_t memory = info->global_memory / 16 < MEMORY_MOST ? info->global_memory / 16
	                                                         : MEMORY_MOST;
	uint32_t each = 4 * (plan->roles ? plan->roles : 1);

	while (e->rounds > 1 && (uint64_t)oclmm_environment_instances(e) * each > most)
		e->rounds /= 2;
	while (e->stride > 1 && (uint64_t)oclmm_environment_instances(e) * e->stride * 32 > memory)
		e->stride /= 2;
	while (e->rounds > 1 && (uint64_t)oclmm_environment_instances(e) * 32 > memory)
		e->rounds /= 2;
}

void oclmm_environment_bound(struct oclmm_environment *e, const struct oclmm_device_info *info,
                             const struct oclmm_kernel_plan *plan)
{
	bool cpu = (info->type & CL_DEVICE_TYPE_CPU) != 0;
	const struct limits *limits = cpu ? &cpu_limits : &gpu_limits;
	uint64_t polls;

	bound_size(e, info, plan, limits->accesses);
	bound_stress(e, plan, limits->stress);
	/* a group that no unit is free for would be waited for in vain, round after round */
	if (cpu && oclmm_environment_places(e, plan) > oclmm_device_units(info))
		e->polls = 0;
	polls = limits->polls / workers_of(e, plan);
	limit(&e->poll_budget, 0, polls < 1u << 22 ? (uint32_t)polls : 1u << 22);
}

void oclmm_plan_join(struct oclmm_kernel_plan *plan, const struct oclmm_kernel_plan *other)
{
	limit(&plan->work_groups, other->work_groups, UINT32_MAX);
	limit(&plan->crowd, other->crowd, UINT32_MAX);
	limit(&plan->local_bytes, other->local_bytes, UINT32_MAX);
	limit(&plan->program_bytes, other->program_bytes, UINT32_MAX);
	limit(&plan->image_elements, other->image_elements, UINT32_MAX);
	limit(&plan->children, other->children, UINT32_MAX);
	limit(&plan->roles, other->roles, UINT32_MAX);
	limit(&plan->sub_groups, other->sub_groups, UINT32_MAX);
	limit(&plan->sub_crowd, other->sub_crowd, UINT32_MAX);
	plan->in_sub_groups |= other->in_sub_groups;
	plan->has_local |= other->has_local;
	plan->has_barrier |= other->has_barrier;
	plan->plain_data |= other->plain_data;
}

/* ---- drawn ---- */

/* A stream of numbers from a key. */
struct stream {
	uint64_t key, counter;
};

static uint32_t below(struct stream *stream, uint32_t bound)
{
	return (uint32_t)oclmm_random_below(stream->key, stream->counter++, bound);
}

/* A power of two between two of them; all are equally likely. */
static uint32_t power(struct stream *stream, uint32_t least, uint32_t most)
{
	uint32_t steps = 0;

	while (steps < 31 && (uint64_t)least << (steps + 1) <= most)
		steps++;
	return least << below(stream, steps + 1);
}

static uint32_t percentage(struct stream *stream)
{
	return below(stream, 3) * 50;
}

/* In one of `chances` draws the number, else 0. */
static uint32_t maybe(struct stream *stream, uint32_t chances, uint32_t number)
{
	return below(stream, chances) ? 0 : number;
}

static uint32_t larger(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

/* A power of two, or one in four times any number. */
static uint32_t count(struct stream *s, uint32_t least, uint32_t most)
{
	uint32_t number = power(s, oclmm_power_at_least(least), most),
		 any = least + below(s, most - least + 1);

	return below(s, 4) ? number : any;
}

/* CPU: persistent groups, few lanes, many rounds. Others: many groups and lanes, few rounds. */
static void draw_shape(struct stream *s, const struct oclmm_device_info *info,
                       const struct oclmm_kernel_plan *plan, struct oclmm_environment *e)
{
	bool cpu = (info->type & CL_DEVICE_TYPE_CPU) != 0;
	uint32_t units = oclmm_device_units(info), groups, lanes;

	e->split = maybe(s, 3, 1 + below(s, OCLMM_SPLIT_NEIGHBOURS));
	groups = e->split ? 1 : larger(plan->work_groups, 1);
	lanes = e->split ? 1 : larger(plan->crowd, 1);
	e->groups = count(s, groups, larger(groups, units * (cpu ? 4 : 64)));
	e->lanes = count(s, lanes, larger(lanes, 1024));
	/* PoCL compiles for each number of lanes, for a second or more: a few numbers must do */
	if (cpu)
		e->lanes = oclmm_power_at_least(lanes) << 2 * below(s, 4);
	/* as many as the device runs at a time: on a CPU nothing else comes together */
	if (cpu && below(s, 2))
		e->groups = larger(groups, e->split ? units / larger(plan->work_groups, 1) : units);
	e->rounds = power(s, 1, cpu ? 1 << 17 : 16);
}

static void draw_layout(struct stream *s, struct oclmm_environment *e)
{
	/* dense ones as often as all others */
	e->stride = below(s, 2) ? power(s, 1, 4) : power(s, 8, 1024);
	e->interleaved = below(s, 2);
	e->gap = maybe(s, 2, 8u * below(s, 1024));
	e->shuffle_locations = percentage(s);
	e->shuffle_groups = percentage(s);
	e->far_groups = percentage(s);
	e->shuffle_lanes = percentage(s);
}

static void draw_order(struct stream *s, struct oclmm_environment *e)
{
	e->flip_groups = below(s, 4);
	e->flip_lanes = maybe(s, 2, power(s, 1, 256));
	e->flip_rounds = below(s, 4);
	e->reverse_results = percentage(s);
}

static void draw_meeting(struct stream *s, const struct oclmm_device_info *info,
                         struct oclmm_environment *e)
{
	bool cpu = (info->type & CL_DEVICE_TYPE_CPU) != 0;

	/* on a CPU a rendezvous is what brings two groups into one instance */
	e->polls = below(s, cpu ? 4 : 2) ? power(s, 16, 4096) : 0;
	e->poll_every = power(s, 1, cpu ? 4096 : 64);
	e->poll_budget = power(s, 1u << 8, cpu ? 1u << 22 : 1u << 12);
}

static void draw_stress(struct stream *s, const struct oclmm_device_info *info,
                        struct oclmm_environment *e)
{
	uint32_t units = oclmm_power_at_least(oclmm_device_units(info));

	e->pre_stress = maybe(s, 3, power(s, 1, 128));
	e->stress_groups = maybe(s, 2, power(s, 1, units * 4));
	e->stress = power(s, 16, 1024);
	e->stress_pattern = below(s, 5);
	e->stress_lines = power(s, 1, 1024);
	e->stress_stride = power(s, 4, 1024);
	e->queue_groups = maybe(s, 4, power(s, 1, units * 2));
	e->queue_stress = power(s, 16, 1024);
}

static void draw_counting(struct stream *s, const struct oclmm_device_info *info,
                          struct oclmm_environment *e)
{
	bool cpu = (info->type & CL_DEVICE_TYPE_CPU) != 0;

	e->direct = below(s, 2);
	e->count_chunked = cpu ? 1 : below(s, OCLMM_COUNT_QUADS + 1);
	e->count_lanes = cpu ? 64 : power(s, 32, 256);
	e->count_each = power(s, 8, cpu ? 256 : 64);
}

/* Last, so that the other numbers are those of older keys. Rows cost a CPU's compiler time. */
static void draw_range(struct stream *s, const struct oclmm_device_info *info,
                       struct oclmm_environment *e)
{
	bool cpu = (info->type & CL_DEVICE_TYPE_CPU) != 0;

	e->offset = maybe(s, 2, 1 + below(s, 1u << 20));
	e->dimensions = cpu ? 0 : maybe(s, 2, 2 + below(s, 2));
	e->few_groups = maybe(s, 4, e->lanes);
}

struct oclmm_environment oclmm_environment_draw(uint64_t key, const struct oclmm_device_info *info,
                                                const struct oclmm_kernel_plan *plan)
{
	struct stream s = {.key = key};
	struct oclmm_environment e = {0};

	draw_shape(&s, info, plan, &e);
	draw_layout(&s, &e);
	draw_order(&s, &e);
	draw_meeting(&s, info, &e);
	draw_stress(&s, info, &e);
	draw_counting(&s, info, &e);
	draw_range(&s, info, &e);
	oclmm_environment_fit(&e, info, plan);
	oclmm_environment_bound(&e, info, plan);
	return e;
}

/* What becomes of one field. One in twelve changes: two or three of them all. */
static uint32_t mutate(struct stream *s, uint32_t own, uint32_t other, uint32_t fresh)
{
	uint32_t choice = below(s, 96);

	if (choice < 2)
		return own < 1u << 30 ? own * 2 : own;
	if (choice < 4)
		return own / 2;
	if (choice < 6)
		return other;
	return choice < 8 ? fresh : own;
}

struct oclmm_environment oclmm_environment_mutate(uint64_t key,
                                                  const struct oclmm_environment *parent,
                                                  const struct oclmm_environment *other,
                                                  const struct oclmm_device_info *info,
                                                  const struct oclmm_kernel_plan *plan)
{
	struct stream s = {.key = oclmm_random_derive(key, "mutate")};
	struct oclmm_environment fresh = oclmm_environment_draw(key, info, plan), e;

#define OCLMM_X(field, meaning) e.field = mutate(&s, parent->field, other->field, fresh.field);
	OCLMM_ENVIRONMENT(OCLMM_X)
#undef OCLMM_X
	oclmm_environment_fit(&e, info, plan);
	oclmm_environment_bound(&e, info, plan);
	return e;
}
