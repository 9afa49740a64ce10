// SPDX-License-Identifier: Apache-2.0
#include "oclmm/change.h"

uint64_t oclmm_register_bit(uint32_t reg)
{
	return UINT64_C(1) << (reg < 63 ? reg : 63);
}

static int note_expression(void *data, const struct oclmm_expression *expression)
{
	struct oclmm_effects *effects = data;

	if (expression->kind == OCLMM_EXPRESSION_REGISTER)
		effects->reads |= oclmm_register_bit(expression->reg);
	if (expression->kind == OCLMM_EXPRESSION_ATOMIC &&
	    expression->atomic->comparand.kind == OCLMM_COMPARAND_REGISTER) {
		effects->reads |= oclmm_register_bit(expression->atomic->comparand.reg);
		effects->writes |= oclmm_register_bit(expression->atomic->comparand.reg);
	}
	return 0;
}

static int note_use(void *data, const struct oclmm_use *use)
{
	struct oclmm_effects *effects = data;

	effects->accesses++;
	effects->location = use->place->location;
	return 0;
}

static int note_statement(void *data, const struct oclmm_statement *statement)
{
	struct oclmm_effects *effects = data;

	if (statement->kind == OCLMM_STATEMENT_ASSIGN)
		effects->writes |= oclmm_register_bit(statement->assign.reg);
	effects->synchronises |= statement->kind == OCLMM_STATEMENT_FENCE ||
	                         statement->kind == OCLMM_STATEMENT_COPY ||
	                         statement->kind == OCLMM_STATEMENT_WAIT ||
	                         statement->kind == OCLMM_STATEMENT_ENQUEUE ||
	                         statement->kind == OCLMM_STATEMENT_BARRIER;
	return 0;
}

struct oclmm_effects oclmm_statement_effects(const struct oclmm_statement *statement)
{
	static const struct oclmm_visitor visitor = {note_expression, note_use, note_statement};
	struct oclmm_statement alone = *statement;
	struct oclmm_effects effects = {0};

	alone.next = NULL;
	oclmm_visit_body(&visitor, &alone, &effects);
	return effects;
}

bool oclmm_effects_depend(const struct oclmm_effects *a, const struct oclmm_effects *b)
{
	return (a->writes & (b->reads | b->writes)) || (a->reads & b->writes);
}

bool oclmm_is_arithmetic(const struct oclmm_statement *statement)
{
	return statement->kind == OCLMM_STATEMENT_ASSIGN &&
	       !oclmm_statement_effects(statement).accesses;
}
