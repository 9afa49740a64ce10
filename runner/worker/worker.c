// SPDX-License-Identifier: Apache-2.0
/* The program's side: starts a child, waits for its answers, and ends it. */
#include "internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A child that was asked to go needs no longer than this. */
static const double LEAVE_SECONDS = 0.5;

int worker_start(const struct worker_options *options, const struct oclmm_run_request *jobs,
                 size_t count, struct oclmm_error *error, struct worker **ret_worker)
{
	struct worker *worker = oclmm_calloc(1, sizeof(*worker));
	const struct process_job job = {
		.run = worker_child, .data = worker, .talks = true, .heard = true};
	int r;

	worker->options = *options;
	worker->jobs = jobs;
	worker->count = count;
	r = process_start(&job, &worker->process);
	if (r < 0) {
		free(worker);
		oclmm_error_set(error, r, "cannot start a process: %s", strerror(-r));
		return r;
	}
	*ret_worker = worker;
	return 0;
}

int worker_start_on(const struct oclmm_device_identity *identity,
                    const struct worker_options *options, const struct oclmm_run_request *jobs,
                    size_t count, struct oclmm_error *error, struct worker **ret_worker)
{
	enum { ATTEMPTS = 2 };
	int r = -ENODEV;

	*ret_worker = NULL;
	for (int attempt = 0; attempt < ATTEMPTS && !process_interrupted; attempt++) {
		struct worker *worker;

		r = worker_start(options, jobs, count, error, &worker);
		if (r < 0)
			return r;
		if (worker_open(worker, identity, error) == OCLMM_END_OK) {
			*ret_worker = worker;
			return 0;
		}
		worker_stop(worker);
		r = -ENODEV;
	}
	return r;
}

void worker_stop(struct worker *worker)
{
	if (!worker)
		return;
	process_stop(&worker->process, LEAVE_SECONDS);
	process_finish(&worker->process);
	free(worker);
}

void worker_kill(struct worker *worker)
{
	if (worker)
		process_stop(&worker->process, 0);
	worker_stop(worker);
}

static void take_progress(struct worker *worker, struct wire_reader *reader)
{
	double fraction;

	worker->doing = "while it ran";
	worker->built = worker->group ? worker->group->count : 0;
	wire_get(reader, &fraction, sizeof(fraction));
	if (worker->options.progress && !reader->failed)
		worker->options.progress(worker->options.data, fraction);
}

/* Which job of the group is spoken of. Returns 0 or -EPROTO. */
static int take_index(const struct worker *worker, struct wire_reader *reader, size_t *ret_index)
{
	uint64_t index;

	wire_get(reader, &index, sizeof(index));
	if (reader->failed || !worker->group || index >= worker->group->count)
		return -EPROTO;
	*ret_index = (size_t)index;
	return 0;
}

static int take_class(struct worker *worker, struct wire_reader *reader)
{
	size_t index;
	int r = take_index(worker, reader, &index);

	return r < 0 ? r : worker_class_unpack(reader, &worker->said[index]);
}

static int take_begin(struct worker *worker, struct wire_reader *reader)
{
	worker->doing = "before its first launch was over";
	return take_index(worker, reader, &worker->built);
}

static void take_play(const struct worker *worker)
{
	if (worker->options.plays)
		worker->options.plays(worker->options.data, true);
}

static int take_news(struct worker *worker, struct wire_reader *reader)
{
	struct worker_result said;
	size_t index;
	int r = take_index(worker, reader, &index);

	if (r == 0)
		r = worker_result_unpack(reader, worker_width(worker, index), &said);
	if (r < 0)
		return r;
	worker_result_finish(&worker->said[index]);
	worker->said[index] = said;
	return 0;
}

/* What is said meanwhile. Returns whether it is such; negative: damage. */
static int take_aside(struct worker *worker, uint32_t kind, struct wire_reader *reader)
{
	int r = 0;

	switch (kind) {
	case WIRE_PROGRESS: take_progress(worker, reader); break;
	case WIRE_CLASS: r = take_class(worker, reader); break;
	case WIRE_BEGIN: r = take_begin(worker, reader); break;
	case WIRE_PLAY: take_play(worker); break;
	case WIRE_NEWS: r = take_news(worker, reader); break;
	default: return 0;
	}
	return r < 0 ? r : 1;
}

double worker_limit(const struct worker *worker)
{
	return worker->group && worker->group->limit > 0 ? worker->group->limit
	                                                 : worker->options.limit;
}

enum oclmm_end worker_await(struct worker *worker, uint32_t *ret_kind,
                            struct wire_reader *ret_reader)
{
	static const enum oclmm_end ends[] = {
		[PROCESS_GONE] = OCLMM_END_PROCESS_ENDED,
		[PROCESS_SILENT] = OCLMM_END_HANG,
		[PROCESS_INTERRUPTED] = OCLMM_END_INTERRUPTED,
	};
	enum process_news news;

	for (;;) {
		int aside;

		news = process_await(&worker->process, WIRE_KINDS,
		                     oclmm_clock() + worker_limit(worker), ret_kind, ret_reader);
		if (news != PROCESS_FRAME)
			break;
		aside = take_aside(worker, *ret_kind, ret_reader);
		if (aside == 0)
			return OCLMM_END_OK;
		if (aside < 0) {
			news = PROCESS_GONE;
			break;
		}
	}
	/* a crash needs a moment from the socket's end to the process's own */
	process_stop(&worker->process, news == PROCESS_GONE ? LEAVE_SECONDS : 0);
	return ends[news];
}

/* By request; a run is under way once it is heard of. */
static const char *const doing[] = {
	[WIRE_LIST] = "while it listed its devices",
	[WIRE_OPEN] = "while the device was opened",
	[WIRE_RUN] = "before its first launch was over",
	[WIRE_BINARY] = "while it was asked for a binary",
	[WIRE_PROBE] = "while its compiler was asked what it takes",
};

void worker_send(struct worker *worker, enum wire_kind kind, struct oclmm_text *text)
{
	worker->doing = doing[kind];
	/* each request's chatter by itself */
	process_forget(&worker->process);
	wire_send(worker->process.socket, kind, text);
	if (text)
		oclmm_text_finish(text);
}

enum oclmm_end worker_ask(struct worker *worker, enum wire_kind kind, struct oclmm_text *text,
                          uint32_t *ret_kind, struct wire_reader *ret_reader)
{
	worker_send(worker, kind, text);
	return worker_await(worker, ret_kind, ret_reader);
}
