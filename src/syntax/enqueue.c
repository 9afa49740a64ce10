// SPDX-License-Identifier: Apache-2.0
/* Kernels that work-items enqueue, C:6.15.14: threads placed `@child`, which begin at a call. */
#include "expression.h"

#include <errno.h>
#include <string.h>

/** A `clk_event_t` of the thread. */
struct build_child_event {
	const char *name;
	uint32_t child; /**< 1 + the thread that gives it; 0: none before */
	struct build_child_event *next;
};

static const char enqueue_word[] = "enqueue_kernel";

static const char how_to_write[] =
	"write `enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), "
	"^{ P1(x); });`";

static bool is_enqueue(const struct builder *builder, const char *name)
{
	(void)builder;
	return strcmp(name, enqueue_word) == 0;
}

static size_t list_names(struct oclmm_arena *arena, const char **names)
{
	(void)arena;
	names[0] = enqueue_word;
	return 1;
}

/* ---- events ---- */

static struct build_child_event *find_event(const struct builder *builder, const char *name)
{
	struct build_child_event *event = builder->child_events;

	while (event && strcmp(event->name, name) != 0)
		event = event->next;
	return event;
}

static int declare_event(struct builder *builder, const struct tree_statement *tree)
{
	const struct syntax_token *name = tree->at;

	if (oclmm_check_shared(builder, name) || oclmm_check_name(builder, name))
		return -EINVAL;
	if (tree->specifiers->next || tree->expression)
		return REFUSE(builder, name, NULL, "write `clk_event_t %s;`", name->text);
	if (builder->call || builder->block->outer)
		return REFUSE(
			builder, name, NULL,
			"an event is declared in the thread itself, not in a block within it");
	if (oclmm_find_register(builder, name->text) >= 0 ||
	    oclmm_find_object(builder, name->text) >= 0 || find_event(builder, name->text))
		return REFUSE(builder, name, NULL, "`%s` is declared twice", name->text);
	builder->child_events = OCLMM_MAKE(builder->arena, struct build_child_event,
	                                   .next = builder->child_events,
	                                   .name = oclmm_arena_strdup(builder->arena, name->text));
	return 0;
}

static bool is_name(const struct tree_expression *tree, const char *name)
{
	return tree->kind == TREE_NAME && strcmp(tree->at->text, name) == 0;
}

/* `&e` or `NULL`, which gives none. */
static int build_event(const struct builder *builder, const struct tree_expression *tree,
                       struct build_child_event **ret_event)
{
	*ret_event = NULL;
	if (is_name(tree, "NULL"))
		return 0;
	if (tree->kind != TREE_ADDRESS || tree->left->kind != TREE_NAME)
		return REFUSE(builder, oclmm_first_word(tree), "write `&e` or `NULL`",
		              "this is no pointer to an event");
	*ret_event = find_event(builder, tree->left->at->text);
	if (!*ret_event)
		return REFUSE(builder, tree->left->at, "declare it: `clk_event_t e;`",
		              "unknown event `%s`", tree->left->at->text);
	return 0;
}

/* Number of events, the list, the event that is given. */
static int build_events(const struct builder *builder, const struct tree_expression *number,
                        struct oclmm_enqueue *enqueue)
{
	const struct tree_expression *list = number->next, *given = list->next;
	struct build_child_event *before, *event;

	if (build_event(builder, list, &before) || build_event(builder, given, &event))
		return -EINVAL;
	if (number->kind != TREE_NUMBER || strcmp(number->at->text, before ? "1" : "0") != 0)
		return REFUSE(builder, oclmm_first_word(number),
		              "write `1, &e` to wait for one event, `0, NULL` for none",
		              "the number of events does not fit the list");
	if (before && !before->child)
		return REFUSE(builder, list->left->at, NULL,
		              "no kernel before this one gives the event `%s`", before->name);
	if (event && event->child)
		return REFUSE(builder, given->left->at, NULL,
		              "another kernel gives the event `%s` already", event->name);
	enqueue->after = before ? before->child : 0;
	if (event) {
		event->child = enqueue->child + 1;
		enqueue->event = event->name;
	}
	return 0;
}

/* ---- the child ---- */

/* The arguments are the names of the child's parameters, in the order of its head. */
static int check_arguments(const struct builder *builder, const struct tree_expression *block,
                           const struct oclmm_thread *child)
{
	const struct tree_expression *argument = block->arguments;

	if (block->argument_count != child->parameter_count)
		return REFUSE(builder, block->at, NULL, "P%u has %u parameter%s, not %u", child->id,
		              child->parameter_count, child->parameter_count == 1 ? "" : "s",
		              block->argument_count);
	for (uint32_t i = 0; i < child->parameter_count; i++, argument = argument->next) {
		uint32_t location = child->parameters[i].location;
		const char *name = builder->program->locations[location].name;

		if (!is_name(argument, name))
			return REFUSE(builder, oclmm_first_word(argument), NULL,
			              "expected `%s`, as in the head of P%u", name, child->id);
		if (oclmm_find_object(builder, name) != (int)location)
			return REFUSE(builder, argument->at,
			              "a thread names the objects that it passes on in its head",
			              "`%s` is not a parameter of P%u", name, builder->thread->id);
	}
	return 0;
}

static int build_child(struct builder *builder, const struct tree_expression *block,
                       struct oclmm_enqueue *enqueue)
{
	struct oclmm_thread *child;
	struct oclmm_placement *place;

	if (block->kind != TREE_CHILD)
		return REFUSE(builder, oclmm_first_word(block), how_to_write,
		              "expected the block of the kernel");
	child = oclmm_find_thread(builder, block->at);
	if (!child)
		return -EINVAL;
	place = &child->placement;
	if (!place->child)
		return REFUSE(builder, block->at, "write `@child` behind its name",
		              "P%u is no child kernel", child->id);
	enqueue->child = place->child - 1;
	if (builder->enqueued & 1u << enqueue->child)
		return REFUSE(builder, block->at, "write another thread for another child",
		              "P%u is enqueued twice", child->id);
	builder->enqueued |= 1u << enqueue->child;
	place->device = builder->thread->placement.device;
	place->queue = builder->thread->placement.queue;
	return check_arguments(builder, block, child);
}

static int build_flag(const struct builder *builder, const struct tree_expression *tree,
                      enum oclmm_enqueue_flag *ret_flag)
{
	const char *words[OCLMM_ENQUEUE_FLAG_COUNT];

	for (unsigned i = 0; i < OCLMM_ENQUEUE_FLAG_COUNT; i++) {
		words[i] = oclmm_enqueue_spelling((enum oclmm_enqueue_flag)i);
		if (!is_name(tree, words[i]))
			continue;
		*ret_flag = (enum oclmm_enqueue_flag)i;
		return 0;
	}
	return oclmm_refuse_unknown(builder, oclmm_first_word(tree), "",
	                            " is not a flag of enqueue_kernel", words,
	                            OCLMM_ENQUEUE_FLAG_COUNT);
}

/* ---- the call ---- */

static int check_place(const struct builder *builder, const struct syntax_token *at)
{
	const struct oclmm_placement *place = &builder->thread->placement;

	if (oclmm_check_shared(builder, at))
		return -EINVAL;
	if (place->host || place->command.kind || place->child)
		return REFUSE(
			builder, at, NULL,
			"only work-items of kernels that the host enqueues call enqueue_kernel");
	if (builder->call || builder->block->outer)
		return REFUSE(builder, at, "its child begins in every execution",
		              "enqueue_kernel is called in the thread itself, not in a block or "
		              "function");
	return 0;
}

static bool is_call(const struct tree_expression *tree, const char *name, uint32_t arguments)
{
	return tree->kind == TREE_CALL && strcmp(tree->at->text, name) == 0 &&
	       tree->argument_count == arguments;
}

static int check_queue(const struct builder *builder, const struct tree_expression *queue)
{
	if (is_call(queue, "get_default_queue", 0))
		return 0;
	return REFUSE(builder, oclmm_first_word(queue), how_to_write,
	              "the queue is `get_default_queue()`");
}

static int check_range(const struct builder *builder, const struct tree_expression *range)
{
	if (is_call(range, "ndrange_1D", 1) && range->arguments->kind == TREE_NUMBER &&
	    strcmp(range->arguments->at->text, "1") == 0)
		return 0;
	return REFUSE(builder, oclmm_first_word(range), how_to_write,
	              "a child kernel has one work-item: `ndrange_1D(1)`");
}

static int build_enqueue(struct builder *builder, const struct tree_statement *tree,
                         struct oclmm_statement **ret_statement)
{
	const struct tree_expression *call = tree->expression;
	const struct tree_expression *queue = call->arguments, *flag, *range, *block;
	struct oclmm_statement *statement = oclmm_make_statement(builder, OCLMM_STATEMENT_ENQUEUE,
	                                                         call->at);
	struct oclmm_enqueue *enqueue = &statement->enqueue;

	if (check_place(builder, call->at))
		return -EINVAL;
	if (call->argument_count != 4 && call->argument_count != 7)
		return REFUSE(builder, call->at, how_to_write,
		              "`%s` takes 4 or 7 arguments, not %u", enqueue_word,
		              call->argument_count);
	flag = queue->next;
	range = flag->next;
	block = call->argument_count == 4 ? range->next : range->next->next->next->next;
	if (check_queue(builder, queue) || build_flag(builder, flag, &enqueue->flag) ||
	    check_range(builder, range) || build_child(builder, block, enqueue))
		return -EINVAL;
	if (call->argument_count == 7 && build_events(builder, range->next, enqueue))
		return -EINVAL;
	*ret_statement = statement;
	return 0;
}

static int build_statement(struct builder *builder, const struct tree_statement *tree,
                           struct oclmm_statement **ret_statement)
{
	return tree->kind == TREE_DECLARATION ? declare_event(builder, tree)
	                                      : build_enqueue(builder, tree, ret_statement);
}

/* ---- what holds of all of them ---- */

static int refuse_loop(void *data, const struct oclmm_statement *s)
{
	const struct builder *builder = data;

	if (s->kind != OCLMM_STATEMENT_WHILE)
		return 0;
	return oclmm_refuse(builder->source, &s->position, "write `for` with constant bounds",
	                    "a loop that may not end, in a test with child kernels");
}

/* A child is the only work-item of its kernel. It has no local memory and no access to its
 * parent's, and the specification says nothing of images passed to it. */
static int check_child(const struct builder *builder, const struct oclmm_thread *child)
{
	const struct oclmm_program *program = builder->program;

	if (!(builder->enqueued & 1u << (child->placement.child - 1)))
		return oclmm_refuse(builder->source, &child->position, how_to_write,
		                    "P%u is never enqueued", child->id);
	for (uint32_t i = 0; i < child->parameter_count; i++) {
		enum oclmm_space space = program->locations[child->parameters[i].location].space;

		if (space != OCLMM_SPACE_GLOBAL)
			return oclmm_refuse(builder->source, &child->parameters[i].position, NULL,
			                    "a child kernel has no %s",
			                    space == OCLMM_SPACE_LOCAL ? "local objects"
			                                               : "images");
	}
	for (const struct oclmm_statement *s = child->body; s; s = s->next)
		if (s->kind == OCLMM_STATEMENT_BARRIER || s->kind == OCLMM_STATEMENT_COPY)
			return oclmm_refuse(builder->source, &s->position, NULL,
			                    "a child kernel has one work-item, and no work-group "
			                    "to meet");
	return 0;
}

static int check_children(struct builder *builder)
{
	static const struct oclmm_visitor loops = {.statement = refuse_loop};
	const struct oclmm_program *program = builder->program;
	int result = 0;

	if (!oclmm_program_has_children(program))
		return 0;
	for (uint32_t i = 0; i < program->thread_count && !result; i++) {
		result = oclmm_visit_body(&loops, program->threads[i].body, builder);
		if (!result && program->threads[i].placement.child)
			result = check_child(builder, &program->threads[i]);
	}
	return result;
}

const struct construct oclmm_enqueued = {.type = "clk_event_t",
                                         .check = check_children,
                                         .has = is_enqueue,
                                         .names = list_names,
                                         .statement = build_statement};
