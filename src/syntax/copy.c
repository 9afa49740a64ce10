// SPDX-License-Identifier: Apache-2.0
/* Copies that a whole work-group makes, and the wait for them, C:6.15.11. */
#include "expression.h"

#include <errno.h>
#include <string.h>

static const char copy_word[] = "async_work_group_copy";

static const char strided_word[] = "async_work_group_strided_copy";

static const char wait_word[] = "wait_group_events";

static bool is_copy(const struct builder *builder, const char *name)
{
	(void)builder;
	return strcmp(name, copy_word) == 0 || strcmp(name, strided_word) == 0 ||
	       strcmp(name, wait_word) == 0;
}

static size_t list_names(struct oclmm_arena *arena, const char **names)
{
	(void)arena;
	names[0] = copy_word;
	names[1] = strided_word;
	names[2] = wait_word;
	return 3;
}

static int find_event(const struct builder *builder, const char *name)
{
	for (uint32_t i = 0; i < builder->thread->event_count; i++)
		if (strcmp(builder->thread->events[i], name) == 0)
			return (int)i;
	return -1;
}

bool oclmm_names_event(const struct builder *builder, const char *name)
{
	return find_event(builder, name) >= 0;
}

/* ---- arguments ---- */

static int check_type(const struct builder *builder, const struct tree_expression *tree,
                      uint32_t location)
{
	const struct syntax_token *at = oclmm_first_word(tree);
	struct build_type pointer = oclmm_pointer_type(builder, tree);

	if (pointer.atomic)
		return REFUSE(builder, at, "declare it plain in this thread",
		              "`%s` is atomic, and copies are of plain objects",
		              builder->program->locations[location].name);
	if (!pointer.space_given)
		return REFUSE(
			builder, at, "write `global` or `local` in the head of the thread",
			"`%s` is a generic pointer, and a copy goes from one address space to "
			"the other",
			builder->program->locations[location].name);
	return 0;
}

static int build_end(struct builder *builder, const struct tree_expression *tree,
                     struct oclmm_place *ret_place)
{
	const struct syntax_token *at = oclmm_first_word(tree);

	if (oclmm_read_pointer(builder, tree, ret_place) ||
	    check_type(builder, tree, ret_place->location))
		return -EINVAL;
	if (ret_place->index && ret_place->index->kind != OCLMM_EXPRESSION_CONSTANT)
		return REFUSE(builder, at, "all work-items of the group copy the same",
		              "the first element of a copy is not constant");
	return 0;
}

static int build_length(struct builder *builder, const struct tree_expression *tree,
                        const char *what, uint32_t *ret_number)
{
	const struct syntax_token *at = oclmm_first_word(tree);
	const struct oclmm_expression *value = oclmm_read_expression(builder, tree);
	int64_t number;

	if (!value)
		return -EINVAL;
	if (!oclmm_constant_value(value, &number) || number < 1 || number > OCLMM_LISTED_ELEMENTS)
		return REFUSE(builder, at, NULL, "the %s of a copy is a constant from 1 to %d",
		              what, OCLMM_LISTED_ELEMENTS);
	*ret_number = (uint32_t)number;
	return 0;
}

static int check_end(const struct builder *builder, const struct tree_expression *tree,
                     const struct oclmm_copy *copy, const struct oclmm_place *end)
{
	const struct oclmm_location *l = &builder->program->locations[end->location];

	if (oclmm_copy_element(builder->program, copy, end, copy->count - 1) < l->elements)
		return 0;
	return REFUSE(builder, oclmm_first_word(tree), NULL, "`%s` has %u element%s", l->name,
	              l->elements, l->elements == 1 ? "" : "s");
}

static int check_ends(const struct builder *builder, const struct tree_expression *call,
                      const struct oclmm_copy *copy)
{
	const struct oclmm_location *to = &builder->program->locations[copy->to.location],
				    *from = &builder->program->locations[copy->from.location];

	if (to->space == from->space)
		return REFUSE(builder, call->at, "one of the two is local, the other global",
		              "`%s` and `%s` are both %s", to->name, from->name,
		              oclmm_space_spelling(to->space));
	if (to->type != from->type)
		return REFUSE(builder, call->at, NULL, "`%s` is %s and `%s` %s", to->name,
		              oclmm_type_name(to->type), from->name, oclmm_type_name(from->type));
	if (check_end(builder, call->arguments, copy, &copy->to))
		return -EINVAL;
	return check_end(builder, call->arguments->next, copy, &copy->from);
}

/* The last argument: 0, or the event of an earlier copy. */
static int check_event(const struct builder *builder, const struct tree_expression *tree,
                       const char *event)
{
	const char *wanted = event ? event : "0";

	if (tree->kind == (event ? TREE_NAME : TREE_NUMBER) && strcmp(tree->at->text, wanted) == 0)
		return 0;
	return REFUSE(builder, oclmm_first_word(tree), NULL, "the event of this copy is `%s`",
	              wanted);
}

static int build_call(struct builder *builder, const struct tree_expression *call,
                      const char *event, struct oclmm_copy *copy)
{
	const struct tree_expression *argument = call->arguments;
	uint32_t most;

	copy->strided = strcmp(call->at->text, strided_word) == 0;
	copy->spelling = copy->strided ? strided_word : copy_word;
	copy->stride = 1;
	most = copy->strided ? 5 : 4;
	if (call->argument_count != most)
		return REFUSE(builder, call->at, NULL, "`%s` takes %u arguments, not %u",
		              copy->spelling, most, call->argument_count);
	if (build_end(builder, argument, &copy->to) ||
	    build_end(builder, argument->next, &copy->from) ||
	    build_length(builder, argument->next->next, "length", &copy->count))
		return -EINVAL;
	argument = argument->next->next->next;
	if (copy->strided) {
		if (build_length(builder, argument, "stride", &copy->stride))
			return -EINVAL;
		argument = argument->next;
	}
	return check_ends(builder, call, copy) ? -EINVAL : check_event(builder, argument, event);
}

/* ---- statements ---- */

static int check_place(const struct builder *builder, const struct syntax_token *at)
{
	if (oclmm_check_shared(builder, at))
		return -EINVAL;
	if (builder->thread->placement.host || builder->thread->placement.command.kind)
		return REFUSE(builder, at, NULL, "only work-items of kernels make such copies");
	/* of a shared text all work-items call the function, or the oracle tells where they part */
	if (builder->call && !builder->shared)
		return REFUSE(builder, at, "write it in the threads",
		              "a function makes no copies of a work-group");
	/* of a shared text the oracle tells where work-items part */
	if (builder->block->outer && !builder->shared)
		return REFUSE(builder, at, "all work-items of the group have to come here",
		              "a copy, or the wait for one, in a branch or loop");
	return 0;
}

static bool is_call(const struct tree_expression *tree)
{
	return tree && tree->kind == TREE_CALL &&
	       (strcmp(tree->at->text, copy_word) == 0 ||
	        strcmp(tree->at->text, strided_word) == 0);
}

static int add_event(struct builder *builder, const struct syntax_token *name, uint32_t *ret_event)
{
	struct oclmm_thread *thread = builder->thread;
	int found = find_event(builder, name->text);

	/* the body of a `do` is read for its first turn, and for the others */
	if (found >= 0 && builder->events[found] == name) {
		*ret_event = (uint32_t)found;
		return 0;
	}

	if (oclmm_check_name(builder, name))
		return -EINVAL;
	if (oclmm_find_register(builder, name->text) >= 0 ||
	    oclmm_find_object(builder, name->text) >= 0 || found >= 0)
		return REFUSE(builder, name, NULL, "`%s` is declared twice", name->text);
	if (thread->event_count == OCLMM_EVENTS_MOST)
		return REFUSE(builder, name, NULL, "P%u has more than %d events", thread->id,
		              OCLMM_EVENTS_MOST);
	if (!thread->events)
		thread->events = OCLMM_NEW_ARRAY(builder->arena, const char *, OCLMM_EVENTS_MOST);
	builder->events[thread->event_count] = name;
	*ret_event = thread->event_count;
	thread->events[thread->event_count++] = oclmm_arena_strdup(builder->arena, name->text);
	return 0;
}

/* `event_t e = async_work_group_copy(l, x, 1, 0);` */
static int build_first(struct builder *builder, const struct tree_statement *tree,
                       struct oclmm_statement **ret_statement)
{
	const struct tree_expression *call = tree->expression;
	struct oclmm_statement *statement = oclmm_make_statement(builder, OCLMM_STATEMENT_COPY,
	                                                         tree->at);

	if (check_place(builder, tree->at))
		return -EINVAL;
	if (tree->specifiers->next || !is_call(call))
		return REFUSE(builder, tree->at, NULL, "write `event_t %s = %s(...);`",
		              tree->at->text, copy_word);
	statement->position = call->at->place;
	if (build_call(builder, call, NULL, &statement->copy) ||
	    add_event(builder, tree->at, &statement->copy.event))
		return -EINVAL;
	*ret_statement = statement;
	return 0;
}

/* `e = async_work_group_copy(l, x, 1, e);` */
static int build_more(struct builder *builder, const struct tree_statement *tree,
                      struct oclmm_statement **ret_statement)
{
	const struct syntax_token *at = oclmm_first_word(tree->target);
	struct oclmm_statement *statement = oclmm_make_statement(builder, OCLMM_STATEMENT_COPY, at);

	if (check_place(builder, at))
		return -EINVAL;
	if (!is_call(tree->expression))
		return REFUSE(builder, at, NULL, "write `%s = %s(..., %s);`", at->text, copy_word,
		              at->text);
	statement->position = tree->expression->at->place;
	statement->copy.joins = true;
	statement->copy.event = (uint32_t)find_event(builder, at->text);
	if (build_call(builder, tree->expression, at->text, &statement->copy))
		return -EINVAL;
	*ret_statement = statement;
	return 0;
}

/* `wait_group_events(1, &e);`, or a copy whose event goes nowhere. */
static int build_wait(struct builder *builder, const struct tree_statement *tree,
                      struct oclmm_statement **ret_statement)
{
	const struct tree_expression *call = tree->expression;
	const struct tree_expression *number = call->arguments, *event;
	struct oclmm_statement *statement = oclmm_make_statement(builder, OCLMM_STATEMENT_WAIT,
	                                                         call->at);
	int found, result = check_place(builder, call->at);

	if (result)
		return result;
	if (strcmp(call->at->text, wait_word) != 0)
		return REFUSE(builder, call->at, "write `event_t e = ...;`, and wait for it",
		              "nobody can wait for this copy");
	if (call->argument_count != 2)
		return REFUSE(builder, call->at, NULL, "`%s` takes 2 arguments, not %u", wait_word,
		              call->argument_count);
	event = number->next;
	if (number->kind != TREE_NUMBER || strcmp(number->at->text, "1") != 0)
		return REFUSE(builder, oclmm_first_word(number),
		              "write `wait_group_events(1, &e);`", "a wait is for one event");
	if (event->kind != TREE_ADDRESS || event->left->kind != TREE_NAME)
		return REFUSE(builder, oclmm_first_word(event), "write `wait_group_events(1, &e);`",
		              "this is no pointer to an event");
	found = find_event(builder, event->left->at->text);
	if (found < 0)
		return REFUSE(builder, event->left->at, NULL, "unknown event `%s`",
		              event->left->at->text);
	statement->wait.event = (uint32_t)found;
	*ret_statement = statement;
	return 0;
}

static int build_statement(struct builder *builder, const struct tree_statement *tree,
                           struct oclmm_statement **ret_statement)
{
	if (tree->kind == TREE_DECLARATION)
		return build_first(builder, tree, ret_statement);
	return tree->kind == TREE_ASSIGNMENT ? build_more(builder, tree, ret_statement)
	                                     : build_wait(builder, tree, ret_statement);
}

/* ---- all work-items alike ---- */

/* Of one block: a copy and the wait for it stand in the same one. */
static int check_waits(const struct builder *builder, const struct oclmm_statement *first)
{
	unsigned waited = 0;
	int result = 0;

	for (const struct oclmm_statement *s = first; s && !result; s = s->next) {
		if (s->kind == OCLMM_STATEMENT_IF)
			result = check_waits(builder, s->branch.then_body) ||
			                         check_waits(builder, s->branch.else_body)
			                 ? -EINVAL
			                 : 0;
		else if (s->kind == OCLMM_STATEMENT_WHILE)
			result = check_waits(builder, s->loop.body);
	}
	for (const struct oclmm_statement *s = first; s && !result; s = s->next) {
		unsigned event = s->kind == OCLMM_STATEMENT_COPY   ? 1u << s->copy.event
		                 : s->kind == OCLMM_STATEMENT_WAIT ? 1u << s->wait.event
		                                                   : 0;

		/* a function that is called again declares its event again */
		if (s->kind == OCLMM_STATEMENT_COPY && !s->copy.joins)
			waited &= ~event;
		if (waited & event)
			return oclmm_refuse(builder->source, &s->position,
			                    "the wait releases the event: each is for one wait",
			                    "the event was waited for before");
		if (s->kind == OCLMM_STATEMENT_WAIT)
			waited |= event;
	}
	for (const struct oclmm_statement *s = first; s && !result; s = s->next)
		if (s->kind == OCLMM_STATEMENT_COPY && !(waited & 1u << s->copy.event))
			return oclmm_refuse(
				builder->source, &s->position,
				"write `wait_group_events(1, &e);`: a kernel waits for its "
				"copies before it ends",
				"nobody waits for this copy");
	return result;
}

static bool is_met(const struct oclmm_statement *s)
{
	return s->kind == OCLMM_STATEMENT_COPY || s->kind == OCLMM_STATEMENT_WAIT ||
	       (s->kind == OCLMM_STATEMENT_BARRIER && !s->barrier.sub_group);
}

static const struct oclmm_statement *next_met(const struct oclmm_statement *s)
{
	while (s && !is_met(s))
		s = s->next;
	return s;
}

static bool same_place(const struct oclmm_place *a, const struct oclmm_place *b)
{
	int64_t first = a->index ? a->index->constant : 0;

	return a->location == b->location && first == (b->index ? b->index->constant : 0);
}

/* Whether two copies have the same arguments. */
static bool same_copy(const struct oclmm_copy *a, const struct oclmm_copy *b)
{
	return same_place(&a->to, &b->to) && same_place(&a->from, &b->from) &&
	       a->count == b->count && a->stride == b->stride && a->strided == b->strided &&
	       a->joins == b->joins && a->event == b->event;
}

static bool is_same(const struct oclmm_statement *a, const struct oclmm_statement *b)
{
	if (a->kind != b->kind)
		return false;
	if (a->kind == OCLMM_STATEMENT_COPY)
		return same_copy(&a->copy, &b->copy);
	return a->kind == OCLMM_STATEMENT_BARRIER || a->wait.event == b->wait.event;
}

static int check_pair(const struct builder *builder, const struct oclmm_thread *a,
                      const struct oclmm_thread *b)
{
	const struct oclmm_statement *s = next_met(a->body), *t = next_met(b->body);

	while (s && t && is_same(s, t)) {
		s = next_met(s->next);
		t = next_met(t->next);
	}
	if (!s && !t)
		return 0;
	return oclmm_refuse(builder->source, t ? &t->position : &s->position,
	                    "all work-items of the group make the same copies, with the same "
	                    "barriers between them",
	                    "P%u and P%u of one work-group differ in their copies", a->id, b->id);
}

static int check_copies(struct builder *builder)
{
	const struct oclmm_program *program = builder->program;
	bool any = false;
	int result = 0;

	/* work-items of a shared text may be thousands, and so their pairs millions */
	for (uint32_t i = 0; i < program->thread_count && !any; i++)
		any = program->threads[i].event_count > 0;
	for (uint32_t i = 0; i < program->thread_count && any && !result; i++) {
		const struct oclmm_thread *thread = &program->threads[i];

		result = check_waits(builder, thread->body);
		for (uint32_t k = 0; k < i && !result && !builder->shared; k++) {
			const struct oclmm_thread *other = &program->threads[k];

			if ((thread->event_count || other->event_count) &&
			    oclmm_same_work_group(&thread->placement, &other->placement))
				result = check_pair(builder, other, thread);
		}
	}
	return result;
}

const struct construct oclmm_copies = {.type = "event_t",
                                       .check = check_copies,
                                       .has = is_copy,
                                       .names = list_names,
                                       .statement = build_statement};
