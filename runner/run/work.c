// SPDX-License-Identifier: Apache-2.0
/*
 * The tests of a run at work: compiled beforehand, each run once, and what is left of a budget
 * spent where confidence is missing.
 *
 * A child is forked that has all programs in its memory, and is asked for one group of tests after
 * the other. What goes wrong there is tried once more, each test alone and in a fresh child: then
 * it is known which of them it was.
 */
#include "work.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "evidence.h"
#include "schedule.h"
#include "tell.h"

/* Jobs of one child: enough to make starting a driver a small part, few enough to keep its leaks
 * small. */
enum { SERVED_MOST = 1024 };
/* Bytes that a driver may leak before its child is replaced. */
static const uint64_t LEAK_MOST = UINT64_C(512) << 20;
/* Tests in a row that hang before the device is given up. */
enum { HUNG_MOST = 4 };
/* Tests of one file, or drawn kernels, that hang before the others are tried once only. */
enum { HUNG_ALIKE = 2 };
/* The part of the time limit that is left to kernels of a file of which one hung. */
enum { LIMIT_PART = 4 };
/* Results are synced to the disk after this many tests, or at most a group more. */
enum { BATCH = 64 };
/* The part of a budget that all tests share evenly; the rest goes where confidence is missing. */
static const double FIRST_SHARE = 0.5;
/* The shortest time for which starting a test's kernels is worth it. */
static const double SLICE = 0.25;

/* Tests that run in children, one child at a time. */
struct batch {
	struct run *run;
	struct run_lane *lane;
	struct run_item *items;
	/* the first jobs are those of the items; a child knows them by index */
	struct run_schedule *schedule;
	struct worker_relay *relay;
};

/* ---- tests that hang ---- */

/*
 * A test that hangs costs the time limit, twice. Once it did, or one of its controls hung, the
 * others of its file get a part of the limit: they hang for the same cause, or are heard of soon.
 * After some tests of a file hung, its others are tried once. After several in a row, of whatever
 * file, the device is given up.
 */

/* Of its file; drawn kernels are of one kind, and count as one file. */
static unsigned count_alike(const struct run_lane *lane, const struct run_item *item)
{
	bool alike = item->test->litmus == lane->hung_file ||
	             (item->test->file->is_drawn && lane->hung_drawn);

	return alike ? lane->hung_alike : 0;
}

/* The time limit of a test of a file of which a kernel hung; 0: as always. */
static double hung_limit(const struct run_lane *lane, const struct run_item *item)
{
	return item->test->litmus == lane->silent_file ? lane->run->options.limit / LIMIT_PART : 0;
}

/* Called where a control of the test hung, or the test a second time. */
static void note_silence(struct run_lane *lane, const struct run_item *item, enum oclmm_end end)
{
	if (end == OCLMM_END_HANG)
		lane->silent_file = item->test->litmus;
}

static bool is_tried_once(const struct run_lane *lane, const struct run_item *item,
                          enum oclmm_end end)
{
	return end == OCLMM_END_HANG && count_alike(lane, item) >= HUNG_ALIKE;
}

/* Adds to the message of a test that had less time, or fewer attempts, than others why it had. */
static void explain_hang(const struct run_lane *lane, const struct run_item *item, double limit,
                         struct worker_result *result)
{
	size_t length = strlen(result->message);
	unsigned others = count_alike(lane, item);

	if (result->end != OCLMM_END_HANG)
		return;
	if (others >= HUNG_ALIKE)
		snprintf(result->message + length, sizeof(result->message) - length,
		         item->test->file->is_drawn ? "; hangs like %u other drawn kernels"
		                                    : "; hangs like %u others of its file",
		         others);
	else if (limit > 0)
		snprintf(result->message + length, sizeof(result->message) - length,
		         "; before that a kernel of its file was silent for %g s",
		         lane->run->options.limit);
}

/* The label of a device among those of the session: ` [2]`, or nothing where there is only one. */
struct label {
	char text[24];
};
static struct label label_of(const struct run_lane *lane)
{
	const struct run *run = lane->run;
	struct label label = {""};

	if (run->session->run_count > 1)
		snprintf(label.text, sizeof(label.text), " [%zu]",
		         (size_t)(run - run->session->runs) + 1);
	else if (run->lane_count > 1)
		snprintf(label.text, sizeof(label.text), " [%zu]", (size_t)(lane - run->lanes) + 1);
	return label;
}

/* Called after a test's last attempt; may give up the device. */
static void note_hang(struct run_lane *lane, const struct run_item *item)
{
	const struct run *run = lane->run;

	if (item->result.end != OCLMM_END_HANG) {
		lane->hung = 0;
		lane->hung_once = false;
		return;
	}
	lane->hung_alike = count_alike(lane, item) + 1;
	lane->hung_file = item->test->litmus;
	lane->hung_drawn = item->test->file->is_drawn;
	lane->hung_once |= item->record.attempts < 2;
	if (++lane->hung < HUNG_MOST)
		return;
	progress_clear(&run->session->progress);
	options_error(run->command, "%s%s is given up: %u tests in a row hung%s",
	              run->context.device->name, label_of(lane).text, lane->hung,
	              lane->hung_once ? "" : ", each of them twice");
	lane->gone = true;
}

/* ---- children ---- */

/* Makes the children for the jobs of a schedule. */
static void begin_batch(struct batch *batch)
{
	const struct run *run = batch->run;
	const struct worker_relay_options options = {
		.identity = batch->lane->identity,
		.worker = batch->lane->worker,
		.jobs = batch->schedule->jobs,
		.count = batch->schedule->job_count,
		.most = SERVED_MOST,
		.leak_most = LEAK_MOST,
		/* on a CPU a starting driver would disturb the tests, and is ready soon */
		.beside = !(run->context.device->type & CL_DEVICE_TYPE_CPU),
	};

	batch->relay = worker_relay_create(&options);
}

/* Called before a line that is printed at once. */
static void clear_progress(const struct batch *batch)
{
	progress_clear(&batch->run->session->progress);
}

/* Ends the rest of the run where the device is gone. */
static int find_worker(struct batch *batch, struct worker **ret_worker)
{
	struct run *run = batch->run;
	struct oclmm_error error = {0};
	int r = worker_relay_now(batch->relay, &error, ret_worker);

	if (r == 0 || process_interrupted)
		return r;
	clear_progress(batch);
	options_error(run->command, "%s%s cannot be opened any more: %s", run->context.device->name,
	              label_of(batch->lane).text, error.message);
	batch->lane->gone = true;
	return r;
}

/*
 * Where counts went wrong, the driver's atomic functions may be the cause, and they are what is
 * tested. Says so at once, because nothing else reports what goes well the second time.
 */
static void prepare_retry(struct batch *batch, struct run_item *item,
                          const struct worker_result *result)
{
	bool alone = result->end == OCLMM_END_RESULTS_LOST && run_item_count_alone(item);

	if (alone)
		batch->schedule->jobs[item - batch->items] = item->job;
	clear_progress(batch);
	fprintf(stderr, "oclmm run: note: %s%s: %s (%s); trying again%s\n",
	        oclmm_shown(item->test->variant->name).text, label_of(batch->lane).text,
	        oclmm_shown(result->message).text, oclmm_end_words(result->end),
	        alone ? ", counted by one work-item" : "");
}

/* ---- what was tried together ---- */

/* A group and its results. */
struct attempt {
	struct batch *batch;
	struct run_group group;
	double seconds;
	double limit; /* that it had, where others of its file hung; or 0 */
	struct worker_result *results;
	enum oclmm_end end; /* of the child */
	size_t culprit; /* the job that was being built when the child ended, or the number of jobs
	                 */
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
	struct batch *batch = attempt->batch;
	const struct run_group *group = &attempt->group;
	const struct run_item *first = item_of(attempt, 0);
	const struct worker_group asked = {
		.jobs = group->jobs,
		.count = group->count,
		.order = first->record.seed,
		.seconds = attempt->seconds,
		.limit = hung_limit(batch->lane, first),
	};
	struct worker *worker;

	attempt->limit = asked.limit;
	if (find_worker(batch, &worker) < 0)
		return -ECANCELED;
	attempt->end = worker_run_group(worker, &asked, attempt->results, &attempt->culprit);
	/* one that hung once may do well, on a machine with much else to do */
	if (attempt->culprit >= group->tests && attempt->culprit < group->count)
		note_silence(batch->lane, first, attempt->end);
	if (attempt->end != OCLMM_END_INTERRUPTED)
		return 0;
	forget_results(attempt);
	return -ECANCELED;
}

/*
 * A control that nobody asked for has no record, so its failure is reported here: tests go on
 * without it, with less confidence. Where it lost counts, its test is lost, and the test's record
 * says so.
 */
static void tell_of_control(const struct attempt *attempt, size_t index)
{
	const struct batch *batch = attempt->batch;
	const struct oclmm_run_request *job = &batch->schedule->jobs[attempt->group.jobs[index]];
	const struct worker_result *result = &attempt->results[index];

	if (index < attempt->group.tests || result->end == OCLMM_END_OK ||
	    result->end == OCLMM_END_UNSUPPORTED ||
	    oclmm_end_ended(result->end) == OCLMM_ENDED_LOST)
		return;
	/* the child ended while another kernel was built, and nothing is known of this one */
	if (attempt->end != OCLMM_END_OK && attempt->culprit < attempt->group.count &&
	    attempt->culprit != index)
		return;
	clear_progress(batch);
	fprintf(stderr, "oclmm run: note: control %s%s: %s (%s); its tests go without it\n",
	        oclmm_shown(job->program->name).text, label_of(batch->lane).text,
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

/* Takes the culprit out of the group, with the controls that stood beside it alone. */
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

/* The first test of the group with this control, or NULL. */
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

/* Where a control has no record, only this message reports that the device is wrong. */
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
	        oclmm_shown(control->name).text, label_of(attempt->batch->lane).text,
	        (unsigned long long)astray);
}

static bool is_in_group(const struct attempt *attempt, size_t job)
{
	size_t at = 0;

	while (at < attempt->group.count && attempt->group.jobs[at] != job)
		at++;
	return at < attempt->group.count;
}

/* The number of tests that are compiled as this text; derived controls are no tests. */
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

/* All programs of the text, in this group or another one, have texts of their own from now on;
 * those that still have to run count as tried once. */
static void forget_text(struct batch *batch, const struct oclmm_joint *joint)
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

/* Printed at once, as in prepare_retry(). */
static void tell_of_text(const struct attempt *attempt, size_t tests)
{
	const struct batch *batch = attempt->batch;
	const struct oclmm_run_request *job =
		&batch->schedule->jobs[attempt->group.jobs[attempt->culprit]];
	const struct worker_result *result = &attempt->results[attempt->culprit];

	clear_progress(batch);
	fprintf(stderr,
	        "oclmm run: note: %s%s, or another of %zu tests in one text: %s (%s); trying "
	        "again, each compiled by itself\n",
	        oclmm_shown(job->program->name).text, label_of(batch->lane).text, tests,
	        oclmm_shown(result->message).text, oclmm_end_words(result->end));
}

/*
 * Of tests compiled as one text any may be to blame: each gets its own text, and that is their
 * second attempt. True where there are such tests.
 */
static bool part_text(struct attempt *attempt)
{
	struct batch *batch = attempt->batch;
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
	worker_relay_drop(batch->relay);
	forget_results(attempt);
	return true;
}

static void take_culprit(const struct attempt *attempt, struct run_item *item,
                         struct worker_result *result)
{
	const struct batch *batch = attempt->batch;

	item->ran = is_tried_once(batch->lane, item, result->end);
	if (item->ran)
		explain_hang(batch->lane, item, attempt->limit, result);
	else
		prepare_retry(attempt->batch, item, result);
	run_item_take(item, result, 1);
}

/*
 * When a compiler takes its process down, the program that it was building is known: that one is
 * left out, and the others start again. True where there are others.
 */
static bool go_without(struct attempt *attempt)
{
	size_t culprit = attempt->culprit;

	if (attempt->end == OCLMM_END_OK || culprit >= attempt->group.count ||
	    attempt->group.tests - (culprit < attempt->group.tests) == 0)
		return false;
	worker_relay_drop(attempt->batch->relay);
	/* now the culprit is known */
	for (size_t i = 0; i < attempt->group.tests; i++)
		item_of(attempt, i)->again = false;
	if (culprit < attempt->group.tests) {
		struct run_item *item = item_of(attempt, culprit);

		take_culprit(attempt, item, &attempt->results[culprit]);
	}
	tell_of_control(attempt, culprit);
	forget_results(attempt);
	remove_culprit(attempt);
	return true;
}

/*
 * A control that nobody asked for has no record: counts that it lost count as lost by the test.
 * After other failures the test runs without it.
 */
static void blame_controls(const struct attempt *attempt, size_t index)
{
	const struct batch *batch = attempt->batch;
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

/* Whether there was no result, and another attempt may have one. */
static bool is_worth_retrying(const struct worker_result *result)
{
	/* a compiler may refuse what its device does not claim */
	if (result->end == OCLMM_END_BUILD_FAILED && result->support != OCLMM_SUPPORT_CLAIMED)
		return false;
	return result->end != OCLMM_END_OK && result->end != OCLMM_END_UNSUPPORTED &&
	       result->end != OCLMM_END_PRODUCER && result->end != OCLMM_END_INTERRUPTED;
}

/* Takes over the result of the first attempt. Returns whether there should be another. */
static bool take_first(const struct attempt *attempt, size_t index)
{
	struct batch *batch = attempt->batch;
	struct run_item *item = item_of(attempt, index);
	const struct run_controls *controls =
		&batch->schedule->controls[attempt->group.jobs[index]];
	struct worker_result *result = &attempt->results[index];
	bool retry;

	blame_controls(attempt, index);
	if (result->end == OCLMM_END_OK && controls->count)
		run_evidence_take(item, controls, &attempt->group, attempt->results, index);
	retry = is_worth_retrying(result);
	/* of several in a group each is tried alone: it is not known which of them hung */
	if (retry && attempt->group.tests == 1 && is_tried_once(batch->lane, item, result->end)) {
		explain_hang(batch->lane, item, attempt->limit, result);
		retry = false;
	}
	if (retry)
		prepare_retry(batch, item, result);
	return retry;
}

/* In a fresh child, alone. */
static bool try_again(struct batch *batch, struct run_item *item, double seconds)
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

	/* without a device the result of the first attempt stands */
	if (find_worker(batch, &worker) < 0) {
		item->ran = !process_interrupted;
		return item->ran;
	}
	worker_run_group(worker, &group, &result, &ignored);
	explain_hang(batch->lane, item, group.limit, &result);
	note_silence(batch->lane, item, result.end);
	if (result.end == OCLMM_END_INTERRUPTED) {
		worker_result_finish(&result);
		return false;
	}
	if (is_worth_retrying(&result))
		worker_relay_drop(batch->relay);
	run_item_take(item, &result, 2);
	item->ran = true;
	return true;
}

/* Takes the results that need no second attempt. */
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
	/* a child in which something went wrong does not get the next test */
	if (retry || attempt->end != OCLMM_END_OK)
		worker_relay_drop(attempt->batch->relay);
	else
		worker_relay_served(attempt->batch->relay, attempt->group.count);
	free(again);
}

/* Makes all attempts at the tests of a group; `ran` gets which of them have a result. Returns
 * false when the run ends here. */
static bool run_group(struct batch *batch, const struct run_group *group, double seconds)
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

/* Syncs the written results to the disk. */
static void sync_batch(const struct batch *batch)
{
	struct run_session *session = batch->run->session;

	for (size_t i = 0; i < session->output_count; i++)
		run_output_sync(&session->outputs[i]);
}

/* Syncs them, and ends the children. */
static void end_batch(struct batch *batch)
{
	worker_relay_destroy(batch->relay);
	batch->relay = NULL;
	sync_batch(batch);
}

/* ---- compiling beforehand ---- */

/*
 * Compiling takes most of a run. Other processes, as many as there are processors, do it ahead and
 * leave the result in the driver's cache. On a CPU they halt while launches of a test run, because
 * they would keep its work-groups from running together. They go on while the next test is built,
 * which takes a driver far longer even from its cache.
 */

enum { PROCESSES_USUAL = 16 };
/* The fewest jobs of each process, because a driver takes time to start. On a CPU that time is
 * lost when the driver has the programs already. */
enum { JOBS_LEAST = 2, JOBS_LEAST_CPU = 16 };
/* Tests after which we know whether the driver keeps what it compiles, and programs after which
 * we know whether it had them before. */
enum { ENOUGH = 8 };
/* Seconds of processor time for a program from which on other processes are worth it: on a CPU
 * each takes the place of another. */
static const double WORTH = 0.1;
/* The part of the time to build ahead that building again may take where the driver has a cache. */
static const double LEFT_MOST = 0.5;

struct run_ahead {
	struct worker_ahead *worker;
	struct oclmm_run_request *jobs;
	size_t count;
	unsigned processes;
	bool halts; /* while launches run: on a CPU */
	/* of the first programs that were built ahead */
	size_t programs;
	double processor;
	double before, again; /* seconds of building, for tests that were built twice */
	size_t twice;
};

static unsigned count_processes(const struct run *run, size_t jobs)
{
	/* processors that this process may use; in a container fewer than there are */
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

/* Sixteen processes that open an H200 at once take 2.2 s each, and one takes 0.5. So on a GPU
 * one process finds out whether there is anything to compile. */
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

/* Ends the processes, unless another device of the run may be waiting for them. */
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

/* Where the n-th job of all groups is being compiled, waits for it. Returns the seconds that
 * compiling took, or 0. */
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

/* Notes how long these tests took to compile ahead, and how long to build again. Where the
 * driver keeps nothing, compiling ahead ends. */
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
 * When every test ran once, the rest of a budget buys more launches of tests that lack confidence,
 * beside their controls. It is spent in rounds, because the results of one decide what the next
 * should run.
 */

/* One round: parts of tests, and for how long. */
struct more {
	struct run_item *parts;
	struct run_item **wholes; /* for each of them the item of the run that it extends */
	size_t count;
	double seconds; /* of each part */
	struct run_schedule schedule;
};

static double left_of(const struct run *run)
{
	return run->started_at + run->options.budget - oclmm_clock();
}

/* Nearest to confidence first. Tests that do not gate come when no gating one lacks confidence. */
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

/* Half of what is left is shared evenly; its results decide about the other half. */
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
	struct batch batch = {
		.run = run, .lane = lane, .items = more->parts, .schedule = &more->schedule};
	bool go_on = true;

	begin_batch(&batch);
	for (size_t i = 0; go_on && i < more->schedule.group_count; i++) {
		const struct run_group *group = &more->schedule.groups[i];
		double left = left_of(run), seconds = more->seconds * (double)group->tests;

		if (left <= 0 || run->stopped || lane->gone || process_interrupted)
			break;
		lane->doing = more->wholes[group->jobs[0]]->test->variant->name;
		go_on = run_group(&batch, group, seconds < left ? seconds : left);
		for (size_t k = 0; k < group->tests; k++) {
			size_t part = group->jobs[k];

			more->parts[part].lane = lane;
			if (more->parts[part].ran)
				take_part(run, &more->parts[part], more->wholes[part]);
		}
	}
	end_batch(&batch);
}

/* The tests that ran on this device go on there. */
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

/* False when no test lacks confidence, or more launches cannot help. */
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

/* A group that fails before its launches begin is over, too. */
static void note_plays(void *data, bool now)
{
	struct run_lane *lane = data;

	if (lane->plays == now)
		return;
	lane->plays = now;
	ahead_plays(lane->run, now);
}

/*
 * The share of so many tests in the budget's first part; 0 without a budget, where the instances
 * asked for count. False when the whole budget is spent.
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

/* Waits until the jobs of a group are compiled; returns how long its tests took, together and
 * each. */
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
	item->record.identity.device_id = *lane->identity->id ? lane->identity->id : NULL;
	item->record.counts.compile_seconds += before;
	run_item_judge(item, &run->context);
	run_report(run, item, item);
	run->done++;
}

/* Notes that the lane works on none of them any more. */
static void finish_group(struct run_lane *lane, const struct run_group *group, const double *before,
                         double *ret_again)
{
	struct run *run = lane->run;

	lane->at_hand = 0;
	for (size_t i = 0; i < group->tests; i++) {
		struct run_item *item = &run->items[group->jobs[i]];

		if (!item->ran)
			continue;
		*ret_again += item->record.counts.compile_seconds;
		finish_item(lane, item, before[i]);
	}
}

static bool run_next(struct batch *batch, const struct run_group *group)
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
	go_on = run_group(batch, group, seconds);
	finish_group(lane, group, each, &again);
	ahead_note(run, group->tests, before, again);
	free(each);
	return go_on;
}

/* A free device takes the next group. False when the run, or this device, ends here. */
static bool run_groups(struct run *run, struct batch *batch)
{
	bool go_on = true;
	size_t since = 0;

	while (go_on && run->next_group < run->schedule.group_count) {
		const struct run_group *group = &run->schedule.groups[run->next_group++];

		if (since > BATCH) {
			sync_batch(batch);
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
	struct batch batch = {
		.run = run, .lane = lane, .items = run->items, .schedule = &run->schedule};
	bool all;

	begin_batch(&batch);
	all = run_groups(run, &batch);
	end_batch(&batch);
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
		if (!run->items[i].done) {
			run_item_prepare(&run->items[i], &run->context, &run->selection.chosen[i],
			                 run_expected_of(run, i));
			if (run->codes)
				run->items[i].record.code = run->codes[i];
		}
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
