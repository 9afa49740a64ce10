// SPDX-License-Identifier: Apache-2.0
/* The tests of a run, each of them once. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run.h"

/* Tests between two that are made safe, and no more than a group above them. */
enum { BATCH = 64 };
/* Of a budget, what all tests share evenly; the rest goes where confidence is missing. */
static const double FIRST_SHARE = 0.5;

static void note_unused(struct run *run, const char *path, const char *reason)
{
	progress_clear(&run->progress);
	fprintf(stderr, "oclmm run: note: %s %s; asking the oracle\n", oclmm_shown(path).text,
	        reason);
}

static void show_progress(void *data, double fraction)
{
	struct run *run = data;

	double here = fraction * (double)run->at_hand;
	size_t whole = (size_t)here;

	/* when all tests were run once, the bar stays full */
	if (run->done < run->selection.count)
		progress_update(&run->progress, run->done + whole, here - (double)whole,
		                run->doing);
	else
		progress_update(&run->progress, run->done, 0, run->doing);
}

static const struct oclmm_expected_file *load_expected(struct run *run, const struct chosen *test)
{
	struct oclmm_error error = {0};
	struct oclmm_expected_file *file = NULL;
	int r = oclmm_expected_read(test->file->expected, &error, &file);

	if (r == -EINVAL) {
		progress_clear(&run->progress);
		report_error(&error);
		note_unused(run, test->file->expected, "is damaged");
	}
	if (r < 0)
		file = NULL;
	oclmm_grow(&run->expected, &run->expected_capacity, run->expected_count,
	           sizeof(*run->expected));
	run->expected[run->expected_count++] = (struct run_expected){.litmus = test->litmus,
	                                                             .file = file};
	return file;
}

static bool fits(const struct oclmm_expected_file *file, const struct chosen *test)
{
	const struct oclmm_expected *expected = oclmm_expected_find(file, test->variant->name);

	return expected && oclmm_expected_fits(expected, test->variant->program);
}

const struct oclmm_expected_file *run_expected_of(struct run *run, size_t test)
{
	const struct chosen *chosen = &run->selection.chosen[test];
	const struct oclmm_expected_file *file;

	/* tests of one file stand together, so that the last one is nearly always it */
	for (size_t i = run->expected_count; i > 0; i--) {
		if (run->expected[i - 1].litmus == chosen->litmus)
			return run->expected[i - 1].file;
	}
	file = load_expected(run, chosen);
	if (file && !fits(file, chosen))
		note_unused(run, chosen->file->expected, "is not of this version of the test");
	return file;
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
		*ret_seconds = left * (double)tests / (double)(run->selection.count - run->done);
	return now < run->started_at + run->options.budget;
}

void run_report(struct run *run, struct run_item *part, struct run_item *whole)
{
	progress_clear(&run->progress);
	for (size_t i = 0; i < run->output_count; i++) {
		struct run_output *output = &run->outputs[i];
		const struct run_item *item = output->report.kind->parts ? part : whole;

		run_output_record(output, &item->record, false);
		run->stopped |= output->report.failed != 0;
	}
	run_keep_artifacts(run, part);
}

/* Waits until the jobs of a group are compiled; returns what the tests among them took, and each of
 * these. */
static double wait_for_group(struct run *run, const struct run_group *group, double *ret_each)
{
	double sum = 0;

	for (size_t i = 0; i < group->count; i++) {
		double before = run_ahead_wait(run, group->first + i);

		if (i >= group->tests)
			continue;
		ret_each[i] = before;
		sum += before;
	}
	return sum;
}

static void finish_item(struct run *run, struct run_item *item, double before)
{
	item->record.compile_seconds += before;
	run_item_judge(item, &run->context);
	run_report(run, item, item);
	run->done++;
}

static bool run_next(struct run_batch *batch, const struct run_group *group)
{
	struct run *run = batch->run;
	double seconds, before, again = 0, *each;
	bool go_on;

	if (process_interrupted || run->stopped || !share_budget(run, group->tests, &seconds))
		return false;
	run->doing = run->items[group->jobs[0]].test->variant->name;
	run->at_hand = group->tests;
	show_progress(run, 0);
	each = oclmm_calloc(group->tests, sizeof(*each));
	before = wait_for_group(run, group, each);
	go_on = run_batch_group(batch, group, seconds);
	for (size_t i = 0; i < group->tests; i++) {
		struct run_item *item = &run->items[group->jobs[i]];

		if (!item->ran)
			continue;
		again += item->record.compile_seconds;
		finish_item(run, item, each[i]);
	}
	run_ahead_note(run, group->tests, before, again);
	free(each);
	return go_on;
}

static void run_groups(struct run *run, struct run_batch *batch, bool *ret_all)
{
	bool go_on = true;
	size_t since = 0;

	for (size_t i = 0; go_on && i < run->schedule.group_count; i++) {
		const struct run_group *group = &run->schedule.groups[i];

		if (since > BATCH) {
			run_batch_sync(batch);
			since = 0;
		}
		go_on = run_next(batch, group);
		since += group->count;
	}
	*ret_all = go_on;
}

void run_tests(struct run *run)
{
	size_t total = run->selection.count;
	struct run_batch batch = {.run = run, .items = run->items, .schedule = &run->schedule};
	bool all;

	run->worker.progress = show_progress;
	run->worker.data = run;
	run->started_at = oclmm_clock();
	for (size_t i = 0; i < total; i++) {
		if (!run->items[i].done)
			run_item_prepare(&run->items[i], &run->context, &run->selection.chosen[i],
			                 run_expected_of(run, i));
		run->done += run->items[i].done;
	}
	run_schedule_make(run, run->items, total, &run->schedule);
	run_programs_begin(run);
	run_ahead_begin(run);
	run_batch_begin(&batch);
	run_groups(run, &batch, &all);
	run_batch_end(&batch);
	run_ahead_end(run);
	if (all && run->options.budget > 0)
		run_more(run);
	run_schedule_finish(&run->schedule);
	run_programs_end(run);
}
