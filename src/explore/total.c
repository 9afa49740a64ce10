// SPDX-License-Identifier: Apache-2.0
/*
 * The total order S of the seq_cst operations of an execution: whether there is one that contains
 * happens-before and modification order, and for which the five rules of A:3.3.9.1 hold
 * (docs/model.md, section 6).
 *
 * All rules but a part of the first are edges. That part: a seq_cst read may take a weaker write
 * that does not happen before the last seq_cst write in front of the read. It depends on which
 * operations stand in front of the read alone, so orders are tried by sets of these.
 */
#include <stdlib.h>

#include "internal.h"

struct event {
	const struct done *done;
	int cell;          /* accesses; fences: -1 */
	int read, written; /* places in modification order, or -1 */
	bool sc;
	unsigned number; /* of the seq_cst ones */
};

struct total {
	const struct oclmm_explorer *x;
	struct event *events;
	const struct event **sc;
	unsigned count, sc_count;
	bool *edge; /* [from * sc_count + to] */
	bool *placed;
	struct hash *tried;
	size_t tried_count, tried_capacity;
};

static int place_of(const struct state *s, const struct oclmm_done *done, uint32_t cell)
{
	const struct cell_state *c = s->cells[cell];

	for (unsigned i = 0; i < c->count; i++)
		if (c->mo[i].done == done)
			return (int)i;
	return 0;
}

static void list_events(struct total *t, const struct state *s)
{
	for (const struct oclmm_done *d = s->last; d; d = d->before)
		t->count++;
	t->events = oclmm_calloc(t->count + 1, sizeof(*t->events));
	t->sc = oclmm_calloc(t->count + 1, sizeof(*t->sc));
	t->count = 0;
	for (const struct oclmm_done *d = s->last; d; d = d->before) {
		struct event *e = &t->events[t->count];

		if (d->plain)
			continue;
		*e = (struct event){.done = (const struct done *)d,
		                    .cell = -1,
		                    .read = -1,
		                    .written = -1,
		                    .sc = d->order == OCLMM_ORDER_SEQ_CST};
		if (d->kind != OCLMM_EXPLORED_BARRIER) {
			e->cell = (int)d->cell;
			if (d->kind != OCLMM_EXPLORED_WRITE)
				e->read = d->from ? place_of(s, d->from, d->cell) : 0;
			if (d->kind != OCLMM_EXPLORED_READ)
				e->written = place_of(s, d, d->cell);
		}
		t->count++;
	}
	for (unsigned i = 0; i < t->count; i++)
		if (t->events[i].sc) {
			t->events[i].number = t->sc_count;
			t->sc[t->sc_count++] = &t->events[i];
		}
}

static bool acts(const struct total *t, const struct event *e, unsigned region)
{
	return e->cell < 0 ? e->done->flags >> region & 1
	                   : t->x->source->cells[e->cell].region == region;
}

static bool is_sequenced(const struct event *a, const struct event *b)
{
	return a->done->is.thread == b->done->is.thread && a->done->action < b->done->action;
}

static bool happens_before(const struct total *t, const struct event *a, const struct event *b)
{
	for (unsigned r = 0; r < REGIONS; r++) {
		if (!acts(t, a, r) || !acts(t, b, r))
			continue;
		if (a->done->is.thread == b->done->is.thread
		            ? a->done->action < b->done->action
		            : b->done->view[(size_t)r * t->x->threads + a->done->is.thread] >=
		                      a->done->action)
			return true;
	}
	return false;
}

static void add_edge(struct total *t, const struct event *a, const struct event *b)
{
	t->edge[(size_t)a->number * t->sc_count + b->number] = true;
}

static bool is_fence(const struct event *e)
{
	return e->sc && e->cell < 0;
}

/* Rules 2 to 5, of an atomic access `b` whose value or place is older than that of a write `a`. */
static void add_fence_rules(struct total *t, const struct event *a, const struct event *b)
{
	for (unsigned i = 0; i < t->sc_count; i++) {
		const struct event *f = t->sc[i];

		if (!is_fence(f))
			continue;
		if (a->sc && b->read >= 0 && is_sequenced(f, b)) /* 2 */
			add_edge(t, f, a);
		if (b->sc && b->read >= 0 && a != b && is_sequenced(a, f)) /* 3 */
			add_edge(t, b, f);
		for (unsigned k = 0; k < t->sc_count; k++) /* 4 and 5 */
			if (is_fence(t->sc[k]) && k != i && is_sequenced(a, f) &&
			    is_sequenced(t->sc[k], b))
				add_edge(t, t->sc[k], f);
	}
}

static void add_edges(struct total *t)
{
	for (unsigned i = 0; i < t->sc_count; i++)
		for (unsigned k = 0; k < t->sc_count; k++) {
			const struct event *a = t->sc[i], *b = t->sc[k];

			if (i == k)
				continue;
			if (happens_before(t, a, b) ||
			    (a->cell == b->cell && a->written >= 0 && b->written > a->written))
				add_edge(t, a, b);
			if (a->cell < 0 || a->cell != b->cell || a->written < 0 || b->read < 0)
				continue;
			/* 1: the last write before the read */
			if (a->written == b->read)
				add_edge(t, a, b);
			if (a->written > b->read)
				for (unsigned w = 0; w < t->sc_count; w++)
					if (t->sc[w]->cell == b->cell &&
					    t->sc[w]->written == b->read) {
						add_edge(t, b, a);
						break;
					}
		}
	for (unsigned i = 0; i < t->count; i++)
		for (unsigned k = 0; k < t->count; k++) {
			const struct event *a = &t->events[i], *b = &t->events[k];

			if (a->cell < 0 || a->cell != b->cell || a->written < 0)
				continue;
			if ((b->read >= 0 && b->read < a->written) ||
			    (i != k && b->written >= 0 && b->written < a->written))
				add_fence_rules(t, a, b);
		}
}

/* The write that a read takes its value from, where that is no seq_cst one; NULL: the initial
 * value, or a seq_cst one, which `ret_weak` tells apart. */
static const struct event *weak_source(const struct total *t, const struct event *read,
                                       bool *ret_weak)
{
	*ret_weak = read->read >= 0;
	for (unsigned i = 0; i < t->count; i++)
		if (t->events[i].cell == read->cell && t->events[i].written == read->read) {
			*ret_weak = *ret_weak && !t->events[i].sc;
			return *ret_weak ? &t->events[i] : NULL;
		}
	return NULL;
}

/* Whether a read may stand behind those that are placed: rule 1 for weaker writes. */
static bool may_stand(const struct total *t, const struct event *read)
{
	const struct event *source, *last = NULL;
	bool weak;

	if (read->cell < 0 || read->read < 0)
		return true;
	source = weak_source(t, read, &weak);
	if (!weak)
		return true;
	for (unsigned i = 0; i < t->sc_count; i++)
		if (t->placed[i] && t->sc[i]->cell == read->cell && t->sc[i]->written >= 0 &&
		    (!last || t->sc[i]->written > last->written))
			last = t->sc[i];
	/* the initial value, and what was written plainly, happen before all others */
	return !last || (source && !happens_before(t, source, last));
}

static bool was_tried(struct total *t)
{
	struct hash h = oclmm_hash_start(0);

	for (unsigned i = 0; i < t->sc_count; i++)
		if (t->placed[i])
			oclmm_hash_sum(&h, oclmm_hash_start(i + 1));
	for (size_t i = 0; i < t->tried_count; i++)
		if (t->tried[i].a == h.a && t->tried[i].b == h.b)
			return true;
	oclmm_grow(&t->tried, &t->tried_capacity, t->tried_count, sizeof(*t->tried));
	t->tried[t->tried_count++] = h;
	return false;
}

static bool is_next(const struct total *t, unsigned n)
{
	if (t->placed[n])
		return false;
	for (unsigned i = 0; i < t->sc_count; i++)
		if (!t->placed[i] && t->edge[(size_t)i * t->sc_count + n])
			return false;
	return may_stand(t, t->sc[n]);
}

static bool place(struct total *t, unsigned left)
{
	bool found = false;

	if (left == 0)
		return true;
	if (was_tried(t))
		return false;
	for (unsigned i = 0; i < t->sc_count && !found; i++) {
		if (!is_next(t, i))
			continue;
		t->placed[i] = true;
		found = place(t, left - 1);
		t->placed[i] = false;
		/* what changes nothing for others may as well go first */
		if (!found && t->sc[i]->written < 0)
			break;
	}
	return found;
}

bool oclmm_explored_total(const struct oclmm_explorer *x, const struct state *s)
{
	struct total t = {.x = x};
	bool found;

	list_events(&t, s);
	t.edge = oclmm_calloc((size_t)t.sc_count * t.sc_count + 1, sizeof(*t.edge));
	t.placed = oclmm_calloc(t.sc_count + 1, sizeof(*t.placed));
	add_edges(&t);
	found = place(&t, t.sc_count);
	free(t.events);
	free(t.sc);
	free(t.edge);
	free(t.placed);
	free(t.tried);
	return found;
}
