// SPDX-License-Identifier: Apache-2.0
/* A litmus file, up to the oracle's answer and the kernels. */
#include <errno.h>
#include <string.h>

#include "fuzz.h"
#include "oclmm/codegen.h"
#include "oclmm/expect.h"
#include "oclmm/model.h"
#include "oclmm/syntax.h"

const int fuzz_json = 0;

enum { MOST_VARIANTS = 3 };

/* The canonical text says the same again. */
static void check_text(const struct oclmm_program *program)
{
	struct oclmm_error error = {0};
	struct oclmm_litmus *again;
	struct oclmm_text text = {0};

	oclmm_program_print(&text, program);
	FUZZ_CHECK(oclmm_litmus_parse("again", text.data, text.length, NULL, &error, &again) == 0);
	FUZZ_CHECK(again->variants[0].program->hash == program->hash);
	oclmm_litmus_destroy(again);
	oclmm_text_finish(&text);
}

static void generate(const struct oclmm_program *program, const struct oclmm_outcome_space *space)
{
	struct oclmm_error error = {0};
	struct oclmm_text source = {0};

	if (oclmm_generate(program, space, NULL, &error, &source) < 0)
		fuzz_check_error(&error);
	else
		FUZZ_CHECK(strlen(source.data) == source.length);
	oclmm_text_finish(&source);
}

static void check_program(const struct oclmm_program *program)
{
	/* large ones are cut, as `check --time-limit` does */
	const struct oclmm_check_options options = {.time_limit = 0.01};
	struct oclmm_expected_file *file;
	struct oclmm_answer *answer;
	struct oclmm_error error = {0};
	int r;

	check_text(program);
	r = oclmm_check(program, &options, &error, &answer);
	if (r < 0) {
		FUZZ_CHECK(r == -E2BIG || r == -ETIME || r == -EINVAL);
		return;
	}
	file = oclmm_expected_create("fuzz.litmus");
	FUZZ_CHECK(oclmm_expected_add(file, answer, OCLMM_MODEL_CONSENSUS) == 0);
	generate(program, &oclmm_expected_at(file, 0)->space);
	oclmm_expected_destroy(file);
	oclmm_answer_destroy(answer);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct oclmm_error error = {0};
	struct oclmm_litmus *litmus;

	if (oclmm_litmus_parse("fuzz.litmus", (const char *)data, size, NULL, &error, &litmus) <
	    0) {
		fuzz_check_error(&error);
		return 0;
	}
	for (uint32_t i = 0; i < litmus->variant_count && i < MOST_VARIANTS; i++)
		check_program(litmus->variants[i].program);
	oclmm_litmus_destroy(litmus);
	return 0;
}
