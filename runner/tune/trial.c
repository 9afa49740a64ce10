// SPDX-License-Identifier: Apache-2.0
/*
 * Runs one environment after the other in a child process. A child that dies or
 * hangs costs the environment that it ran, and a fresh one goes on.
 *
 * A child has its jobs from the fork. Here the job lies in memory that both
 * share, so that the next environment needs no new child: it is written before
 * the request is sent and read after it came.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "tune.h"

/* More failures than this, one behind the other, are not the environments' fault. */
enum { FAILURES_MOST = 5 };
/* Compiling that does not count, in times of what was asked for. */
static const double FORGIVEN_MOST = 2;

struct shared {
	struct oclmm_run_request job;
	struct oclmm_environment environments[OCLMM_ENVIRONMENTS_MAX];
};

struct tuning_trial {
	struct tuning *tuning;
	struct run_item *item;
	struct tuning_result *result;
	struct shared *shared;
	struct worker *worker; /* NULL: none at the moment */
	uint64_t number;       /* of the run: each has a seed of its own */
	unsigned failures;     /* since the last run that went well */
	bool ran;              /* one did */
	double usual_compile;  /* seconds that a run takes to compile what it compiled before */
	double forgiven;       /* seconds of compiling that did not count */
};

struct tuning_trial *tuning_trial_create(struct tuning *tuning, struct run_item *item,
                                         struct tuning_result *result)
{
	struct tuning_trial *trial = oclmm_calloc(1, sizeof(*trial));
	void *memory = mmap(NULL, sizeof(struct shared), PROT_READ | PROT_WRITE,
	                    MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED) {
		free(trial);
		return NULL;
	}
	*trial = (struct tuning_trial){
		.tuning = tuning, .item = item, .result = result, .shared = memory};
	return trial;
}

void tuning_trial_destroy(struct tuning_trial *trial)
{
	if (!trial)
		return;
	worker_stop(trial->worker);
	munmap(trial->shared, sizeof(*trial->shared));
	free(trial);
}

static void set_message(struct tuning_result *result, const char *message)
{
	snprintf(result->message, sizeof(result->message), "%s", message);
	result->message[strcspn(result->message, "\n")] = '\0';
}

static enum tune_ended start(struct tuning_trial *trial)
{
	struct run *run = &trial->tuning->run;
	struct oclmm_error error = {0};

	if (worker_start_on(run->context.identity, &run->worker, &trial->shared->job, 1, &error,
	                    &trial->worker) == 0)
		return TUNE_RAN;
	set_message(trial->result, error.message);
	trial->result->end = process_interrupted ? TUNING_INTERRUPTED : TUNING_FAILED;
	run->stopped = true;
	return TUNE_OVER;
}

static double count_weak(const struct oclmm_grade *grade)
{
	double weak = 0;

	for (uint32_t i = 0; i < grade->row_count; i++)
		weak += grade->rows[i].witness ? (double)grade->rows[i].count : 0;
	return weak;
}

/*
 * Drivers compile anew for each number of lanes, once; later searches and runs
 * do without. That is not the environment's cost, but it is not endless either.
 */
static double forgive(struct tuning_trial *trial)
{
	double compile = trial->item->record.compile_seconds, more = compile - trial->usual_compile;

	if (trial->number == 1 || more < 0)
		trial->usual_compile = compile;
	if (trial->number == 1 || more < trial->usual_compile ||
	    trial->forgiven + more > FORGIVEN_MOST * trial->tuning->options.seconds)
		return 0;
	trial->forgiven += more;
	return more;
}

/* What no environment may ever show: told at once, with all that repeats it. */
static void tell_forbidden(struct tuning_trial *trial, const struct oclmm_environment_set *set)
{
	struct oclmm_text text = {0};

	trial->result->forbidden += trial->item->record.grade.forbidden;
	progress_clear(&trial->tuning->session.progress);
	oclmm_environment_set_print(&text, set);
	options_error(trial->tuning->run.command,
	              "%s showed a forbidden outcome %s, with seed %llu; "
	              "to look closer: oclmm run --environment '%s' %s",
	              trial->item->record.program->name,
	              oclmm_counted(trial->item->record.grade.forbidden, "time").text,
	              (unsigned long long)trial->shared->job.seed, oclmm_text_string(&text),
	              trial->item->record.program->name);
	oclmm_text_finish(&text);
}

static void take(struct tuning_trial *trial, const struct oclmm_environment_set *set,
                 struct worker_result *result, struct tune_sample *ret_sample)
{
	struct run_item *item = trial->item;

	oclmm_grade_finish(&item->record.grade);
	run_item_take(item, result, 1);
	run_item_judge(item, &trial->tuning->run.context);
	trial->ran = true;
	trial->failures = 0;
	trial->result->message[0] = '\0';
	ret_sample->weak = count_weak(&item->record.grade);
	ret_sample->instances = (double)item->record.instances;
	ret_sample->seconds = item->record.seconds;
	trial->result->compile_seconds += item->record.compile_seconds;
	if (item->record.grade.forbidden)
		tell_forbidden(trial, set);
}

/* The child is gone, or not to be trusted any more. */
static enum tune_ended fail(struct tuning_trial *trial, const struct worker_result *result)
{
	struct tuning_result *to = trial->result;

	if (result->end == OCLMM_END_UNSUPPORTED || result->end == OCLMM_END_BUILD_FAILED) {
		if (trial->ran)
			return TUNE_CANDIDATE_LOST;
		set_message(to, result->message);
		to->end = TUNING_NOT_APPLICABLE;
		return TUNE_OVER;
	}
	worker_stop(trial->worker);
	trial->worker = NULL;
	if (result->end == OCLMM_END_INTERRUPTED) {
		to->end = TUNING_INTERRUPTED;
		return TUNE_OVER;
	}
	progress_clear(&trial->tuning->session.progress);
	options_error(trial->tuning->run.command, "note: %s: %s (%s); its environment is out",
	              trial->item->record.program->name, result->message,
	              oclmm_end_words(result->end));
	set_message(to, result->message);
	if (++trial->failures < FAILURES_MOST)
		return TUNE_CANDIDATE_LOST;
	to->end = TUNING_FAILED;
	return TUNE_OVER;
}

enum tune_ended tuning_trial_set(struct tuning_trial *trial,
                                 const struct oclmm_environment_set *set, uint64_t instances,
                                 double seconds, struct tune_sample *ret_sample)
{
	struct worker_result result = {0};
	double begin = oclmm_clock();
	enum tune_ended ended;

	if (process_interrupted) {
		trial->result->end = TUNING_INTERRUPTED;
		return TUNE_OVER;
	}
	trial->shared->job = trial->item->job;
	memcpy(trial->shared->environments, set->environments, sizeof(set->environments));
	trial->shared->job.environment = trial->shared->environments;
	trial->shared->job.environment_count = set->count;
	trial->shared->job.instances = instances;
	trial->shared->job.seed = oclmm_random(trial->item->record.seed, trial->number++);
	ended = trial->worker ? TUNE_RAN : start(trial);
	if (ended == TUNE_RAN) {
		worker_run(trial->worker, 0, seconds, &result);
		if (result.end == OCLMM_END_OK) {
			take(trial, set, &result, ret_sample);
			begin += forgive(trial);
		} else {
			ended = fail(trial, &result);
		}
		worker_result_finish(&result);
	}
	ret_sample->cost = oclmm_clock() - begin;
	return ended;
}

enum tune_ended tuning_trial_run(void *data, const struct oclmm_environment *environment,
                                 double seconds, struct tune_sample *ret_sample)
{
	const struct oclmm_environment_set set = {.environments = {*environment}, .count = 1};

	return tuning_trial_set(data, &set, 0, seconds, ret_sample);
}
