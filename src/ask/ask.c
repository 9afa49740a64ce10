// SPDX-License-Identifier: Apache-2.0
#include "oclmm/ask.h"

#include <errno.h>
#include <string.h>

#include "json.h"
#include "oclmm/codegen.h"
#include "oclmm/expect.h"
#include "oclmm/syntax.h"
#include "verdict.h"

/* The page ends what takes longer; this ends it with words. */
static const double TIME_LIMIT = 10;

static _Thread_local struct oclmm_text reply;

/* One call: what it was given, and what becomes of it. */
struct call {
	const char *text;
	unsigned variant;
	const char *word; /* outcome or name */
	struct oclmm_litmus *litmus;
	const struct oclmm_program *program;
	struct oclmm_error error;
	struct json json;
};

typedef int call_function(struct call *call);

static int refuse_time(struct call *call)
{
	return oclmm_error_set(&call->error, -ETIME, "not answered within %g s", TIME_LIMIT);
}

static int ask(struct call *call, const struct oclmm_program *program,
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
	call->json = (struct json){.text = &reply, .first = true};
	json_open(&call->json, NULL, '{');
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
		call->json.first = true;
		json_open(&call->json, NULL, '{');
		ask_put_error(&call->json, &call->error);
	}
	json_close(&call->json, '}');
	return oclmm_text_string(&reply);
}

static void put_variants(struct call *call)
{
	const struct oclmm_litmus *litmus = call->litmus;

	json_string(&call->json, "name", litmus->variants[call->variant].name);
	json_string(&call->json, "question", litmus->question);
	json_string(&call->json, "comment", litmus->comment);
	json_string(&call->json, "stated", oclmm_stated_word(litmus->stated));
	json_open(&call->json, "variants", '[');
	for (uint32_t i = 0; i < litmus->variant_count; i++)
		json_string(&call->json, NULL, litmus->variants[i].name);
	json_close(&call->json, ']');
}

static int check(struct call *call)
{
	struct oclmm_answer *said;
	int r = ask(call, call->program, &said);

	if (r < 0)
		return r;
	put_variants(call);
	ask_put_verdict(&call->json, said);
	oclmm_answer_destroy(said);
	return 0;
}

const char *oclmm_ask_check(const char *text, unsigned variant)
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
	ask_put_explanation(&call->json, explanation);
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

const char *oclmm_ask_explain(const char *text, unsigned variant, const char *outcome)
{
	return answer(&(struct call){.text = text, .variant = variant, .word = outcome}, explain);
}

static int print_kernel(struct call *call)
{
	const struct oclmm_codegen_options options = {0};
	struct oclmm_answer *said;
	struct oclmm_text source = {0};
	int r = ask(call, call->program, &said);

	if (r < 0)
		return r;
	r = oclmm_generate(call->program, &said->space, &options, &call->error, &source);
	if (r == 0)
		json_string(&call->json, "kernel", oclmm_text_string(&source));
	oclmm_text_finish(&source);
	oclmm_answer_destroy(said);
	return r;
}

const char *oclmm_ask_kernel(const char *text, unsigned variant)
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

		r = ask(call, call->litmus->variants[i].program, &said);
		if (r < 0)
			break;
		r = oclmm_expected_add(file, said, OCLMM_MODEL_CONSENSUS);
		oclmm_answer_destroy(said);
	}
	oclmm_expected_print(&text, file);
	json_string(&call->json, "expected", oclmm_text_string(&text));
	oclmm_text_finish(&text);
	oclmm_expected_destroy(file);
	return r;
}

const char *oclmm_ask_expected(const char *text, const char *name)
{
	return answer(&(struct call){.text = text, .word = name}, expect);
}
