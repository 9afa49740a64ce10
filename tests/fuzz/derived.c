// SPDX-License-Identifier: Apache-2.0
/*
 * What a run, `explain`, the pages and the playground derive from a litmus file: all texts of
 * kernels, the controls, a cycle, an explanation and its picture.
 */
#include <string.h>

#include "fuzz.h"
#include "oclmm/codegen.h"
#include "oclmm/control.h"
#include "oclmm/cycle.h"
#include "oclmm/expect.h"
#include "oclmm/picture.h"
#include "oclmm/syntax.h"

const int fuzz_json = 0;

enum { MOST_VARIANTS = 2, MOST_CONTROLS = 2 };

/* Seconds. Large tests are cut, as `check --time-limit` does. */
static const double LIMIT = 0.005;

/* ---- kernels ---- */

/* Takes the text, of which there is none where it was refused. */
static void check_text(int r, const struct oclmm_error *error, struct oclmm_text *text)
{
	if (r < 0) {
		fuzz_check_error(error);
		return;
	}
	FUZZ_CHECK(strlen(oclmm_text_string(text)) == text->length);
	oclmm_text_finish(text);
}

/* In each form that a launch may take. */
static void generate(const struct oclmm_program *program, const struct oclmm_outcome_space *space)
{
	struct oclmm_codegen_options options = {0};
	struct oclmm_error error = {0};
	struct oclmm_kernel_plan plan;
	struct oclmm_text text;
	size_t words;

	if (oclmm_kernel_plan(program, space, &error, &plan) < 0) {
		fuzz_check_error(&error);
		return;
	}
	for (unsigned form = 0; form < 16 && plan.kernels; form++) {
		options = (struct oclmm_codegen_options){
			.any_count = form & 1,
			.split = (form & 2) && !plan.in_sub_groups,
			.direct = (form & 4) && plan.direct,
			.sums = (form & 8) && (form & 4) && plan.direct,
			.calm = form & 2,
			.part = form % plan.kernels,
		};
		check_text(oclmm_generate_test(program, space, &options, &error, &text), &error,
		           &text);
	}
	for (int form = 0; form < 3 && !plan.program_bytes; form++) {
		options = (struct oclmm_codegen_options){.quads = form == 1, .alone = form == 2};
		check_text(oclmm_generate_count(program, space, &options, &error, &text), &error,
		           &text);
	}
	free(oclmm_count_table(program, space, &words));
	free(oclmm_kernel_planes(program, space, &plan));
}

static void generate_commands(const struct oclmm_program *program)
{
	struct oclmm_text text;

	oclmm_generate_commands(program, &text);
	check_text(0, NULL, &text);
}

/* ---- beside a test ---- */

static void control(const struct oclmm_program *program, const struct oclmm_expected *expected)
{
	struct oclmm_controls *controls;
	struct oclmm_serial *serial;

	if (oclmm_serial_find(program, &serial) == 0)
		oclmm_serial_destroy(serial);
	if (oclmm_controls_derive(program, expected, MOST_CONTROLS, &controls) < 0)
		return;
	FUZZ_CHECK(controls->count <= MOST_CONTROLS);
	for (uint32_t i = 0; i < controls->count; i++) {
		const struct oclmm_program *moved = controls->moved[i].program;

		FUZZ_CHECK(moved->hash == oclmm_program_hash(moved));
		FUZZ_CHECK(moved->observable_count == program->observable_count);
		if (!oclmm_program_has_commands(moved))
			generate(moved, controls->moved[i].space);
	}
	oclmm_controls_destroy(controls);
}

static void recognise(const struct oclmm_program *program)
{
	struct oclmm_error error = {0};
	struct oclmm_litmus *litmus;
	struct oclmm_cycle cycle;

	if (!oclmm_cycle_recognise(program, &cycle))
		return;
	FUZZ_CHECK(oclmm_cycle_program(&cycle, &error, &litmus) == 0);
	oclmm_litmus_destroy(litmus);
}

/* ---- explanations ---- */

/* A page takes a picture as it is, so that no word of the test may be an element there. */
static void check_elements(const char *svg)
{
	static const char *const elements[] = {"circle", "defs", "desc", "g",   "line",
	                                       "marker", "path", "rect", "svg", "style",
	                                       "title",  "text", "tspan"};

	while ((svg = strchr(svg, '<'))) {
		bool known = false;

		svg += svg[1] == '/' ? 2 : 1;
		for (size_t i = 0; i < OCLMM_COUNT(elements); i++) {
			size_t length = strlen(elements[i]);

			known |= strncmp(svg, elements[i], length) == 0 &&
			         strchr(" />\n", svg[length]);
		}
		FUZZ_CHECK(known);
	}
}

static void explain(const struct oclmm_program *program)
{
	const struct oclmm_explain_options options = {.candidate_limit = 2000,
	                                              .check_limit = 20,
	                                              .time_limit = LIMIT};
	struct oclmm_explanation *explanation;
	struct oclmm_error error = {0};
	struct oclmm_text text;

	if (oclmm_explain(program, &options, &error, &explanation) < 0)
		return;
	oclmm_text_init(&text);
	oclmm_explanation_print(&text, explanation);
	fuzz_check_shown(oclmm_text_string(&text), text.length);
	oclmm_text_finish(&text);
	oclmm_text_init(&text);
	if (oclmm_picture_svg(&text, explanation) == 0)
		check_elements(oclmm_text_string(&text));
	oclmm_text_finish(&text);
	oclmm_text_init(&text);
	oclmm_picture_dot(&text, explanation);
	oclmm_text_finish(&text);
	oclmm_explanation_destroy(explanation);
}

static void derive(const struct oclmm_program *program)
{
	const struct oclmm_check_options options = {.time_limit = LIMIT};
	struct oclmm_expected_file *file;
	struct oclmm_features features;
	struct oclmm_answer *answer;
	struct oclmm_error error = {0};

	oclmm_program_features(program, &features);
	recognise(program);
	if (oclmm_check(program, &options, &error, &answer) < 0)
		return;
	file = oclmm_expected_create("fuzz.litmus");
	FUZZ_CHECK(oclmm_expected_add(file, answer, OCLMM_MODEL_CONSENSUS) == 0);
	if (oclmm_program_has_commands(program))
		generate_commands(program);
	else
		generate(program, &oclmm_expected_at(file, 0)->space);
	control(program, oclmm_expected_at(file, 0));
	explain(program);
	oclmm_expected_destroy(file);
	oclmm_answer_destroy(answer);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct oclmm_error error = {0};
	struct oclmm_litmus *litmus;

	if (oclmm_litmus_parse("fuzz.litmus", (const char *)data, size, NULL, &error, &litmus) < 0)
		return 0;
	for (uint32_t i = 0; i < litmus->variant_count && i < MOST_VARIANTS; i++)
		derive(litmus->variants[i].program);
	oclmm_litmus_destroy(litmus);
	return 0;
}
