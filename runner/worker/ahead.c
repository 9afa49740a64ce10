// SPDX-License-Identifier: Apache-2.0
/*
 * Children that build kernels ahead, so that the driver's cache has them when they run. They take
 * one job after the other from memory that they share with the program, and report only there. A
 * kernel that crashes its compiler takes one of these children down; the run builds it again in a
 * child of its own, and reports it.
 */
#include "worker.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "platform/system.h"
#include "process/process.h"

enum { PROCESSES_MOST = 64, DEATHS_MOST = 16 };
/* Below the children that run tests meanwhile. */
enum { NICENESS = 5 };

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

/* \return the seconds that its programs took. */
static double build(struct oclmm_device *device, const struct oclmm_run_request *job)
{
	const struct oclmm_joint *joint = job->joint;
	struct oclmm_run_request requests[OCLMM_JOINT_MOST] = {{0}};
	struct oclmm_run_result results[OCLMM_JOINT_MOST];
	struct oclmm_run_end ends[OCLMM_JOINT_MOST];
	uint32_t count = joint ? joint->count : 1;
	double seconds = 0;

	for (uint32_t i = 0; i < count; i++)
		requests[i] = (struct oclmm_run_request){
			.program = joint ? joint->programs[i] : job->program,
			.space = joint ? joint->spaces[i] : job->space,
			.joint = joint,
			.environment = job->environment,
			.environment_count = job->environment_count,
			.build_only = true,
		};
	for (uint32_t i = 0; joint && i < count; i++) {
		if (!joint->environments[i])
			continue;
		requests[i].environment = joint->environments[i];
		requests[i].environment_count = joint->environment_counts[i];
	}
	oclmm_run_together(device, requests, count, 0, ends, results);
	for (uint32_t i = 0; i < count; i++) {
		seconds += results[i].build_seconds;
		oclmm_run_result_finish(&results[i]);
	}
	return seconds;
}

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

/* No two threads have to meet here, and a compiler's thread may be bound to a processor that
 * another builder uses. */
static int open_unbound(const struct worker_ahead *ahead, struct oclmm_device **ret_device)
{
	bool unbound = oclmm_devices_bind(false);
	struct oclmm_error ignored;
	int r = oclmm_device_open_identified(ahead->identity, &ignored, ret_device);

	/* programs kept on the disk are for runs, whose variables are part of the key */
	if (unbound)
		oclmm_devices_bind(true);
	return r;
}

static bool is_worth_others(const struct oclmm_run_request *job, double seconds)
{
	return seconds >= WORTH * (job->joint ? job->joint->count : 1);
}

/* Seconds of processor time that this process has used. */
static double processor_clock(void)
{
	struct timespec now = {0};

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void be_builder(void *data, int socket)
{
	const struct builder *builder = data;
	struct worker_ahead *ahead = builder->ahead;
	struct shared *shared = ahead->shared;
	struct oclmm_device *device;
	double once = ONCE;
	size_t job;

	(void)socket;
	if (nice(NICENESS) == -1)
		errno = 0; /* it is a favour, no more */
	if (open_unbound(ahead, &device) < 0)
		return;
	while (take(ahead, (int)(builder - ahead->builders), &job)) {
		double start = oclmm_clock() - atomic_load(&shared->paused);
		double processor = processor_clock();
		double built = build(device, &ahead->jobs[job]);

		shared->entries[job].built = (struct worker_built){
			.seconds = oclmm_clock() - atomic_load(&shared->paused) - start,
			.processor = processor_clock() - processor,
		};
		if (is_worth_others(&ahead->jobs[job], built - once))
			atomic_store(&shared->worth, true);
		once = 0;
		atomic_store(&shared->entries[job].state, OVER);
	}
}

/* A process that cannot be started counts as ended. */
static void start_builder(struct builder *builder)
{
	const struct process_job job = {.run = be_builder, .data = builder, .leads = true};

	if (process_start(&job, &builder->process) < 0)
		builder->process = (struct process){.socket = -1, .output = -1};
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

	/* what is shared is shared with copies of this process alone */
	if (!oclmm_can_copy)
		return -ENOSYS;
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
	if (process->status != 0 && ++builder->ahead->deaths <= DEATHS_MOST)
		start_builder(builder);
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
		process_finish(&ahead->builders[i].process);
	munmap(ahead->shared, ahead->bytes);
	free(ahead);
}
