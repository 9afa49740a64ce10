// SPDX-License-Identifier: Apache-2.0
#include "schedule.h"

#include <stdlib.h>
#include <string.h>

#include "run.h"

/* Tests of a group: many share a control, few wait for each other's end. */
enum { TESTS_MOST = 16 };

/* A group that is being filled. */
struct filling {
	struct run *run;
	struct run_item *items;
	struct run_schedule *schedule;
	struct run_group group;
	size_t capacity;
};

static void add_job(struct filling *filling, size_t job)
{
	struct run_group *group = &filling->group;

	oclmm_grow(&group->jobs, &filling->capacity, group->count, sizeof(*group->jobs));
	group->jobs[group->count++] = job;
}

/* ---- tests ---- */

static bool same_halvings(const struct oclmm_halvings *a, const struct oclmm_halvings *b)
{
	return a->count == b->count && memcmp(a->at, b->at, a->count * sizeof(*a->at)) == 0;
}

static bool are_together(const struct run_item *a, const struct run_item *b)
{
	const struct chosen *x = a->test, *y = b->test;

	return x->litmus == y->litmus && a->job.first_launch == b->job.first_launch &&
	       same_halvings(&a->job.halvings, &b->job.halvings) &&
	       run_weakest(x->litmus, x->variant) == run_weakest(y->litmus, y->variant);
}

/* What one job takes of the device's memory: objects, and results that are on their way. */
static uint64_t bytes_of(const struct oclmm_run_request *job)
{
	enum { RESULTS = 64 };
	uint64_t most = 1;

	for (uint32_t i = 0; i < job->environment_count; i++) {
		const struct oclmm_environment *environment = &job->environment[i];
		uint64_t bytes = (uint64_t)oclmm_environment_instances(environment) * RESULTS;

		bytes += oclmm_layout_bytes(environment, job->program, OCLMM_STORAGE_BUFFER);
		bytes += oclmm_layout_bytes(environment, job->program, OCLMM_STORAGE_SVM_ATOMICS);
		most = bytes > most ? bytes : most;
	}
	return most;
}

/* As many tests as have room beside their controls. */
static size_t most_tests(const struct filling *filling, const struct oclmm_run_request *job)
{
	enum { PART_OF_MEMORY = 4 };
	uint64_t memory = filling->run->context.device->global_memory / PART_OF_MEMORY;
	uint64_t fit = memory / (bytes_of(job) * (2 + OCLMM_CONTROLS_USUAL));

	return fit < 1 ? 1 : fit < TESTS_MOST ? (size_t)fit : TESTS_MOST;
}

static void add_tests(struct filling *filling, size_t first, size_t count, bool *taken)
{
	const struct run_item *items = filling->items;
	bool neighbours = filling->run->options.budget > 0 && items == filling->run->items;
	size_t most = most_tests(filling, &items[first].job);

	for (size_t i = first; i < count && filling->group.count < most; i++) {
		if (items[i].done)
			continue;
		if (!taken[i] && are_together(&items[first], &items[i])) {
			taken[i] = true;
			add_job(filling, i);
		} else if (neighbours) {
			break;
		}
	}
	filling->group.tests = filling->group.count;
}

/* ---- controls ---- */

static struct run_control *add_control(struct filling *filling, size_t item)
{
	/* one that weakens, and those that are derived */
	enum { MOST = 1 + OCLMM_CONTROLS_USUAL };
	struct run_controls *own = &filling->schedule->controls[item];

	if (!own->controls)
		own->controls = OCLMM_NEW_ARRAY(filling->schedule->arena, struct run_control, MOST);
	return &own->controls[own->count++];
}

/* Where the observables of a test are among those of its control; NULL where not all are. */
static uint32_t *find_places(struct oclmm_arena *arena, const struct oclmm_program *test,
                             const struct oclmm_program *control)
{
	uint32_t *places = OCLMM_NEW_ARRAY(arena, uint32_t, test->observable_count + 1);

	return oclmm_observables_find(test, control, places) ? places : NULL;
}

/* The job of a program, among those of the group or a new one that is run as `like`. */
static size_t find_job(struct filling *filling, const struct oclmm_program *program,
                       const struct oclmm_outcome_space *space,
                       const struct oclmm_run_request *like)
{
	struct run_schedule *schedule = filling->schedule;
	struct oclmm_run_request job = *like;

	for (size_t i = 0; i < filling->group.count; i++) {
		if (schedule->jobs[filling->group.jobs[i]].program == program)
			return filling->group.jobs[i];
	}
	job.program = program;
	job.space = space;
	job.joint = NULL;
	job.seed = oclmm_random_derive(filling->run->context.seed, program->name);
	job.stimulus = 0;
	oclmm_grow(&schedule->jobs, &schedule->job_capacity, schedule->job_count,
	           sizeof(*schedule->jobs));
	schedule->jobs[schedule->job_count] = job;
	add_job(filling, schedule->job_count);
	return schedule->job_count++;
}

static size_t number_of(const struct run *run, const struct run_item *item)
{
	return (size_t)(item->test - run->selection.chosen);
}

/* Its own outcomes where they are known; what is beyond those of the test is counted all the
 * same. */
static const struct oclmm_outcome_space *space_of(const struct run_item *item,
                                                  const struct oclmm_expected *expected)
{
	return expected ? &expected->space : &item->record.expected->space;
}

static void add_weaker(struct filling *filling, size_t index)
{
	const struct run_item *item = &filling->items[index];
	const struct oclmm_variant *variant = oclmm_litmus_find(item->test->litmus,
	                                                        item->test->variant->control);
	const struct oclmm_expected_file *file = run_expected_of(filling->run,
	                                                         number_of(filling->run, item));
	struct run_control *control;

	if (!variant)
		return;
	control = add_control(filling, index);
	*control = (struct run_control){
		.name = variant->name,
		.kind = OCLMM_CONTROL_WEAKER,
		.program = variant->program,
		.job = SIZE_MAX,
		.places = find_places(filling->schedule->arena, item->job.program,
	                              variant->program),
		.asked = item->record.expected->observation == OCLMM_OBSERVATION_NEVER
	                         ? variant->program->condition
	                         : NULL,
		.expected = oclmm_expected_for(file, variant->program),
	};
	if (control->places && run_can_play(variant->program))
		control->job = find_job(filling, variant->program,
		                        space_of(item, control->expected), &item->job);
}

/* The moved controls of a test; NULL where there are none. */
static const struct oclmm_controls *derived_of(const struct run *run, const struct run_item *item)
{
	return run->derived[number_of(run, item)];
}

static bool may_have_controls(const struct run *run, const struct run_item *item)
{
	const struct oclmm_expected *expected = item->record.expected;

	return !run->options.no_controls && expected && item->job.environment_count &&
	       oclmm_expected_forbids(expected);
}

struct deriving {
	struct run *run;
	struct run_item *const *items;
};

static void derive(void *data, size_t index)
{
	struct deriving *deriving = data;
	struct run *run = deriving->run;
	const struct run_item *item = deriving->items[index];
	bool cpu = (run->context.device->type & CL_DEVICE_TYPE_CPU) != 0;
	uint32_t most = cpu ? OCLMM_CONTROLS_CPU : OCLMM_CONTROLS_USUAL;

	if (oclmm_controls_derive(item->job.program, item->record.expected, most,
	                          &run->derived[number_of(run, item)]) < 0)
		run->derived[number_of(run, item)] = NULL;
}

/* Once in a run. The oracle takes longer over some of them than a GPU takes to run the test. */
static void derive_all(struct run *run, struct run_item *items, size_t count)
{
	struct run_item **wanted = oclmm_calloc(count + 1, sizeof(struct run_item *));
	struct deriving deriving = {run, wanted};
	size_t wanted_count = 0;

	if (!run->derived)
		run->derived = oclmm_calloc(run->selection.count + 1, sizeof(*run->derived));
	for (size_t i = 0; i < count; i++) {
		if (!items[i].done && may_have_controls(run, &items[i]) &&
		    !run->derived[number_of(run, &items[i])])
			wanted[wanted_count++] = &items[i];
	}
	process_in_parallel(wanted_count, run->context.device->processors, derive, &deriving);
	free(wanted);
}

/*
 * By its own outcomes, so that what the test does not show is no foreign value; but for where it
 * could then not be counted as the test is.
 */
static const struct oclmm_outcome_space *space_of_moved(const struct run_item *item,
                                                        const struct oclmm_moved *moved)
{
	const struct oclmm_outcome_space *usual = &item->record.expected->space;
	struct oclmm_kernel_plan plan, own;
	struct oclmm_error ignored;

	if (oclmm_kernel_plan(moved->program, usual, &ignored, &plan) < 0 ||
	    oclmm_kernel_plan(moved->program, moved->space, &ignored, &own) < 0)
		return usual;
	for (uint32_t i = 0; i < item->job.environment_count; i++) {
		if (item->job.environment[i].direct && plan.direct && !own.direct)
			return usual;
	}
	return moved->space;
}

/* What a compiler may do wrong to the test, one step each. */
static void add_moved(struct filling *filling, size_t index)
{
	const struct run_item *item = &filling->items[index];
	struct run_schedule *schedule = filling->schedule;
	const struct oclmm_controls *derived = derived_of(filling->run, item);

	for (uint32_t i = 0; derived && i < derived->count; i++) {
		const struct oclmm_program *program = derived->moved[i].program;
		struct run_control *control = add_control(filling, index);

		*control = (struct run_control){
			.name = derived->moved[i].name,
			.kind = OCLMM_CONTROL_MOVED,
			.program = program,
			.job = find_job(filling, program, space_of_moved(item, &derived->moved[i]),
		                        &item->job),
			.places = find_places(schedule->arena, item->job.program, program),
			.space = derived->moved[i].whole ? derived->moved[i].space : NULL,
		};
	}
}

/* Silence of a test that forbids something is worth what its controls show. */
static void add_controls(struct filling *filling, size_t index)
{
	const struct run_item *item = &filling->items[index];

	if (!may_have_controls(filling->run, item))
		return;
	if (item->test->variant->control)
		add_weaker(filling, index);
	add_moved(filling, index);
}

/* ---- groups ---- */

static void add_group(struct filling *filling)
{
	struct run_schedule *schedule = filling->schedule;
	struct run_group *group = &filling->group;

	if (schedule->group_count > 0) {
		const struct run_group *last = &schedule->groups[schedule->group_count - 1];

		group->first = last->first + last->count;
	}
	oclmm_grow(&schedule->groups, &schedule->group_capacity, schedule->group_count,
	           sizeof(*schedule->groups));
	schedule->groups[schedule->group_count++] = *group;
}

void run_schedule_make(struct run *run, struct run_item *items, size_t count,
                       struct run_schedule *ret_schedule)
{
	bool *taken = oclmm_calloc(count + 1, sizeof(*taken));
	struct run_schedule schedule = {
		.arena = oclmm_arena_create(),
		.jobs = oclmm_calloc(count + 1, sizeof(*schedule.jobs)),
		.job_count = count,
		.item_count = count,
		.job_capacity = count + 1,
	};

	schedule.controls = OCLMM_NEW_ARRAY(schedule.arena, struct run_controls, count + 1);
	for (size_t i = 0; i < count; i++) {
		schedule.jobs[i] = items[i].job;
		if (items == run->items)
			schedule.jobs[i].joint = NULL;
	}
	derive_all(run, items, count);
	for (size_t i = 0; i < count; i++) {
		struct filling filling = {.run = run, .items = items, .schedule = &schedule};

		if (items[i].done || taken[i])
			continue;
		add_tests(&filling, i, count, taken);
		for (size_t k = 0; k < filling.group.tests; k++)
			add_controls(&filling, filling.group.jobs[k]);
		run_controls_bound(run, items, &schedule, &filling.group);
		run_texts_join(run, items, &schedule, &filling.group);
		add_group(&filling);
	}
	free(taken);
	*ret_schedule = schedule;
}

void run_schedule_finish(struct run_schedule *schedule)
{
	for (size_t i = 0; i < schedule->group_count; i++)
		free(schedule->groups[i].jobs);
	free(schedule->groups);
	free(schedule->jobs);
	oclmm_arena_destroy(schedule->arena);
	*schedule = (struct run_schedule){0};
}

void run_schedule_forget(struct run *run)
{
	for (size_t i = 0; run->derived && i < run->selection.count; i++)
		oclmm_controls_destroy(run->derived[i]);
	free(run->derived);
	run->derived = NULL;
}
