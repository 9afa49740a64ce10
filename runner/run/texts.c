// SPDX-License-Identifier: Apache-2.0
/*
 * Which programs of a group are compiled as one text: each test and what was
 * derived of it, and where groups are the same in each run their neighbours, too.
 * Else a driver would not know the texts again.
 */
#include "run.h"

/* A group whose programs are joined. */
struct joining {
	const struct run *run;
	struct run_item *items;
	struct run_schedule *schedule;
	struct oclmm_joint *joint; /* that has room; or NULL */
};

/* The first one of a text decides when it is built. */
static void add(struct joining *joining, size_t number)
{
	struct oclmm_run_request *job = &joining->schedule->jobs[number];
	struct oclmm_joint *joint = joining->joint;

	if (!job->program || !job->space || job->joint || oclmm_program_has_commands(job->program))
		return;
	if (!joint || joint->count == OCLMM_JOINT_MOST)
		joint = OCLMM_NEW(joining->schedule->arena, struct oclmm_joint);
	joint->programs[joint->count] = job->program;
	joint->spaces[joint->count++] = job->space;
	job->joint = joining->joint = joint;
	if (number < joining->schedule->item_count)
		joining->items[number].job.joint = joint;
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

void run_texts_join(const struct run *run, struct run_item *items, struct run_schedule *schedule,
                    const struct run_group *group)
{
	struct joining joining = {.run = run, .items = items, .schedule = schedule};

	if (items == run->items)
		join(&joining, group);
	for (size_t i = 0; items != run->items && i < group->tests; i++)
		join_again(&joining, group->jobs[i]);
}
