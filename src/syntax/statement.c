// SPDX-License-Identifier: Apache-2.0
/* Statements without others inside: declarations, assignments, and what is evaluated for its
 * effect. */
#include "expression.h"

#include <errno.h>
#include <string.h>

/* ---- private arrays ---- */

/* Elements without a value of their own are 0. */
static int set_elements(struct builder *builder, const struct tree_statement *tree,
                        const struct build_name *array, struct oclmm_statement **last)
{
	const struct tree_expression *tree_value = tree->expression;
	struct build_used all = {0};
	unsigned found = 0;

	for (uint32_t i = 0; i < array->count; i++) {
		struct build_used more = {0};
		struct oclmm_expression *value = oclmm_make_known(builder, tree->at,
		                                                  array->type.type, 0);

		if (tree_value) {
			if (oclmm_read_value(builder, tree_value, array->type.type, &value))
				return -EINVAL;
			found += oclmm_has_access(value);
			oclmm_add_used(&more, value);
			if (oclmm_check_used(builder, tree->at, &all, &more))
				return -EINVAL;
			tree_value = tree_value->next;
		}
		*last = oclmm_make_assign(builder, tree->at, array->regs[i], value);
		last = &(*last)->next;
	}
	if (oclmm_check_used(builder, tree->at, &builder->full->used, &all))
		return -EINVAL;
	if (found + builder->full->calls > 1)
		return REFUSE(builder, tree->at, "assign the elements one by one",
		              "the values of `%s` are evaluated in no order", tree->at->text);
	return 0;
}

static uint32_t count_values(const struct tree_expression *value)
{
	uint32_t count = 0;

	for (; value; value = value->next)
		count++;
	return count;
}

static int build_array(struct builder *builder, const struct tree_statement *tree,
                       struct oclmm_statement **ret_first)
{
	struct build_name *array = OCLMM_NEW(builder->arena, struct build_name);
	const struct syntax_token *is_const;
	const char *name = tree->at->text;

	if (oclmm_check_shared(builder, tree->at))
		return -EINVAL;
	array->kind = BUILD_ARRAY;
	array->name = tree->at;
	array->is_array = true;
	if (oclmm_read_register_type(builder,
	                             oclmm_without_const(builder, tree->specifiers, &is_const),
	                             &array->type.type))
		return -EINVAL;
	array->is_const = is_const != NULL;
	if (array->is_const && !tree->expression)
		return REFUSE(builder, tree->at, NULL, "`%s` is const and has no value", name);
	if (oclmm_declare_array(builder, array, tree->length, count_values(tree->expression)))
		return -EINVAL;
	if (tree->expression && set_elements(builder, tree, array, ret_first))
		return -EINVAL;
	array->outer = builder->names;
	builder->names = array;
	return 0;
}

/* ---- declarations and assignments ---- */

static int build_declaration(struct builder *builder, const struct tree_statement *tree,
                             struct oclmm_statement **ret_statement)
{
	struct oclmm_expression *value = NULL;
	/* messages point at the type, or at the name of a further variable */
	const struct syntax_token *is_const,
		*at = tree->at[-1].kind == ',' ? tree->at : tree->specifiers->at;
	enum oclmm_type type;
	int64_t known;
	uint32_t reg = 0;
	bool collective;

	for (const struct construct *const *one = builder->constructs; *one; one++) {
		if ((*one)->type && strcmp(tree->specifiers->at->text, (*one)->type) == 0)
			return (*one)->statement(builder, tree, ret_statement);
	}

	if (oclmm_read_register_type(
		    builder, oclmm_without_const(builder, tree->specifiers, &is_const), &type))
		return -EINVAL;
	if (is_const && !tree->expression)
		return REFUSE(builder, tree->at, NULL, "`%s` is const and has no value",
		              tree->at->text);
	/* the value first: in `int r = r + 1;` the second r is not yet declared */
	collective = tree->expression && oclmm_is_collective(tree->expression);
	if (tree->expression && !collective &&
	    oclmm_read_value(builder, tree->expression, type, &value))
		return -EINVAL;
	if (is_const && !collective && oclmm_constant_value(value, &known))
		return oclmm_declare_const(builder, tree->at, type, known);
	if (oclmm_declare_register(builder, tree->at, type, &reg))
		return -EINVAL;
	builder->block->declared |= UINT64_C(1) << reg;
	builder->constants &= ~(UINT64_C(1) << reg);
	builder->closed &= ~(UINT64_C(1) << reg);
	if (is_const)
		builder->constants |= UINT64_C(1) << reg;
	if (collective)
		return oclmm_read_collective(builder, tree, at, reg, ret_statement);
	if (!value)
		return 0;
	*ret_statement = oclmm_make_assign(builder, at, reg, value);
	return 0;
}

/* Dartagnan assigns to `r0` and to `*x`, without parentheses. */
static int check_target(const struct builder *builder, const struct tree_expression *target)
{
	if (!target->parenthesised && !(target->left && target->left->parenthesised))
		return 0;
	return oclmm_check_shared(builder,
	                          &oclmm_first_word(target)[target->parenthesised ? -1 : 1]);
}

static int build_store(struct builder *builder, const struct tree_statement *tree,
                       struct oclmm_statement **ret_statement)
{
	const struct syntax_token *at = oclmm_first_word(tree->target);
	struct oclmm_statement *statement = oclmm_make_statement(builder, OCLMM_STATEMENT_STORE,
	                                                         at);
	enum oclmm_type type;

	if (check_target(builder, tree->target) ||
	    oclmm_read_object(builder, tree->target, &statement->store.place))
		return -EINVAL;
	type = builder->program->locations[statement->store.place.location].type;
	if (type == OCLMM_TYPE_FLAG)
		return REFUSE(builder, at, "use atomic_flag_clear",
		              "an atomic_flag cannot be assigned");
	if (oclmm_read_value(builder, tree->expression, type, &statement->store.value))
		return -EINVAL;
	*ret_statement = statement;
	return 0;
}

static int build_element_assignment(struct builder *builder, const struct tree_statement *tree,
                                    const struct build_name *array,
                                    struct oclmm_statement **ret_statement)
{
	struct oclmm_expression *value;
	uint32_t reg;

	if (oclmm_read_element(builder, tree->target, array, &reg) ||
	    oclmm_read_value(builder, tree->expression, builder->thread->registers[reg].type,
	                     &value))
		return -EINVAL;
	*ret_statement = oclmm_make_assign(builder, oclmm_first_word(tree->target), reg, value);
	return 0;
}

static int build_assignment(struct builder *builder, const struct tree_statement *tree,
                            struct oclmm_statement **ret_statement)
{
	const struct syntax_token *at = oclmm_first_word(tree->target);
	const struct build_name *array;
	struct oclmm_expression *value;
	int found;

	array = oclmm_find_array(builder, tree->target);
	if (array)
		return build_element_assignment(builder, tree, array, ret_statement);
	if (tree->target->kind == TREE_DEREFERENCE || tree->target->kind == TREE_INDEX)
		return build_store(builder, tree, ret_statement);
	if (tree->target->kind == TREE_NAME && oclmm_names_event(builder, at->text))
		return oclmm_copies.statement(builder, tree, ret_statement);
	if (tree->target->kind != TREE_NAME)
		return REFUSE(builder, at,
		              tree->target->kind == TREE_MEMBER
		                      ? "write an object or a register for each part"
		                      : NULL,
		              "only a register or an object can be assigned");
	if (oclmm_find_counter(builder, at->text))
		return REFUSE(builder, at, "write `while`, with an `unroll N` line",
		              "`%s` counts the rounds of the loop, which is unrolled", at->text);
	found = oclmm_find_register(builder, at->text);
	if (found < 0 && oclmm_find_object(builder, at->text) >= 0)
		return REFUSE(builder, at, "write `*x = ...` for a plain store",
		              "`%s` is a pointer", at->text);
	if (found < 0)
		return oclmm_refuse_register(builder, at);
	if (builder->constants & UINT64_C(1) << found)
		return REFUSE(builder, at, NULL, "`%s` is const", at->text);
	if (check_target(builder, tree->target))
		return -EINVAL;
	if (oclmm_is_collective(tree->expression))
		return oclmm_read_collective(builder, tree, at, (uint32_t)found, ret_statement);
	if (oclmm_read_value(builder, tree->expression, builder->thread->registers[found].type,
	                     &value))
		return -EINVAL;
	*ret_statement = oclmm_make_assign(builder, at, (uint32_t)found, value);
	return 0;
}

static int build_evaluation(struct builder *builder, const struct tree_statement *tree,
                            struct oclmm_statement **ret_statement)
{
	const struct tree_expression *expression = tree->expression;
	const struct construct *construct = NULL;
	struct oclmm_expression *value;

	if (expression->kind == TREE_CALL)
		construct = oclmm_find_construct(builder, expression->at->text);
	if (tree->label && construct != &oclmm_synchronisation)
		return REFUSE(builder, tree->label, "leave the label out",
		              "only a barrier has a label");
	if (construct && construct->statement)
		return construct->statement(builder, tree, ret_statement);
	value = oclmm_read_expression(builder, expression);
	if (!value)
		return -EINVAL;
	*ret_statement = oclmm_make_statement(builder, OCLMM_STATEMENT_EVALUATE,
	                                      oclmm_first_word(expression));
	(*ret_statement)->effect = value;
	return 0;
}

int oclmm_read_simple(struct builder *builder, const struct tree_statement *tree,
                      struct oclmm_statement **ret_first)
{
	switch (tree->kind) {
	case TREE_DECLARATION: return build_declaration(builder, tree, ret_first);
	case TREE_ASSIGNMENT: return build_assignment(builder, tree, ret_first);
	case TREE_ARRAY: return build_array(builder, tree, ret_first);
	default: return build_evaluation(builder, tree, ret_first);
	}
}
