// SPDX-License-Identifier: Apache-2.0
/* An outcome of a program as an <svg> element, for reports. */
#include <errno.h>
#include <string.h>

#include "internal.h"

static int draw(const struct oclmm_program *program, enum oclmm_model model,
                struct oclmm_error *error, struct oclmm_text *text)
{
	const struct oclmm_explain_options options = {.models = 1u << model,
	                                              .time_limit = 5,
	                                              .no_changes = true};
	struct oclmm_explanation *explanation;
	struct oclmm_text document;
	const char *element;
	int result = oclmm_explain(program, &options, error, &explanation);

	if (result < 0)
		return result;
	oclmm_text_init(&document);
	result = oclmm_explanation_draw(&document, explanation, "svg");
	if (result == -ENOENT)
		oclmm_error_set(error, result, "there is no execution to draw");
	else if (result < 0)
		oclmm_error_set(error, result, "the execution cannot be drawn");
	/* what stands in front of the element belongs to a file, not to a page */
	element = strstr(oclmm_text_string(&document), "<svg");
	if (result == 0 && !element)
		result = oclmm_error_set(error, -EIO, "Graphviz gave no picture");
	if (result == 0)
		oclmm_text_add(text, element);
	oclmm_text_finish(&document);
	oclmm_explanation_destroy(explanation);
	return result;
}

int oclmm_explain_svg(const struct oclmm_program *program, const char *outcome,
                      enum oclmm_model model, struct oclmm_error *error, struct oclmm_text *text)
{
	struct oclmm_arena *arena = oclmm_arena_create();
	int result = outcome ? oclmm_explain_ask(arena, program, outcome, error, &program) : 0;

	if (result == 0)
		result = draw(program, model, error, text);
	oclmm_arena_destroy(arena);
	return result;
}
