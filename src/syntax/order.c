// SPDX-License-Identifier: Apache-2.0
/*
 * Memory orders, scopes and the flags of fences: as words, chosen by a condition that is known,
 * `n ? memory_order_release : memory_order_relaxed`, and by the names of variables and parameters
 * that hold one. A device may learn them when the kernel runs; here they are known.
 */
#include "expression.h"

#include <errno.h>
#include <string.h>

/* ---- words ---- */

static int refuse_order(const struct builder *builder, const struct syntax_token *at)
{
	/* `rel` and `acq` are short for the first two */
	static const enum oclmm_order orders[] = {OCLMM_ORDER_RELEASE, OCLMM_ORDER_ACQUIRE,
	                                          OCLMM_ORDER_ACQ_REL, OCLMM_ORDER_SEQ_CST,
	                                          OCLMM_ORDER_RELAXED};
	const char *words[OCLMM_COUNT(orders)];

	if (strncmp(at->text, "memory_scope", strlen("memory_scope")) == 0)
		return REFUSE(builder, at, "the scope is the last argument, after the order",
		              "`%s` is not a memory order", at->text);
	for (size_t i = 0; i < OCLMM_COUNT(orders); i++)
		words[i] = oclmm_order_spelling(orders[i]);
	return oclmm_refuse_unknown(builder, at, "", " is not a memory order", words,
	                            OCLMM_COUNT(orders));
}

static int refuse_scope(const struct builder *builder, const struct syntax_token *at)
{
	const char *words[OCLMM_SCOPE_COUNT];
	size_t count = 0;

	if (strncmp(at->text, "memory_order", strlen("memory_order")) == 0)
		return REFUSE(builder, at, "the scope is the last argument, after the order",
		              "`%s` is not a memory scope", at->text);
	for (unsigned i = OCLMM_SCOPE_SUB_GROUP; i < OCLMM_SCOPE_COUNT; i++)
		words[count++] = oclmm_scope_spelling((enum oclmm_scope)i);
	return oclmm_refuse_unknown(builder, at, "", " is not a memory scope", words, count);
}

static int read_order_word(const struct builder *builder, const struct tree_expression *tree,
                           unsigned *ret_value)
{
	const struct syntax_token *at = oclmm_first_word(tree);

	if (tree->kind == TREE_NAME && strcmp(at->text, "memory_order_consume") == 0)
		return REFUSE(builder, at, "write memory_order_acquire",
		              "OpenCL C has no memory_order_consume");
	for (unsigned order = OCLMM_ORDER_RELAXED;
	     tree->kind == TREE_NAME && order < OCLMM_ORDER_COUNT; order++) {
		if (strcmp(oclmm_order_spelling((enum oclmm_order)order), at->text) == 0) {
			*ret_value = order;
			return 0;
		}
	}
	return refuse_order(builder, at);
}

static int read_scope_word(const struct builder *builder, const struct tree_expression *tree,
                           unsigned *ret_value)
{
	const struct syntax_token *at = oclmm_first_word(tree);

	if (tree->kind == TREE_NAME && strcmp(at->text, "memory_scope_work_item") == 0)
		return REFUSE(builder, at, "the narrowest scope is memory_scope_sub_group",
		              "memory_scope_work_item is only for image fences");
	if (tree->kind == TREE_NAME && strcmp(at->text, "memory_scope_cluster") == 0)
		return REFUSE(builder, at, "take memory_scope_device, the next wider one",
		              "OpenCL has no scope of a cluster");
	/* the name that OpenCL C 3.0 gives to the same scope, C:6.15.12.4 */
	if (tree->kind == TREE_NAME && strcmp(at->text, "memory_scope_all_devices") == 0) {
		*ret_value = OCLMM_SCOPE_ALL_SVM_DEVICES;
		return oclmm_check_shared(builder, at);
	}
	for (unsigned scope = OCLMM_SCOPE_SUB_GROUP;
	     tree->kind == TREE_NAME && scope < OCLMM_SCOPE_COUNT; scope++) {
		if (strcmp(oclmm_scope_spelling((enum oclmm_scope)scope), at->text) != 0)
			continue;
		*ret_value = scope;
		return scope == OCLMM_SCOPE_SUB_GROUP ? oclmm_check_shared(builder, at) : 0;
	}
	return refuse_scope(builder, at);
}

static int read_flag_word(const struct builder *builder, const struct tree_expression *tree,
                          unsigned *ret_value)
{
	static const struct {
		const char *word;
		unsigned flag;
	} flags[] = {{"CLK_GLOBAL_MEM_FENCE", OCLMM_FLAG_GLOBAL},
	             {"CLK_LOCAL_MEM_FENCE", OCLMM_FLAG_LOCAL},
	             {"CLK_IMAGE_MEM_FENCE", OCLMM_FLAG_IMAGE}};
	const struct syntax_token *at = oclmm_first_word(tree);

	*ret_value = 0;
	if (tree->kind == TREE_NUMBER && strcmp(at->text, "0") == 0)
		return oclmm_check_shared(builder, at);
	for (size_t i = 0; tree->kind == TREE_NAME && i < OCLMM_COUNT(flags); i++) {
		if (strcmp(at->text, flags[i].word) != 0)
			continue;
		*ret_value = flags[i].flag;
		return flags[i].flag == OCLMM_FLAG_IMAGE ? oclmm_check_shared(builder, at) : 0;
	}
	return REFUSE(builder, at,
	              "flags are CLK_GLOBAL_MEM_FENCE, CLK_LOCAL_MEM_FENCE, CLK_IMAGE_MEM_FENCE, "
	              "with `|` between them",
	              "`%.60s` is not a fence flag", at->text);
}

/* ---- what may stand in their place ---- */

static const char *what_is(enum build_word word)
{
	static const char *const names[] = {[BUILD_WORD_ORDER] = "memory order",
	                                    [BUILD_WORD_SCOPE] = "memory scope",
	                                    [BUILD_WORD_FLAGS] = "fence flag"};

	return names[word];
}

static int read_word(struct builder *builder, const struct tree_expression *tree,
                     enum build_word word, unsigned *ret_value);

/* Both sides have to be such words, whichever it is. */
static int read_choice(struct builder *builder, const struct tree_expression *tree,
                       enum build_word word, unsigned *ret_value)
{
	struct oclmm_expression *condition;
	unsigned first, second;
	int64_t known;

	if (oclmm_check_shared(builder, tree->at))
		return -EINVAL;
	condition = oclmm_read_expression(builder, tree->left);
	if (!condition || read_word(builder, tree->arguments, word, &first) ||
	    read_word(builder, tree->arguments->next, word, &second))
		return -EINVAL;
	if (!oclmm_constant_value(condition, &known))
		return REFUSE(
			builder, oclmm_first_word(tree->left),
			"let an argument of the kernel or a constant choose",
			"the choice of a %s depends on a value that is not known before the run",
			what_is(word));
	*ret_value = known ? first : second;
	return 0;
}

static int read_both(struct builder *builder, const struct tree_expression *tree,
                     unsigned *ret_value)
{
	unsigned left, right;

	if (tree->left->kind == TREE_BINARY && oclmm_check_shared(builder, tree->at))
		return -EINVAL;
	if (read_word(builder, tree->left, BUILD_WORD_FLAGS, &left) ||
	    read_word(builder, tree->right, BUILD_WORD_FLAGS, &right))
		return -EINVAL;
	*ret_value = left | right;
	return 0;
}

static int read_word(struct builder *builder, const struct tree_expression *tree,
                     enum build_word word, unsigned *ret_value)
{
	const struct build_name *name = NULL;

	*ret_value = 0;
	/* Dartagnan reads one flag, or two without parentheses */
	if (word == BUILD_WORD_FLAGS && tree->parenthesised &&
	    oclmm_check_shared(builder, &oclmm_first_word(tree)[-1]))
		return -EINVAL;
	if (tree->kind == TREE_CHOICE)
		return read_choice(builder, tree, word, ret_value);
	if (word == BUILD_WORD_FLAGS && tree->kind == TREE_BINARY && tree->op == OCLMM_OPERATOR_OR)
		return read_both(builder, tree, ret_value);
	if (tree->kind == TREE_NAME)
		name = oclmm_find_name(builder, tree->at->text);
	if (name && name->kind == BUILD_WORD && name->word == word) {
		*ret_value = (unsigned)name->value;
		return 0;
	}
	switch (word) {
	case BUILD_WORD_ORDER: return read_order_word(builder, tree, ret_value);
	case BUILD_WORD_SCOPE: return read_scope_word(builder, tree, ret_value);
	default: return read_flag_word(builder, tree, ret_value);
	}
}

int oclmm_read_word(struct builder *builder, const struct tree_expression *tree,
                    enum build_word word, struct build_name *name)
{
	unsigned value;

	if (read_word(builder, tree, word, &value))
		return -EINVAL;
	name->kind = BUILD_WORD;
	name->word = word;
	name->value = value;
	return 0;
}

int oclmm_read_order(struct builder *builder, const struct tree_expression *tree,
                     enum oclmm_order *ret_order)
{
	unsigned value;

	if (read_word(builder, tree, BUILD_WORD_ORDER, &value))
		return -EINVAL;
	*ret_order = (enum oclmm_order)value;
	return 0;
}

int oclmm_read_scope(struct builder *builder, const struct tree_expression *tree,
                     enum oclmm_scope *ret_scope)
{
	unsigned value;

	if (read_word(builder, tree, BUILD_WORD_SCOPE, &value))
		return -EINVAL;
	*ret_scope = (enum oclmm_scope)value;
	return 0;
}

int oclmm_read_flags(struct builder *builder, const struct tree_expression *tree,
                     unsigned *ret_flags)
{
	return read_word(builder, tree, BUILD_WORD_FLAGS, ret_flags);
}

bool oclmm_are_flags_value(const struct builder *builder, const struct tree_expression *flags)
{
	switch (flags->kind) {
	case TREE_NAME:
		/* most are words, which no variable is called */
		return strncmp(flags->at->text, "CLK_", 4) != 0 &&
		       (oclmm_find_register(builder, flags->at->text) >= 0 ||
		        oclmm_find_array(builder, flags));
	case TREE_BINARY:
		if (flags->op == OCLMM_OPERATOR_OR)
			return oclmm_are_flags_value(builder, flags->left) ||
			       oclmm_are_flags_value(builder, flags->right);
		return true;
	case TREE_CALL:
	case TREE_INDEX:
	case TREE_DEREFERENCE:
	case TREE_CAST:
	case TREE_UNARY: return true;
	default: return false;
	}
}

int oclmm_read_flags_value(struct builder *builder, const struct tree_expression *flags,
                           struct oclmm_expression **ret_value)
{
	const struct syntax_token *at = oclmm_first_word(flags);
	struct oclmm_expression *left, *right;
	unsigned words;

	if (flags->kind == TREE_BINARY && flags->op == OCLMM_OPERATOR_OR) {
		if (oclmm_read_flags_value(builder, flags->left, &left) ||
		    oclmm_read_flags_value(builder, flags->right, &right))
			return -EINVAL;
		*ret_value = oclmm_make_node(builder, OCLMM_EXPRESSION_BINARY,
		                             oclmm_common_type(left->type, right->type), at);
		(*ret_value)->binary = (struct oclmm_binary){OCLMM_OPERATOR_OR, left, right};
		return 0;
	}
	if (!oclmm_are_flags_value(builder, flags)) {
		if (oclmm_read_flags(builder, flags, &words))
			return -EINVAL;
		*ret_value = oclmm_make_known(builder, at, OCLMM_TYPE_UINT,
		                              (words & OCLMM_FLAG_LOCAL ? VALUE_LOCAL : 0) |
		                                      (words & OCLMM_FLAG_GLOBAL ? VALUE_GLOBAL
		                                                                 : 0));
		return 0;
	}
	*ret_value = oclmm_read_expression(builder, flags);
	if (!*ret_value)
		return -EINVAL;
	if (oclmm_type_is_floating((*ret_value)->type))
		return REFUSE(builder, at, NULL, "the flags of a fence are a %s",
		              oclmm_type_name((*ret_value)->type));
	return 0;
}

/* ---- variables ---- */

int oclmm_declare_word(struct builder *builder, const struct tree_statement *tree,
                       enum build_word word)
{
	struct build_name *name = OCLMM_NEW(builder->arena, struct build_name);

	if (oclmm_check_shared(builder, tree->at))
		return -EINVAL;
	if (!tree->expression)
		return REFUSE(builder, tree->at, "write its value behind `=`", "`%s` has no value",
		              tree->at->text);
	if (oclmm_check_new(builder, tree->at) ||
	    oclmm_read_word(builder, tree->expression, word, name))
		return -EINVAL;
	name->name = tree->at;
	name->outer = builder->names;
	builder->names = name;
	return 0;
}
