// SPDX-License-Identifier: Apache-2.0
/*
 * The tests of a run, a batch at a time: its programs and expected sets are
 * prepared, a child is forked that has them, and is asked for one test after
 * the other. A test that takes the child with it is retried once in a fresh
 * one, in which the rest of the batch goes on.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run.h"

/* Large enough that starting a driver is a small part of it, small enough that leaks stay small. */
enum { BATCH = 64 };
enum { ATTEMPTS = 2 };

struct batch {
	struct run *run;
	size_t first, count;          /* of the run's items */
	struct worker_job *jobs;      /* copied: a child has them by index */
	struct worker *worker;        /* NULL: none at the moment */
	double deadline;
};

static void note_unused(struct run *run, const char *path, const char *reason)
{
	progress_clear(&run->progress);
	fprintf(stderr, "oclmm run: note: %s %s; asking the oracle\n", path, reason);
}

static void show_progress(void *data, double fraction)
{
	struct run *run = data;

	progress_update(&run->progress, run->done, fraction,
	                run->selection.chosen[run->done].variant->name);
}

static const struct oclmm_expected_file *load_expected(struct run *run, const struct chosen *test)
{
	struct oclmm_error error = { 0 };
	struct oclmm_expected_file *file = NULL;
	int r = oclmm_expected_read(test->file->expected, &error, &file);

	if (r == -EINVAL) {
		progress_clear(&run->progress);
		print_error(&error);
		note_unused(run, test->file->expected, "is damaged");
	}
	if (r < 0)
		file = NULL;
	oclmm_grow(&run->expected, &run->expected_capacity, run->expected_count, sizeof(*run->expected));
	run->expected[run->expected_count++] = (struct run_expected){ .litmus = test->litmus, .file = file };
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

static void prepare(struct batch *batch)
{
	struct run *run = batch->run;

	batch->jobs = oclmm_calloc(batch->count, sizeof(*batch->jobs));
	for (size_t i = 0; i < batch->count; i++) {
		struct run_item *item = &run->items[batch->first + i];

		if (!item->done)
			run_item_prepare(item, &run->context, &run->selection.chosen[batch->first + i],
			                 run_expected_of(run, batch->first + i));
		batch->jobs[i] = item->job;
	}
}

static void drop_worker(struct batch *batch)
{
	worker_stop(batch->worker);
	batch->worker = NULL;
}

/* A child with the device open. */
static int start_once(struct batch *batch, struct oclmm_error *error)
{
	struct run *run = batch->run;
	int r = worker_start(&run->worker, batch->jobs, batch->count, &batch->worker);

	if (r < 0) {
		batch->worker = NULL;
		return oclmm_error_set(error, r, "cannot start a process: %s", strerror(-r));
	}
	if (worker_open(batch->worker, run->context.identity, error) == WORKER_OK)
		return 0;
	drop_worker(batch);
	return -ENODEV;
}

/* A device that cannot be opened again and again is gone, and the rest of the run with it. */
static int start(struct batch *batch)
{
	struct run *run = batch->run;
	struct oclmm_error error = { 0 };
	int r = -ENODEV;

	for (int attempt = 0; attempt < ATTEMPTS && r < 0 && !run_interrupted; attempt++)
		r = start_once(batch, &error);
	if (r == 0 || run_interrupted)
		return r;
	progress_clear(&run->progress);
	options_error(run->command, "%s cannot be opened any more: %s", run->context.device->name,
	              error.message);
	run->stopped = true;
	return r;
}

/* A fair share of what is left of the budget, 0 without one. False when nothing is left. */
static bool share_budget(const struct batch *batch, double *ret_seconds)
{
	const struct run *run = batch->run;
	double left = batch->deadline - clock_seconds();

	*ret_seconds = 0;
	if (run->options.budget <= 0)
		return true;
	*ret_seconds = left / (double)(run->selection.count - run->done);
	return left > 0;
}

/* Said at once: of what goes better the second time nothing else would tell. */
static void note_retry(struct run *run, const struct run_item *item, const struct worker_result *result)
{
	progress_clear(&run->progress);
	fprintf(stderr, "oclmm run: note: %s: %s (%s); trying again\n", item->test->variant->name,
	        result->message, worker_end_word(result->end));
}

/* Both attempts at a test. Returns false when the run ends here and the test has no result. */
static bool run_item(struct batch *batch, struct run_item *item, double seconds)
{
	struct worker_result result = { 0 };

	for (uint32_t attempt = 1; attempt <= ATTEMPTS; attempt++) {
		bool retry;

		if (!batch->worker && start(batch) < 0)
			return attempt > 1 && !run_interrupted; /* what the first one said is known */
		worker_run(batch->worker, (size_t)(item - &batch->run->items[batch->first]), seconds, &result);
		if (result.end == WORKER_INTERRUPTED) {
			worker_result_finish(&result);
			return false;
		}
		/* a child in which something went wrong is not trusted with the next test */
		retry = run_is_worth_retrying(&result);
		if (retry) {
			if (attempt < ATTEMPTS)
				note_retry(batch->run, item, &result);
			drop_worker(batch);
		}
		run_item_take(item, &result, attempt);
		if (!retry)
			break;
	}
	return true;
}

static void report(struct run *run, struct run_item *item)
{
	run_item_judge(item, &run->context);
	progress_clear(&run->progress);
	for (size_t i = 0; i < run->output_count; i++) {
		run_output_record(&run->outputs[i], &item->record, false);
		run->stopped |= run->outputs[i].report.failed != 0;
	}
	run_keep_artifacts(run, item);
}

static bool run_next(struct batch *batch)
{
	struct run *run = batch->run;
	struct run_item *item = &run->items[run->done];
	double seconds;

	if (item->done)
		return true;
	if (run_interrupted || run->stopped || !share_budget(batch, &seconds))
		return false;
	show_progress(run, 0);
	if (!run_item(batch, item, seconds))
		return false;
	report(run, item);
	return true;
}

static bool has_work(const struct batch *batch)
{
	for (size_t i = 0; i < batch->count; i++) {
		if (!batch->run->items[batch->first + i].done)
			return true;
	}
	return false;
}

static bool run_batch(struct batch *batch)
{
	struct run *run = batch->run;
	bool go_on = true;

	if (has_work(batch)) {
		prepare(batch);
		for (run->done = batch->first; go_on && run->done < batch->first + batch->count; run->done += go_on)
			go_on = run_next(batch);
		drop_worker(batch);
		free(batch->jobs);
		for (size_t i = 0; i < run->output_count; i++)
			run_output_sync(&run->outputs[i]);
	}
	return go_on;
}

void run_tests(struct run *run)
{
	size_t total = run->selection.count;
	double deadline = clock_seconds() + run->options.budget;
	bool go_on = true;

	run->worker.progress = show_progress;
	run->worker.data = run;
	for (size_t first = 0; go_on && first < total; first += BATCH) {
		struct batch batch = {
			.run = run,
			.first = first,
			.count = total - first < BATCH ? total - first : BATCH,
			.deadline = deadline,
		};

		go_on = run_batch(&batch);
	}
}
