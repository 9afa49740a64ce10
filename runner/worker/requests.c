// SPDX-License-Identifier: Apache-2.0
/* What a child is asked, and what became of it where it does not answer. */
#include "internal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

static void describe(struct worker *worker, enum oclmm_end end, char *message, size_t size)
{
	if (end == OCLMM_END_HANG)
		snprintf(message, size, "nothing was heard for %g s, %s", worker_limit(worker),
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
	enum oclmm_end end = worker_ask(worker, WIRE_LIST, NULL, &kind, &reader);

	if (end != OCLMM_END_OK || kind != WIRE_DEVICES ||
	    worker_devices_unpack(&reader, ret_devices) < 0)
		return refuse(worker, end, kind, &reader, error);
	return OCLMM_END_OK;
}

static void ask_to_open(struct worker *worker, const struct oclmm_device_identity *identity)
{
	struct oclmm_text text = {0};

	wire_put(&text, identity, sizeof(*identity));
	worker_send(worker, WIRE_OPEN, &text);
}

struct worker *worker_open_begin(const struct oclmm_device_identity *identity,
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

enum oclmm_end worker_open_end(struct worker *worker, struct oclmm_error *error)
{
	struct wire_reader reader;
	uint32_t kind;
	enum oclmm_end end = worker_await(worker, &kind, &reader);

	if (end == OCLMM_END_OK && kind == WIRE_OPENED)
		return OCLMM_END_OK;
	end = refuse(worker, end, kind, &reader, error);
	return end == OCLMM_END_DEVICE_ERROR ? OCLMM_END_DEVICE_LOST : end;
}

enum oclmm_end worker_open(struct worker *worker, const struct oclmm_device_identity *identity,
                           struct oclmm_error *error)
{
	ask_to_open(worker, identity);
	return worker_open_end(worker, error);
}

uint32_t worker_width(const struct worker *worker, size_t index)
{
	return worker->jobs[worker->group->jobs[index]].program->observable_count;
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
		r = worker_result_unpack(reader, worker_width(worker, done), &results[done]);
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
	end = worker_ask(worker, WIRE_RUN, &text, &kind, &reader);
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
	if (worker_ask(worker, WIRE_BINARY, &text, &kind, &reader) != OCLMM_END_OK ||
	    kind != WIRE_BYTES || !reader.left)
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
	enum oclmm_end end = worker_ask(worker, WIRE_PROBE, NULL, &kind, &reader);

	if (end != OCLMM_END_OK || kind != WIRE_TABLE ||
	    worker_table_unpack(&reader, ret_table) < 0)
		return refuse(worker, end, kind, &reader, error);
	return OCLMM_END_OK;
}
