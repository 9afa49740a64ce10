// SPDX-License-Identifier: Apache-2.0
/*
 * All work-items of a group come to a collective function, or none does
 * (C:6.15.16, C:6.15.19). Whether they do is plain, for it stands in no branch:
 * those of a group have the same barriers and functions in the same order.
 */
#include "build.h"

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
			return syntax_refuse(builder->source, &own->position,
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
		if (!s->barrier.collective)
			continue;
		r = settle(builder, thread, n, s);
		if (r == 0 && s->barrier.assigns)
			s->next->assign.value->constant = s->barrier.result;
	}
	return r;
}

int build_check_collectives(struct builder *builder)
{
	int r = 0;

	for (uint32_t i = 0; r == 0 && i < builder->program->thread_count; i++) {
		r = settle_kind(builder, &builder->program->threads[i], false);
		if (r == 0)
			r = settle_kind(builder, &builder->program->threads[i], true);
	}
	return r;
}
