// SPDX-License-Identifier: Apache-2.0
/*
 * Children that build kernels before their turn, so that the driver's cache of
 * compiled programs holds them when they are run. They take one job after the
 * other from memory that they share with the program, and say nothing but
 * there. A kernel that takes its compiler down takes one of these children
 * with it; the run meets it again in its own child, and reports it.
 */
#include "internal.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

enum { PROCESSES_MOST = 64, DEATHS_MOST = 16 };
/* Below the program itself, where it feeds the device meanwhile. */
enum { NICENESS = 5 };

/* A killed process is gone within this, or it is stuck in its driver for good. */
static const double KILL_SECONDS = 5;

enum state { FREE, TAKEN, OVER };

struct entry {
	_Atomic int state;
	_Atomic int owner; /* of a TAKEN one: the number of the process */
	double seconds;    /* of one that is OVER */
};

struct shared {
	atomic_size_t next;
	atomic_size_t limit;
	struct entry entries[];
};

struct worker_ahead {
	const struct worker_job *jobs;
	size_t count;
	const struct oclmm_device_identity *identity;
	struct shared *shared;
	size_t bytes;
	pid_t pids[PROCESSES_MOST]; /* 0: gone */
	unsigned processes;
	unsigned deaths;
	bool beside;
};

static void nap(void)
{
	const struct timespec little = {.tv_nsec = 2000000};

	nanosleep(&little, NULL);
}

static struct oclmm_device *open_device(const struct oclmm_device_identity *wanted)
{
	struct oclmm_device_list list;
	struct oclmm_device *device;
	struct oclmm_error error;

	if (oclmm_devices_list(&error, &list) < 0)
		return NULL;
	for (size_t i = 0; i < list.count; i++) {
		struct oclmm_device_identity identity;

		oclmm_device_identify(&list, i, &identity);
		if (strcmp(identity.text, wanted->text) == 0)
			return oclmm_device_open(&list, i, &error, &device) < 0 ? NULL : device;
	}
	return NULL;
}

static void build(struct oclmm_device *device, const struct worker_job *job)
{
	const struct oclmm_run_request request = {
		.program = job->program,
		.space = job->space,
		.environment = job->environment,
		.environment_count = job->environment_count,
		.build_only = true,
	};
	struct oclmm_run_result result = {0};
	struct oclmm_error ignored;

	oclmm_run(device, &request, &ignored, &result);
	oclmm_run_result_finish(&result);
}

/* The next job that nobody has; false when there will be none. */
static bool take(struct worker_ahead *ahead, int own, size_t *ret_job)
{
	struct shared *shared = ahead->shared;

	for (;;) {
		size_t next = atomic_load(&shared->next);
		int expected = FREE;

		if (next >= ahead->count)
			return false;
		if (next >= atomic_load(&shared->limit)) {
			nap();
			continue;
		}
		if (!atomic_compare_exchange_strong(&shared->next, &next, next + 1))
			continue;
		atomic_store(&shared->entries[next].owner, own);
		if (!atomic_compare_exchange_strong(&shared->entries[next].state, &expected, TAKEN))
			continue;
		*ret_job = next;
		return true;
	}
}

static _Noreturn void become_builder(struct worker_ahead *ahead, int own, pid_t parent)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	struct oclmm_device *device;
	size_t job;

#ifdef __linux__
	prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
	if (getppid() != parent)
		_exit(1);
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_DFL);
	for (int i = STDIN_FILENO; null >= 0 && i <= STDERR_FILENO; i++)
		dup2(null, i);
	if (ahead->beside && nice(NICENESS) == -1)
		errno = 0; /* it is a favour, no more */
	device = open_device(ahead->identity);
	while (device && take(ahead, own, &job)) {
		double start = worker_clock();

		build(device, &ahead->jobs[job]);
		ahead->shared->entries[job].seconds = worker_clock() - start;
		atomic_store(&ahead->shared->entries[job].state, OVER);
	}
	_exit(0);
}

static void start_process(struct worker_ahead *ahead, unsigned number)
{
	pid_t parent = getpid(), pid;

	pid = fork();
	if (pid == 0)
		become_builder(ahead, (int)number, parent);
	ahead->pids[number] = pid > 0 ? pid : 0;
}

int worker_ahead_start(const struct worker_job *jobs, size_t count,
                       const struct oclmm_device_identity *identity, unsigned processes,
                       bool beside, struct worker_ahead **ret_ahead)
{
	size_t bytes = sizeof(struct shared) + count * sizeof(struct entry);
	void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	struct worker_ahead *ahead;

	if (memory == MAP_FAILED)
		return -errno;
	ahead = oclmm_calloc(1, sizeof(*ahead));
	*ahead = (struct worker_ahead){
		.jobs = jobs,
		.count = count,
		.identity = identity,
		.shared = memory,
		.bytes = bytes,
		.processes = processes < PROCESSES_MOST ? processes : PROCESSES_MOST,
		.beside = beside,
	};
	/* new pages hold zeros: all jobs are FREE */
	for (size_t i = 0; i < count; i++)
		if (!jobs[i].program || !jobs[i].space)
			atomic_store(&ahead->shared->entries[i].state, OVER);
	fflush(NULL);
	for (unsigned i = 0; i < ahead->processes; i++)
		start_process(ahead, i);
	*ret_ahead = ahead;
	return 0;
}

void worker_ahead_allow(struct worker_ahead *ahead, size_t limit)
{
	atomic_store(&ahead->shared->limit, limit);
}

/* Whether a process runs; one that died is followed by another, but not for ever. */
static bool is_running(struct worker_ahead *ahead, unsigned number)
{
	int status;

	if (ahead->pids[number] == 0)
		return false;
	if (waitpid(ahead->pids[number], &status, WNOHANG) == 0)
		return true;
	ahead->pids[number] = 0;
	if (!(WIFEXITED(status) && WEXITSTATUS(status) == 0) && ++ahead->deaths <= DEATHS_MOST)
		start_process(ahead, number);
	return false;
}

double worker_ahead_wait(struct worker_ahead *ahead, size_t job, double seconds,
                         const volatile sig_atomic_t *interrupted)
{
	struct entry *entry = &ahead->shared->entries[job];
	double deadline = worker_clock() + seconds;
	int expected = FREE;

	/* nobody has it yet: the program is faster by itself */
	if (atomic_compare_exchange_strong(&entry->state, &expected, OVER))
		return 0;
	while (atomic_load(&entry->state) == TAKEN) {
		unsigned owner = (unsigned)atomic_load(&entry->owner);

		if (!is_running(ahead, owner) || (interrupted && *interrupted))
			return 0;
		/* a compiler that hangs: its next builder takes the next job */
		if (worker_clock() > deadline)
			kill(ahead->pids[owner], SIGKILL);
		nap();
	}
	return entry->seconds;
}

static bool anybody_runs(struct worker_ahead *ahead)
{
	bool any = false;

	for (unsigned i = 0; i < ahead->processes; i++)
		any |= is_running(ahead, i);
	return any;
}

void worker_ahead_begun(struct worker_ahead *ahead, size_t limit, double seconds,
                        const volatile sig_atomic_t *interrupted)
{
	double deadline = worker_clock() + seconds;

	while (atomic_load(&ahead->shared->next) < limit && anybody_runs(ahead) &&
	       !(interrupted && *interrupted) && worker_clock() < deadline)
		nap();
}

void worker_ahead_stop(struct worker_ahead *ahead)
{
	double deadline = worker_clock() + KILL_SECONDS;

	if (!ahead)
		return;
	for (unsigned i = 0; i < ahead->processes; i++)
		if (ahead->pids[i])
			kill(ahead->pids[i], SIGKILL);
	/* one that not even that ends is left to the system */
	for (unsigned i = 0; i < ahead->processes; i++)
		while (ahead->pids[i] && waitpid(ahead->pids[i], NULL, WNOHANG) == 0 &&
		       worker_clock() < deadline)
			nap();
	munmap(ahead->shared, ahead->bytes);
	free(ahead);
}
