// SPDX-License-Identifier: Apache-2.0
/*
 * `break` and `return`. Programs have neither: a register remembers that a loop or a function was
 * left, and what C leaves out then stands in an `if`, or is no further round.
 */
#include "build.h"

#include <errno.h>

/* In the statement, or within it; of loops within it only where `loops` says so. */
static bool has(const struct tree_statement *one, enum tree_statement_kind kind, bool loops)
{
	const struct tree_statement *parts[] = {one->body, one->else_body};

	if (one->kind == kind)
		return true;
	if (!loops && (one->kind == TREE_WHILE || one->kind == TREE_DO || one->kind == TREE_FOR))
		return false;
	for (size_t i = 0; i < OCLMM_COUNT(parts); i++) {
		for (const struct tree_statement *part = parts[i]; part; part = part->next) {
			if (has(part, kind, loops))
				return true;
		}
	}
	return false;
}

static bool list_has(const struct tree_statement *list, enum tree_statement_kind kind, bool loops)
{
	while (list && !has(list, kind, loops))
		list = list->next;
	return list != NULL;
}

/* A `return` as the last of all leaves nothing out. */
static bool returns_early(const struct tree_statement *list)
{
	while (list && !has(list, TREE_RETURN, true))
		list = list->next;
	return list && (list->next || list->kind != TREE_RETURN);
}

static struct oclmm_expression *number(struct builder *builder, const struct syntax_token *at,
                                       int64_t value)
{
	struct oclmm_expression *constant = OCLMM_NEW(builder->arena, struct oclmm_expression);

	constant->kind = OCLMM_EXPRESSION_CONSTANT;
	constant->type = OCLMM_TYPE_INT;
	constant->position = at->place;
	constant->constant = value;
	return constant;
}

/* The register that remembers, as in a function that is put in place again the same each time. */
static int begin(struct builder *builder, const struct syntax_token *at, const char *name,
                 struct build_leave *leave, struct oclmm_statement **ret_first)
{
	if (builder->call)
		name = oclmm_arena_printf(builder->arena, "%s_%s",
		                          builder->call->function->name->text, name);
	leave->outer = builder->leave;
	builder->leave = leave;
	if (!leave->used)
		return 0;
	if (build_add_local(builder, at, name, 1, OCLMM_TYPE_INT, &leave->reg))
		return -EINVAL;
	*ret_first = build_assign(builder, at, leave->reg, number(builder, at, 0));
	return 0;
}

int build_enter_loop(struct builder *builder, const struct tree_statement *loop,
                     struct build_leave *leave, struct oclmm_statement **ret_first)
{
	*leave = (struct build_leave){.loop = true,
	                              .used = list_has(loop->body, TREE_BREAK, false)};
	return begin(builder, loop->at, "loop_is_left", leave, ret_first);
}

int build_enter_body(struct builder *builder, const struct syntax_token *at,
                     const struct tree_statement *body, struct build_leave *leave,
                     struct oclmm_statement **ret_first)
{
	const struct build_call *call = builder->call;
	int result;

	*leave = (struct build_leave){.used = returns_early(body)};
	result = begin(builder, at, "has_returned", leave, ret_first);
	/* each way through a function sets its value: which `if` does is not seen from outside */
	if (!result && leave->used && call && call->function->specifiers) {
		struct oclmm_expression *none = number(builder, at, 0);

		none->type = builder->thread->registers[call->result].type;
		(*ret_first)->next = build_assign(builder, at, call->result, none);
	}
	return result;
}

static const struct build_leave *find(const struct builder *builder, bool loop)
{
	const struct build_leave *leave = builder->leave;

	while (leave && leave->loop != loop) {
		/* a function knows nothing of the loop that it is called in */
		if (loop && !leave->loop)
			return NULL;
		leave = leave->outer;
	}
	return leave;
}

static struct oclmm_expression *join(struct builder *builder, const struct syntax_token *at,
                                     struct oclmm_expression *left, struct oclmm_expression *right)
{
	struct oclmm_expression *both = number(builder, at, 0);

	if (!left || !right)
		return left ? left : right;
	both->kind = OCLMM_EXPRESSION_BINARY;
	both->binary = (struct oclmm_binary){OCLMM_OPERATOR_LOGICAL_AND, left, right};
	return both;
}

static struct oclmm_expression *is_not(struct builder *builder, const struct syntax_token *at,
                                       const struct build_leave *leave)
{
	struct oclmm_expression *negation;

	if (!leave || !leave->used)
		return NULL;
	negation = number(builder, at, 0);
	negation->kind = OCLMM_EXPRESSION_UNARY;
	negation->unary = (struct oclmm_unary){OCLMM_OPERATOR_NOT,
	                                       build_register_value(builder, at, leave->reg)};
	return negation;
}

struct oclmm_expression *build_goes_on(struct builder *builder, const struct syntax_token *at,
                                       const struct tree_statement *loop,
                                       struct oclmm_expression *condition)
{
	struct oclmm_expression *stays;
	int64_t always;

	stays = join(builder, at,
	             list_has(loop->body, TREE_BREAK, false)
	                     ? is_not(builder, at, find(builder, true))
	                     : NULL,
	             list_has(loop->body, TREE_RETURN, true)
	                     ? is_not(builder, at, find(builder, false))
	                     : NULL);
	if (stays && condition && build_constant_value(condition, &always) && always)
		return stays;
	return join(builder, at, stays, condition);
}

void build_leave_out(struct builder *builder, const struct tree_statement *before,
                     struct oclmm_statement ***last)
{
	const struct syntax_token *at = before->next ? before->next->at : NULL;
	struct oclmm_expression *stays;

	if (!at)
		return;
	stays = join(
		builder, at,
		has(before, TREE_BREAK, false) ? is_not(builder, at, find(builder, true)) : NULL,
		has(before, TREE_RETURN, true) ? is_not(builder, at, find(builder, false)) : NULL);
	if (!stays)
		return;
	**last = build_bare(builder, OCLMM_STATEMENT_IF, at);
	(**last)->branch.condition = stays;
	*last = &(**last)->branch.then_body;
}

int build_break(struct builder *builder, const struct tree_statement *tree,
                struct oclmm_statement **ret_statement)
{
	const struct build_leave *leave = find(builder, true);

	if (build_extension(builder, tree->at))
		return -EINVAL;
	if (!leave)
		return REFUSE(builder, tree->at, NULL, "`break` stands in no loop");
	*ret_statement = build_assign(builder, tree->at, leave->reg, number(builder, tree->at, 1));
	return 0;
}

int build_return(struct builder *builder, const struct tree_statement *tree,
                 struct oclmm_statement **ret_first)
{
	const struct build_leave *leave = find(builder, false);
	const struct build_call *call = builder->call;
	struct oclmm_statement **last = ret_first;
	struct oclmm_expression *value;

	if (build_extension(builder, tree->at))
		return -EINVAL;
	if (!call && tree->expression)
		return REFUSE(builder, tree->at, "write `return;`", "a thread gives no value");
	if (tree->expression) {
		if (build_value(builder, tree->expression,
		                builder->thread->registers[call->result].type, &value))
			return -EINVAL;
		*last = build_assign(builder, tree->at, call->result, value);
		last = &(*last)->next;
	}
	if (leave->used)
		*last = build_assign(builder, tree->at, leave->reg, number(builder, tree->at, 1));
	return 0;
}
