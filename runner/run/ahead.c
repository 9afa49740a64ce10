// SPDX-License-Identifier: Apache-2.0
/*
 * Compiling takes most of a run: other processes do it beforehand, as many as
 * there are processors, and leave the result in the driver's cache. On a CPU
 * they must not be at it while a test runs, for they would take its work-groups
 * apart; there some tests are built, and then run, in turn.
 */
#include <stdlib.h>

#include "run.h"

enum { PROCESSES_USUAL = 16 };
/* Jobs for each process at least, for a driver takes its time to start; on a CPU this time is lost
 * to a run whose programs the driver has. */
enum { JOBS_LEAST = 2, JOBS_LEAST_IN_TURN = 16 };
/* Jobs on a CPU between two waits, for each process: few at first, which show whether it pays; at
 * the end of each window processors are idle. */
enum { WINDOW_FIRST = 1, WINDOW_MOST = 8 };
/* Tests after which it is clear whether the driver keeps what it compiled. */
enum { ENOUGH = 8 };
/* Seconds that building takes where it is worth other processes: on a CPU each takes the place of
 * another. */
static const double WORTH = 0.25;
/* Of what building took beforehand, what may be left when it is done again. */
static const double LEFT_MOST = 0.5;

struct run_ahead {
	struct worker_ahead *worker;
	struct oclmm_run_request *jobs;
	size_t count;
	size_t allowed;
	unsigned processes;
	bool in_turn;         /* on a CPU */
	size_t window;        /* jobs of each process before the next wait */
	double before, again; /* seconds that building took, of the tests that were built twice */
	size_t twice;
};

static unsigned count_processes(const struct run *run, size_t jobs)
{
	/* that this process may use: in a container fewer than there are */
	uint64_t processors = run->context.device->processors;
	uint64_t wanted = processors > PROCESSES_USUAL ? PROCESSES_USUAL : processors;
	size_t each = JOBS_LEAST;

	if (run->options.compilers_given)
		wanted = run->options.compilers;
	else if (processors < 2)
		wanted = 0;
	else if (run->ahead->in_turn)
		each = JOBS_LEAST_IN_TURN;
	return wanted > jobs / each ? (unsigned)(jobs / each) : (unsigned)wanted;
}

void run_ahead_begin(struct run *run)
{
	struct run_ahead *ahead = oclmm_calloc(1, sizeof(*ahead));
	const struct run_schedule *schedule = &run->schedule;

	run->ahead = ahead;
	for (size_t i = 0; i < schedule->group_count; i++)
		ahead->count += schedule->groups[i].count;
	ahead->jobs = oclmm_calloc(ahead->count + 1, sizeof(*ahead->jobs));
	ahead->window = WINDOW_FIRST;
	ahead->in_turn = (run->context.device->type & CL_DEVICE_TYPE_CPU) != 0;
	for (size_t i = 0; i < schedule->group_count; i++) {
		const struct run_group *group = &schedule->groups[i];

		for (size_t k = 0; k < group->count; k++)
			ahead->jobs[group->first + k] = schedule->jobs[group->jobs[k]];
	}
	ahead->processes = count_processes(run, ahead->count);
	if (ahead->processes == 0 ||
	    worker_ahead_start(ahead->jobs, ahead->count, run->context.identity, ahead->processes,
	                       !ahead->in_turn, &ahead->worker) < 0)
		ahead->worker = NULL;
	if (ahead->worker && !ahead->in_turn)
		worker_ahead_allow(ahead->worker, ahead->count);
}

static double wait_for(const struct run *run, size_t index)
{
	return worker_ahead_wait(run->ahead->worker, index, run->options.limit);
}

/* Not where another device of the run may be waiting for them. */
static void stop(struct run *run)
{
	if (run->lane_count > 1)
		return;
	worker_ahead_stop(run->ahead->worker);
	run->ahead->worker = NULL;
}

/* Builds some more, all of them before the first is run. */
static void fill_window(struct run *run, size_t index)
{
	struct run_ahead *ahead = run->ahead;
	size_t end = index + ahead->window * ahead->processes, built = 0;
	bool first = ahead->allowed == 0;
	double sum = 0;

	if (index < ahead->allowed)
		return;
	ahead->window = ahead->window < WINDOW_MOST ? 2 * ahead->window : WINDOW_MOST;
	ahead->allowed = end < ahead->count ? end : ahead->count;
	worker_ahead_allow(ahead->worker, ahead->allowed);
	worker_ahead_begun(ahead->worker, ahead->allowed, run->options.limit);
	for (size_t i = index; i < ahead->allowed; i++) {
		double seconds = wait_for(run, i);

		sum += seconds;
		built += seconds > 0;
	}
	/* the driver's cache may hold them already */
	if (first && !run->options.compilers_given && sum < (double)built * WORTH)
		stop(run);
}

double run_ahead_wait(struct run *run, size_t index)
{
	struct run_ahead *ahead = run->ahead;

	if (!ahead->worker)
		return 0;
	if (ahead->in_turn)
		fill_window(run, index);
	return ahead->worker ? wait_for(run, index) : 0;
}

void run_ahead_note(struct run *run, size_t tests, double before, double again)
{
	struct run_ahead *ahead = run->ahead;

	if (!ahead->worker || before <= 0)
		return;
	ahead->before += before;
	ahead->again += again;
	ahead->twice += tests;
	if (ahead->twice < ENOUGH || ahead->again <= ahead->before * LEFT_MOST)
		return;
	stop(run);
}

void run_ahead_end(struct run *run)
{
	if (!run->ahead)
		return;
	worker_ahead_stop(run->ahead->worker);
	free(run->ahead->jobs);
	free(run->ahead);
	run->ahead = NULL;
}
