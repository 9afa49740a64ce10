// SPDX-License-Identifier: Apache-2.0
/* The tests of a run, each of them once. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run.h"

/* Tests of one child: so many that starting a driver is a small part of it, so few that its leaks
 * stay small. */
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

	/* when all tests were run once, the bar stays full */
	progress_update(&run->progress, run->done, run->done < run->selection.count ? fraction : 0,
	                run->doing);
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
 * A fair share of the budget's first part, 0 without a budget: the instances
 * asked for. False when nothing is left of the whole.
 */
static bool share_budget(const struct run *run, double *ret_seconds)
{
	double now = oclmm_clock(),
	       left = run->started_at + run->options.budget * FIRST_SHARE - now;

	*ret_seconds = 0;
	if (run->options.budget <= 0)
		return true;
	if (left > 0)
		*ret_seconds = left / (double)(run->selection.count - run->done);
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

static bool run_next(struct run_batch *batch)
{
	struct run *run = batch->run;
	struct run_item *item = &run->items[run->done];
	double seconds, before;

	if (item->done)
		return true;
	if (process_interrupted || run->stopped || !share_budget(run, &seconds))
		return false;
	run->doing = item->test->variant->name;
	show_progress(run, 0);
	before = run_ahead_wait(run, run->done);
	if (!run_batch_item(batch, item, seconds))
		return false;
	run_ahead_note(run, before, item->record.compile_seconds);
	item->record.compile_seconds += before;
	run_item_judge(item, &run->context);
	run_report(run, item, item);
	return true;
}

void run_tests(struct run *run)
{
	size_t total = run->selection.count;
	struct run_batch batch = {.run = run, .items = run->items, .count = total};
	bool go_on = true;

	run->worker.progress = show_progress;
	run->worker.data = run;
	run->started_at = oclmm_clock();
	for (size_t i = 0; i < total; i++)
		if (!run->items[i].done)
			run_item_prepare(&run->items[i], &run->context, &run->selection.chosen[i],
			                 run_expected_of(run, i));
	run_ahead_begin(run);
	run_batch_begin(&batch);
	for (run->done = 0; go_on && run->done < total; run->done += go_on) {
		if (run->done % BATCH == 0)
			run_batch_pause(&batch);
		go_on = run_next(&batch);
	}
	run_batch_end(&batch);
	run_ahead_end(run);
	if (go_on && run->options.budget > 0)
		run_more(run);
}
