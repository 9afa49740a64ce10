// SPDX-License-Identifier: Apache-2.0
/* What a failure is handed on with: the rule that it breaks, and whether it can be exported. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "export/export.h"
#include "oclmm/explain.h"
#include "saved.h"

/* The first forbidden outcome that was seen, as a condition. */
static bool find_outcome(const struct oclmm_record *record, struct oclmm_text *text)
{
	for (uint32_t i = 0; i < record->grade.row_count; i++) {
		const struct oclmm_graded_row *row = &record->grade.rows[i];

		if (!row->count || row->status != OCLMM_STATUS_FORBIDDEN)
			continue;
		for (uint32_t k = 0; k < record->program->observable_count; k++) {
			const struct oclmm_observable *o = &record->program->observables[k];

			oclmm_text_printf(text, "%s%s=", k ? " /\\ " : "", o->name);
			oclmm_value_print(text, o->type, row->values[k]);
		}
		return text->length > 0;
	}
	return false;
}

static const char *explain(struct oclmm_arena *arena, const struct oclmm_program *program)
{
	const struct oclmm_explain_options options = {.no_changes = true, .time_limit = 1};
	struct oclmm_explanation *e;
	struct oclmm_error ignored;
	struct oclmm_text text = {0};

	if (oclmm_explain(program, &options, &ignored, &e) < 0)
		return NULL;
	if (e->violation)
		oclmm_text_printf(&text, "%s (%s): %s", e->violation->rule, e->violation->section,
		                  e->violation->why);
	else if (e->only) {
		oclmm_text_add(&text, "no two accesses conflict without a barrier between them, so "
		                      "that each order of the work-items ends with ");
		oclmm_outcome_print(&text, e->program, e->only);
	} else if (e->why)
		oclmm_text_printf(&text, "no execution ends so: %s", e->why);
	oclmm_explanation_destroy(e);
	return text.length ? oclmm_text_keep(&text, arena) : NULL;
}

void saved_add_next(struct oclmm_arena *arena, struct oclmm_record *record)
{
	const struct oclmm_program *program = record->program;
	struct oclmm_text outcome = {0};
	struct oclmm_error error;
	char *refused;

	/* a kernel has no text of ours to explain, and is always exported by its own file */
	if (record->grade.verdict != OCLMM_VERDICT_FORBIDDEN || record->rule ||
	    record->not_exported || record->whole_kernel)
		return;
	if (find_outcome(record, &outcome) &&
	    oclmm_explain_ask(arena, program, oclmm_text_string(&outcome), &error, &program) == 0)
		record->rule = explain(arena, program);
	refused = export_refusal(program);
	if (refused)
		record->not_exported = oclmm_arena_strdup(arena, refused);
	free(refused);
	oclmm_text_finish(&outcome);
}
