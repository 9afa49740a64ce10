// SPDX-License-Identifier: Apache-2.0
/* `while`, `do` and `for (;;)`: loops that the program has, too. */
#include "build.h"

#include <errno.h>

/* The condition of a loop, and what has to be done each time before it is evaluated. */
static int build_condition(struct builder *builder, const struct tree_statement *tree,
                           struct oclmm_statement **ret_first,
                           struct oclmm_expression **ret_condition)
{
	struct build_full full = {.last = &full.first};
	struct oclmm_statement loop = {.kind = OCLMM_STATEMENT_WHILE};
	int result = 0;

	if (!tree->expression)
		return 0;
	builder->full = &full;
	loop.loop.condition = build_expression(builder, tree->expression);
	builder->full = NULL;
	if (!loop.loop.condition)
		return -EINVAL;
	if (full.calls)
		result = build_check_full(builder, tree->at, &loop);
	if (!result)
		result = build_check_registers(builder, tree->at, full.used, &loop);
	*ret_first = full.first;
	*ret_condition = loop.loop.condition;
	return result;
}

/* Where the loop was left the condition is not evaluated. */
static struct oclmm_statement *unless_left(struct builder *builder,
                                           const struct tree_statement *tree,
                                           struct oclmm_statement *first)
{
	struct oclmm_expression *stays = build_goes_on(builder, tree->at, tree, NULL);
	struct oclmm_statement *branch;

	if (!first || !stays)
		return first;
	branch = build_bare(builder, OCLMM_STATEMENT_IF, tree->at);
	branch->branch = (struct oclmm_branch){.condition = stays, .then_body = first};
	return branch;
}

static int build_rounds(struct builder *builder, const struct tree_statement *tree,
                        const struct syntax_token *at, struct oclmm_statement **ret_first)
{
	struct oclmm_statement *loop = build_bare(builder, OCLMM_STATEMENT_WHILE, at);
	struct oclmm_statement *before = NULL, *again = NULL, **last = &loop->loop.body;
	struct oclmm_expression *condition = NULL;
	int64_t goes_on;
	int result = build_condition(builder, tree, &before, &condition);

	if (result)
		return result;
	/* macros put statements together by `do { ... } while (0)` */
	if (tree->kind == TREE_DO && !before && build_constant_value(condition, &goes_on) &&
	    !goes_on)
		return 0;
	loop->loop.condition = build_goes_on(builder, at, tree, condition);
	if (!loop->loop.condition)
		return REFUSE(builder, at, "write `break` where it ends: `if (r0 == 1) break;`",
		              "nothing leaves the loop");
	result = build_body(builder, tree->body, last);
	if (!result && before)
		result = build_count_round(builder, tree->at);
	if (!result && before)
		result = build_condition(builder, tree, &again, &condition);
	while (*last)
		last = &(*last)->next;
	*last = unless_left(builder, tree, again);
	if (!before) {
		*ret_first = loop;
		return result;
	}
	for (last = &before; *last;)
		last = &(*last)->next;
	*last = loop;
	/* the body of a `do` has been there before */
	*ret_first = tree->kind == TREE_DO ? unless_left(builder, tree, before) : before;
	return result;
}

/* `do` is its body, and then a `while`. */
int build_loop(struct builder *builder, const struct tree_statement *tree,
               struct oclmm_statement **ret_first)
{
	const struct build_leave *outer = builder->leave;
	struct oclmm_statement *first = NULL, **last = &first;
	struct build_leave leave;
	int result = tree->kind == TREE_DO || !tree->expression ? build_extension(builder, tree->at)
	                                                        : 0;

	if (!result)
		result = build_enter_loop(builder, tree, &leave, last);

	while (*last)
		last = &(*last)->next;
	if (!result && tree->kind == TREE_DO)
		result = build_count_round(builder, tree->at);
	if (!result && tree->kind == TREE_DO)
		result = build_body(builder, tree->body, last);
	while (*last)
		last = &(*last)->next;
	if (!result)
		result = build_rounds(builder, tree,
		                      tree->kind == TREE_DO ? tree->length : tree->at, last);
	builder->leave = outer;
	if (!result)
		*ret_first = first;
	return result;
}
