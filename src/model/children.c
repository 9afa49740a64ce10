// SPDX-License-Identifier: Apache-2.0
/* What comes before a kernel that a work-item enqueues, A:3.3.9.5. */
#include "internal.h"

/*
 * An access in fine-grained shared virtual memory. Item 1: what enqueues a command
 * synchronizes with it, but of a device "only in the case of fine-grained SVM". K13: always.
 */
static bool is_told(const struct combination *c, unsigned i)
{
	const struct oclmm_event *e = &c->event[i];

	return c->world & ALT_K13 ||
	       (e->kind != OCLMM_EVENT_FENCE && (oclmm_storage_has_svm_atomics(e->storage) ||
	                                         e->storage == OCLMM_STORAGE_SVM_FINE));
}

static bool is_global(const struct oclmm_event *e)
{
	return e->kind == OCLMM_EVENT_FENCE ? e->flags & OCLMM_FLAG_GLOBAL
	                                    : e->region == OCLMM_SPACE_GLOBAL;
}

/* Whether a thread has ended before the child begins: items 2 and 3, 13, 14. */
static bool has_ended(const struct combination *c, const struct oclmm_enqueue *enqueue,
                      uint32_t parent, uint32_t thread)
{
	const struct oclmm_placement *own = &c->program->threads[thread].placement,
				     *of = &c->program->threads[parent].placement;

	if (enqueue->after == thread + 1)
		return true;
	switch (enqueue->flag) {
	case OCLMM_ENQUEUE_WAIT_KERNEL: return oclmm_same_kernel(own, of);
	case OCLMM_ENQUEUE_WAIT_WORK_GROUP: return oclmm_same_work_group(own, of);
	default: return false;
	}
}

static row events_of(const struct combination *c, uint32_t thread)
{
	row events = 0;

	for (unsigned i = c->init_count; i < c->count; i++)
		if (c->event[i].thread == (int)thread && is_global(&c->event[i]))
			events |= BIT(i);
	return events;
}

static void connect_call(struct combination *c, unsigned call)
{
	uint32_t child = c->event[call].enqueued - 1, parent;
	const struct oclmm_enqueue *enqueue = oclmm_find_enqueue(c->program, child, &parent);
	row all = events_of(c, child), told = 0;

	FOR_EACH (b, all)
		if (is_told(c, (unsigned)b))
			told |= BIT(b);
	for (uint32_t t = 0; t < c->program->thread_count; t++)
		FOR_EACH (a, events_of(c, t)) {
			if (has_ended(c, enqueue, parent, t))
				c->child_sw[a] |= all;
			else if (c->sb[a] & BIT(call) && is_told(c, (unsigned)a))
				c->child_sw[a] |= told;
		}
}

void oclmm_connect_children(struct combination *c)
{
	FOR_EACH (call, c->waits)
		if (c->event[call].enqueued)
			connect_call(c, (unsigned)call);
}
