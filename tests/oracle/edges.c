// SPDX-License-Identifier: Apache-2.0
/*
 * K2's alternative: what S would have to contain, and what each rule would
 * demand of a pair, binds only pairs of inclusive scope. There is no single
 * order then; the binding edges must not form a cycle.
 */
#include <string.h>

#include "order.h"

struct edges {
	const struct order_question *q;
	relation binding;
};

bool order_binds(const struct order_question *q, unsigned a, unsigned b)
{
	const struct view *view = q->view;
	const struct event *ea = &view->candidate->events[a], *eb = &view->candidate->events[b];
	const struct event *at_a = ea->fence ? eb : ea, *at_b = eb->fence ? ea : eb;

	if (ea->fence && eb->fence)
		at_a = at_b = NULL;
	return is_inclusive(view->candidate, &view->reading, a, at_a, b, at_b);
}

static void add_edge(struct edges *edges, unsigned a, unsigned b)
{
	if (order_binds(edges->q, a, b))
		edges->binding[a][b] = true;
}

static void add_contained(struct edges *edges)
{
	unsigned count = edges->q->view->candidate->count;

	for (unsigned a = 0; a < count; a++)
		for (unsigned b = 0; b < count; b++)
			if (edges->q->contained[a][b])
				add_edge(edges, a, b);
}

/*
 * Rules 2 and 3: a fence X, an access B. The last write before X, of rule 2, may be B itself, a
 * read-modify-write that reads something older; rule 3 is about two operations.
 */
static void add_one_fence_edges(struct edges *edges, unsigned x, unsigned b)
{
	const struct order_question *q = edges->q;
	const struct candidate *c = q->view->candidate;

	if (!is_atomic_read(c, b) || !is_sc_fence_for(q, x, b))
		return;
	for (unsigned a = 0; a < c->count; a++) {
		if (!same_cell(&c->events[a], &c->events[b]) || !c->mo[c->rf[b]][a])
			continue;
		if (c->sb[x][b] && is_sc_write(q, a, b))
			add_edge(edges, x, a);
		if (a != b && is_sc(q->view, b) && is_atomic_write(c, a) && c->sb[a][x])
			add_edge(edges, b, x);
	}
}

/* Rules 4 and 5: A before the fence X, the fence Y before B. */
static void add_two_fence_edges(struct edges *edges, unsigned x, unsigned y)
{
	const struct order_question *q = edges->q;
	const struct candidate *c = q->view->candidate;

	for (unsigned a = 0; a < c->count; a++)
		for (unsigned b = 0; b < c->count; b++) {
			bool reads_older, written_earlier;

			if (a == b || !is_atomic_write(c, a) || !c->sb[a][x] || !c->sb[y][b] ||
			    !same_cell(&c->events[a], &c->events[b]) || !is_sc_fence_for(q, x, a) ||
			    !is_sc_fence_for(q, y, b))
				continue;
			reads_older = is_atomic_read(c, b) && c->mo[c->rf[b]][a];
			written_earlier = is_atomic_write(c, b) && c->mo[b][a];
			if (reads_older || written_earlier)
				add_edge(edges, y, x);
		}
}

static void add_fence_edges(struct edges *edges)
{
	const struct candidate *c = edges->q->view->candidate;

	for (unsigned x = 0; x < c->count; x++)
		for (unsigned i = 0; i < c->count; i++) {
			if (!c->events[x].fence || !is_sc(edges->q->view, x))
				continue;
			add_one_fence_edges(edges, x, i);
			if (c->events[i].fence && is_sc(edges->q->view, i) && i != x)
				add_two_fence_edges(edges, x, i);
		}
}

/** The seq_cst writes to the cell of the read B, other than B itself, in mo. \return how many. */
static unsigned list_writes(const struct order_question *q, unsigned b, unsigned *list)
{
	const struct candidate *c = q->view->candidate;
	unsigned count = 0;

	for (unsigned w = 0; w < c->count; w++) {
		unsigned at = count;

		if (w == b || !is_sc_write(q, w, b))
			continue;
		for (; at > 0 && c->mo[w][list[at - 1]]; at--)
			list[at] = list[at - 1];
		list[at] = w;
		count++;
	}
	return count;
}

/**
 * Rule 1 for the seq_cst read `b` and those after it: where it stands among
 * the seq_cst writes to its cell. `edges` is passed by value, so that each
 * choice starts from the same ones.
 */
static bool place_reads(struct edges edges, unsigned b)
{
	const struct order_question *q = edges.q;
	const struct candidate *c = q->view->candidate;
	unsigned list[MAX_EVENTS], count, w;

	while (b < c->count && !(is_sc(q->view, b) && c->events[b].reads))
		b++;
	if (b == c->count) {
		close_transitively(c->count, edges.binding);
		return is_irreflexive(c->count, edges.binding);
	}
	w = (unsigned)c->rf[b];
	count = list_writes(q, b, list);
	for (unsigned at = 0; at <= count; at++) {
		struct edges chosen = edges;
		bool allowed;

		/* `at` writes stand before b */
		if (is_sc(q->view, w))
			allowed = at > 0 && list[at - 1] == w;
		else
			allowed = at == 0 || !happens_before(q->view, w, list[at - 1], b);
		if (!allowed)
			continue;
		/* the last write before it, and every write that it does not see */
		if (at > 0)
			add_edge(&chosen, list[at - 1], b);
		for (unsigned i = at; i < count; i++)
			add_edge(&chosen, b, list[i]);
		if (place_reads(chosen, b + 1))
			return true;
	}
	return false;
}

bool binding_edges_exist(struct order_question *q)
{
	struct edges edges;

	memset(&edges, 0, sizeof(edges));
	edges.q = q;
	add_contained(&edges);
	add_fence_edges(&edges);
	return place_reads(edges, 0);
}
