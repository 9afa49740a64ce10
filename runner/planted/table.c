// SPDX-License-Identifier: Apache-2.0
/* A matrix as tables of a document. */

#include "matrix.h"

static void add_share(struct oclmm_text *text, size_t killed, size_t able)
{
	if (able > 0)
		oclmm_text_printf(text, " %.1f %% |\n", 100.0 * (double)killed / (double)able);
	else
		oclmm_text_add(text, " - |\n");
}

static void add_classes(struct oclmm_text *text, const struct plant_score *score)
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
	add_classes(text, &score);
	add_left(text, saved);
}
