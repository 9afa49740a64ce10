// SPDX-License-Identifier: Apache-2.0
#include "build.h"

#include <errno.h>

/* A register that is read before it is set has no defined value in C. The set
 * of registers that are set on every path to a point is one machine word. */
typedef uint64_t register_set;

struct flow {
	const struct builder *builder;
	const struct oclmm_thread *thread;
};

static int check_register(const struct flow *flow, uint32_t reg, register_set set,
                          const struct oclmm_position *at)
{
	if (set & (UINT64_C(1) << reg))
		return 0;
	return syntax_refuse(flow->builder->source, at,
	                     "give it a value on every path that leads here",
	                     "register `%s` may be read before it is set",
	                     flow->thread->registers[reg].name);
}

static int check_expression(const struct flow *flow, const struct oclmm_expression *expression,
                            register_set set);

static int check_atomic(const struct flow *flow, const struct oclmm_expression *expression,
                        register_set set)
{
	const struct oclmm_atomic *atomic = expression->atomic;
	int result = check_expression(flow, atomic->object.index, set);

	if (!result && oclmm_operation_is_cas(atomic->op) && !atomic->legacy) {
		if (atomic->expected_in_memory)
			result = check_expression(flow, atomic->expected_place.index, set);
		else
			result = check_register(flow, atomic->expected_register, set,
			                        &expression->position);
	}
	if (!result)
		result = check_expression(flow, atomic->legacy_expected, set);
	return result ? result : check_expression(flow, atomic->operand, set);
}

static int check_expression(const struct flow *flow, const struct oclmm_expression *expression,
                            register_set set)
{
	int result;

	if (!expression)
		return 0;
	switch (expression->kind) {
	case OCLMM_EXPRESSION_CONSTANT: return 0;
	case OCLMM_EXPRESSION_REGISTER:
		return check_register(flow, expression->reg, set, &expression->position);
	case OCLMM_EXPRESSION_LOAD: return check_expression(flow, expression->place.index, set);
	case OCLMM_EXPRESSION_ATOMIC: return check_atomic(flow, expression, set);
	case OCLMM_EXPRESSION_UNARY:
	case OCLMM_EXPRESSION_BINARY: break;
	}
	result = check_expression(flow, expression->left, set);
	return result ? result : check_expression(flow, expression->right, set);
}

static int check_list(const struct flow *flow, const struct oclmm_statement *statement,
                      register_set *set)
{
	for (; statement; statement = statement->next) {
		register_set then_set, else_set;
		int result = check_expression(flow, statement->expression, *set);

		if (!result && statement->kind == OCLMM_STATEMENT_STORE)
			result = check_expression(flow, statement->place.index, *set);
		/* a loop may run not at all, so what its body sets does not count */
		then_set = else_set = *set;
		if (!result)
			result = check_list(flow, statement->then_body, &then_set);
		if (!result)
			result = check_list(flow, statement->else_body, &else_set);
		if (result)
			return result;
		if (statement->kind == OCLMM_STATEMENT_IF)
			*set = then_set & else_set;
		if (statement->kind == OCLMM_STATEMENT_ASSIGN)
			*set |= UINT64_C(1) << statement->reg;
	}
	return 0;
}

int build_check_flow(const struct builder *builder)
{
	const struct oclmm_program *program = builder->program;
	uint32_t i, k;
	int result = 0;

	for (i = 0; i < program->thread_count && !result; i++) {
		const struct flow flow = {builder, &program->threads[i]};
		register_set set = 0;

		for (k = 0; k < flow.thread->register_count; k++) {
			if (flow.thread->registers[k].has_initial)
				set |= UINT64_C(1) << k;
		}
		result = check_list(&flow, flow.thread->body, &set);
	}
	return result;
}
