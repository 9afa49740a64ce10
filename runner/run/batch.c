// SPDX-License-Identifier: Apache-2.0
/*
 * A child is forked that has all programs in its memory, and is asked for one group of tests after
 * the other. What goes wrong there is tried once more, each test alone and in a fresh child: then
 * it is known which of them it was.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "evidence.h"
#include "tell.h"
#include "work.h"

/* Jobs of one child: so many that starting a driver is a small part of it, so few that its leaks
 * stay small. */
enum { SERVED_MOST = 1024 };
/* What a driver may leak before its child is let go. */
static const uint64_t LEAK_MOST = UINT64_C(512) << 20;
/* Tests in a row that hang before the device is given up. */
enum { HUNG_MOST = 4 };
/* Tests of one file that hang before the others have only a part of the time limit. */
enum { HUNG_ALIKE = 2, LIMIT_PART = 4 };

/* ---- tests that hang ---- */

/*
 * They cost the time limit twice each. Where some of a file did, its others are likely to and have
 * a part of the limit; where one after the other does, whatever it is, the device is given up.
 */

static unsigned count_alike(const struct run_lane *lane, const struct run_item *item)
{
	return item->test->litmus == lane->hung_file ? lane->hung_alike : 0;
}

/* The time limit of a test where others of its file hung; 0: as always. */
static double hung_limit(const struct run_lane *lane, const struct run_item *item)
{
	return count_alike(lane, item) < HUNG_ALIKE ? 0 : lane->run->options.limit / LIMIT_PART;
}

/* Says in the message of one that had less time than others why. */
static void explain_hang(const struct run_lane *lane, const struct run_item *item,
                         struct worker_result *result)
{
	size_t length = strlen(result->message);
	unsigned others = count_alike(lane, item);

	if (result->end == OCLMM_END_HANG && others >= HUNG_ALIKE)
		snprintf(result->message + length, sizeof(result->message) - length,
		         "; hangs like %u others of its file", others);
}

/* After its last attempt; may give up the device. */
static void note_hang(struct run_lane *lane, const struct run_item *item)
{
	const struct run *run = lane->run;

	if (item->result.end != OCLMM_END_HANG) {
		lane->hung = 0;
		return;
	}
	lane->hung_alike = count_alike(lane, item) + 1;
	lane->hung_file = item->test->litmus;
	if (++lane->hung < HUNG_MOST)
		return;
	progress_clear(&run->session->progress);
	options_error(run->command, "%s%s is given up: %u tests in a row hung, each of them twice",
	              run->context.device->name, run_label(lane).text, lane->hung);
	lane->gone = true;
}

/* ---- children ---- */

void run_batch_begin(struct run_batch *batch)
{
	const struct run *run = batch->run;
	const struct worker_relay_options options = {
		.identity = batch->lane->identity,
		.worker = batch->lane->worker,
		.jobs = batch->schedule->jobs,
		.count = batch->schedule->job_count,
		.most = SERVED_MOST,
		.leak_most = LEAK_MOST,
		/* on a CPU a driver that starts would disturb the tests, and starts soon */
		.beside = !(run->context.device->type & CL_DEVICE_TYPE_CPU),
	};

	batch->relay = worker_relay_create(&options);
}

/* Before a line that is said at once. */
static void clear_progress(const struct run_batch *batch)
{
	progress_clear(&batch->run->session->progress);
}

/* Without its device the rest of the run is over. */
static int find_worker(struct run_batch *batch, struct worker **ret_worker)
{
	struct run *run = batch->run;
	struct oclmm_error error = {0};
	int r = worker_relay_now(batch->relay, &error, ret_worker);

	if (r == 0 || process_interrupted)
		return r;
	clear_progress(batch);
	options_error(run->command, "%s%s cannot be opened any more: %s", run->context.device->name,
	              run_label(batch->lane).text, error.message);
	batch->lane->gone = true;
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

	if (alone) {
		batch->schedule->jobs[item - batch->items] = item->job;
		worker_relay_renew(batch->relay);
	}
	clear_progress(batch);
	fprintf(stderr, "oclmm run: note: %s%s: %s (%s); trying again%s\n",
	        oclmm_shown(item->test->variant->name).text, run_label(batch->lane).text,
	        oclmm_shown(result->message).text, oclmm_end_words(result->end),
	        alone ? ", counted by one work-item" : "");
}

/* ---- what was tried together ---- */

/* A group and what came of it. */
struct attempt {
	struct run_batch *batch;
	struct run_group group;
	double seconds;
	struct worker_result *results;
	enum oclmm_end end; /* of the child */
	size_t culprit;     /* that was being built when it ended, or the number of jobs */
};

static struct run_item *item_of(const struct attempt *attempt, size_t index)
{
	return &attempt->batch->items[attempt->group.jobs[index]];
}

static void forget_results(struct attempt *attempt)
{
	for (size_t i = 0; i < attempt->group.count; i++)
		worker_result_finish(&attempt->results[i]);
}

static int ask(struct attempt *attempt)
{
	struct run_batch *batch = attempt->batch;
	const struct run_group *group = &attempt->group;
	const struct worker_group asked = {
		.jobs = group->jobs,
		.count = group->count,
		.order = batch->items[group->jobs[0]].record.seed,
		.seconds = attempt->seconds,
		.limit = hung_limit(batch->lane, item_of(attempt, 0)),
	};

	struct worker *worker;

	if (find_worker(batch, &worker) < 0)
		return -ECANCELED;
	attempt->end = worker_run_group(worker, &asked, attempt->results, &attempt->culprit);
	if (attempt->end != OCLMM_END_INTERRUPTED)
		return 0;
	forget_results(attempt);
	return -ECANCELED;
}

/*
 * A control that nobody asked for has no record, so what becomes of it is told
 * here: tests go on without it, and say less. Counts that it lost make a test
 * lost, which is told there.
 */
static void tell_of_control(const struct attempt *attempt, size_t index)
{
	const struct run_batch *batch = attempt->batch;
	const struct oclmm_run_request *job = &batch->schedule->jobs[attempt->group.jobs[index]];
	const struct worker_result *result = &attempt->results[index];

	if (index < attempt->group.tests || result->end == OCLMM_END_OK ||
	    result->end == OCLMM_END_UNSUPPORTED ||
	    oclmm_end_ended(result->end) == OCLMM_ENDED_LOST)
		return;
	clear_progress(batch);
	fprintf(stderr, "oclmm run: note: control %s%s: %s (%s); its tests go without it\n",
	        oclmm_shown(job->program->name).text, run_label(batch->lane).text,
	        oclmm_shown(result->message).text, oclmm_end_words(result->end));
}

static void remove_job(struct run_group *group, size_t index)
{
	group->count--;
	group->tests -= index < group->tests;
	for (size_t i = index; i < group->count; i++)
		group->jobs[i] = group->jobs[i + 1];
}

static bool is_control_of(const struct attempt *attempt, size_t test, size_t job)
{
	const struct run_controls *own =
		&attempt->batch->schedule->controls[attempt->group.jobs[test]];

	for (size_t i = 0; i < own->count; i++)
		if (own->controls[i].job == job)
			return true;
	return false;
}

/* With what only stands beside it. */
static void remove_culprit(struct attempt *attempt)
{
	struct run_group *group = &attempt->group;

	remove_job(group, attempt->culprit);
	for (size_t i = group->count; i-- > group->tests;) {
		size_t test = 0;

		while (test < group->tests && !is_control_of(attempt, test, group->jobs[i]))
			test++;
		if (test == group->tests)
			remove_job(group, i);
	}
}

/* The first of the group's tests that has it as a control; NULL: none has. */
static const struct run_control *find_control(const struct attempt *attempt, size_t job)
{
	for (size_t i = 0; i < attempt->group.tests; i++) {
		const struct run_controls *own =
			&attempt->batch->schedule->controls[attempt->group.jobs[i]];

		for (size_t k = 0; k < own->count; k++) {
			if (own->controls[k].job == job)
				return &own->controls[k];
		}
	}
	return NULL;
}

static bool is_derived(const struct attempt *attempt, size_t job)
{
	const struct run_control *control = find_control(attempt, job);

	return control && control->kind == OCLMM_CONTROL_MOVED;
}

/* Of a control without a record only this tells that the device is wrong. */
static void tell_of_values(const struct attempt *attempt, size_t index)
{
	const struct run_control *control = find_control(attempt, attempt->group.jobs[index]);
	uint64_t astray = control ? run_control_astray(control, &attempt->results[index].run) : 0;

	if (!astray)
		return;
	clear_progress(attempt->batch);
	fprintf(stderr,
	        "oclmm run: note: control %s%s: %llu instances ended as it may not; they are no "
	        "evidence\n",
	        oclmm_shown(control->name).text, run_label(attempt->batch->lane).text,
	        (unsigned long long)astray);
}

static bool is_in_group(const struct attempt *attempt, size_t job)
{
	size_t at = 0;

	while (at < attempt->group.count && attempt->group.jobs[at] != job)
		at++;
	return at < attempt->group.count;
}

/* Tests, and controls of the group that are tests, that are compiled as one text. What was derived
 * of a test is the test's own. */
static size_t tests_of(const struct attempt *attempt, const struct oclmm_joint *joint)
{
	const struct run_schedule *schedule = attempt->batch->schedule;
	size_t count = 0;

	for (size_t job = 0; joint && job < schedule->job_count; job++) {
		bool test = is_in_group(attempt, job) ? !is_derived(attempt, job)
		                                      : job < schedule->item_count;

		count += schedule->jobs[job].joint == joint && test;
	}
	return count;
}

/* Whoever has it, in this group or another one, has a text of its own from now on; and what is
 * still to be run was tried once. */
static void forget_text(struct run_batch *batch, const struct oclmm_joint *joint)
{
	for (size_t job = 0; job < batch->schedule->job_count; job++) {
		if (batch->schedule->jobs[job].joint != joint)
			continue;
		batch->schedule->jobs[job].joint = NULL;
		if (job >= batch->schedule->item_count)
			continue;
		batch->items[job].job.joint = NULL;
		batch->items[job].again |= !batch->items[job].ran;
	}
}

/* Said at once, as prepare_retry() does. */
static void tell_of_text(const struct attempt *attempt, size_t tests)
{
	const struct run_batch *batch = attempt->batch;
	const struct oclmm_run_request *job =
		&batch->schedule->jobs[attempt->group.jobs[attempt->culprit]];
	const struct worker_result *result = &attempt->results[attempt->culprit];

	clear_progress(batch);
	fprintf(stderr,
	        "oclmm run: note: %s%s, or another of %zu tests in one text: %s (%s); trying "
	        "again, each compiled by itself\n",
	        oclmm_shown(job->program->name).text, run_label(batch->lane).text, tests,
	        oclmm_shown(result->message).text, oclmm_end_words(result->end));
}

/*
 * Of tests that are compiled as one text any may be to blame: next time each has
 * its own, and that is their second attempt. True where there are such.
 */
static bool part_text(struct attempt *attempt)
{
	struct run_batch *batch = attempt->batch;
	const struct run_group *group = &attempt->group;
	const struct oclmm_joint *joint = NULL;
	size_t tests;

	if (attempt->end != OCLMM_END_OK && attempt->culprit < group->count)
		joint = batch->schedule->jobs[group->jobs[attempt->culprit]].joint;
	tests = tests_of(attempt, joint);
	if (tests < 2)
		return false;
	tell_of_text(attempt, tests);
	forget_text(batch, joint);
	worker_relay_renew(batch->relay);
	worker_relay_drop(batch->relay);
	forget_results(attempt);
	return true;
}

/*
 * A compiler that takes its process along says which program it was: this one is
 * left out, and the others begin anew. True where there are others.
 */
static bool go_without(struct attempt *attempt)
{
	size_t culprit = attempt->culprit;

	if (attempt->end == OCLMM_END_OK || culprit >= attempt->group.count ||
	    attempt->group.tests - (culprit < attempt->group.tests) == 0)
		return false;
	worker_relay_drop(attempt->batch->relay);
	/* now it is known, and was none of the others */
	for (size_t i = 0; i < attempt->group.tests; i++)
		item_of(attempt, i)->again = false;
	if (culprit < attempt->group.tests) {
		struct run_item *item = item_of(attempt, culprit);

		prepare_retry(attempt->batch, item, &attempt->results[culprit]);
		run_item_take(item, &attempt->results[culprit], 1);
	}
	tell_of_control(attempt, culprit);
	forget_results(attempt);
	remove_culprit(attempt);
	return true;
}

/*
 * A control that nobody asked for has no record: counts that it lost were lost
 * beside the test. What else goes wrong with it leaves the test without it.
 */
static void blame_controls(const struct attempt *attempt, size_t index)
{
	const struct run_batch *batch = attempt->batch;
	const struct run_group *group = &attempt->group;
	const struct run_controls *own = &batch->schedule->controls[group->jobs[index]];
	struct worker_result *result = &attempt->results[index];

	for (size_t i = group->tests; i < group->count; i++) {
		const struct worker_result *other = &attempt->results[i];

		for (size_t k = 0; k < own->count; k++) {
			if (own->controls[k].job != group->jobs[i] ||
			    oclmm_end_ended(other->end) != OCLMM_ENDED_LOST ||
			    result->end != OCLMM_END_OK)
				continue;
			result->end = other->end;
			snprintf(result->message, sizeof(result->message), "control %.120s: %.300s",
			         own->controls[k].name, other->message);
		}
	}
}

/* Takes over what the first attempt said. Returns whether there should be another. */
static bool take_first(const struct attempt *attempt, size_t index)
{
	struct run_batch *batch = attempt->batch;
	struct run_item *item = item_of(attempt, index);
	const struct run_controls *controls =
		&batch->schedule->controls[attempt->group.jobs[index]];
	struct worker_result *result = &attempt->results[index];
	bool retry;

	blame_controls(attempt, index);
	if (result->end == OCLMM_END_OK && controls->count)
		run_evidence_take(item, controls, &attempt->group, attempt->results, index);
	retry = run_is_worth_retrying(result);
	if (retry)
		prepare_retry(batch, item, result);
	return retry;
}

/* In a fresh child, alone. */
static bool try_again(struct run_batch *batch, struct run_item *item, double seconds)
{
	size_t job = (size_t)(item - batch->items), ignored;
	const struct worker_group group = {
		.jobs = &job,
		.count = 1,
		.seconds = seconds,
		.limit = hung_limit(batch->lane, item),
		.afresh = true,
	};
	struct worker_result result = {0};
	struct worker *worker;

	/* without a device: what the first attempt said is known */
	if (find_worker(batch, &worker) < 0) {
		item->ran = !process_interrupted;
		return item->ran;
	}
	worker_run_group(worker, &group, &result, &ignored);
	explain_hang(batch->lane, item, &result);
	if (result.end == OCLMM_END_INTERRUPTED) {
		worker_result_finish(&result);
		return false;
	}
	if (run_is_worth_retrying(&result))
		worker_relay_drop(batch->relay);
	run_item_take(item, &result, 2);
	item->ran = true;
	return true;
}

/* Of all tests that were asked for, the results that need no second attempt. */
static void take_all(struct attempt *attempt)
{
	bool retry = false;
	size_t tests = attempt->group.tests;
	bool *again = oclmm_calloc(tests + 1, sizeof(*again));

	for (size_t i = 0; i < tests; i++)
		again[i] = take_first(attempt, i);
	for (size_t i = tests; i < attempt->group.count; i++) {
		tell_of_control(attempt, i);
		tell_of_values(attempt, i);
	}
	for (size_t i = 0; i < tests; i++) {
		struct run_item *item = item_of(attempt, i);

		run_item_take(item, &attempt->results[i], 1);
		item->record.attempts += item->again;
		item->ran = !again[i];
		retry |= again[i];
	}
	/* a child in which something went wrong is not trusted with the next test */
	if (retry || attempt->end != OCLMM_END_OK)
		worker_relay_drop(attempt->batch->relay);
	else
		worker_relay_served(attempt->batch->relay, attempt->group.count);
	free(again);
}

bool run_batch_group(struct run_batch *batch, const struct run_group *group, double seconds)
{
	struct attempt attempt = {
		.batch = batch,
		.group = *group,
		.seconds = seconds,
		.results = oclmm_calloc(group->count, sizeof(*attempt.results)),
	};
	double each = seconds / (double)group->tests;
	bool go_on;

	attempt.group.jobs = oclmm_calloc(group->count, sizeof(*attempt.group.jobs));
	memcpy(attempt.group.jobs, group->jobs, group->count * sizeof(*group->jobs));
	do
		go_on = ask(&attempt) == 0;
	while (go_on && (part_text(&attempt) || go_without(&attempt)));
	if (go_on) {
		take_all(&attempt);
		forget_results(&attempt);
	}
	for (size_t i = 0; go_on && i < group->tests; i++) {
		struct run_item *item = &batch->items[group->jobs[i]];

		go_on = item->ran || try_again(batch, item, each);
		if (item->ran)
			note_hang(batch->lane, item);
		go_on &= !batch->run->stopped && !batch->lane->gone;
	}
	free(attempt.group.jobs);
	free(attempt.results);
	return go_on;
}

void run_batch_sync(const struct run_batch *batch)
{
	struct run_session *session = batch->run->session;

	for (size_t i = 0; i < session->output_count; i++)
		run_output_sync(&session->outputs[i]);
}

void run_batch_end(struct run_batch *batch)
{
	worker_relay_destroy(batch->relay);
	batch->relay = NULL;
	run_batch_sync(batch);
}
