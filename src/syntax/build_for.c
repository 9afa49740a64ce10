// SPDX-License-Identifier: Apache-2.0
/*
 * `for` with constant bounds: its rounds are written out, one after the other. Its variable is no
 * register but a constant, another one in each round, so that it can be the index of anything.
 */
#include "build.h"

#include <errno.h>
#include <string.h>

static const char use_while[] =
	"write `while (...)`, with an `unroll N` line before the init block";

static const char is_known[] =
	"a register does if it is `const` and its value is known; or write `while (...)`, with an "
	"`unroll N` line before the init block";

static const char make_known[] =
	"what it is made of has to be known: a parameter does if it is `const` and is given a "
	"constant; or write `while (...)`";

/* Nothing in it is unknown: if it has no value all the same, C gives it none. */
static bool is_constant(const struct oclmm_expression *e)
{
	switch (e->kind) {
	case OCLMM_EXPRESSION_CONSTANT: return true;
	case OCLMM_EXPRESSION_UNARY: return is_constant(e->unary.operand);
	case OCLMM_EXPRESSION_BINARY:
		return is_constant(e->binary.left) && is_constant(e->binary.right);
	case OCLMM_EXPRESSION_CAST: return is_constant(e->cast);
	default: return false;
	}
}

/* An expression that counts: of constants and the variables of loops. */
static int evaluate(struct builder *builder, const struct tree_expression *tree, const char *what,
                    int64_t *ret_value)
{
	struct oclmm_expression *value;

	/* what is built again in each round has no place for a function */
	builder->full = NULL;
	value = build_expression(builder, tree);
	if (!value)
		return -EINVAL;
	if (!build_constant_value(value, ret_value) && is_constant(value))
		return REFUSE(builder, build_first_word(tree),
		              "a signed value does not fit its type, or is divided by zero",
		              "%s a `for` is undefined", what);
	if (!build_constant_value(value, ret_value))
		return REFUSE(builder, build_first_word(tree),
		              builder->call ? make_known : is_known, "%s a `for` is not constant",
		              what);
	return 0;
}

/* The value that the counter gets, which is converted to its type as in any assignment. */
static int set_counter(struct builder *builder, const struct tree_expression *tree,
                       const char *what, struct build_name *counter)
{
	int64_t value;
	int result = evaluate(builder, tree, what, &value);

	if (!result)
		counter->value = oclmm_value_wrap(counter->type.type, value);
	return result;
}

/* `int i = 0`, or `i = 0` of a register, whose number is then given; -1 else. */
static int begin(struct builder *builder, const struct tree_statement *first,
                 struct build_name *counter, int *ret_register)
{
	int result = 0;

	*ret_register = -1;
	counter->name = first->at;
	if (first->kind == TREE_DECLARATION) {
		result = build_register_type(builder, first->specifiers, &counter->type.type);
		if (!result && oclmm_type_is_floating(counter->type.type))
			result = REFUSE(builder, first->specifiers->at, NULL,
			                "the variable of a `for` is an integer");
		if (!result && !first->expression)
			result = REFUSE(builder, first->at, use_while,
			                "the variable of a `for` has no first value");
	} else {
		const struct syntax_token *at = build_first_word(first->target);

		counter->name = at;
		if (first->target->kind == TREE_NAME && !build_find_counter(builder, at->text))
			*ret_register = build_register(builder, at->text);
		if (*ret_register < 0)
			return REFUSE(builder, at, "write `for (int i = 0; ...)`",
			              "the variable of a `for` is a register of its own");
		counter->type.type = builder->thread->registers[*ret_register].type;
	}
	if (!result && *ret_register < 0 &&
	    (build_find_parameter(builder, counter->name->text) >= 0 ||
	     build_find_name(builder, counter->name->text)))
		result = REFUSE(builder, counter->name, NULL, "`%s` is declared around the loop",
		                counter->name->text);
	return result ? result
	              : set_counter(builder, first->expression, "the first value of", counter);
}

static int check_step(const struct builder *builder, const struct tree_statement *step,
                      const struct build_name *counter)
{
	const struct syntax_token *at = build_first_word(step->target);

	if (step->target->kind == TREE_NAME && strcmp(at->text, counter->name->text) == 0)
		return 0;
	return REFUSE(builder, at, use_while, "the step of a `for` sets its variable, `%s`",
	              counter->name->text);
}

int build_count_round(struct builder *builder, const struct syntax_token *at)
{
	if (builder->rounds++ == SYNTAX_MAX_ROUNDS)
		return REFUSE(builder, at, NULL,
		              "the loops of P%u have more than %d rounds together",
		              builder->thread->id, SYNTAX_MAX_ROUNDS);
	return 0;
}

/* What the register holds, in a round or after the loop. */
static struct oclmm_statement *assign(struct builder *builder, const struct build_name *counter,
                                      uint32_t reg)
{
	return build_assign(builder, counter->name, reg,
	                    build_known(builder, counter->name, counter->type.type,
	                                counter->value));
}

static struct oclmm_statement **end_of(struct oclmm_statement **last)
{
	while (*last)
		last = &(*last)->next;
	return last;
}

/*
 * One round, or what is left when there is none (`reg` -1: nothing). Of a loop that may be left,
 * all but the first stands in an `if`, and the register has its value before it is left.
 */
static int build_round(struct builder *builder, const struct tree_statement *tree,
                       const struct build_name *counter, int reg, bool goes_on, bool first,
                       struct oclmm_statement **last)
{
	struct oclmm_expression *stays = build_goes_on(builder, tree->at, tree, NULL);

	if (!goes_on && reg < 0)
		return 0;
	if (stays && !first) {
		*last = build_bare(builder, OCLMM_STATEMENT_IF, tree->at);
		(*last)->branch.condition = stays;
		last = &(*last)->branch.then_body;
	}
	if (reg >= 0 && (stays || !goes_on))
		*last = assign(builder, counter, (uint32_t)reg);
	return goes_on ? build_body(builder, tree->body, end_of(last)) : 0;
}

static int unroll(struct builder *builder, const struct tree_statement *tree,
                  struct build_name *counter, int reg, struct oclmm_statement **last)
{
	for (uint32_t round = 0;; round++) {
		int64_t goes_on;
		int result = evaluate(builder, tree->expression, "the condition of", &goes_on);

		if (!result && goes_on && round == SYNTAX_MAX_UNROLL)
			return REFUSE(builder, tree->at,
			              "write as many as matter: each is written out",
			              "the loop has more than %d rounds", SYNTAX_MAX_UNROLL);
		if (!result && goes_on)
			result = build_count_round(builder, tree->at);
		if (!result)
			result = build_round(builder, tree, counter, reg, goes_on, round == 0,
			                     last);
		if (result || !goes_on)
			return result;
		last = end_of(last);
		result = set_counter(builder, tree->step->expression, "the step of", counter);
		if (result)
			return result;
	}
}

int build_for(struct builder *builder, const struct tree_statement *tree,
              struct oclmm_statement **ret_first)
{
	struct build_name counter = {.kind = BUILD_COUNTER, .outer = builder->names};
	const struct build_leave *outer = builder->leave;
	struct oclmm_statement *first = NULL;
	struct build_leave leave;
	int reg = -1, result = build_extension(builder, tree->at);

	if (!result)
		result = begin(builder, tree->first, &counter, &reg);
	if (!result)
		result = check_step(builder, tree->step, &counter);
	if (!result)
		result = build_enter_loop(builder, tree, &leave, &first);
	if (result)
		return result;
	builder->names = &counter;
	result = unroll(builder, tree, &counter, reg, end_of(&first));
	builder->names = counter.outer;
	builder->leave = outer;
	if (!result)
		*ret_first = first;
	return result;
}
