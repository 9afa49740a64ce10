// SPDX-License-Identifier: Apache-2.0
#include "build.h"

#include <errno.h>

static int declare_register(struct builder *builder, const struct syntax_token *name,
                            enum oclmm_type type, uint32_t *ret_register)
{
	int found = oclmm_thread_find_register(builder->thread, name->text);
	const struct build_block *block;

	if (builder->call)
		return build_declare_local(builder, name, type, ret_register);
	if (found >= 0 && build_is_local(builder, (uint32_t)found))
		return REFUSE(builder, name, "choose another name",
		              "`%s` is a variable of a function, or an element of an array, in P%u",
		              name->text, builder->thread->id);
	if (build_find_parameter(builder, name->text) >= 0)
		return REFUSE(builder, name, NULL, "`%s` is a parameter already", name->text);
	if (build_find_counter(builder, name->text))
		return REFUSE(builder, name, NULL, "`%s` is the variable of the loop around it",
		              name->text);
	if (build_find_name(builder, name->text))
		return REFUSE(builder, name, NULL, "`%s` is declared twice", name->text);
	for (block = builder->block; block && found >= 0; block = block->outer) {
		if (block->declared & (UINT64_C(1) << found))
			return REFUSE(builder, name,
			              block == builder->block
			                      ? "assign to it without a type"
			                      : "an inner block hides no name: choose another",
			              "`%s` is declared twice", name->text);
	}
	if (found >= 0 && builder->thread->registers[found].type != type)
		return REFUSE(builder, name, "a register keeps one type in the whole thread",
		              "`%s` is %s elsewhere", name->text,
		              oclmm_type_name(builder->thread->registers[found].type));
	if (found < 0) {
		int result = build_add_register(builder, builder->thread, name, type);

		if (result)
			return result;
		found = (int)builder->thread->register_count - 1;
	}
	*ret_register = (uint32_t)found;
	return 0;
}

/* ---- statements ---- */

struct oclmm_statement *build_bare(struct builder *builder, enum oclmm_statement_kind kind,
                                   const struct syntax_token *at)
{
	return OCLMM_MAKE(builder->arena, struct oclmm_statement, .kind = kind,
	                  .position = at->place, .written = build_written(builder, at));
}

struct oclmm_statement *build_assign(struct builder *builder, const struct syntax_token *at,
                                     uint32_t reg, struct oclmm_expression *value)
{
	struct oclmm_statement *statement = build_bare(builder, OCLMM_STATEMENT_ASSIGN, at);

	statement->assign = (struct oclmm_assign){.reg = reg, .value = value};
	return statement;
}

int build_value(struct builder *builder, const struct tree_expression *tree, enum oclmm_type type,
                struct oclmm_expression **ret_value)
{
	struct oclmm_expression *value = build_expression(builder, tree);

	if (!value || build_check_fits(builder, build_first_word(tree), value, type))
		return -EINVAL;
	*ret_value = value;
	return 0;
}

/* The function itself, and behind it the assignment of what it gives. */
static int build_result(struct builder *builder, const struct tree_statement *tree,
                        const struct syntax_token *at, uint32_t reg,
                        struct oclmm_statement **ret_statement)
{
	struct oclmm_statement *statement;
	int result;

	if (builder->thread->registers[reg].type != OCLMM_TYPE_INT)
		return REFUSE(builder, tree->expression->at, NULL,
		              "a collective function gives an int here");
	result = build_synchronisation(builder, tree->expression, NULL, &statement);
	if (result)
		return result;
	statement->barrier.assigns = true;
	statement->barrier.reg = reg;
	statement->next = build_assign(
		builder, at, reg, build_known(builder, tree->expression->at, OCLMM_TYPE_INT, 0));
	statement->next->assign.collective = &statement->barrier;
	*ret_statement = statement;
	return 0;
}

static int build_declaration(struct builder *builder, const struct tree_statement *tree,
                             struct oclmm_statement **ret_statement)
{
	struct oclmm_expression *value = NULL;
	/* a further name of a declaration begins at itself */
	const struct syntax_token *is_const,
		*at = tree->at[-1].kind == ',' ? tree->at : tree->specifiers->at;
	enum oclmm_type type;
	int64_t known;
	uint32_t reg = 0;
	bool collective;
	int result;

	if (build_declares_event(tree->specifiers))
		return build_copy(builder, tree, ret_statement);
	if (build_is_child_event(tree->specifiers->at->text))
		return build_declare_child_event(builder, tree);
	result = build_register_type(builder,
	                             build_without_const(builder, tree->specifiers, &is_const),
	                             &type);

	if (!result && is_const && !tree->expression)
		result = REFUSE(builder, tree->at, NULL, "`%s` is const and has no value",
		                tree->at->text);
	/* the value first: in `int r = r + 1;` the second r is not yet declared */
	collective = tree->expression && build_is_collective(tree->expression);
	if (!result && tree->expression && !collective)
		result = build_value(builder, tree->expression, type, &value);
	if (!result && is_const && !collective && build_constant_value(value, &known))
		return build_const(builder, tree->at, type, known);
	if (!result)
		result = declare_register(builder, tree->at, type, &reg);
	if (result)
		return result;
	builder->block->declared |= UINT64_C(1) << reg;
	builder->constants &= ~(UINT64_C(1) << reg);
	builder->closed &= ~(UINT64_C(1) << reg);
	if (is_const)
		builder->constants |= UINT64_C(1) << reg;
	if (collective)
		return build_result(builder, tree, at, reg, ret_statement);
	if (!value)
		return 0;
	*ret_statement = build_assign(builder, at, reg, value);
	return 0;
}

/* Dartagnan assigns to `r0` and to `*x`, without parentheses. */
static int check_target(const struct builder *builder, const struct tree_expression *target)
{
	if (!target->parenthesised && !(target->left && target->left->parenthesised))
		return 0;
	return build_extension(builder, &build_first_word(target)[target->parenthesised ? -1 : 1]);
}

static int build_store(struct builder *builder, const struct tree_statement *tree,
                       struct oclmm_statement **ret_statement)
{
	const struct syntax_token *at = build_first_word(tree->target);
	struct oclmm_statement *statement = build_bare(builder, OCLMM_STATEMENT_STORE, at);
	enum oclmm_type type;
	int result = check_target(builder, tree->target);

	if (!result)
		result = build_object(builder, tree->target, &statement->store.place);

	if (result)
		return result;
	type = builder->program->locations[statement->store.place.location].type;
	if (type == OCLMM_TYPE_FLAG)
		return REFUSE(builder, at, "use atomic_flag_clear",
		              "an atomic_flag cannot be assigned");
	result = build_value(builder, tree->expression, type, &statement->store.value);
	if (!result)
		*ret_statement = statement;
	return result;
}

static int build_element_assignment(struct builder *builder, const struct tree_statement *tree,
                                    const struct build_name *array,
                                    struct oclmm_statement **ret_statement)
{
	struct oclmm_expression *value;
	uint32_t reg;
	int result = build_array_target(builder, tree->target, array, &reg);

	if (!result)
		result = build_value(builder, tree->expression,
		                     builder->thread->registers[reg].type, &value);
	if (!result)
		*ret_statement = build_assign(builder, build_first_word(tree->target), reg, value);
	return result;
}

static int build_assignment(struct builder *builder, const struct tree_statement *tree,
                            struct oclmm_statement **ret_statement)
{
	const struct syntax_token *at = build_first_word(tree->target);
	const struct build_name *array;
	struct oclmm_expression *value;
	int found;
	int result;

	array = build_find_array(builder, tree->target);
	if (array)
		return build_element_assignment(builder, tree, array, ret_statement);
	if (tree->target->kind == TREE_DEREFERENCE || tree->target->kind == TREE_INDEX)
		return build_store(builder, tree, ret_statement);
	if (tree->target->kind == TREE_NAME && build_names_event(builder, at->text))
		return build_copy_more(builder, tree, ret_statement);
	if (tree->target->kind != TREE_NAME)
		return REFUSE(builder, at,
		              tree->target->kind == TREE_MEMBER
		                      ? "write an object or a register for each part"
		                      : NULL,
		              "only a register or an object can be assigned");
	if (build_find_counter(builder, at->text))
		return REFUSE(builder, at, "write `while`, with an `unroll N` line",
		              "`%s` counts the rounds of the loop, which is unrolled", at->text);
	found = build_register(builder, at->text);
	if (found < 0 && build_find_parameter(builder, at->text) >= 0)
		return REFUSE(builder, at, "write `*x = ...` for a plain store",
		              "`%s` is a pointer", at->text);
	if (found < 0)
		return build_no_register(builder, at);
	if (builder->constants & UINT64_C(1) << found)
		return REFUSE(builder, at, NULL, "`%s` is const", at->text);
	result = check_target(builder, tree->target);
	if (!result && build_is_collective(tree->expression))
		return build_result(builder, tree, at, (uint32_t)found, ret_statement);
	if (!result)
		result = build_value(builder, tree->expression,
		                     builder->thread->registers[found].type, &value);
	if (result)
		return result;
	*ret_statement = build_assign(builder, at, (uint32_t)found, value);
	return 0;
}

static int build_evaluation(struct builder *builder, const struct tree_statement *tree,
                            struct oclmm_statement **ret_statement)
{
	const struct tree_expression *expression = tree->expression;
	struct oclmm_expression *value;

	if (expression->kind == TREE_CALL && build_is_synchronisation(expression->at->text))
		return build_synchronisation(builder, expression, tree->label, ret_statement);
	if (tree->label)
		return REFUSE(builder, tree->label, "leave the label out",
		              "only a barrier has a label");
	if (expression->kind == TREE_CALL && build_is_copy(expression->at->text))
		return build_wait(builder, expression, ret_statement);
	if (expression->kind == TREE_CALL && build_is_enqueue(expression->at->text))
		return build_enqueue(builder, expression, ret_statement);
	if (expression->kind == TREE_CALL && build_is_image(expression->at->text))
		return build_image_write(builder, expression, ret_statement);
	if (expression->kind == TREE_CALL && build_find_function(builder, expression->at->text))
		return build_inline(builder, expression, &value);
	value = build_effect(builder, expression);
	if (!value)
		return -EINVAL;
	*ret_statement = build_bare(builder, OCLMM_STATEMENT_EVALUATE,
	                            build_first_word(expression));
	(*ret_statement)->effect = value;
	return 0;
}

/* The braces of a branch are part of it, not a block of their own. */
int build_body(struct builder *builder, const struct tree_statement *body,
               struct oclmm_statement **ret_first)
{
	return build_block(builder, body && body->kind == TREE_BLOCK ? body->body : body,
	                   ret_first);
}

static int build_branch(struct builder *builder, const struct tree_statement *tree,
                        struct oclmm_statement **ret_statement)
{
	struct oclmm_statement *statement = build_bare(builder, OCLMM_STATEMENT_IF, tree->at);
	struct oclmm_branch *branch = &statement->branch;
	int result;

	branch->condition = build_expression(builder, tree->expression);
	if (!branch->condition)
		return -EINVAL;
	result = build_body(builder, tree->body, &branch->then_body);
	if (!result)
		result = build_body(builder, tree->else_body, &branch->else_body);
	if (!result)
		*ret_statement = statement;
	return result;
}

static int build_own(struct builder *builder, const struct tree_statement *tree,
                     struct oclmm_statement **ret_statement)
{
	switch (tree->kind) {
	case TREE_DECLARATION: return build_declaration(builder, tree, ret_statement);
	case TREE_ASSIGNMENT: return build_assignment(builder, tree, ret_statement);
	case TREE_EVALUATION: return build_evaluation(builder, tree, ret_statement);
	case TREE_IF: return build_branch(builder, tree, ret_statement);
	case TREE_WHILE:
	case TREE_DO: return build_loop(builder, tree, ret_statement);
	case TREE_FOR: return build_for(builder, tree, ret_statement);
	case TREE_BREAK: return build_break(builder, tree, ret_statement);
	case TREE_RETURN: return build_return(builder, tree, ret_statement);
	case TREE_ARRAY: return build_array(builder, tree, ret_statement);
	case TREE_BLOCK: break;
	}
	if (build_extension(builder, tree->at))
		return -EINVAL;
	return build_block(builder, tree->body, ret_statement);
}

/* On success `*ret_first` is NULL when there is nothing to do. Functions that are called in the
 * statement come before it. */
static int build_statement(struct builder *builder, const struct tree_statement *tree,
                           struct oclmm_statement **ret_first)
{
	struct build_full full = {.last = &full.first}, *outer = builder->full;
	struct oclmm_statement *own = NULL;
	int result;

	builder->full = &full;
	result = build_own(builder, tree, &own);
	if (!result && full.calls && own)
		result = build_check_full(builder, tree->at, own);
	/* those of a loop were looked at with it */
	if (!result && own && tree->kind != TREE_BLOCK && tree->kind != TREE_FOR &&
	    tree->kind != TREE_WHILE && tree->kind != TREE_DO)
		result = build_check_registers(builder, tree->at, full.used, own);
	builder->full = outer;
	if (result)
		return result;
	*full.last = own;
	*ret_first = full.first;
	return 0;
}

/* A list of statements. A block within it is joined to it. A register belongs to the whole thread,
 * but its name is known until the end of its block. */
int build_block(struct builder *builder, const struct tree_statement *tree,
                struct oclmm_statement **ret_first)
{
	struct build_block block = {.outer = builder->block};
	const struct build_name *names = builder->names;
	struct oclmm_statement *first = NULL;
	struct oclmm_statement **last = &first;
	int result = 0;

	builder->block = &block;
	for (; tree && !result; tree = tree->next) {
		result = build_statement(builder, tree, last);
		while (*last)
			last = &(*last)->next;
		if (!result)
			build_leave_out(builder, tree, &last);
	}
	builder->block = block.outer;
	builder->names = names;
	builder->closed |= block.declared;
	if (!result)
		*ret_first = first;
	return result;
}

int build_bodies(struct builder *builder)
{
	const struct tree_thread *tree = builder->tree->threads;
	int result = 0;

	for (uint32_t i = 0; tree && !result; tree = tree->next, i++) {
		struct oclmm_statement *first = NULL;
		struct build_leave leave;

		builder->thread = &builder->program->threads[i];
		builder->rounds = 0;
		builder->locals = NULL;
		builder->child_events = NULL;
		builder->constants = 0;
		builder->closed = 0;
		result = build_enter_body(builder, tree->name, tree->body, &leave, &first);
		builder->thread->body = first;
		if (!result)
			result = build_block(builder, tree->body,
			                     first ? &first->next : &builder->thread->body);
		builder->leave = NULL;
	}
	if (!result)
		result = build_check_children(builder);
	if (!result)
		result = build_check_flow(builder);
	if (!result)
		result = build_bound_loops(builder);
	if (!result)
		result = build_check_collectives(builder);
	if (!result)
		result = build_check_barriers(builder);
	return result ? result : build_check_copies(builder);
}
