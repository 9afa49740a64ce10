// SPDX-License-Identifier: Apache-2.0
/* What expressions and statements are made of, and the way through it. */
#include "oclmm/ir.h"

/* ---- the parts of a node ------------------------------------------------ */

static void add_expression(struct oclmm_parts *parts, struct oclmm_expression **slot)
{
	if (*slot)
		parts->expressions[parts->expression_count++] = slot;
}

static void add_body(struct oclmm_parts *parts, struct oclmm_statement **slot)
{
	parts->bodies[parts->body_count++] = slot;
}

static void add_place(struct oclmm_parts *parts, struct oclmm_place *place, bool reads, bool writes,
                      bool atomic)
{
	add_expression(parts, &place->index);
	parts->uses[parts->use_count++] = (struct oclmm_use){
		.place = place, .reads = reads, .writes = writes, .atomic = atomic};
}

/* The call reads what it compares with before it looks at the object. */
static void add_atomic(struct oclmm_parts *parts, struct oclmm_atomic *atomic)
{
	struct oclmm_use object = {&atomic->object, oclmm_operation_reads(atomic->op),
	                           oclmm_operation_writes(atomic->op), true};

	add_expression(parts, &atomic->object.index);
	if (atomic->comparand.kind == OCLMM_COMPARAND_MEMORY)
		add_place(parts, &atomic->comparand.place, true, true, false);
	if (atomic->comparand.kind == OCLMM_COMPARAND_VALUE)
		add_expression(parts, &atomic->comparand.value);
	add_expression(parts, &atomic->operand);
	parts->uses[parts->use_count++] = object;
}

void oclmm_expression_parts(struct oclmm_expression *expression, struct oclmm_parts *ret_parts)
{
	ret_parts->expression_count = ret_parts->use_count = ret_parts->body_count = 0;
	switch (expression->kind) {
	case OCLMM_EXPRESSION_CONSTANT:
	case OCLMM_EXPRESSION_REGISTER: break;
	case OCLMM_EXPRESSION_LOAD:
		add_place(ret_parts, &expression->load, true, false, false);
		break;
	case OCLMM_EXPRESSION_ATOMIC: add_atomic(ret_parts, expression->atomic); break;
	case OCLMM_EXPRESSION_UNARY: add_expression(ret_parts, &expression->unary.operand); break;
	case OCLMM_EXPRESSION_CAST: add_expression(ret_parts, &expression->cast); break;
	case OCLMM_EXPRESSION_BINARY:
		add_expression(ret_parts, &expression->binary.left);
		add_expression(ret_parts, &expression->binary.right);
		break;
	}
}

void oclmm_statement_parts(struct oclmm_statement *statement, struct oclmm_parts *ret_parts)
{
	ret_parts->expression_count = ret_parts->use_count = ret_parts->body_count = 0;
	switch (statement->kind) {
	case OCLMM_STATEMENT_ASSIGN: add_expression(ret_parts, &statement->assign.value); break;
	case OCLMM_STATEMENT_STORE:
		add_place(ret_parts, &statement->store.place, false, true, false);
		add_expression(ret_parts, &statement->store.value);
		break;
	case OCLMM_STATEMENT_EVALUATE: add_expression(ret_parts, &statement->effect); break;
	case OCLMM_STATEMENT_BARRIER:
		add_expression(ret_parts, &statement->barrier.value);
		add_expression(ret_parts, &statement->barrier.from);
		break;
	case OCLMM_STATEMENT_FENCE:
	case OCLMM_STATEMENT_WAIT:
	case OCLMM_STATEMENT_ENQUEUE:
	case OCLMM_STATEMENT_CLOCK: break;
	case OCLMM_STATEMENT_COPY:
		add_place(ret_parts, &statement->copy.to, false, true, false);
		add_place(ret_parts, &statement->copy.from, true, false, false);
		break;
	case OCLMM_STATEMENT_IF:
		add_expression(ret_parts, &statement->branch.condition);
		add_body(ret_parts, &statement->branch.then_body);
		if (statement->branch.else_body)
			add_body(ret_parts, &statement->branch.else_body);
		break;
	case OCLMM_STATEMENT_WHILE:
		add_expression(ret_parts, &statement->loop.condition);
		add_body(ret_parts, &statement->loop.body);
		break;
	}
}

bool oclmm_location_has_initialiser(const struct oclmm_location *location)
{
	for (uint32_t e = 1; e < location->elements; e++)
		if (location->initial[e] != location->initial[0])
			return false;
	return location->initial[0] != 0 && !oclmm_type_is_floating(location->type);
}

/* ---- the walk ----------------------------------------------------------- */

static int visit_parts(const struct oclmm_visitor *visitor, const struct oclmm_parts *parts,
                       void *data)
{
	int result = 0;

	for (unsigned i = 0; i < parts->expression_count && !result; i++)
		result = oclmm_visit_expression(visitor, *parts->expressions[i], data);
	for (unsigned i = 0; i < parts->use_count && !result && visitor->use; i++)
		result = visitor->use(data, &parts->uses[i]);
	return result;
}

int oclmm_visit_expression(const struct oclmm_visitor *visitor,
                           const struct oclmm_expression *expression, void *data)
{
	struct oclmm_parts parts;
	int result;

	oclmm_expression_parts((struct oclmm_expression *)expression, &parts);
	result = visit_parts(visitor, &parts, data);
	return result || !visitor->expression ? result : visitor->expression(data, expression);
}

static int visit_statement(const struct oclmm_visitor *visitor,
                           const struct oclmm_statement *statement, void *data, bool bodies)
{
	struct oclmm_parts parts;
	int result = 0;

	oclmm_statement_parts((struct oclmm_statement *)statement, &parts);
	if (visitor->expression || visitor->use)
		result = visit_parts(visitor, &parts, data);
	for (unsigned i = 0; i < parts.body_count && !result && bodies; i++)
		result = oclmm_visit_body(visitor, *parts.bodies[i], data);
	return result || !visitor->statement ? result : visitor->statement(data, statement);
}

int oclmm_visit_statement(const struct oclmm_visitor *visitor,
                          const struct oclmm_statement *statement, void *data)
{
	return visit_statement(visitor, statement, data, false);
}

int oclmm_visit_body(const struct oclmm_visitor *visitor, const struct oclmm_statement *first,
                     void *data)
{
	int result = 0;

	for (; first && !result; first = first->next)
		result = visit_statement(visitor, first, data, true);
	return result;
}

bool oclmm_expression_register(const struct oclmm_expression *expression, uint32_t *ret_reg)
{
	bool compares = expression->kind == OCLMM_EXPRESSION_ATOMIC &&
	                expression->atomic->comparand.kind == OCLMM_COMPARAND_REGISTER;

	if (compares)
		*ret_reg = expression->atomic->comparand.reg;
	else if (expression->kind == OCLMM_EXPRESSION_REGISTER)
		*ret_reg = expression->reg;
	return compares || expression->kind == OCLMM_EXPRESSION_REGISTER;
}
