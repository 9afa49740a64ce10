// SPDX-License-Identifier: Apache-2.0
/*
 * Which tests run interleaved and beside what, for devices, budgets and seeds
 * drawn at random. No device is needed: planning asks for its description only.
 */
/* before cmocka, which has a macro of the name of one of its functions */
#include "plan.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../fixture/shows.h"
#include "stress/environment.h"

enum { TESTS_MOST = 16 }; /* DRAWS is the build's */

static const struct oclmm_run_request *job_of(const struct plan *plan,
                                              const struct run_group *group, size_t index)
{
	return &plan->schedule.jobs[group->jobs[index]];
}

static bool has_job(const struct run_group *group, size_t job)
{
	for (size_t i = 0; i < group->count; i++) {
		if (group->jobs[i] == job)
			return true;
	}
	return false;
}

/* ---- what holds for every plan ---- */

/* What is done has no turn, everything else has one. */
static void check_turns(const struct plan *plan)
{
	size_t count = plan->run.selection.count, first = 0;
	unsigned *turns = oclmm_calloc(count, sizeof(*turns));

	for (size_t g = 0; g < plan->schedule.group_count; g++) {
		const struct run_group *group = &plan->schedule.groups[g];

		assert_in_range(group->tests, 1, TESTS_MOST);
		assert_int_equal(group->first, first);
		first += group->count;
		for (size_t i = 0; i < group->count; i++) {
			assert_int_equal(group->jobs[i] < count, i < group->tests);
			if (i < group->tests)
				turns[group->jobs[i]]++;
		}
	}
	for (size_t i = 0; i < count; i++)
		assert_int_equal(turns[i], !plan->run.items[i].done);
	free(turns);
}

/* What shares a group runs alike, often enough, and nothing of it twice. */
static void check_group(const struct plan *plan, const struct run_group *group)
{
	const struct run_item *items = plan->run.items;
	const struct chosen *first = items[group->jobs[0]].test;
	const struct oclmm_run_request *like = job_of(plan, group, 0);

	for (size_t i = 0; i < group->count; i++) {
		const struct oclmm_run_request *job = job_of(plan, group, i);

		assert_true(job->launches >= 32);
		assert_int_equal(job->launches, like->launches);
		assert_int_equal(job->instances, like->instances);
		assert_int_equal(job->environment_count, like->environment_count);
		assert_memory_equal(job->environment, like->environment,
		                    job->environment_count * sizeof(*job->environment));
		assert_int_equal(job->seed,
		                 oclmm_random_derive(plan->run.context.seed, job->program->name));
		for (size_t k = 0; k < i; k++)
			assert_ptr_not_equal(job->program, job_of(plan, group, k)->program);
		if (i < group->tests) {
			const struct chosen *test = items[group->jobs[i]].test;

			assert_ptr_equal(test->litmus, first->litmus);
			assert_ptr_equal(run_weakest(test->litmus, test->variant),
			                 run_weakest(first->litmus, first->variant));
		}
	}
}

/* Where a budget decides who has a turn, nobody is taken along from behind. */
static void check_neighbours(const struct plan *plan, const struct run_group *group)
{
	if (plan->run.options.budget <= 0)
		return;
	for (size_t i = 1; i < group->tests; i++) {
		assert_true(group->jobs[i - 1] < group->jobs[i]);
		for (size_t k = group->jobs[i - 1] + 1; k < group->jobs[i]; k++)
			assert_true(plan->run.items[k].done);
	}
}

/* Each control is of the test, runs beside it, and its values are found. */
static void check_controls(const struct plan *plan, const struct run_group *group, size_t test)
{
	const struct run_item *item = &plan->run.items[test];
	const struct run_controls *own = &plan->schedule.controls[test];
	const struct oclmm_program *program = item->job.program;
	size_t kinds[OCLMM_CONTROL_KIND_COUNT] = {0};

	for (size_t i = 0; i < own->count; i++) {
		const struct run_control *control = &own->controls[i];

		kinds[control->kind]++;
		assert_ptr_equal(plan->schedule.jobs[control->job].program, control->program);
		assert_true(has_job(group, control->job));
		for (uint32_t k = 0; k < program->observable_count; k++)
			assert_string_equal(control->program->observables[control->places[k]].name,
			                    program->observables[k].name);
		if (control->kind == OCLMM_CONTROL_WEAKER)
			assert_string_equal(control->name, item->test->variant->control);
	}
	if (!oclmm_expected_forbids(item->record.expected)) {
		assert_int_equal(own->count, 0);
		return;
	}
	assert_int_equal(kinds[OCLMM_CONTROL_WEAKER], item->test->variant->control != NULL);
	assert_in_range(kinds[OCLMM_CONTROL_MOVED], 0, OCLMM_CONTROLS_USUAL);
}

static void check_plan(const struct plan *plan)
{
	check_turns(plan);
	plan_check_texts(plan);
	for (size_t g = 0; g < plan->schedule.group_count; g++) {
		const struct run_group *group = &plan->schedule.groups[g];

		check_group(plan, group);
		check_neighbours(plan, group);
		for (size_t i = 0; i < group->tests; i++)
			check_controls(plan, group, group->jobs[i]);
	}
}

static void test_every_plan(void **state)
{
	size_t shared = 0, first = 0;

	(void)state;
	for (uint64_t key = 0; key < DRAWS; key++) {
		struct plan plan;

		plan_prepare(&plan, key, oclmm_random(key, 5));
		plan_make(&plan);
		check_plan(&plan);
		for (size_t g = 0; g < plan.schedule.group_count; g++)
			shared += plan.schedule.groups[g].tests > 1;
		first += plan.run.first_count;
		plan_finish(&plan);
	}
	/* else most of the above was never asked */
	assert_true(shared > DRAWS);
	assert_true(first > 0);
}

/* ---- plans beside each other ---- */

static void check_same(const struct plan *a, const struct plan *b, bool same_seed)
{
	assert_int_equal(a->schedule.group_count, b->schedule.group_count);
	assert_int_equal(a->schedule.job_count, b->schedule.job_count);
	for (size_t g = 0; g < a->schedule.group_count; g++) {
		const struct run_group *x = &a->schedule.groups[g], *y = &b->schedule.groups[g];

		assert_int_equal(x->count, y->count);
		assert_memory_equal(x->jobs, y->jobs, x->count * sizeof(*x->jobs));
	}
	for (size_t i = 0; i < a->schedule.job_count; i++) {
		const struct oclmm_run_request *x = &a->schedule.jobs[i], *y = &b->schedule.jobs[i];

		assert_string_equal(x->program->name, y->program->name);
		assert_int_equal(x->seed == y->seed, same_seed);
	}
}

/* The seed decides the stimulus and nothing of who runs beside whom. */
static void test_seed(void **state)
{
	/* a key without a budget, whose order is the seed's */
	uint64_t key = 0;
	struct plan a, same, other;

	(void)state;
	while (oclmm_random(key, 4) % 2)
		key++;
	plan_prepare(&a, key, 7);
	plan_prepare(&same, key, 7);
	plan_prepare(&other, key, 8);
	plan_make(&a);
	plan_make(&same);
	plan_make(&other);
	check_same(&a, &same, true);
	check_same(&a, &other, false);
	plan_finish(&a);
	plan_finish(&same);
	plan_finish(&other);
}

/* A later schedule of a run has the programs of the first one. */
static void test_derived_once(void **state)
{
	struct run_schedule first;
	size_t moved = 0;
	struct plan plan;

	(void)state;
	plan_prepare(&plan, 1, 1);
	plan_make(&plan);
	first = plan.schedule;
	plan_make(&plan);
	for (size_t i = 0; i < plan.run.selection.count; i++) {
		for (size_t k = 0; k < first.controls[i].count; k++) {
			assert_ptr_equal(first.controls[i].controls[k].program,
			                 plan.schedule.controls[i].controls[k].program);
			moved += first.controls[i].controls[k].kind == OCLMM_CONTROL_MOVED;
		}
	}
	assert_true(moved > 0);
	run_schedule_finish(&first);
	plan_finish(&plan);
}

/* Whether the controls of a kind make the probability of escape 1 - confidence at most. */
static bool reached(const struct oclmm_evidence *evidence, enum oclmm_control_kind kind,
                    double confidence)
{
	const struct oclmm_escape escape = oclmm_evidence_escape(evidence, kind);

	return escape.controls && escape.log <= log1p(-confidence);
}

/* Seventeen halvings are less than one in a hundred thousand, of two controls eighteen; and those
 * are hits with which confidence is reached. */
static void test_enough_hits(void **state)
{
	static const double confidences[] = {0.5, 0.95, 0.99999, 0.9999999};

	(void)state;
	assert_int_equal(run_hits_missing(0.95, 1, 0), 17);
	assert_int_equal(run_hits_missing(0.95, 2, 0), 18);
	assert_int_equal(run_hits_missing(0.95, 1, -3), 13);
	assert_int_equal(run_hits_missing(0.95, 1, -12), 0);
	assert_int_equal(run_hits_missing(0.9999999, 1, 0), 24);
	for (size_t i = 0; i < OCLMM_COUNT(confidences); i++) {
		for (size_t controls = 1; controls <= OCLMM_CONTROLS_USUAL; controls++) {
			struct oclmm_arena *arena = oclmm_arena_create();
			struct oclmm_evidence *evidence = oclmm_evidence_create(arena, 1);
			struct oclmm_launches members[1 + OCLMM_CONTROLS_USUAL] = {{1, 0}, {1, 1}};

			for (size_t k = 0; k < controls; k++)
				oclmm_evidence_add_control(evidence, k ? "b" : "a",
				                           OCLMM_CONTROL_MOVED, 0);
			oclmm_evidence_add_blocks(evidence,
			                          run_hits_missing(confidences[i], controls, 0),
			                          members);
			assert_true(reached(evidence, OCLMM_CONTROL_MOVED, confidences[i]));
			assert_true(reached(evidence, OCLMM_CONTROL_MOVED, 0.99999));
			oclmm_arena_destroy(arena);
		}
	}
}

/* Launches beside all controls of a test, of which the moved ones showed its outcome in `hits`. */
static void add_evidence(struct run_item *item, const struct run_controls *own, uint64_t hits)
{
	struct oclmm_launches *members = oclmm_calloc(1 + own->count, sizeof(*members));

	item->arena = oclmm_arena_create();
	item->record.evidence = oclmm_evidence_create(item->arena, 1);
	members[0].launches = 1;
	for (size_t i = 0; i < own->count; i++) {
		oclmm_evidence_add_control(item->record.evidence, own->controls[i].name,
		                           own->controls[i].kind, 0);
		members[1 + i].launches = 1;
		members[1 + i].hits = own->controls[i].kind == OCLMM_CONTROL_MOVED;
	}
	oclmm_evidence_add_blocks(item->record.evidence, hits, members);
	free(members);
}

/* A control that has shown enough has no part in what follows; one that lacks something runs until
 * it has that. Tests are never bounded. */
static void test_controls_that_showed_enough(void **state)
{
	struct plan plan;
	size_t parts = 0, out = 0, bounded = 0;

	(void)state;
	plan_prepare(&plan, 1, 1);
	plan_make(&plan);
	plan.run.schedule = plan.schedule;
	for (size_t i = 0; i < plan.run.selection.count; i++) {
		const struct run_controls *own = &plan.schedule.controls[i], *now;
		uint64_t hits = i % 2 ? 32 : 10;
		struct oclmm_run_request watched = {0};
		struct run_schedule schedule;
		struct run_item part;

		assert_int_equal(plan.schedule.jobs[i].enough_hits, 0);
		if (!own->count || plan.run.items[i].done)
			continue;
		add_evidence(&plan.run.items[i], own, hits);
		run_item_continue(&part, &plan.run.items[i]);
		part.done = false;
		run_schedule_make(&plan.run, &part, 1, &schedule);
		now = &schedule.controls[0];
		assert_int_equal(now->count, own->count);
		for (size_t k = 0; k < now->count; k++) {
			const struct run_control *control = &now->controls[k];

			if (control->kind != OCLMM_CONTROL_MOVED || hits == 32) {
				out += control->job == SIZE_MAX;
				assert_int_equal(control->job == SIZE_MAX,
				                 control->kind == OCLMM_CONTROL_MOVED);
				continue;
			}
			/* 17 to 19 were wanted, of which 10 came */
			assert_in_range(schedule.jobs[control->job].enough_hits, 7, 9);
			run_evidence_watch(&part, now, control, schedule.arena, &watched);
			assert_ptr_equal(schedule.jobs[control->job].is_hit, watched.is_hit);
			bounded++;
		}
		for (size_t k = 0; k < schedule.groups[0].count; k++)
			assert_int_not_equal(schedule.groups[0].jobs[k], SIZE_MAX);
		parts++;
		run_schedule_finish(&schedule);
	}
	assert_true(parts > 0 && out > 0 && bounded > 0);
	plan_finish(&plan);
}

static struct run_item *find_item(struct plan *plan, const char *name)
{
	size_t i = 0;

	while (strcmp(plan->run.items[i].test->variant->name, name) != 0)
		assert_true(++i < plan->run.selection.count);
	return &plan->run.items[i];
}

/* A control that adds shows values that a test of another function forbids, whoever is first: a hit
 * is only what it asks for. */
static void test_hits_are_asked_for(void **state)
{
	const char *const names[] = {"1:r0", "1:r1"};
	struct plan plan;
	struct run_item *item;
	const struct run_controls *controls;
	const struct run_control *control;
	struct oclmm_run_request job = {0};

	(void)state;
	plan_prepare(&plan, 1, 1);
	item = find_item(&plan, "MP+rmw-rel+rmw-acq.op=sub");
	item->done = false;
	plan_make(&plan);
	controls = &plan.schedule.controls[item - plan.run.items];
	control = &controls->controls[0];
	run_evidence_watch(item, controls, control, plan.schedule.arena, &job);
	assert_int_equal(control->kind, OCLMM_CONTROL_WEAKER);
	assert_int_equal(control->program->observable_count, OCLMM_COUNT(names));
	for (size_t i = 0; i < OCLMM_COUNT(names); i++)
		assert_string_equal(control->program->observables[i].name, names[i]);
	assert_true(job.is_hit(job.hit_data, (const int64_t[]){1, 0}));
	assert_false(job.is_hit(job.hit_data, (const int64_t[]){1, 1}));
	assert_false(job.is_hit(job.hit_data, (const int64_t[]){0, 0}));
	plan_finish(&plan);
}

/* What a child may bring of launches of which each showed one of two outcomes. */
static struct worker_result make_result(uint32_t width, const int64_t *first, const int64_t *second,
                                        uint64_t launches)
{
	struct worker_result result = {.end = OCLMM_END_OK};
	struct oclmm_seen *shown = &result.run.shown;

	shown->width = width;
	result.run.counts.histogram = oclmm_histogram_create(width);
	for (uint64_t i = 0; i < launches; i++) {
		const int64_t *values = i % 2 ? second : first;

		oclmm_seen_add(shown, i, UINT64_C(1) << oclmm_seen_number(shown, values), 100);
		oclmm_seen_count(shown, i, oclmm_seen_number(shown, values), 100);
		oclmm_histogram_add(result.run.counts.histogram, values, 100);
	}
	return result;
}

/* The test and its control beside each other, with what each showed in its launches by turns. */
static const struct oclmm_evidence *take(struct plan *plan, size_t index, const int64_t (*test)[2],
                                         const int64_t (*control)[2])
{
	const struct run_controls *own = &plan->schedule.controls[index];
	size_t jobs[1 + OCLMM_CONTROLS_USUAL + 1] = {index};
	struct worker_result results[1 + OCLMM_CONTROLS_USUAL + 1];
	const struct run_group group = {.jobs = jobs, .count = 1 + own->count, .tests = 1};

	results[0] = make_result(2, test[0], test[1], 64);
	for (size_t i = 0; i < own->count; i++) {
		jobs[1 + i] = own->controls[i].job;
		results[1 + i] = make_result(2, control[0], control[1], 64);
	}
	run_evidence_take(&plan->run.items[index], own, &group, results, 0);
	for (size_t i = 0; i <= own->count; i++)
		oclmm_run_result_finish(&results[i].run);
	return plan->run.items[index].record.evidence;
}

/*
 * Message passing: that the data is there before the flag takes roles that ran at the same time.
 * A test that never shows it did not meet, though its controls show what it forbids in every second
 * launch; and of its launches those count in which it does.
 */
static void test_own_meetings(void **state)
{
	static const int64_t serial[][2] = {{0, 0}, {1, 1}}, met[][2] = {{0, 0}, {0, 1}},
			     all[][2] = {{0, 1}, {0, 1}}, constant[][2] = {{1, 1}, {1, 1}},
			     weak[][2] = {{1, 0}, {0, 1}}, folded[][2] = {{0, 0}, {0, 1}},
			     late[][2] = {{1, 1}, {0, 1}};
	const struct oclmm_evidence *evidence;
	const struct run_controls *own;
	struct run_item *item;
	struct plan plan;
	size_t index;

	(void)state;
	plan_prepare(&plan, 1, 1);
	item = find_item(&plan, "MP+rel+acq");
	index = (size_t)(item - plan.run.items);
	item->done = false;
	plan_make(&plan);
	own = &plan.schedule.controls[index];
	assert_true(own->count > 0);
	assert_int_equal(own->meeting->count, 1);
	assert_memory_equal(own->meeting->values, met[1], sizeof(met[1]));
	SHOWS("makes a constant of one load of a strong order, where other values still look as "
	      "if roles had met",
	      "inconclusive: one value");
	evidence = take(&plan, index, serial, weak);
	assert_int_equal(oclmm_evidence_sum(evidence, 0).launches, 0);
	assert_int_equal(oclmm_evidence_sum(evidence, 1).hits, 32);
	/* what the test forbids tells nothing of how the control met */
	assert_int_equal(evidence->controls[0].meeting.outcomes, 1);
	assert_int_equal(oclmm_evidence_met(evidence, 0), OCLMM_MET_NEVER);
	assert_true(oclmm_evidence_log_escape(evidence, 0) == 0);
	evidence = take(&plan, index, met, weak);
	assert_int_equal(oclmm_evidence_sum(evidence, 0).launches, 32);
	assert_int_equal(evidence->meeting.rounds, 6400);
	assert_int_equal(evidence->meeting.met, 3200);
	assert_int_equal(evidence->meeting.outcomes, 2);
	assert_int_equal(oclmm_evidence_met(evidence, 0), OCLMM_MET_ALIKE);
	evidence = take(&plan, index, constant, met);
	assert_int_equal(oclmm_evidence_met(evidence, 0), OCLMM_MET_NEVER);
	evidence = take(&plan, index, all, met);
	assert_int_equal(oclmm_evidence_met(evidence, 0), OCLMM_MET_ONE_OUTCOME);
	/* the flag is never seen, by the test alone; the other register has both values */
	evidence = take(&plan, index, folded, late);
	assert_int_equal(evidence->meeting.met, 3200);
	assert_int_equal(evidence->meeting.varied, 2);
	assert_int_equal(oclmm_evidence_met(evidence, 0), OCLMM_MET_ONE_VALUE);
	oclmm_arena_destroy(item->arena);
	item->arena = NULL;
	plan_finish(&plan);
}

/* Launches that each show four outcomes so often: those of two flags, or a number from 0 to 3. */
static struct worker_result make_counts(const uint64_t counts[4], uint64_t launches, uint32_t width)
{
	struct worker_result result = {.end = OCLMM_END_OK};
	struct oclmm_seen *shown = &result.run.shown;

	shown->width = width;
	result.run.counts.histogram = oclmm_histogram_create(width);
	for (uint64_t i = 0; i < launches; i++) {
		uint64_t mask = 0, all = 0;

		for (int64_t k = 0; k < 4; k++) {
			const int64_t values[2] = {width == 2 ? k / 2 : k, k % 2};
			uint32_t number = oclmm_seen_number(shown, values);

			if (!counts[k])
				continue;
			oclmm_seen_count(shown, i, number, counts[k]);
			oclmm_histogram_add(result.run.counts.histogram, values, counts[k]);
			mask |= UINT64_C(1) << number;
			all += counts[k];
		}
		oclmm_seen_add(shown, i, mask, all);
	}
	return result;
}

/* The same launches in a test and each of its controls. */
static const struct oclmm_evidence *take_counts(struct plan *plan, size_t index,
                                                const uint64_t test[4], const uint64_t control[4],
                                                const uint64_t launches[2])
{
	const struct run_controls *own = &plan->schedule.controls[index];
	uint32_t width = plan->run.items[index].job.program->observable_count;
	size_t jobs[1 + OCLMM_CONTROLS_USUAL + 1] = {index};
	struct worker_result results[1 + OCLMM_CONTROLS_USUAL + 1];
	const struct run_group group = {.jobs = jobs, .count = 1 + own->count, .tests = 1};

	results[0] = make_counts(test, launches[0], width);
	for (size_t k = 0; k < own->count; k++) {
		jobs[1 + k] = own->controls[k].job;
		results[1 + k] = make_counts(control, launches[1], width);
	}
	run_evidence_take(&plan->run.items[index], own, &group, results, 0);
	for (size_t k = 0; k <= own->count; k++)
		oclmm_run_result_finish(&results[k].run);
	return plan->run.items[index].record.evidence;
}

static size_t plan_only(struct plan *plan, const char *name)
{
	size_t index;

	plan_prepare(plan, 1, 1);
	index = (size_t)(find_item(plan, name) - plan->run.items);
	plan->run.items[index].done = false;
	plan_make(plan);
	return index;
}

static void plan_drop(struct plan *plan, size_t index)
{
	oclmm_arena_destroy(plan->run.items[index].arena);
	plan->run.items[index].arena = NULL;
	plan_finish(plan);
}

/*
 * The flag is a constant in 15 of 16 work-items of the test: the roles look as if they had met, and
 * both registers have both values. What the test forbids, a flag without its data, counts on
 * neither side, however often the control shows it.
 */
static void test_seldom_values(void **state)
{
	static const struct {
		uint64_t test[4], control[4]; /* by 1:r0 and 1:r1, of 1,600 */
		uint64_t launches[2];
		bool seldom;
	} cases[] = {
		{{700, 850, 0, 50}, {400, 380, 20, 800}, {16, 16}, true},
		{{700, 600, 0, 300}, {400, 380, 20, 800}, {16, 16}, false},
		{{800, 790, 0, 10}, {380, 410, 790, 20}, {16, 16}, false},
		/* a value that is no hundredth of the control */
		{{800, 798, 0, 2}, {800, 785, 0, 15}, {16, 16}, false},
		/* in blocks that the control was not in there is nothing to compare */
		{{700, 850, 0, 50}, {400, 380, 20, 800}, {64, 9}, false},
		/* nor are launches of another size */
		{{700, 850, 0, 49}, {400, 380, 20, 800}, {16, 16}, false},
	};
	struct plan plan;
	size_t index = plan_only(&plan, "MP+rel+acq");

	(void)state;
	SHOWS("makes a constant of a load in most work-items of strong kernels, and not in all",
	      "inconclusive: seldom value");
	for (size_t i = 0; i < OCLMM_COUNT(cases); i++) {
		const struct oclmm_evidence *evidence = take_counts(&plan, index, cases[i].test,
		                                                    cases[i].control,
		                                                    cases[i].launches);
		const struct oclmm_value_counts *seldom = oclmm_evidence_seldom(evidence, 0);

		assert_true((seldom != NULL) == cases[i].seldom);
		if (!seldom)
			continue;
		assert_int_equal(seldom->observable, 0);
		assert_int_equal(seldom->value, 1);
		assert_int_equal(seldom->test, 16 * 50);
		assert_int_equal(seldom->control, 16 * 800);
		assert_int_equal(evidence->controls[0].compared, 16);
		assert_int_equal(evidence->controls[0].values, 4);
	}
	plan_drop(&plan, index);
}

/*
 * A role stores 1 and loads, and another one stores 2. The test sees 2 only where the roles met;
 * its controls, which load first, wherever the other role came first. That they see it more often
 * is their own doing.
 */
static void test_values_of_a_changed_place(void **state)
{
	static const uint64_t launches[2] = {16, 16}, test[4] = {0, 1599, 1, 0},
			      early[4] = {800, 0, 800, 0};
	const struct oclmm_evidence *evidence;
	struct plan plan;
	size_t index = plan_only(&plan, "CoWR+alias");

	(void)state;
	assert_true(plan.schedule.controls[index].count > 1);
	for (size_t i = 0; i < plan.schedule.controls[index].count; i++) {
		evidence = take_counts(&plan, index, test, early, launches);
		assert_null(oclmm_evidence_seldom(evidence, i));
		assert_int_equal(oclmm_evidence_met(evidence, i), OCLMM_MET_UNTOLD);
		assert_true(oclmm_evidence_log_escape(evidence, i) < 0);
	}
	plan_drop(&plan, index);
}

/*
 * Two work-items count between barriers that order no memory. They wait there nevertheless, so that
 * no order of what stands between barriers shows 1, which a control does that counts elsewhere.
 */
static void test_values_between_barriers(void **state)
{
	static const int64_t two[][2] = {{2, 2}, {2, 2}}, moved[][2] = {{1, 1}, {2, 2}},
			     both[][2] = {{2, 2}, {2, 1}};
	const struct oclmm_evidence *evidence;
	struct plan plan;
	size_t index = plan_only(&plan, "count+barriers.data=atomic.flags=none");

	(void)state;
	assert_true(plan.schedule.controls[index].count > 0);
	evidence = take(&plan, index, two, moved);
	assert_int_equal(evidence->controls[0].instances, 6400);
	assert_int_equal(evidence->controls[0].meeting.outcomes, 1);
	assert_int_equal(evidence->controls[0].meeting.varied, 0);
	assert_null(oclmm_evidence_seldom(evidence, 0));
	assert_int_equal(oclmm_evidence_met(evidence, 0), OCLMM_MET_UNTOLD);
	evidence = take(&plan, index, two, both);
	assert_int_equal(oclmm_evidence_met(evidence, 0), OCLMM_MET_UNTOLD);
	plan_drop(&plan, index);
}

/* A key without a budget, and with a profile or without one. */
static uint64_t key_with(bool profile)
{
	uint64_t key = 0;

	while (oclmm_random(key, 4) % 2 || (oclmm_random(key, 6) % 2 != 0) != profile)
		key++;
	return key;
}

/* The tests of the suite's list that are among these, read once more; returns how many. */
static size_t list_first(const struct selection *selection, const char **ret_names)
{
	char line[256], path[PATH_MAX];
	size_t count = 0;
	FILE *file;

	snprintf(path, sizeof(path), "%s/litmus/planted/first", getenv("OCLMM_SUITE"));
	file = fopen(path, "r");
	assert_non_null(file);
	while (fgets(line, sizeof(line), file)) {
		line[strcspn(line, " \n")] = '\0';
		for (size_t i = 0; i < selection->count; i++) {
			if (strcmp(selection->chosen[i].variant->name, line) == 0)
				ret_names[count++] = selection->chosen[i].variant->name;
		}
	}
	fclose(file);
	return count;
}

/* In the order of the suite's list, each beside its own control and nothing else: the first
 * launches wait for no other test's compiling. */
static void test_first(void **state)
{
	const struct selection *selection;
	const char **wanted;
	struct plan plan;
	size_t at = 0, count;

	(void)state;
	plan_prepare(&plan, key_with(true), 1);
	selection = &plan.run.selection;
	wanted = oclmm_calloc(selection->count, sizeof(*wanted));
	count = list_first(selection, wanted);
	assert_true(count >= 2);
	for (size_t i = 0; i < selection->count; i++)
		plan.run.items[i].done = false;
	plan_make(&plan);
	for (size_t i = 0; i < count; i++) {
		const struct run_group *group = &plan.schedule.groups[i];

		assert_string_equal(selection->chosen[at].variant->name, wanted[i]);
		assert_int_equal(group->jobs[0], at);
		assert_in_range(group->tests, 1, 2);
		if (group->tests == 2)
			assert_string_equal(selection->chosen[at + 1].variant->name,
			                    selection->chosen[at].variant->control);
		at += group->tests;
	}
	assert_int_equal(at, plan.run.first_count);
	free(wanted);
	plan_finish(&plan);
	/* who names tests has them in the order of the suite */
	plan_prepare(&plan, key_with(false), 1);
	assert_int_equal(plan.run.first_count, 0);
	plan_finish(&plan);
}

/* Where memory holds one test and its controls there is one in each group. */
static void test_little_memory(void **state)
{
	struct plan plan;

	(void)state;
	plan_prepare(&plan, 2, 1);
	plan.info.global_memory = 1 << 20;
	plan_make(&plan);
	check_plan(&plan);
	for (size_t g = 0; g < plan.schedule.group_count; g++)
		assert_int_equal(plan.schedule.groups[g].tests, 1);
	plan_finish(&plan);
}

/* Tests that go on behind unlike numbers of launches are not interleaved. */
static void test_parts(void **state)
{
	struct plan plan;

	(void)state;
	plan_prepare(&plan, 3, 1);
	for (size_t i = 0; i < plan.run.selection.count; i++)
		plan.run.items[i].job.first_launch = i % 2 * 32;
	plan_make(&plan);
	check_plan(&plan);
	for (size_t g = 0; g < plan.schedule.group_count; g++) {
		const struct run_group *group = &plan.schedule.groups[g];

		for (size_t i = 0; i < group->count; i++)
			assert_int_equal(job_of(&plan, group, i)->first_launch,
			                 job_of(&plan, group, 0)->first_launch);
	}
	plan_finish(&plan);
}

/* A pattern for names of tests chooses those that run. */
int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_plan),
		cmocka_unit_test(test_seed),
		cmocka_unit_test(test_derived_once),
		cmocka_unit_test(test_hits_are_asked_for),
		cmocka_unit_test(test_own_meetings),
		cmocka_unit_test(test_seldom_values),
		cmocka_unit_test(test_values_between_barriers),
		cmocka_unit_test(test_values_of_a_changed_place),
		cmocka_unit_test(test_first),
		cmocka_unit_test(test_little_memory),
		cmocka_unit_test(test_parts),
		cmocka_unit_test(test_enough_hits),
		cmocka_unit_test(test_controls_that_showed_enough),
	};

	if (argc > 1)
		cmocka_set_test_filter(argv[1]);
	return cmocka_run_group_tests(tests, plan_read_tests, plan_forget_tests);
}
