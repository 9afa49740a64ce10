// SPDX-License-Identifier: Apache-2.0
/* What the model says: answers, executions, explanations, pictures, expected sets, controls. */
#include "calls.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "oclmm/cat.h"

static const char SB[] = "OPENCL SB\n"
			 "{ [x] = 0; [y] = 0; }\n"
			 "P0 (global atomic_int *x, global atomic_int *y) {\n"
			 "  atomic_store(x, 1);\n"
			 "  int r0 = atomic_load(y);\n"
			 "}\n"
			 "P1 (global atomic_int *x, global atomic_int *y) {\n"
			 "  atomic_store(y, 1);\n"
			 "  int r0 = atomic_load(x);\n"
			 "}\n"
			 "exists (0:r0=0 /\\ 1:r0=0)\n";

static void call_api(void)
{
	CHECK_HAS(oclmm_api_check(SB, 0), "\"0:r0=0; 1:r0=0;\"");
	CHECK_HAS(oclmm_api_check("OPENCL x\n", 0), "\"error\"");
	CHECK_HAS(oclmm_api_explain(SB, 0, ""), "\"svg\"");
	CHECK_HAS(oclmm_api_kernel(SB, 0), "oclmm_test");
	CHECK_HAS(oclmm_api_expected(SB, "x/SB.litmus"), "# Allowed sets of x/SB.litmus");
}

static void call_model(const struct oclmm_program *program)
{
	const struct oclmm_check_options options = {0};
	const int64_t weak[] = {0, 0}, strong[] = {1, 1};
	struct oclmm_answer *answer;
	struct oclmm_text text = {0};
	struct oclmm_error error;
	unsigned rules = 1;

	CHECK(oclmm_scoped_difference(program, 0, &error, &rules) == 0 && rules == 0);
	CHECK_HAS(oclmm_scoped_rule_text(OCLMM_SCOPED_SCOPES), "A:3.3.8");
	if (!CHECK(oclmm_check(program, &options, &error, &answer) == 0))
		return;
	CHECK(answer->state_count == 4);
	CHECK(oclmm_answer_status(answer, OCLMM_MODEL_CONSENSUS, weak) == OCLMM_STATUS_FORBIDDEN);
	CHECK(oclmm_answer_status(answer, OCLMM_MODEL_CONSENSUS, strong) == OCLMM_STATUS_ALLOWED);
	CHECK(oclmm_answer_observation(answer, OCLMM_MODEL_CONSENSUS) == OCLMM_OBSERVATION_NEVER);
	oclmm_api_verdict(&text, answer);
	CHECK_HAS(oclmm_text_string(&text), "\"forbidden\"");
	oclmm_text_finish(&text);
	oclmm_answer_destroy(answer);
}

/* A model as text that forbids nothing allows the outcome that ours forbids. */
static void call_text(const struct oclmm_program *program, const char *scratch)
{
	static const char rules[] = "let rec hb = po | hb; rf\nempty hb \\ hb as nothing\n";
	const int64_t weak[] = {0, 0};
	struct oclmm_check_options options = {0};
	struct oclmm_text path = {0};
	struct oclmm_answer *answer;
	struct oclmm_error error;

	oclmm_text_printf(&path, "%s/any.cat", scratch);
	CHECK(oclmm_write_file(oclmm_text_string(&path), rules, strlen(rules)) == 0);
	if (CHECK(oclmm_model_read(oclmm_text_string(&path), &error, &options.cat) == 0) &&
	    CHECK(oclmm_check(program, &options, &error, &answer) == 0)) {
		CHECK(oclmm_answer_status(answer, OCLMM_MODEL_CONSENSUS, weak) ==
		      OCLMM_STATUS_ALLOWED);
		oclmm_answer_destroy(answer);
	}
	oclmm_cat_destroy(options.cat);
	oclmm_text_finish(&path);
}

/* Of the executions of a program: how many, and the first one that breaks an axiom. */
struct visited {
	struct oclmm_arena *arena;
	const struct oclmm_program *program;
	struct oclmm_execution *broken, *racy;
	unsigned count;
};

static int visit(void *data, const struct oclmm_execution *execution)
{
	struct visited *visited = data;
	bool races = false;

	visited->count++;
	for (unsigned i = 0; i < execution->count; i++)
		races |= execution->races[i] != 0;
	if (execution->broken && !visited->broken)
		visited->broken = oclmm_execution_copy(visited->arena, visited->program, execution);
	if (races && !visited->racy)
		visited->racy = oclmm_execution_copy(visited->arena, visited->program, execution);
	return 0;
}

static void visit_program(struct visited *visited, const struct oclmm_program *program)
{
	const struct oclmm_visit_options options = {
		.reading.regime = OCLMM_MODEL_OPENCL_2_1,
		.visit = visit,
		.data = visited,
	};
	struct oclmm_error error;

	visited->program = program;
	CHECK(oclmm_executions(program, &options, &error) == 0);
}

static void call_executions(const char *suite, const struct oclmm_program *program)
{
	struct visited visited = {.arena = oclmm_arena_create()};
	struct oclmm_litmus *racy = calls_read(suite, "race/plain-flag");
	struct oclmm_text text = {0};
	struct oclmm_breach breach;

	visit_program(&visited, program);
	CHECK(visited.count >= 4);
	if (CHECK(visited.broken != NULL)) {
		CHECK(oclmm_execution_breach(visited.broken, &breach) && breach.count >= 2);
		oclmm_event_print(&text, program, visited.broken, visited.broken->init_count);
		CHECK_HAS(oclmm_text_string(&text), "a: W x=1 sc dev");
		CHECK_IS(oclmm_event_letter(visited.broken, 0).text, "i0");
		oclmm_text_finish(&text);
	}
	visit_program(&visited, racy->variants[0].program);
	if (CHECK(visited.racy != NULL)) {
		struct oclmm_gap gap;
		unsigned a = 0;

		while (visited.racy->races[a] == 0)
			a++;
		oclmm_execution_gap(racy->variants[0].program, visited.racy, a,
		                    (unsigned)__builtin_ctzll(visited.racy->races[a]), &gap);
		CHECK(gap.a < visited.racy->count && gap.b < visited.racy->count);
	}
	oclmm_litmus_destroy(racy);
	oclmm_arena_destroy(visited.arena);
}

static void call_explain(const struct oclmm_program *program)
{
	const struct oclmm_explain_options options = {0};
	struct oclmm_arena *arena = oclmm_arena_create();
	struct oclmm_explanation *explanation;
	const struct oclmm_program *asked;
	struct oclmm_text text = {0};
	struct oclmm_error error;

	CHECK(oclmm_explain_ask(arena, program, "0:r0=7 /\\", &error, &asked) == -EINVAL);
	CHECK(oclmm_explain_ask(arena, program, "0:r0=1 /\\ 1:r0=1", &error, &asked) == 0);
	if (CHECK(oclmm_explain(asked, &options, &error, &explanation) == 0)) {
		CHECK(explanation->status == OCLMM_STATUS_ALLOWED);
		oclmm_explanation_destroy(explanation);
	}
	if (CHECK(oclmm_explain(program, &options, &error, &explanation) == 0)) {
		CHECK(explanation->change_count > 0);
		oclmm_explanation_print(&text, explanation);
		CHECK_HAS(oclmm_text_string(&text), "forbidden");
		oclmm_text_finish(&text);
		CHECK(oclmm_picture_svg(&text, explanation) == 0);
		CHECK_HAS(oclmm_text_string(&text), "<svg");
		oclmm_text_finish(&text);
		CHECK(oclmm_picture_dot(&text, explanation) == 0);
		CHECK_HAS(oclmm_text_string(&text), "digraph");
		oclmm_text_finish(&text);
		oclmm_explanation_destroy(explanation);
	}
	CHECK(oclmm_picture_outcome(&text, program, NULL, OCLMM_MODEL_CONSENSUS, &error) == 0);
	CHECK_HAS(oclmm_text_string(&text), "</svg>");
	oclmm_text_finish(&text);
	oclmm_arena_destroy(arena);
}

static void call_expected_entry(const struct oclmm_expected_file *file,
                                const struct oclmm_program *program)
{
	const struct oclmm_expected *expected = oclmm_expected_for(file, program), *held;
	struct oclmm_arena *arena = oclmm_arena_create();
	const int64_t weak[] = {0, 0};
	struct oclmm_text text = {0};
	unsigned deciding = 1;

	if (!CHECK(expected != NULL))
		return;
	CHECK(oclmm_expected_find(file, program->name) == expected);
	CHECK(oclmm_expected_at(file, 0) == expected && oclmm_expected_count(file) == 1);
	CHECK(oclmm_expected_fits(expected, program));
	CHECK(oclmm_expected_status(expected, weak, &deciding) == OCLMM_STATUS_FORBIDDEN);
	CHECK(deciding == 0 && oclmm_expected_forbids(expected));
	held = oclmm_expected_under(arena, expected, OCLMM_MODEL_OPENCL_2_0);
	CHECK(oclmm_expected_status(held, weak, NULL) == OCLMM_STATUS_FORBIDDEN);
	CHECK(oclmm_expected_held(arena, file, program, OCLMM_MODEL_CONSENSUS) != NULL);
	oclmm_expected_print_log(&text, expected);
	CHECK_HAS(oclmm_text_string(&text), "Observation SB+sc+sc Never 0 3");
	oclmm_text_finish(&text);
	oclmm_log_name(&text, "a b");
	CHECK_IS(oclmm_text_string(&text), "a.b");
	oclmm_text_finish(&text);
	oclmm_arena_destroy(arena);
}

static void call_expected(const struct oclmm_program *program, const char *scratch)
{
	struct oclmm_expected_file *file, *empty = oclmm_expected_create(program->file), *again;
	const struct oclmm_check_options options = {0};
	struct oclmm_text path = {0}, text = {0};
	struct oclmm_answer *answer;
	struct oclmm_error error;

	oclmm_text_printf(&path, "%s/x.expected", scratch);
	if (!CHECK(oclmm_expected_ask(program, OCLMM_MODEL_CONSENSUS, NULL, &error, &file) == 0))
		return;
	call_expected_entry(file, program);
	oclmm_expected_destroy(file);
	if (!CHECK(oclmm_expected_ask(program, OCLMM_MODEL_CONSENSUS, &options, &error, &file) ==
	           0))
		return;
	CHECK(oclmm_expected_compare(empty, file, &text) == 1);
	oclmm_text_finish(&text);
	CHECK(oclmm_check(program, &options, &error, &answer) == 0);
	CHECK(oclmm_expected_add(empty, answer, OCLMM_MODEL_CONSENSUS) == 0);
	CHECK(oclmm_expected_add(empty, answer, OCLMM_MODEL_CONSENSUS) == -EEXIST);
	oclmm_answer_destroy(answer);
	CHECK(oclmm_expected_compare(empty, file, NULL) == 0);
	CHECK(oclmm_expected_write(empty, oclmm_text_string(&path), &error) == 0);
	if (CHECK(oclmm_expected_read(oclmm_text_string(&path), &error, &again) == 0)) {
		CHECK(oclmm_expected_compare(empty, again, NULL) == 0);
		oclmm_expected_destroy(again);
	}
	oclmm_expected_print(&text, empty);
	if (CHECK(oclmm_expected_parse("x", oclmm_text_string(&text), text.length, &error,
	                               &again) == 0))
		oclmm_expected_destroy(again);
	oclmm_text_finish(&text);
	oclmm_text_finish(&path);
	oclmm_expected_destroy(empty);
	oclmm_expected_destroy(file);
}

static void call_control(const struct oclmm_program *program)
{
	const int64_t serial_outcome[] = {0, 1}, weak[] = {0, 0};
	struct oclmm_expected_file *file;
	struct oclmm_controls *controls;
	struct oclmm_serial *serial;
	struct oclmm_error error;

	CHECK(oclmm_expected_ask(program, OCLMM_MODEL_CONSENSUS, NULL, &error, &file) == 0);
	if (CHECK(oclmm_controls_derive(program, oclmm_expected_at(file, 0), 0, &controls) == 0)) {
		CHECK(controls->count > 0);
		CHECK_HAS(controls->moved[0].name, "SB+sc+sc~");
		oclmm_controls_destroy(controls);
	}
	if (CHECK(oclmm_serial_find(program, &serial) == 0)) {
		CHECK(oclmm_serial_has(serial, serial_outcome));
		CHECK(!oclmm_serial_has(serial, weak));
		oclmm_serial_destroy(serial);
	}
	oclmm_expected_destroy(file);
}

void call_oracle(const char *suite, const char *scratch)
{
	struct oclmm_litmus *litmus = calls_read(suite, "seq-cst/SB+sc+sc");
	const struct oclmm_program *program = litmus->variants[0].program;

	call_api();
	call_model(program);
	call_text(program, scratch);
	call_executions(suite, program);
	call_explain(program);
	call_expected(program, scratch);
	call_control(program);
	oclmm_litmus_destroy(litmus);
}
