// SPDX-License-Identifier: Apache-2.0
/* The kill matrix for people. */
#include "shown.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "causes.h"
#include "plant/draw.h"

static OCLMM_LOOK_UP(const char *, plant_state_meaning, plant_state, PLANT_STATES, SECOND);

static void print_causes(struct oclmm_text *text, const struct plant_score *score)
{
	struct causes causes;
	bool head = true;

	causes_find(score, &causes);
	for (size_t i = 0; i < causes.count; i++) {
		struct cause *cause = &causes.items[i];

		if (cause->survived == 0)
			continue;
		if (head)
			oclmm_text_add(text, "\nsurvivors by cause, of those that can show:\n");
		head = false;
		oclmm_text_printf(text, "  %-5s %-40s %3zu of %zu: %s\n",
		                  cause->is_where ? "where" : "what", cause->word, cause->survived,
		                  cause->able, oclmm_text_string(&cause->names));
	}
	causes_finish(&causes);
}

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
		                  oclmm_shown(outcome->broken_text).text);
	if (outcome->left_out)
		oclmm_text_printf(text,
		                  "    %s left out: not run to the end without the plant either\n",
		                  oclmm_counted(outcome->left_out, "test").text);
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
		oclmm_text_printf(text, "    %s: %s (%s)\n",
		                  outcome->plant.drawn ? "cannot show here"
		                                       : "listed as equivalent",
		                  oclmm_shown(outcome->equivalent->argument).text,
		                  oclmm_shown(outcome->equivalent->seen).text);
}

/* What the same tests show where nothing orders. */
static void add_loosened(struct oclmm_text *text, const struct plant_outcome *outcome)
{
	enum { FEW = 4 };
	char seen[32], all[32];

	if (outcome->loosened == 0)
		return;
	oclmm_text_printf(text, "    without any order: %s, %s instances, ",
	                  oclmm_counted(outcome->loosened, "test").text,
	                  short_count(all, outcome->loosened_instances));
	if (outcome->shows.count == 0)
		oclmm_text_add(text, "nothing seen\n");
	else
		oclmm_text_printf(text, "seen in %zu\n", outcome->shows.count);
	for (size_t i = 0; i < outcome->shows.count && i < FEW; i++)
		oclmm_text_printf(text, "      %s: %s of %s\n",
		                  oclmm_shown(outcome->shows.items[i].test).text,
		                  short_count(seen, outcome->shows.items[i].seen),
		                  short_count(all, outcome->shows.items[i].instances));
}

/* A test that killed the plant, on a line of its own; for the first also how soon. */
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

static void print_drawn(struct oclmm_text *text, const struct plant_outcome *outcome)
{
	char count[32];

	oclmm_text_printf(text, "%-18s %-11s ", outcome->choice, plant_state_word(outcome->state));
	plant_rule(&outcome->plant, text);
	oclmm_text_add(text, "\n");
	for (size_t i = 0; i < outcome->kills.count; i++) {
		const struct kill *kill = &outcome->kills.items[i];

		oclmm_text_printf(text, "    by %s: %s of", oclmm_shown(kill->test).text,
		                  short_count(count, kill->seen));
		oclmm_text_printf(text, " %s, %.1f s\n", short_count(count, kill->instances),
		                  kill->seconds);
	}
	if (outcome->kills.count == 0 && !outcome->hopeless && outcome->tests > 0) {
		oclmm_text_add(text, "    ");
		add_effort(text, outcome->tests, outcome->instances, outcome->seconds);
		oclmm_text_printf(text, "; %s changed\n",
		                  oclmm_counted(outcome->places, "place").text);
	}
}

static void print_plant(struct oclmm_text *text, const struct plant_outcome *outcome)
{
	struct oclmm_text lines = {0};

	if (outcome->plant.drawn) {
		print_drawn(&lines, outcome);
		add_loosened(&lines, outcome);
		add_notes(&lines, outcome);
		add_fitted(text, &lines);
		return;
	}
	oclmm_text_printf(&lines, "%-34s %-13s ", outcome->choice,
	                  plant_state_word(outcome->state));
	for (size_t i = 0; i < outcome->kills.count; i++)
		add_kill(&lines, &outcome->kills.items[i], i == 0);
	if (outcome->kills.count == 0) {
		add_effort(&lines, outcome->tests, outcome->instances, outcome->seconds);
		oclmm_text_add(&lines, "\n");
		if (outcome->plant.bug != PLANT_NONE)
			oclmm_text_printf(&lines, "    %s changed in %s\n",
			                  oclmm_counted(outcome->places, "place").text,
			                  oclmm_counted(outcome->programs, "program").text);
	}
	add_loosened(&lines, outcome);
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
	if (score->quiet > 0 && score->able > score->quiet)
		oclmm_text_printf(text,
		                  "of what the machine shows: %zu of %zu were killed (%.1f %%)\n",
		                  score->killed, score->able - score->quiet,
		                  100.0 * (double)score->killed /
		                          (double)(score->able - score->quiet));
}

static void print_score(struct oclmm_text *text, const struct plant_score *score)
{
	struct oclmm_text lines = {0};

	add_score(&lines, score);
	print_causes(&lines, score);
	add_fitted(text, &lines);
}

/* ---- as either is asked for ------------------------------------------------------------ */

void matrix_head(struct oclmm_text *text, enum matrix_form form, const struct matrix_header *header)
{
	(form == MATRIX_JSON ? matrix_write_head : print_head)(text, header);
}

void matrix_plant(struct oclmm_text *text, enum matrix_form form,
                  const struct plant_outcome *outcome)
{
	(form == MATRIX_JSON ? matrix_write_plant : print_plant)(text, outcome);
}

void matrix_score(struct oclmm_text *text, enum matrix_form form, const struct plant_score *score,
                  int status)
{
	if (form == MATRIX_JSON)
		matrix_write_score(text, score, status);
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
	return outcome->plant.bug != PLANT_NONE && plant_outcome_is_able(outcome) &&
	       !plant_outcome_is_kill(outcome);
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
	plant_score_finish(&score);
}
