// SPDX-License-Identifier: Apache-2.0
/* The tests of a run, each of them once. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "run.h"

/* Tests between two that are made safe, and no more than a group above them. */
enum { BATCH = 64 };
/* Of a budget, what all tests share evenly; the rest goes where confidence is missing. */
static const double FIRST_SHARE = 0.5;

static void note_unused(struct run *run, const char *path, const char *reason)
{
	progress_clear(&run->session->progress);
	fprintf(stderr, "oclmm run: note: %s %s; asking the oracle\n", oclmm_shown(path).text,
	        reason);
}

/* The bar has one name for each device at work. */
static void list_names(const struct run_session *session, struct oclmm_text *text)
{
	for (size_t i = 0; i < session->run_count; i++) {
		for (size_t k = 0; k < session->runs[i].lane_count; k++) {
			const char *name = session->runs[i].lanes[k].doing;

			if (name)
				oclmm_text_printf(text, "%s%s", text->length ? ", " : "", name);
		}
	}
}

static void show_progress(struct run_session *session)
{
	struct oclmm_text names = {0};
	double here = 0;
	size_t done = 0, whole;

	for (size_t i = 0; i < session->run_count; i++) {
		const struct run *run = &session->runs[i];

		done += run->done;
		for (size_t k = 0; k < run->lane_count; k++)
			here += run->lanes[k].fraction * (double)run->lanes[k].at_hand;
	}
	whole = (size_t)here;
	list_names(session, &names);
	progress_update(&session->progress, done + whole, here - (double)whole,
	                oclmm_text_string(&names));
	oclmm_text_finish(&names);
}

static void note_progress(void *data, double fraction)
{
	struct run_lane *lane = data;

	lane->fraction = fraction;
	show_progress(lane->run->session);
}

/* A group that fails before its launches begin is over all the same. */
static void note_plays(void *data, bool now)
{
	struct run_lane *lane = data;

	if (lane->plays == now)
		return;
	lane->plays = now;
	run_ahead_plays(lane->run, now);
}

static const struct oclmm_expected_file *load_expected(struct run *run, const struct chosen *test)
{
	struct run_session *session = run->session;
	struct oclmm_error error = {0};
	struct oclmm_expected_file *file = NULL;
	int r = oclmm_expected_read(test->file->expected, &error, &file);

	if (r == -EINVAL) {
		progress_clear(&run->session->progress);
		report_error(&error);
		note_unused(run, test->file->expected, "is damaged");
	}
	if (r < 0)
		file = NULL;
	oclmm_grow(&session->expected, &session->expected_capacity, session->expected_count,
	           sizeof(*session->expected));
	session->expected[session->expected_count++] = (struct run_expected){.litmus = test->litmus,
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
	const struct run_session *session = run->session;
	const struct oclmm_expected_file *file;

	/* tests of one file stand together, so that the last one is nearly always it */
	for (size_t i = session->expected_count; i > 0; i--) {
		if (session->expected[i - 1].litmus == chosen->litmus)
			return session->expected[i - 1].file;
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
		*ret_seconds = left * (double)(tests * run->lane_count) /
		               (double)(run->selection.count - run->done);
	return now < run->started_at + run->options.budget;
}

void run_report(struct run *run, struct run_item *part, struct run_item *whole)
{
	progress_clear(&run->session->progress);
	for (size_t i = 0; i < run->session->output_count; i++) {
		struct run_output *output = &run->session->outputs[i];
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
	note_progress(lane, 0);
	each = oclmm_calloc(group->tests, sizeof(*each));
	before = wait_for_group(run, group, each);
	go_on = run_batch_group(batch, group, seconds);
	finish_group(lane, group, each, &again);
	run_ahead_note(run, group->tests, before, again);
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
		run_ahead_end(run);
	if (all && run->options.budget > 0)
		run_more(lane);
	lane->doing = NULL;
}

static void prepare(struct run *run)
{
	for (size_t i = 0; i < run->lane_count; i++) {
		struct run_lane *lane = &run->lanes[i];

		lane->worker = run->worker;
		lane->worker.progress = note_progress;
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
	run_ahead_begin(run);
	run->lanes_at_work = run->lane_count;
	if (process_together(run->lane_count, work, run) < 0) {
		options_error(run->command, "cannot start a thread for each device");
		run->stopped = true;
	}
	run_ahead_end(run);
	run_schedule_finish(&run->schedule);
}
