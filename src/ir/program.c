// SPDX-License-Identifier: Apache-2.0
/* Programs: copies of them to be changed, where threads run, and what they have. */
#include "oclmm/ir.h"

OCLMM_LOOK_UP(const char *, oclmm_enqueue_spelling, oclmm_enqueue_flag, OCLMM_ENQUEUE_FLAGS, FIRST);

/* ---- copies of programs ---- */

static struct oclmm_statement *copy_body(struct oclmm_arena *arena,
                                         const struct oclmm_statement *from);

static struct oclmm_expression *copy_expression(struct oclmm_arena *arena,
                                                const struct oclmm_expression *from)
{
	struct oclmm_expression *to = oclmm_arena_copy(arena, from, sizeof(*from));
	struct oclmm_parts parts;

	if (to->kind == OCLMM_EXPRESSION_ATOMIC)
		to->atomic = oclmm_arena_copy(arena, to->atomic, sizeof(*to->atomic));
	oclmm_expression_parts(to, &parts);
	for (unsigned i = 0; i < parts.expression_count; i++)
		*parts.expressions[i] = copy_expression(arena, *parts.expressions[i]);
	return to;
}

static struct oclmm_statement *copy_body(struct oclmm_arena *arena,
                                         const struct oclmm_statement *from)
{
	struct oclmm_statement *first = NULL, **link = &first;

	for (; from; from = from->next) {
		struct oclmm_statement *to = oclmm_arena_copy(arena, from, sizeof(*from));
		struct oclmm_parts parts;

		oclmm_statement_parts(to, &parts);
		for (unsigned i = 0; i < parts.expression_count; i++)
			*parts.expressions[i] = copy_expression(arena, *parts.expressions[i]);
		for (unsigned i = 0; i < parts.body_count; i++)
			*parts.bodies[i] = copy_body(arena, *parts.bodies[i]);
		*link = to;
		link = &to->next;
	}
	return first;
}

struct oclmm_program *oclmm_program_copy(struct oclmm_arena *arena,
                                         const struct oclmm_program *program)
{
	struct oclmm_program *p = oclmm_arena_copy(arena, program, sizeof(*program));

	p->locations = oclmm_arena_copy(arena, p->locations,
	                                p->location_count * sizeof(*p->locations));
	p->threads = oclmm_arena_copy(arena, p->threads, p->thread_count * sizeof(*p->threads));
	for (uint32_t t = 0; t < p->thread_count; t++) {
		struct oclmm_thread *thread = &p->threads[t];

		thread->parameters = oclmm_arena_copy(arena, thread->parameters,
		                                      thread->parameter_count *
		                                              sizeof(*thread->parameters));
		thread->body = copy_body(arena, thread->body);
	}
	return p;
}

/* ---- where threads run ---- */

bool oclmm_same_kernel(const struct oclmm_placement *a, const struct oclmm_placement *b)
{
	return !a->host && !b->host && a->device == b->device && a->queue == b->queue &&
	       a->child == b->child;
}

bool oclmm_two_kernels(const struct oclmm_placement *a, const struct oclmm_placement *b)
{
	return !a->host && !b->host && a->device == b->device && a->queue != b->queue;
}

/*
 * A:3.3.5, table of shared virtual memory: coarse-grained memory is consistent at synchronization
 * points, fine-grained memory without atomics too; a buffer is no better, and a variable at program
 * scope is as coarse-grained memory of its device.
 *
 * Of kernels in two queues of one device A:3.3.9.5 guarantees what they do with atomic operations
 * on shared virtual memory and on variables at program scope; on buffers it leaves that to the
 * implementation. Two paragraphs later it says that access to buffers and coarse-grained memory is
 * ordered at synchronization points. Whether atomic operations then order plain accesses to these
 * is open: no device is held to it.
 */
bool oclmm_at_commands_only(const struct oclmm_placement *a, const struct oclmm_placement *b,
                            enum oclmm_storage storage, bool plain)
{
	bool buffer = storage == OCLMM_STORAGE_BUFFER;
	bool coarse = storage == OCLMM_STORAGE_SVM_COARSE || storage == OCLMM_STORAGE_PROGRAM;

	if (oclmm_two_kernels(a, b))
		return buffer || (coarse && plain);
	if (a->host ? !b->host : b->host || a->device != b->device)
		return buffer || coarse || storage == OCLMM_STORAGE_SVM_FINE;
	return false;
}

bool oclmm_same_work_group(const struct oclmm_placement *a, const struct oclmm_placement *b)
{
	return oclmm_same_kernel(a, b) && a->work_group == b->work_group;
}

bool oclmm_same_sub_group(const struct oclmm_placement *a, const struct oclmm_placement *b)
{
	return oclmm_same_work_group(a, b) && a->sub_group_given && b->sub_group_given &&
	       a->sub_group == b->sub_group;
}

bool oclmm_same_group(const struct oclmm_placement *a, const struct oclmm_placement *b,
                      bool sub_group)
{
	return sub_group ? oclmm_same_sub_group(a, b) : oclmm_same_work_group(a, b);
}

bool oclmm_program_has_queues(const struct oclmm_program *program)
{
	for (uint32_t i = 0; i < program->thread_count; i++)
		if (program->threads[i].placement.queue > 0)
			return true;
	return false;
}

void oclmm_placement_print(struct oclmm_text *text, const struct oclmm_placement *placement)
{
	if (placement->host) {
		oclmm_text_add(text, "host");
		return;
	}
	if (placement->child) {
		oclmm_text_add(text, "child");
		return;
	}
	if (placement->sub_group_given)
		oclmm_text_printf(text, "sg %u, ", placement->sub_group);
	oclmm_text_printf(text, "wg %u, dev %u", placement->work_group, placement->device);
	if (placement->queue > 0)
		oclmm_text_printf(text, ", queue %u", placement->queue);
}

/* ---- child kernels ---- */

bool oclmm_program_has_children(const struct oclmm_program *program)
{
	for (uint32_t t = 0; t < program->thread_count; t++)
		if (program->threads[t].placement.child)
			return true;
	return false;
}

const struct oclmm_enqueue *oclmm_find_enqueue(const struct oclmm_program *program, uint32_t child,
                                               uint32_t *ret_parent)
{
	for (uint32_t t = 0; t < program->thread_count; t++)
		for (const struct oclmm_statement *s = program->threads[t].body; s; s = s->next) {
			if (s->kind != OCLMM_STATEMENT_ENQUEUE || s->enqueue.child != child)
				continue;
			*ret_parent = t;
			return &s->enqueue;
		}
	return NULL;
}

/* ---- asynchronous copies, C:6.15.11 ---- */

static uint32_t first_element(const struct oclmm_place *place)
{
	return place->index ? (uint32_t)place->index->constant : 0;
}

uint32_t oclmm_copy_element(const struct oclmm_program *program, const struct oclmm_copy *copy,
                            const struct oclmm_place *end, uint32_t n)
{
	bool global = program->locations[end->location].space == OCLMM_SPACE_GLOBAL;

	return first_element(end) + n * (global ? copy->stride : 1);
}

bool oclmm_program_has_copies(const struct oclmm_program *program)
{
	for (uint32_t t = 0; t < program->thread_count; t++)
		if (program->threads[t].event_count)
			return true;
	return false;
}
