// SPDX-License-Identifier: Apache-2.0
/*
 * A child is forked that has all programs in its memory, and is asked for one
 * test after the other. A test that takes the child with it is retried once in a
 * fresh one, in which the others go on.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run.h"

enum { ATTEMPTS = 2 };
/* Tests in a row that hang before the device is given up. */
enum { HUNG_MOST = 4 };

void run_batch_begin(struct run_batch *batch)
{
	batch->jobs = oclmm_calloc(batch->count + 1, sizeof(*batch->jobs));
	for (size_t i = 0; i < batch->count; i++)
		batch->jobs[i] = batch->items[i].job;
}

static void drop_worker(struct run_batch *batch)
{
	worker_stop(batch->worker);
	batch->worker = NULL;
}

/* Without its device the rest of the run is over. */
static int start(struct run_batch *batch)
{
	struct run *run = batch->run;
	struct oclmm_error error = {0};
	int r = worker_start_on(run->context.identity, &run->worker, batch->jobs, batch->count,
	                        &error, &batch->worker);

	if (r == 0 || process_interrupted)
		return r;
	progress_clear(&run->progress);
	options_error(run->command, "%s cannot be opened any more: %s", run->context.device->name,
	              error.message);
	run->stopped = true;
	return r;
}

/*
 * Where counting went wrong the driver's atomic functions may be the reason, and
 * are what is to be tested. Said at once: of what goes better the second time
 * nothing else would tell.
 */
static void prepare_retry(struct run_batch *batch, struct run_item *item,
                          const struct worker_result *result)
{
	bool alone = result->end == OCLMM_END_RESULTS_LOST && run_item_count_alone(item);

	if (alone)
		batch->jobs[item - batch->items] = item->job;
	progress_clear(&batch->run->progress);
	fprintf(stderr, "oclmm run: note: %s: %s (%s); trying again%s\n",
	        oclmm_shown(item->test->variant->name).text, oclmm_shown(result->message).text,
	        oclmm_end_words(result->end), alone ? ", counted by one work-item" : "");
}

/* One that hangs whatever it is asked costs the time limit twice for each test, and says nothing.
 */
static void note_hang(struct run *run, enum oclmm_end end)
{
	run->hung = end == OCLMM_END_HANG ? run->hung + 1 : 0;
	if (run->hung < HUNG_MOST)
		return;
	progress_clear(&run->progress);
	options_error(run->command, "%s is given up: %u tests in a row hung, each of them twice",
	              run->context.device->name, run->hung);
	run->stopped = true;
}

bool run_batch_item(struct run_batch *batch, struct run_item *item, double seconds)
{
	struct worker_result result = {0};

	for (uint32_t attempt = 1; attempt <= ATTEMPTS; attempt++) {
		bool retry;

		if (!batch->worker && start(batch) < 0)
			return attempt > 1 &&
			       !process_interrupted; /* what the first one said is known */
		worker_run(batch->worker, (size_t)(item - batch->items), seconds, &result);
		if (result.end == OCLMM_END_INTERRUPTED) {
			worker_result_finish(&result);
			return false;
		}
		/* a child in which something went wrong is not trusted with the next test */
		retry = run_is_worth_retrying(&result);
		if (retry) {
			if (attempt < ATTEMPTS)
				prepare_retry(batch, item, &result);
			drop_worker(batch);
		}
		run_item_take(item, &result, attempt);
		if (!retry)
			break;
	}
	note_hang(batch->run, item->result.end);
	return true;
}

void run_batch_pause(struct run_batch *batch)
{
	drop_worker(batch);
	for (size_t i = 0; i < batch->run->output_count; i++)
		run_output_sync(&batch->run->outputs[i]);
}

void run_batch_end(struct run_batch *batch)
{
	run_batch_pause(batch);
	free(batch->jobs);
	batch->jobs = NULL;
}
