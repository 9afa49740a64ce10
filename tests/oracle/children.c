// SPDX-License-Identifier: Apache-2.0
/*
 * Kernels that a work-item enqueues: the items of A:3.3.9.5 that lead to the
 * start of one, each read for every pair of events by itself.
 */
#include "run.h"

void run_enqueue(struct run *run, const struct oclmm_enqueue *enqueue)
{
	const struct event event = {.fence = true, .enqueued = enqueue->child + 1};

	run_add_event(run, &event);
}

/** The call that enqueues the kernel of a thread, and the thread that calls. */
static const struct oclmm_enqueue *call_of(const struct oclmm_program *program, int child,
                                           int *ret_parent)
{
	if (!program->threads[child].placement.child)
		return NULL;
	for (uint32_t t = 0; t < program->thread_count; t++)
		for (const struct oclmm_statement *s = program->threads[t].body; s; s = s->next)
			if (s->kind == OCLMM_STATEMENT_ENQUEUE && (int)s->enqueue.child == child) {
				*ret_parent = (int)t;
				return &s->enqueue;
			}
	return NULL;
}

bool is_child(const struct candidate *c, int thread)
{
	int parent;

	return call_of(c->program, thread, &parent) != NULL;
}

static bool acts_globally(const struct event *e)
{
	return e->fence ? (e->flags & OCLMM_FLAG_GLOBAL) != 0 : e->space == OCLMM_SPACE_GLOBAL;
}

static bool is_fine_grained(const struct event *e)
{
	switch (e->storage) {
	case OCLMM_STORAGE_SVM_FINE:
	case OCLMM_STORAGE_SVM_ATOMICS:
	case OCLMM_STORAGE_SVM_SYSTEM: return !e->fence;
	default: return false;
	}
}

/** Item 1, the whole of it, or with the restriction of its last sentence. */
static bool stands_before_call(const struct candidate *c, bool k13, unsigned a, unsigned b)
{
	const struct event *x = &c->events[a], *y = &c->events[b];

	if (!k13 && !(is_fine_grained(x) && is_fine_grained(y)))
		return false;
	for (unsigned i = 0; i < c->count; i++)
		if (c->events[i].enqueued == (unsigned)y->thread + 1 && c->sb[a][i])
			return true;
	return false;
}

bool child_synchronizes(const struct candidate *c, bool k13, unsigned a, unsigned b)
{
	const struct event *x = &c->events[a], *y = &c->events[b];
	const struct oclmm_placement *own, *of;
	const struct oclmm_enqueue *call;
	int parent = 0;

	if (x->thread < 0 || y->thread < 0 || !acts_globally(x) || !acts_globally(y))
		return false;
	call = call_of(c->program, y->thread, &parent);
	if (!call)
		return false;
	own = &c->program->threads[x->thread].placement;
	of = &c->program->threads[parent].placement;
	/* items 10, 3 and 2 */
	if ((int)call->after == x->thread + 1)
		return true;
	/* item 13 */
	if (call->flag == OCLMM_ENQUEUE_WAIT_KERNEL && !own->host && !own->child &&
	    own->device == of->device && own->queue == of->queue)
		return true;
	/* item 14 */
	if (call->flag == OCLMM_ENQUEUE_WAIT_WORK_GROUP &&
	    share_unit(own, of, OCLMM_SCOPE_WORK_GROUP))
		return true;
	return x->thread == parent && stands_before_call(c, k13, a, b);
}
