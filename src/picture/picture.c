// SPDX-License-Identifier: Apache-2.0
/* The picture of an outcome, for reports. */
#include "oclmm/picture.h"

static int draw(struct oclmm_text *text, const struct oclmm_program *program,
                enum oclmm_model model, struct oclmm_error *error)
{
	const struct oclmm_explain_options options = {.models = 1u << model,
	                                              .time_limit = 5,
	                                              .no_changes = true};
	struct oclmm_explanation *explanation;
	int result = oclmm_explain(program, &options, error, &explanation);

	if (result < 0)
		return result;
	result = oclmm_picture_svg(text, explanation);
	if (result < 0)
		oclmm_error_set(error, result, "there is no execution to draw");
	oclmm_explanation_destroy(explanation);
	return result;
}

int oclmm_picture_outcome(struct oclmm_text *text, const struct oclmm_program *program,
                          const char *outcome, enum oclmm_model model, struct oclmm_error *error)
{
	struct oclmm_arena *arena = oclmm_arena_create();
	int result = outcome ? oclmm_explain_ask(arena, program, outcome, error, &program) : 0;

	if (result == 0)
		result = draw(text, program, model, error);
	oclmm_arena_destroy(arena);
	return result;
}
