// SPDX-License-Identifier: Apache-2.0
/*
 * When every test was run once, the rest of a budget goes where confidence is
 * missing: more launches of a test beside its controls. In rounds, because each
 * tells what the next should do.
 */
#include <stdio.h>
#include <stdlib.h>

#include "run.h"

/* The shortest time worth a launch of its own kernels. */
static const double SLICE = 0.25;

/* One round: parts of tests, and for how long. */
struct more {
	struct run_item *parts;
	struct run_item **wholes; /* parallel: the items of the run that they extend */
	double *seconds;          /* parallel: 0 where the number of instances decides */
	size_t count;
};

static double left_of(const struct run *run)
{
	return run->started_at + run->options.budget - oclmm_clock();
}

static void add_part(struct more *more, struct run_item *whole, uint64_t instances)
{
	run_item_continue(&more->parts[more->count], whole, instances);
	more->wholes[more->count] = whole;
	/* one whose end is not foreseen gets its share below */
	more->seconds[more->count++] = instances ? 0 : SLICE;
}

/* Half of what the others leave is shared evenly; what comes of it decides about the other half. */
static void share(struct more *more, double left)
{
	size_t sharing = 0;
	double each;

	for (size_t i = 0; i < more->count; i++)
		sharing += more->seconds[i] > 0;
	each = sharing ? left / 2 / (double)sharing : 0;
	for (size_t i = 0; i < more->count; i++) {
		if (more->seconds[i] > 0 && each > SLICE)
			more->seconds[i] = each;
	}
}

static bool gates(const struct run *run, const struct oclmm_need *need)
{
	return run->items[need->record].record.grade.gates;
}

/* Tests that do not gate come when those that do lack nothing. */
static void plan(struct run *run, const struct oclmm_need *needs, size_t count, struct more *more)
{
	double left = left_of(run);
	bool gating = false;

	for (size_t i = 0; i < count; i++)
		gating |= gates(run, &needs[i]);
	for (size_t i = 0; i < count; i++) {
		const struct oclmm_need *need = &needs[i];
		struct run_item *whole = &run->items[need->record];
		double cost = need->seconds + whole->record.compile_seconds;

		if (gating && !gates(run, need))
			continue;
		/* what cannot be had in time may still come nearer */
		add_part(more, whole, cost <= left ? need->instances : 0);
		if (cost <= left)
			left -= cost;
	}
	share(more, left);
}

static void run_parts(struct run *run, struct more *more)
{
	struct run_batch batch = {.run = run, .items = more->parts, .count = more->count};

	run_batch_begin(&batch);
	for (size_t i = 0; i < more->count; i++) {
		double left = left_of(run), seconds = more->seconds[i];

		if (left <= 0 || run->stopped || process_interrupted)
			break;
		run->doing = more->wholes[i]->test->variant->name;
		if (!run_batch_item(&batch, &more->parts[i], seconds < left ? seconds : left))
			break;
		run_item_judge(&more->parts[i], &run->context);
		run_item_extend(more->wholes[i], &more->parts[i], &run->context);
		run_report(run, &more->parts[i], more->wholes[i]);
	}
	run_batch_end(&batch);
}

/* False when nothing is missing, or nothing can be done about it. */
static bool run_round(struct run *run, struct oclmm_record **records)
{
	size_t total = run->selection.count, count;
	struct oclmm_need *needs;
	struct more more;

	oclmm_grade_confidence(records, total, &run->options.demand);
	count = oclmm_grade_needs(records, total, &run->options.demand, &needs);
	more = (struct more){
		.parts = oclmm_calloc(count + 1, sizeof(*more.parts)),
		.wholes = oclmm_calloc(count + 1, sizeof(struct run_item *)),
		.seconds = oclmm_calloc(count + 1, sizeof(*more.seconds)),
	};
	plan(run, needs, count, &more);
	if (more.count)
		run_parts(run, &more);
	for (size_t i = 0; i < more.count; i++)
		run_item_finish(&more.parts[i]);
	free(more.parts);
	free(more.wholes);
	free(more.seconds);
	free(needs);
	return more.count > 0;
}

void run_more(struct run *run)
{
	size_t total = run->selection.count;
	struct oclmm_record **records = oclmm_calloc(total + 1, sizeof(*records));

	for (size_t i = 0; i < total; i++)
		records[i] = &run->items[i].record;
	while (!run->complete && !run->stopped && !process_interrupted && left_of(run) > 0) {
		if (!run_round(run, records))
			break;
	}
	run->cut = process_interrupted != 0;
	free(records);
}
