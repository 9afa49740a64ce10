// SPDX-License-Identifier: Apache-2.0
/* Steps of a compiler that is too sure of a value or of a condition. */
#include <errno.h>

#include "build.h"

/* ---- a value from before ---- */

bool control_can_reload(const struct oclmm_statement *statement)
{
	return statement->kind == OCLMM_STATEMENT_ASSIGN && control_can_split(statement);
}

void control_reload(struct oclmm_program *copy, struct oclmm_arena *arena, uint32_t thread,
                    struct oclmm_statement **link)
{
	struct oclmm_statement *statement = *link, *s;
	const struct oclmm_atomic *a = control_call(statement);
	struct builder b = {copy, arena, thread, link, statement->position}, inner;
	uint32_t early = control_new_register(&b, copy->locations[a->object.location].type);

	control_load(&b, a, early);
	b.link = &statement->next;
	if (a->comparand.kind != OCLMM_COMPARAND_REGISTER) {
		control_assign(&b, statement->assign.reg, control_read_register(&b, early));
		return;
	}
	/* that a compare-exchange failed is told from what it found */
	s = control_branch(&b, control_binary(&b, OCLMM_OPERATOR_EQ, OCLMM_TYPE_INT,
	                                      control_read_register(&b, statement->assign.reg),
	                                      control_constant(&b, OCLMM_TYPE_INT, 0)));
	inner = b;
	inner.link = &s->branch.then_body;
	control_assign(&inner, a->comparand.reg, control_read_register(&b, early));
}

/* ---- a branch that is always taken ---- */

static int note_barrier(void *data, const struct oclmm_statement *statement)
{
	(void)data;
	return statement->kind == OCLMM_STATEMENT_BARRIER ? -ECANCELED : 0;
}

bool control_can_always(const struct oclmm_statement *statement)
{
	static const struct oclmm_visitor visitor = {.statement = note_barrier};

	return statement->kind == OCLMM_STATEMENT_IF && statement->branch.then_body &&
	       !statement->branch.else_body &&
	       oclmm_visit_body(&visitor, statement->branch.then_body, NULL) == 0;
}

void control_always(struct oclmm_statement **link)
{
	struct oclmm_statement *statement = *link, **end = &statement->branch.then_body;

	while (*end)
		end = &(*end)->next;
	*end = statement->next;
	*link = statement->branch.then_body;
}

/* ---- a value that is loaded again ---- */

/* The register that a store takes, or an update whose value is unused; NULL for any other
 * statement. */
static struct oclmm_expression **stored(struct oclmm_statement *statement)
{
	struct oclmm_expression **value = NULL;

	if (statement->kind == OCLMM_STATEMENT_STORE)
		value = &statement->store.value;
	else if (statement->kind == OCLMM_STATEMENT_EVALUATE &&
	         statement->effect->kind == OCLMM_EXPRESSION_ATOMIC)
		value = &statement->effect->atomic->operand;
	return value && *value && (*value)->kind == OCLMM_EXPRESSION_REGISTER ? value : NULL;
}

bool control_stores_register(const struct oclmm_statement *statement, uint32_t *ret_register)
{
	struct oclmm_statement copy = *statement;
	struct oclmm_expression **value = stored(&copy);

	if (!value)
		return false;
	*ret_register = (*value)->reg;
	return true;
}

void control_again(struct oclmm_program *copy, struct oclmm_arena *arena, uint32_t thread,
                   struct oclmm_statement *store, struct oclmm_statement *load)
{
	struct builder b = {copy, arena, thread, &load->next, load->position};
	uint32_t reg = control_new_register(&b,
	                                    copy->threads[thread].registers[load->assign.reg].type);

	control_assign(&b, reg, load->assign.value);
	*stored(store) = control_read_register(&b, reg);
}
