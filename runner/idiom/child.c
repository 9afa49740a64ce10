// SPDX-License-Identifier: Apache-2.0
/*
 * The process in which a program runs. Whenever it begins something, and at the
 * end, the result as far as it is known goes over the pipe: a sign of life, and
 * what can be said of a program that never ends.
 */
#include "internal.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "process/process.h"

/* Both ends are the same program, so that a result goes as it is. */
enum message { SO_FAR = 1, COMPLETE };

struct child {
	const struct oclmm_device_identity *identity;
	const struct idiom_request *request;
	int socket;
	struct idiom_result result;
};

/* What a compiler may take on a busy machine: a short limit is for the program. */
static const double BUILD_SECONDS = 120;
/* From the end of what it says to its own. */
static const double LEAVE_SECONDS = 5;

/* ---- the child's side ---- */

static void say(struct child *child, enum message message)
{
	struct oclmm_text text = {0};

	wire_put(&text, &child->result, sizeof(child->result));
	if (wire_send(child->socket, message, &text) < 0)
		_exit(1); /* nobody is there any more */
	oclmm_text_finish(&text);
}

static void say_alive(void *data)
{
	say(data, SO_FAR);
}

static void be_child(void *data, int socket)
{
	struct child *child = data;
	struct idiom_result *result = &child->result;
	struct oclmm_device *device;
	struct oclmm_error error = {0};

	child->socket = socket;
	result->end = IDIOM_FAILED;
	if (oclmm_device_open_identified(child->identity, &error, &device) == 0)
		idiom_session_run(device, child->request, say_alive, child, result);
	else
		snprintf(result->message, sizeof(result->message), "%s", error.message);
	say(child, COMPLETE);
}

/* ---- the program's side ---- */

/* The child's memory may have been overwritten. */
static bool is_sound(struct idiom_result *result)
{
	result->message[sizeof(result->message) - 1] = '\0';
	result->note[sizeof(result->note) - 1] = '\0';
	return (unsigned)result->end < IDIOM_END_COUNT && result->row_count <= IDIOM_ROWS;
}

/* How long it may be silent, by how far it has come. */
static double patience(double limit, const struct idiom_result *result)
{
	return result->launched || limit > BUILD_SECONDS ? limit : BUILD_SECONDS;
}

/* Takes what it hears into `result`: at last, the complete one. */
static enum process_news await(struct process *process, double limit, struct idiom_result *result)
{
	enum process_news news;
	uint32_t kind = SO_FAR;

	while (kind != COMPLETE) {
		double seconds = patience(limit, result);
		struct wire_reader reader;

		news = process_await(process, COMPLETE, oclmm_clock() + seconds, &kind, &reader);
		if (news != PROCESS_FRAME)
			return news;
		if (reader.left != sizeof(*result))
			return PROCESS_GONE;
		wire_get(&reader, result, sizeof(*result));
		if (!is_sound(result))
			return PROCESS_GONE;
	}
	return PROCESS_FRAME;
}

static void describe_timeout(const struct idiom_request *request, double limit,
                             struct idiom_result *result)
{
	const char *why = request->form == IDIOM_PUBLISHED ? request->program->as_published->waiting
	                                                   : NULL;

	if (!result->launched)
		why = "it was still being built or measured";
	result->end = IDIOM_TIMEOUT;
	snprintf(result->message, sizeof(result->message), "did not end within %g s%s%s",
	         patience(limit, result), why ? ": " : "", why ? why : "");
}

void idiom_run(const struct oclmm_device_identity *device, const struct idiom_request *request,
               double limit, struct idiom_result *ret_result)
{
	struct child child = {.identity = device, .request = request};
	const struct process_job job = {.run = be_child, .data = &child, .talks = true};
	struct idiom_result result = {.end = IDIOM_FAILED};
	struct process process;
	enum process_news news;
	int r = process_start(&job, &process);

	if (r < 0) {
		snprintf(result.message, sizeof(result.message), "cannot start a process: %s",
		         strerror(-r));
		*ret_result = result;
		return;
	}
	news = await(&process, limit, &result);
	process_stop(&process, news == PROCESS_SILENT ? 0 : LEAVE_SECONDS);
	if (news == PROCESS_SILENT) {
		describe_timeout(request, limit, &result);
	} else if (news != PROCESS_FRAME) {
		result.end = IDIOM_FAILED;
		process_describe(process.status,
		                 result.launched ? "while it ran"
		                                 : "while it was built or measured",
		                 result.message, sizeof(result.message));
	}
	process_finish(&process);
	*ret_result = result;
}
