// SPDX-License-Identifier: Apache-2.0
/* What became of each plant: judged, as text for people, as JSON Lines, and read back from these.
 */
#include "planted.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/json.h"

/* ---- one plant ------------------------------------------------------------- */

static OCLMM_LOOK_UP(const char *, plant_state_word, plant_state, PLANT_STATES, FIRST);
static OCLMM_LOOK_UP(const char *, plant_state_meaning, plant_state, PLANT_STATES, SECOND);
static OCLMM_FIND(plant_state_find, plant_state, PLANT_STATES, FIRST);

void plant_outcome_finish(struct plant_outcome *outcome)
{
	for (size_t i = 0; i < outcome->kill_count; i++)
		free(outcome->kills[i].test);
	free(outcome->kills);
	*outcome = (struct plant_outcome){0};
}

void plant_outcome_add_kill(struct plant_outcome *outcome, const char *test, uint64_t seen,
                            uint64_t instances)
{
	oclmm_grow(&outcome->kills, &outcome->kill_capacity, outcome->kill_count,
	           sizeof(*outcome->kills));
	outcome->kills[outcome->kill_count++] = (struct kill){
		.test = oclmm_strdup(test),
		.seen = seen,
		.instances = instances,
		.instances_before = outcome->instances,
		.seconds = outcome->seconds,
	};
}

bool plant_outcome_touched(const struct plant_outcome *outcome)
{
	return outcome->places > 0 &&
	       (!plant_by_launch(outcome->plant.bug) || outcome->launches > 0);
}

/* All tests were left out for a feature, or all planted ones were refused: without sub-groups their
 * scope is no word. */
static bool is_lacking(const struct plant_outcome *outcome)
{
	return outcome->loaded && outcome->refused == outcome->tests &&
	       (outcome->skipped > 0 || outcome->refused > 0);
}

void plant_outcome_judge(struct plant_outcome *outcome)
{
	bool none = outcome->plant.bug == PLANT_NONE;

	if (outcome->kill_count > 0)
		outcome->state = outcome->equivalent ? PLANT_CONTRADICTION : PLANT_KILLED;
	else if (outcome->hopeless && outcome->equivalent)
		outcome->state = PLANT_EQUIVALENT; /* NOLINT(*-branch-clone): in this order */
	else if (outcome->hopeless)
		outcome->state = outcome->concerned ? PLANT_GAP : PLANT_UNTOUCHED;
	else if (is_lacking(outcome) && !none)
		outcome->state = PLANT_LACKING;
	else if (!outcome->loaded || outcome->tests == 0)
		outcome->state = PLANT_FAILED;
	else if (none)
		outcome->state = outcome->broken ? PLANT_NOTICED : PLANT_CLEAN;
	else if (outcome->equivalent)
		outcome->state = PLANT_EQUIVALENT;
	else if (!plant_outcome_touched(outcome))
		outcome->state = PLANT_UNTOUCHED;
	else
		outcome->state = outcome->broken ? PLANT_NOTICED : PLANT_SURVIVED;
}

bool plant_outcome_is_kill(const struct plant_outcome *outcome)
{
	/* a count that is lost is all that a bug of the counting has to show, and a launch that is
	 * lost, or does not end, all of a command that is not sent; work-items that are not where
	 * they belong do not count */
	if (outcome->state == PLANT_NOTICED)
		return outcome->plant.bug == PLANT_COUNT_LOST ||
		       outcome->plant.bug == PLANT_FLUSH_LOST ||
		       plant_in_ranges(outcome->plant.bug);
	return outcome->state == PLANT_KILLED || outcome->state == PLANT_CONTRADICTION;
}

/* It can show on the device. */
static bool is_able(const struct plant_outcome *outcome)
{
	return outcome->state != PLANT_EQUIVALENT && outcome->state != PLANT_LACKING;
}

void plant_score_add(struct plant_score *score, const struct plant_outcome *outcome)
{
	unsigned class = plant_class(outcome->plant.bug);

	score->states[outcome->state]++;
	if (outcome->plant.bug == PLANT_NONE)
		return;
	score->killed += plant_outcome_is_kill(outcome);
	score->able += is_able(outcome);
	score->class_killed[class] += plant_outcome_is_kill(outcome);
	score->class_able[class] += is_able(outcome);
	score->class_tried[class]++;
}

/* ---- for people ------------------------------------------------------ */

/* 12345678 as `12.3 M`. */
static const char *short_count(char buffer[32], uint64_t count)
{
	static const char units[] = " kMGT";
	double number = (double)count;
	size_t unit = 0;

	while (number >= 999.5 && unit + 1 < sizeof(units) - 1) {
		number /= 1000;
		unit++;
	}
	if (unit == 0)
		snprintf(buffer, 32, "%" PRIu64, count);
	else
		snprintf(buffer, 32, "%.3g %c", number, units[unit]);
	return buffer;
}

/* Adds lines as they were made, broken where they are wider than a terminal. */
static void add_fitted(struct oclmm_text *text, struct oclmm_text *lines)
{
	oclmm_text_add_fitted_lines(text, oclmm_text_string(lines), OCLMM_TEXT_WIDTH);
	oclmm_text_finish(lines);
}

static void print_head(struct oclmm_text *text, const struct matrix_header *header)
{
	const struct matrix_device *device = &header->device;
	struct oclmm_text lines = {0};

	oclmm_text_printf(&lines, "%s: %s, %s, driver %s, %s\n", oclmm_shown(header->tool).text,
	                  oclmm_shown(device->device).text, oclmm_shown(device->platform).text,
	                  oclmm_shown(device->driver).text, oclmm_shown(header->machine).text);
	oclmm_text_printf(&lines, "%s, %s, seed %" PRIu64 ", at most %g s per plant\n\n",
	                  oclmm_counted(header->plants, "plant").text,
	                  oclmm_counted(header->tests, "test").text, header->seed, header->seconds);
	oclmm_text_printf(&lines, "%-34s %-13s %s\n", "plant", "result", "after");
	add_fitted(text, &lines);
}

static void add_effort(struct oclmm_text *text, uint64_t tests, uint64_t instances, double seconds)
{
	char count[32];

	oclmm_text_printf(text, "%s, %s instances, %.1f s", oclmm_counted(tests, "test").text,
	                  short_count(count, instances), seconds);
}

static void add_notes(struct oclmm_text *text, const struct plant_outcome *outcome)
{
	if (outcome->broken)
		oclmm_text_printf(text, "    %s could not be run to the end, first %s\n",
		                  oclmm_counted(outcome->broken, "test").text,
		                  oclmm_shown(outcome->broken_test).text);
	if (outcome->ungated)
		oclmm_text_printf(text,
		                  "    %s that the device does not claim saw something forbidden "
		                  "(--claims accepted)\n",
		                  oclmm_counted(outcome->ungated, "test").text);
	if (outcome->unbuilt)
		oclmm_text_printf(text, "    %s could not be built\n",
		                  oclmm_counted(outcome->unbuilt, "changed program").text);
	if (outcome->opaque && outcome->plant.bug != PLANT_NONE)
		oclmm_text_printf(text, "    %s came as binaries or IL and passed unchanged\n",
		                  oclmm_counted(outcome->opaque, "program").text);
	if (outcome->equivalent)
		oclmm_text_printf(text, "    listed as equivalent: %s (%s)\n",
		                  oclmm_shown(outcome->equivalent->argument).text,
		                  oclmm_shown(outcome->equivalent->seen).text);
}

/* A test that killed the plant, a line of its own; the first is told how soon. */
static void add_kill(struct oclmm_text *text, const struct kill *kill, bool first)
{
	char seen[32], all[32], before[32];

	if (first)
		oclmm_text_printf(text, "%s instances, %.1f s\n",
		                  short_count(before, kill->instances_before), kill->seconds);
	oclmm_text_printf(text, "    by %s: %s of %s", oclmm_shown(kill->test).text,
	                  short_count(seen, kill->seen), short_count(all, kill->instances));
	if (!first)
		oclmm_text_printf(text, ", after %s instances, %.1f s",
		                  short_count(before, kill->instances_before), kill->seconds);
	oclmm_text_add(text, "\n");
}

static void print_plant(struct oclmm_text *text, const struct plant_outcome *outcome)
{
	struct oclmm_text lines = {0};

	oclmm_text_printf(&lines, "%-34s %-13s ", outcome->choice,
	                  plant_state_word(outcome->state));
	for (size_t i = 0; i < outcome->kill_count; i++)
		add_kill(&lines, &outcome->kills[i], i == 0);
	if (outcome->kill_count == 0) {
		add_effort(&lines, outcome->tests, outcome->instances, outcome->seconds);
		oclmm_text_add(&lines, "\n");
		if (outcome->plant.bug != PLANT_NONE)
			oclmm_text_printf(&lines, "    %s changed in %s\n",
			                  oclmm_counted(outcome->places, "place").text,
			                  oclmm_counted(outcome->programs, "program").text);
	}
	add_notes(&lines, outcome);
	add_fitted(text, &lines);
}

static void add_classes(struct oclmm_text *text, const struct plant_score *score)
{
	for (unsigned i = 0; i < PLANT_CLASS_COUNT; i++) {
		if (score->class_tried[i] == 0)
			continue;
		oclmm_text_printf(text, "  %-28s %3zu of %zu killed", plant_class_name(i),
		                  score->class_killed[i], score->class_able[i]);
		if (score->class_tried[i] > score->class_able[i])
			oclmm_text_printf(text, ", %zu equivalent or lacking",
			                  score->class_tried[i] - score->class_able[i]);
		oclmm_text_add(text, "\n");
	}
}

static void add_score(struct oclmm_text *text, const struct plant_score *score)
{
	oclmm_text_add(text, "\n");
	for (int i = 0; i < PLANT_STATE_COUNT; i++) {
		if (score->states[i] > 0)
			oclmm_text_printf(text, "  %-14s %3zu  %s\n",
			                  plant_state_word((enum plant_state)i), score->states[i],
			                  plant_state_meaning((enum plant_state)i));
	}
	add_classes(text, score);
	oclmm_text_printf(text, "score: %zu of %zu plants that are not equivalent here were killed",
	                  score->killed, score->able);
	if (score->able > 0)
		oclmm_text_printf(text, " (%.1f %%)",
		                  100.0 * (double)score->killed / (double)score->able);
	oclmm_text_add(text, "\n");
}

static void print_score(struct oclmm_text *text, const struct plant_score *score)
{
	struct oclmm_text lines = {0};

	add_score(&lines, score);
	add_fitted(text, &lines);
}

/* ---- for programs ---------------------------------------------------- */

static void write_head(struct oclmm_text *text, const struct matrix_header *header)
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

static json_t *kills_of(const struct plant_outcome *outcome)
{
	json_t *list = json_array();

	for (size_t i = 0; i < outcome->kill_count; i++) {
		const struct kill *kill = &outcome->kills[i];
		json_t *object = json_object();

		json_put_text(object, "test", kill->test);
		json_put_count(object, "forbidden", kill->seen);
		json_put_count(object, "instances", kill->instances);
		json_put_real(object, "rate",
		              kill->instances ? (double)kill->seen / (double)kill->instances : 0);
		/* that as many instances at this rate show it again: one minus Poisson's
		 * probability of none */
		json_put_real(object, "again", -expm1(-(double)kill->seen));
		json_put_count(object, "instances_before", kill->instances_before);
		json_put_real(object, "seconds", kill->seconds);
		json_array_append_new(list, object);
	}
	return list;
}

static void write_plant(struct oclmm_text *text, const struct plant_outcome *outcome)
{
	const struct plant_description *description = &plant_descriptions[outcome->plant.bug];
	json_t *object = json_object();

	json_put_text(object, "type", "plant");
	json_put_text(object, "plant", outcome->choice);
	json_put_text(object, "class", plant_class_name(plant_class(outcome->plant.bug)));
	json_put_text(object, "what", description->what);
	json_put_text(object, "rule", description->rule);
	json_put_text(object, "result", plant_state_word(outcome->state));
	json_object_set_new(object, "kills", kills_of(outcome));
	json_put_count(object, "tests", outcome->tests);
	json_put_count(object, "concerned", outcome->concerned);
	json_put_count(object, "able", outcome->able);
	json_put_count(object, "skipped", outcome->skipped);
	json_put_count(object, "refused", outcome->refused);
	json_put_count(object, "broken", outcome->broken);
	json_put_count(object, "ungated", outcome->ungated);
	json_put_text(object, "broken_test", outcome->broken ? outcome->broken_test : NULL);
	json_put_count(object, "instances", outcome->instances);
	json_put_real(object, "seconds", outcome->seconds);
	json_put_count(object, "programs", outcome->programs);
	json_put_count(object, "places", outcome->places);
	json_put_count(object, "opaque", outcome->opaque);
	json_put_count(object, "launches", outcome->launches);
	json_put_count(object, "unbuilt", outcome->unbuilt);
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

static void write_score(struct oclmm_text *text, const struct plant_score *score, int status)
{
	json_t *object = json_object(), *states = json_object();

	for (int i = 0; i < PLANT_STATE_COUNT; i++)
		json_put_count(states, plant_state_word((enum plant_state)i), score->states[i]);
	json_put_text(object, "type", "score");
	json_object_set_new(object, "results", states);
	json_object_set_new(object, "classes", classes_of(score));
	json_put_count(object, "killed", score->killed);
	json_put_count(object, "able", score->able);
	json_put_real(object, "score",
	              score->able ? (double)score->killed / (double)score->able : -1);
	json_put_count(object, "exit", (uint64_t)status);
	json_print_line(text, object);
}

/* ---- both ------------------------------------------------------------ */

void matrix_head(struct oclmm_text *text, enum matrix_form form, const struct matrix_header *header)
{
	(form == MATRIX_JSON ? write_head : print_head)(text, header);
}

void matrix_plant(struct oclmm_text *text, enum matrix_form form,
                  const struct plant_outcome *outcome)
{
	(form == MATRIX_JSON ? write_plant : print_plant)(text, outcome);
}

void matrix_score(struct oclmm_text *text, enum matrix_form form, const struct plant_score *score,
                  int status)
{
	if (form == MATRIX_JSON)
		write_score(text, score, status);
	else
		print_score(text, score);
}

/* ---- tables of a document -------------------------------------------------- */

static void add_share(struct oclmm_text *text, size_t killed, size_t able)
{
	if (able > 0)
		oclmm_text_printf(text, " %.1f %% |\n", 100.0 * (double)killed / (double)able);
	else
		oclmm_text_add(text, " - |\n");
}

static void add_class_rows(struct oclmm_text *text, const struct plant_score *score)
{
	size_t tried = 0;

	oclmm_text_add(
		text,
		"| class | plants | equivalent or lacking | killed | of those that can show |\n"
		"|---|---:|---:|---:|---:|\n");
	for (unsigned i = 0; i < PLANT_CLASS_COUNT; i++) {
		if (score->class_tried[i] == 0)
			continue;
		tried += score->class_tried[i];
		oclmm_text_printf(text, "| %s | %zu | %zu | %zu |", plant_class_name(i),
		                  score->class_tried[i],
		                  score->class_tried[i] - score->class_able[i],
		                  score->class_killed[i]);
		add_share(text, score->class_killed[i], score->class_able[i]);
	}
	oclmm_text_printf(text, "| **all** | %zu | %zu | %zu |", tried, tried - score->able,
	                  score->killed);
	add_share(text, score->killed, score->able);
}

static bool is_left(const struct plant_outcome *outcome)
{
	return outcome->plant.bug != PLANT_NONE && outcome->state != PLANT_EQUIVALENT &&
	       outcome->state != PLANT_LACKING && !plant_outcome_is_kill(outcome);
}

static void add_left(struct oclmm_text *text, const struct matrix_saved *saved)
{
	bool head = true;

	for (size_t i = 0; i < saved->count; i++) {
		const struct plant_outcome *outcome = &saved->outcomes[i];

		if (!is_left(outcome))
			continue;
		if (head)
			oclmm_text_add(text, "\n| not killed | result | tests that can show it |\n"
			                     "|---|---|---:|\n");
		head = false;
		oclmm_text_printf(text, "| %s | %s | %llu |\n", outcome->choice,
		                  plant_state_word(outcome->state),
		                  (unsigned long long)outcome->able);
	}
}

void matrix_tables(struct oclmm_text *text, const struct matrix_saved *saved)
{
	struct plant_score score = {0};

	for (size_t i = 0; i < saved->count; i++)
		plant_score_add(&score, &saved->outcomes[i]);
	oclmm_text_printf(text, "%s, driver %s; %s, profile %s\n\n",
	                  oclmm_shown(saved->header.device.device).text,
	                  oclmm_shown(saved->header.device.driver).text,
	                  oclmm_counted(saved->header.tests, "test").text,
	                  oclmm_shown(saved->header.profile ? saved->header.profile : "-").text);
	add_class_rows(text, &score);
	add_left(text, saved);
}

/* ---- read back ------------------------------------------------------------- */

void matrix_take_device(struct matrix_device *device, json_t *line)
{
	snprintf(device->platform, sizeof(device->platform), "%s", json_get_text(line, "platform"));
	snprintf(device->device, sizeof(device->device), "%s", json_get_text(line, "device"));
	snprintf(device->driver, sizeof(device->driver), "%s", json_get_text(line, "driver"));
	snprintf(device->version, sizeof(device->version), "%s", json_get_text(line, "version"));
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
	matrix_take_device(&header->device, line);
	header->tool = json_get_text(line, "tool");
	header->machine = json_get_text(line, "machine");
	header->profile = json_string_value(json_object_get(line, "profile"));
	header->claims = json_get_text(line, "claims");
	header->seed = strtoull(json_get_text(line, "seed"), &end, 10);
	if (*end || end == json_get_text(line, "seed"))
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
		plant_outcome_add_kill(outcome, json_get_text(kill, "test"), seen, instances);
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
static bool is_consistent(const struct plant_outcome *outcome)
{
	bool killed = outcome->state == PLANT_KILLED || outcome->state == PLANT_CONTRADICTION;

	return killed == (outcome->kill_count > 0);
}

static int take_plant(const struct reader *reader, json_t *line)
{
	struct matrix_saved *saved = reader->saved;
	struct plant_outcome outcome = {.choice = json_get_text(line, "plant")};
	struct equivalent known = {.argument = json_get_text(line, "argument"),
	                           .seen = json_get_text(line, "seen")};
	const char *state = json_get_text(line, "result");
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
	if (r == 0 && !is_consistent(&outcome))
		r = refuse(reader, "\"result\" and \"kills\" contradict each other");
	if (r < 0) {
		plant_outcome_finish(&outcome);
		return r;
	}
	outcome.seconds = seconds_of(line);
	snprintf(outcome.broken_test, sizeof(outcome.broken_test), "%s",
	         json_get_text(line, "broken_test"));
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
	const char *type = json_get_text(line, "type");

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
