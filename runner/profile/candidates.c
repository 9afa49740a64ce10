// SPDX-License-Identifier: Apache-2.0
#include "candidates.h"

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
