// SPDX-License-Identifier: Apache-2.0
/* Copies of programs, to be changed. */
#include "oclmm/ir.h"

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
