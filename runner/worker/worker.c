// SPDX-License-Identifier: Apache-2.0
/* The program's side: starts a child, waits for its answers, and ends it. */
#include "internal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

/* A killed process is gone within this, or it is stuck in its driver for good. */
static const double KILL_SECONDS = 5;
/* A child that was asked to go needs no longer than this. */
static const double LEAVE_SECONDS = 0.5;
/* How often a wait looks whether it was interrupted. */
static const double SLICE = 0.1;

static void say_nothing(struct worker *worker)
{
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC);

	if (null >= 0)
		dup2(null, STDIN_FILENO);
	if (worker->log) {
		dup2(fileno(worker->log), STDOUT_FILENO);
		dup2(fileno(worker->log), STDERR_FILENO);
	}
}

static _Noreturn void become_child(struct worker *worker, int socket, pid_t parent)
{
#ifdef __linux__
	/* a run that is killed must leave nothing behind that still holds the device */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
	if (getppid() != parent)
		_exit(1);
	/* the terminal's Ctrl-C is the program's to answer */
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_DFL);
	say_nothing(worker);
	worker_child(socket, worker->jobs, worker->count);
}

static int fork_child(struct worker *worker)
{
	pid_t parent = getpid();
	int sockets[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) < 0)
		return -errno;
	fflush(NULL);
	worker->pid = fork();
	if (worker->pid < 0) {
		int r = -errno;

		close(sockets[0]);
		close(sockets[1]);
		worker->pid = 0;
		return r;
	}
	if (worker->pid == 0) {
		close(sockets[0]);
		become_child(worker, sockets[1], parent);
	}
	close(sockets[1]);
	worker->socket = sockets[0];
	return 0;
}

int worker_start(const struct worker_options *options, const struct worker_job *jobs, size_t count,
                 struct worker **ret_worker)
{
	struct worker *worker = oclmm_calloc(1, sizeof(*worker));
	int r;

	worker->options = *options;
	worker->jobs = jobs;
	worker->count = count;
	worker->socket = -1;
	worker->log = tmpfile();
	if (worker->log) {
		fcntl(fileno(worker->log), F_SETFD, FD_CLOEXEC);
		fcntl(fileno(worker->log), F_SETFL, O_APPEND);
	}
	r = fork_child(worker);
	if (r < 0) {
		worker_stop(worker);
		return r;
	}
	*ret_worker = worker;
	return 0;
}

static bool is_gone(struct worker *worker)
{
	pid_t r;

	if (worker->pid == 0)
		return true;
	r = waitpid(worker->pid, &worker->status, WNOHANG);
	if (r == 0 || (r < 0 && errno == EINTR))
		return false;
	worker->pid = 0;
	return true;
}

static bool wait_gone(struct worker *worker, double seconds)
{
	const struct timespec nap = {.tv_nsec = 1000000};
	double end = worker_clock() + seconds;

	while (!is_gone(worker)) {
		if (worker_clock() > end)
			return false;
		nanosleep(&nap, NULL);
	}
	return true;
}

/* One that not even SIGKILL ends is left to the system: the run must go on. */
void worker_end_by_force(struct worker *worker)
{
	if (worker->pid)
		kill(worker->pid, SIGKILL);
	wait_gone(worker, KILL_SECONDS);
	worker->pid = 0;
}

void worker_stop(struct worker *worker)
{
	if (!worker)
		return;
	if (worker->socket >= 0)
		close(worker->socket);
	if (!wait_gone(worker, LEAVE_SECONDS))
		worker_end_by_force(worker);
	if (worker->log)
		fclose(worker->log);
	oclmm_text_finish(&worker->input.text);
	free(worker);
}

bool worker_is_dead(const struct worker *worker)
{
	return worker->pid == 0;
}

static bool is_interrupted(const struct worker *worker)
{
	return worker->options.interrupted && *worker->options.interrupted;
}

static void take_progress(struct worker *worker, struct wire_reader *reader)
{
	double fraction;

	worker->doing = "while it ran";
	wire_get(reader, &fraction, sizeof(fraction));
	if (worker->options.progress && !reader->failed)
		worker->options.progress(worker->options.data, fraction);
}

/* What is said meanwhile. Returns whether it is such; negative: damage. */
static int take_aside(struct worker *worker, uint32_t kind, struct wire_reader *reader)
{
	int r;

	switch (kind) {
	case WIRE_PROGRESS: take_progress(worker, reader); return 1;
	case WIRE_CLASS: r = worker_class_unpack(reader, &worker->said); return r < 0 ? r : 1;
	default: return 0;
	}
}

/* Waits for bytes, or for the child's end. Negative: nothing more will come. */
static int wait_bytes(struct worker *worker, double seconds)
{
	struct pollfd wait = {.fd = worker->socket, .events = POLLIN};
	bool gone;
	long size;

	poll(&wait, 1, (int)(seconds * 1000) + 1);
	/* asked first: all that one that is gone has said is there to be read */
	gone = is_gone(worker);
	size = wire_receive(&worker->input, worker->socket);
	if (size > 0)
		return 0;
	/* a process that the driver started may hold the socket open: ask for the child itself,
	 * too */
	if (size == 0 || (size == -EAGAIN && gone))
		return -EPIPE;
	return size == -EAGAIN ? 0 : -EPIPE;
}

/* The answer to a request. WORKER_OK: a frame; else the child is no more. */
static enum worker_end await(struct worker *worker, uint32_t *ret_kind,
                             struct wire_reader *ret_reader)
{
	double deadline = worker_clock() + worker->options.limit;
	enum worker_end end = WORKER_CRASH;

	for (;;) {
		int r = wire_next(&worker->input, ret_kind, ret_reader);
		int aside = r > 0 ? take_aside(worker, *ret_kind, ret_reader) : 0;
		double left = deadline - worker_clock();

		if (r < 0 || aside < 0)
			break;
		if (r > 0 && !aside)
			return WORKER_OK;
		if (aside) {
			deadline = worker_clock() + worker->options.limit;
			continue;
		}
		end = is_interrupted(worker) ? WORKER_INTERRUPTED
		      : left <= 0            ? WORKER_TIMEOUT
		                             : WORKER_CRASH;
		if (end != WORKER_CRASH || wait_bytes(worker, left < SLICE ? left : SLICE) < 0)
			break;
	}
	/* a signal to the whole process group ends the child, too */
	if (end == WORKER_CRASH && is_interrupted(worker))
		end = WORKER_INTERRUPTED;
	/* a crash needs a moment from the socket's end to the process's own */
	if (end != WORKER_CRASH || !wait_gone(worker, LEAVE_SECONDS))
		worker_end_by_force(worker);
	return end;
}

/* By request; a run is under way once it is heard of. */
static const char *const doing[] = {
	[WIRE_LIST] = "while it listed its devices",
	[WIRE_OPEN] = "while the device was opened",
	[WIRE_RUN] = "before its first launch was over",
	[WIRE_BINARY] = "while it was asked for a binary",
	[WIRE_PROBE] = "while its compiler was asked what it takes",
};

enum worker_end worker_ask(struct worker *worker, enum wire_kind kind, struct oclmm_text *text,
                           uint32_t *ret_kind, struct wire_reader *ret_reader)
{
	worker->doing = doing[kind];
	worker->said = (struct worker_result){0};
	/* each request's chatter by itself */
	if (worker->log && ftruncate(fileno(worker->log), 0) < 0)
		errno = 0;
	wire_send(worker->socket, kind, text);
	if (text)
		oclmm_text_finish(text);
	return await(worker, ret_kind, ret_reader);
}
