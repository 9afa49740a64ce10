// SPDX-License-Identifier: Apache-2.0
/*
 * A child of the program: the frames between the two, how the child answers, and how the program
 * starts, asks, watches and replaces it. Only the child calls OpenCL.
 */
#include "worker.h"

#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "child.h"
#include "exchange/exchange.h"
#include "host/host.h"
#include "jobs.h"
#include "process/process.h"
#include "producer/producer.h"

/*
 * ---- answers as bytes, and back ----
 *
 * The child's memory may have been overwritten: reading checks all.
 */

#define END_STRING(array) ((array)[sizeof(array) - 1] = '\0')

/* Reads a bool as a byte, because it may have been overwritten. */
static bool is_flag(const void *flag)
{
	return *(const unsigned char *)flag <= 1;
}

/* The part of a result that is sent as it lies in memory. The build log and the histogram, which
 * are addresses there, are sent behind it. */
#define FIELD(member)                                                                              \
	{                                                                                          \
		offsetof(struct worker_result, member),                                            \
			sizeof(((struct worker_result *)0)->member)                                \
	}

static const struct {
	size_t offset, size;
} fields[] = {
	FIELD(end),     FIELD(classified), FIELD(support),         FIELD(missing),
	FIELD(message), FIELD(options),    FIELD(run.other_count), FIELD(run.counts),
};

static void put_histogram(struct oclmm_text *text, struct oclmm_histogram *histogram)
{
	uint32_t width = oclmm_histogram_width(histogram);
	uint64_t rows = oclmm_histogram_rows(histogram), cut = oclmm_histogram_cut(histogram);

	wire_put(text, &width, sizeof(width));
	wire_put(text, &rows, sizeof(rows));
	wire_put(text, &cut, sizeof(cut));
	for (size_t i = 0; i < rows; i++) {
		struct oclmm_histogram_row row = oclmm_histogram_row(histogram, i);

		wire_put(text, row.values, width * sizeof(*row.values));
		wire_put(text, &row.count, sizeof(row.count));
	}
}

static void put_shown(struct oclmm_text *text, const struct oclmm_seen *shown)
{
	uint64_t count = shown->count;

	wire_put(text, &shown->outcomes, sizeof(shown->outcomes));
	if (shown->outcomes && shown->width)
		wire_put(text, shown->values,
		         (size_t)shown->outcomes * shown->width * sizeof(*shown->values));
	wire_put(text, &count, sizeof(count));
	if (shown->count)
		wire_put(text, shown->launches, shown->count * sizeof(*shown->launches));
	count = shown->counted;
	wire_put(text, &count, sizeof(count));
	if (shown->counted)
		wire_put(text, shown->counts, shown->counted * sizeof(*shown->counts));
}

void worker_result_pack(struct oclmm_text *text, const struct worker_result *result)
{
	uint8_t counted = result->run.counts.histogram != NULL;

	for (size_t i = 0; i < OCLMM_COUNT(fields); i++)
		wire_put(text, (const char *)result + fields[i].offset, fields[i].size);
	wire_put_string(text, result->run.build_log);
	wire_put(text, &counted, sizeof(counted));
	if (counted)
		put_histogram(text, result->run.counts.histogram);
	put_shown(text, &result->run.shown);
}

static struct oclmm_histogram *get_histogram(struct wire_reader *reader, uint32_t wanted)
{
	struct oclmm_histogram *histogram = oclmm_histogram_create(wanted);
	int64_t *values = oclmm_calloc((size_t)wanted + 1, sizeof(*values));
	uint32_t width;
	uint64_t rows, cut;

	wire_get(reader, &width, sizeof(width));
	wire_get(reader, &rows, sizeof(rows));
	wire_get(reader, &cut, sizeof(cut));
	reader->failed |= width != wanted;
	for (uint64_t i = 0; i < rows && !reader->failed; i++) {
		uint64_t count;

		wire_get(reader, values, width * sizeof(*values));
		wire_get(reader, &count, sizeof(count));
		if (!reader->failed)
			oclmm_histogram_add(histogram, values, count);
	}
	oclmm_histogram_add_cut(histogram, cut);
	free(values);
	return histogram;
}

/* Refuses bits of outcomes that do not exist, and blocks that do not ascend. */
static bool are_launches(const struct oclmm_seen *shown)
{
	uint64_t known = (UINT64_C(1) << shown->outcomes) - 1;

	for (size_t i = 0; i < shown->count; i++) {
		const struct oclmm_seen_launches *launches = &shown->launches[i];

		if ((launches->mask & ~(known | OCLMM_SEEN_REST)) != 0 ||
		    (i > 0 && launches->block < shown->launches[i - 1].block))
			return false;
	}
	return true;
}

/* The same, and of outcomes that do not exist. */
static bool are_counts(const struct oclmm_seen *shown)
{
	for (size_t i = 0; i < shown->counted; i++) {
		const struct oclmm_seen_counts *counts = &shown->counts[i];

		if ((counts->outcome >= shown->outcomes &&
		     counts->outcome != OCLMM_SEEN_OUTCOMES) ||
		    (i > 0 && counts->block < shown->counts[i - 1].block))
			return false;
	}
	return true;
}

static void get_shown(struct wire_reader *reader, uint32_t width, struct oclmm_seen *shown)
{
	uint64_t count = 0;

	shown->width = width;
	wire_get(reader, &shown->outcomes, sizeof(shown->outcomes));
	reader->failed |= shown->outcomes > OCLMM_SEEN_OUTCOMES;
	if (reader->failed)
		shown->outcomes = 0;
	shown->values = oclmm_calloc((size_t)OCLMM_SEEN_OUTCOMES * width + 1,
	                             sizeof(*shown->values));
	wire_get(reader, shown->values, (size_t)shown->outcomes * width * sizeof(*shown->values));
	wire_get(reader, &count, sizeof(count));
	if (reader->failed || count > reader->left / sizeof(*shown->launches)) {
		reader->failed = true;
		return;
	}
	shown->count = shown->capacity = (size_t)count;
	shown->launches = oclmm_calloc(shown->count + 1, sizeof(*shown->launches));
	wire_get(reader, shown->launches, shown->count * sizeof(*shown->launches));
	wire_get(reader, &count, sizeof(count));
	if (reader->failed || count > reader->left / sizeof(*shown->counts)) {
		reader->failed = true;
		return;
	}
	shown->counted = shown->count_capacity = (size_t)count;
	shown->counts = oclmm_calloc(shown->counted + 1, sizeof(*shown->counts));
	wire_get(reader, shown->counts, shown->counted * sizeof(*shown->counts));
	reader->failed |= !are_launches(shown) || !are_counts(shown);
}

void worker_class_pack(struct oclmm_text *text, const struct worker_result *result)
{
	wire_put(text, &result->support, sizeof(result->support));
	wire_put(text, result->missing, sizeof(result->missing));
}

int worker_class_unpack(struct wire_reader *reader, struct worker_result *ret_result)
{
	struct worker_result result = {.classified = true};

	wire_get(reader, &result.support, sizeof(result.support));
	wire_get(reader, result.missing, sizeof(result.missing));
	result.missing[sizeof(result.missing) - 1] = '\0';
	if (reader->failed || reader->left || (unsigned)result.support > OCLMM_SUPPORT_UNSUPPORTED)
		return -EPROTO;
	*ret_result = result;
	return 0;
}

/* Each list of launches is either missing or complete. */
static bool are_sound_counts(const struct oclmm_counts *counts)
{
	return counts->seconds >= 0 && counts->seconds < 1e18 && counts->compile_seconds >= 0 &&
	       counts->compile_seconds < 1e18 && counts->halved_at.count <= OCLMM_HALVINGS_MOST &&
	       counts->halved == counts->halved_at.count && counts->turns.count <= OCLMM_TURNS_MOST;
}

/* Checks the values, since the child's memory may have been overwritten. */
static bool is_sound(struct worker_result *result)
{
	END_STRING(result->missing);
	END_STRING(result->message);
	END_STRING(result->options);
	return (unsigned)result->end < OCLMM_END_PROCESS_ENDED && is_flag(&result->classified) &&
	       (unsigned)result->support <= OCLMM_SUPPORT_UNSUPPORTED &&
	       are_sound_counts(&result->run.counts);
}

int worker_result_unpack(struct wire_reader *reader, uint32_t width,
                         struct worker_result *ret_result)
{
	struct worker_result result = {0};
	uint8_t counted;

	for (size_t i = 0; i < OCLMM_COUNT(fields); i++)
		wire_get(reader, (char *)&result + fields[i].offset, fields[i].size);
	result.run.counts.histogram = NULL;
	if (reader->failed || !is_sound(&result))
		return -EPROTO;
	result.run.build_log = wire_get_string(reader);
	wire_get(reader, &counted, sizeof(counted));
	if (counted)
		result.run.counts.histogram = get_histogram(reader, width);
	get_shown(reader, width, &result.run.shown);
	if (reader->failed || (result.end == OCLMM_END_OK && !counted)) {
		worker_result_finish(&result);
		return -EPROTO;
	}
	*ret_result = result;
	return 0;
}

void worker_result_finish(struct worker_result *result)
{
	oclmm_run_result_finish(&result->run);
	free(result->log);
	*result = (struct worker_result){0};
}

int worker_error_unpack(struct wire_reader *reader, struct oclmm_error *ret_error)
{
	struct oclmm_error error;

	wire_get(reader, &error, sizeof(error));
	if (reader->failed || reader->left)
		return -EPROTO;
	END_STRING(error.file);
	END_STRING(error.message);
	END_STRING(error.source);
	END_STRING(error.note);
	*ret_error = error;
	return 0;
}

static bool is_sound_device(struct oclmm_device_info *info, struct oclmm_device_identity *identity)
{
	END_STRING(info->platform);
	END_STRING(info->name);
	END_STRING(info->vendor);
	END_STRING(info->driver);
	END_STRING(info->version);
	END_STRING(info->c_version);
	END_STRING(info->il_version);
	END_STRING(identity->text);
	END_STRING(identity->file);
	END_STRING(identity->id);
	return is_flag(&info->device_enqueue) && is_flag(&info->compiler) &&
	       is_flag(&info->int64_atomics) && is_flag(&info->collectives) &&
	       is_flag(&info->fp16) && is_flag(&info->fp64) && is_flag(&info->sub_groups) &&
	       is_flag(&info->generic_address_space) && is_flag(&info->short_loops);
}

int worker_devices_unpack(struct wire_reader *reader, struct worker_devices *ret_devices)
{
	struct worker_devices devices = {0};
	uint64_t count = 0;
	bool sound = true;

	wire_get(reader, &count, sizeof(count));
	if (reader->failed || count > reader->left / sizeof(*devices.list.devices))
		return -EPROTO;
	devices.list.devices = oclmm_calloc(count + 1, sizeof(*devices.list.devices));
	devices.identities = oclmm_calloc(count + 1, sizeof(*devices.identities));
	for (; sound && devices.list.count < count; devices.list.count++) {
		struct oclmm_device_info *info = &devices.list.devices[devices.list.count];
		struct oclmm_device_identity *identity = &devices.identities[devices.list.count];

		wire_get(reader, info, sizeof(*info));
		wire_get(reader, identity, sizeof(*identity));
		sound = !reader->failed && is_sound_device(info, identity);
	}
	wire_get(reader, &count, sizeof(count));
	devices.list.left_out_at = count;
	if (sound)
		devices.dropped = wire_get_string(reader);
	if (!sound || worker_error_unpack(reader, &devices.list.left_out) < 0) {
		worker_devices_finish(&devices);
		return -EPROTO;
	}
	*ret_devices = devices;
	return 0;
}

int worker_table_unpack(struct wire_reader *reader, struct oclmm_probe_table *ret_table)
{
	struct oclmm_probe_table table;

	wire_get(reader, &table, sizeof(table));
	if (reader->failed || reader->left)
		return -EPROTO;
	for (size_t i = 0; i < OCLMM_COUNT(table.unnamed); i++) {
		if (!is_flag(&table.unnamed[i]))
			return -EPROTO;
	}
	*ret_table = table;
	return 0;
}

void worker_devices_finish(struct worker_devices *devices)
{
	oclmm_device_list_finish(&devices->list);
	free(devices->identities);
	free(devices->dropped);
	*devices = (struct worker_devices){0};
}

/* ---- the child's side ---- */

struct child {
	int socket;
	struct oclmm_device *device;
	double reported; /* when progress was last sent */
};

/* A job of the group that the child runs. */
struct child_job {
	struct child *child;
	uint64_t index;
	struct worker_result *result;
};

/* Sends progress often enough for the bar and the time limit, and seldom enough to cost nothing. */
static const double PROGRESS_INTERVAL = 0.1;

static void answer(struct child *child, enum wire_kind kind, struct oclmm_text *text)
{
	if (wire_send(child->socket, kind, text) < 0)
		_exit(1); /* the program has ended */
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
	struct oclmm_text text = {0}, dropped = {0};
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
	oclmm_drivers_dropped(&dropped);
	wire_put_string(&text, dropped.length ? oclmm_text_string(&dropped) : NULL);
	oclmm_text_finish(&dropped);
	wire_put(&text, &list.left_out, sizeof(list.left_out));
	oclmm_device_list_finish(&list);
	answer(child, WIRE_DEVICES, &text);
}

typedef int opens_device(const struct oclmm_device_identity *identity, struct oclmm_error *error,
                         struct oclmm_device **ret_device);

static void serve_open(struct child *child, struct wire_reader *reader, opens_device *opens)
{
	struct oclmm_device_identity identity;
	struct oclmm_error error = {0};

	wire_get(reader, &identity, sizeof(identity));
	if (opens(&identity, &error, &child->device) < 0)
		answer_error(child, &error);
	else
		answer(child, WIRE_OPENED, NULL);
}

static void send_progress(void *data, double fraction)
{
	struct child *child = ((struct child_job *)data)->child;
	struct oclmm_text text = {0};
	double now = oclmm_clock();

	if (now - child->reported < PROGRESS_INTERVAL)
		return;
	child->reported = now;
	wire_put(&text, &fraction, sizeof(fraction));
	answer(child, WIRE_PROGRESS, &text);
}

/* Sends what was counted so far, so that it is not lost with this process. */
static void send_counts(void *data, const struct oclmm_run_result *so_far)
{
	const struct child_job *member = data;
	struct worker_result result = *member->result;
	struct oclmm_text text = {0};

	result.end = OCLMM_END_OK;
	result.run = *so_far;
	wire_put(&text, &member->index, sizeof(member->index));
	worker_result_pack(&text, &result);
	answer(member->child, WIRE_NEWS, &text);
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

/* Says so before it builds: the compiler may crash the driver, or take its time. */
static void send_begin(void *data)
{
	const struct child_job *member = data;
	struct oclmm_text text = {0};

	wire_put(&text, &member->index, sizeof(member->index));
	answer(member->child, WIRE_BEGIN, &text);
}

/* Says that launches begin: nothing else should run on the device's processors. */
static void send_play(void *data)
{
	answer(((struct child_job *)data)->child, WIRE_PLAY, NULL);
}

/* A group in a child: `requests` and the members behind it are of the jobs that can run. */
struct child_group {
	uint64_t order, afresh;
	double seconds;
	struct oclmm_arena *arena; /* of the jobs */
	struct oclmm_run_request *jobs;
	size_t count;
	struct worker_result *results;
	struct child_job *running;
	uint32_t run; /* how many of them */
	struct oclmm_run_request *requests;
	struct oclmm_run_end *ends;
	struct oclmm_run_result *run_results;
};

static struct oclmm_run_request request_of(const struct oclmm_run_request *job,
                                           const struct child_group *group,
                                           struct child_job *member)
{
	struct oclmm_run_request request = *job;

	/* a second attempt shows whose fault it was */
	if (group->afresh)
		request.joint = NULL;
	request.seconds = group->seconds;
	request.progress = send_progress;
	request.news = send_counts;
	request.begins = send_begin;
	request.plays = send_play;
	request.progress_data = member;
	return request;
}

/* The program asks only for what it has, of a device that is open. */
static void take_jobs(const struct child *child, struct wire_reader *reader,
                      struct oclmm_arena *arena, struct oclmm_run_request **ret_jobs,
                      size_t *ret_count)
{
	if (!child->device || worker_jobs_unpack(reader, arena, ret_jobs, ret_count) < 0 ||
	    *ret_count == 0)
		_exit(1);
}

/* Sends what the device says of a job before it runs, because the driver may not survive the
 * job. */
static void classify(const struct child_job *member, const struct oclmm_run_request *job)
{
	struct child *child = member->child;
	struct worker_result *result = member->result;
	struct oclmm_text text = {0};

	result->end = OCLMM_END_UNSUPPORTED;
	result->support = oclmm_device_supports(child->device, job->program, result->missing,
	                                        sizeof(result->missing));
	/* a processor may trap there, and any value is right (C:6.4) */
	if (job->unspecified && result->support != OCLMM_SUPPORT_UNSUPPORTED) {
		result->support = OCLMM_SUPPORT_UNSUPPORTED;
		snprintf(result->missing, sizeof(result->missing),
		         "a value that is specified: it divides by 0, or by -1");
	}
	result->classified = true;
	snprintf(result->message, sizeof(result->message), "%s", result->missing);
	wire_put(&text, &member->index, sizeof(member->index));
	worker_class_pack(&text, result);
	answer(child, WIRE_CLASS, &text);
}

static void open_group(struct child *child, struct wire_reader *reader, struct child_group *group)
{
	*group = (struct child_group){0};
	wire_get(reader, &group->afresh, sizeof(group->afresh));
	wire_get(reader, &group->seconds, sizeof(group->seconds));
	wire_get(reader, &group->order, sizeof(group->order));
	group->arena = oclmm_arena_create();
	take_jobs(child, reader, group->arena, &group->jobs, &group->count);
	group->results = oclmm_calloc(group->count, sizeof(*group->results));
	group->running = oclmm_calloc(group->count, sizeof(*group->running));
	group->requests = oclmm_calloc(group->count, sizeof(*group->requests));
	group->ends = oclmm_calloc(group->count, sizeof(*group->ends));
	group->run_results = oclmm_calloc(group->count, sizeof(*group->run_results));
}

static void close_group(struct child_group *group)
{
	for (size_t i = 0; i < group->count; i++)
		worker_result_finish(&group->results[i]);
	free(group->results);
	free(group->running);
	free(group->requests);
	free(group->ends);
	free(group->run_results);
	oclmm_arena_destroy(group->arena);
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

/* Programs of a group share a few texts, so the note holds for any of them. */
static void note_kept(struct worker_result *result)
{
	size_t length = strlen(result->options);

	snprintf(result->options + length, sizeof(result->options) - length,
	         "; binaries from the disk");
}

/* The same for modules: a driver that trusts them may leave out all order. */
static void note_found(struct worker_result *result, const struct oclmm_device_built *before,
                       const struct oclmm_device_built *now)
{
	size_t length = strlen(result->options);

	if (now->classless > before->classless)
		snprintf(result->options + length, sizeof(result->options) - length,
		         "; %" PRIu64 " of %" PRIu64 " operations of the module name no memory",
		         now->classless - before->classless, now->operations - before->operations);
}

static void run_group(struct child *child, struct child_group *group)
{
	struct oclmm_device_built before, now;

	for (size_t i = 0; i < group->count; i++) {
		const struct oclmm_run_request *job = &group->jobs[i];
		struct child_job *member = &group->running[group->run];

		*member = (struct child_job){child, i, &group->results[i]};
		classify(member, job);
		if (member->result->support == OCLMM_SUPPORT_UNSUPPORTED || !job->space)
			continue;
		note_options(child, job->program, member->result);
		group->requests[group->run++] = request_of(job, group, member);
	}
	if (group->run == 0)
		return;
	before = oclmm_device_built(child->device);
	oclmm_device_build_afresh(child->device, group->afresh);
	oclmm_run_together(child->device, group->requests, group->run, group->order, group->ends,
	                   group->run_results);
	now = oclmm_device_built(child->device);
	for (uint32_t i = 0; i < group->run; i++) {
		take_result(&group->ends[i], &group->run_results[i], group->running[i].result);
		note_found(group->running[i].result, &before, &now);
		if (now.recalled > before.recalled)
			note_kept(group->running[i].result);
	}
}

static void serve_run(struct child *child, struct wire_reader *reader)
{
	struct oclmm_text text = {0};
	struct child_group group;

	open_group(child, reader, &group);
	child->reported = 0;
	run_group(child, &group);
	for (size_t i = 0; i < group.count; i++)
		worker_result_pack(&text, &group.results[i]);
	close_group(&group);
	answer(child, WIRE_RESULT, &text);
}

static void serve_build(struct child *child, struct wire_reader *reader)
{
	struct oclmm_arena *arena = oclmm_arena_create();
	struct worker_compiled compiled;
	struct oclmm_run_request *job;
	struct oclmm_text text = {0};
	size_t count;

	take_jobs(child, reader, arena, &job, &count);
	compiled = worker_build(child->device, job);
	oclmm_arena_destroy(arena);
	wire_put(&text, &compiled, sizeof(compiled));
	answer(child, WIRE_BUILT, &text);
}

static void serve_binary(struct child *child, struct wire_reader *reader)
{
	struct oclmm_arena *arena = oclmm_arena_create();
	struct oclmm_run_request *job;
	struct oclmm_text source, binary = {0};
	struct oclmm_error error;
	size_t count;

	take_jobs(child, reader, arena, &job, &count);
	if (job->space && exchange_generate(EXCHANGE_TESTS, &job->program, &job->space, 1, NULL,
	                                    &error, &source) == 0) {
		oclmm_device_binary(child->device, oclmm_text_string(&source), &binary);
		oclmm_text_finish(&source);
	}
	oclmm_arena_destroy(arena);
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

/* They hold until the end of the process. */
static void take_settings(struct wire_reader *reader)
{
	struct oclmm_device_settings *settings = &oclmm_device_settings;

	wire_get(reader, settings, sizeof(*settings));
	settings->folder = wire_get_string(reader);
	settings->producer = producer_unpack(reader);
}

static void serve(struct child *child, uint32_t kind, struct wire_reader *reader)
{
	switch (kind) {
	case WIRE_LIST: serve_list(child); break;
	case WIRE_OPEN: serve_open(child, reader, oclmm_device_open_identified); break;
	case WIRE_AHEAD: serve_open(child, reader, worker_open_to_build); break;
	case WIRE_BUILD: serve_build(child, reader); break;
	case WIRE_RUN: serve_run(child, reader); break;
	case WIRE_BINARY: serve_binary(child, reader); break;
	case WIRE_PROBE: serve_probe(child); break;
	case WIRE_SETTINGS: take_settings(reader); break;
	default: _exit(1);
	}
}

void worker_serve(int socket)
{
	struct child child = {.socket = socket};
	struct wire_input input = {0};
	struct wire_reader reader;
	uint32_t kind;
	int r;

	while ((r = wire_wait(&input, socket, WIRE_KINDS, &kind, &reader)) > 0)
		serve(&child, kind, &reader);
	if (r < 0)
		_exit(1);
}

static void serve_copy(void *data, int socket)
{
	(void)data;
	worker_serve(socket);
}

/* ---- the program's side: the beginning and the end of a child ---- */

/* Seconds that a child may take to end when it was asked to. */
static const double LEAVE_SECONDS = 0.5;

void worker_send_settings(const struct process *process)
{
	struct oclmm_text text = {0};

	wire_put(&text, &oclmm_device_settings, sizeof(oclmm_device_settings));
	wire_put_string(&text, oclmm_device_settings.folder);
	producer_pack(oclmm_device_settings.producer, &text);
	wire_send(process->socket, WIRE_SETTINGS, &text);
	oclmm_text_finish(&text);
}

int worker_start(const struct worker_options *options, const struct oclmm_run_request *jobs,
                 size_t count, struct oclmm_error *error, struct worker **ret_worker)
{
	struct worker *worker = oclmm_calloc(1, sizeof(*worker));
	const struct process_job job = {.run = serve_copy,
	                                .anew = worker_serve,
	                                .talks = true,
	                                .heard = true,
	                                .leads = true};
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
	if (worker->process.anew)
		worker_send_settings(&worker->process);
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

/* Kills it at once: an idle child has nothing to tidy up. Accepts NULL. */
static void kill_worker(struct worker *worker)
{
	if (worker)
		process_stop(&worker->process, 0);
	worker_stop(worker);
}

/* ---- what it says meanwhile ---- */

/* The number of observables of a job of the running group. */
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

/* Reads the index of a job of the group. Returns 0 or -EPROTO. */
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

/* Takes a frame that may come before the answer. Returns whether it is one; negative: damage. */
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

/* Seconds of silence that the child may have: those of the running group, or the usual ones. */
static double limit_of(const struct worker *worker)
{
	return worker->group && worker->group->limit > 0 ? worker->group->limit
	                                                 : worker->options.limit;
}

/* The time between two looks at the processor time of a silent child. */
static const double LOOK = 0.25;

/* Waits for a frame as long as the child may be silent. On a machine with much else to do its own
 * processor time tells a kernel that hangs from one that has to wait. */
static enum process_news await_frame(struct worker *worker, uint32_t *ret_kind,
                                     struct wire_reader *ret_reader)
{
	double end = oclmm_clock() + limit_of(worker);
	double start = worker->options.processor > 0 ? process_used(&worker->process).processor
	                                             : -1;

	for (;;) {
		double look = start >= 0 ? oclmm_clock() + LOOK : end;
		enum process_news news = process_await(&worker->process, WIRE_KINDS,
		                                       look < end ? look : end, ret_kind,
		                                       ret_reader);
		double spent = start >= 0 ? process_used(&worker->process).processor - start : 0;

		if (news == PROCESS_FRAME && worker->group && spent > worker->longest)
			worker->longest = spent;
		if (news != PROCESS_SILENT || oclmm_clock() >= end)
			return news;
		if (worker->processor > 0 && spent >= worker->processor) {
			worker->spent = spent;
			return news;
		}
	}
}

/*
 * Waits for the answer. OCLMM_END_OK: a frame, valid until the next request; otherwise the child is
 * gone.
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

		news = await_frame(worker, ret_kind, ret_reader);
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
	/* after a crash the socket closes a moment before the process ends */
	process_stop(&worker->process, news == PROCESS_GONE ? LEAVE_SECONDS : 0);
	return ends[news];
}

/* What the child was doing, by the request; a run has begun once a frame of it came. */
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
	/* keep what drivers print apart for each request */
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
	if (end == OCLMM_END_HANG && worker->spent > 0)
		snprintf(message, size, "nothing was heard for %.1f s of its processor time, %s",
		         worker->spent, worker->doing);
	else if (end == OCLMM_END_HANG)
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

static void pack_group(const struct worker *worker, const struct worker_group *group,
                       struct oclmm_text *text)
{
	uint64_t afresh = group->afresh;

	oclmm_text_init(text);
	wire_put(text, &afresh, sizeof(afresh));
	wire_put(text, &group->seconds, sizeof(group->seconds));
	wire_put(text, &group->order, sizeof(group->order));
	worker_jobs_pack(text, worker->jobs, group->jobs, group->count);
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

/* The results that the child sent of each job before it ended. */
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
	pack_group(worker, group, &text);
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

int worker_binary(struct worker *worker, size_t job, struct oclmm_text *ret_binary)
{
	struct wire_reader reader;
	struct oclmm_text text = {0};
	uint32_t kind;

	worker_jobs_pack(&text, worker->jobs, &job, 1);
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
	uint64_t memory;     /* bytes that it held after the first of them */
	double longest;      /* seconds of processor time that any was silent for, and answered */
};

/* A kernel that takes so many times as long as all before it hangs. */
static const double LONGER = 4;

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

/* Takes the waiting child, if it is sound. */
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
	if (r < 0)
		return r;
	if (relay->longest > 0)
		relay->now->processor = relay->longest * LONGER > options->worker.processor
		                                ? relay->longest * LONGER
		                                : options->worker.processor;
	*ret_worker = relay->now;
	return 0;
}

static bool leaks(struct worker_relay *relay)
{
	uint64_t memory = process_used(&relay->now->process).memory;

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
	if (relay->now->longest > relay->longest)
		relay->longest = relay->now->longest;
	if (relay->served >= options->most || leaks(relay)) {
		/* it has answered everything: nothing is lost */
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

void worker_relay_destroy(struct worker_relay *relay)
{
	if (!relay)
		return;
	kill_worker(relay->next);
	kill_worker(relay->now);
	free(relay);
}
