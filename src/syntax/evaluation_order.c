// SPDX-License-Identifier: Apache-2.0
/* Parts of an expression that C evaluates in no order. The model tries every order of accesses to
 * memory. Registers are no events: two orders that give a register different values are refused.
 */
#include "expression.h"

const char oclmm_assign_first[] = "assign its value to a register first: `int r0 = f(...);`";

/* ---- accesses beside a call ---- */

static int is_access(void *data, const struct oclmm_expression *e)
{
	(void)data;
	return e->kind == OCLMM_EXPRESSION_LOAD || e->kind == OCLMM_EXPRESSION_ATOMIC;
}

static const struct oclmm_visitor accesses = {.expression = is_access};

bool oclmm_has_access(const struct oclmm_expression *e)
{
	return e && oclmm_visit_expression(&accesses, e, NULL) != 0;
}

/* An atomic function or a read accesses memory itself only after its operands. */
static bool has_access_inside(struct oclmm_expression *e)
{
	struct oclmm_parts parts;

	if (!is_access(NULL, e))
		return oclmm_has_access(e);
	oclmm_expression_parts(e, &parts);
	for (unsigned i = 0; i < parts.expression_count; i++) {
		if (oclmm_has_access(*parts.expressions[i]))
			return true;
	}
	return false;
}

int oclmm_check_full(const struct builder *builder, const struct syntax_token *at,
                     const struct oclmm_statement *statement)
{
	struct oclmm_parts parts;
	bool found = false;

	/* a store evaluates index and value before it writes */
	oclmm_statement_parts((struct oclmm_statement *)statement, &parts);
	for (unsigned i = 0; i < parts.expression_count; i++)
		found = found ||
		        (parts.expression_count > 1 ? oclmm_has_access(*parts.expressions[i])
		                                    : has_access_inside(*parts.expressions[i]));
	return found ? REFUSE(builder, at, oclmm_assign_first,
	                      "the call and the access beside it have no order")
	             : 0;
}

/* ---- registers that a compare-exchange sets ---- */

static int add_used(void *data, const struct oclmm_expression *e)
{
	struct build_used *used = data;

	if (e->kind == OCLMM_EXPRESSION_REGISTER)
		used->read |= UINT64_C(1) << e->reg;
	if (e->kind == OCLMM_EXPRESSION_ATOMIC &&
	    e->atomic->comparand.kind == OCLMM_COMPARAND_REGISTER)
		used->written |= UINT64_C(1) << e->atomic->comparand.reg;
	return 0;
}

void oclmm_add_used(struct build_used *used, const struct oclmm_expression *e)
{
	static const struct oclmm_visitor visitor = {.expression = add_used};

	if (e)
		oclmm_visit_expression(&visitor, e, used);
}

int oclmm_check_used(const struct builder *builder, const struct syntax_token *at,
                     struct build_used *all, const struct build_used *more)
{
	uint64_t clash = (all->written & (more->read | more->written)) |
	                 (more->written & all->read);
	uint32_t reg = 0;

	all->read |= more->read;
	all->written |= more->written;
	if (!clash)
		return 0;
	while (!(clash >> reg & 1))
		reg++;
	return REFUSE(builder, at, "write a statement of its own for what sets it",
	              "`%s` is used beside what may set it, in no order",
	              builder->thread->registers[reg].name);
}

static int check_parts(const struct builder *builder, const struct syntax_token *at,
                       const struct oclmm_parts *parts)
{
	struct build_used all = {0};
	int result = 0;

	for (unsigned i = 0; i < parts->expression_count && !result; i++) {
		struct build_used more = {0};

		oclmm_add_used(&more, *parts->expressions[i]);
		result = oclmm_check_used(builder, at, &all, &more);
	}
	return result;
}

struct checking {
	const struct builder *builder;
	const struct syntax_token *at;
};

static int check_node(void *data, const struct oclmm_expression *e)
{
	const struct checking *checking = data;
	struct oclmm_parts parts;

	/* the left side of these comes first */
	if (e->kind == OCLMM_EXPRESSION_BINARY && (e->binary.op == OCLMM_OPERATOR_LOGICAL_AND ||
	                                           e->binary.op == OCLMM_OPERATOR_LOGICAL_OR))
		return 0;
	oclmm_expression_parts((struct oclmm_expression *)e, &parts);
	return check_parts(checking->builder, checking->at, &parts);
}

int oclmm_check_registers(const struct builder *builder, const struct syntax_token *at,
                          struct build_used calls, const struct oclmm_statement *statement)
{
	static const struct oclmm_visitor visitor = {.expression = check_node};
	struct checking checking = {.builder = builder, .at = at};
	struct build_used own = {0};
	struct oclmm_parts parts;
	int result = oclmm_visit_statement(&visitor, statement, &checking);

	oclmm_statement_parts((struct oclmm_statement *)statement, &parts);
	if (!result)
		result = check_parts(builder, at, &parts);
	for (unsigned i = 0; i < parts.expression_count; i++)
		oclmm_add_used(&own, *parts.expressions[i]);
	return result ? result : oclmm_check_used(builder, at, &calls, &own);
}
