// SPDX-License-Identifier: Apache-2.0
/* From an event back to the statement that it comes from. */
#include "internal.h"

static bool stands_before(struct oclmm_position a, struct oclmm_position b)
{
	return a.line < b.line || (a.line == b.line && a.column <= b.column);
}

struct search {
	struct oclmm_position position;
	const struct oclmm_statement *found;
};

/* The last statement, inner ones included, that begins at or before a place. */
static int look_at(void *data, const struct oclmm_statement *s)
{
	struct search *search = data;

	if (s->position.line && stands_before(s->position, search->position) &&
	    (!search->found || stands_before(search->found->position, s->position)))
		search->found = s;
	return 0;
}

const struct oclmm_statement *find_statement(const struct oclmm_program *program, uint32_t thread,
                                             struct oclmm_position position)
{
	static const struct oclmm_visitor visitor = {.statement = look_at};
	struct search search = {.position = position};

	oclmm_visit_body(&visitor, program->threads[thread].body, &search);
	return search.found;
}
