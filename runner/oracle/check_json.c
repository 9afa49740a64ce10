// SPDX-License-Identifier: Apache-2.0
#include "oracle.h"

#include <inttypes.h>
#include <stdio.h>

static json_t *access_object(const struct oclmm_program *program, const struct oclmm_access *access)
{
	json_t *object = json_object();

	json_put_count(object, "thread", program->threads[access->thread].id);
	json_put_count(object, "line", access->position.line);
	json_put_count(object, "column", access->position.column);
	json_put_text(object, "text", access->text);
	return object;
}

static json_t *witness_object(const struct oclmm_program *program,
                              const struct oclmm_witness *witness)
{
	json_t *object = json_object(), *accesses = json_array();

	json_put_text(object, "reason", oclmm_undefined_word(witness->reason));
	json_put_text(object, "regime", oclmm_model_name(witness->regime));
	json_array_append_new(accesses, access_object(program, &witness->a));
	if (witness->has_b)
		json_array_append_new(accesses, access_object(program, &witness->b));
	json_object_set_new(object, "accesses", accesses);
	json_put_text(object, "why", witness->why);
	return object;
}

json_t *knobs_json(unsigned knobs)
{
	json_t *array = json_array();

	for (int knob = 0; knob < OCLMM_KNOB_COUNT; knob++) {
		if (knobs & 1u << knob)
			json_array_append_new(array,
			                      json_string(oclmm_knob_name((enum oclmm_knob)knob)));
	}
	return array;
}

static json_t *state_object(const struct oclmm_answer *answer, const struct oclmm_state *state,
                            enum oclmm_model model)
{
	json_t *object = json_object(), *values = json_array();
	enum oclmm_status status = state->status[model];

	for (uint32_t i = 0; i < answer->program->observable_count; i++)
		json_array_append_new(values, json_integer(state->values[i]));
	json_object_set_new(object, "values", values);
	json_put_text(object, "status", oclmm_status_word(status));
	json_put_flag(object, "condition", state->condition);
	if (status == OCLMM_STATUS_DISPUTED)
		json_object_set_new(object, "deciding", knobs_json(state->deciding[model]));
	return object;
}

static json_t *model_object(const struct oclmm_answer *answer, enum oclmm_model model)
{
	json_t *object = json_object(), *states = json_array();

	json_put_text(object, "observation",
	              oclmm_observation_word(oclmm_answer_observation(answer, model)));
	json_put_flag(object, "undefined", answer->undefined[model]);
	if (answer->undefined[model])
		json_object_set_new(object, "witness",
		                    witness_object(answer->program, &answer->witness[model]));
	for (uint32_t i = 0; i < answer->state_count; i++)
		json_array_append_new(states, state_object(answer, &answer->states[i], model));
	json_object_set_new(object, "states", states);
	return object;
}

static json_t *condition_string(const struct oclmm_program *program)
{
	struct oclmm_text text = {0};
	json_t *string;

	oclmm_final_print(&text, program);
	string = json_string(oclmm_text_string(&text));
	oclmm_text_finish(&text);
	return string;
}

void check_print_json(struct oclmm_text *text, const struct oclmm_answer *answer)
{
	const struct oclmm_program *program = answer->program;
	json_t *object = json_object(), *observables = json_array(), *models = json_object();
	char hash[24];

	snprintf(hash, sizeof(hash), "%016" PRIx64, program->hash);
	for (uint32_t i = 0; i < program->observable_count; i++)
		json_array_append_new(observables, json_string(program->observables[i].name));
	for (int i = 0; i < OCLMM_MODEL_COUNT; i++) {
		enum oclmm_model model = (enum oclmm_model)i;

		if (answer->models & 1u << i)
			json_object_set_new(models, oclmm_model_name(model),
			                    model_object(answer, model));
	}
	json_put_text(object, "test", program->name);
	json_put_text(object, "file", program->file);
	json_put_text(object, "hash", hash);
	json_object_set_new(object, "condition", condition_string(program));
	json_object_set_new(object, "observables", observables);
	json_object_set_new(object, "models", models);
	json_put_flag(object, "may_be_cut", answer->may_be_cut);
	json_put_count(object, "candidates", answer->candidates);
	json_put_count(object, "consistent", answer->consistent);
	json_put_real(object, "seconds", answer->seconds);
	json_print_line(text, object);
}
