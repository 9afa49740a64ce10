// SPDX-License-Identifier: Apache-2.0
#include "internal.h"

#include <errno.h>

uint32_t oclmm_environment_instances(const struct oclmm_environment *environment)
{
	return environment->groups * environment->lanes * environment->rounds;
}

uint32_t oclmm_environment_places(const struct oclmm_environment *environment,
                                  const struct oclmm_kernel_plan *plan)
{
	return environment->groups * (environment->split ? plan->work_groups : 1);
}

uint32_t oclmm_environment_width(const struct oclmm_environment *environment,
                                 const struct oclmm_kernel_plan *plan)
{
	return environment->lanes * (environment->split ? plan->crowd : 1);
}

static uint32_t larger(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

/* What all environments have in common. */
static struct oclmm_environment plain(uint32_t groups, uint32_t lanes, uint32_t rounds)
{
	return (struct oclmm_environment){
		.groups = groups,
		.lanes = lanes,
		.rounds = rounds,
		.stride = 1,
		.flip_groups = 1,
		.reverse_results = 50,
		.poll_every = 1,
		.poll_budget = 1 << 16,
		.stress_pattern = 4,
		.stress_lines = 16,
		.stress_stride = 64,
		.count_lanes = 64,
		.count_each = 64,
	};
}

/* With sub-groups, enough for as many full ones as the test needs, of the sizes that there are. */
static uint32_t least_lanes(const struct oclmm_device_info *info,
                            const struct oclmm_kernel_plan *plan)
{
	uint32_t most = oclmm_power_at_most(info->max_work_group_size),
		 usual = 64 < most ? 64 : most;

	if (!plan->in_sub_groups)
		return oclmm_power_at_least(plan->crowd);
	return larger(usual, oclmm_power_at_least(plan->sub_crowd) *
	                             oclmm_power_at_least(plan->sub_groups));
}

/* So many that a compiler makes a loop of them, or vectors: bugs show only there. */
static uint32_t wide_lanes(const struct oclmm_device_info *info, uint32_t least)
{
	enum { WIDE = 64 };
	size_t most = info->max_work_group_size;

	return larger(least, most < WIDE ? oclmm_power_at_most((uint32_t)most) : WIDE);
}

/*
 * What compilers and schedulers of CPUs do otherwise: with many lanes the loop over a group's
 * work-items is vectorised, a compilation of its own (4); more groups than processors begin one
 * after another, find what others left, and meet by chance, the more often the shorter they are
 * (5); where a scheduler begins some groups late, only long polls let them meet (6), which cost
 * nothing where they meet at once.
 */
static uint32_t cpu_more(const struct oclmm_device_info *info, struct oclmm_environment *e)
{
	enum { GROUPS_PER_UNIT = 16, SHORT_GROUP = 512 };
	uint32_t instances = oclmm_environment_instances(&e[0]);
	uint32_t units = oclmm_device_units(info);

	e[4] = e[5] = e[6] = e[0];
	e[4].lanes = wide_lanes(info, e[0].lanes);
	e[4].rounds = larger(instances / (e[4].groups * e[4].lanes), 1);
	e[4].poll_every = 16;
	e[5].groups = larger(e[0].groups, oclmm_power_at_least(GROUPS_PER_UNIT * units));
	e[5].rounds = larger(instances / (e[5].groups * e[5].lanes), 1);
	if (e[5].rounds > SHORT_GROUP)
		e[5].rounds = SHORT_GROUP;
	e[5].polls = 0;
	e[6].polls = 100000;
	e[6].poll_every = 16;
	e[6].poll_budget = 1 << 24;
	return e[0].polls > 0 ? 7 : 6;
}

/*
 * A CPU runs a few work-groups at a time and the work-items of one after
 * another: as many groups as there are units, few lanes and many rounds, kept
 * in step by a rendezvous. How far apart two rendezvous are, and how the
 * instances lie in lines, decides how often two groups are in one instance.
 * Where all roles share a group nobody is met in another one: all environments
 * have wide groups, and one compilation does.
 */
static uint32_t cpu_defaults(const struct oclmm_device_info *info,
                             const struct oclmm_kernel_plan *plan, struct oclmm_environment *e)
{
	enum { INSTANCES = 1 << 17 };
	uint32_t units = oclmm_device_units(info);
	uint32_t groups = larger(oclmm_power_at_most(units),
	                         oclmm_power_at_least(plan->work_groups));
	uint32_t least = larger(least_lanes(info, plan), info->short_loops ? 32 : 1);
	uint32_t lanes = plan->work_groups == 1 ? wide_lanes(info, least) : least;
	uint32_t rounds = larger(INSTANCES / (groups * lanes), 1);

	for (int i = 0; i < 4; i++) {
		e[i] = plain(groups, lanes, rounds);
		e[i].count_chunked = 1;
		e[i].direct = 1;
		/* one that waits for a group that no unit is free for would wait in vain */
		e[i].polls = groups <= units ? 1000 : 0;
		e[i].poll_budget = 1 << 22;
	}
	e[0].poll_every = 64;
	e[1].poll_every = 16;
	e[1].stride = 16;
	e[2].poll_every = 8;
	e[2].interleaved = 1;
	e[3].polls = 0;
	e[3].shuffle_locations = 50;
	e[3].flip_rounds = 2;
	return cpu_more(info, e);
}

/*
 * Devices and threads of the host that play together run on processors of
 * their own and have nothing in common but memory: they meet all the time, each object lies
 * in a line of its own, and a launch is long against the time that a kernel takes to begin. How
 * long they wait for each other is a matter of how busy the processors are.
 */
static uint32_t apart_defaults(const struct oclmm_kernel_plan *plan, struct oclmm_environment *e)
{
	enum { INSTANCES = 1 << 15 };
	uint32_t groups = oclmm_power_at_least(plan->work_groups),
		 lanes = oclmm_power_at_least(plan->crowd);

	for (int i = 0; i < 4; i++) {
		e[i] = plain(groups, lanes, larger(INSTANCES / (groups * lanes), 1));
		e[i].stride = 16;
		e[i].polls = 2000;
		e[i].poll_budget = 1 << 24;
		e[i].count_chunked = 1;
	}
	e[1].shuffle_locations = 50;
	e[2].polls = 20000;
	e[3].poll_every = 2;
	return 4;
}

/*
 * Consumers on units of their own: of neighbouring groups one plays one role and
 * the next another, few enough that all run at once, and many rounds. A unit
 * whose cache holds old lines answers a plain load from them as long as nobody
 * on it acquires; where every work-item plays every role somebody always does.
 */
static bool set_apart(const struct oclmm_device_info *info, const struct oclmm_kernel_plan *plan,
                      struct oclmm_environment *e)
{
	enum { LANES = 64, ROUNDS = 64 };

	if (!plan->plain_data || plan->in_sub_groups ||
	    (uint64_t)LANES * plan->crowd > info->max_work_group_size)
		return false;
	e->groups = larger(oclmm_power_at_most((uint64_t)oclmm_device_units(info) * 2),
	                   oclmm_power_at_least(plan->work_groups));
	e->lanes = LANES;
	e->rounds = ROUNDS;
	e->split = 2;
	e->shuffle_lanes = 50;
	return true;
}

/*
 * Objects that lie at random, so that the accesses of neighbours go to as many lines, behind a
 * few other accesses (0) or beside work-groups that do nothing else (1): instructions of a
 * work-item get apart, and what lies between two of them may be seen.
 */
static void set_scattered(struct oclmm_environment *e)
{
	enum { LINES = 1024, WORDS = 8, OPERATIONS = 32 };

	for (int i = 0; i < 2; i++) {
		e[i].rounds = 1;
		e[i].shuffle_locations = 100;
		e[i].stress_lines = LINES;
		e[i].stress_stride = WORDS;
	}
	e[0].pre_stress = OPERATIONS;
	e[1].stress_lines = 4 * LINES;
	e[1].stress_groups = 1024;
	e[1].stress = OPERATIONS;
}

/*
 * Many more groups than units, the order of roles flipped by group, warp and round, no rendezvous:
 * what was best on an H200, each for other shapes. Dense layouts: groups in their natural order
 * show most of MP, SB and LB (0); one round of wide groups most of three and four threads and of
 * 2+2W (1); shuffled lanes R, and objects in two regions (2). Scattered ones show most of what a
 * compiler may do wrong, above all within a work-group (3, 4). Where all roles share a work-group
 * they are always far apart in its lanes: those of neighbours are one warp's, which runs in step.
 */
static uint32_t gpu_defaults(const struct oclmm_device_info *info,
                             const struct oclmm_kernel_plan *plan, struct oclmm_environment *e)
{
	enum { USUAL = 5 };
	uint32_t most = oclmm_power_at_most(info->max_work_group_size);
	uint32_t lanes = 256 < most ? 256 : most;
	uint32_t groups = oclmm_power_at_least(oclmm_device_units(info) * 48);

	groups = larger(groups < 8192 ? groups : 8192, oclmm_power_at_least(plan->work_groups));
	for (int i = 0; i < USUAL; i++) {
		e[i] = plain(groups, lanes, 2);
		e[i].flip_lanes = 64;
		e[i].flip_rounds = 2;
		e[i].shuffle_lanes = plan->work_groups == 1 ? 100 : 0;
		e[i].count_chunked = OCLMM_COUNT_QUADS;
		e[i].count_lanes = lanes / 2 ? lanes / 2 : 1;
		e[i].count_each = 16;
	}
	e[0].groups = 2 * groups;
	e[1].lanes = 2 * lanes < most ? 2 * lanes : most;
	e[1].rounds = 1;
	e[1].flip_groups = 3;
	e[1].flip_lanes = plan->work_groups == 1 ? 96 : 0;
	e[1].reverse_results = 100;
	e[2].flip_groups = 0;
	e[2].flip_lanes = 32;
	e[2].flip_rounds = 1;
	e[2].shuffle_lanes = 100;
	e[3] = e[4] = e[2];
	set_scattered(&e[3]);
	e[USUAL] = e[2];
	return USUAL + set_apart(info, plan, &e[USUAL]);
}

/* Objects at program scope and images, of which devices have no more than so much. */
static bool fits_alone(const struct oclmm_environment *e, const struct oclmm_kernel_plan *plan)
{
	uint64_t apart = (uint64_t)oclmm_environment_instances(e) * e->stride;

	return apart * plan->program_bytes <= OCLMM_KERNEL_PROGRAM_BYTES &&
	       apart * plan->image_elements <= OCLMM_KERNEL_IMAGE_ELEMENTS;
}

static bool fits_queue(const struct oclmm_environment *e, const struct oclmm_kernel_plan *plan)
{
	return (uint64_t)oclmm_environment_instances(e) * plan->children <= OCLMM_KERNEL_CHILDREN;
}

/* Fewer instances in a launch, nearer to each other, but not so few that they hardly meet. */
static void fit_launch(const struct oclmm_kernel_plan *plan, uint32_t least_lanes,
                       struct oclmm_environment *e)
{
	enum { ROUNDS = 64, STRIDE = 4, LANES = 16 };
	const struct {
		uint32_t *number, least;
	} halves[] = {
		{&e->rounds, ROUNDS},
		{&e->stride, STRIDE},
		{&e->lanes, larger(least_lanes, LANES)},
		{&e->rounds, 1},
		{&e->stride, 1},
		{&e->groups, larger(plan->work_groups, 2)},
		{&e->lanes, least_lanes},
	};
	size_t i = 0;

	while (i < OCLMM_COUNT(halves) && !(fits_alone(e, plan) && fits_queue(e, plan))) {
		if (*halves[i].number / 2 >= halves[i].least)
			*halves[i].number /= 2;
		else
			i++;
	}
}

/* Few lanes where local objects would not fit, and small memory for small devices. */
static void fit(const struct oclmm_device_info *info, const struct oclmm_kernel_plan *plan,
                struct oclmm_environment *e)
{
	uint32_t least = least_lanes(info, plan);

	while (e->lanes > least && (uint64_t)e->lanes * plan->local_bytes > info->local_memory)
		e->lanes /= 2;
	if (e->lanes < least)
		e->lanes = least;
	while (e->rounds > 1 &&
	       (uint64_t)oclmm_environment_instances(e) * e->stride * 1024 > info->global_memory)
		e->rounds /= 2;
	/* where all turns of all loops of a launch are counted: frequent rendezvous, few turns
	 * each */
	if (info->short_loops) {
		e->rounds = e->rounds < 1024 ? e->rounds : 1024;
		e->polls = e->polls < 16 ? e->polls : 16;
		e->poll_every = e->poll_every < 8 ? e->poll_every : 8;
		e->poll_budget = 1 << 14;
	}
	if (e->count_lanes > info->max_work_group_size)
		e->count_lanes = oclmm_power_at_most(info->max_work_group_size);
}

uint32_t oclmm_environment_defaults(const struct oclmm_device_info *info,
                                    const struct oclmm_kernel_plan *plan,
                                    struct oclmm_environment *ret_environments)
{
	bool cpu = (info->type & CL_DEVICE_TYPE_CPU) != 0;
	uint32_t count = plan->parts > 1 ? apart_defaults(plan, ret_environments)
	                 : cpu           ? cpu_defaults(info, plan, ret_environments)
	                                 : gpu_defaults(info, plan, ret_environments);

	for (uint32_t i = 0; i < count; i++)
		fit(info, plan, &ret_environments[i]);
	for (uint32_t i = 0; i < count; i++)
		fit_launch(plan, least_lanes(info, plan), &ret_environments[i]);
	return count;
}

uint32_t oclmm_environment_share(const struct oclmm_device_info *info,
                                 const struct oclmm_kernel_plan *plan, uint64_t key,
                                 struct oclmm_environment *environments, uint32_t count)
{
	enum { KEYS = 4 };
	uint32_t left = 0;

	if (!(info->type & CL_DEVICE_TYPE_CPU) || key % KEYS == 0)
		return count;
	for (uint32_t i = 0; i < count; i++)
		if (oclmm_environment_width(&environments[i], plan) ==
		    oclmm_environment_width(&environments[0], plan))
			environments[left++] = environments[i];
	return left;
}

void oclmm_environment_count_alone(struct oclmm_environment *e,
                                   const struct oclmm_kernel_plan *plan)
{
	/* some devices end a loop after 65,535 turns */
	enum { INSTANCES = 1 << 15 };

	while (oclmm_environment_instances(e) > INSTANCES && e->rounds > 1)
		e->rounds /= 2;
	while (oclmm_environment_instances(e) > INSTANCES &&
	       e->groups / 2 >= larger(plan->work_groups, 2))
		e->groups /= 2;
	e->direct = 0;
	e->count_chunked = 1;
	e->count_lanes = 1;
	e->count_each = oclmm_power_at_least(oclmm_environment_instances(e));
}

void oclmm_environment_shorten(struct oclmm_environment *e, const struct oclmm_device_info *info,
                               const struct oclmm_kernel_plan *plan, uint64_t enough)
{
	/* below these, starting a launch is most of it, and its groups hardly meet */
	enum { CPU_LEAST = 1 << 13, GPU_LEAST = 1 << 18, GPU_GROUPS_PER_UNIT = 8 };
	bool cpu = (info->type & CL_DEVICE_TYPE_CPU) != 0;
	uint64_t least = cpu ? CPU_LEAST : GPU_LEAST;
	uint32_t groups = cpu ? e->groups
	                      : oclmm_power_at_least(oclmm_device_units(info) *
	                                             GPU_GROUPS_PER_UNIT);

	least = enough > least ? enough : least;
	while (oclmm_environment_instances(e) / 2 >= least && e->rounds % 2 == 0)
		e->rounds /= 2;
	while (oclmm_environment_instances(e) / 2 >= least && e->groups % 2 == 0 &&
	       e->groups / 2 >= larger(groups, plan->work_groups))
		e->groups /= 2;
}

#define REFUSE_UNLESS(condition, ...)                                                              \
	do {                                                                                       \
		if (!(condition))                                                                  \
			return oclmm_error_set(error, -EINVAL, __VA_ARGS__);                       \
	} while (0)

/* How many there are of everything, for any device and test. */
static int check_amounts(const struct oclmm_environment *e, struct oclmm_error *error)
{
	REFUSE_UNLESS(e->groups > 0 && e->groups <= 1u << 24, "groups must be 1 to %u", 1u << 24);
	REFUSE_UNLESS(e->lanes > 0 && e->lanes <= 1u << 24, "lanes must be 1 to %u", 1u << 24);
	REFUSE_UNLESS(e->rounds > 0, "rounds must be at least 1");
	REFUSE_UNLESS((uint64_t)e->groups * e->lanes <= 1u << 24 &&
	                      (uint64_t)e->groups * e->lanes * e->rounds <= 1u << 24,
	              "more than %u instances in one launch", 1u << 24);
	REFUSE_UNLESS(e->split <= 2, "split must be 0 to 2");
	return 0;
}

static int check_stress(const struct oclmm_environment *e, struct oclmm_error *error)
{
	REFUSE_UNLESS(e->stress_groups <= 1u << 16, "more than %u stress groups", 1u << 16);
	REFUSE_UNLESS(e->stress <= 1u << 20 && e->pre_stress <= 1u << 16,
	              "too many stress operations");
	REFUSE_UNLESS(e->queue_groups <= 1u << 16, "more than %u groups in the second queue",
	              1u << 16);
	REFUSE_UNLESS(e->queue_stress <= 1u << 20, "queue_stress must be at most %u", 1u << 20);
	REFUSE_UNLESS(e->stress_pattern <= 4, "stress_pattern must be 0 to 4");
	REFUSE_UNLESS(oclmm_is_power(e->stress_lines) && e->stress_lines <= 1u << 16,
	              "stress_lines must be a power of two");
	REFUSE_UNLESS(e->stress_stride >= 1 && e->stress_stride <= 1u << 12,
	              "stress_stride must be 1 to 4096");
	return 0;
}

int oclmm_environment_check_alone(const struct oclmm_environment *e, struct oclmm_error *error)
{
	int r = check_amounts(e, error);

	if (r == 0)
		r = check_stress(e, error);
	if (r < 0)
		return r;
	REFUSE_UNLESS(e->stride >= 1 && e->stride <= 4096, "stride must be 1 to 4096");
	REFUSE_UNLESS(e->gap % 8 == 0 && e->gap <= 1u << 20,
	              "gap must be a multiple of 8 up to 1048576");
	REFUSE_UNLESS(oclmm_is_power(e->poll_every), "poll_every must be a power of two, not %u",
	              e->poll_every);
	REFUSE_UNLESS(e->poll_budget <= 1u << 24, "poll_budget must be at most %u", 1u << 24);
	REFUSE_UNLESS(e->direct <= 1, "direct must be 0 or 1");
	REFUSE_UNLESS(oclmm_is_power(e->count_lanes), "count_lanes must be a power of two");
	REFUSE_UNLESS(oclmm_is_power(e->count_each), "count_each must be a power of two");
	return 0;
}

/* How many there are of everything, for this device and test. */
static int check_counts(const struct oclmm_environment *e, const struct oclmm_device_info *info,
                        const struct oclmm_kernel_plan *plan, struct oclmm_error *error)
{
	uint64_t width, places;

	REFUSE_UNLESS(!e->split || !plan->in_sub_groups,
	              "split is not for tests that are placed in sub-groups");
	REFUSE_UNLESS(e->split || e->groups >= plan->work_groups,
	              "the test needs at least %u groups", plan->work_groups);
	REFUSE_UNLESS(e->split || e->lanes >= plan->crowd, "the test needs at least %u lanes",
	              plan->crowd);
	places = (uint64_t)e->groups * (e->split ? plan->work_groups : 1);
	width = (uint64_t)e->lanes * (e->split ? plan->crowd : 1);
	REFUSE_UNLESS(width <= info->max_work_group_size, "the device has at most %zu lanes",
	              info->max_work_group_size);
	REFUSE_UNLESS(places * width <= 1u << 26, "more than %u work-items in one launch",
	              1u << 26);
	REFUSE_UNLESS((uint64_t)e->lanes * plan->local_bytes <= info->local_memory ||
	                      !plan->has_local,
	              "%u lanes need more local memory than the device has", e->lanes);
	return 0;
}

static int check_sub_groups(const struct oclmm_environment *e, const struct oclmm_kernel_plan *plan,
                            struct oclmm_error *error)
{
	if (!plan->in_sub_groups)
		return 0;
	if (e->sub_lanes == 0) {
		REFUSE_UNLESS(e->lanes >= (uint64_t)plan->sub_crowd * plan->sub_groups,
		              "the test needs at least %u lanes",
		              plan->sub_crowd * plan->sub_groups);
		return 0;
	}
	REFUSE_UNLESS(e->lanes % e->sub_lanes == 0, "lanes must be a multiple of sub_lanes");
	REFUSE_UNLESS(e->sub_lanes >= plan->sub_crowd, "the test needs sub-groups of at least %u",
	              plan->sub_crowd);
	REFUSE_UNLESS(e->lanes / e->sub_lanes >= plan->sub_groups,
	              "the test needs at least %u sub-groups", plan->sub_groups);
	return 0;
}

int oclmm_environment_check(const struct oclmm_environment *e, const struct oclmm_device_info *info,
                            const struct oclmm_kernel_plan *plan, struct oclmm_error *error)
{
	int r = oclmm_environment_check_alone(e, error);

	if (r == 0)
		r = check_counts(e, info, plan, error);
	if (r == 0)
		r = check_sub_groups(e, plan, error);
	if (r < 0)
		return r;
	REFUSE_UNLESS(plan->image_elements == 0 || fits_alone(e, plan),
	              "%u instances need larger images than %u elements",
	              oclmm_environment_instances(e), OCLMM_KERNEL_IMAGE_ELEMENTS);
	REFUSE_UNLESS(fits_alone(e, plan),
	              "%u instances need larger variables at program scope than %u bytes",
	              oclmm_environment_instances(e), OCLMM_KERNEL_PROGRAM_BYTES);
	REFUSE_UNLESS(fits_queue(e, plan), "%u instances enqueue more than %u kernels",
	              oclmm_environment_instances(e), OCLMM_KERNEL_CHILDREN);
	REFUSE_UNLESS(e->count_lanes <= info->max_work_group_size,
	              "the device does not take count_lanes=%u", e->count_lanes);
	return 0;
}
