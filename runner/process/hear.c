// SPDX-License-Identifier: Apache-2.0
/* What a child says: frames over its socket, and the end of what it prints. */
#include "process.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

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

/* So many pieces at most: it may print faster than this reads. */
static void drain(struct process *process, unsigned chunks)
{
	char bytes[CHUNK];

	while (process->output >= 0 && chunks-- > 0) {
		ssize_t size = read(process->output, bytes, sizeof(bytes));

		if (size > 0) {
			keep(process, bytes, (size_t)size);
		} else if (size == 0 || (errno != EAGAIN && errno != EINTR)) {
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
