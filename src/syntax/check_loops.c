// SPDX-License-Identifier: Apache-2.0
#include "build.h"

/*
 * Every loop of a test has to end. Either the `unroll` line bounds it, or its
 * registers hold constants and it can be run here: then the number of its
 * iterations is known.
 */
enum {
	MOST_ITERATIONS = SYNTAX_MAX_UNROLL,
	MOST_STEPS = 1 << 16,
};

/** What is known of a thread's registers at a point. */
struct state {
	uint64_t known;
	int64_t values[SYNTAX_MAX_REGISTERS];
};

struct run {
	const struct builder *builder;
	const struct oclmm_thread *thread;
	unsigned steps;
};

/* ---- values ---- */

static bool evaluate(const struct state *state, const struct oclmm_expression *expression,
                     int64_t *ret_value);

/* Whether an operator's operands are known, and what it makes of them; `b` is NULL for a unary. */
static bool evaluate_operator(const struct state *state, enum oclmm_operator op,
                              const struct oclmm_expression *a, const struct oclmm_expression *b,
                              int64_t *ret_value)
{
	enum oclmm_type type = b ? oclmm_operand_type(op, a->type, b->type) : a->type;
	int64_t left, right = 0;

	if (!evaluate(state, a, &left) || (b && !evaluate(state, b, &right)))
		return false;
	return oclmm_apply(op, type, oclmm_value_wrap(type, left), oclmm_value_wrap(type, right),
	                   ret_value) == OCLMM_ARITHMETIC_OK;
}

static bool evaluate(const struct state *state, const struct oclmm_expression *e,
                     int64_t *ret_value)
{
	switch (e->kind) {
	case OCLMM_EXPRESSION_CONSTANT: *ret_value = e->constant; return true;
	case OCLMM_EXPRESSION_REGISTER:
		*ret_value = state->values[e->reg];
		return state->known & (UINT64_C(1) << e->reg);
	case OCLMM_EXPRESSION_UNARY:
		return evaluate_operator(state, e->unary.op, e->unary.operand, NULL, ret_value);
	case OCLMM_EXPRESSION_BINARY:
		return evaluate_operator(state, e->binary.op, e->binary.left, e->binary.right,
		                         ret_value);
	case OCLMM_EXPRESSION_CAST:
		if (!evaluate(state, e->cast, ret_value))
			return false;
		*ret_value = oclmm_value_wrap(e->type, *ret_value);
		return true;
	case OCLMM_EXPRESSION_LOAD:
	case OCLMM_EXPRESSION_ATOMIC: break;
	}
	return false;
}

bool build_constant_value(const struct oclmm_expression *expression, int64_t *ret_value)
{
	static const struct state nothing;

	return evaluate(&nothing, expression, ret_value);
}

/* A failing compare-exchange writes the register that it expects a value in. */
static int forget_expected(void *data, const struct oclmm_expression *e)
{
	struct state *state = data;

	if (e->kind == OCLMM_EXPRESSION_ATOMIC &&
	    e->atomic->comparand.kind == OCLMM_COMPARAND_REGISTER)
		state->known &= ~(UINT64_C(1) << e->atomic->comparand.reg);
	return 0;
}

static int forget_assigned(void *data, const struct oclmm_statement *statement)
{
	struct state *state = data;

	if (statement->kind == OCLMM_STATEMENT_ASSIGN)
		state->known &= ~(UINT64_C(1) << statement->assign.reg);
	return 0;
}

/* Whatever the expressions, or the statements, may write is not known afterwards. */
static const struct oclmm_visitor forget_effects = {.expression = forget_expected};
static const struct oclmm_visitor forget_written = {.expression = forget_expected,
                                                    .statement = forget_assigned};

static void assign(const struct run *run, struct state *state, const struct oclmm_assign *assign)
{
	uint64_t bit = UINT64_C(1) << assign->reg;
	int64_t value;

	if (!evaluate(state, assign->value, &value)) {
		state->known &= ~bit;
		return;
	}
	state->known |= bit;
	state->values[assign->reg] = oclmm_value_wrap(run->thread->registers[assign->reg].type,
	                                              value);
}

static void join(struct state *state, const struct state *other)
{
	state->known &= other->known;
	for (uint32_t i = 0; i < SYNTAX_MAX_REGISTERS; i++) {
		if (state->values[i] != other->values[i])
			state->known &= ~(UINT64_C(1) << i);
	}
}

/* ---- statements ---- */

static int run_list(struct run *run, struct oclmm_statement *statement, struct state *state);

static int refuse_loop(const struct run *run, const struct oclmm_statement *loop, const char *note,
                       const char *message)
{
	return syntax_refuse(run->builder->source, &loop->position, note, "%s", message);
}

static int run_unknown_loop(struct run *run, struct oclmm_statement *loop, struct state *state)
{
	uint32_t unroll = run->builder->unroll;

	if (!unroll)
		return refuse_loop(run, loop, "give a bound before the init block: `unroll 2`",
		                   "the loop is not bounded");
	loop->loop.unroll = unroll;
	oclmm_visit_statement(&forget_effects, loop, state);
	oclmm_visit_body(&forget_written, loop->loop.body, state);
	return run_list(run, loop->loop.body, state);
}

/* Runs a loop as long as its condition is known. */
static int run_loop(struct run *run, struct oclmm_statement *statement, struct state *state)
{
	struct oclmm_loop *loop = &statement->loop;
	const struct state entry = *state;
	uint32_t count = 0;
	int64_t value;

	while (evaluate(state, loop->condition, &value)) {
		int result;

		if (!value) {
			if (count > loop->unroll)
				loop->unroll = count;
			if (run->builder->unroll && count > run->builder->unroll)
				return refuse_loop(
					run, statement, NULL,
					"the loop runs longer than the `unroll` line says");
			return 0;
		}
		if (++count > MOST_ITERATIONS || run->steps > MOST_STEPS)
			return refuse_loop(run, statement, "a loop has at most 64 iterations",
			                   "the loop runs too long");
		result = run_list(run, loop->body, state);
		if (result)
			return result;
	}
	*state = entry;
	return run_unknown_loop(run, statement, state);
}

static int run_branch(struct run *run, struct oclmm_statement *statement, struct state *state)
{
	struct oclmm_branch *branch = &statement->branch;
	struct state other = *state;
	int64_t value;
	int result;

	if (evaluate(state, branch->condition, &value)) {
		/* the branch not taken may hold a loop that needs a bound all the same */
		result = run_list(run, value ? branch->else_body : branch->then_body, &other);
		return result ? result
		              : run_list(run, value ? branch->then_body : branch->else_body, state);
	}
	oclmm_visit_statement(&forget_effects, statement, state);
	other = *state;
	result = run_list(run, branch->then_body, state);
	if (!result)
		result = run_list(run, branch->else_body, &other);
	join(state, &other);
	return result;
}

static int run_list(struct run *run, struct oclmm_statement *statement, struct state *state)
{
	int result = 0;

	for (; statement && !result; statement = statement->next) {
		run->steps++;
		switch (statement->kind) {
		case OCLMM_STATEMENT_IF: result = run_branch(run, statement, state); break;
		case OCLMM_STATEMENT_WHILE: result = run_loop(run, statement, state); break;
		case OCLMM_STATEMENT_ASSIGN:
			oclmm_visit_statement(&forget_effects, statement, state);
			assign(run, state, &statement->assign);
			break;
		default: oclmm_visit_statement(&forget_effects, statement, state); break;
		}
	}
	return result;
}

int build_bound_loops(struct builder *builder)
{
	int result = 0;

	for (uint32_t i = 0; i < builder->program->thread_count && !result; i++) {
		struct run run = {builder, &builder->program->threads[i], 0};
		struct state state = {0};

		for (uint32_t k = 0; k < run.thread->register_count; k++) {
			state.values[k] = run.thread->registers[k].initial;
			if (run.thread->registers[k].has_initial)
				state.known |= UINT64_C(1) << k;
		}
		result = run_list(&run, run.thread->body, &state);
	}
	return result;
}
