// SPDX-License-Identifier: Apache-2.0
/*
 * The program's side: starts a child, asks it, waits for its answer, says what became of it, and
 * replaces it.
 */
#include "internal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- its beginning and its end ---- */

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

void worker_stop(struct worker *worker)
{
	if (!worker)
		return;
	process_stop(&worker->process, LEAVE_SECONDS);
	process_finish(&worker->process);
	free(worker);
}

/* At once: a child that is asked for nothing has nothing to tidy up. Accepts NULL. */
static void kill_worker(struct worker *worker)
{
	if (worker)
		process_stop(&worker->process, 0);
	worker_stop(worker);
}

/* ---- what it says meanwhile ---- */

/* Observables of a job of the group at hand. */
static uint32_t width_of(const struct worker *worker, size_t index)
{
	return worker->jobs[worker->group->jobs[index]].program->observable_count;
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
		r = worker_result_unpack(reader, width_of(worker, index), &said);
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

/* Seconds in which it must be heard, by the group at hand or as always. */
static double limit_of(const struct worker *worker)
{
	return worker->group && worker->group->limit > 0 ? worker->group->limit
	                                                 : worker->options.limit;
}

/*
 * Waits for the answer. OCLMM_END_OK: a frame, valid until the next request; else the
 * child is no more.
 */
static enum oclmm_end await_answer(struct worker *worker, uint32_t *ret_kind,
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

		news = process_await(&worker->process, WIRE_KINDS, oclmm_clock() + limit_of(worker),
		                     ret_kind, ret_reader);
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

static void send_request(struct worker *worker, enum wire_kind kind, struct oclmm_text *text)
{
	worker->doing = doing[kind];
	/* each request's chatter by itself */
	process_forget(&worker->process);
	wire_send(worker->process.socket, kind, text);
	if (text)
		oclmm_text_finish(text);
}

static enum oclmm_end ask(struct worker *worker, enum wire_kind kind, struct oclmm_text *text,
                          uint32_t *ret_kind, struct wire_reader *ret_reader)
{
	send_request(worker, kind, text);
	return await_answer(worker, ret_kind, ret_reader);
}

/* ---- requests ---- */

static void describe(struct worker *worker, enum oclmm_end end, char *message, size_t size)
{
	if (end == OCLMM_END_HANG)
		snprintf(message, size, "nothing was heard for %g s, %s", limit_of(worker),
		         worker->doing);
	else if (end == OCLMM_END_INTERRUPTED)
		snprintf(message, size, "interrupted");
	else
		process_describe(worker->process.status, worker->doing, message, size);
}

static enum oclmm_end refuse(struct worker *worker, enum oclmm_end end, uint32_t kind,
                             struct wire_reader *reader, struct oclmm_error *error)
{
	if (end == OCLMM_END_OK && kind == WIRE_ERROR && worker_error_unpack(reader, error) == 0)
		return OCLMM_END_DEVICE_ERROR;
	if (end == OCLMM_END_OK) {
		process_stop(&worker->process, 0);
		end = OCLMM_END_PROCESS_ENDED;
	}
	*error = (struct oclmm_error){0};
	describe(worker, end, error->message, sizeof(error->message));
	return end;
}

enum oclmm_end worker_devices(struct worker *worker, struct oclmm_error *error,
                              struct worker_devices *ret_devices)
{
	struct wire_reader reader;
	uint32_t kind;
	enum oclmm_end end = ask(worker, WIRE_LIST, NULL, &kind, &reader);

	if (end != OCLMM_END_OK || kind != WIRE_DEVICES ||
	    worker_devices_unpack(&reader, ret_devices) < 0)
		return refuse(worker, end, kind, &reader, error);
	return OCLMM_END_OK;
}

static void ask_to_open(struct worker *worker, const struct oclmm_device_identity *identity)
{
	struct oclmm_text text = {0};

	wire_put(&text, identity, sizeof(*identity));
	send_request(worker, WIRE_OPEN, &text);
}

static struct worker *begin_opening(const struct oclmm_device_identity *identity,
                                    const struct worker_options *options,
                                    const struct oclmm_run_request *jobs, size_t count)
{
	struct oclmm_error ignored;
	struct worker *worker;

	if (worker_start(options, jobs, count, &ignored, &worker) < 0)
		return NULL;
	ask_to_open(worker, identity);
	return worker;
}

static enum oclmm_end end_opening(struct worker *worker, struct oclmm_error *error)
{
	struct wire_reader reader;
	uint32_t kind;
	enum oclmm_end end = await_answer(worker, &kind, &reader);

	if (end == OCLMM_END_OK && kind == WIRE_OPENED)
		return OCLMM_END_OK;
	end = refuse(worker, end, kind, &reader, error);
	return end == OCLMM_END_DEVICE_ERROR ? OCLMM_END_DEVICE_LOST : end;
}

static enum oclmm_end open_device(struct worker *worker,
                                  const struct oclmm_device_identity *identity,
                                  struct oclmm_error *error)
{
	ask_to_open(worker, identity);
	return end_opening(worker, error);
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
		if (open_device(worker, identity, error) == OCLMM_END_OK) {
			*ret_worker = worker;
			return 0;
		}
		worker_stop(worker);
		r = -ENODEV;
	}
	return r;
}

static void pack_group(const struct worker_group *group, struct oclmm_text *text)
{
	uint64_t count = group->count, afresh = group->afresh;

	oclmm_text_init(text);
	wire_put(text, &afresh, sizeof(afresh));
	wire_put(text, &group->seconds, sizeof(group->seconds));
	wire_put(text, &group->order, sizeof(group->order));
	wire_put(text, &count, sizeof(count));
	for (size_t i = 0; i < group->count; i++) {
		uint64_t job = group->jobs[i];

		wire_put(text, &job, sizeof(job));
	}
}

/* All of them, or none. */
static int unpack_results(const struct worker *worker, struct wire_reader *reader,
                          struct worker_result *results)
{
	size_t done = 0;
	int r = 0;

	for (; r == 0 && done < worker->group->count; done += r == 0)
		r = worker_result_unpack(reader, width_of(worker, done), &results[done]);
	if (r == 0)
		return 0;
	while (done > 0)
		worker_result_finish(&results[--done]);
	return r;
}

/* What the child said of each, before it went. */
static void take_said(struct worker *worker, enum oclmm_end end, struct worker_result *results)
{
	for (size_t i = 0; i < worker->group->count; i++) {
		results[i] = worker->said[i];
		worker->said[i] = (struct worker_result){0};
		results[i].end = end;
		describe(worker, end, results[i].message, sizeof(results[i].message));
	}
}

enum oclmm_end worker_run_group(struct worker *worker, const struct worker_group *group,
                                struct worker_result *ret_results, size_t *ret_culprit)
{
	struct wire_reader reader;
	struct oclmm_text text;
	uint32_t kind;
	enum oclmm_end end;

	worker->group = group;
	worker->said = oclmm_calloc(group->count, sizeof(*worker->said));
	worker->built = group->count;
	pack_group(group, &text);
	end = ask(worker, WIRE_RUN, &text, &kind, &reader);
	if (worker->options.plays)
		worker->options.plays(worker->options.data, false);
	if (end == OCLMM_END_OK &&
	    (kind != WIRE_RESULT || unpack_results(worker, &reader, ret_results) < 0)) {
		process_stop(&worker->process, 0);
		end = OCLMM_END_PROCESS_ENDED;
	}
	if (end != OCLMM_END_OK)
		take_said(worker, end, ret_results);
	for (size_t i = 0; i < group->count; i++) {
		if (ret_results[i].end != OCLMM_END_OK)
			ret_results[i].log = process_said(&worker->process);
		worker_result_finish(&worker->said[i]);
	}
	*ret_culprit = worker->built;
	free(worker->said);
	worker->said = NULL;
	worker->group = NULL;
	return end;
}

void worker_run(struct worker *worker, size_t job, double seconds, struct worker_result *ret_result)
{
	const struct worker_group group = {.jobs = &job, .count = 1, .seconds = seconds};
	size_t ignored;

	worker_run_group(worker, &group, ret_result, &ignored);
}

int worker_binary(struct worker *worker, size_t job, struct oclmm_text *ret_binary)
{
	uint64_t number = job;
	struct wire_reader reader;
	struct oclmm_text text = {0};
	uint32_t kind;

	wire_put(&text, &number, sizeof(number));
	if (ask(worker, WIRE_BINARY, &text, &kind, &reader) != OCLMM_END_OK || kind != WIRE_BYTES ||
	    !reader.left)
		return -ENODATA;
	oclmm_text_init(ret_binary);
	oclmm_text_add_bytes(ret_binary, reader.at, reader.left);
	return 0;
}

enum oclmm_end worker_probe(struct worker *worker, struct oclmm_error *error,
                            struct oclmm_probe_table *ret_table)
{
	struct wire_reader reader;
	uint32_t kind;
	enum oclmm_end end = ask(worker, WIRE_PROBE, NULL, &kind, &reader);

	if (end != OCLMM_END_OK || kind != WIRE_TABLE ||
	    worker_table_unpack(&reader, ret_table) < 0)
		return refuse(worker, end, kind, &reader, error);
	return OCLMM_END_OK;
}

/*
 * ---- one child after the other ----
 *
 * A driver takes its time to start, so a child serves as long as it is well. While it does, the
 * one that follows opens the device, and waits.
 */
struct worker_relay {
	struct worker_relay_options options;
	struct worker *now;  /* NULL: none at the moment */
	struct worker *next; /* NULL: none was started */
	size_t served;       /* jobs of the one at hand */
	uint64_t memory;     /* that it held when it had served the first of them */
};

static void start_next(struct worker_relay *relay)
{
	const struct worker_relay_options *options = &relay->options;

	relay->next = begin_opening(options->identity, &options->worker, options->jobs,
	                            options->count);
}

struct worker_relay *worker_relay_create(const struct worker_relay_options *options)
{
	struct worker_relay *relay = oclmm_calloc(1, sizeof(*relay));

	relay->options = *options;
	start_next(relay);
	return relay;
}

/* The one that waits, where it is well. */
static struct worker *take_next(struct worker_relay *relay)
{
	struct worker *next = relay->next;
	struct oclmm_error ignored;

	relay->next = NULL;
	if (!next || end_opening(next, &ignored) == OCLMM_END_OK)
		return next;
	kill_worker(next);
	return NULL;
}

int worker_relay_now(struct worker_relay *relay, struct oclmm_error *error,
                     struct worker **ret_worker)
{
	const struct worker_relay_options *options = &relay->options;
	int r = 0;

	if (!relay->now) {
		relay->now = take_next(relay);
		relay->served = 0;
		relay->memory = 0;
	}
	if (!relay->now)
		r = worker_start_on(options->identity, &options->worker, options->jobs,
		                    options->count, error, &relay->now);
	if (r == 0)
		*ret_worker = relay->now;
	return r;
}

static bool leaks(struct worker_relay *relay)
{
	uint64_t memory = process_memory(&relay->now->process);

	if (relay->memory == 0)
		relay->memory = memory;
	return memory > relay->memory && memory - relay->memory > relay->options.leak_most;
}

void worker_relay_served(struct worker_relay *relay, size_t jobs)
{
	const struct worker_relay_options *options = &relay->options;

	if (!relay->now)
		return;
	relay->served += jobs;
	if (relay->served >= options->most || leaks(relay)) {
		/* it has answered all that it was asked: nothing is lost */
		kill_worker(relay->now);
		relay->now = NULL;
	} else if (options->beside && !relay->next && relay->served >= options->most / 2) {
		start_next(relay);
	}
}

void worker_relay_drop(struct worker_relay *relay)
{
	worker_stop(relay->now);
	relay->now = NULL;
}

void worker_relay_renew(struct worker_relay *relay)
{
	kill_worker(relay->next);
	relay->next = NULL;
}

void worker_relay_destroy(struct worker_relay *relay)
{
	if (!relay)
		return;
	kill_worker(relay->next);
	kill_worker(relay->now);
	free(relay);
}
