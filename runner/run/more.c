// SPDX-License-Identifier: Apache-2.0
/*
 * When every test was run once, the rest of a budget goes where confidence is
 * missing: more launches of the test beside its controls. In rounds, because
 * each tells what the next should do.
 */
#include <stdlib.h>

#include "run.h"

/* The shortest time worth a launch of its own kernels. */
static const double SLICE = 0.25;

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
static void plan(struct run *run, struct more *more)
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
	plan(run, &more);
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

void run_more(struct run_lane *lane)
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
