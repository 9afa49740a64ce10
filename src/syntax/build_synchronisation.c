// SPDX-License-Identifier: Apache-2.0
#include "build.h"

#include <errno.h>
#include <string.h>

enum kind { FENCE, LEGACY_FENCE, BARRIER, COLLECTIVE };

static const struct function {
	const char *name;
	enum kind kind;
	enum oclmm_order order;
	bool sub_group;
	bool shared; /**< with Dartagnan */
	enum oclmm_collective collective;
} functions[] = {{"atomic_work_item_fence", FENCE, OCLMM_ORDER_NONE, false, true, 0},
                 {"mem_fence", LEGACY_FENCE, OCLMM_ORDER_ACQ_REL, false, false, 0},
                 {"read_mem_fence", LEGACY_FENCE, OCLMM_ORDER_ACQUIRE, false, false, 0},
                 {"write_mem_fence", LEGACY_FENCE, OCLMM_ORDER_RELEASE, false, false, 0},
                 {"barrier", BARRIER, OCLMM_ORDER_NONE, false, true, 0},
                 {"work_group_barrier", BARRIER, OCLMM_ORDER_NONE, false, false, 0},
                 {"sub_group_barrier", BARRIER, OCLMM_ORDER_NONE, true, false, 0},
#define OCLMM_X(name, word)                                                                        \
	{"work_group_" word, COLLECTIVE, OCLMM_ORDER_NONE, false, false, OCLMM_COLLECTIVE_##name},
                 OCLMM_COLLECTIVES(OCLMM_X)
#undef OCLMM_X
#define OCLMM_X(name, word)                                                                        \
	{"sub_group_" word, COLLECTIVE, OCLMM_ORDER_NONE, true, false, OCLMM_COLLECTIVE_##name},
                         OCLMM_COLLECTIVES(OCLMM_X)
#undef OCLMM_X
};

static const struct function *find_function(const char *name)
{
	for (size_t i = 0; i < OCLMM_COUNT(functions); i++) {
		if (strcmp(functions[i].name, name) == 0)
			return &functions[i];
	}
	return NULL;
}

bool build_is_synchronisation(const char *name)
{
	return find_function(name) != NULL;
}

bool build_is_collective(const struct tree_expression *tree)
{
	const struct function *function = NULL;

	if (tree->kind == TREE_CALL)
		function = find_function(tree->at->text);
	return function && function->kind == COLLECTIVE;
}

size_t build_synchronisation_names(const char **names)
{
	for (size_t i = 0; i < OCLMM_COUNT(functions); i++)
		names[i] = functions[i].name;
	return OCLMM_COUNT(functions);
}

/* ---- orders, scopes, flags ---- */

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
	return build_unknown(builder, at, "", " is not a memory order", words, OCLMM_COUNT(orders));
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
	return build_unknown(builder, at, "", " is not a memory scope", words, count);
}

int build_order(const struct builder *builder, const struct tree_expression *tree,
                enum oclmm_order *ret_order)
{
	const struct syntax_token *at = build_first_word(tree);

	if (tree->kind == TREE_NAME && strcmp(at->text, "memory_order_consume") == 0)
		return REFUSE(builder, at, "write memory_order_acquire",
		              "OpenCL C has no memory_order_consume");
	for (unsigned order = OCLMM_ORDER_RELAXED;
	     tree->kind == TREE_NAME && order < OCLMM_ORDER_COUNT; order++) {
		if (strcmp(oclmm_order_spelling((enum oclmm_order)order), at->text) == 0) {
			*ret_order = (enum oclmm_order)order;
			return 0;
		}
	}
	return refuse_order(builder, at);
}

int build_scope(const struct builder *builder, const struct tree_expression *tree,
                enum oclmm_scope *ret_scope)
{
	const struct syntax_token *at = build_first_word(tree);

	if (tree->kind == TREE_NAME && strcmp(at->text, "memory_scope_work_item") == 0)
		return REFUSE(builder, at, "the narrowest scope is memory_scope_sub_group",
		              "memory_scope_work_item is only for image fences");
	/* the name that OpenCL C 3.0 gives to the same scope, C:6.15.12.4 */
	if (tree->kind == TREE_NAME && strcmp(at->text, "memory_scope_all_devices") == 0) {
		*ret_scope = OCLMM_SCOPE_ALL_SVM_DEVICES;
		return build_extension(builder, at);
	}
	for (unsigned scope = OCLMM_SCOPE_SUB_GROUP;
	     tree->kind == TREE_NAME && scope < OCLMM_SCOPE_COUNT; scope++) {
		if (strcmp(oclmm_scope_spelling((enum oclmm_scope)scope), at->text) != 0)
			continue;
		*ret_scope = (enum oclmm_scope)scope;
		return scope == OCLMM_SCOPE_SUB_GROUP ? build_extension(builder, at) : 0;
	}
	return refuse_scope(builder, at);
}

static int build_flags(const struct builder *builder, const struct tree_expression *tree,
                       unsigned *flags)
{
	const struct syntax_token *at = build_first_word(tree);
	int result;

	/* Dartagnan reads one flag, or two without parentheses */
	if (tree->parenthesised && build_extension(builder, &at[-1]))
		return -EINVAL;
	if (tree->kind == TREE_BINARY && tree->op == OCLMM_OPERATOR_OR) {
		if (tree->left->kind == TREE_BINARY && build_extension(builder, tree->at))
			return -EINVAL;
		result = build_flags(builder, tree->left, flags);
		return result ? result : build_flags(builder, tree->right, flags);
	}
	if (tree->kind == TREE_NUMBER && strcmp(at->text, "0") == 0)
		return build_extension(builder, at);
	if (tree->kind == TREE_NAME && strcmp(at->text, "CLK_GLOBAL_MEM_FENCE") == 0) {
		*flags |= OCLMM_FLAG_GLOBAL;
		return 0;
	}
	if (tree->kind == TREE_NAME && strcmp(at->text, "CLK_LOCAL_MEM_FENCE") == 0) {
		*flags |= OCLMM_FLAG_LOCAL;
		return 0;
	}
	if (tree->kind == TREE_NAME && strcmp(at->text, "CLK_IMAGE_MEM_FENCE") == 0) {
		*flags |= OCLMM_FLAG_IMAGE;
		return build_extension(builder, at);
	}
	return REFUSE(builder, at,
	              "flags are CLK_GLOBAL_MEM_FENCE, CLK_LOCAL_MEM_FENCE, CLK_IMAGE_MEM_FENCE, "
	              "with `|` between them",
	              "`%.60s` is not a fence flag", at->text);
}

/* Images only: order acq_rel and scope work_item alone are valid (C:6.15.15.6), and no other flag
 * stands beside this one (A:3.3.7). */
static int build_image_fence(const struct builder *builder, const struct tree_expression *call,
                             const struct function *function, struct oclmm_fence *fence)
{
	static const char note[] = "write `atomic_work_item_fence(CLK_IMAGE_MEM_FENCE, "
				   "memory_order_acq_rel, memory_scope_work_item)`";
	const struct tree_expression *order = call->arguments->next;

	if (fence->flags != OCLMM_FLAG_IMAGE)
		return REFUSE(builder, build_first_word(call->arguments), note,
		              "a fence of images has the flag CLK_IMAGE_MEM_FENCE alone");
	if (function->kind == LEGACY_FENCE)
		return REFUSE(builder, call->at, note, "`%s` has another scope than images take",
		              function->name);
	if (strcmp(build_first_word(order)->text, "memory_order_acq_rel") != 0)
		return REFUSE(builder, build_first_word(order), note,
		              "a fence of images has the order memory_order_acq_rel");
	if (strcmp(build_first_word(order->next)->text, "memory_scope_work_item") != 0)
		return REFUSE(builder, build_first_word(order->next), note,
		              "a fence of images has the scope memory_scope_work_item");
	fence->order = OCLMM_ORDER_ACQ_REL;
	fence->scope = OCLMM_SCOPE_WORK_ITEM;
	fence->scope_written = true;
	return 0;
}

/* ---- fences and barriers ---- */

static int check_call(const struct builder *builder, const struct tree_expression *call,
                      const struct function *function, const struct syntax_token *label)
{
	uint32_t least = function->kind == FENCE ? 3 : 1;
	uint32_t most = function->kind == FENCE ? 3 : function->kind == BARRIER ? 2 : 1;
	const char *note;

	if (!function->shared && build_extension(builder, call->at))
		return -EINVAL;
	if (builder->thread->placement.host && function->kind != FENCE)
		return REFUSE(builder, call->at, NULL, "`%s` does not exist on the host",
		              function->name);
	if (label && function->kind != BARRIER)
		return REFUSE(builder, label, "leave the label out", "only a barrier has a label");
	if (call->argument_count >= least && call->argument_count <= most)
		return 0;
	note = oclmm_arena_printf(builder->arena, "write `%s(%s)`", function->name,
	                          function->kind == FENCE        ? "flags, order, scope"
	                          : function->kind == COLLECTIVE ? "r0"
	                                                         : "CLK_GLOBAL_MEM_FENCE");
	if (least == most)
		return REFUSE(builder, call->at, note, "`%s` takes %u argument%s, not %u",
		              function->name, least, least == 1 ? "" : "s", call->argument_count);
	return REFUSE(builder, call->at, note, "`%s` takes %u or %u arguments, not %u",
	              function->name, least, most, call->argument_count);
}

/* atomic_thread_fence of C11, which has neither flags nor a scope: it is written with those that it
 * stands for, global memory and all devices. */
static int check_host_fence(const struct builder *builder, const struct tree_expression *call,
                            const struct oclmm_fence *fence)
{
	const struct tree_expression *scope = call->arguments->next->next;

	if (fence->flags != OCLMM_FLAG_GLOBAL)
		return REFUSE(builder, build_first_word(call->arguments), NULL,
		              "a fence of the host has the flag CLK_GLOBAL_MEM_FENCE");
	if (fence->scope != OCLMM_SCOPE_ALL_SVM_DEVICES)
		return REFUSE(builder, build_first_word(scope), NULL,
		              "a fence of the host has the scope memory_scope_all_svm_devices");
	return 0;
}

static int build_fence(const struct builder *builder, const struct tree_expression *call,
                       const struct function *function, struct oclmm_fence *fence)
{
	const struct tree_expression *order = call->arguments->next;
	int result = build_flags(builder, call->arguments, &fence->flags);

	if (result)
		return result;
	if (fence->flags == 0)
		return REFUSE(builder, build_first_word(call->arguments), NULL,
		              "a fence needs at least one flag");
	if (fence->flags & OCLMM_FLAG_IMAGE)
		return build_image_fence(builder, call, function, fence);
	fence->order = function->order;
	fence->scope = OCLMM_SCOPE_WORK_GROUP;
	if (function->kind == LEGACY_FENCE)
		return 0;
	fence->scope_written = true;
	result = build_order(builder, order, &fence->order);
	if (!result)
		result = build_scope(builder, order->next, &fence->scope);
	if (!result && builder->thread->placement.host)
		result = check_host_fence(builder, call, fence);
	return result;
}

static int build_barrier(struct builder *builder, const struct tree_expression *call,
                         const struct function *function, const struct syntax_token *label,
                         struct oclmm_barrier *barrier)
{
	const struct tree_expression *scope = call->arguments->next;
	int result = build_flags(builder, call->arguments, &barrier->flags);

	if (!result)
		result = build_check_label(builder, call->at, label);
	if (result)
		return result;
	barrier->sub_group = function->sub_group;
	barrier->scope = function->sub_group ? OCLMM_SCOPE_SUB_GROUP : OCLMM_SCOPE_WORK_GROUP;
	if (label)
		barrier->label = oclmm_arena_strdup(builder->arena, label->text);
	if (!scope)
		return 0;
	barrier->scope_written = true;
	result = build_scope(builder, scope, &barrier->scope);
	/* C:6.15.8 */
	if (!result && barrier->flags & OCLMM_FLAG_IMAGE &&
	    barrier->scope !=
	            (function->sub_group ? OCLMM_SCOPE_SUB_GROUP : OCLMM_SCOPE_WORK_GROUP))
		return REFUSE(builder, build_first_word(scope), NULL,
		              "with CLK_IMAGE_MEM_FENCE a barrier has the scope of its group");
	if (!result && builder->dartagnan && barrier->scope != OCLMM_SCOPE_WORK_GROUP)
		return REFUSE(builder, build_first_word(scope), NULL,
		              "a barrier has the scope memory_scope_work_group for Dartagnan");
	return result;
}

/* C:6.15.16, C:6.15.19. */
static int build_collective(struct builder *builder, const struct tree_expression *call,
                            const struct function *function, struct oclmm_barrier *barrier)
{
	const struct syntax_token *at = build_first_word(call->arguments);
	struct oclmm_expression *operand = build_expression(builder, call->arguments);

	if (!operand || build_check_fits(builder, at, operand, OCLMM_TYPE_INT))
		return -EINVAL;
	if (!build_constant_value(operand, &barrier->operand))
		return REFUSE(builder, at, NULL,
		              "what is passed to a collective function is not constant");
	if (builder->call || builder->block->outer)
		return REFUSE(builder, call->at, NULL,
		              "a collective function stands in the thread itself, not inside");
	barrier->collective = function->collective;
	barrier->sub_group = function->sub_group;
	barrier->scope = function->sub_group ? OCLMM_SCOPE_SUB_GROUP : OCLMM_SCOPE_WORK_GROUP;
	return 0;
}

int build_synchronisation(struct builder *builder, const struct tree_expression *call,
                          const struct syntax_token *label, struct oclmm_statement **ret_statement)
{
	const struct function *function = find_function(call->at->text);
	struct oclmm_statement *statement;
	int result = check_call(builder, call, function, label);

	if (result)
		return result;
	if (function->kind == BARRIER || function->kind == COLLECTIVE) {
		statement = build_bare(builder, OCLMM_STATEMENT_BARRIER, call->at);
		statement->barrier.spelling = function->name;
		result = function->kind == BARRIER
		                 ? build_barrier(builder, call, function, label,
		                                 &statement->barrier)
		                 : build_collective(builder, call, function, &statement->barrier);
	} else {
		statement = build_bare(builder, OCLMM_STATEMENT_FENCE, call->at);
		statement->fence.spelling = function->name;
		result = build_fence(builder, call, function, &statement->fence);
	}
	if (!result)
		*ret_statement = statement;
	return result;
}
