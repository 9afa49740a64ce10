// SPDX-License-Identifier: Apache-2.0
/* A matrix read back from its JSON Lines: to be shown again, or gone on with. */
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "matrix.h"

struct reader {
	const char *path;
	uint32_t number; /* of the line */
	struct matrix_saved *saved;
	struct oclmm_error *error;
};

static int refuse(const struct reader *reader, const char *what)
{
	oclmm_error_set(reader->error, -EINVAL, "%s", what);
	snprintf(reader->error->file, sizeof(reader->error->file), "%s", reader->path);
	reader->error->position =
		(struct oclmm_position){.line = reader->number, .column = 1, .length = 1};
	return -EINVAL;
}

static bool take_number(json_t *object, const char *key, uint64_t *ret_number)
{
	json_t *value = json_object_get(object, key);

	if (!json_is_integer(value) || json_integer_value(value) < 0)
		return false;
	*ret_number = (uint64_t)json_integer_value(value);
	return true;
}

/* What is less than 0, as no time is, counts as none. */
static double seconds_of(const json_t *object)
{
	double seconds = json_number_value(json_object_get(object, "seconds"));

	return seconds > 0 ? seconds : 0;
}

static int take_header(const struct reader *reader, json_t *line)
{
	struct matrix_header *header = &reader->saved->header;
	uint64_t tests, plants;
	char *end;

	if (!take_number(line, "tests", &tests) || !take_number(line, "plants", &plants))
		return refuse(reader, "\"tests\" or \"plants\" is no count");
	child_device_take(&header->device, line);
	header->tool = child_string(line, "tool");
	header->machine = child_string(line, "machine");
	header->profile = json_string_value(json_object_get(line, "profile"));
	header->claims = child_string(line, "claims");
	header->seed = strtoull(child_string(line, "seed"), &end, 10);
	if (*end || end == child_string(line, "seed"))
		return refuse(reader, "\"seed\" is no number");
	if (!take_number(line, "instances", &header->instances))
		header->instances = 0;
	header->seconds = seconds_of(line);
	header->tests = tests;
	header->plants = plants;
	header->all = json_is_true(json_object_get(line, "all"));
	return 0;
}

static int take_kills(const struct reader *reader, json_t *line, struct plant_outcome *outcome)
{
	json_t *kill;
	size_t index;

	json_array_foreach(json_object_get(line, "kills"), index, kill)
	{
		uint64_t seen, instances, before;

		if (!take_number(kill, "forbidden", &seen) ||
		    !take_number(kill, "instances", &instances) ||
		    !take_number(kill, "instances_before", &before))
			return refuse(reader, "a kill lacks a count");
		plant_outcome_add_kill(outcome, child_string(kill, "test"), seen, instances);
		outcome->kills[outcome->kill_count - 1].instances_before = before;
		outcome->kills[outcome->kill_count - 1].seconds = seconds_of(kill);
	}
	return 0;
}

static int take_counts(const struct reader *reader, json_t *line, struct plant_outcome *outcome)
{
	const struct {
		const char *key;
		uint64_t *number;
	} counts[] = {
		{"tests", &outcome->tests},         {"concerned", &outcome->concerned},
		{"able", &outcome->able},           {"broken", &outcome->broken},
		{"instances", &outcome->instances}, {"programs", &outcome->programs},
		{"places", &outcome->places},       {"opaque", &outcome->opaque},
		{"launches", &outcome->launches},   {"unbuilt", &outcome->unbuilt},
		{"ungated", &outcome->ungated},     {"skipped", &outcome->skipped},
		{"refused", &outcome->refused},
	};
	char message[128];

	for (size_t i = 0; i < OCLMM_COUNT(counts); i++) {
		if (take_number(line, counts[i].key, counts[i].number))
			continue;
		snprintf(message, sizeof(message), "\"%s\" is no count", counts[i].key);
		return refuse(reader, message);
	}
	return 0;
}

/* What was killed has a test that did it, and nothing else has. */
static bool fits(const struct plant_outcome *outcome)
{
	bool killed = outcome->state == PLANT_KILLED || outcome->state == PLANT_CONTRADICTION;

	return killed == (outcome->kill_count > 0);
}

static int take_plant(const struct reader *reader, json_t *line)
{
	struct matrix_saved *saved = reader->saved;
	struct plant_outcome outcome = {.choice = child_string(line, "plant")};
	struct equivalent known = {.argument = child_string(line, "argument"),
	                           .seen = child_string(line, "seen")};
	const char *state = child_string(line, "result");
	char message[PLANT_MESSAGE];
	size_t capacity = saved->capacity;
	int r;

	if (!plant_parse(outcome.choice, &outcome.plant, message))
		return refuse(reader, message);
	if (!plant_state_find(state, strlen(state), &outcome.state))
		return refuse(reader, "\"result\" is none that there is");
	r = take_counts(reader, line, &outcome);
	if (r == 0)
		r = take_kills(reader, line, &outcome);
	if (r == 0 && !fits(&outcome))
		r = refuse(reader, "\"result\" and \"kills\" contradict each other");
	if (r < 0) {
		plant_outcome_finish(&outcome);
		return r;
	}
	outcome.seconds = seconds_of(line);
	snprintf(outcome.broken_test, sizeof(outcome.broken_test), "%s",
	         child_string(line, "broken_test"));
	oclmm_grow(&saved->equivalents, &capacity, saved->count, sizeof(*saved->equivalents));
	oclmm_grow(&saved->outcomes, &saved->capacity, saved->count, sizeof(*saved->outcomes));
	saved->equivalents[saved->count] = known;
	saved->outcomes[saved->count++] = outcome;
	return 0;
}

/* The lines stay, since all strings are theirs. */
static int take_line(const struct reader *reader, const char *text, size_t length)
{
	json_t *line = json_loadb(text, length, 0, NULL);
	const char *type = child_string(line, "type");

	if (!line)
		return refuse(reader, "this is no JSON");
	json_array_append_new(reader->saved->lines, line);
	if ((reader->number == 1) != (strcmp(type, "planted") == 0))
		return refuse(reader, reader->number == 1 ? "this is no matrix of planted bugs"
		                                          : "a second matrix begins here");
	if (reader->number == 1)
		return take_header(reader, line);
	if (strcmp(type, "plant") == 0)
		return take_plant(reader, line);
	return strcmp(type, "score") == 0 ? 0 : refuse(reader, "\"type\" is none that there is");
}

int matrix_read(const char *path, struct oclmm_error *error, struct matrix_saved *ret_saved)
{
	struct matrix_saved saved = {.lines = json_array()};
	struct reader reader = {.path = path, .saved = &saved, .error = error};
	struct oclmm_lines lines;
	char *text = NULL;
	size_t length = 0;
	int r = oclmm_read_text(path, error, &text, &length);

	oclmm_lines_begin(&lines, path, text ? text : "", length);
	while (r == 0 && oclmm_lines_next(&lines) && lines.ended) {
		reader.number = lines.number;
		r = take_line(&reader, lines.line, lines.length);
	}
	if (r == 0 && reader.number == 0) {
		reader.number = 1;
		r = refuse(&reader, "there is no whole line");
	}
	free(text);
	if (r < 0) {
		matrix_saved_finish(&saved);
		return r;
	}
	for (size_t i = 0; i < saved.count; i++) {
		if (saved.equivalents[i].argument[0])
			saved.outcomes[i].equivalent = &saved.equivalents[i];
	}
	*ret_saved = saved;
	return 0;
}

void matrix_saved_finish(struct matrix_saved *saved)
{
	for (size_t i = 0; i < saved->count; i++)
		plant_outcome_finish(&saved->outcomes[i]);
	free(saved->outcomes);
	free(saved->equivalents);
	json_decref(saved->lines);
	*saved = (struct matrix_saved){0};
}

const struct plant_outcome *matrix_saved_find(const struct matrix_saved *saved, const char *choice)
{
	for (size_t i = 0; i < saved->count; i++) {
		const struct plant_outcome *outcome = &saved->outcomes[i];

		if (strcmp(outcome->choice, choice) == 0 && outcome->state != PLANT_FAILED)
			return outcome;
	}
	return NULL;
}
