// SPDX-License-Identifier: Apache-2.0
/*
 * Which programs are compiled as one text: each test and what was derived of it,
 * and where groups are the same in each run their neighbours, too. Else a driver would
 * not know the texts again. On a CPU a text costs as much by itself as a kernel, so there
 * it has tests of several groups.
 */
#include "run.h"

/* Of one group: a compiler of a GPU takes longer over each kernel of a large text. */
enum { GROUP_MOST = 8 };

/* A group whose programs are joined. */
struct joining {
	const struct run *run;
	struct run_item *items;
	struct run_schedule *schedule;
	struct oclmm_joint *joint; /* of the group alone, that has room; or NULL */
	bool across;               /* with others' */
};

static bool has(const struct oclmm_joint *joint, const struct oclmm_run_request *job)
{
	for (uint32_t i = 0; joint && i < joint->count; i++) {
		if (joint->programs[i] == job->program && joint->spaces[i] == job->space)
			return true;
	}
	return false;
}

static void put(struct oclmm_joint *joint, const struct oclmm_run_request *job)
{
	uint32_t at = joint->count++;

	joint->programs[at] = job->program;
	joint->spaces[at] = job->space;
	joint->environments[at] = job->environment;
	joint->environment_counts[at] = job->environment_count;
}

/* The one that is being filled with programs that take these texts, of all groups. */
static struct oclmm_joint **find_open(struct run_schedule *schedule, uint64_t texts)
{
	struct run_open_joint *open = schedule->open;

	while (open && open->texts != texts)
		open = open->next;
	if (!open) {
		open = OCLMM_NEW(schedule->arena, struct run_open_joint);
		*open = (struct run_open_joint){.texts = texts, .next = schedule->open};
		schedule->open = open;
	}
	return &open->joint;
}

/* The first one of a text decides when it is built. */
static void add(struct joining *joining, size_t number)
{
	struct run_schedule *schedule = joining->schedule;
	struct oclmm_run_request *job = &schedule->jobs[number];
	struct oclmm_joint **joint = &joining->joint;
	uint64_t texts = 0;

	if (!job->program || !job->space || job->joint || oclmm_program_has_commands(job->program))
		return;
	if (joining->across)
		texts = oclmm_joint_texts(job->program, job->space, job->environment,
		                          job->environment_count);
	if (texts)
		joint = find_open(schedule, texts);
	if (!has(*joint, job)) {
		if (!*joint || (*joint)->count == (texts ? OCLMM_JOINT_MOST : GROUP_MOST))
			*joint = OCLMM_NEW(schedule->arena, struct oclmm_joint);
		put(*joint, job);
		(*joint)->lasts = texts != 0;
	}
	job->joint = *joint;
	if (number < schedule->item_count)
		joining->items[number].job.joint = *joint;
}

static void add_derived(struct joining *joining, const struct run_controls *controls)
{
	for (size_t i = 0; i < controls->count; i++) {
		if (controls->controls[i].kind == OCLMM_CONTROL_MOVED)
			add(joining, controls->controls[i].job);
	}
}

static void join(struct joining *joining, const struct run_group *group)
{
	bool neighbours = joining->run->options.budget <= 0;

	for (size_t i = 0; i < group->count; i++) {
		if (!neighbours)
			joining->joint = NULL;
		add(joining, group->jobs[i]);
		if (i < group->tests)
			add_derived(joining, &joining->schedule->controls[group->jobs[i]]);
	}
}

/* A test that goes on is compiled as it was before, and so are its controls: the driver has it
 * already. */
static void join_again(struct joining *joining, size_t number)
{
	const struct run *run = joining->run;
	size_t whole = (size_t)(joining->items[number].test - run->selection.chosen);
	const struct run_controls *before = &run->schedule.controls[whole];
	const struct run_controls *own = &joining->schedule->controls[number];

	/* of a test that was run by an earlier program nothing is known */
	for (size_t i = 0; i < own->count && i < before->count; i++) {
		if (own->controls[i].job != SIZE_MAX && before->controls[i].job != SIZE_MAX)
			joining->schedule->jobs[own->controls[i].job].joint =
				run->schedule.jobs[before->controls[i].job].joint;
	}
}

/* Where nothing is to be compiled before its turn no text has tests of another group. */
static bool is_across(const struct run *run)
{
	bool ahead = !run->options.compilers_given || run->options.compilers > 0;

	return ahead && run->options.budget <= 0 &&
	       (run->context.device->type & CL_DEVICE_TYPE_CPU);
}

void run_texts_join(const struct run *run, struct run_item *items, struct run_schedule *schedule,
                    const struct run_group *group)
{
	struct joining joining = {
		.run = run,
		.items = items,
		.schedule = schedule,
		.across = is_across(run),
	};

	if (items == run->items)
		join(&joining, group);
	for (size_t i = 0; items != run->items && i < group->tests; i++)
		join_again(&joining, group->jobs[i]);
}
