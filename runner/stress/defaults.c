// SPDX-License-Identifier: Apache-2.0
/* Environments for devices of each kind, of which one hopes that they show what there is. */
#include "internal.h"

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
	return oclmm_larger(usual, oclmm_power_at_least(plan->sub_crowd) *
	                                   oclmm_power_at_least(plan->sub_groups));
}

/* So many that a compiler makes a loop of them, or vectors: bugs show only there. */
static uint32_t wide_lanes(const struct oclmm_device_info *info, uint32_t least)
{
	enum { WIDE = 64 };
	size_t most = info->max_work_group_size;

	return oclmm_larger(least, most < WIDE ? oclmm_power_at_most((uint32_t)most) : WIDE);
}

/* Compilers leave out what a group no wider than a vector or a sub-group needs no barrier for. */
static uint32_t narrow_lanes(uint32_t lanes, uint32_t least, uint32_t vector)
{
	uint32_t narrow = oclmm_larger(least, vector);

	return narrow < lanes ? narrow : lanes;
}

/* As many work-items and instances, or nearly, of which each plays one role. */
static bool set_own_roles(const struct oclmm_kernel_plan *plan, uint32_t split,
                          struct oclmm_environment *e)
{
	uint32_t crowd = oclmm_power_at_least(plan->crowd);

	if (plan->in_sub_groups || e->lanes < crowd)
		return false;
	e->lanes /= crowd;
	e->rounds *= crowd;
	e->split = split;
	e->direct = 0;
	return true;
}

/*
 * Where roles do the same with the same objects, the work-items of an instance side by side: those
 * of a vector or warp then come to its objects by one instruction.
 */
static bool set_neighbours(const struct oclmm_device_info *info,
                           const struct oclmm_kernel_plan *plan, struct oclmm_environment *e)
{
	return plan->alike && plan->crowd <= info->max_work_group_size &&
	       set_own_roles(plan, OCLMM_SPLIT_NEIGHBOURS, e);
}

/*
 * What compilers and schedulers of CPUs do otherwise: with many lanes the loop over a group's
 * work-items is vectorised, a compilation of its own (4), and where they are many anyway, a test
 * with barriers has few there; more groups than processors begin one after another, find what
 * others left, and meet by chance, the more often the shorter they are (5); where a scheduler
 * begins some groups late, only long polls let them meet (6), which cost nothing where they meet at
 * once. Its launches have an odd number of groups, by one that does nothing, or a single one:
 * drivers share groups out among threads, and have less to do for one.
 */
static uint32_t cpu_more(const struct oclmm_device_info *info, const struct oclmm_kernel_plan *plan,
                         struct oclmm_environment *e)
{
	enum { GROUPS_PER_UNIT = 16, MANY_GROUPS = 128, SHORT_GROUP = 256, FAR = 75, VECTOR = 8 };
	uint32_t instances = oclmm_environment_instances(&e[0]);
	uint32_t units = oclmm_device_units(info), count;

	e[4] = e[5] = e[6] = e[0];
	if (plan->has_barrier && plan->work_groups == 1) {
		e[4].lanes = narrow_lanes(e[0].lanes, least_lanes(info, plan), VECTOR);
		/* what each keeps over a barrier is the same for all that play a role */
		set_own_roles(plan, 2, &e[4]);
	} else {
		e[4].lanes = wide_lanes(info, e[0].lanes);
	}
	e[4].rounds = oclmm_larger(instances / (e[4].groups * e[4].lanes), 1);
	e[4].poll_every = 16;
	e[5].groups = oclmm_larger(oclmm_power_at_least(GROUPS_PER_UNIT * units), MANY_GROUPS);
	e[5].rounds = oclmm_larger(instances / (e[5].groups * e[5].lanes), 1);
	if (e[5].rounds > SHORT_GROUP)
		e[5].rounds = SHORT_GROUP;
	e[5].polls = 0;
	e[5].far_groups = FAR;
	e[6].polls = 100000;
	e[6].poll_every = 16;
	e[6].poll_budget = 1 << 24;
	if (plan->work_groups == 1)
		e[6].groups = 1;
	else
		e[6].stress_groups = 1;
	count = e[0].polls > 0 ? 7 : 6;
	e[count] = e[0];
	return count + set_neighbours(info, plan, &e[count]);
}

/*
 * A CPU runs a few work-groups at a time and the work-items of one after
 * another: as many groups as there are units, few lanes and many rounds, kept
 * in step by a rendezvous. How far apart two rendezvous are, and how the
 * instances lie in lines, decides how often two groups are in one instance.
 * Where all roles share a group nobody is met in another one: all environments
 * have wide groups, and one compilation does, but for one of barriers.
 */
static uint32_t cpu_defaults(const struct oclmm_device_info *info,
                             const struct oclmm_kernel_plan *plan, struct oclmm_environment *e)
{
	enum { INSTANCES = 1 << 17 };
	uint32_t units = oclmm_device_units(info);
	uint32_t groups = oclmm_larger(oclmm_power_at_most(units),
	                               oclmm_power_at_least(plan->work_groups));
	uint32_t least = oclmm_larger(least_lanes(info, plan), info->short_loops ? 32 : 1);
	uint32_t lanes = plan->work_groups == 1 ? wide_lanes(info, least) : least;
	uint32_t rounds = oclmm_larger(INSTANCES / (groups * lanes), 1);

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
	return cpu_more(info, plan, e);
}

/*
 * Devices and threads of the host that play together run on processors of
 * their own and have nothing in common but memory: they meet all the time, each object lies
 * in a line of its own, and a launch is long against the time that a kernel takes to begin. How
 * long they wait for each other is a matter of how busy the processors are. A GPU plays a round
 * with all lanes of a warp in the time of one; few lanes show more, and many give the most
 * instances. One alone shows hardly anything, but a compiler may make less of groups of one.
 */
static uint32_t apart_defaults(const struct oclmm_device_info *info,
                               const struct oclmm_kernel_plan *plan, struct oclmm_environment *e)
{
	enum { INSTANCES = 1 << 15 };
	static const struct {
		uint32_t lanes, rounds;
	} wide[] = {{2, 1 << 12}, {2, 1 << 12}, {32, 1 << 11}, {1, 1 << 9}};
	bool cpu = (info->type & CL_DEVICE_TYPE_CPU) != 0;
	uint32_t groups = oclmm_power_at_least(plan->work_groups);

	for (int i = 0; i < 4; i++) {
		uint32_t least = oclmm_power_at_least(plan->crowd);
		uint32_t lanes = oclmm_larger(least, cpu ? 1 : wide[i].lanes);

		e[i] = plain(groups, lanes,
		             cpu ? oclmm_larger(INSTANCES / (groups * lanes), 1) : wide[i].rounds);
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

/* Behind an offset that is no power of two, and has more than 16 bits. */
static void set_rows(struct oclmm_environment *e, uint32_t dimensions)
{
	enum { OFFSET = 100003 };

	e->offset = OFFSET;
	e->dimensions = dimensions > 1 ? dimensions : 0;
}

/*
 * Consumers on units of their own: of neighbouring groups one plays one role and
 * the next another, few enough that all run at once, and many rounds. A unit
 * whose cache holds old lines answers a plain load from them as long as nobody
 * on it acquires; where every work-item plays every role somebody always does. Groups
 * are no multiple of a warp here: other default ones are, and these have a text of their own
 * anyway.
 */
static bool set_apart(const struct oclmm_device_info *info, const struct oclmm_kernel_plan *plan,
                      struct oclmm_environment *e)
{
	enum { LANES = 60, ROUNDS = 64 };

	if (!plan->plain_data || plan->in_sub_groups ||
	    (uint64_t)LANES * plan->crowd > info->max_work_group_size)
		return false;
	e->groups = oclmm_larger(oclmm_power_at_most((uint64_t)oclmm_device_units(info) * 2),
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
 * work-item get apart, and what lies between two of them may be seen. These groups make the
 * launch's number of them odd.
 */
static void set_scattered(struct oclmm_environment *e)
{
	enum { LINES = 1024, WORDS = 8, BEFORE = 4, BESIDE = 8, GROUPS = 257 };

	for (int i = 0; i < 2; i++) {
		e[i].rounds = 1;
		e[i].shuffle_locations = 100;
		e[i].stress_lines = LINES;
		e[i].stress_stride = WORDS;
	}
	e[0].pre_stress = BEFORE;
	e[1].stress_lines = 4 * LINES;
	e[1].stress_groups = GROUPS;
	e[1].stress = BESIDE;
}

/*
 * Groups of a warp, and as many instances: what a group shares may need no order there, and no
 * barrier. Groups take the roles in turn in either order. Where barriers stand between the roles
 * so do neighbours, and get apart without them.
 */
static void set_narrow(const struct oclmm_kernel_plan *plan, uint32_t lanes,
                       struct oclmm_environment *e)
{
	e->groups *= e->lanes / lanes;
	e->lanes = lanes;
	e->flip_groups = 1;
	if (plan->has_barrier && plan->work_groups == 1)
		e->flip_lanes = 1;
}

/*
 * A launch of one work-group where all roles share one: drivers have other ways for it, and some
 * leave its barriers out. Elsewhere groups of one work-item: compilers may make less of these.
 */
static bool set_single(const struct oclmm_kernel_plan *plan, uint32_t least,
                       struct oclmm_environment *e)
{
	enum { ROUNDS = 32 };

	if (plan->work_groups == 1) {
		e->groups = 1;
	} else if (least == 1) {
		e->lanes = 1;
		e->flip_groups = 1;
	} else {
		return false;
	}
	e->rounds = ROUNDS;
	return true;
}

/*
 * Many more groups than units, the order of roles flipped by group, warp and round, no rendezvous:
 * what was best on an H200, each for other shapes. Dense layouts: groups in their natural order
 * show most of MP, SB and LB (0); one round of wide groups most of three and four threads and of
 * 2+2W (1); shuffled lanes R, and objects in two regions (2). Scattered ones show most of what a
 * compiler may do wrong, above all within a work-group (3, 4). Where all roles share a work-group
 * they are always far apart in its lanes: those of neighbours are one warp's, which runs in step.
 * A barrier of a group that is one warp may be nothing (4), and so may one of the only group.
 */
static uint32_t gpu_defaults(const struct oclmm_device_info *info,
                             const struct oclmm_kernel_plan *plan, struct oclmm_environment *e)
{
	enum { USUAL = 5, WARP = 32 };
	uint32_t count = USUAL;
	uint32_t most = oclmm_power_at_most(info->max_work_group_size);
	uint32_t lanes = 256 < most ? 256 : most;
	uint32_t groups = oclmm_power_at_least(oclmm_device_units(info) * 48);

	groups = oclmm_larger(groups < 8192 ? groups : 8192,
	                      oclmm_power_at_least(plan->work_groups));
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
	set_narrow(plan, narrow_lanes(lanes, least_lanes(info, plan), WARP), &e[4]);
	e[3].lanes = lanes > 1 ? lanes / 2 : 1;
	e[USUAL] = e[USUAL + 1] = e[USUAL + 2] = e[2];
	count += set_single(plan, least_lanes(info, plan), &e[count]);
	count += set_apart(info, plan, &e[count]);
	count += set_neighbours(info, plan, &e[count]);
	/* no compiler knows of these */
	set_rows(&e[2], 2);
	set_rows(&e[3], 1);
	set_rows(&e[4], 3);
	return count;
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
		{&e->lanes, oclmm_larger(least_lanes, LANES)},
		{&e->rounds, 1},
		{&e->stride, 1},
		{&e->groups, oclmm_larger(plan->work_groups, 2)},
		{&e->lanes, least_lanes},
	};
	size_t i = 0;

	while (i < OCLMM_COUNT(halves) &&
	       !(oclmm_environment_fits_alone(e, plan) && oclmm_environment_fits_queue(e, plan))) {
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
	uint32_t least = e->split ? 1 : least_lanes(info, plan);

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
	uint32_t count = plan->parts > 1 ? apart_defaults(info, plan, ret_environments)
	                 : cpu           ? cpu_defaults(info, plan, ret_environments)
	                                 : gpu_defaults(info, plan, ret_environments);

	for (uint32_t i = 0; i < count; i++)
		fit(info, plan, &ret_environments[i]);
	for (uint32_t i = 0; i < count; i++)
		fit_launch(plan, ret_environments[i].split ? 1 : least_lanes(info, plan),
		           &ret_environments[i]);
	return count;
}

/* PoCL cuts kernels at barriers, and takes twice or three times as long for groups in rows. */
static uint32_t cheap_rows(const struct oclmm_kernel_plan *plan, uint32_t dimensions)
{
	return plan->has_barrier || plan->has_local ? 1 : dimensions;
}

/*
 * What a wide group has on a CPU: as many as the defaults say, or fewer. A bug may be of one size
 * alone, that of a sub-group or a vector, or of what a loop of vectors leaves over.
 */
static uint32_t drawn_lanes(const struct oclmm_device_info *info,
                            const struct oclmm_kernel_plan *plan, uint64_t draw, uint32_t usual)
{
	static const uint32_t lanes[] = {0, 32, 0, 20, 16};
	uint32_t drawn = lanes[draw % OCLMM_COUNT(lanes)];

	return plan->in_sub_groups || drawn < least_lanes(info, plan) || drawn > usual ? usual
	                                                                               : drawn;
}

/* As many instances, or nearly, in other groups. */
static void set_lanes(struct oclmm_environment *e, uint32_t lanes)
{
	while (e->lanes / 2 >= lanes) {
		e->lanes /= 2;
		e->rounds *= 2;
	}
	e->lanes = lanes;
}

/*
 * Many groups, and more than eight bits can number. They have so little to do then that they meet
 * less often, so that only some tests have as many.
 */
static void set_beyond_a_byte(struct oclmm_environment *e)
{
	while (e->groups <= UINT8_MAX + 1 && e->rounds > 1) {
		e->groups *= 2;
		e->rounds /= 2;
	}
}

uint32_t oclmm_environment_share(const struct oclmm_device_info *info,
                                 const struct oclmm_kernel_plan *plan, uint64_t key,
                                 struct oclmm_environment *environments, uint32_t count)
{
	enum { KEYS = 4, WIDTHS = 16 };
	uint32_t usual = oclmm_environment_width(&environments[0], plan), left = 0;

	if (!(info->type & CL_DEVICE_TYPE_CPU))
		return count;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t split = environments[i].split;
		/* what no other environment shows is for all tests that need it */
		bool needed = split == OCLMM_SPLIT_NEIGHBOURS || (split && plan->keeps_over);
		bool other = !needed && oclmm_environment_width(&environments[i], plan) != usual;

		if (other && key % KEYS != 0)
			continue;
		environments[left] = environments[i];
		if (other)
			set_rows(&environments[left], cheap_rows(plan, 1 + key / KEYS % 3));
		else if (key % KEYS == 1)
			set_rows(&environments[left], 1);
		else if (key % KEYS == 2)
			set_rows(&environments[left], cheap_rows(plan, 2 + key / KEYS % 2));
		if (other == (plan->work_groups > 1))
			set_lanes(&environments[left],
			          drawn_lanes(info, plan, key / WIDTHS, environments[left].lanes));
		if (environments[left].far_groups > 0 && key / WIDTHS % KEYS == 1)
			set_beyond_a_byte(&environments[left]);
		left++;
	}
	return left;
}
