// SPDX-License-Identifier: Apache-2.0
#include "oclmm/api.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "oclmm/codegen.h"
#include "oclmm/expect.h"
#include "oclmm/picture.h"
#include "oclmm/syntax.h"

static void put_error(struct oclmm_json *json, const struct oclmm_error *error)
{
	char *text = oclmm_error_format(error);

	oclmm_json_open(json, "error", '{');
	oclmm_json_string(json, "text", text);
	oclmm_json_string(json, "message", error->message);
	oclmm_json_count(json, "line", error->position.line);
	oclmm_json_count(json, "column", error->position.column);
	oclmm_json_count(json, "length", error->position.length);
	oclmm_json_close(json, '}');
	free(text);
}

static void put_access(struct oclmm_json *json, const struct oclmm_program *program,
                       const struct oclmm_access *access)
{
	oclmm_json_open(json, NULL, '{');
	oclmm_json_count(json, "thread", program->threads[access->thread].id);
	oclmm_json_count(json, "line", access->position.line);
	oclmm_json_count(json, "column", access->position.column);
	oclmm_json_string(json, "text", access->text);
	oclmm_json_close(json, '}');
}

static void put_witness(struct oclmm_json *json, const struct oclmm_program *program,
                        const struct oclmm_witness *witness)
{
	oclmm_json_open(json, "witness", '{');
	oclmm_json_string(json, "reason", oclmm_undefined_word(witness->reason));
	oclmm_json_string(json, "regime", oclmm_model_name(witness->regime));
	oclmm_json_open(json, "accesses", '[');
	put_access(json, program, &witness->a);
	if (witness->has_b)
		put_access(json, program, &witness->b);
	oclmm_json_close(json, ']');
	oclmm_json_string(json, "why", witness->why);
	oclmm_json_close(json, '}');
}

/* JSON has no infinity, no NaN, and two zeros that readers take for one. */
static void put_value(struct oclmm_json *json, enum oclmm_type type, int64_t value)
{
	struct oclmm_text text = {0};

	if (!oclmm_type_is_floating(type) || oclmm_value_is_whole(type, value)) {
		oclmm_json_integer(json, NULL, value);
		return;
	}
	oclmm_value_print(&text, type, value);
	oclmm_json_text(json, NULL, &text);
}

static void put_state(struct oclmm_json *json, const struct oclmm_answer *answer,
                      const struct oclmm_state *state, enum oclmm_model model)
{
	struct oclmm_text text = {0};

	oclmm_json_open(json, NULL, '{');
	oclmm_json_open(json, "values", '[');
	for (uint32_t i = 0; i < answer->program->observable_count; i++)
		put_value(json, answer->program->observables[i].type, state->values[i]);
	oclmm_json_close(json, ']');
	oclmm_outcome_print(&text, answer->program, state->values);
	oclmm_json_text(json, "outcome", &text);
	oclmm_json_string(json, "status", oclmm_status_word(state->status[model]));
	oclmm_json_bool(json, "condition", state->condition);
	if (state->status[model] == OCLMM_STATUS_DISPUTED) {
		oclmm_json_open(json, "deciding", '[');
		for (int knob = 0; knob < OCLMM_KNOB_COUNT; knob++) {
			if (state->deciding[model] & 1u << knob)
				oclmm_json_string(json, NULL,
				                  oclmm_knob_name((enum oclmm_knob)knob));
		}
		oclmm_json_close(json, ']');
	}
	oclmm_json_close(json, '}');
}

static void put_model(struct oclmm_json *json, const struct oclmm_answer *answer,
                      enum oclmm_model model)
{
	oclmm_json_open(json, oclmm_model_name(model), '{');
	oclmm_json_string(json, "observation",
	                  oclmm_observation_word(oclmm_answer_observation(answer, model)));
	oclmm_json_bool(json, "undefined", answer->undefined[model]);
	if (answer->undefined[model])
		put_witness(json, answer->program, &answer->witness[model]);
	oclmm_json_open(json, "states", '[');
	for (uint32_t i = 0; i < answer->state_count; i++)
		put_state(json, answer, &answer->states[i], model);
	oclmm_json_close(json, ']');
	oclmm_json_close(json, '}');
}

static void put_verdict(struct oclmm_json *json, const char *key, const struct oclmm_answer *answer)
{
	const struct oclmm_program *program = answer->program;
	struct oclmm_text text = {0};

	oclmm_json_open(json, key, '{');
	oclmm_json_string(json, "test", program->name);
	oclmm_json_string(json, "file", program->file);
	oclmm_text_printf(&text, "%016" PRIx64, program->hash);
	oclmm_json_text(json, "hash", &text);
	oclmm_final_print(&text, program);
	oclmm_json_text(json, "condition", &text);
	oclmm_json_open(json, "observables", '[');
	for (uint32_t i = 0; i < program->observable_count; i++)
		oclmm_json_string(json, NULL, program->observables[i].name);
	oclmm_json_close(json, ']');
	oclmm_json_open(json, "models", '{');
	for (int model = 0; model < OCLMM_MODEL_COUNT; model++) {
		if (answer->models & 1u << model)
			put_model(json, answer, (enum oclmm_model)model);
	}
	oclmm_json_close(json, '}');
	if (answer->unspecified) {
		oclmm_json_open(json, "unspecified", '[');
		for (uint32_t i = 0; i < answer->program->observable_count; i++)
			if (answer->unspecified >> i & 1)
				oclmm_json_string(json, NULL, answer->program->observables[i].name);
		oclmm_json_close(json, ']');
	}
	oclmm_json_bool(json, "may_be_cut", answer->may_be_cut);
	oclmm_json_count(json, "candidates", answer->candidates);
	oclmm_json_count(json, "consistent", answer->consistent);
	oclmm_json_real(json, "seconds", answer->seconds);
	oclmm_json_close(json, '}');
}

void oclmm_api_verdict(struct oclmm_text *text, const struct oclmm_answer *answer)
{
	put_verdict(&(struct oclmm_json){.text = text}, NULL, answer);
}

/* What the names in a verdict stand for. */
static void put_vocabulary(struct oclmm_json *json)
{
	oclmm_json_open(json, "models", '{');
	for (int model = 0; model < OCLMM_MODEL_COUNT; model++)
		oclmm_json_string(json, oclmm_model_name((enum oclmm_model)model),
		                  oclmm_model_description((enum oclmm_model)model));
	oclmm_json_close(json, '}');
	oclmm_json_open(json, "knobs", '{');
	for (int knob = 0; knob < OCLMM_KNOB_COUNT; knob++)
		oclmm_json_string(json, oclmm_knob_name((enum oclmm_knob)knob),
		                  oclmm_knob_question((enum oclmm_knob)knob));
	oclmm_json_close(json, '}');
}

static void put_change(struct oclmm_json *json, const struct oclmm_change *change)
{
	oclmm_json_open(json, NULL, '{');
	oclmm_json_string(json, "what", change->what);
	oclmm_json_string(json, "status", oclmm_status_word(change->status));
	oclmm_json_open(json, "lines", '[');
	for (unsigned i = 0; i < change->line_count; i++) {
		oclmm_json_open(json, NULL, '{');
		oclmm_json_count(json, "line", change->lines[i].line);
		oclmm_json_string(json, "before", change->lines[i].before);
		oclmm_json_string(json, "after", change->lines[i].after);
		oclmm_json_close(json, '}');
	}
	oclmm_json_close(json, ']');
	oclmm_json_close(json, '}');
}

static void put_explanation(struct oclmm_json *json, const struct oclmm_explanation *e)
{
	struct oclmm_text text = {0};

	oclmm_explanation_print(&text, e);
	oclmm_json_text(json, "text", &text);
	oclmm_json_string(json, "status", oclmm_status_word(e->status));
	oclmm_json_string(json, "svg",
	                  oclmm_picture_svg(&text, e) == 0 ? oclmm_text_string(&text) : NULL);
	oclmm_text_finish(&text);
	oclmm_json_open(json, "changes", '[');
	for (unsigned i = 0; i < e->change_count; i++)
		put_change(json, &e->changes[i]);
	oclmm_json_close(json, ']');
}

/* The page ends what takes longer; this ends it with words. */
static const double TIME_LIMIT = 10;

static _Thread_local struct oclmm_text reply;

/* One call: its input and its result. */
struct call {
	const char *text;
	unsigned variant;
	const char *word; /* outcome or name */
	struct oclmm_litmus *litmus;
	const struct oclmm_program *program;
	struct oclmm_error error;
	struct oclmm_json json;
};

typedef int call_function(struct call *call);

static int refuse_time(struct call *call)
{
	return oclmm_error_set(&call->error, -ETIME, "not answered within %g s", TIME_LIMIT);
}

static int check_program(struct call *call, const struct oclmm_program *program,
                         struct oclmm_answer **ret_answer)
{
	const struct oclmm_check_options options = {
		.models = (1u << OCLMM_MODEL_COUNT) - 1,
		.time_limit = TIME_LIMIT,
	};
	int r = oclmm_check(program, &options, &call->error, ret_answer);

	return r == -ETIME ? refuse_time(call) : r;
}

static int choose(struct call *call)
{
	if (call->variant >= call->litmus->variant_count)
		return oclmm_error_set(&call->error, -EINVAL, "the file has %u variants",
		                       call->litmus->variant_count);
	call->program = call->litmus->variants[call->variant].program;
	return 0;
}

/* Reads the text, answers, and leaves no half of an answer where that fails. */
static const char *answer(struct call *call, call_function *function)
{
	const size_t length = strlen(call->text);
	int r;

	oclmm_text_finish(&reply);
	call->json = (struct oclmm_json){.text = &reply};
	oclmm_json_open(&call->json, NULL, '{');
	r = oclmm_litmus_parse("text", call->text, length, NULL, &call->error, &call->litmus);
	if (r == 0) {
		r = choose(call);
		if (r == 0)
			r = function(call);
		oclmm_litmus_destroy(call->litmus);
	}
	if (r < 0) {
		if (!call->error.message[0])
			oclmm_error_set(&call->error, r, "%s", strerror(-r));
		oclmm_text_finish(&reply);
		call->json = (struct oclmm_json){.text = &reply};
		oclmm_json_open(&call->json, NULL, '{');
		put_error(&call->json, &call->error);
	}
	oclmm_json_close(&call->json, '}');
	return oclmm_text_string(&reply);
}

static void put_variants(struct call *call)
{
	const struct oclmm_litmus *litmus = call->litmus;

	oclmm_json_string(&call->json, "name", litmus->variants[call->variant].name);
	oclmm_json_string(&call->json, "question", litmus->question);
	oclmm_json_string(&call->json, "comment", litmus->comment);
	oclmm_json_string(&call->json, "stated", oclmm_stated_word(litmus->stated));
	oclmm_json_open(&call->json, "variants", '[');
	for (uint32_t i = 0; i < litmus->variant_count; i++)
		oclmm_json_string(&call->json, NULL, litmus->variants[i].name);
	oclmm_json_close(&call->json, ']');
}

static int check(struct call *call)
{
	struct oclmm_answer *said;
	int r = check_program(call, call->program, &said);

	if (r < 0)
		return r;
	put_variants(call);
	put_verdict(&call->json, "verdict", said);
	put_vocabulary(&call->json);
	oclmm_answer_destroy(said);
	return 0;
}

const char *oclmm_api_check(const char *text, unsigned variant)
{
	return answer(&(struct call){.text = text, .variant = variant}, check);
}

static int explain_program(struct call *call, const struct oclmm_program *program)
{
	const struct oclmm_explain_options options = {.time_limit = TIME_LIMIT};
	struct oclmm_explanation *explanation;
	int r = oclmm_explain(program, &options, &call->error, &explanation);

	if (r < 0)
		return r == -ETIME ? refuse_time(call) : r;
	put_explanation(&call->json, explanation);
	oclmm_explanation_destroy(explanation);
	return 0;
}

static int explain(struct call *call)
{
	struct oclmm_arena *arena = oclmm_arena_create();
	const struct oclmm_program *program = call->program;
	int r = 0;

	if (call->word[0])
		r = oclmm_explain_ask(arena, program, call->word, &call->error, &program);
	if (r == 0)
		r = explain_program(call, program);
	oclmm_arena_destroy(arena);
	return r;
}

const char *oclmm_api_explain(const char *text, unsigned variant, const char *outcome)
{
	return answer(&(struct call){.text = text, .variant = variant, .word = outcome}, explain);
}

static int print_kernel(struct call *call)
{
	const struct oclmm_codegen_options options = {0};
	struct oclmm_answer *said;
	struct oclmm_text source = {0};
	const struct oclmm_program *launched = call->program;
	struct oclmm_arena *arena;
	int r = check_program(call, call->program, &said);

	if (r < 0)
		return r;
	arena = oclmm_arena_create();
	if (oclmm_has_inner_barrier(call->program))
		r = oclmm_fuse(arena, call->program, &call->error, &launched);
	if (r == 0)
		r = oclmm_generate(launched, &said->space, &options, &call->error, &source);
	oclmm_arena_destroy(arena);
	if (r == 0)
		oclmm_json_text(&call->json, "kernel", &source);
	else
		oclmm_text_finish(&source);
	oclmm_answer_destroy(said);
	return r;
}

const char *oclmm_api_kernel(const char *text, unsigned variant)
{
	return answer(&(struct call){.text = text, .variant = variant}, print_kernel);
}

static int expect(struct call *call)
{
	struct oclmm_expected_file *file = oclmm_expected_create(call->word);
	struct oclmm_text text = {0};
	int r = 0;

	for (uint32_t i = 0; r == 0 && i < call->litmus->variant_count; i++) {
		struct oclmm_answer *said;

		r = check_program(call, call->litmus->variants[i].program, &said);
		if (r < 0)
			break;
		r = oclmm_expected_add(file, said, OCLMM_MODEL_CONSENSUS);
		oclmm_answer_destroy(said);
	}
	oclmm_expected_print(&text, file);
	oclmm_json_text(&call->json, "expected", &text);
	oclmm_expected_destroy(file);
	return r;
}

const char *oclmm_api_expected(const char *text, const char *name)
{
	return answer(&(struct call){.text = text, .word = name}, expect);
}
