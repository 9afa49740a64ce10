// SPDX-License-Identifier: Apache-2.0
/* Fences, barriers and collective functions; and clocks, which synchronise nothing. */
#include "expression.h"

#include <errno.h>
#include <string.h>

enum kind { FENCE, LEGACY_FENCE, BARRIER, COLLECTIVE, CLOCK };

static const struct function {
	const char *name;
	enum kind kind;
	enum oclmm_order order;
	bool sub_group;
	bool shared; /**< with Dartagnan */
	enum oclmm_collective collective;
	enum oclmm_barrier_part part;
	enum oclmm_scope scope; /**< of CLOCK */
} functions[] = {
	{"atomic_work_item_fence", FENCE, OCLMM_ORDER_NONE, false, true, 0, 0, 0},
	{"mem_fence", LEGACY_FENCE, OCLMM_ORDER_ACQ_REL, false, false, 0, 0, 0},
	{"read_mem_fence", LEGACY_FENCE, OCLMM_ORDER_ACQUIRE, false, false, 0, 0, 0},
	{"write_mem_fence", LEGACY_FENCE, OCLMM_ORDER_RELEASE, false, false, 0, 0, 0},
	{"barrier", BARRIER, OCLMM_ORDER_NONE, false, true, 0, 0, 0},
	{"work_group_barrier", BARRIER, OCLMM_ORDER_NONE, false, false, 0, 0, 0},
	{"sub_group_barrier", BARRIER, OCLMM_ORDER_NONE, true, false, 0, 0, 0},
	{"intel_work_group_barrier_arrive", BARRIER, OCLMM_ORDER_NONE, false, false, 0,
         OCLMM_BARRIER_ARRIVE, 0},
	{"intel_work_group_barrier_wait", BARRIER, OCLMM_ORDER_NONE, false, false, 0,
         OCLMM_BARRIER_WAIT, 0},
	{"clock_read_device", CLOCK, OCLMM_ORDER_NONE, false, false, 0, 0, OCLMM_SCOPE_DEVICE},
	{"clock_read_work_group", CLOCK, OCLMM_ORDER_NONE, false, false, 0, 0,
         OCLMM_SCOPE_WORK_GROUP},
	{"clock_read_sub_group", CLOCK, OCLMM_ORDER_NONE, true, false, 0, 0, OCLMM_SCOPE_SUB_GROUP},
#define OCLMM_X(name, word)                                                                        \
	{"work_group_" word,                                                                       \
	 COLLECTIVE,                                                                               \
	 OCLMM_ORDER_NONE,                                                                         \
	 false,                                                                                    \
	 false,                                                                                    \
	 OCLMM_COLLECTIVE_##name,                                                                  \
	 0,                                                                                        \
	 0},
	OCLMM_COLLECTIVES(OCLMM_X)
#undef OCLMM_X
#define OCLMM_X(name, word)                                                                        \
	{"sub_group_" word,                                                                        \
	 COLLECTIVE,                                                                               \
	 OCLMM_ORDER_NONE,                                                                         \
	 true,                                                                                     \
	 false,                                                                                    \
	 OCLMM_COLLECTIVE_##name,                                                                  \
	 0,                                                                                        \
	 0},
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

static bool is_synchronisation(const struct builder *builder, const char *name)
{
	(void)builder;
	return find_function(name) != NULL;
}

bool oclmm_is_collective(const struct tree_expression *tree)
{
	const struct function *function = NULL;

	if (tree->kind == TREE_CALL)
		function = find_function(tree->at->text);
	return function && function->kind == COLLECTIVE;
}

static size_t list_names(struct oclmm_arena *arena, const char **names)
{
	(void)arena;
	for (size_t i = 0; i < OCLMM_COUNT(functions); i++)
		names[i] = functions[i].name;
	return OCLMM_COUNT(functions);
}

/* ---- fences and barriers ---- */

/* Images only: order acq_rel and scope work_item alone are valid (C:6.15.15.6), and no other flag
 * stands beside this one (A:3.3.7). */
static int build_image_fence(struct builder *builder, const struct tree_expression *call,
                             const struct function *function, struct oclmm_fence *fence)
{
	static const char note[] = "write `atomic_work_item_fence(CLK_IMAGE_MEM_FENCE, "
				   "memory_order_acq_rel, memory_scope_work_item)`";
	const struct tree_expression *order = call->arguments->next;

	if (fence->flags != OCLMM_FLAG_IMAGE)
		return REFUSE(builder, oclmm_first_word(call->arguments), note,
		              "a fence of images has the flag CLK_IMAGE_MEM_FENCE alone");
	if (function->kind == LEGACY_FENCE)
		return REFUSE(builder, call->at, note, "`%s` has another scope than images take",
		              function->name);
	if (strcmp(oclmm_first_word(order)->text, "memory_order_acq_rel") != 0)
		return REFUSE(builder, oclmm_first_word(order), note,
		              "a fence of images has the order memory_order_acq_rel");
	if (strcmp(oclmm_first_word(order->next)->text, "memory_scope_work_item") != 0)
		return REFUSE(builder, oclmm_first_word(order->next), note,
		              "a fence of images has the scope memory_scope_work_item");
	fence->order = OCLMM_ORDER_ACQ_REL;
	fence->scope = OCLMM_SCOPE_WORK_ITEM;
	fence->scope_written = true;
	return 0;
}

static int check_call(const struct builder *builder, const struct tree_expression *call,
                      const struct function *function, const struct syntax_token *label)
{
	static const char *const broadcast_words[] = {"r0, 0", "r0, 0, 0", "r0, 0, 0, 0"};
	uint32_t least = function->kind == FENCE ? 3 : function->kind == CLOCK ? 0 : 1;
	uint32_t most = function->kind == BARRIER ? 2 : least;
	const char *note;

	if (!builder->shared && function->collective > OCLMM_COLLECTIVE_REDUCE_MAX)
		return REFUSE(builder, call->at,
		              "let work-items share a text: `kernel@wg 0..1, li 0..3 (...)`",
		              "the result of `%s` depends on which work-items take part",
		              call->at->text);
	if (function->collective == OCLMM_COLLECTIVE_BROADCAST)
		least = most = 1 + builder->shared->dimensions;

	if (!function->shared && oclmm_check_shared(builder, call->at))
		return -EINVAL;
	if (builder->thread->placement.host && function->kind != FENCE)
		return REFUSE(builder, call->at, NULL, "`%s` does not exist on the host",
		              function->name);
	if (label && function->kind != BARRIER)
		return REFUSE(builder, label, "leave the label out", "only a barrier has a label");
	if (call->argument_count >= least && call->argument_count <= most)
		return 0;
	note = oclmm_arena_printf(builder->arena, "write `%s(%s)`", function->name,
	                          function->kind == FENCE ? "flags, order, scope"
	                          : function->collective == OCLMM_COLLECTIVE_BROADCAST
	                                  ? broadcast_words[least - 2]
	                          : function->kind == COLLECTIVE ? "r0"
	                          : function->kind == CLOCK      ? ""
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
		return REFUSE(builder, oclmm_first_word(call->arguments), NULL,
		              "a fence of the host has the flag CLK_GLOBAL_MEM_FENCE");
	if (fence->scope != OCLMM_SCOPE_ALL_SVM_DEVICES)
		return REFUSE(builder, oclmm_first_word(scope), NULL,
		              "a fence of the host has the scope memory_scope_all_svm_devices");
	return 0;
}

/* The flags of a call: `flags` where they are known already. */
static int take_flags(struct builder *builder, const struct tree_expression *call,
                      const unsigned *flags, unsigned *ret_flags)
{
	if (!flags)
		return oclmm_read_flags(builder, call->arguments, ret_flags);
	*ret_flags = *flags;
	return 0;
}

static int build_fence(struct builder *builder, const struct tree_expression *call,
                       const struct function *function, const unsigned *flags,
                       struct oclmm_fence *fence)
{
	const struct tree_expression *order = call->arguments->next;

	if (take_flags(builder, call, flags, &fence->flags))
		return -EINVAL;
	if (fence->flags == 0)
		return REFUSE(builder, oclmm_first_word(call->arguments), NULL,
		              "a fence needs at least one flag");
	if (fence->flags & OCLMM_FLAG_IMAGE)
		return build_image_fence(builder, call, function, fence);
	fence->order = function->order;
	fence->scope = OCLMM_SCOPE_WORK_GROUP;
	if (function->kind == LEGACY_FENCE)
		return 0;
	fence->scope_written = true;
	if (oclmm_read_order(builder, order, &fence->order) ||
	    oclmm_read_scope(builder, order->next, &fence->scope))
		return -EINVAL;
	if (builder->thread->placement.host && check_host_fence(builder, call, fence))
		return -EINVAL;
	return 0;
}

/* Dartagnan wants a label before a barrier, which is `B` and a number. */
static int check_label(const struct builder *builder, const struct syntax_token *barrier,
                       const struct syntax_token *label)
{
	static const char note[] =
		"write `B1: barrier(...)`, with one number for all threads of the group";

	if (!builder->dartagnan)
		return 0;
	if (!label)
		return REFUSE(builder, barrier, note,
		              "Dartagnan wants a label `B1:` before a barrier");
	/* it reads a number: B1 and B01 are one label there, and two here */
	if (label->text[0] != 'B' || !label->text[1] ||
	    label->text[1 + strspn(label->text + 1, "0123456789")] ||
	    (label->text[1] == '0' && label->text[2]) || strlen(label->text) > 9)
		return REFUSE(builder, label, note,
		              "`%.40s` is no label of a barrier for Dartagnan", label->text);
	return 0;
}

/* Which work-items of a shared text are a sub-group, the device decides. */
static int refuse_sub_group(const struct builder *builder, const struct syntax_token *at,
                            const struct function *function)
{
	if (!builder->shared || !function->sub_group)
		return 0;
	return REFUSE(builder, at, "write threads with `@sg 0, wg 0, dev 0`",
	              "`%s` in a text that work-items share: nobody says which of them are a "
	              "sub-group",
	              at->text);
}

static int build_barrier(struct builder *builder, const struct tree_expression *call,
                         const struct function *function, const struct syntax_token *label,
                         const unsigned *flags, struct oclmm_barrier *barrier)
{
	const struct tree_expression *scope = call->arguments->next;

	if (take_flags(builder, call, flags, &barrier->flags) ||
	    check_label(builder, call->at, label))
		return -EINVAL;
	barrier->sub_group = function->sub_group;
	barrier->part = function->part;
	barrier->scope = function->sub_group ? OCLMM_SCOPE_SUB_GROUP : OCLMM_SCOPE_WORK_GROUP;
	if (label)
		barrier->label = oclmm_arena_strdup(builder->arena, label->text);
	if (!scope)
		return 0;
	barrier->scope_written = true;
	if (oclmm_read_scope(builder, scope, &barrier->scope))
		return -EINVAL;
	/* C:6.15.8 */
	if (barrier->flags & OCLMM_FLAG_IMAGE &&
	    barrier->scope !=
	            (function->sub_group ? OCLMM_SCOPE_SUB_GROUP : OCLMM_SCOPE_WORK_GROUP))
		return REFUSE(builder, oclmm_first_word(scope), NULL,
		              "with CLK_IMAGE_MEM_FENCE a barrier has the scope of its group");
	if (builder->dartagnan && barrier->scope != OCLMM_SCOPE_WORK_GROUP)
		return REFUSE(builder, oclmm_first_word(scope), NULL,
		              "a barrier has the scope memory_scope_work_group for Dartagnan");
	return 0;
}

/* Whose value a broadcast gives, as a number of all work-items of the group. */
static int build_broadcast(struct builder *builder, const struct tree_expression *call,
                           struct oclmm_barrier *barrier)
{
	const struct oclmm_shared_text *text = builder->shared;
	const struct tree_expression *tree = call->arguments->next;
	int64_t linear = 0, stride = 1;

	for (uint32_t d = 0; tree; tree = tree->next, d++) {
		const struct oclmm_expression *value = oclmm_read_expression(builder, tree);
		int64_t number;

		if (!value)
			return -EINVAL;
		if (!oclmm_constant_value(value, &number))
			return REFUSE(builder, oclmm_first_word(tree),
			              "let an argument of the kernel or a constant choose",
			              "the choice of a work-item depends on a value that is not "
			              "known before the run");
		if (number < 0 || number >= text->items[d])
			return REFUSE(builder, oclmm_first_word(tree), NULL,
			              "the group has %u work-items in dimension %u", text->items[d],
			              d);
		linear += number * stride;
		stride *= text->items[d];
	}
	barrier->from = oclmm_make_known(builder, call->at, OCLMM_TYPE_UINT, linear);
	return 0;
}

/* In a text that work-items share: anywhere that all come to, with any value. */
static int build_shared_collective(struct builder *builder, const struct tree_expression *call,
                                   const struct function *function,
                                   struct oclmm_expression *operand, struct oclmm_barrier *barrier)
{
	if (refuse_sub_group(builder, call->at, function))
		return -EINVAL;
	if (oclmm_has_access(operand))
		return REFUSE(builder, oclmm_first_word(call->arguments),
		              "read it into a register first",
		              "what is passed to a collective function reads memory");
	barrier->collective = function->collective;
	barrier->scope = OCLMM_SCOPE_WORK_GROUP;
	barrier->value = operand;
	return function->collective == OCLMM_COLLECTIVE_BROADCAST
	               ? build_broadcast(builder, call, barrier)
	               : 0;
}

/* C:6.15.16, C:6.15.19. */
static int build_collective_call(struct builder *builder, const struct tree_expression *call,
                                 const struct function *function, struct oclmm_barrier *barrier)
{
	const struct syntax_token *at = oclmm_first_word(call->arguments);
	struct oclmm_expression *operand;

	operand = oclmm_read_expression(builder, call->arguments);
	if (!operand || oclmm_check_fits(builder, at, operand, OCLMM_TYPE_INT))
		return -EINVAL;
	if (builder->shared)
		return build_shared_collective(builder, call, function, operand, barrier);
	if (!oclmm_constant_value(operand, &barrier->operand))
		return REFUSE(builder, at, NULL,
		              "what is passed to a collective function is not constant");
	if (builder->call || builder->block->outer)
		return REFUSE(builder, call->at, NULL,
		              "a collective function is called in the thread itself, not in a "
		              "block or function");
	barrier->collective = function->collective;
	if (refuse_sub_group(builder, call->at, function))
		return -EINVAL;
	barrier->sub_group = function->sub_group;
	barrier->scope = function->sub_group ? OCLMM_SCOPE_SUB_GROUP : OCLMM_SCOPE_WORK_GROUP;
	return 0;
}

/* ---- flags that are values ---- */

/*
 * A call whose flags are known when it runs is one call for each set of flags, behind branches on
 * the value: work-items with equal values come to the same.
 */
static struct oclmm_expression *has_flag(struct builder *builder, const struct syntax_token *at,
                                         struct oclmm_expression *value, unsigned flag)
{
	struct oclmm_expression *e =
		oclmm_make_node(builder, OCLMM_EXPRESSION_BINARY,
	                        oclmm_common_type(value->type, OCLMM_TYPE_UINT), at);

	e->binary = (struct oclmm_binary){OCLMM_OPERATOR_AND, value,
	                                  oclmm_make_known(builder, at, OCLMM_TYPE_UINT, flag)};
	return e;
}

static int check_flags_value(struct builder *builder, const struct tree_expression *call)
{
	const struct oclmm_program *program = builder->program;
	const struct syntax_token *at = oclmm_first_word(call->arguments);

	if (oclmm_check_shared(builder, at))
		return -EINVAL;
	for (uint32_t i = 0; i < program->location_count; i++)
		if (oclmm_location_is_image(&program->locations[i]))
			return REFUSE(builder, at, "write the words",
			              "flags that are a value, in a test with images");
	if (builder->thread->placement.host)
		return REFUSE(builder, at, NULL,
		              "a fence of the host has the flag CLK_GLOBAL_MEM_FENCE");
	return 0;
}

static int build_one(struct builder *builder, const struct tree_expression *call,
                     const struct function *function, const struct syntax_token *label,
                     const unsigned *flags, struct oclmm_statement **ret_statement);

/* The call with the words that a value stands for; a fence of no memory orders nothing. */
static int build_with_words(struct builder *builder, const struct tree_expression *call,
                            const struct function *function, const struct syntax_token *label,
                            unsigned value, struct oclmm_statement **ret_statement)
{
	unsigned flags = (value & VALUE_LOCAL ? OCLMM_FLAG_LOCAL : 0) |
	                 (value & VALUE_GLOBAL ? OCLMM_FLAG_GLOBAL : 0);

	*ret_statement = NULL;
	if (!value && function->kind != BARRIER)
		return 0;
	return build_one(builder, call, function, label, &flags, ret_statement);
}

/* `if (k & 1) { if (k & 2) … else … } else …` */
static int build_by_value(struct builder *builder, const struct tree_expression *call,
                          const struct function *function, const struct syntax_token *label,
                          struct oclmm_statement **ret_statement)
{
	const struct syntax_token *at = oclmm_first_word(call->arguments);
	struct oclmm_statement *outer = oclmm_make_statement(builder, OCLMM_STATEMENT_IF, call->at);
	struct oclmm_expression *value;

	if (check_flags_value(builder, call))
		return -EINVAL;
	if (oclmm_read_flags_value(builder, call->arguments, &value))
		return -EINVAL;
	if (oclmm_has_access(value))
		return REFUSE(builder, at, "read it into a variable first, `uint k = *f;`",
		              "the flags of a fence read memory");
	outer->branch.condition = has_flag(builder, at, value, VALUE_LOCAL);
	for (unsigned local = 0; local <= VALUE_LOCAL; local++) {
		struct oclmm_statement *inner = oclmm_make_statement(builder, OCLMM_STATEMENT_IF,
		                                                     call->at);

		inner->branch.condition = has_flag(builder, at, value, VALUE_GLOBAL);
		if (build_with_words(builder, call, function, label, local | VALUE_GLOBAL,
		                     &inner->branch.then_body) ||
		    build_with_words(builder, call, function, label, local,
		                     &inner->branch.else_body))
			return -EINVAL;
		*(local ? &outer->branch.then_body : &outer->branch.else_body) = inner;
	}
	*ret_statement = outer;
	return 0;
}

static int build_call(struct builder *builder, const struct tree_expression *call,
                      const struct syntax_token *label, struct oclmm_statement **ret_statement)
{
	const struct function *function = find_function(call->at->text);
	int result = check_call(builder, call, function, label);

	if (result)
		return result;
	if (function->kind != COLLECTIVE && function->kind != CLOCK &&
	    oclmm_are_flags_value(builder, call->arguments))
		return build_by_value(builder, call, function, label, ret_statement);
	return build_one(builder, call, function, label, NULL, ret_statement);
}

static int build_one(struct builder *builder, const struct tree_expression *call,
                     const struct function *function, const struct syntax_token *label,
                     const unsigned *flags, struct oclmm_statement **ret_statement)
{
	struct oclmm_statement *statement;
	int result;

	if (function->kind == BARRIER || function->kind == COLLECTIVE) {
		statement = oclmm_make_statement(builder, OCLMM_STATEMENT_BARRIER, call->at);
		statement->barrier.spelling = function->name;
		result = function->kind == BARRIER ? build_barrier(builder, call, function, label,
		                                                   flags, &statement->barrier)
		                                   : build_collective_call(builder, call, function,
		                                                           &statement->barrier);
	} else if (function->kind == CLOCK) {
		statement = oclmm_make_statement(builder, OCLMM_STATEMENT_CLOCK, call->at);
		statement->clock.spelling = function->name;
		statement->clock.scope = function->scope;
		result = 0;
	} else {
		statement = oclmm_make_statement(builder, OCLMM_STATEMENT_FENCE, call->at);
		statement->fence.spelling = function->name;
		result = build_fence(builder, call, function, flags, &statement->fence);
	}
	if (!result)
		*ret_statement = statement;
	return result;
}

/* The function itself, and behind it the assignment of what it gives. */
int oclmm_read_collective(struct builder *builder, const struct tree_statement *tree,
                          const struct syntax_token *at, uint32_t reg,
                          struct oclmm_statement **ret_statement)
{
	const struct tree_expression *call = tree->expression;
	const struct function *function = find_function(call->at->text);
	struct oclmm_statement *statement;

	if (builder->thread->registers[reg].type != OCLMM_TYPE_INT)
		return REFUSE(builder, call->at, NULL, "a collective function gives an int here");
	/* it has no flags that may be a value */
	if (check_call(builder, call, function, NULL) ||
	    build_one(builder, call, function, NULL, NULL, &statement))
		return -EINVAL;
	statement->barrier.assigns = true;
	statement->barrier.reg = reg;
	statement->next = oclmm_make_assign(builder, at, reg,
	                                    oclmm_make_known(builder, call->at, OCLMM_TYPE_INT, 0));
	statement->next->assign.collective = &statement->barrier;
	*ret_statement = statement;
	return 0;
}

static int build_statement(struct builder *builder, const struct tree_statement *tree,
                           struct oclmm_statement **ret_statement)
{
	return build_call(builder, tree->expression, tree->label, ret_statement);
}

/* None gives a value within an expression. */
static struct oclmm_expression *refuse_value(struct builder *builder,
                                             const struct tree_expression *call)
{
	if (oclmm_is_collective(call))
		REFUSE(builder, call->at, "assign it to a register of its own",
		       "the result of a collective function cannot be part of an expression");
	else if (find_function(call->at->text)->kind == CLOCK)
		REFUSE(builder, call->at,
		       oclmm_arena_printf(builder->arena, "write `%s();`, and use nothing of it",
		                          call->at->text),
		       "what a clock says may be anything, and is no value of a test");
	else
		REFUSE(builder, call->at, NULL, "`%s` gives no value", call->at->text);
	return NULL;
}

/* ---- collective functions meet ---- */

/*
 * All work-items of a group come to a collective function, or none does (C:6.15.16, C:6.15.19).
 * Whether they do is plain, for it stands in no branch: those of a group have the same barriers and
 * functions in the same order.
 */

/* The next one at top level, of sub-groups or of work-groups. */
static struct oclmm_statement *next_barrier(struct oclmm_statement *s, bool sub_group)
{
	while (s && (s->kind != OCLMM_STATEMENT_BARRIER || s->barrier.sub_group != sub_group))
		s = s->next;
	return s;
}

static struct oclmm_statement *nth_barrier(const struct oclmm_thread *thread, bool sub_group,
                                           uint32_t n)
{
	struct oclmm_statement *s = next_barrier(thread->body, sub_group);

	while (s && n-- > 0)
		s = next_barrier(s->next, sub_group);
	return s;
}

static bool are_together(const struct oclmm_thread *a, const struct oclmm_thread *b, bool sub_group)
{
	return a == b || oclmm_same_group(&a->placement, &b->placement, sub_group);
}

/* The n-th of a thread, in all threads of its group. */
static int settle(const struct builder *builder, const struct oclmm_thread *thread, uint32_t n,
                  struct oclmm_statement *own)
{
	const struct oclmm_program *program = builder->program;
	bool sub_group = own->barrier.sub_group;

	own->barrier.result = own->barrier.operand;
	for (uint32_t i = 0; i < program->thread_count; i++) {
		const struct oclmm_thread *other = &program->threads[i];
		const struct oclmm_statement *s;

		if (!are_together(thread, other, sub_group))
			continue;
		s = nth_barrier(other, sub_group, n);
		if (!s || s->barrier.collective != own->barrier.collective)
			return oclmm_refuse(builder->source, &own->position,
			                    "every work-item of the group has to call it",
			                    "P%u calls `%s` where P%u does not", thread->id,
			                    own->barrier.spelling, other->id);
		own->barrier.result = oclmm_apply_collective(own->barrier.collective,
		                                             own->barrier.result,
		                                             s->barrier.operand);
	}
	return 0;
}

static int settle_kind(const struct builder *builder, const struct oclmm_thread *thread,
                       bool sub_group)
{
	struct oclmm_statement *s = next_barrier(thread->body, sub_group);
	int r = 0;

	for (uint32_t n = 0; r == 0 && s; n++, s = next_barrier(s->next, sub_group)) {
		if (!s->barrier.collective || s->barrier.value)
			continue;
		r = settle(builder, thread, n, s);
		if (r == 0 && s->barrier.assigns)
			s->next->assign.value->constant = s->barrier.result;
	}
	return r;
}

static int settle_collectives(struct builder *builder)
{
	int r = 0;

	for (uint32_t i = 0; r == 0 && i < builder->program->thread_count; i++) {
		r = settle_kind(builder, &builder->program->threads[i], false);
		if (r == 0)
			r = settle_kind(builder, &builder->program->threads[i], true);
	}
	return r;
}

/* ---- barriers are reached by all ---- */

/*
 * Every work-item of a work-group (sub-group) has to reach a barrier when one does (C:6.15.8).
 * Which path a work-item takes is for the model to find out; here a test is refused when no choice
 * of paths makes the numbers agree.
 */

/** The numbers of barriers that the paths through some statements can meet: bit n for n. */
typedef uint64_t count_set;

enum { MOST_COUNT = 63 };

/* Sums of one number of each set; beyond 63 they all count as 63. */
static count_set add_counts(count_set a, count_set b)
{
	count_set sums = 0;

	for (unsigned i = 0; i <= MOST_COUNT; i++) {
		for (unsigned k = 0; k <= MOST_COUNT && (a >> i & 1); k++) {
			unsigned sum = i + k > MOST_COUNT ? MOST_COUNT : i + k;

			if (b >> k & 1)
				sums |= UINT64_C(1) << sum;
		}
	}
	return sums;
}

static bool is_barrier(const struct oclmm_statement *statement, bool sub_group)
{
	return statement->kind == OCLMM_STATEMENT_BARRIER &&
	       statement->barrier.sub_group == sub_group;
}

static count_set count_list(const struct oclmm_statement *statement, bool sub_group);

static count_set count_loop(const struct oclmm_loop *loop, bool sub_group)
{
	count_set body = count_list(loop->body, sub_group);
	count_set total = 1, all = 1;

	if (body == 1)
		return 1;
	for (uint32_t i = 0; i < loop->unroll; i++) {
		total = add_counts(total, body);
		all |= total;
	}
	return all;
}

static count_set count_list(const struct oclmm_statement *statement, bool sub_group)
{
	count_set counts = 1;

	for (; statement; statement = statement->next) {
		count_set own = 1;

		if (is_barrier(statement, sub_group))
			own = 2;
		else if (statement->kind == OCLMM_STATEMENT_IF)
			own = count_list(statement->branch.then_body, sub_group) |
			      count_list(statement->branch.else_body, sub_group);
		else if (statement->kind == OCLMM_STATEMENT_WHILE)
			own = count_loop(&statement->loop, sub_group);
		if (own != 1)
			counts = add_counts(counts, own);
	}
	return counts;
}

struct search {
	bool sub_group;
	const struct oclmm_position *found;
};

static int find_barrier(void *data, const struct oclmm_statement *statement)
{
	struct search *search = data;

	if (!is_barrier(statement, search->sub_group))
		return 0;
	search->found = &statement->position;
	return 1;
}

static int refuse_pair(const struct builder *builder, const struct oclmm_thread *a,
                       const struct oclmm_thread *b, bool sub_group)
{
	static const struct oclmm_visitor visitor = {.statement = find_barrier};
	struct search search = {.sub_group = sub_group};

	if (!oclmm_visit_body(&visitor, b->body, &search))
		oclmm_visit_body(&visitor, a->body, &search);
	return oclmm_refuse(builder->source, search.found,
	                    "every work-item of the group has to reach each barrier",
	                    "P%u and P%u of one %s never reach the same number of barriers", a->id,
	                    b->id, sub_group ? "sub-group" : "work-group");
}

static int check_kind(const struct builder *builder, bool sub_group)
{
	const struct oclmm_program *program = builder->program;

	for (uint32_t i = 0; i < program->thread_count; i++) {
		const struct oclmm_thread *thread = &program->threads[i];
		count_set common = count_list(thread->body, sub_group);

		for (uint32_t k = 0; k < program->thread_count; k++) {
			const struct oclmm_thread *other = &program->threads[k];

			if (k == i ||
			    !oclmm_same_group(&thread->placement, &other->placement, sub_group))
				continue;
			common &= count_list(other->body, sub_group);
			if (!common)
				return refuse_pair(builder, thread, other, sub_group);
		}
	}
	return 0;
}

static int check_barriers(const struct builder *builder)
{
	if (check_kind(builder, false))
		return -EINVAL;
	return check_kind(builder, true);
}

static int check_all(struct builder *builder)
{
	if (settle_collectives(builder))
		return -EINVAL;
	/* of a shared text the oracle tells the branch in which work-items part */
	return builder->shared ? 0 : check_barriers(builder);
}

const struct construct oclmm_synchronisation = {.check = check_all,
                                                .has = is_synchronisation,
                                                .names = list_names,
                                                .value = refuse_value,
                                                .statement = build_statement};
