// SPDX-License-Identifier: Apache-2.0
#include "verdict.h"

#include <stdlib.h>

#include "oclmm/picture.h"

void ask_put_error(struct json *json, const struct oclmm_error *error)
{
	char *text = oclmm_error_format(error);

	json_open(json, "error", '{');
	json_string(json, "text", text);
	json_string(json, "message", error->message);
	json_number(json, "line", error->position.line);
	json_number(json, "column", error->position.column);
	json_number(json, "length", error->position.length);
	json_close(json, '}');
	free(text);
}

static void put_model(struct json *json, const struct oclmm_answer *answer, enum oclmm_model model)
{
	json_open(json, NULL, '{');
	json_string(json, "name", oclmm_model_name(model));
	json_string(json, "description", oclmm_model_description(model));
	json_string(json, "observation",
	            oclmm_observation_word(oclmm_answer_observation(answer, model)));
	json_string(json, "undefined",
	            answer->undefined[model] ? answer->witness[model].why : NULL);
	json_close(json, '}');
}

static void put_knobs(struct json *json, unsigned knobs)
{
	json_open(json, "knobs", '[');
	for (int k = 0; k < OCLMM_KNOB_COUNT; k++) {
		if (!(knobs & 1u << k))
			continue;
		json_open(json, NULL, '{');
		json_string(json, "name", oclmm_knob_name((enum oclmm_knob)k));
		json_string(json, "question", oclmm_knob_question((enum oclmm_knob)k));
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void put_state(struct json *json, const struct oclmm_answer *answer,
                      const struct oclmm_state *state)
{
	struct oclmm_text text = {0};

	oclmm_outcome_print(&text, answer->program, state->values);
	json_open(json, NULL, '{');
	json_string(json, "outcome", oclmm_text_string(&text));
	json_bool(json, "asked", state->condition);
	json_open(json, "status", '[');
	for (int model = 0; model < OCLMM_MODEL_COUNT; model++)
		json_string(json, NULL, oclmm_status_word(state->status[model]));
	json_close(json, ']');
	put_knobs(json, state->deciding[OCLMM_MODEL_CONSENSUS]);
	json_close(json, '}');
	oclmm_text_finish(&text);
}

static void put_condition(struct json *json, const struct oclmm_program *program)
{
	struct oclmm_text text = {0};

	oclmm_final_print(&text, program);
	json_string(json, "condition", oclmm_text_string(&text));
	oclmm_text_finish(&text);
}

void ask_put_verdict(struct json *json, const struct oclmm_answer *answer)
{
	put_condition(json, answer->program);
	json_open(json, "models", '[');
	for (int model = 0; model < OCLMM_MODEL_COUNT; model++)
		put_model(json, answer, (enum oclmm_model)model);
	json_close(json, ']');
	json_open(json, "states", '[');
	for (uint32_t i = 0; i < answer->state_count; i++)
		put_state(json, answer, &answer->states[i]);
	json_close(json, ']');
	json_number(json, "candidates", (double)answer->candidates);
	json_number(json, "seconds", answer->seconds);
}

static void put_change(struct json *json, const struct oclmm_change *change)
{
	json_open(json, NULL, '{');
	json_string(json, "what", change->what);
	json_string(json, "status", oclmm_status_word(change->status));
	json_open(json, "lines", '[');
	for (unsigned i = 0; i < change->line_count; i++) {
		json_open(json, NULL, '{');
		json_number(json, "line", change->lines[i].line);
		json_string(json, "before", change->lines[i].before);
		json_string(json, "after", change->lines[i].after);
		json_close(json, '}');
	}
	json_close(json, ']');
	json_close(json, '}');
}

void ask_put_explanation(struct json *json, const struct oclmm_explanation *e)
{
	struct oclmm_text text = {0};

	oclmm_explanation_print(&text, e);
	json_string(json, "text", oclmm_text_string(&text));
	oclmm_text_finish(&text);
	json_string(json, "status", oclmm_status_word(e->status));
	json_string(json, "svg",
	            oclmm_picture_svg(&text, e) == 0 ? oclmm_text_string(&text) : NULL);
	oclmm_text_finish(&text);
	json_open(json, "changes", '[');
	for (unsigned i = 0; i < e->change_count; i++)
		put_change(json, &e->changes[i]);
	json_close(json, ']');
}
