// SPDX-License-Identifier: Apache-2.0
/*
 * Copies that a work-group makes together (C:6.15.11). "The async copy is
 * performed by all work-items": each access may be anybody's, so a path says
 * who makes the copy and has the accesses where it is this work-item. They come
 * after what stands before the call, and only the wait orders what follows it.
 */
#include <errno.h>

#include "walk.h"

/* Work-items of the group, and how many of them stand before this one. */
static unsigned count_group(const struct walk *w, unsigned *ret_rank)
{
	unsigned count = 0;

	for (unsigned t = 0; t < w->program->thread_count; t++) {
		if (t == w->thread_index)
			*ret_rank = count;
		count += oclmm_same_work_group(&w->program->threads[t].placement,
		                               &w->thread->placement);
	}
	return count;
}

/* The n-th element of one end of the copy. */
static struct oclmm_place element(struct walk *w, const struct oclmm_copy *copy,
                                  const struct oclmm_place *end, uint32_t n)
{
	struct oclmm_expression *index = OCLMM_NEW(w->arena, struct oclmm_expression);

	index->kind = OCLMM_EXPRESSION_CONSTANT;
	index->type = OCLMM_TYPE_UINT;
	index->position = end->position;
	index->constant = oclmm_copy_element(w->program, copy, end, n);
	return (struct oclmm_place){end->location, index, end->position};
}

/* The accesses to one element; nothing orders those of another. */
static row copy_element(struct walk *w, const struct oclmm_copy *copy, uint32_t n, row before)
{
	struct oclmm_place from = element(w, copy, &copy->from, n),
			   to = element(w, copy, &copy->to, n);
	struct result r = {.done = before};
	struct target source, destination;
	const struct symbol *value;
	struct oclmm_event *e;

	source = oclmm_walk_target(w, &from, &r);
	oclmm_walk_access(w, OCLMM_EVENT_READ, &source, &r)->copied = copy->event + 1;
	value = oclmm_walk_read(w, oclmm_walk_object_type(w, &from));
	if (w->state != GOING)
		return r.made;
	destination = oclmm_walk_target(w, &to, &r);
	e = oclmm_walk_access(w, OCLMM_EVENT_WRITE, &destination, &r);
	e->copied = copy->event + 1;
	if (w->state == GOING)
		oclmm_walk_store(w, e, value);
	return r.made;
}

row oclmm_walk_copy(struct walk *w, const struct oclmm_statement *s, row before)
{
	const struct oclmm_copy *copy = &s->copy;
	unsigned rank = 0, maker = oclmm_walk_choose(w, count_group(w, &rank));

	if (w->copy_count == MAX_COPIES) {
		oclmm_walk_fail(w, -E2BIG, s->position, "thread copies too often for the oracle");
		return before;
	}
	w->maker[w->copy_count++] = (uint8_t)maker;
	for (uint32_t n = 0; n < copy->count && maker == rank && w->state == GOING; n++)
		w->pending[copy->event] |= copy_element(w, copy, n, before);
	return before;
}

/* K12: what the work-items did before they wait comes before what they do behind it. */
row oclmm_walk_wait(struct walk *w, const struct oclmm_statement *s, row before)
{
	static const struct oclmm_barrier barrier = {
		.flags = OCLMM_FLAG_GLOBAL | OCLMM_FLAG_LOCAL,
		.scope = OCLMM_SCOPE_WORK_GROUP,
	};
	struct oclmm_event *e;

	before |= w->pending[s->wait.event];
	e = oclmm_walk_event(w, OCLMM_EVENT_FENCE, before, s->position);
	e->flags = barrier.flags;
	e->waited = s->wait.event + 1;
	before |= oclmm_walk_last(w);
	if (w->state == GOING && w->world & ALT_K12)
		before = oclmm_walk_barrier(w, &barrier, before, s->position);
	return before;
}
