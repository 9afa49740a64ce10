// SPDX-License-Identifier: Apache-2.0
/*
 * The tests of a run: compiled beforehand, each run once, and what is left of a budget spent where
 * confidence is missing.
 */
#include <stdlib.h>

#include "choose.h"
#include "schedule.h"
#include "tell.h"
#include "work.h"

/* Tests between two that are made safe, and no more than a group above them. */
enum { BATCH = 64 };
/* Of a budget, what all tests share evenly; the rest goes where confidence is missing. */
static const double FIRST_SHARE = 0.5;
/* The shortest time worth a launch of its own kernels. */
static const double SLICE = 0.25;

/* ---- compiling beforehand ---- */

/*
 * Compiling takes most of a run: other processes do it beforehand, as many as there are processors,
 * and leave the result in the driver's cache. On a CPU they halt while launches of a test run, for
 * they would take its work-groups apart, and go on while the next test is built, which takes a
 * driver far longer even from its cache.
 */

enum { PROCESSES_USUAL = 16 };
/* Jobs for each process at least, for a driver takes its time to start; on a CPU this time is lost
 * to a run whose programs the driver has. */
enum { JOBS_LEAST = 2, JOBS_LEAST_CPU = 16 };
/* Tests after which it is clear whether the driver keeps what it compiled, and programs after which
 * it is whether it had them before. */
enum { ENOUGH = 8 };
/* Seconds of processor time that building a program takes where it is worth other processes: on a
 * CPU each takes the place of another. */
static const double WORTH = 0.1;
/* Of what building took beforehand, what may be left when it is done again. */
static const double LEFT_MOST = 0.5;

struct run_ahead {
	struct worker_ahead *worker;
	struct oclmm_run_request *jobs;
	size_t count;
	unsigned processes;
	bool halts; /* while launches run: on a CPU */
	/* of the first programs that were built beforehand */
	size_t programs;
	double processor;
	double before, again; /* seconds that building took, of the tests that were built twice */
	size_t twice;
};

static unsigned count_processes(const struct run *run, size_t jobs)
{
	/* that this process may use: in a container fewer than there are */
	uint64_t processors = run->context.device->processors;
	uint64_t wanted = processors > PROCESSES_USUAL ? PROCESSES_USUAL : processors;
	size_t each = JOBS_LEAST;

	if (run->options.compilers_given)
		wanted = run->options.compilers;
	else if (processors < 2)
		wanted = 0;
	else if (run->ahead->halts)
		each = JOBS_LEAST_CPU;
	return wanted > jobs / each ? (unsigned)(jobs / each) : (unsigned)wanted;
}

/* Sixteen processes that open an H200 at once take 2.2 s each, and one takes 0.5. So on a GPU one
 * finds out whether there is anything to compile. */
static unsigned first_processes(const struct run *run)
{
	return run->ahead->halts || run->options.compilers_given ? run->ahead->processes : 1;
}

static void ahead_begin(struct run *run)
{
	struct run_ahead *ahead = oclmm_calloc(1, sizeof(*ahead));
	const struct run_schedule *schedule = &run->schedule;

	run->ahead = ahead;
	for (size_t i = 0; i < schedule->group_count; i++)
		ahead->count += schedule->groups[i].count;
	ahead->jobs = oclmm_calloc(ahead->count + 1, sizeof(*ahead->jobs));
	ahead->halts = (run->context.device->type & CL_DEVICE_TYPE_CPU) != 0;
	for (size_t i = 0; i < schedule->group_count; i++) {
		const struct run_group *group = &schedule->groups[i];

		for (size_t k = 0; k < group->count; k++)
			ahead->jobs[group->first + k] = schedule->jobs[group->jobs[k]];
	}
	ahead->processes = count_processes(run, ahead->count);
	if (ahead->processes == 0 ||
	    worker_ahead_start(ahead->jobs, ahead->count, run->context.identity,
	                       first_processes(run), ahead->processes, &ahead->worker) < 0)
		ahead->worker = NULL;
}

/* Not where another device of the run may be waiting for them. */
static void stop_ahead(struct run *run)
{
	if (run->lane_count > 1)
		return;
	worker_ahead_stop(run->ahead->worker);
	run->ahead->worker = NULL;
}

/* The driver's cache may hold them already. */
static void look_at_first(struct run *run, size_t index, const struct worker_built *built)
{
	struct run_ahead *ahead = run->ahead;
	const struct oclmm_joint *joint = ahead->jobs[index].joint;

	if (!ahead->halts || run->options.compilers_given || ahead->programs >= ENOUGH ||
	    built->seconds <= 0)
		return;
	ahead->programs += joint ? joint->count : 1;
	ahead->processor += built->processor;
	if (ahead->programs >= ENOUGH && ahead->processor < (double)ahead->programs * WORTH)
		stop_ahead(run);
}

/* Waits for the n-th job of all groups to be compiled where that is under way. Returns the seconds
 * that it took, or 0. */
static double ahead_wait(struct run *run, size_t index)
{
	struct worker_built built;

	if (!run->ahead->worker)
		return 0;
	built = worker_ahead_wait(run->ahead->worker, index, run->options.limit);
	look_at_first(run, index, &built);
	return built.seconds;
}

/* Launches of a group begin, or are over. */
static void ahead_plays(struct run *run, bool now)
{
	if (run->ahead && run->ahead->worker && run->ahead->halts)
		worker_ahead_pause(run->ahead->worker, now);
}

/* Notes what compiling so many tests took beforehand and what was left of it: where the driver
 * keeps nothing, it ends. */
static void ahead_note(struct run *run, size_t tests, double before, double again)
{
	struct run_ahead *ahead = run->ahead;

	if (!ahead->worker || before <= 0)
		return;
	ahead->before += before;
	ahead->again += again;
	ahead->twice += tests;
	if (ahead->twice < ENOUGH || ahead->again <= ahead->before * LEFT_MOST)
		return;
	stop_ahead(run);
}

static void ahead_end(struct run *run)
{
	if (!run->ahead)
		return;
	worker_ahead_stop(run->ahead->worker);
	free(run->ahead->jobs);
	free(run->ahead);
	run->ahead = NULL;
}

/* ---- more launches where confidence is missing ---- */

/*
 * When every test was run once, the rest of a budget buys more launches of those that lack
 * confidence, beside their controls. In rounds, because each tells what the next should do.
 */

/* One round: parts of tests, and for how long. */
struct more {
	struct run_item *parts;
	struct run_item **wholes; /* parallel: the items of the run that they extend */
	size_t count;
	double seconds; /* of each part */
	struct run_schedule schedule;
};

static double left_of(const struct run *run)
{
	return run->started_at + run->options.budget - oclmm_clock();
}

/* Nearest to confidence first. Tests that do not gate come when those that do lack nothing. */
static void add_parts(struct run_item *const *own, const struct oclmm_need *needs, size_t count,
                      struct more *more)
{
	bool gating = false;

	for (size_t i = 0; i < count; i++)
		gating |= own[needs[i].record]->record.grade.gates;
	for (size_t i = 0; i < count; i++) {
		struct run_item *whole = own[needs[i].record];

		if (gating && !whole->record.grade.gates)
			continue;
		run_item_continue(&more->parts[more->count], whole);
		more->wholes[more->count++] = whole;
	}
}

/* Half of what is left is shared evenly; what comes of it decides about the other half. */
static void plan_round(struct run *run, struct more *more)
{
	if (more->count == 0)
		return;
	more->seconds = left_of(run) / 2 / (double)more->count;
	if (more->seconds < SLICE)
		more->seconds = SLICE;
	run_schedule_make(run, more->parts, more->count, &more->schedule);
}

static void take_part(struct run *run, struct run_item *part, struct run_item *whole)
{
	run_item_judge(part, &run->context);
	run_item_extend(whole, part, &run->context);
	run_report(run, part, whole);
}

static void run_parts(struct run_lane *lane, struct more *more)
{
	struct run *run = lane->run;
	struct run_batch batch = {
		.run = run, .lane = lane, .items = more->parts, .schedule = &more->schedule};
	bool go_on = true;

	run_batch_begin(&batch);
	for (size_t i = 0; go_on && i < more->schedule.group_count; i++) {
		const struct run_group *group = &more->schedule.groups[i];
		double left = left_of(run), seconds = more->seconds * (double)group->tests;

		if (left <= 0 || run->stopped || lane->gone || process_interrupted)
			break;
		lane->doing = more->wholes[group->jobs[0]]->test->variant->name;
		go_on = run_batch_group(&batch, group, seconds < left ? seconds : left);
		for (size_t k = 0; k < group->tests; k++) {
			size_t part = group->jobs[k];

			more->parts[part].lane = lane;
			if (more->parts[part].ran)
				take_part(run, &more->parts[part], more->wholes[part]);
		}
	}
	run_batch_end(&batch);
}

/* The tests that ran on one device: where they go on. */
struct own {
	struct run_item **items;
	struct oclmm_record **records; /* theirs */
	size_t count;
};

static struct own own_of(const struct run_lane *lane)
{
	size_t total = lane->run->selection.count;
	struct own own = {
		.items = oclmm_calloc(total + 1, sizeof(struct run_item *)),
		.records = oclmm_calloc(total + 1, sizeof(struct oclmm_record *)),
	};

	for (size_t i = 0; i < total; i++) {
		struct run_item *item = &lane->run->items[i];

		if (item->lane != lane)
			continue;
		own.items[own.count] = item;
		own.records[own.count++] = &item->record;
	}
	return own;
}

/* False when nothing is missing, or nothing can be done about it. */
static bool run_round(struct run_lane *lane, const struct own *own)
{
	struct run *run = lane->run;
	size_t count;
	struct oclmm_need *needs;
	struct more more;

	oclmm_grade_confidence(own->records, own->count, &run->options.rules.demand);
	count = oclmm_grade_needs(own->records, own->count, &run->options.rules.demand, &needs);
	more = (struct more){
		.parts = oclmm_calloc(count + 1, sizeof(*more.parts)),
		.wholes = oclmm_calloc(count + 1, sizeof(struct run_item *)),
	};
	add_parts(own->items, needs, count, &more);
	plan_round(run, &more);
	if (more.count) {
		run_parts(lane, &more);
		run_schedule_finish(&more.schedule);
	}
	for (size_t i = 0; i < more.count; i++)
		run_item_finish(&more.parts[i]);
	free(more.parts);
	free(more.wholes);
	free(needs);
	return more.count > 0;
}

static void run_more(struct run_lane *lane)
{
	const struct run *run = lane->run;
	struct own own = own_of(lane);

	while (!run->session->complete && !run->stopped && !lane->gone && !process_interrupted &&
	       left_of(run) > 0) {
		if (!run_round(lane, &own))
			break;
	}
	lane->cut = process_interrupted != 0;
	free(own.items);
	free(own.records);
}

/* ---- each once ---- */

/* A group that fails before its launches begin is over all the same. */
static void note_plays(void *data, bool now)
{
	struct run_lane *lane = data;

	if (lane->plays == now)
		return;
	lane->plays = now;
	ahead_plays(lane->run, now);
}

/*
 * A fair share of the budget's first part for so many tests, 0 without a budget: the
 * instances asked for. False when nothing is left of the whole.
 */
static bool share_budget(const struct run *run, size_t tests, double *ret_seconds)
{
	double now = oclmm_clock(),
	       left = run->started_at + run->options.budget * FIRST_SHARE - now;

	*ret_seconds = 0;
	if (run->options.budget <= 0)
		return true;
	if (left > 0)
		*ret_seconds = left * (double)(tests * run->lane_count) /
		               (double)(run->selection.count - run->done);
	return now < run->started_at + run->options.budget;
}

/* Waits until the jobs of a group are compiled; returns what the tests among them took, and each of
 * these. */
static double wait_for_group(struct run *run, const struct run_group *group, double *ret_each)
{
	double sum = 0;

	for (size_t i = 0; i < group->count; i++) {
		double before = ahead_wait(run, group->first + i);

		if (i >= group->tests)
			continue;
		ret_each[i] = before;
		sum += before;
	}
	return sum;
}

static void finish_item(struct run_lane *lane, struct run_item *item, double before)
{
	struct run *run = lane->run;

	item->lane = lane;
	item->record.device_id = *lane->identity->id ? lane->identity->id : NULL;
	item->record.compile_seconds += before;
	run_item_judge(item, &run->context);
	run_report(run, item, item);
	run->done++;
}

/* All of them are at hand no more. */
static void finish_group(struct run_lane *lane, const struct run_group *group, const double *before,
                         double *ret_again)
{
	struct run *run = lane->run;

	lane->at_hand = 0;
	for (size_t i = 0; i < group->tests; i++) {
		struct run_item *item = &run->items[group->jobs[i]];

		if (!item->ran)
			continue;
		*ret_again += item->record.compile_seconds;
		finish_item(lane, item, before[i]);
	}
}

static bool run_next(struct run_batch *batch, const struct run_group *group)
{
	struct run_lane *lane = batch->lane;
	struct run *run = lane->run;
	double seconds, before, again = 0, *each;
	bool go_on;

	if (process_interrupted || run->stopped || !share_budget(run, group->tests, &seconds))
		return false;
	lane->doing = run->items[group->jobs[0]].test->variant->name;
	lane->at_hand = group->tests;
	run_note_progress(lane, 0);
	each = oclmm_calloc(group->tests, sizeof(*each));
	before = wait_for_group(run, group, each);
	go_on = run_batch_group(batch, group, seconds);
	finish_group(lane, group, each, &again);
	ahead_note(run, group->tests, before, again);
	free(each);
	return go_on;
}

/* Whoever is free takes the next group. False when the run, or this device, ends here. */
static bool run_groups(struct run *run, struct run_batch *batch)
{
	bool go_on = true;
	size_t since = 0;

	while (go_on && run->next_group < run->schedule.group_count) {
		const struct run_group *group = &run->schedule.groups[run->next_group++];

		if (since > BATCH) {
			run_batch_sync(batch);
			since = 0;
		}
		go_on = run_next(batch, group);
		since += group->count;
	}
	return go_on;
}

static void work(void *data, size_t index)
{
	struct run *run = data;
	struct run_lane *lane = &run->lanes[index];
	struct run_batch batch = {
		.run = run, .lane = lane, .items = run->items, .schedule = &run->schedule};
	bool all;

	run_batch_begin(&batch);
	all = run_groups(run, &batch);
	run_batch_end(&batch);
	if (--run->lanes_at_work == 0)
		ahead_end(run);
	if (all && run->options.budget > 0)
		run_more(lane);
	lane->doing = NULL;
}

static void prepare(struct run *run)
{
	for (size_t i = 0; i < run->lane_count; i++) {
		struct run_lane *lane = &run->lanes[i];

		lane->worker = run->worker;
		lane->worker.progress = run_note_progress;
		lane->worker.plays = note_plays;
		lane->worker.data = lane;
	}
	for (size_t i = 0; i < run->selection.count; i++) {
		if (!run->items[i].done)
			run_item_prepare(&run->items[i], &run->context, &run->selection.chosen[i],
			                 run_expected_of(run, i));
		run->done += run->items[i].done;
	}
	run_schedule_make(run, run->items, run->selection.count, &run->schedule);
}

void run_tests(struct run *run)
{
	prepare(run);
	ahead_begin(run);
	run->lanes_at_work = run->lane_count;
	if (process_together(run->lane_count, work, run) < 0) {
		options_error(run->command, "cannot start a thread for each device");
		run->stopped = true;
	}
	ahead_end(run);
	run_schedule_finish(&run->schedule);
}
