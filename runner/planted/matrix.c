// SPDX-License-Identifier: Apache-2.0
/* The kill matrix as JSON Lines: written, and read back. */
#include "matrix.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "causes.h"
#include "cli/json.h"
#include "plant/draw.h"

static OCLMM_FIND(plant_state_find, plant_state, PLANT_STATES, FIRST);

static json_t *causes_of(const struct plant_score *score)
{
	json_t *list = json_array();
	struct causes causes;

	causes_find(score, &causes);
	for (size_t i = 0; i < causes.count; i++) {
		json_t *object = json_object();

		json_put_text(object, "by", causes.items[i].is_where ? "where" : "what");
		json_put_text(object, "word", causes.items[i].word);
		json_put_count(object, "able", causes.items[i].able);
		json_put_count(object, "survived", causes.items[i].survived);
		json_put_text(object, "survivors", oclmm_text_string(&causes.items[i].names));
		json_array_append_new(list, object);
	}
	causes_finish(&causes);
	return list;
}

void matrix_write_head(struct oclmm_text *text, const struct matrix_header *header)
{
	json_t *object = json_object();
	char seed[24];

	snprintf(seed, sizeof(seed), "%" PRIu64, header->seed);
	json_put_text(object, "type", "planted");
	json_put_count(object, "format", 1);
	json_put_text(object, "tool", header->tool);
	json_put_text(object, "platform", header->device.platform);
	json_put_text(object, "device", header->device.device);
	json_put_text(object, "driver", header->device.driver);
	json_put_text(object, "version", header->device.version);
	json_put_text(object, "machine", header->machine);
	json_put_text(object, "profile", header->profile);
	json_put_text(object, "claims", header->claims);
	json_put_text(object, "seed", seed);
	if (header->instances)
		json_put_count(object, "instances", header->instances);
	else
		json_put_text(object, "instances", NULL);
	json_put_real(object, "seconds", header->seconds);
	json_put_count(object, "tests", header->tests);
	json_put_count(object, "plants", header->plants);
	json_put_flag(object, "all", header->all);
	json_print_line(text, object);
}

/* `timed`: with what had run by then. */
static json_t *kills_of(const struct kills *kills, bool timed)
{
	json_t *list = json_array();

	for (size_t i = 0; i < kills->count; i++) {
		const struct kill *kill = &kills->items[i];
		json_t *object = json_object();

		json_put_text(object, "test", kill->test);
		json_put_count(object, "forbidden", kill->seen);
		json_put_count(object, "instances", kill->instances);
		json_array_append_new(list, object);
		if (!timed)
			continue;
		json_put_real(object, "rate",
		              kill->instances ? (double)kill->seen / (double)kill->instances : 0);
		/* that as many instances at this rate show it again: one minus Poisson's
		 * probability of none */
		json_put_real(object, "again", -expm1(-(double)kill->seen));
		json_put_count(object, "instances_before", kill->instances_before);
		json_put_real(object, "seconds", kill->seconds);
	}
	return list;
}

static json_t *without_order_of(const struct plant_outcome *outcome)
{
	json_t *object = json_object();

	json_put_count(object, "tests", outcome->loosened);
	json_put_count(object, "instances", outcome->loosened_instances);
	json_object_set_new(object, "shows", kills_of(&outcome->shows, false));
	return object;
}

static json_t *broken_of(const struct plant_outcome *outcome)
{
	json_t *names = json_array();

	for (size_t i = 0; i < outcome->broken_count; i++)
		json_array_append_new(names, json_string(outcome->broken_tests[i].name));
	return names;
}

void matrix_write_plant(struct oclmm_text *text, const struct plant_outcome *outcome)
{
	const struct plant_description *description = &plant_descriptions[outcome->plant.bug];
	json_t *object = json_object();

	json_put_text(object, "type", "plant");
	json_put_text(object, "plant", outcome->choice);
	json_put_text(object, "class", plant_class_name(plant_class(outcome->plant.bug)));
	json_put_text(object, "what", description->what);
	if (outcome->plant.drawn) {
		struct oclmm_text where = {0};

		plant_where(&outcome->plant, &where);
		json_put_text(object, "part_of", description->name);
		json_put_text(object, "where", oclmm_text_string(&where));
		oclmm_text_finish(&where);
	}
	json_put_text(object, "rule", description->rule);
	json_put_text(object, "result", plant_state_word(outcome->state));
	json_object_set_new(object, "kills", kills_of(&outcome->kills, true));
	json_put_count(object, "tests", outcome->tests);
	json_put_count(object, "concerned", outcome->concerned);
	json_put_count(object, "able", outcome->able);
	json_put_count(object, "skipped", outcome->skipped);
	json_put_count(object, "refused", outcome->refused);
	json_put_count(object, "broken", outcome->broken);
	json_put_count(object, "left_out", outcome->left_out);
	json_put_count(object, "ungated", outcome->ungated);
	json_put_text(object, "broken_test", outcome->broken ? outcome->broken_text : NULL);
	if (outcome->broken_count)
		json_object_set_new(object, "broken_tests", broken_of(outcome));
	json_put_count(object, "instances", outcome->instances);
	json_put_real(object, "seconds", outcome->seconds);
	json_put_count(object, "programs", outcome->programs);
	json_put_count(object, "places", outcome->places);
	json_put_count(object, "opaque", outcome->opaque);
	json_put_count(object, "launches", outcome->launches);
	json_put_count(object, "unbuilt", outcome->unbuilt);
	if (outcome->loosened)
		json_object_set_new(object, "without_order", without_order_of(outcome));
	json_put_text(object, "argument",
	              outcome->equivalent ? outcome->equivalent->argument : NULL);
	json_put_text(object, "seen", outcome->equivalent ? outcome->equivalent->seen : NULL);
	json_print_line(text, object);
}

static json_t *classes_of(const struct plant_score *score)
{
	json_t *classes = json_object();

	for (unsigned i = 0; i < PLANT_CLASS_COUNT; i++) {
		json_t *class = json_object();

		if (score->class_tried[i] > 0)
			json_object_set(classes, plant_class_name(i), class);
		json_put_count(class, "killed", score->class_killed[i]);
		json_put_count(class, "able", score->class_able[i]);
		json_decref(class);
	}
	return classes;
}

void matrix_write_score(struct oclmm_text *text, const struct plant_score *score, int status)
{
	json_t *object = json_object(), *states = json_object();

	for (int i = 0; i < PLANT_STATE_COUNT; i++)
		json_put_count(states, plant_state_word((enum plant_state)i), score->states[i]);
	json_put_text(object, "type", "score");
	json_object_set_new(object, "results", states);
	json_object_set_new(object, "classes", classes_of(score));
	json_put_count(object, "killed", score->killed);
	json_put_count(object, "able", score->able);
	json_put_count(object, "quiet", score->quiet);
	if (score->drawn_count > 0)
		json_object_set_new(object, "causes", causes_of(score));
	json_put_real(object, "score",
	              score->able ? (double)score->killed / (double)score->able : -1);
	json_put_count(object, "exit", (uint64_t)status);
	json_print_line(text, object);
}

void matrix_write_loosened(struct oclmm_text *text, const struct loosened *loosened)
{
	json_t *object = json_object();

	json_put_text(object, "type", "without-order");
	json_put_text(object, "plant", loosened->plant);
	json_put_text(object, "test", loosened->test);
	json_put_text(object, "sizes", loosened->sizes);
	json_put_count(object, "forbidden", loosened->seen);
	json_put_count(object, "instances", loosened->instances);
	json_put_flag(object, "unknown", loosened->unknown);
	json_print_line(text, object);
}

void matrix_output_add(struct matrix_output *output, struct oclmm_text *text)
{
	errno = 0;
	if (output->file && !output->failed &&
	    (fputs(oclmm_text_string(text), output->file) < 0 || fflush(output->file) != 0))
		output->failed = errno ? errno : EIO;
	oclmm_text_finish(text);
}

/* ---- read back ------------------------------------------------------------- */

void matrix_take_device(struct matrix_device *device, json_t *line)
{
	snprintf(device->platform, sizeof(device->platform), "%s", json_text_of(line, "platform"));
	snprintf(device->device, sizeof(device->device), "%s", json_text_of(line, "device"));
	snprintf(device->driver, sizeof(device->driver), "%s", json_text_of(line, "driver"));
	snprintf(device->version, sizeof(device->version), "%s", json_text_of(line, "version"));
}

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

static int take_header(const struct reader *reader, json_t *line)
{
	struct matrix_header *header = &reader->saved->header;
	uint64_t tests, plants;
	char *end;

	if (!take_number(line, "tests", &tests) || !take_number(line, "plants", &plants))
		return refuse(reader, "\"tests\" or \"plants\" is no count");
	matrix_take_device(&header->device, line);
	header->tool = json_text_of(line, "tool");
	header->machine = json_text_of(line, "machine");
	header->profile = json_string_value(json_object_get(line, "profile"));
	header->claims = json_text_of(line, "claims");
	header->seed = strtoull(json_text_of(line, "seed"), &end, 10);
	if (*end || end == json_text_of(line, "seed"))
		return refuse(reader, "\"seed\" is not a number");
	if (!take_number(line, "instances", &header->instances))
		header->instances = 0;
	header->seconds = json_time_of(line, "seconds");
	header->tests = tests;
	header->plants = plants;
	header->all = json_is_true(json_object_get(line, "all"));
	return 0;
}

/* Those that kills_of() wrote. */
static int take_kills(const struct reader *reader, json_t *list, bool timed, struct kills *kills)
{
	json_t *object;
	size_t index;

	json_array_foreach(list, index, object)
	{
		struct kill kill = {0};

		if (!take_number(object, "forbidden", &kill.seen) ||
		    !take_number(object, "instances", &kill.instances) ||
		    (timed && !take_number(object, "instances_before", &kill.instances_before)))
			return refuse(reader,
			              timed ? "a kill lacks a count" : "what shows lacks a count");
		kill.seconds = json_time_of(object, "seconds");
		kills_add(kills, json_text_of(object, "test"), kill);
	}
	return 0;
}

static int take_without_order(const struct reader *reader, json_t *line,
                              struct plant_outcome *outcome)
{
	json_t *object = json_object_get(line, "without_order");

	if (object && (!take_number(object, "tests", &outcome->loosened) ||
	               !take_number(object, "instances", &outcome->loosened_instances)))
		return refuse(reader, "\"without_order\" lacks a count");
	return take_kills(reader, json_object_get(object, "shows"), false, &outcome->shows);
}

/* A copy that lives as long as what is read back. */
static const char *keep_text(struct matrix_saved *saved, const char *text)
{
	json_t *kept = json_string(text);

	if (!saved->lines)
		saved->lines = json_array();
	json_array_append_new(saved->lines, kept);
	return json_string_value(kept);
}

struct loosened *matrix_loosened(struct matrix_saved *saved, const char *plant, const char *test,
                                 const char *sizes)
{
	for (size_t i = 0; i < saved->loosened_count; i++) {
		struct loosened *known = &saved->loosened[i];

		if (strcmp(known->plant, plant) == 0 && strcmp(known->test, test) == 0 &&
		    strcmp(known->sizes, sizes) == 0)
			return known;
	}
	oclmm_grow(&saved->loosened, &saved->loosened_capacity, saved->loosened_count,
	           sizeof(*saved->loosened));
	saved->loosened[saved->loosened_count] =
		(struct loosened){.plant = plant, .test = test, .sizes = keep_text(saved, sizes)};
	return &saved->loosened[saved->loosened_count++];
}

static int take_loosened(const struct reader *reader, json_t *line)
{
	uint64_t seen, instances;
	struct loosened *known;

	if (!take_number(line, "forbidden", &seen) || !take_number(line, "instances", &instances))
		return refuse(reader, "what a test showed lacks a count");
	known = matrix_loosened(reader->saved, json_text_of(line, "plant"),
	                        json_text_of(line, "test"), json_text_of(line, "sizes"));
	known->seen += seen;
	known->instances += instances;
	known->unknown |= json_is_true(json_object_get(line, "unknown"));
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
	/* older matrices have none */
	if (json_object_get(line, "left_out") && !take_number(line, "left_out", &outcome->left_out))
		return refuse(reader, "\"left_out\" is no count");
	return 0;
}

/* A plant that was killed has a test that did it; any other has none. */
static bool is_consistent(const struct plant_outcome *outcome)
{
	bool killed = outcome->state == PLANT_KILLED || outcome->state == PLANT_CONTRADICTION;

	return killed == (outcome->kills.count > 0);
}

static int take_plant(const struct reader *reader, json_t *line)
{
	struct matrix_saved *saved = reader->saved;
	struct plant_outcome outcome = {.choice = json_text_of(line, "plant")};
	struct equivalent known = {.argument = json_text_of(line, "argument"),
	                           .seen = json_text_of(line, "seen")};
	const char *state = json_text_of(line, "result");
	char message[PLANT_MESSAGE];
	size_t capacity = saved->capacity, index;
	uint64_t broken, refused;
	json_t *name;
	int r;

	if (!plant_parse(outcome.choice, &outcome.plant, message))
		return refuse(reader, message);
	if (!plant_state_find(state, strlen(state), &outcome.state))
		return refuse(reader, "\"result\" is unknown");
	r = take_counts(reader, line, &outcome);
	if (r == 0)
		r = take_kills(reader, json_object_get(line, "kills"), true, &outcome.kills);
	if (r == 0)
		r = take_without_order(reader, line, &outcome);
	if (r == 0 && !is_consistent(&outcome))
		r = refuse(reader, "\"result\" and \"kills\" contradict each other");
	if (r < 0) {
		plant_outcome_finish(&outcome);
		return r;
	}
	outcome.seconds = json_time_of(line, "seconds");
	broken = outcome.broken;
	refused = outcome.refused;
	json_array_foreach(json_object_get(line, "broken_tests"), index, name)
	{
		if (json_is_string(name))
			plant_outcome_add_broken(&outcome, json_string_value(name), "");
	}
	outcome.broken = broken;
	outcome.refused = refused;
	snprintf(outcome.broken_text, sizeof(outcome.broken_text), "%s",
	         json_text_of(line, "broken_test"));
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
	const char *type = json_text_of(line, "type");

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
	if (strcmp(type, "without-order") == 0)
		return take_loosened(reader, line);
	return strcmp(type, "score") == 0 ? 0 : refuse(reader, "\"type\" is unknown");
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
	free(saved->loosened);
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
