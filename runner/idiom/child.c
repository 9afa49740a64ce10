// SPDX-License-Identifier: Apache-2.0
/*
 * The process in which a program runs. Whenever it begins something, and at the
 * end, the result as far as it is known goes over the pipe: a sign of life, and
 * what can be said of a program that never ends.
 */
#include "internal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

/* Both ends are the same program, so that it goes as it is. */
struct message {
	bool complete;
	struct idiom_result result;
};

struct child {
	int pipe;
	struct message message;
};

/* A killed process is gone within this, or it is stuck in its driver for good. */
static const double KILL_SECONDS = 5;
/* What a compiler may take on a busy machine: a short limit is for the program. */
static const double BUILD_SECONDS = 120;

static const char *const end_words[] = {
#define OCLMM_X(name, word) word,
	IDIOM_ENDS(OCLMM_X)
#undef OCLMM_X
};

const char *idiom_end_word(enum idiom_end end)
{
	return end_words[end];
}

/* ---- the child's side ---- */

static void send_bytes(int pipe, const void *bytes, size_t size)
{
	const char *at = bytes;

	while (size > 0) {
		ssize_t written = write(pipe, at, size);

		if (written < 0 && errno == EINTR)
			continue;
		if (written <= 0)
			_exit(1); /* nobody is there any more */
		at += written;
		size -= (size_t)written;
	}
}

static void say_alive(void *data)
{
	struct child *child = data;

	send_bytes(child->pipe, &child->message, sizeof(child->message));
}

static int open_device(const struct oclmm_device_identity *wanted, struct oclmm_error *error,
                       struct oclmm_device **ret_device)
{
	struct oclmm_device_list list = {0};
	int r = oclmm_devices_list(error, &list);

	for (size_t i = 0; r == 0 && i < list.count; i++) {
		struct oclmm_device_identity identity;

		oclmm_device_identify(&list, i, &identity);
		if (strcmp(identity.text, wanted->text) == 0)
			return oclmm_device_open(&list, i, error, ret_device);
	}
	return r < 0 ? r : oclmm_error_set(error, -ENODEV, "the device is not there any more");
}

/* It leaves by _exit(), so that no exit handler of a driver gets a chance to hang. */
static _Noreturn void become_child(const struct oclmm_device_identity *identity,
                                   const struct idiom_request *request, int pipe)
{
	struct child child = {.pipe = pipe};
	struct idiom_result *result = &child.message.result;
	struct oclmm_device *device = NULL;
	struct oclmm_error error = {0};
	int null = open("/dev/null", O_RDWR);

	if (null >= 0) {
		/* what drivers say of kernels that were refused is in the message */
		dup2(null, STDIN_FILENO);
		dup2(null, STDOUT_FILENO);
		dup2(null, STDERR_FILENO);
	}
	result->end = IDIOM_FAILED;
	if (open_device(identity, &error, &device) == 0)
		idiom_session_run(device, request, say_alive, &child, result);
	else
		snprintf(result->message, sizeof(result->message), "%s", error.message);
	child.message.complete = true;
	say_alive(&child);
	_exit(0);
}

/* ---- the program's side ---- */

struct reading {
	int pipe;
	struct message last; /* the last one that is whole */
	char bytes[sizeof(struct message)];
	size_t count; /* of the next one */
};

/* Returns 0 with a complete result, -ETIME, or -EPIPE when the child ended without one. */
static int await(struct reading *reading, double limit)
{
	double deadline = idiom_clock() + (limit > BUILD_SECONDS ? limit : BUILD_SECONDS);

	while (!reading->last.complete) {
		struct pollfd wait = {.fd = reading->pipe, .events = POLLIN};
		double left = deadline - idiom_clock();
		ssize_t size;

		if (left <= 0)
			return -ETIME;
		if (poll(&wait, 1, left > 1 ? 1000 : (int)(left * 1000) + 1) <= 0)
			continue;
		size = read(reading->pipe, reading->bytes + reading->count,
		            sizeof(reading->bytes) - reading->count);
		if (size < 0 && errno == EINTR)
			continue;
		if (size <= 0)
			return -EPIPE;
		reading->count += (size_t)size;
		if (reading->count < sizeof(reading->bytes))
			continue;
		memcpy(&reading->last, reading->bytes, sizeof(reading->last));
		reading->count = 0;
		deadline = idiom_clock();
		deadline += reading->last.result.launched || limit > BUILD_SECONDS ? limit
		                                                                   : BUILD_SECONDS;
	}
	return 0;
}

/* Returns waitpid()'s status, -1 where not even SIGKILL ends it. */
static int end_child(pid_t pid, bool by_force)
{
	double deadline = idiom_clock() + KILL_SECONDS;
	const struct timespec nap = {.tv_nsec = 1000000};
	int status;

	if (by_force)
		kill(pid, SIGKILL);
	while (waitpid(pid, &status, WNOHANG) == 0) {
		if (idiom_clock() > deadline) {
			if (by_force)
				return -1;
			return end_child(pid, true);
		}
		nanosleep(&nap, NULL);
	}
	return status;
}

static void describe_timeout(const struct idiom_request *request, double limit,
                             struct idiom_result *result)
{
	const char *why = request->form == IDIOM_PUBLISHED ? request->program->actions->waiting
	                                                   : NULL;

	if (!result->launched)
		why = "it was still being built or measured";
	result->end = IDIOM_TIMEOUT;
	snprintf(result->message, sizeof(result->message), "did not end within %g s%s%s", limit,
	         why ? ": " : "", why ? why : "");
}

static void describe_death(int status, struct idiom_result *result)
{
	result->end = IDIOM_FAILED;
	if (status >= 0 && WIFSIGNALED(status))
		snprintf(result->message, sizeof(result->message),
		         "the driver's process was ended by signal %d (%s)%s", WTERMSIG(status),
		         strsignal(WTERMSIG(status)),
		         WTERMSIG(status) == SIGKILL ? ", as when the system runs out of memory"
		                                     : "");
	else
		snprintf(result->message, sizeof(result->message), "the driver ended the process");
}

static void run_child(pid_t pid, struct reading *reading, const struct idiom_request *request,
                      double limit, struct idiom_result *result)
{
	int r = await(reading, limit), status = end_child(pid, r < 0);

	*result = reading->last.result;
	if (r == -ETIME)
		describe_timeout(request, limit, result);
	else if (r < 0)
		describe_death(status, result);
}

void idiom_run(const struct oclmm_device_identity *device, const struct idiom_request *request,
               double limit, struct idiom_result *ret_result)
{
	struct reading reading = {0};
	pid_t parent = getpid(), pid;
	int pipes[2];

	memset(ret_result, 0, sizeof(*ret_result));
	ret_result->end = IDIOM_FAILED;
	if (pipe2(pipes, O_CLOEXEC) < 0) {
		snprintf(ret_result->message, sizeof(ret_result->message), "cannot make a pipe: %s",
		         strerror(errno));
		return;
	}
	fflush(NULL);
	pid = fork();
	if (pid == 0) {
#ifdef __linux__
		prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
		if (getppid() != parent)
			_exit(1);
		close(pipes[0]);
		become_child(device, request, pipes[1]);
	}
	if (pid < 0)
		snprintf(ret_result->message, sizeof(ret_result->message),
		         "cannot start a process: %s", strerror(errno));
	close(pipes[1]);
	reading.pipe = pipes[0];
	if (pid > 0)
		run_child(pid, &reading, request, limit, ret_result);
	close(pipes[0]);
}
