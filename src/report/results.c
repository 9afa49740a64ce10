// SPDX-License-Identifier: Apache-2.0
/* Reads JSON Lines back, line by line. */
#include "results.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

#define AT(member) offsetof(struct run_line, member)

struct run_line {
	struct oclmm_saved_run run;
	uint64_t format;
};

static const struct field run_fields[] = {
	{"format", FIELD_COUNT, AT(format)},
	{"tool", FIELD_TEXT, AT(run.header.tool)},
	{"platform", FIELD_TEXT_OR_NULL, AT(run.header.platform)},
	{"device", FIELD_TEXT_OR_NULL, AT(run.header.device)},
	{"driver", FIELD_TEXT_OR_NULL, AT(run.header.driver)},
	{"version", FIELD_TEXT_OR_NULL, AT(run.header.version)},
	{"claims", FIELD_TEXT_OPTIONAL, AT(run.header.claims)},
	{"seed", FIELD_DECIMAL, AT(run.header.seed)},
	{"instances", FIELD_COUNT, AT(run.header.instances)},
	{"budget", FIELD_REAL, AT(run.header.budget)},
	{"profile", FIELD_TEXT_OR_NULL, AT(run.header.profile)},
	{"tests", FIELD_COUNT, AT(run.header.tests)},
	{"whole_suite", FIELD_FLAG, AT(run.header.whole_suite)},
	{"confidence", FIELD_REAL, AT(run.header.confidence)},
	{"shard", FIELD_COUNT_32, AT(run.header.shard)},
	{"shards", FIELD_COUNT_32, AT(run.header.shards)},
	{"started", FIELD_TEXT_OR_NULL, AT(run.header.started)},
	{0},
};

/* Computed from the tests by whoever reads them; here only the form is looked at. */
static const struct field confidence_fields[] = {
	{"test", FIELD_TEXT, FIELD_UNUSED},
	{"hash", FIELD_HEX, FIELD_UNUSED},
	{"platform", FIELD_TEXT_OR_NULL, FIELD_UNUSED},
	{"device", FIELD_TEXT_OR_NULL, FIELD_UNUSED},
	{"device_id", FIELD_TEXT_OR_NULL, FIELD_UNUSED},
	{"driver", FIELD_TEXT_OR_NULL, FIELD_UNUSED},
	{"environment", FIELD_TEXT_OR_NULL, FIELD_UNUSED},
	{"verdict", FIELD_TEXT, FIELD_UNUSED},
	{"confidence", FIELD_TEXT, FIELD_UNUSED},
	{"control", FIELD_TEXT_OR_NULL, FIELD_UNUSED},
	{"seen", FIELD_COUNT, FIELD_UNUSED},
	{"instances", FIELD_COUNT, FIELD_UNUSED},
	{"rate", FIELD_REAL, FIELD_UNUSED},
	{"per_second", FIELD_REAL, FIELD_UNUSED},
	{"escape", FIELD_REAL, FIELD_UNUSED},
	{0},
};

struct end_line {
	uint64_t tests, records;
	bool interrupted;
};

static const struct field end_fields[] = {
	{"tests", FIELD_COUNT, offsetof(struct end_line, tests)},
	{"records", FIELD_COUNT_OPTIONAL, offsetof(struct end_line, records)},
	{"interrupted", FIELD_FLAG, offsetof(struct end_line, interrupted)},
	{"verdicts", FIELD_OBJECT, FIELD_UNUSED},
	{"instances", FIELD_COUNT, FIELD_UNUSED},
	{"stimulus", FIELD_HEX, FIELD_UNUSED},
	{"left_out", FIELD_COUNT, FIELD_UNUSED},
	{"exit", FIELD_COUNT, FIELD_UNUSED},
	{0},
};

struct reader {
	struct oclmm_results *results;
	struct line line;
	size_t run_capacity, saved_capacity;
	size_t section;  /* tests before the section at hand */
	bool in_section; /* a `run` line came, its `end` did not */
};

static const char *canonical(const struct line *line, json_t *object)
{
	char *text = json_dumps(object, JSON_COMPACT);
	const char *copy = oclmm_arena_strdup(line->arena, text ? text : "");

	free(text);
	return copy;
}

static int read_run(struct reader *reader, json_t *object)
{
	struct oclmm_results *results = reader->results;
	struct run_line run = {0};
	int r = fields_read(&reader->line, object, run_fields, &run);

	if (r < 0)
		return r;
	if (run.format != OCLMM_RESULTS_FORMAT)
		return line_refuse(&reader->line, "format", "format %llu, this program reads %d",
		                   (unsigned long long)run.format, OCLMM_RESULTS_FORMAT);
	if (run.run.header.shard > run.run.header.shards ||
	    (!run.run.header.shard != !run.run.header.shards))
		return line_refuse(&reader->line, "shard", "there is no shard %u of %u",
		                   run.run.header.shard, run.run.header.shards);
	run.run.text = canonical(&reader->line, object);
	run.run.line = reader->line.number;
	oclmm_grow(&results->runs, &reader->run_capacity, results->run_count,
	           sizeof(*results->runs));
	results->runs[results->run_count++] = run.run;
	reader->in_section = true;
	return 0;
}

static int read_test(struct reader *reader, json_t *object)
{
	struct oclmm_results *results = reader->results;
	struct oclmm_saved saved = {0};
	int r = results_read_test(&reader->line, object, &saved);

	if (r < 0)
		return r;
	saved.text = canonical(&reader->line, object);
	saved.line = reader->line.number;
	oclmm_grow(&results->saved, &reader->saved_capacity, results->saved_count,
	           sizeof(*results->saved));
	results->saved[results->saved_count++] = saved;
	return 0;
}

static int read_end(struct reader *reader, json_t *object)
{
	struct oclmm_results *results = reader->results;
	size_t records = results->saved_count - reader->section;
	struct end_line end = {.records = UINT64_MAX};
	int r = fields_read(&reader->line, object, end_fields, &end);

	if (r < 0)
		return r;
	/* a test that was run in parts is one test and several records */
	if (end.records == UINT64_MAX)
		end.records = end.tests;
	if (end.records != records)
		return line_refuse(&reader->line, "records",
		                   "the manifest counts %llu test lines, the file has %zu",
		                   (unsigned long long)end.records, records);
	results->interrupted |= end.interrupted;
	reader->section = results->saved_count;
	reader->in_section = false;
	return 0;
}

static int read_object(struct reader *reader, json_t *object)
{
	const char *type = json_string_value(json_object_get(object, "type"));

	if (!type)
		return line_refuse(&reader->line, "type", "no \"type\"");
	if (strcmp(type, "run") == 0)
		return read_run(reader, object);
	if (!reader->in_section)
		return line_refuse(&reader->line, "type",
		                   "\"%s\" outside of a run: a \"run\" line comes first", type);
	if (strcmp(type, "test") == 0)
		return read_test(reader, object);
	if (strcmp(type, "confidence") == 0)
		return fields_read(&reader->line, object, confidence_fields, NULL);
	if (strcmp(type, "end") == 0)
		return read_end(reader, object);
	return line_refuse(&reader->line, "type", "unknown type \"%s\"", type);
}

static int read_line(struct reader *reader)
{
	struct line *line = &reader->line;
	json_error_t json_error;
	json_t *object = json_loadb(line->text, line->length, JSON_REJECT_DUPLICATES, &json_error);
	int r;

	if (!object)
		return line_refuse_at(line, json_error.column > 0 ? (uint32_t)json_error.column : 1,
		                      1, "not JSON: %s", json_error.text);
	r = json_is_object(object) ? read_object(reader, object)
	                           : line_refuse_at(line, 1, 1, "not a JSON object");
	json_decref(object);
	return r;
}

static int read_lines(struct reader *reader, const char *text, const char *end, bool partial)
{
	int r = 0;

	while (r == 0 && text < end) {
		const char *stop = memchr(text, '\n', (size_t)(end - text));

		reader->line.text = text;
		reader->line.length = (size_t)((stop ? stop : end) - text);
		reader->line.number++;
		if (!stop && partial)
			return 0;
		if (!stop)
			return line_refuse_at(&reader->line, (uint32_t)reader->line.length + 1, 1,
			                      "the last line was cut off");
		r = read_line(reader);
		text = stop + 1;
	}
	return r;
}

int oclmm_results_parse(const char *path, const char *text, size_t length, bool partial,
                        struct oclmm_error *error, struct oclmm_results **ret_results)
{
	struct oclmm_results *results = oclmm_calloc(1, sizeof(*results));
	struct reader reader = {.results = results};
	int r;

	results->arena = oclmm_arena_create();
	reader.line =
		(struct line){.path = path, .arena = results->arena, .error = error, .text = ""};
	r = read_lines(&reader, text, text + length, partial);
	if (r == 0 && !results->run_count)
		r = oclmm_error_set(error, -EINVAL, "%s: no results: it has no \"run\" line", path);
	if (r < 0) {
		oclmm_results_destroy(results);
		return r;
	}
	snprintf(results->path, sizeof(results->path), "%s", path);
	results->complete = !reader.in_section;
	*ret_results = results;
	return 0;
}

int oclmm_results_read(const char *path, bool partial, struct oclmm_error *error,
                       struct oclmm_results **ret_results)
{
	size_t length;
	char *text;
	int r = oclmm_read_file(path, &text, &length);

	if (r < 0)
		return oclmm_error_set(error, r, "cannot read %s: %s", path, strerror(-r));
	r = oclmm_results_parse(path, text, length, partial, error, ret_results);
	free(text);
	return r;
}

void oclmm_results_destroy(struct oclmm_results *results)
{
	if (!results)
		return;
	oclmm_arena_destroy(results->arena);
	free(results->runs);
	free(results->saved);
	free(results);
}
