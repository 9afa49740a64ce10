// SPDX-License-Identifier: Apache-2.0
#include "build.h"

const struct syntax_token *build_first_word(const struct tree_expression *tree)
{
	while (tree->kind == TREE_BINARY || tree->kind == TREE_INDEX || tree->kind == TREE_MEMBER ||
	       tree->kind == TREE_CHOICE || tree->kind == TREE_ASSIGNED)
		tree = tree->left;
	return tree->at;
}

struct oclmm_expression *build_node(struct builder *builder, enum oclmm_expression_kind kind,
                                    enum oclmm_type type, const struct syntax_token *at)
{
	return OCLMM_MAKE(builder->arena, struct oclmm_expression, .kind = kind, .type = type,
	                  .position = at->place);
}

struct oclmm_expression *build_known(struct builder *builder, const struct syntax_token *at,
                                     enum oclmm_type type, int64_t value)
{
	struct oclmm_expression *constant = build_node(builder, OCLMM_EXPRESSION_CONSTANT, type,
	                                               at);

	constant->constant = value;
	return constant;
}

static struct oclmm_expression *build_literal(struct builder *builder,
                                              const struct syntax_token *at, bool negative)
{
	enum oclmm_type type;
	int64_t value;

	if (build_number(builder, at, negative, &type, &value))
		return NULL;
	return build_known(builder, at, type, value);
}

struct oclmm_expression *build_register_value(struct builder *builder,
                                              const struct syntax_token *at, uint32_t reg)
{
	struct oclmm_expression *expression = build_node(builder, OCLMM_EXPRESSION_REGISTER,
	                                                 builder->thread->registers[reg].type, at);

	expression->reg = reg;
	return expression;
}

static struct oclmm_expression *build_name(struct builder *builder, const struct syntax_token *at)
{
	const struct build_name *counter = build_find_counter(builder, at->text);
	int found = build_register(builder, at->text);

	if (counter)
		return build_known(builder, at, counter->type.type, counter->value);
	if (found < 0) {
		int object = build_find_parameter(builder, at->text);

		if (object >= 0 && oclmm_location_is_image(&builder->program->locations[object]))
			REFUSE(builder, at, "write `read_imagei(x, 0).x`",
			       "`%s` is an image, not a value", at->text);
		else if (object >= 0)
			REFUSE(builder, at, "write `*x` for a plain access, or an atomic function",
			       "`%s` is a pointer, not a value", at->text);
		else
			build_no_register(builder, at);
		return NULL;
	}
	return build_register_value(builder, at, (uint32_t)found);
}

static struct oclmm_expression *build_load(struct builder *builder,
                                           const struct tree_expression *tree)
{
	struct oclmm_expression *load;
	struct oclmm_place place;
	enum oclmm_type type;

	if (build_object(builder, tree, &place))
		return NULL;
	type = builder->program->locations[place.location].type;
	if (type == OCLMM_TYPE_FLAG) {
		REFUSE(builder, build_first_word(tree), "use atomic_flag_test_and_set",
		       "an atomic_flag has no value to read");
		return NULL;
	}
	load = build_node(builder, OCLMM_EXPRESSION_LOAD, type, build_first_word(tree));
	load->load = place;
	return load;
}

static struct oclmm_expression *build_unary(struct builder *builder,
                                            const struct tree_expression *tree)
{
	struct oclmm_expression *operand, *expression;

	if (tree->op == OCLMM_OPERATOR_NEGATE && tree->left->kind == TREE_NUMBER &&
	    !(builder->dartagnan && tree->left->parenthesised))
		return build_literal(builder, tree->left->at, true);
	if (tree->op != OCLMM_OPERATOR_NOT && build_extension(builder, tree->at))
		return NULL;
	operand = build_expression(builder, tree->left);
	if (!operand || build_check_floating(builder, tree, operand, NULL))
		return NULL;
	expression = build_node(builder, OCLMM_EXPRESSION_UNARY,
	                        oclmm_operator_is_truth(tree->op)
	                                ? OCLMM_TYPE_INT
	                                : oclmm_common_type(operand->type, operand->type),
	                        tree->at);
	expression->unary = (struct oclmm_unary){tree->op, operand};
	return expression;
}

/* Dartagnan has no remainder and no shifts. */
static bool is_foreign(enum oclmm_operator op)
{
	return op == OCLMM_OPERATOR_REM || op == OCLMM_OPERATOR_SHL || op == OCLMM_OPERATOR_SHR;
}

/* Dartagnan binds && tighter than ==, and knows no precedence among + - & ^ |:
 * without parentheses the two readings may differ. */
static int check_precedence(const struct builder *builder, const struct tree_expression *tree)
{
	const struct tree_expression *const sides[] = {tree->left, tree->right};

	if (!builder->dartagnan)
		return 0;
	for (size_t i = 0; i < 2; i++) {
		if (sides[i]->kind == TREE_BINARY && !sides[i]->parenthesised &&
		    sides[i]->op != tree->op)
			return REFUSE(
				builder, tree->at, "put the inner operation into parentheses",
				"Dartagnan reads `%s` and `%s` side by side differently from C",
				oclmm_operator_spelling(sides[i]->op),
				oclmm_operator_spelling(tree->op));
	}
	return 0;
}

static struct oclmm_expression *build_binary(struct builder *builder,
                                             const struct tree_expression *tree)
{
	struct oclmm_expression *left, *right, *expression;
	struct build_full *full = builder->full;
	enum oclmm_type type;

	if (is_foreign(tree->op) && build_extension(builder, tree->at))
		return NULL;
	if (check_precedence(builder, tree))
		return NULL;
	left = build_expression(builder, tree->left);
	/* what may be left out cannot be done before the statement */
	if (tree->op == OCLMM_OPERATOR_LOGICAL_AND || tree->op == OCLMM_OPERATOR_LOGICAL_OR)
		builder->full = NULL;
	right = left ? build_expression(builder, tree->right) : NULL;
	builder->full = full;
	if (!right)
		return NULL;
	if ((tree->op == OCLMM_OPERATOR_DIV || tree->op == OCLMM_OPERATOR_REM) &&
	    right->kind == OCLMM_EXPRESSION_CONSTANT && right->constant == 0) {
		REFUSE(builder, build_first_word(tree->right), NULL, "division by zero");
		return NULL;
	}
	if (build_check_floating(builder, tree, left, right))
		return NULL;
	type = oclmm_operand_type(tree->op, left->type, right->type);
	expression = build_node(builder, OCLMM_EXPRESSION_BINARY,
	                        oclmm_operator_is_truth(tree->op) ? OCLMM_TYPE_INT : type,
	                        build_first_word(tree));
	expression->binary = (struct oclmm_binary){tree->op, left, right};
	return expression;
}

/* Between integers (C:6.4.2); none is needed where the type stays. */
static struct oclmm_expression *build_cast(struct builder *builder,
                                           const struct tree_expression *tree)
{
	struct build_type type;
	struct oclmm_expression *operand, *expression;

	if (build_extension(builder, tree->at) || build_type(builder, tree->specifiers, &type))
		return NULL;
	if (!type.type_at || type.atomic || type.space_given || type.svm_at || type.volatile_at) {
		REFUSE(builder, tree->at, "a cast is to one of" SYNTAX_INTEGERS,
		       "values are integers, and their types have no other words");
		return NULL;
	}
	operand = build_expression(builder, tree->left);
	if (!operand || operand->type == type.type)
		return operand;
	if (oclmm_type_is_floating(operand->type) || oclmm_type_is_floating(type.type)) {
		REFUSE(builder, tree->at, "casts are between integers",
		       "a conversion from %s to %s is outside the format",
		       oclmm_type_name(operand->type), oclmm_type_name(type.type));
		return NULL;
	}
	expression = build_node(builder, OCLMM_EXPRESSION_CAST, type.type, tree->at);
	expression->cast = operand;
	return expression;
}

static struct oclmm_expression *build_call(struct builder *builder,
                                           const struct tree_expression *tree)
{
	struct oclmm_expression *expression;

	if (build_atomic(builder, tree, &expression))
		return expression;
	if (build_find_function(builder, tree->at->text)) {
		if (build_inline(builder, tree, &expression))
			return NULL;
		if (!expression)
			REFUSE(builder, tree->at, NULL, "`%s` gives no value", tree->at->text);
		return expression;
	}
	if (build_is_collective(tree))
		REFUSE(builder, tree->at, "assign it to a register of its own",
		       "the result of a collective function is part of no expression");
	else if (build_is_image(tree->at->text))
		build_refuse_image(builder, tree->at);
	else if (build_is_synchronisation(tree->at->text))
		REFUSE(builder, tree->at, NULL, "`%s` gives no value", tree->at->text);
	else
		build_unknown_function(builder, tree->at);
	return NULL;
}

struct oclmm_expression *build_effect(struct builder *builder, const struct tree_expression *tree)
{
	const struct build_name *array;

	switch (tree->kind) {
	case TREE_NUMBER: return build_literal(builder, tree->at, false);
	case TREE_NAME:
		array = build_find_array(builder, tree);
		return array ? build_array_value(builder, tree, array)
		             : build_name(builder, tree->at);
	case TREE_CALL: return build_call(builder, tree);
	case TREE_INDEX:
		array = build_find_array(builder, tree);
		return array ? build_array_value(builder, tree, array) : build_load(builder, tree);
	case TREE_DEREFERENCE: return build_load(builder, tree);
	case TREE_CAST: return build_cast(builder, tree);
	case TREE_MEMBER: return build_image_read(builder, tree);
	case TREE_VECTOR:
		REFUSE(builder, tree->at, NULL, "only write_imagei takes a vector");
		return NULL;
	case TREE_UNARY: return build_unary(builder, tree);
	case TREE_BINARY: return build_binary(builder, tree);
	case TREE_CHOICE: return build_choice(builder, tree);
	case TREE_ASSIGNED: return build_assigned(builder, tree);
	case TREE_CHILD:
		REFUSE(builder, tree->at, NULL, "a block stands in enqueue_kernel alone");
		return NULL;
	case TREE_ADDRESS: break;
	}
	REFUSE(builder, tree->at, NULL, "an address is no value here");
	return NULL;
}

struct oclmm_expression *build_expression(struct builder *builder,
                                          const struct tree_expression *tree)
{
	struct oclmm_expression *expression = build_effect(builder, tree);

	if (!expression || expression->kind != OCLMM_EXPRESSION_ATOMIC ||
	    oclmm_operation_reads(expression->atomic->op))
		return expression;
	REFUSE(builder, tree->at, NULL, "`%s` gives no value", tree->at->text);
	return NULL;
}
