// SPDX-License-Identifier: Apache-2.0
/* The child's side: the only code that calls OpenCL. */
#include "internal.h"

#include "host/host.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct child {
	int socket;
	const struct oclmm_run_request *jobs;
	size_t count;
	struct oclmm_device *device;
	double told; /* when progress was last sent */
};

/* A job of a group at hand. */
struct told {
	struct child *child;
	uint64_t index;
	struct worker_result *result;
};

/* Often enough for a bar and for the time limit, seldom enough to cost nothing. */
static const double PROGRESS_INTERVAL = 0.1;

static void answer(struct child *child, enum wire_kind kind, struct oclmm_text *text)
{
	if (wire_send(child->socket, kind, text) < 0)
		_exit(1); /* nobody is there any more */
	if (text)
		oclmm_text_finish(text);
}

static void answer_error(struct child *child, const struct oclmm_error *error)
{
	struct oclmm_text text = {0};

	wire_put(&text, error, sizeof(*error));
	answer(child, WIRE_ERROR, &text);
}

static void serve_list(struct child *child)
{
	struct oclmm_device_list list;
	struct oclmm_error error = {0};
	struct oclmm_text text = {0};
	uint64_t count;

	if (oclmm_devices_list(&error, &list) < 0) {
		answer_error(child, &error);
		return;
	}
	count = list.count;
	wire_put(&text, &count, sizeof(count));
	for (size_t i = 0; i < list.count; i++) {
		struct oclmm_device_identity identity;

		oclmm_device_identify(&list, i, &identity);
		wire_put(&text, &list.devices[i], sizeof(list.devices[i]));
		wire_put(&text, &identity, sizeof(identity));
	}
	count = list.left_out_at;
	wire_put(&text, &count, sizeof(count));
	wire_put(&text, &list.left_out, sizeof(list.left_out));
	oclmm_device_list_finish(&list);
	answer(child, WIRE_DEVICES, &text);
}

static void serve_open(struct child *child, struct wire_reader *reader)
{
	struct oclmm_device_identity identity;
	struct oclmm_error error = {0};

	wire_get(reader, &identity, sizeof(identity));
	if (oclmm_device_open_identified(&identity, &error, &child->device) < 0)
		answer_error(child, &error);
	else
		answer(child, WIRE_OPENED, NULL);
}

static void tell_progress(void *data, double fraction)
{
	struct child *child = ((struct told *)data)->child;
	struct oclmm_text text = {0};
	double now = oclmm_clock();

	if (now - child->told < PROGRESS_INTERVAL)
		return;
	child->told = now;
	wire_put(&text, &fraction, sizeof(fraction));
	answer(child, WIRE_PROGRESS, &text);
}

/* What was seen must not be lost with this process. */
static void tell_news(void *data, const struct oclmm_run_result *so_far)
{
	const struct told *told = data;
	struct worker_result result = *told->result;
	struct oclmm_text text = {0};

	result.end = OCLMM_END_OK;
	result.run = *so_far;
	wire_put(&text, &told->index, sizeof(told->index));
	worker_result_pack(&text, &result);
	answer(told->child, WIRE_NEWS, &text);
}

/* What the kernel is built with, and what builds the host's part. */
static void note_options(const struct child *child, const struct oclmm_program *program,
                         struct worker_result *result)
{
	const char *device = oclmm_device_build_options(child->device);
	struct oclmm_features need;

	oclmm_program_features(program, &need);
	if (need.host_threads)
		snprintf(result->options, sizeof(result->options), "%s; host %s", device,
		         host_mapping());
	else
		snprintf(result->options, sizeof(result->options), "%s", device);
}

/* Its compiler may take the driver along, and may take its time. */
static void tell_begin(void *data)
{
	const struct told *told = data;
	struct oclmm_text text = {0};

	wire_put(&text, &told->index, sizeof(told->index));
	answer(told->child, WIRE_BEGIN, &text);
}

/* From now on nothing else should run on the device's processors. */
static void tell_play(void *data)
{
	answer(((struct told *)data)->child, WIRE_PLAY, NULL);
}

/* A group as a child has it: `requests` and what follows are of those that can be run. */
struct served {
	uint64_t count, order, afresh;
	double seconds;
	const struct oclmm_run_request **jobs;
	struct worker_result *results;
	struct told *told;
	uint32_t run; /* how many of them */
	struct oclmm_run_request *requests;
	struct oclmm_run_end *ends;
	struct oclmm_run_result *run_results;
};

static struct oclmm_run_request request_of(const struct oclmm_run_request *job,
                                           const struct served *group, struct told *told)
{
	struct oclmm_run_request request = *job;

	/* a second attempt tells whose fault it was */
	if (group->afresh)
		request.joint = NULL;
	request.seconds = group->seconds;
	request.progress = tell_progress;
	request.news = tell_news;
	request.begins = tell_begin;
	request.plays = tell_play;
	request.progress_data = told;
	return request;
}

static const struct oclmm_run_request *find_job(struct child *child, struct wire_reader *reader)
{
	uint64_t index;

	wire_get(reader, &index, sizeof(index));
	if (reader->failed || index >= child->count || !child->device)
		_exit(1); /* the program asks for what it never gave: cannot be */
	return &child->jobs[index];
}

/* What the device says of a job, told at once: the driver may not survive the job itself. */
static void classify(const struct told *told, const struct oclmm_run_request *job)
{
	struct child *child = told->child;
	struct worker_result *result = told->result;
	struct oclmm_text text = {0};

	result->end = OCLMM_END_UNSUPPORTED;
	result->support = oclmm_device_supports(child->device, job->program, result->missing,
	                                        sizeof(result->missing));
	result->classified = true;
	snprintf(result->message, sizeof(result->message), "%s", result->missing);
	wire_put(&text, &told->index, sizeof(told->index));
	worker_class_pack(&text, result);
	answer(child, WIRE_CLASS, &text);
}

static void open_group(struct child *child, struct wire_reader *reader, struct served *group)
{
	*group = (struct served){0};
	wire_get(reader, &group->afresh, sizeof(group->afresh));
	wire_get(reader, &group->seconds, sizeof(group->seconds));
	wire_get(reader, &group->order, sizeof(group->order));
	wire_get(reader, &group->count, sizeof(group->count));
	if (reader->failed || group->count == 0 || group->count > child->count)
		_exit(1); /* the program asks for what it never gave: cannot be */
	group->jobs = oclmm_calloc(group->count, sizeof(const struct oclmm_run_request *));
	group->results = oclmm_calloc(group->count, sizeof(*group->results));
	group->told = oclmm_calloc(group->count, sizeof(*group->told));
	group->requests = oclmm_calloc(group->count, sizeof(*group->requests));
	group->ends = oclmm_calloc(group->count, sizeof(*group->ends));
	group->run_results = oclmm_calloc(group->count, sizeof(*group->run_results));
	for (uint64_t i = 0; i < group->count; i++)
		group->jobs[i] = find_job(child, reader);
}

static void close_group(struct served *group)
{
	for (uint64_t i = 0; i < group->count; i++)
		worker_result_finish(&group->results[i]);
	free(group->jobs);
	free(group->results);
	free(group->told);
	free(group->requests);
	free(group->ends);
	free(group->run_results);
}

static void take_result(const struct oclmm_run_end *end, const struct oclmm_run_result *run,
                        struct worker_result *result)
{
	result->end = end->end;
	result->run = *run;
	*result->message = '\0';
	if (end->end != OCLMM_END_OK)
		snprintf(result->message, sizeof(result->message), "%s", end->error.message);
}

/* Programs of a group are built as few texts: what is said holds for any of them. */
static void note_kept(struct worker_result *result)
{
	size_t length = strlen(result->options);

	snprintf(result->options + length, sizeof(result->options) - length,
	         "; binaries from the disk");
}

/* The same of modules: a driver that takes them at their word may order nothing there. */
static void note_found(struct worker_result *result, const struct oclmm_device_built *before,
                       const struct oclmm_device_built *now)
{
	size_t length = strlen(result->options);

	if (now->classless > before->classless)
		snprintf(result->options + length, sizeof(result->options) - length,
		         "; %" PRIu64 " of %" PRIu64 " operations of the module name no memory",
		         now->classless - before->classless, now->operations - before->operations);
}

static void run_group(struct child *child, struct served *group)
{
	struct oclmm_device_built before, now;

	for (uint64_t i = 0; i < group->count; i++) {
		const struct oclmm_run_request *job = group->jobs[i];
		struct told *told = &group->told[group->run];

		*told = (struct told){child, i, &group->results[i]};
		classify(told, job);
		if (told->result->support == OCLMM_SUPPORT_UNSUPPORTED || !job->space)
			continue;
		note_options(child, job->program, told->result);
		group->requests[group->run++] = request_of(job, group, told);
	}
	if (group->run == 0)
		return;
	before = oclmm_device_built(child->device);
	oclmm_device_build_afresh(child->device, group->afresh);
	oclmm_run_together(child->device, group->requests, group->run, group->order, group->ends,
	                   group->run_results);
	now = oclmm_device_built(child->device);
	for (uint32_t i = 0; i < group->run; i++) {
		take_result(&group->ends[i], &group->run_results[i], group->told[i].result);
		note_found(group->told[i].result, &before, &now);
		if (now.recalled > before.recalled)
			note_kept(group->told[i].result);
	}
}

static void serve_run(struct child *child, struct wire_reader *reader)
{
	struct oclmm_text text = {0};
	struct served group;

	open_group(child, reader, &group);
	child->told = 0;
	run_group(child, &group);
	for (uint64_t i = 0; i < group.count; i++)
		worker_result_pack(&text, &group.results[i]);
	close_group(&group);
	answer(child, WIRE_RESULT, &text);
}

static void serve_binary(struct child *child, struct wire_reader *reader)
{
	const struct oclmm_run_request *job = find_job(child, reader);
	struct oclmm_text source, binary = {0};
	struct oclmm_error error;

	if (job->space &&
	    oclmm_generate_test(job->program, job->space, NULL, &error, &source) == 0) {
		oclmm_device_binary(child->device, oclmm_text_string(&source), &binary);
		oclmm_text_finish(&source);
	}
	answer(child, WIRE_BYTES, &binary);
}

static void serve_probe(struct child *child)
{
	struct oclmm_probe_table table;
	struct oclmm_text text = {0};

	if (!child->device)
		_exit(1);
	oclmm_device_probe(child->device, &table);
	wire_put(&text, &table, sizeof(table));
	answer(child, WIRE_TABLE, &text);
}

static void serve(struct child *child, uint32_t kind, struct wire_reader *reader)
{
	switch (kind) {
	case WIRE_LIST: serve_list(child); break;
	case WIRE_OPEN: serve_open(child, reader); break;
	case WIRE_RUN: serve_run(child, reader); break;
	case WIRE_BINARY: serve_binary(child, reader); break;
	case WIRE_PROBE: serve_probe(child); break;
	default: _exit(1);
	}
}

void worker_child(void *data, int socket)
{
	const struct worker *worker = data;
	struct child child = {.socket = socket, .jobs = worker->jobs, .count = worker->count};
	struct wire_input input = {0};
	struct wire_reader reader;
	uint32_t kind;
	int r;

	while ((r = wire_wait(&input, socket, WIRE_KINDS, &kind, &reader)) > 0)
		serve(&child, kind, &reader);
	if (r < 0)
		_exit(1);
}
