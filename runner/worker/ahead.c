// SPDX-License-Identifier: Apache-2.0
/*
 * Children that build kernels ahead, so that the driver's cache has them when they run. They take
 * one job after the other from memory that they share with the program, and report only there. A
 * kernel that crashes its compiler takes one of these children down; the run builds it again in a
 * child of its own, and reports it.
 *
 * A child that is no copy of the program shares nothing. A thread of the program stands in for it:
 * that takes each job as a copy would, and asks the child to build it, which thus has the next one
 * as soon as it is ready, whatever the program waits for.
 */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>

#include "child.h"
#include "jobs.h"

enum { PROCESSES_MOST = 64, DEATHS_MOST = 16 };

/* Time between two looks of somebody who waits. */
static const double NAP = 0.002;
/* Seconds from which on a program counts as compiled: taking it from a cache is far below,
 * compiling it for a GPU above. */
static const double WORTH = 0.03;
/* Seconds that the first job of a process may take beside, for what its driver does only once. */
static const double ONCE = 0.3;

enum state { FREE, TAKEN, OVER };

struct entry {
	_Atomic int state;
	_Atomic int owner;         /* where TAKEN: the number of the process */
	struct worker_built built; /* of one that is OVER */
};

struct shared {
	atomic_size_t next;
	atomic_bool worth;     /* a job took long enough to start all processes */
	_Atomic double paused; /* seconds, of all pauses that are over */
	struct entry entries[];
};

struct worker_ahead {
	const struct oclmm_run_request *jobs;
	size_t count;
	const struct oclmm_device_identity *identity;
	struct shared *shared;
	size_t bytes;
	struct builder {
		struct worker_ahead *ahead;
		struct process process;
		pthread_t stand_in; /* of a process that is no copy */
		bool stood_in;
	} builders[PROCESSES_MOST];
	unsigned processes; /* processes started so far, and … */
	unsigned most;      /* … processes once a job is worth it */
	unsigned deaths;
	unsigned pauses; /* that are not over, and … */
	double since;    /* … when the first of those began */
};

/* Programs compiled as one text are built with the first of them. */
static bool is_built_with_another(const struct oclmm_run_request *job)
{
	return job->joint && job->joint->programs[0] != job->program;
}

/* ---- one after the other, in a copy or in its stead ---- */

/* Takes the next job that is free; false when there will be none. */
static bool take(struct worker_ahead *ahead, int own, size_t *ret_job)
{
	struct shared *shared = ahead->shared;

	for (;;) {
		size_t next = atomic_fetch_add(&shared->next, 1);
		int expected = FREE;

		if (next >= ahead->count)
			return false;
		atomic_store(&shared->entries[next].owner, own);
		if (!atomic_compare_exchange_strong(&shared->entries[next].state, &expected, TAKEN))
			continue;
		*ret_job = next;
		return true;
	}
}

static bool is_worth_others(const struct oclmm_run_request *job, double seconds)
{
	return seconds >= WORTH * (job->joint ? job->joint->count : 1);
}

/* Asks the child to build it. Returns whether it did: if not, it is of no use any more. */
static bool ask_to_build(struct process *process, const struct oclmm_run_request *job,
                         struct worker_compiled *ret_compiled)
{
	/* what is asked of outcomes may be about what the program counts meanwhile */
	const struct oclmm_run_request request = {
		.program = job->program,
		.space = job->space,
		.joint = job->joint,
		.environment = job->environment,
		.environment_count = job->environment_count,
	};
	const size_t first = 0;
	struct oclmm_text text = {0};
	struct wire_reader reader;
	uint32_t kind;
	bool sent;

	worker_jobs_pack(&text, &request, &first, 1);
	sent = wire_send(process->socket, WIRE_BUILD, &text) == 0;
	oclmm_text_finish(&text);
	if (!sent || wire_wait(&process->input, process->socket, WIRE_KINDS, &kind, &reader) <= 0 ||
	    kind != WIRE_BUILT)
		return false;
	wire_get(&reader, ret_compiled, sizeof(*ret_compiled));
	/* its memory may have been overwritten */
	return !reader.failed && ret_compiled->seconds >= 0 && ret_compiled->processor >= 0;
}

/* \param device NULL: that of a child that is no copy */
static void build_all(struct builder *builder, struct oclmm_device *device)
{
	struct worker_ahead *ahead = builder->ahead;
	struct shared *shared = ahead->shared;
	struct worker_compiled compiled;
	double once = ONCE;
	size_t job;

	while (take(ahead, (int)(builder - ahead->builders), &job)) {
		double start = oclmm_clock() - atomic_load(&shared->paused);

		if (device)
			compiled = worker_build(device, &ahead->jobs[job]);
		/* it stays TAKEN until it is seen that the process is gone */
		else if (!ask_to_build(&builder->process, &ahead->jobs[job], &compiled))
			return;
		shared->entries[job].built = (struct worker_built){
			.seconds = oclmm_clock() - atomic_load(&shared->paused) - start,
			.processor = compiled.processor,
		};
		if (is_worth_others(&ahead->jobs[job], compiled.seconds - once))
			atomic_store(&shared->worth, true);
		once = 0;
		atomic_store(&shared->entries[job].state, OVER);
	}
}

static void be_builder(void *data, int socket)
{
	struct builder *builder = data;
	struct oclmm_device *device;
	struct oclmm_error ignored;

	(void)socket;
	if (worker_open_to_build(builder->ahead->identity, &ignored, &device) == 0)
		build_all(builder, device);
}

static void *stand_in(void *data)
{
	struct builder *builder = data;
	struct process *process = &builder->process;
	struct oclmm_text text = {0};
	struct wire_reader reader;
	uint32_t kind;

	wire_put(&text, builder->ahead->identity, sizeof(*builder->ahead->identity));
	wire_send(process->socket, WIRE_AHEAD, &text);
	oclmm_text_finish(&text);
	if (wire_wait(&process->input, process->socket, WIRE_KINDS, &kind, &reader) > 0 &&
	    kind == WIRE_OPENED)
		build_all(builder, NULL);
	/* it has nothing to do any more, and ends */
	shutdown(process->socket, SHUT_RDWR);
	return NULL;
}

/* ---- the program's side ---- */

/* A process that cannot be started counts as ended. */
static void start_builder(struct builder *builder)
{
	const struct process_job job = {.run = be_builder,
	                                .data = builder,
	                                .anew = worker_serve,
	                                .talks = true,
	                                .leads = true};

	if (process_start(&job, &builder->process) < 0) {
		builder->process = (struct process){.socket = -1, .output = -1};
		return;
	}
	if (!builder->process.anew)
		return;
	worker_send_settings(&builder->process);
	builder->stood_in = pthread_create(&builder->stand_in, NULL, stand_in, builder) == 0;
}

/* At once, if need be. */
static void end_builder(struct builder *builder)
{
	process_signal(&builder->process, SIGKILL);
	if (builder->stood_in) {
		/* what a driver has started may still hold the other end */
		shutdown(builder->process.socket, SHUT_RDWR);
		pthread_join(builder->stand_in, NULL);
		builder->stood_in = false;
	}
	process_finish(&builder->process);
}

static void start_more(struct worker_ahead *ahead, unsigned until)
{
	for (; ahead->processes < until && ahead->processes < ahead->most; ahead->processes++) {
		ahead->builders[ahead->processes].ahead = ahead;
		start_builder(&ahead->builders[ahead->processes]);
	}
}

int worker_ahead_start(const struct oclmm_run_request *jobs, size_t count,
                       const struct oclmm_device_identity *identity, unsigned first,
                       unsigned processes, struct worker_ahead **ret_ahead)
{
	size_t bytes = sizeof(struct shared) + count * sizeof(struct entry);
	struct worker_ahead *ahead;
	void *memory;

	memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		return -errno;
	ahead = oclmm_calloc(1, sizeof(*ahead));
	*ahead = (struct worker_ahead){
		.jobs = jobs,
		.count = count,
		.identity = identity,
		.shared = memory,
		.bytes = bytes,
		.most = processes < PROCESSES_MOST ? processes : PROCESSES_MOST,
	};
	/* new pages hold zeros: all jobs are FREE */
	for (size_t i = 0; i < count; i++)
		if (!jobs[i].program || !jobs[i].space || is_built_with_another(&jobs[i]))
			atomic_store(&ahead->shared->entries[i].state, OVER);
	start_more(ahead, first);
	*ret_ahead = ahead;
	return 0;
}

static void signal_all(struct worker_ahead *ahead, int number)
{
	for (unsigned i = 0; i < ahead->processes; i++)
		process_signal(&ahead->builders[i].process, number);
}

void worker_ahead_pause(struct worker_ahead *ahead, bool pause)
{
	double now = oclmm_clock();

	if (pause && ahead->pauses++ == 0) {
		ahead->since = now;
		signal_all(ahead, SIGSTOP);
	} else if (!pause && --ahead->pauses == 0) {
		/* before they go on and look at it */
		atomic_store(&ahead->shared->paused,
		             atomic_load(&ahead->shared->paused) + now - ahead->since);
		signal_all(ahead, SIGCONT);
	}
}

/* Starts the other processes when programs turn out not to be in a cache. Not during a pause: a
 * new process would not halt. */
static void reinforce(struct worker_ahead *ahead)
{
	if (ahead->processes < ahead->most && ahead->pauses == 0 &&
	    atomic_load(&ahead->shared->worth))
		start_more(ahead, ahead->most);
}

/* Whether a process runs; one that died is replaced, but not without end. */
static bool is_running(struct builder *builder)
{
	struct process *process = &builder->process;

	if (process->pid == 0)
		return false;
	if (!process_is_gone(process))
		return true;
	if (process->status != 0 && ++builder->ahead->deaths <= DEATHS_MOST) {
		end_builder(builder);
		start_builder(builder);
	}
	return false;
}

struct worker_built worker_ahead_wait(struct worker_ahead *ahead, size_t job, double seconds)
{
	const struct worker_built nothing = {0};
	struct entry *entry = &ahead->shared->entries[job];
	double deadline = oclmm_clock() + seconds;
	int expected = FREE;

	reinforce(ahead);
	/* it has not been begun: the program itself builds it sooner */
	if (atomic_compare_exchange_strong(&entry->state, &expected, OVER))
		return nothing;
	while (atomic_load(&entry->state) == TAKEN) {
		struct builder *owner = &ahead->builders[atomic_load(&entry->owner)];

		if (!is_running(owner) || process_interrupted)
			return nothing;
		/* a compiler hangs: a new process takes the next job */
		if (oclmm_clock() > deadline)
			process_signal(&owner->process, SIGKILL);
		reinforce(ahead);
		process_nap(NAP);
	}
	return entry->built;
}

void worker_ahead_stop(struct worker_ahead *ahead)
{
	if (!ahead)
		return;
	/* all at once, because each may take its time to end */
	signal_all(ahead, SIGKILL);
	for (unsigned i = 0; i < ahead->processes; i++)
		end_builder(&ahead->builders[i]);
	munmap(ahead->shared, ahead->bytes);
	free(ahead);
}
