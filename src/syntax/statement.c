// SPDX-License-Identifier: Apache-2.0
/*
 * Statements. First those without others inside: declarations, assignments, and what is evaluated
 * for its effect. Then blocks, `if`, `switch`, loops, `break`, `continue` and `return`. Programs
 * have only `if` and `while`. The rounds of a `for` are written out, or it is a `while` where
 * work-items share a text. A register is set where a loop, a round or a function is left, and what
 * C skips then stands in an `if` that asks for this register; the loop asks for it, too.
 */
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

/* ---- pointers ---- */

/* It stands for what it points to where it is declared: a register in its index may change later.
 */
static int bind(struct builder *builder, const struct tree_expression *tree,
                const struct tree_specifier *specifiers, struct build_name *name)
{
	int64_t known;

	if (oclmm_bind_pointer(builder, tree, specifiers, name))
		return -EINVAL;
	if (name->place.index && !oclmm_constant_value(name->place.index, &known))
		return REFUSE(builder, oclmm_first_word(tree),
		              "write the index where the pointer is used: `p[i]`",
		              "the element that `%s` points to depends on a value that is not "
		              "known before the run",
		              name->name->text);
	return 0;
}

/* Nobody assigns to it. */
static int build_pointer(struct builder *builder, const struct tree_statement *tree)
{
	struct build_name *name = OCLMM_NEW(builder->arena, struct build_name);

	name->name = tree->at;
	if (oclmm_check_new(builder, tree->at) ||
	    bind(builder, tree->expression, tree->specifiers, name))
		return -EINVAL;
	name->outer = builder->names;
	builder->names = name;
	return 0;
}

static int build_pointers(struct builder *builder, const struct tree_statement *tree)
{
	struct build_name *array = OCLMM_NEW(builder->arena, struct build_name);
	const struct tree_expression *value = tree->expression;

	array->name = tree->at;
	array->kind = BUILD_OBJECT;
	if (oclmm_check_new(builder, tree->at) ||
	    oclmm_read_elements(builder, tree->at, tree->length, count_values(value),
	                        &array->count))
		return -EINVAL;
	if (array->count != count_values(value))
		return REFUSE(builder, tree->at, "write a pointer for each element",
		              "`%s` has %u elements, and %u pointers", tree->at->text, array->count,
		              count_values(value));
	array->pointers = OCLMM_NEW_ARRAY(builder->arena, struct build_name, array->count);
	for (uint32_t i = 0; value; value = value->next, i++) {
		array->pointers[i].name = tree->at;
		if (bind(builder, value, tree->specifiers, &array->pointers[i]))
			return -EINVAL;
	}
	array->type = array->pointers[0].type;
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
	bool collective, flags = false;
	enum build_word word;

	for (const struct construct *const *one = builder->constructs; *one; one++) {
		if ((*one)->type && strcmp(tree->specifiers->at->text, (*one)->type) == 0)
			return (*one)->statement(builder, tree, ret_statement);
	}

	if (oclmm_find_word_type(tree->specifiers, &word)) {
		/* flags that are not known hold a number */
		if (word != BUILD_WORD_FLAGS || !tree->expression ||
		    !oclmm_are_flags_value(builder, tree->expression))
			return oclmm_declare_word(builder, tree, word);
		(void)oclmm_without_const(builder, tree->specifiers, &is_const);
		type = OCLMM_TYPE_UINT;
		flags = true;
	} else if (oclmm_read_register_type(
			   builder, oclmm_without_const(builder, tree->specifiers, &is_const),
			   &type)) {
		return -EINVAL;
	}
	if (is_const && !tree->expression)
		return REFUSE(builder, tree->at, NULL, "`%s` is const and has no value",
		              tree->at->text);
	/* the value first: in `int r = r + 1;` the second r is not yet declared */
	collective = tree->expression && oclmm_is_collective(tree->expression);
	if (tree->expression && !collective &&
	    (flags ? oclmm_read_flags_value(builder, tree->expression, &value)
	           : oclmm_read_value(builder, tree->expression, type, &value)))
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

/* A statement without others inside. */
static int read_simple(struct builder *builder, const struct tree_statement *tree,
                       struct oclmm_statement **ret_first)
{
	switch (tree->kind) {
	case TREE_DECLARATION: return build_declaration(builder, tree, ret_first);
	case TREE_ASSIGNMENT: return build_assignment(builder, tree, ret_first);
	case TREE_ARRAY: return build_array(builder, tree, ret_first);
	case TREE_POINTER: return build_pointer(builder, tree);
	case TREE_POINTERS: return build_pointers(builder, tree);
	default: return build_evaluation(builder, tree, ret_first);
	}
}

/* The arguments that a shared text takes by value. Each is a constant of the work-items: none of
 * them assigns it. */
static int declare_arguments(struct builder *builder)
{
	const struct tree_parameter *p = builder->tree->threads->parameters;

	for (uint32_t i = 0; builder->shared && p; p = p->next, i++) {
		const struct oclmm_shared_parameter *parameter = &builder->shared->parameters[i];

		if (p->by_value &&
		    oclmm_declare_const(builder, p->name, parameter->type, parameter->value))
			return -EINVAL;
	}
	return 0;
}

/** A loop, a round of it, or the body of a function or thread, that may be left before its end. */
struct build_leave {
	enum build_left {
		LEFT_BODY,
		LEFT_LOOP,  /**< or a `switch`: what `break` leaves */
		LEFT_ROUND, /**< of a loop: what `continue` leaves */
	} kind;
	bool used;    /**< something leaves it */
	uint32_t reg; /**< that is 1 once it was left */
	const struct build_leave *outer;
};

/* ---- `break` and `return` ---- */

static bool is_loop(const struct tree_statement *one)
{
	return one->kind == TREE_WHILE || one->kind == TREE_DO || one->kind == TREE_FOR;
}

/* Whether a `break` or `continue` within it, as `kind` says, is its own. */
static bool takes(const struct tree_statement *one, enum tree_statement_kind kind)
{
	return (kind != TREE_RETURN && is_loop(one)) ||
	       (kind == TREE_BREAK && one->kind == TREE_SWITCH);
}

/* In the statement, or within it unless it is taken there. */
static bool has(const struct tree_statement *one, enum tree_statement_kind kind)
{
	const struct tree_statement *parts[] = {one->body, one->else_body};

	if (one->kind == kind)
		return true;
	if (takes(one, kind))
		return false;
	for (size_t i = 0; i < OCLMM_COUNT(parts); i++) {
		for (const struct tree_statement *part = parts[i]; part; part = part->next) {
			if (has(part, kind))
				return true;
		}
	}
	return false;
}

static bool list_has(const struct tree_statement *list, enum tree_statement_kind kind)
{
	while (list && !has(list, kind))
		list = list->next;
	return list != NULL;
}

/* A `return` at the very end skips nothing. */
static bool returns_early(const struct tree_statement *list)
{
	while (list && !has(list, TREE_RETURN))
		list = list->next;
	return list && (list->next || list->kind != TREE_RETURN);
}

static struct oclmm_statement *set_left(struct builder *builder, const struct syntax_token *at,
                                        const struct build_leave *leave, int64_t value)
{
	return oclmm_make_assign(builder, at, leave->reg,
	                         oclmm_make_known(builder, at, OCLMM_TYPE_INT, value));
}

/* Adds the register that is set where it is left: the same one each time that a function is
 * inlined. */
static int begin_leave(struct builder *builder, const struct syntax_token *at,
                       struct build_leave *leave, struct oclmm_statement **ret_first)
{
	static const char *const names[] = {
		[LEFT_BODY] = "has_returned",
		[LEFT_LOOP] = "loop_is_left",
		[LEFT_ROUND] = "round_is_left",
	};
	const char *name = names[leave->kind];

	if (builder->call)
		name = oclmm_arena_printf(builder->arena, "%s_%s",
		                          builder->call->function->name->text, name);
	leave->outer = builder->leave;
	builder->leave = leave;
	if (!leave->used)
		return 0;
	if (oclmm_add_hidden(builder, at, name, 1 + (leave->kind == LEFT_ROUND), OCLMM_TYPE_INT,
	                     &leave->reg))
		return -EINVAL;
	*ret_first = set_left(builder, at, leave, 0);
	return 0;
}

static int begin_loop(struct builder *builder, const struct tree_statement *loop,
                      struct build_leave *leave, struct oclmm_statement **ret_first)
{
	*leave = (struct build_leave){.kind = LEFT_LOOP, .used = list_has(loop->body, TREE_BREAK)};
	return begin_leave(builder, loop->at, leave, ret_first);
}

static const struct build_leave *find_leave(const struct builder *builder, enum build_left kind)
{
	const struct build_leave *leave = builder->leave;

	while (leave && leave->kind != kind) {
		/* a function knows nothing of the loop that it is called in */
		if (leave->kind == LEFT_BODY)
			return NULL;
		leave = leave->outer;
	}
	return leave;
}

static struct oclmm_expression *join_conditions(struct builder *builder,
                                                const struct syntax_token *at,
                                                struct oclmm_expression *left,
                                                struct oclmm_expression *right)
{
	struct oclmm_expression *both;

	if (!left || !right)
		return left ? left : right;
	both = oclmm_make_node(builder, OCLMM_EXPRESSION_BINARY, OCLMM_TYPE_INT, at);
	both->binary = (struct oclmm_binary){OCLMM_OPERATOR_LOGICAL_AND, left, right};
	return both;
}

static struct oclmm_expression *is_not(struct builder *builder, const struct syntax_token *at,
                                       const struct build_leave *leave)
{
	struct oclmm_expression *negation;

	if (!leave || !leave->used)
		return NULL;
	negation = oclmm_make_node(builder, OCLMM_EXPRESSION_UNARY, OCLMM_TYPE_INT, at);
	negation->unary = (struct oclmm_unary){OCLMM_OPERATOR_NOT,
	                                       oclmm_make_register(builder, at, leave->reg)};
	return negation;
}

/* The condition that no `break`, `continue` and `return` has left anything, or NULL where none can.
 */
static struct oclmm_expression *if_not_left(struct builder *builder, const struct syntax_token *at,
                                            bool may_break, bool may_continue, bool may_return)
{
	const bool may[] = {
		[LEFT_BODY] = may_return, [LEFT_LOOP] = may_break, [LEFT_ROUND] = may_continue};
	static const enum build_left order[] = {LEFT_LOOP, LEFT_ROUND, LEFT_BODY};
	struct oclmm_expression *all = NULL;

	for (size_t i = 0; i < OCLMM_COUNT(order); i++)
		if (may[order[i]])
			all = join_conditions(builder, at, all,
			                      is_not(builder, at, find_leave(builder, order[i])));
	return all;
}

/* The condition of a loop that also ends when it is left. Both may be NULL, for none. */
static struct oclmm_expression *while_not_left(struct builder *builder,
                                               const struct syntax_token *at,
                                               const struct tree_statement *loop,
                                               struct oclmm_expression *condition)
{
	struct oclmm_expression *not_left = if_not_left(builder, at,
	                                                list_has(loop->body, TREE_BREAK), false,
	                                                list_has(loop->body, TREE_RETURN));
	int64_t always;

	if (not_left && condition && oclmm_constant_value(condition, &always) && always)
		return not_left;
	return join_conditions(builder, at, not_left, condition);
}

/* Puts what follows a statement that leaves something into an `if`, and moves `*last` there.
 */
static void leave_out(struct builder *builder, const struct tree_statement *before,
                      struct oclmm_statement ***last)
{
	const struct syntax_token *at = before->next ? before->next->at : NULL;
	struct oclmm_expression *not_left;

	if (!at)
		return;
	not_left = if_not_left(builder, at, has(before, TREE_BREAK), has(before, TREE_CONTINUE),
	                       has(before, TREE_RETURN));
	if (!not_left)
		return;
	**last = oclmm_make_statement(builder, OCLMM_STATEMENT_IF, at);
	(**last)->branch.condition = not_left;
	*last = &(**last)->branch.then_body;
}

static int build_break(struct builder *builder, const struct tree_statement *tree,
                       struct oclmm_statement **ret_statement)
{
	const struct build_leave *leave =
		find_leave(builder, tree->kind == TREE_BREAK ? LEFT_LOOP : LEFT_ROUND);

	if (oclmm_check_shared(builder, tree->at))
		return -EINVAL;
	if (!leave)
		return REFUSE(builder, tree->at, NULL, "`%s` stands in no loop", tree->at->text);
	*ret_statement = set_left(builder, tree->at, leave, 1);
	return 0;
}

static int build_return(struct builder *builder, const struct tree_statement *tree,
                        struct oclmm_statement **ret_first)
{
	const struct build_leave *leave = find_leave(builder, LEFT_BODY);
	const struct build_call *call = builder->call;
	struct oclmm_statement **last = ret_first;
	struct oclmm_expression *value;

	if (oclmm_check_shared(builder, tree->at))
		return -EINVAL;
	if (!call && tree->expression)
		return REFUSE(builder, tree->at, "write `return;`", "a thread gives no value");
	if (tree->expression) {
		if (oclmm_read_value(builder, tree->expression,
		                     builder->thread->registers[call->result].type, &value))
			return -EINVAL;
		*last = oclmm_make_assign(builder, tree->at, call->result, value);
		last = &(*last)->next;
	}
	if (leave->used)
		*last = set_left(builder, tree->at, leave, 1);
	return 0;
}

/* ---- `while`, `do` and `for (;;)` ---- */

static int build_block(struct builder *builder, const struct tree_statement *tree,
                       struct oclmm_statement **ret_first);

/* The braces of a branch are part of it, not a block of their own. */
static int build_inner(struct builder *builder, const struct tree_statement *body,
                       struct oclmm_statement **ret_first)
{
	return build_block(builder, body && body->kind == TREE_BLOCK ? body->body : body,
	                   ret_first);
}

static struct oclmm_statement **end_of(struct oclmm_statement **last)
{
	while (*last)
		last = &(*last)->next;
	return last;
}

/* The body of a loop, which `continue` leaves. */
static int build_once(struct builder *builder, const struct tree_statement *loop,
                      struct oclmm_statement **last)
{
	const struct build_leave *outer = builder->leave;
	struct build_leave round = {.kind = LEFT_ROUND,
	                            .used = list_has(loop->body, TREE_CONTINUE)};

	if (begin_leave(builder, loop->at, &round, last) ||
	    build_inner(builder, loop->body, end_of(last)))
		return -EINVAL;
	builder->leave = outer;
	return 0;
}

static int count_round(struct builder *builder, const struct syntax_token *at)
{
	if (builder->rounds++ == SYNTAX_MAX_ROUNDS)
		return REFUSE(builder, at, NULL,
		              "the loops of P%u have more than %d rounds together",
		              builder->thread->id, SYNTAX_MAX_ROUNDS);
	return 0;
}

/* The condition of a loop, and what has to be done each time before it is evaluated. */
static int build_condition(struct builder *builder, const struct tree_statement *tree,
                           struct oclmm_statement **ret_first,
                           struct oclmm_expression **ret_condition)
{
	struct build_full full = {.last = &full.first};
	struct oclmm_statement loop = {.kind = OCLMM_STATEMENT_WHILE};

	if (!tree->expression)
		return 0;
	builder->full = &full;
	loop.loop.condition = oclmm_read_expression(builder, tree->expression);
	builder->full = NULL;
	if (!loop.loop.condition)
		return -EINVAL;
	*ret_first = full.first;
	*ret_condition = loop.loop.condition;
	if (full.calls && oclmm_check_full(builder, tree->at, &loop))
		return -EINVAL;
	return oclmm_check_registers(builder, tree->at, full.used, &loop);
}

/* A loop that was left does not evaluate its condition. */
static struct oclmm_statement *unless_left(struct builder *builder,
                                           const struct tree_statement *tree,
                                           struct oclmm_statement *first)
{
	struct oclmm_expression *stays = while_not_left(builder, tree->at, tree, NULL);
	struct oclmm_statement *branch;

	if (!first || !stays)
		return first;
	branch = oclmm_make_statement(builder, OCLMM_STATEMENT_IF, tree->at);
	branch->branch = (struct oclmm_branch){.condition = stays, .then_body = first};
	return branch;
}

static int build_rounds(struct builder *builder, const struct tree_statement *tree,
                        const struct syntax_token *at, struct oclmm_statement **ret_first)
{
	struct oclmm_statement *loop = oclmm_make_statement(builder, OCLMM_STATEMENT_WHILE, at);
	struct oclmm_statement *before = NULL, *again = NULL, **last = &loop->loop.body;
	struct oclmm_expression *condition = NULL;
	int64_t more;

	loop->loop.of_do = tree->kind == TREE_DO;
	if (build_condition(builder, tree, &before, &condition))
		return -EINVAL;
	/* macros put statements together by `do { ... } while (0)` */
	if (tree->kind == TREE_DO && !before && oclmm_constant_value(condition, &more) && !more)
		return 0;
	loop->loop.condition = while_not_left(builder, at, tree, condition);
	if (!loop->loop.condition)
		return REFUSE(builder, at, "write `break` where it ends: `if (r0 == 1) break;`",
		              "no statement leaves the loop");
	if (build_once(builder, tree, last))
		return -EINVAL;
	if (before &&
	    (count_round(builder, tree->at) || build_condition(builder, tree, &again, &condition)))
		return -EINVAL;
	*end_of(last) = unless_left(builder, tree, again);
	*end_of(&before) = loop;
	/* the body of a `do` ran before, and may have left it */
	*ret_first = tree->kind == TREE_DO && before != loop ? unless_left(builder, tree, before)
	                                                     : before;
	return 0;
}

/* A `do` is its body, followed by a `while`. */
static int build_loop(struct builder *builder, const struct tree_statement *tree,
                      struct oclmm_statement **ret_first)
{
	const struct build_leave *outer = builder->leave;
	struct oclmm_statement *first = NULL;
	struct build_leave leave;

	if ((tree->kind == TREE_DO || !tree->expression) && oclmm_check_shared(builder, tree->at))
		return -EINVAL;
	if (begin_loop(builder, tree, &leave, &first))
		return -EINVAL;
	if (tree->kind == TREE_DO &&
	    (count_round(builder, tree->at) || build_once(builder, tree, end_of(&first))))
		return -EINVAL;
	if (build_rounds(builder, tree, tree->kind == TREE_DO ? tree->length : tree->at,
	                 end_of(&first)))
		return -EINVAL;
	builder->leave = outer;
	*ret_first = first;
	return 0;
}

/* ---- `for` with constant bounds ---- */

/* The variable is a constant in each round, not a register, so that it can index anything. */

static const char use_while[] =
	"write `while (...)`, with an `unroll N` line before the init block";

static const char is_known[] =
	"use a `const` register whose value is known; or write `while (...)`, with an "
	"`unroll N` line before the init block";

static const char make_known[] =
	"all that it depends on has to be known: make a parameter `const`, and pass a constant; "
	"or write `while (...)`";

/* Whether it is made of constants only. If such an expression has no value, it is undefined in C.
 */
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

/* Evaluates an expression of constants and variables of loops. */
static int evaluate_bound(struct builder *builder, const struct tree_expression *tree,
                          const char *what, int64_t *ret_value)
{
	struct oclmm_expression *value;

	/* it is evaluated again in each round, and a call would have to be done each time */
	builder->full = NULL;
	value = oclmm_read_expression(builder, tree);
	if (!value)
		return -EINVAL;
	if (!oclmm_constant_value(value, ret_value) && is_constant(value))
		return REFUSE(builder, oclmm_first_word(tree),
		              "a signed value does not fit its type, or is divided by zero",
		              "%s a `for` is undefined", what);
	if (!oclmm_constant_value(value, ret_value))
		return REFUSE(builder, oclmm_first_word(tree),
		              builder->call ? make_known : is_known, "%s a `for` is not constant",
		              what);
	return 0;
}

/* The value that the counter gets, which is converted to its type as in any assignment. */
static int set_counter(struct builder *builder, const struct tree_expression *tree,
                       const char *what, struct build_name *counter)
{
	int64_t value;

	if (evaluate_bound(builder, tree, what, &value))
		return -EINVAL;
	counter->value = oclmm_value_wrap(counter->type.type, value);
	return 0;
}

/* `int i = 0`, or `i = 0` of a register, whose number is then given; -1 else. */
static int begin_for(struct builder *builder, const struct tree_statement *first,
                     struct build_name *counter, int *ret_register)
{
	*ret_register = -1;
	counter->name = first->at;
	if (first->kind == TREE_DECLARATION) {
		if (oclmm_read_register_type(builder, first->specifiers, &counter->type.type))
			return -EINVAL;
		if (oclmm_type_is_floating(counter->type.type))
			return REFUSE(builder, first->specifiers->at, NULL,
			              "the variable of a `for` is an integer");
		if (!first->expression)
			return REFUSE(builder, first->at, use_while,
			              "the variable of a `for` has no first value");
	} else {
		const struct syntax_token *at = oclmm_first_word(first->target);

		counter->name = at;
		if (first->target->kind == TREE_NAME && !oclmm_find_counter(builder, at->text))
			*ret_register = oclmm_find_register(builder, at->text);
		if (*ret_register < 0)
			return REFUSE(builder, at, "write `for (int i = 0; ...)`",
			              "the variable of a `for` is a register of its own");
		counter->type.type = builder->thread->registers[*ret_register].type;
	}
	if (*ret_register < 0 && (oclmm_find_object(builder, counter->name->text) >= 0 ||
	                          oclmm_find_name(builder, counter->name->text)))
		return REFUSE(builder, counter->name, NULL, "`%s` is declared around the loop",
		              counter->name->text);
	return set_counter(builder, first->expression, "the first value of", counter);
}

static int check_step(const struct builder *builder, const struct tree_statement *step,
                      const struct build_name *counter)
{
	const struct syntax_token *at = oclmm_first_word(step->target);

	if (step->target->kind == TREE_NAME && strcmp(at->text, counter->name->text) == 0)
		return 0;
	return REFUSE(builder, at, use_while, "the step of a `for` sets its variable, `%s`",
	              counter->name->text);
}

/* Sets the register that serves as the variable, in a round or after the loop. */
static struct oclmm_statement *assign_counter(struct builder *builder,
                                              const struct build_name *counter, uint32_t reg)
{
	return oclmm_make_assign(builder, counter->name, reg,
	                         oclmm_make_known(builder, counter->name, counter->type.type,
	                                          counter->value));
}

/*
 * One round, or, behind the last one, the final value of the register (`reg` -1: there is none).
 * In a loop that may be left every round but the first stands in an `if`, and the register is
 * set at its beginning.
 */
static int build_round(struct builder *builder, const struct tree_statement *tree,
                       const struct build_name *counter, int reg, bool goes_on, bool first,
                       struct oclmm_statement **last)
{
	struct oclmm_expression *stays = while_not_left(builder, tree->at, tree, NULL);

	if (!goes_on && reg < 0)
		return 0;
	if (stays && !first) {
		*last = oclmm_make_statement(builder, OCLMM_STATEMENT_IF, tree->at);
		(*last)->branch.condition = stays;
		last = &(*last)->branch.then_body;
	}
	if (reg >= 0 && (stays || !goes_on))
		*last = assign_counter(builder, counter, (uint32_t)reg);
	return goes_on ? build_once(builder, tree, end_of(last)) : 0;
}

static int unroll(struct builder *builder, const struct tree_statement *tree,
                  struct build_name *counter, int reg, struct oclmm_statement **last)
{
	for (uint32_t round = 0;; round++) {
		int64_t goes_on;

		if (evaluate_bound(builder, tree->expression, "the condition of", &goes_on))
			return -EINVAL;
		if (goes_on && round == SYNTAX_MAX_UNROLL)
			return REFUSE(builder, tree->at,
			              "write as many as matter: each is written out",
			              "the loop has more than %d rounds", SYNTAX_MAX_UNROLL);
		if ((goes_on && count_round(builder, tree->at)) ||
		    build_round(builder, tree, counter, reg, goes_on, round == 0, last))
			return -EINVAL;
		if (!goes_on)
			return 0;
		last = end_of(last);
		if (set_counter(builder, tree->step->expression, "the step of", counter))
			return -EINVAL;
	}
}

/* Whether an element of a private array or of constants is named by more than a number: what names
 * it has to be constant, as the variable of a loop is whose rounds are written out. */
static bool indexes(const struct builder *builder, const struct tree_expression *e)
{
	if (!e)
		return false;
	if (e->kind == TREE_INDEX && e->right->kind != TREE_NUMBER && oclmm_find_array(builder, e))
		return true;
	for (const struct tree_expression *a = e->arguments; a; a = a->next)
		if (indexes(builder, a))
			return true;
	return indexes(builder, e->left) || indexes(builder, e->right);
}

static bool list_indexes(const struct builder *builder, const struct tree_statement *list)
{
	for (; list; list = list->next)
		if (list->kind == TREE_ARRAY || indexes(builder, list->expression) ||
		    indexes(builder, list->target) || list_indexes(builder, list->body) ||
		    list_indexes(builder, list->else_body) || list_indexes(builder, list->first) ||
		    list_indexes(builder, list->step))
			return true;
	return false;
}

static int build_statement(struct builder *builder, const struct tree_statement *tree,
                           struct oclmm_statement **ret_first);

/* `{ first; while (condition) { body step } }`, with the variable in a register. */
static int build_for_as_while(struct builder *builder, const struct tree_statement *tree,
                              struct oclmm_statement **ret_first)
{
	struct build_block block = {.outer = builder->block};
	const struct build_leave *outer = builder->leave;
	const struct build_name *names = builder->names;
	struct oclmm_statement *loop = oclmm_make_statement(builder, OCLMM_STATEMENT_WHILE,
	                                                    tree->at);
	struct oclmm_statement *first = NULL, *step = NULL;
	struct oclmm_expression *condition = NULL;
	struct build_leave leave;

	builder->block = &block;
	if (begin_loop(builder, tree, &leave, &first) ||
	    build_statement(builder, tree->first, end_of(&first)))
		return -EINVAL;
	if (build_condition(builder, tree, end_of(&first), &condition))
		return -EINVAL;
	loop->loop.condition = while_not_left(builder, tree->at, tree, condition);
	if (build_once(builder, tree, &loop->loop.body) ||
	    build_statement(builder, tree->step, &step))
		return -EINVAL;
	*end_of(&loop->loop.body) = unless_left(builder, tree, step);
	*end_of(&first) = loop;
	builder->leave = outer;
	builder->block = block.outer;
	builder->names = names;
	builder->closed |= block.declared;
	*ret_first = first;
	return 0;
}

static int build_for(struct builder *builder, const struct tree_statement *tree,
                     struct oclmm_statement **ret_first)
{
	struct build_name counter = {.kind = BUILD_COUNTER, .outer = builder->names};
	const struct build_leave *outer = builder->leave;
	struct oclmm_statement *first = NULL;
	struct build_leave leave;
	int reg = -1;

	/* where work-items share a text they may turn differently often */
	if (builder->shared && !list_indexes(builder, tree->body))
		return build_for_as_while(builder, tree, ret_first);
	if (oclmm_check_shared(builder, tree->at) ||
	    begin_for(builder, tree->first, &counter, &reg) ||
	    check_step(builder, tree->step, &counter) || begin_loop(builder, tree, &leave, &first))
		return -EINVAL;
	builder->names = &counter;
	if (unroll(builder, tree, &counter, reg, end_of(&first)))
		return -EINVAL;
	builder->names = counter.outer;
	builder->leave = outer;
	*ret_first = first;
	return 0;
}

/* ---- statements ---- */

static int build_branch(struct builder *builder, const struct tree_statement *tree,
                        struct oclmm_statement **ret_statement)
{
	struct oclmm_statement *statement = oclmm_make_statement(builder, OCLMM_STATEMENT_IF,
	                                                         tree->at);
	struct oclmm_branch *branch = &statement->branch;

	branch->condition = oclmm_read_expression(builder, tree->expression);
	if (!branch->condition)
		return -EINVAL;
	if (build_inner(builder, tree->body, &branch->then_body) ||
	    build_inner(builder, tree->else_body, &branch->else_body))
		return -EINVAL;
	*ret_statement = statement;
	return 0;
}

/* ---- `switch` ---- */

/* The statements between two labels, without the `break` at their end. */
struct segment {
	const struct tree_statement *label; /* the first of one or more */
	struct tree_statement *body;
	bool falls_in; /* from the segment before it */
	struct segment *next;
};

/* Statements that end a list for good. */
static bool leaves(const struct tree_statement *one)
{
	return one->kind == TREE_BREAK || one->kind == TREE_CONTINUE || one->kind == TREE_RETURN;
}

static bool is_label(const struct tree_statement *one)
{
	return one->kind == TREE_CASE || one->kind == TREE_DEFAULT;
}

static int cut_segments(struct builder *builder, const struct tree_statement *tree,
                        struct segment **ret_first)
{
	const struct tree_statement *s = tree->body;
	struct segment **last = ret_first;
	bool falls = false;

	*ret_first = NULL;
	if (s && !is_label(s))
		return REFUSE(builder, s->at, NULL, "this stands before the first `case`");
	while (s) {
		struct segment *segment = OCLMM_NEW(builder->arena, struct segment);
		struct tree_statement **end = &segment->body;

		segment->label = s;
		segment->falls_in = falls;
		while (s && is_label(s))
			s = s->next;
		falls = true;
		for (; s && !is_label(s); s = s->next) {
			falls = !leaves(s);
			if (s->kind == TREE_BREAK && (!s->next || is_label(s->next)))
				continue;
			*end = oclmm_arena_copy(builder->arena, s, sizeof(*s));
			(*end)->next = NULL;
			end = &(*end)->next;
		}
		*last = segment;
		last = &segment->next;
	}
	return 0;
}

static struct oclmm_expression *equals(struct builder *builder, const struct syntax_token *at,
                                       enum oclmm_operator op, uint32_t reg, int64_t value)
{
	struct oclmm_expression *e = oclmm_make_node(builder, OCLMM_EXPRESSION_BINARY,
	                                             OCLMM_TYPE_INT, at);

	e->binary = (struct oclmm_binary){
		op, oclmm_make_register(builder, at, reg),
		oclmm_make_known(builder, at, builder->thread->registers[reg].type, value)};
	return e;
}

static int read_case(struct builder *builder, const struct tree_statement *label,
                     enum oclmm_type type, int64_t *ret_value)
{
	struct oclmm_expression *value;

	builder->full = NULL;
	value = oclmm_read_expression(builder, label->expression);
	if (!value)
		return -EINVAL;
	if (!oclmm_constant_value(value, ret_value))
		return REFUSE(builder, oclmm_first_word(label->expression), NULL,
		              "a `case` is not constant");
	*ret_value = oclmm_value_wrap(type, *ret_value);
	return 0;
}

static int check_case(const struct builder *builder, const struct tree_statement *label,
                      const int64_t *values, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (values[i] == values[count])
			return REFUSE(builder, label->at, NULL, "two cases have this value");
	return 0;
}

/* All values that have a `case`. */
static int list_cases(struct builder *builder, const struct tree_statement *tree,
                      enum oclmm_type type, int64_t **ret_values, size_t *ret_count)
{
	const struct tree_statement *s;
	bool has_default = false;
	size_t count = 0;

	for (s = tree->body; s; s = s->next)
		count += s->kind == TREE_CASE;
	*ret_values = OCLMM_NEW_ARRAY(builder->arena, int64_t, count + 1);
	count = 0;
	for (s = tree->body; s; s = s->next) {
		if (s->kind == TREE_DEFAULT && has_default)
			return REFUSE(builder, s->at, NULL, "`default` stands twice");
		has_default |= s->kind == TREE_DEFAULT;
		if (s->kind != TREE_CASE)
			continue;
		if (read_case(builder, s, type, &(*ret_values)[count]) ||
		    check_case(builder, s, *ret_values, count))
			return -EINVAL;
		count++;
	}
	*ret_count = count;
	return 0;
}

struct choosing {
	uint32_t value;   /* register of the value */
	uint32_t matched; /* register that says that an earlier segment falls through */
	bool falls;       /* some segment does */
	const int64_t *values;
	size_t count;
};

static struct oclmm_expression *join(struct builder *builder, const struct syntax_token *at,
                                     enum oclmm_operator op, struct oclmm_expression *left,
                                     struct oclmm_expression *right)
{
	struct oclmm_expression *both;

	if (!left)
		return right;
	both = oclmm_make_node(builder, OCLMM_EXPRESSION_BINARY, OCLMM_TYPE_INT, at);
	both->binary = (struct oclmm_binary){op, left, right};
	return both;
}

/* That the value is one of the segment's, or else none of all where it is `default`. */
static int match(struct builder *builder, const struct choosing *choosing,
                 const struct segment *segment, struct oclmm_expression **ret_condition)
{
	struct oclmm_expression *own = NULL, *none = NULL;
	const struct syntax_token *at = segment->label->at;
	enum oclmm_type type = builder->thread->registers[choosing->value].type;
	bool is_default = false;

	for (const struct tree_statement *s = segment->label; s && is_label(s); s = s->next) {
		int64_t value;

		is_default |= s->kind == TREE_DEFAULT;
		if (s->kind == TREE_DEFAULT)
			continue;
		if (read_case(builder, s, type, &value))
			return -EINVAL;
		own = join(builder, at, OCLMM_OPERATOR_LOGICAL_OR, own,
		           equals(builder, at, OCLMM_OPERATOR_EQ, choosing->value, value));
	}
	for (size_t i = 0; is_default && i < choosing->count; i++)
		none = join(builder, at, OCLMM_OPERATOR_LOGICAL_AND, none,
		            equals(builder, at, OCLMM_OPERATOR_NE, choosing->value,
		                   choosing->values[i]));
	if (is_default && !none)
		none = oclmm_make_known(builder, at, OCLMM_TYPE_INT, 1);
	*ret_condition = none ? join(builder, at, OCLMM_OPERATOR_LOGICAL_OR, own, none) : own;
	return 0;
}

static struct oclmm_statement *set_matched(struct builder *builder, const struct choosing *choosing,
                                           const struct syntax_token *at, int64_t value)
{
	return oclmm_make_assign(builder, at, choosing->matched,
	                         oclmm_make_known(builder, at, OCLMM_TYPE_INT, value));
}

static int build_segment(struct builder *builder, const struct choosing *choosing,
                         const struct segment *segment, struct oclmm_statement **ret_statement)
{
	const struct syntax_token *at = segment->label->at;
	struct oclmm_statement *branch = oclmm_make_statement(builder, OCLMM_STATEMENT_IF, at);
	struct oclmm_expression *left = is_not(builder, at, builder->leave), *condition;
	struct oclmm_statement **last = &branch->branch.then_body;

	if (match(builder, choosing, segment, &condition))
		return -EINVAL;
	if (segment->falls_in)
		condition = join(builder, at, OCLMM_OPERATOR_LOGICAL_OR,
		                 oclmm_make_register(builder, at, choosing->matched), condition);
	if (segment->falls_in && left)
		condition = join(builder, at, OCLMM_OPERATOR_LOGICAL_AND, left, condition);
	branch->branch.condition = condition;
	*ret_statement = branch;
	if (segment->next && segment->next->falls_in) {
		/* a chain of segments begins here, or goes on */
		if (!segment->falls_in) {
			*ret_statement = set_matched(builder, choosing, at, 0);
			(*ret_statement)->next = branch;
		}
		*last = set_matched(builder, choosing, at, 1);
		last = &(*last)->next;
	}
	return build_block(builder, segment->body, last);
}

/*
 * An `if` for each segment. The value is in a register; another one says that a segment was
 * entered, where one falls through to the next. No `case` is entered twice: their values differ.
 */
static int build_switch(struct builder *builder, const struct tree_statement *tree,
                        struct oclmm_statement **ret_first)
{
	struct build_leave leave = {.kind = LEFT_LOOP};
	const struct build_leave *outer = builder->leave;
	struct choosing choosing = {0};
	struct oclmm_expression *value;
	struct oclmm_statement *first = NULL;
	struct segment *segments = NULL;
	int64_t *values = NULL;
	enum oclmm_type type;

	if (oclmm_check_shared(builder, tree->at))
		return -EINVAL;
	value = oclmm_read_expression(builder, tree->expression);
	if (!value)
		return -EINVAL;
	if (oclmm_type_is_floating(value->type))
		return REFUSE(builder, oclmm_first_word(tree->expression), NULL,
		              "a `switch` takes an integer");
	type = oclmm_common_type(value->type, OCLMM_TYPE_INT);
	if (oclmm_add_hidden(builder, tree->at, "switch_value", 3, type, &choosing.value))
		return -EINVAL;
	first = oclmm_make_assign(builder, tree->at, choosing.value, value);
	if (cut_segments(builder, tree, &segments) ||
	    list_cases(builder, tree, type, &values, &choosing.count))
		return -EINVAL;
	choosing.values = values;
	for (const struct segment *s = segments; s; s = s->next) {
		choosing.falls |= s->falls_in;
		leave.used |= list_has(s->body, TREE_BREAK);
	}
	if (choosing.falls && oclmm_add_hidden(builder, tree->at, "case_is_entered", 4,
	                                       OCLMM_TYPE_INT, &choosing.matched))
		return -EINVAL;
	if (begin_leave(builder, tree->at, &leave, end_of(&first)))
		return -EINVAL;
	for (const struct segment *s = segments; s; s = s->next)
		if (build_segment(builder, &choosing, s, end_of(&first)))
			return -EINVAL;
	builder->leave = outer;
	*ret_first = first;
	return 0;
}

static int build_own(struct builder *builder, const struct tree_statement *tree,
                     struct oclmm_statement **ret_statement)
{
	switch (tree->kind) {
	case TREE_IF: return build_branch(builder, tree, ret_statement);
	case TREE_WHILE:
	case TREE_DO: return build_loop(builder, tree, ret_statement);
	case TREE_FOR: return build_for(builder, tree, ret_statement);
	case TREE_SWITCH: return build_switch(builder, tree, ret_statement);
	case TREE_CASE:
	case TREE_DEFAULT:
		return REFUSE(builder, tree->at, NULL, "`%s` stands in no switch", tree->at->text);
	case TREE_CONTINUE:
	case TREE_BREAK: return build_break(builder, tree, ret_statement);
	case TREE_RETURN: return build_return(builder, tree, ret_statement);
	case TREE_BLOCK: break;
	default: return read_simple(builder, tree, ret_statement);
	}
	if (oclmm_check_shared(builder, tree->at))
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

	builder->full = &full;
	if (build_own(builder, tree, &own))
		return -EINVAL;
	if (own && full.calls && oclmm_check_full(builder, tree->at, own))
		return -EINVAL;
	/* loops check their conditions themselves */
	if (own && tree->kind != TREE_BLOCK && tree->kind != TREE_FOR && tree->kind != TREE_WHILE &&
	    tree->kind != TREE_DO && oclmm_check_registers(builder, tree->at, full.used, own))
		return -EINVAL;
	builder->full = outer;
	*full.last = own;
	*ret_first = full.first;
	return 0;
}

/* A list of statements, into which blocks within it are merged. A register belongs to the whole
 * thread, but its name is known only until its block ends. */
static int build_block(struct builder *builder, const struct tree_statement *tree,
                       struct oclmm_statement **ret_first)
{
	struct build_block block = {.outer = builder->block};
	const struct build_name *names = builder->names;
	struct oclmm_statement *first = NULL;
	struct oclmm_statement **last = &first;

	builder->block = &block;
	for (; tree; tree = tree->next) {
		/* calls and loops are written out in each variant: short files may be large then */
		if (oclmm_arena_held(builder->arena) > (size_t)SYNTAX_MAX_MEMORY << 20)
			return REFUSE(builder, tree->at, "give it fewer variants, calls or rounds",
			              "the variants of this file take more than %d MiB of memory",
			              SYNTAX_MAX_MEMORY);
		if (build_statement(builder, tree, last))
			return -EINVAL;
		last = end_of(last);
		leave_out(builder, tree, &last);
	}
	builder->block = block.outer;
	builder->names = names;
	builder->closed |= block.declared;
	*ret_first = first;
	return 0;
}

int oclmm_read_body(struct builder *builder, const struct syntax_token *at,
                    const struct tree_statement *body, struct oclmm_statement **ret_first)
{
	const struct build_leave *outer = builder->leave;
	const struct build_call *call = builder->call;
	struct build_leave leave = {.used = returns_early(body)};
	struct oclmm_statement *first = NULL;

	if (begin_leave(builder, at, &leave, &first))
		return -EINVAL;
	/* checks see a value on each path: the `if` that returns is not known to be taken */
	if (leave.used && call && call->function->specifiers)
		first->next = oclmm_make_assign(
			builder, at, call->result,
			oclmm_make_known(builder, at, builder->thread->registers[call->result].type,
		                         0));
	if (build_block(builder, body, end_of(&first)))
		return -EINVAL;
	builder->leave = outer;
	*ret_first = first;
	return 0;
}

static int build_bodies(struct builder *builder)
{
	const struct tree_thread *tree = builder->tree->threads;

	for (uint32_t i = 0; tree; tree = tree->next, i++) {
		builder->thread = &builder->program->threads[i];
		builder->rounds = 0;
		builder->inlined = 0;
		builder->locals = NULL;
		builder->child_events = NULL;
		builder->constants = 0;
		builder->closed = 0;
		builder->names = NULL;
		builder->item = tree->item;
		if (declare_arguments(builder))
			return -EINVAL;
		if (oclmm_read_body(builder, tree->name, tree->body, &builder->thread->body))
			return -EINVAL;
	}
	return 0;
}

/* ---- registers are set before they are read ---- */

/* A register that is read before it is set has no defined value in C. The set
 * of registers that are set on every path to a point is one machine word. */
typedef uint64_t register_set;

struct flow {
	const struct builder *builder;
	const struct oclmm_thread *thread;
	register_set set;
};

static int check_register(const struct flow *flow, uint32_t reg, const struct oclmm_position *at)
{
	if (flow->set & (UINT64_C(1) << reg))
		return 0;
	return oclmm_refuse(flow->builder->source, at,
	                    "give it a value on every path that leads here",
	                    "register `%s` may be read before it is set",
	                    flow->thread->registers[reg].name);
}

static int check_expression(void *data, const struct oclmm_expression *e)
{
	if (e->kind == OCLMM_EXPRESSION_REGISTER)
		return check_register(data, e->reg, &e->position);
	if (e->kind == OCLMM_EXPRESSION_ATOMIC &&
	    e->atomic->comparand.kind == OCLMM_COMPARAND_REGISTER)
		return check_register(data, e->atomic->comparand.reg, &e->position);
	return 0;
}

static int check_list(struct flow *flow, const struct oclmm_statement *statement);

/* Afterwards only those registers are set that both branches set. */
static int check_branch(struct flow *flow, const struct oclmm_branch *branch)
{
	register_set before = flow->set, then_set;
	int result = check_list(flow, branch->then_body);

	then_set = flow->set;
	flow->set = before;
	if (!result)
		result = check_list(flow, branch->else_body);
	flow->set &= then_set;
	return result;
}

/* A loop may run zero times, so what its body sets does not count. */
static int check_loop(struct flow *flow, const struct oclmm_loop *loop)
{
	register_set before = flow->set;
	int result = check_list(flow, loop->body);

	flow->set = before;
	return result;
}

static int check_list(struct flow *flow, const struct oclmm_statement *statement)
{
	static const struct oclmm_visitor visitor = {.expression = check_expression};
	int result = 0;

	for (; statement && !result; statement = statement->next) {
		result = oclmm_visit_statement(&visitor, statement, flow);
		if (result)
			break;
		if (statement->kind == OCLMM_STATEMENT_IF)
			result = check_branch(flow, &statement->branch);
		else if (statement->kind == OCLMM_STATEMENT_WHILE)
			result = check_loop(flow, &statement->loop);
		else if (statement->kind == OCLMM_STATEMENT_ASSIGN)
			flow->set |= UINT64_C(1) << statement->assign.reg;
	}
	return result;
}

static int check_flow(const struct builder *builder)
{
	const struct oclmm_program *program = builder->program;
	int result = 0;

	for (uint32_t i = 0; i < program->thread_count && !result; i++) {
		struct flow flow = {builder, &program->threads[i], 0};

		for (uint32_t k = 0; k < flow.thread->register_count; k++) {
			if (flow.thread->registers[k].has_initial)
				flow.set |= UINT64_C(1) << k;
		}
		result = check_list(&flow, flow.thread->body);
	}
	return result;
}

/* ---- every loop ends ---- */

/*
 * Every loop of a test has to end. Either the `unroll` line bounds it, or its
 * registers hold constants and it can be run here: then the number of its
 * iterations is known.
 */
enum {
	MOST_ITERATIONS = SYNTAX_MAX_UNROLL,
	MOST_STEPS = 1 << 16,
};

struct run {
	const struct builder *builder;
	const struct oclmm_thread *thread;
	unsigned steps;
};

/* A failing compare-exchange writes the register that it expects a value in. */
static int forget_expected(void *data, const struct oclmm_expression *e)
{
	struct build_state *state = data;

	if (e->kind == OCLMM_EXPRESSION_ATOMIC &&
	    e->atomic->comparand.kind == OCLMM_COMPARAND_REGISTER)
		state->known &= ~(UINT64_C(1) << e->atomic->comparand.reg);
	return 0;
}

static int forget_assigned(void *data, const struct oclmm_statement *statement)
{
	struct build_state *state = data;

	if (statement->kind == OCLMM_STATEMENT_ASSIGN)
		state->known &= ~(UINT64_C(1) << statement->assign.reg);
	return 0;
}

/* Forget the registers that expressions, or statements, may write. */
static const struct oclmm_visitor forget_effects = {.expression = forget_expected};

static const struct oclmm_visitor forget_written = {.expression = forget_expected,
                                                    .statement = forget_assigned};

static void set_register(const struct run *run, struct build_state *state,
                         const struct oclmm_assign *assign)
{
	uint64_t bit = UINT64_C(1) << assign->reg;
	int64_t value;

	if (!oclmm_evaluate(state, assign->value, &value)) {
		state->known &= ~bit;
		return;
	}
	state->known |= bit;
	state->values[assign->reg] = oclmm_value_wrap(run->thread->registers[assign->reg].type,
	                                              value);
}

static void join_states(struct build_state *state, const struct build_state *other)
{
	state->known &= other->known;
	for (uint32_t i = 0; i < SYNTAX_MAX_REGISTERS; i++) {
		if (state->values[i] != other->values[i])
			state->known &= ~(UINT64_C(1) << i);
	}
}

static int run_list(struct run *run, struct oclmm_statement *statement, struct build_state *state);

static int refuse_loop(const struct run *run, const struct oclmm_statement *loop, const char *note,
                       const char *message)
{
	return oclmm_refuse(run->builder->source, &loop->position, note, "%s", message);
}

static int run_unknown_loop(struct run *run, struct oclmm_statement *loop,
                            struct build_state *state)
{
	uint32_t unroll = run->builder->unroll;

	/* run step by step it needs none; a search goes so far */
	if (!unroll && run->builder->shared)
		unroll = SYNTAX_MAX_UNROLL;
	if (!unroll)
		return refuse_loop(run, loop, "give a bound before the init block: `unroll 2`",
		                   "the loop is not bounded");
	loop->loop.unroll = unroll;
	oclmm_visit_statement(&forget_effects, loop, state);
	oclmm_visit_body(&forget_written, loop->loop.body, state);
	return run_list(run, loop->loop.body, state);
}

/* Runs a loop as long as its condition is known. */
static int run_loop(struct run *run, struct oclmm_statement *statement, struct build_state *state)
{
	struct oclmm_loop *loop = &statement->loop;
	const struct build_state entry = *state;
	uint32_t count = 0;
	int64_t value;

	while (oclmm_evaluate(state, loop->condition, &value)) {
		int result;

		if (!value) {
			if (count > loop->unroll)
				loop->unroll = count;
			if (run->builder->unroll && count > run->builder->unroll)
				return refuse_loop(
					run, statement, NULL,
					"the loop runs longer than the `unroll` line says");
			return 0;
		}
		if (++count > MOST_ITERATIONS || run->steps > MOST_STEPS)
			return refuse_loop(run, statement, "a loop has at most 64 iterations",
			                   "the loop runs too long");
		result = run_list(run, loop->body, state);
		if (result)
			return result;
	}
	*state = entry;
	return run_unknown_loop(run, statement, state);
}

static int run_branch(struct run *run, struct oclmm_statement *statement, struct build_state *state)
{
	struct oclmm_branch *branch = &statement->branch;
	struct build_state other = *state;
	int64_t value;
	int result;

	if (oclmm_evaluate(state, branch->condition, &value)) {
		/* the branch not taken may hold a loop that needs a bound all the same */
		result = run_list(run, value ? branch->else_body : branch->then_body, &other);
		return result ? result
		              : run_list(run, value ? branch->then_body : branch->else_body, state);
	}
	oclmm_visit_statement(&forget_effects, statement, state);
	other = *state;
	result = run_list(run, branch->then_body, state);
	if (!result)
		result = run_list(run, branch->else_body, &other);
	join_states(state, &other);
	return result;
}

static int run_list(struct run *run, struct oclmm_statement *statement, struct build_state *state)
{
	int result = 0;

	for (; statement && !result; statement = statement->next) {
		run->steps++;
		switch (statement->kind) {
		case OCLMM_STATEMENT_IF: result = run_branch(run, statement, state); break;
		case OCLMM_STATEMENT_WHILE: result = run_loop(run, statement, state); break;
		case OCLMM_STATEMENT_ASSIGN:
			oclmm_visit_statement(&forget_effects, statement, state);
			set_register(run, state, &statement->assign);
			break;
		default: oclmm_visit_statement(&forget_effects, statement, state); break;
		}
	}
	return result;
}

static int bound_loops(struct builder *builder)
{
	int result = 0;

	for (uint32_t i = 0; i < builder->program->thread_count && !result; i++) {
		struct run run = {builder, &builder->program->threads[i], 0};
		struct build_state state = {0};

		for (uint32_t k = 0; k < run.thread->register_count; k++) {
			state.values[k] = run.thread->registers[k].initial;
			if (run.thread->registers[k].has_initial)
				state.known |= UINT64_C(1) << k;
		}
		result = run_list(&run, run.thread->body, &state);
	}
	return result;
}

static int check_bodies(struct builder *builder)
{
	if (check_flow(builder))
		return -EINVAL;
	return bound_loops(builder);
}

const struct construct oclmm_bodies = {.declare = build_bodies, .check = check_bodies};
