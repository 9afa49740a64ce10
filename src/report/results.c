// SPDX-License-Identifier: Apache-2.0
/* Reads JSON Lines back, line by line. */
#include "results.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "pieces.h"

struct reader {
	struct oclmm_results *results;
	struct line line;
	size_t run_capacity, saved_capacity;
	uint64_t instances, launches; /* of all tests */
	size_t section;               /* tests before the section at hand */
	bool in_section;              /* a `run` line came, its `end` did not */
	bool texts;                   /* whether the lines' texts are wanted */
};

/* `pieces` of its outcomes. */
static const char *canonical(const struct reader *reader, json_t *object,
                             const struct oclmm_text *pieces)
{
	struct oclmm_text text = {0};

	if (!reader->texts)
		return NULL;
	pieces_print(&text, object, pieces, &reader->line);
	return oclmm_text_keep(&text, reader->line.arena);
}

static int check_run(const struct line *line, const struct run_line *run)
{
	const struct oclmm_run_header *header = &run->header;

	if (run->format != OCLMM_RESULTS_FORMAT)
		return line_refuse(line, "format", "format %llu, this program reads %d",
		                   (unsigned long long)run->format, OCLMM_RESULTS_FORMAT);
	if (header->shard > header->shards || (!header->shard != !header->shards))
		return line_refuse(line, "shard", "there is no shard %u of %u", header->shard,
		                   header->shards);
	return 0;
}

static int read_run(struct reader *reader, json_t *object)
{
	struct oclmm_results *results = reader->results;
	struct run_line run = {0};
	int r = fields_read(&reader->line, object, &run_fields, &run);

	if (r == 0)
		r = check_run(&reader->line, &run);
	if (r < 0)
		return r;
	oclmm_grow(&results->runs, &reader->run_capacity, results->run_count,
	           sizeof(*results->runs));
	results->runs[results->run_count++] = (struct oclmm_saved_run){
		.header = run.header,
		.text = canonical(reader, object, &(struct oclmm_text){0}),
		.line = reader->line.number,
	};
	reader->in_section = true;
	return 0;
}

/* Whoever adds the tests of a file up never leaves what a number can hold exactly. */
static int add_counts(struct reader *reader, const struct oclmm_record *record)
{
	reader->instances += record->instances;
	reader->launches += record->launches;
	if (reader->instances > FIELD_MOST)
		return line_refuse(&reader->line, "instances",
		                   "the instances of all tests up to here are more than 2^53");
	if (reader->launches > FIELD_MOST)
		return line_refuse(&reader->line, "launches",
		                   "the launches of all tests up to here are more than 2^53");
	return 0;
}

static int read_test(struct reader *reader, json_t *object)
{
	struct oclmm_results *results = reader->results;
	struct oclmm_saved saved = {0};
	struct oclmm_text pieces = {0};
	int r;

	r = results_read_test(&reader->line, object, reader->texts ? &pieces : NULL, &saved);
	if (r == 0)
		r = add_counts(reader, &saved.record);
	if (r == 0)
		saved.text = canonical(reader, object, &pieces);
	oclmm_text_finish(&pieces);
	if (r < 0)
		return r;
	saved.line = reader->line.number;
	oclmm_grow(&results->saved, &reader->saved_capacity, results->saved_count,
	           sizeof(*results->saved));
	results->saved[results->saved_count++] = saved;
	return 0;
}

/* Confidence is computed from the tests by whoever reads them; here only its form is looked at. */
static int read_confidence(struct reader *reader, json_t *object)
{
	struct test_line unused = {0};

	return fields_read(&reader->line, object, &confidence_fields, &unused);
}

static int read_end(struct reader *reader, json_t *object)
{
	struct oclmm_results *results = reader->results;
	size_t records = results->saved_count - reader->section;
	struct end_line end = {.records = UINT64_MAX};
	uint64_t verdicts = 0;
	int r = fields_read(&reader->line, object, &end_fields, &end);

	if (r < 0)
		return r;
	/* a test that was run in parts is one test and several records */
	if (end.records == UINT64_MAX)
		end.records = end.tests;
	if (end.records != records)
		return line_refuse(&reader->line, "records",
		                   "the manifest counts %llu test lines, the file has %zu",
		                   (unsigned long long)end.records, records);
	for (int i = 0; i < OCLMM_VERDICT_COUNT; i++)
		verdicts = oclmm_add_saturating(verdicts, end.verdicts[i]);
	if (end.tests > end.records || verdicts > end.tests)
		return line_refuse(&reader->line, "tests",
		                   "the manifest counts %llu tests, %llu of them with verdicts, "
		                   "and %llu test lines",
		                   (unsigned long long)end.tests, (unsigned long long)verdicts,
		                   (unsigned long long)end.records);
	results->interrupted |= end.interrupted;
	results->unfinished += end.unfinished;
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
		return read_confidence(reader, object);
	if (strcmp(type, "end") == 0)
		return read_end(reader, object);
	return line_refuse(&reader->line, "type", "unknown type \"%s\"", type);
}

static int read_line(struct reader *reader)
{
	struct line *line = &reader->line;
	json_t *object;
	int r = pieces_load(line, &object);

	if (r < 0)
		return r;
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

static int parse(const char *path, const char *text, size_t length, bool partial, bool texts,
                 struct oclmm_error *error, struct oclmm_results **ret_results)
{
	struct oclmm_results *results = oclmm_calloc(1, sizeof(*results));
	struct reader reader = {.results = results, .texts = texts};
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

int oclmm_results_parse(const char *path, const char *text, size_t length, bool partial,
                        struct oclmm_error *error, struct oclmm_results **ret_results)
{
	return parse(path, text, length, partial, true, error, ret_results);
}

static int read_file(const char *path, bool partial, bool texts, struct oclmm_error *error,
                     struct oclmm_results **ret_results)
{
	size_t length;
	char *text;
	int r = oclmm_read_text(path, error, &text, &length);

	if (r < 0)
		return r;
	r = parse(path, text, length, partial, texts, error, ret_results);
	free(text);
	return r;
}

int oclmm_results_read(const char *path, bool partial, struct oclmm_error *error,
                       struct oclmm_results **ret_results)
{
	return read_file(path, partial, true, error, ret_results);
}

int oclmm_results_read_records(const char *path, bool partial, struct oclmm_error *error,
                               struct oclmm_results **ret_results)
{
	return read_file(path, partial, false, error, ret_results);
}

void oclmm_results_destroy(struct oclmm_results *results)
{
	if (!results)
		return;
	for (size_t i = 0; i < results->part_count; i++)
		oclmm_results_destroy(results->parts[i]);
	free(results->parts);
	oclmm_arena_destroy(results->arena);
	free(results->runs);
	free(results->saved);
	free(results);
}
