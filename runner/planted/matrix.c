// SPDX-License-Identifier: Apache-2.0
#include "matrix.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "cli/json.h"

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

void matrix_head(struct oclmm_text *text, const struct matrix_header *header)
{
	const struct child_device *device = &header->device;
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

void matrix_plant(struct oclmm_text *text, const struct plant_outcome *outcome)
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

void matrix_score(struct oclmm_text *text, const struct plant_score *score)
{
	struct oclmm_text lines = {0};

	add_score(&lines, score);
	add_fitted(text, &lines);
}

/* ---- for programs ---------------------------------------------------- */

void matrix_json_head(struct oclmm_text *text, const struct matrix_header *header)
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

void matrix_json_plant(struct oclmm_text *text, const struct plant_outcome *outcome)
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

void matrix_json_score(struct oclmm_text *text, const struct plant_score *score, int status)
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
