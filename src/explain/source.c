// SPDX-License-Identifier: Apache-2.0
/* From an event back to the statement that it comes from. */
#include "internal.h"

static bool stands_before(struct oclmm_position a, struct oclmm_position b)
{
	return a.line < b.line || (a.line == b.line && a.column <= b.column);
}

/* The last statement, inner ones included, that begins at or before a place. */
static void search_block(const struct oclmm_statement *s, struct oclmm_position position,
                         const struct oclmm_statement **found)
{
	for (; s; s = s->next) {
		if (s->position.line && stands_before(s->position, position) &&
		    (!*found || stands_before((*found)->position, s->position)))
			*found = s;
		search_block(s->then_body, position, found);
		search_block(s->else_body, position, found);
	}
}

const struct oclmm_statement *find_statement(const struct oclmm_program *program, uint32_t thread,
                                             struct oclmm_position position)
{
	const struct oclmm_statement *found = NULL;

	search_block(program->threads[thread].body, position, &found);
	return found;
}

void print_statement(struct oclmm_text *text, const struct oclmm_program *program, uint32_t thread,
                     const struct oclmm_statement *statement)
{
	bool is_if = statement->kind == OCLMM_STATEMENT_IF;

	if (!is_if && statement->kind != OCLMM_STATEMENT_WHILE) {
		oclmm_statement_print(text, program, thread, statement);
		return;
	}
	oclmm_text_add(text, is_if ? "if (" : "while (");
	oclmm_expression_print(text, program, thread, statement->expression);
	oclmm_text_add(text, ")");
}
