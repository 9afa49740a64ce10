// SPDX-License-Identifier: Apache-2.0
#include "build.h"

/* A register that is read before it is set has no defined value in C. The set
 * of registers that are set on every path to a point is one machine word. */
typedef uint64_t register_set;

struct flow {
	const struct builder *builder;
	const struct oclmm_thread *thread;
	register_set set;
};

static int check_register(const struct flow *flow, uint32_t reg, const struct oclmm_position *at)
{
	if (flow->set & (UINT64_C(1) << reg))
		return 0;
	return syntax_refuse(flow->builder->source, at,
	                     "give it a value on every path that leads here",
	                     "register `%s` may be read before it is set",
	                     flow->thread->registers[reg].name);
}

static int check_expression(void *data, const struct oclmm_expression *e)
{
	if (e->kind == OCLMM_EXPRESSION_REGISTER)
		return check_register(data, e->reg, &e->position);
	if (e->kind == OCLMM_EXPRESSION_ATOMIC &&
	    e->atomic->comparand.kind == OCLMM_COMPARAND_REGISTER)
		return check_register(data, e->atomic->comparand.reg, &e->position);
	return 0;
}

static int check_list(struct flow *flow, const struct oclmm_statement *statement);

/* Only what both ways set is set afterwards. */
static int check_branch(struct flow *flow, const struct oclmm_branch *branch)
{
	register_set before = flow->set, then_set;
	int result = check_list(flow, branch->then_body);

	then_set = flow->set;
	flow->set = before;
	if (!result)
		result = check_list(flow, branch->else_body);
	flow->set &= then_set;
	return result;
}

/* A loop may run not at all, so what its body sets does not count. */
static int check_loop(struct flow *flow, const struct oclmm_loop *loop)
{
	register_set before = flow->set;
	int result = check_list(flow, loop->body);

	flow->set = before;
	return result;
}

static int check_list(struct flow *flow, const struct oclmm_statement *statement)
{
	static const struct oclmm_visitor visitor = {.expression = check_expression};
	int result = 0;

	for (; statement && !result; statement = statement->next) {
		result = oclmm_visit_statement(&visitor, statement, flow);
		if (result)
			break;
		if (statement->kind == OCLMM_STATEMENT_IF)
			result = check_branch(flow, &statement->branch);
		else if (statement->kind == OCLMM_STATEMENT_WHILE)
			result = check_loop(flow, &statement->loop);
		else if (statement->kind == OCLMM_STATEMENT_ASSIGN)
			flow->set |= UINT64_C(1) << statement->assign.reg;
	}
	return result;
}

int build_check_flow(const struct builder *builder)
{
	const struct oclmm_program *program = builder->program;
	int result = 0;

	for (uint32_t i = 0; i < program->thread_count && !result; i++) {
		struct flow flow = {builder, &program->threads[i], 0};

		for (uint32_t k = 0; k < flow.thread->register_count; k++) {
			if (flow.thread->registers[k].has_initial)
				flow.set |= UINT64_C(1) << k;
		}
		result = check_list(&flow, flow.thread->body);
	}
	return result;
}
