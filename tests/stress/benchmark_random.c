// SPDX-License-Identifier: Apache-2.0
/* Environments drawn blindly from the ranges that are known to matter. */
#include "benchmark.h"

#define MEMORY_MOST ((uint64_t)1 << 28)

struct stream {
	uint64_t key, counter;
};

static uint32_t below(struct stream *stream, uint32_t bound)
{
	return (uint32_t)oclmm_random_below(stream->key, stream->counter++, bound);
}

/* A power of two between two of them. */
static uint32_t power(struct stream *stream, uint32_t least, uint32_t most)
{
	uint32_t steps = 0;

	while (least << (steps + 1) <= most && least << (steps + 1) > least << steps)
		steps++;
	return least << below(stream, steps + 1);
}

static uint32_t percentage(struct stream *stream)
{
	return below(stream, 3) * 50;
}

/* None as often as some. */
static uint32_t maybe(struct stream *stream, uint32_t number)
{
	return below(stream, 2) ? number : 0;
}

static uint32_t power_at_least(uint32_t n)
{
	uint32_t p = 1;

	while (p < n)
		p *= 2;
	return p;
}

static void draw_shape(struct stream *s, const struct oclmm_device_info *info,
                       const struct oclmm_kernel_plan *plan, struct oclmm_environment *e)
{
	bool cpu = (info->type & CL_DEVICE_TYPE_CPU) != 0;
	uint32_t units = power_at_least(info->compute_units), crowd = power_at_least(plan->crowd);
	uint32_t most = cpu ? 64 : 256;

	if (most > info->max_work_group_size)
		most = (uint32_t)info->max_work_group_size;
	e->groups = power(s, power_at_least(plan->work_groups), units * (cpu ? 4 : 64));
	e->lanes = power(s, crowd, most > crowd ? most : crowd);
	e->rounds = power(s, 1, cpu ? 1 << 16 : 16);
	e->stride = power(s, 1, 64);
	while (e->rounds > 1 && (uint64_t)oclmm_environment_instances(e) > 1u << 20)
		e->rounds /= 2;
	while (e->stride > 1 && (uint64_t)oclmm_environment_instances(e) * e->stride * 16 > MEMORY_MOST)
		e->stride /= 2;
}

static struct oclmm_environment draw(const struct oclmm_device_info *info,
                                     const struct oclmm_kernel_plan *plan, uint64_t key)
{
	bool cpu = (info->type & CL_DEVICE_TYPE_CPU) != 0;
	struct stream s = { .key = key };
	struct oclmm_environment e = { .stress_pattern = 4, .reverse_results = 50, .count_lanes = 64, .count_each = 16 };

	draw_shape(&s, info, plan, &e);
	e.interleaved = below(&s, 2);
	e.gap = maybe(&s, 8u * below(&s, 512));
	e.shuffle_locations = percentage(&s);
	e.shuffle_groups = percentage(&s);
	e.shuffle_lanes = percentage(&s);
	e.flip_groups = below(&s, 4);
	e.flip_lanes = maybe(&s, power(&s, 1, 64));
	e.flip_rounds = below(&s, 4);
	e.polls = maybe(&s, power(&s, 16, 1024));
	e.poll_every = power(&s, 1, 64);
	/* the many work-items of a GPU poll and stress beside one another: a launch must stay short */
	e.poll_budget = cpu ? 1 << 14 : 1 << 10;
	e.pre_stress = maybe(&s, power(&s, 1, 64));
	e.stress_groups = maybe(&s, power(&s, 1, power_at_least(info->compute_units) * 2));
	e.stress = power(&s, 16, 1024);
	e.stress_lines = power(&s, 1, 1024);
	e.stress_stride = power(&s, 4, 1024);
	e.count_chunked = cpu;
	/* a group that no unit is free for would be waited for in vain */
	if (cpu && e.groups > info->compute_units)
		e.polls = 0;
	if (info->short_loops) {
		e.rounds = e.rounds < 1024 ? e.rounds : 1024;
		e.polls = e.polls < 4 ? e.polls : 4;
	}
	if (e.count_lanes > info->max_work_group_size)
		e.count_lanes = 1;
	return e;
}

struct oclmm_environment environment_random(const struct oclmm_device_info *info,
                                            const struct oclmm_kernel_plan *plan, uint64_t key)
{
	struct oclmm_environment e;
	struct oclmm_error ignored;
	uint64_t number = 0;

	do
		e = draw(info, plan, oclmm_random(key, number++));
	while (oclmm_environment_check(&e, info, plan, &ignored) < 0 && number < 1000);
	return e;
}

int shape_measure_randomly(struct subject *subject)
{
	const struct bench *bench = subject->bench;
	struct randomly *all = &subject->measured->randomly;

	for (unsigned i = 0; i < bench->random; i++) {
		struct oclmm_environment e = environment_random(oclmm_device_info(bench->device), &subject->plan,
		                                                oclmm_random(bench->seed, i));
		struct run_figures run;
		int r = subject_run(subject, &e, 0, bench->seconds / 50, &run);

		if (r < 0)
			return r;
		all->tried++;
		all->showing += run.weak > 0;
		if ((double)run.weak / run.seconds > all->best) {
			all->best = (double)run.weak / run.seconds;
			all->environment = e;
		}
	}
	return 0;
}
