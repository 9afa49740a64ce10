// SPDX-License-Identifier: Apache-2.0
/* A child: the frames between it and the program, its birth, its end, and what it says. */
#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "platform/system.h"

/* ---- frames ---- */

struct head {
	uint32_t kind;
	uint32_t size;
};

void wire_put(struct oclmm_text *text, const void *bytes, size_t size)
{
	oclmm_text_add_bytes(text, bytes, size);
}

/* The length that stands for NULL. */
static const uint32_t NO_STRING = UINT32_MAX;

void wire_put_string(struct oclmm_text *text, const char *string)
{
	uint32_t length = string ? (uint32_t)strlen(string) : NO_STRING;

	wire_put(text, &length, sizeof(length));
	if (string)
		wire_put(text, string, length);
}

/* A peer that is gone is an error here, never a signal. */
static int send_all(int socket, const char *bytes, size_t size)
{
	while (size > 0) {
		ssize_t sent = send(socket, bytes, size, MSG_NOSIGNAL);

		if (sent < 0 && errno == EINTR)
			continue;
		if (sent < 0)
			return -errno;
		bytes += sent;
		size -= (size_t)sent;
	}
	return 0;
}

int wire_send(int socket, uint32_t kind, const struct oclmm_text *text)
{
	const struct head head = {.kind = kind, .size = text ? (uint32_t)text->length : 0};
	int r = send_all(socket, (const char *)&head, sizeof(head));

	if (r == 0 && head.size)
		r = send_all(socket, text->data, head.size);
	return r;
}

void wire_get(struct wire_reader *reader, void *bytes, size_t size)
{
	if (reader->failed || reader->left < size) {
		reader->failed = true;
		memset(bytes, 0, size);
		return;
	}
	memcpy(bytes, reader->at, size);
	reader->at += size;
	reader->left -= size;
}

char *wire_get_string(struct wire_reader *reader)
{
	uint32_t length;
	char *string;

	wire_get(reader, &length, sizeof(length));
	if (reader->failed || length == NO_STRING)
		return NULL;
	if (length > reader->left) {
		reader->failed = true;
		return NULL;
	}
	string = oclmm_calloc((size_t)length + 1, 1);
	wire_get(reader, string, length);
	return string;
}

long wire_receive(struct wire_input *input, int socket)
{
	char bytes[1 << 16];
	ssize_t size;

	do {
		size = recv(socket, bytes, sizeof(bytes), MSG_DONTWAIT);
	} while (size < 0 && errno == EINTR);
	if (size < 0)
		return errno == ECONNRESET ? 0 : -errno;
	oclmm_text_add_bytes(&input->text, bytes, (size_t)size);
	return size;
}

int wire_next(struct wire_input *input, uint32_t kinds, uint32_t *ret_kind,
              struct wire_reader *ret_reader)
{
	struct head head;

	oclmm_text_drop(&input->text, input->taken);
	input->taken = 0;
	if (input->text.length < sizeof(head))
		return 0;
	memcpy(&head, input->text.data, sizeof(head));
	if (head.kind < 1 || head.kind > kinds || head.size > WIRE_MAX)
		return -EPROTO;
	if (input->text.length - sizeof(head) < head.size)
		return 0;
	input->taken = sizeof(head) + head.size;
	*ret_kind = head.kind;
	*ret_reader = (struct wire_reader){.at = input->text.data + sizeof(head),
	                                   .left = head.size};
	return 1;
}

int wire_wait(struct wire_input *input, int socket, uint32_t kinds, uint32_t *ret_kind,
              struct wire_reader *ret_reader)
{
	struct pollfd wait = {.fd = socket, .events = POLLIN};

	for (;;) {
		int r = wire_next(input, kinds, ret_kind, ret_reader);
		long size;

		if (r != 0)
			return r;
		/* one that a signal interrupts finds nothing there, and waits again */
		poll(&wait, 1, -1);
		size = wire_receive(input, socket);
		if (size <= 0 && size != -EAGAIN)
			return (int)size;
	}
}

/* ---- birth and end ---- */

/* A killed process is gone within this, or it is stuck in its driver for good. */
static const double KILL_SECONDS = 5;
static const double NAP = 0.001;

/* Of a socket and of a pipe; the parent's first. */
struct ends {
	int socket[2];
	int output[2];
};

static void close_end(int *file)
{
	if (*file >= 0)
		close(*file);
	*file = -1;
}

static int open_ends(const struct process_job *job, struct ends *ends)
{
	*ends = (struct ends){{-1, -1}, {-1, -1}};
	if (job->talks && socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends->socket) < 0)
		return -errno;
	if (job->heard && pipe2(ends->output, O_CLOEXEC) < 0)
		return -errno;
	return 0;
}

process_service *const *process_services;

static bool starts_anew(const struct process_job *job)
{
	const char *wish = getenv(PROCESS_ANEW);

	return !job->arguments && job->anew &&
	       (!oclmm_can_copy || (wish && strcmp(wish, "anew") == 0));
}

static unsigned number_of(process_service *service)
{
	unsigned number = 0;

	while (process_services && process_services[number] && process_services[number] != service)
		number++;
	return number;
}

int process_start(const struct process_job *job, struct process *ret_process)
{
	char number[12];
	const char *const anew[] = {"/proc/self/exe", PROCESS_CHILD, number, NULL};
	struct oclmm_start start = {
		.arguments = starts_anew(job) ? anew : job->arguments,
		.run = job->run,
		.data = job->data,
		.variables = job->variables,
		.input = -1,
		.leads = job->leads,
	};
	int ours[2];
	pid_t pid = 0;
	struct ends ends;
	int r;

	snprintf(number, sizeof(number), "%u", number_of(job->anew));
	process_keep_streams();
	/* whoever ignores the ends of its children is not told how they ended */
	signal(SIGCHLD, SIG_DFL);
	fflush(NULL);
	r = open_ends(job, &ends);
	if (r == 0) {
		start.output = ends.output[1];
		start.errors = ends.output[1];
		start.socket = ends.socket[1];
		if (job->files) {
			start.input = job->files->input;
			start.output = job->files->output;
			start.most = job->files->most;
		}
		if (job->speaks) {
			start.output = ends.socket[1];
			start.socket = -1;
		}
		ours[0] = ends.socket[0];
		ours[1] = ends.output[0];
		start.ours = ours;
		start.ours_count = OCLMM_COUNT(ours);
		r = oclmm_start_process(&start, &pid);
	}
	close_end(&ends.socket[1]);
	close_end(&ends.output[1]);
	if (r == 0) {
		*ret_process = (struct process){.pid = pid,
		                                .group = job->leads ? pid : 0,
		                                .anew = starts_anew(job),
		                                .socket = ends.socket[0],
		                                .output = ends.output[0]};
		return 0;
	}
	close_end(&ends.socket[0]);
	close_end(&ends.output[0]);
	return r;
}

bool process_is_gone(struct process *process)
{
	pid_t r;

	if (process->pid == 0)
		return true;
	r = waitpid(process->pid, &process->status, WNOHANG);
	if (r == 0 || (r < 0 && errno == EINTR))
		return false;
	process->pid = 0;
	return true;
}

struct process_used process_used(const struct process *process)
{
	struct process_used used = {0, -1};

	oclmm_process_uses(process->pid, &used.memory, &used.processor);
	return used;
}

void process_signal(const struct process *process, int number)
{
	/* 0 would be the program's own group */
	if (process->pid > 0)
		kill(process->pid, number);
}

static bool wait_gone(struct process *process, double seconds)
{
	double end = oclmm_clock() + seconds;

	while (!process_is_gone(process)) {
		if (oclmm_clock() > end)
			return false;
		process_nap(NAP);
	}
	return true;
}

void process_stop(struct process *process, double patience)
{
	/* another child may have a copy of its end: closing alone would tell nothing */
	if (process->pid && process->socket >= 0)
		shutdown(process->socket, SHUT_RDWR);
	if (process->pid && patience > 0 && wait_gone(process, patience))
		return;
	process_signal(process, SIGKILL);
	if (wait_gone(process, KILL_SECONDS))
		return;
	/* it is left to the system: the run must go on */
	process->pid = 0;
	process->status = -1;
}

void process_finish(struct process *process)
{
	/* also where its leader has gone */
	if (process->group > 0)
		oclmm_kill_group(process->group);
	process_stop(process, 0);
	close_end(&process->socket);
	close_end(&process->output);
	oclmm_text_finish(&process->input.text);
	free(process->said);
	*process = (struct process){.socket = -1, .output = -1};
}

/* ---- what it says: frames, and the end of what it prints ---- */

/* How often a wait looks whether it was interrupted. */
static const double SLICE = 0.1;
/* More than a pipe holds: all that a child which has ended can have left there. */
enum { CHUNK = 1 << 16, LAST_CHUNKS = 32 };

static void keep(struct process *process, const char *bytes, size_t size)
{
	size_t old = process->said_length;

	if (size > PROCESS_SAID) {
		bytes += size - PROCESS_SAID;
		size = PROCESS_SAID;
	}
	if (!process->said)
		process->said = oclmm_malloc(PROCESS_SAID);
	if (old + size > PROCESS_SAID) {
		size_t drop = old + size - PROCESS_SAID;

		old -= drop;
		memmove(process->said, process->said + drop, old);
	}
	memcpy(process->said + old, bytes, size);
	process->said_length = old + size;
}

/* A child may print without end, or keep still: nobody waits for it. */
static bool is_readable(int file)
{
	struct pollfd wait = {.fd = file, .events = POLLIN};

	return poll(&wait, 1, 0) > 0;
}

/* So many pieces at most: it may print faster than this reads. */
static void drain(struct process *process, unsigned chunks)
{
	char bytes[CHUNK];

	while (process->output >= 0 && chunks-- > 0 && is_readable(process->output)) {
		ssize_t size = read(process->output, bytes, sizeof(bytes));

		if (size > 0) {
			keep(process, bytes, (size_t)size);
		} else if (size == 0 || errno != EINTR) {
			close(process->output);
			process->output = -1;
		} else {
			return;
		}
	}
}

int process_hear(struct process *process, double seconds)
{
	struct pollfd waits[] = {
		{.fd = process->socket, .events = POLLIN},
		{.fd = process->output, .events = POLLIN},
	};
	bool gone;
	long size;

	process_turn_end();
	poll(waits, OCLMM_COUNT(waits), (int)(seconds * 1000) + 1);
	process_turn_begin();
	/* asked first: all that one that is gone has said is there to be read */
	gone = process_is_gone(process);
	drain(process, 1);
	size = wire_receive(&process->input, process->socket);
	/* a process that the driver started may hold the socket open: what counts is the child
	 * itself */
	return size > 0 || (size == -EAGAIN && !gone) ? 0 : -EPIPE;
}

enum process_news process_await(struct process *process, uint32_t kinds, double deadline,
                                uint32_t *ret_kind, struct wire_reader *ret_reader)
{
	for (;;) {
		int r = wire_next(&process->input, kinds, ret_kind, ret_reader);
		double left = deadline - oclmm_clock();

		if (r != 0)
			return r > 0 ? PROCESS_FRAME : PROCESS_GONE;
		if (process_interrupted)
			return PROCESS_INTERRUPTED;
		if (left <= 0)
			return PROCESS_SILENT;
		/* a signal to the whole process group ends the child, too */
		if (process_hear(process, left < SLICE ? left : SLICE) < 0)
			return process_interrupted ? PROCESS_INTERRUPTED : PROCESS_GONE;
	}
}

char *process_said(struct process *process)
{
	char *said;

	drain(process, LAST_CHUNKS);
	if (process->said_length == 0)
		return NULL;
	said = oclmm_calloc(process->said_length + 1, 1);
	memcpy(said, process->said, process->said_length);
	return said;
}

void process_forget(struct process *process)
{
	drain(process, LAST_CHUNKS);
	process->said_length = 0;
}

/* ---- how it ended ---- */

/* A kernel that runs out of memory ends whom it likes, with the one signal that nobody can
 * catch. */
static const char *hint(int number)
{
	return number == SIGKILL ? ", as when the system runs out of memory" : "";
}

void process_describe(int status, const char *when, char *message, size_t size)
{
	if (status >= 0 && WIFSIGNALED(status))
		snprintf(message, size, "the driver's process was ended by signal %d (%s)%s, %s",
		         WTERMSIG(status), strsignal(WTERMSIG(status)), hint(WTERMSIG(status)),
		         when);
	else
		snprintf(message, size, "the driver left the process with status %d, %s",
		         status >= 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1, when);
}
