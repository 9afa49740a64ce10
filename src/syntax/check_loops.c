// SPDX-License-Identifier: Apache-2.0
#include "build.h"

#include <errno.h>

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

static bool evaluate_operator(const struct state *state, const struct oclmm_expression *expression,
                              int64_t *ret_value)
{
	const struct oclmm_expression *a = expression->left, *b = expression->right;
	enum oclmm_type type = b ? oclmm_common_type(a->type, b->type) : a->type;
	int64_t left, right = 0;

	if (!evaluate(state, a, &left) || (b && !evaluate(state, b, &right)))
		return false;
	return oclmm_apply(expression->op, type, oclmm_value_wrap(type, left),
	                   oclmm_value_wrap(type, right), ret_value) == OCLMM_ARITHMETIC_OK;
}

static bool evaluate(const struct state *state, const struct oclmm_expression *expression,
                     int64_t *ret_value)
{
	switch (expression->kind) {
	case OCLMM_EXPRESSION_CONSTANT: *ret_value = expression->constant; return true;
	case OCLMM_EXPRESSION_REGISTER:
		*ret_value = state->values[expression->reg];
		return state->known & (UINT64_C(1) << expression->reg);
	case OCLMM_EXPRESSION_UNARY:
	case OCLMM_EXPRESSION_BINARY: return evaluate_operator(state, expression, ret_value);
	case OCLMM_EXPRESSION_LOAD:
	case OCLMM_EXPRESSION_ATOMIC: break;
	}
	return false;
}

/* A failing compare-exchange writes the register that it expects a value in. */
static void forget_expected(struct state *state, const struct oclmm_expression *expression)
{
	const struct oclmm_atomic *atomic;

	if (!expression)
		return;
	forget_expected(state, expression->left);
	forget_expected(state, expression->right);
	forget_expected(state, expression->place.index);
	atomic = expression->atomic;
	if (!atomic)
		return;
	forget_expected(state, atomic->object.index);
	forget_expected(state, atomic->operand);
	forget_expected(state, atomic->legacy_expected);
	forget_expected(state, atomic->expected_place.index);
	if (oclmm_operation_is_cas(atomic->op) && !atomic->legacy && !atomic->expected_in_memory)
		state->known &= ~(UINT64_C(1) << atomic->expected_register);
}

static void assign(const struct run *run, struct state *state,
                   const struct oclmm_statement *statement)
{
	uint64_t bit = UINT64_C(1) << statement->reg;
	int64_t value;

	if (!evaluate(state, statement->expression, &value)) {
		state->known &= ~bit;
		return;
	}
	state->known |= bit;
	state->values[statement->reg] =
		oclmm_value_wrap(run->thread->registers[statement->reg].type, value);
}

static void join(struct state *state, const struct state *other)
{
	uint32_t i;

	state->known &= other->known;
	for (i = 0; i < SYNTAX_MAX_REGISTERS; i++) {
		if (state->values[i] != other->values[i])
			state->known &= ~(UINT64_C(1) << i);
	}
}

/* Whatever the statements may write is not known afterwards. */
static void forget_written(struct state *state, const struct oclmm_statement *statement)
{
	for (; statement; statement = statement->next) {
		forget_expected(state, statement->expression);
		forget_expected(state, statement->place.index);
		if (statement->kind == OCLMM_STATEMENT_ASSIGN)
			state->known &= ~(UINT64_C(1) << statement->reg);
		forget_written(state, statement->then_body);
		forget_written(state, statement->else_body);
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
	loop->unroll = unroll;
	forget_expected(state, loop->expression);
	forget_written(state, loop->then_body);
	return run_list(run, loop->then_body, state);
}

/* Runs a loop as long as its condition is known. */
static int run_loop(struct run *run, struct oclmm_statement *loop, struct state *state)
{
	const struct state entry = *state;
	uint32_t count = 0;
	int64_t value;

	while (evaluate(state, loop->expression, &value)) {
		int result;

		if (!value) {
			if (count > loop->unroll)
				loop->unroll = count;
			if (run->builder->unroll && count > run->builder->unroll)
				return refuse_loop(
					run, loop, NULL,
					"the loop runs longer than the `unroll` line says");
			return 0;
		}
		if (++count > MOST_ITERATIONS || run->steps > MOST_STEPS)
			return refuse_loop(run, loop, "a loop has at most 64 iterations",
			                   "the loop runs too long");
		result = run_list(run, loop->then_body, state);
		if (result)
			return result;
	}
	*state = entry;
	return run_unknown_loop(run, loop, state);
}

static int run_branch(struct run *run, struct oclmm_statement *branch, struct state *state)
{
	struct state other = *state;
	int64_t value;
	int result;

	if (evaluate(state, branch->expression, &value)) {
		/* the branch not taken may hold a loop that needs a bound all the same */
		result = run_list(run, value ? branch->else_body : branch->then_body, &other);
		return result ? result
		              : run_list(run, value ? branch->then_body : branch->else_body, state);
	}
	forget_expected(state, branch->expression);
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
		case OCLMM_STATEMENT_ASSIGN:
			forget_expected(state, statement->expression);
			assign(run, state, statement);
			break;
		case OCLMM_STATEMENT_IF: result = run_branch(run, statement, state); break;
		case OCLMM_STATEMENT_WHILE: result = run_loop(run, statement, state); break;
		default:
			forget_expected(state, statement->expression);
			forget_expected(state, statement->place.index);
			break;
		}
	}
	return result;
}

int build_bound_loops(struct builder *builder)
{
	uint32_t i, k;
	int result = 0;

	for (i = 0; i < builder->program->thread_count && !result; i++) {
		struct run run = {builder, &builder->program->threads[i], 0};
		struct state state = {0};

		for (k = 0; k < run.thread->register_count; k++) {
			state.values[k] = run.thread->registers[k].initial;
			if (run.thread->registers[k].has_initial)
				state.known |= UINT64_C(1) << k;
		}
		result = run_list(&run, run.thread->body, &state);
	}
	return result;
}
