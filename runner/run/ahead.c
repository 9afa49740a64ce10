// SPDX-License-Identifier: Apache-2.0
/*
 * Compiling takes most of a run: other processes do it beforehand, as many as
 * there are processors, and leave the result in the driver's cache. On a CPU
 * they halt while launches of a test run, for they would take its work-groups
 * apart, and go on while the next test is built, which takes a driver far longer
 * even from its cache.
 */
#include <stdlib.h>

#include "run.h"

enum { PROCESSES_USUAL = 16 };
/* Jobs for each process at least, for a driver takes its time to start; on a CPU this time is lost
 * to a run whose programs the driver has. */
enum { JOBS_LEAST = 2, JOBS_LEAST_CPU = 16 };
/* Tests after which it is clear whether the driver keeps what it compiled, and programs after which
 * it is whether it had them before. */
enum { ENOUGH = 8 };
/* Seconds of processor time that building a program takes where it is worth other processes: on a
 * CPU each takes the place of another. */
static const double WORTH = 0.1;
/* Of what building took beforehand, what may be left when it is done again. */
static const double LEFT_MOST = 0.5;

struct run_ahead {
	struct worker_ahead *worker;
	struct oclmm_run_request *jobs;
	size_t count;
	unsigned processes;
	bool halts; /* while launches run: on a CPU */
	/* of the first programs that were built beforehand */
	size_t programs;
	double processor;
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
	else if (run->ahead->halts)
		each = JOBS_LEAST_CPU;
	return wanted > jobs / each ? (unsigned)(jobs / each) : (unsigned)wanted;
}

/* Sixteen processes that open an H200 at once take 2.2 s each, and one takes 0.5. So on a GPU one
 * finds out whether there is anything to compile. */
static unsigned first_of(const struct run *run)
{
	return run->ahead->halts || run->options.compilers_given ? run->ahead->processes : 1;
}

void run_ahead_begin(struct run *run)
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
	    worker_ahead_start(ahead->jobs, ahead->count, run->context.identity, first_of(run),
	                       ahead->processes, &ahead->worker) < 0)
		ahead->worker = NULL;
}

/* Not where another device of the run may be waiting for them. */
static void stop(struct run *run)
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
		stop(run);
}

double run_ahead_wait(struct run *run, size_t index)
{
	struct worker_built built;

	if (!run->ahead->worker)
		return 0;
	built = worker_ahead_wait(run->ahead->worker, index, run->options.limit);
	look_at_first(run, index, &built);
	return built.seconds;
}

void run_ahead_plays(struct run *run, bool now)
{
	if (run->ahead && run->ahead->worker && run->ahead->halts)
		worker_ahead_pause(run->ahead->worker, now);
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
