// SPDX-License-Identifier: Apache-2.0
/*
 * Circles in the order S of seq_cst operations.
 *
 * Each edge that S must contain is taken apart into the edges that are its
 * reason: rule 4, say, into sb, fr and sb. The shortest circle is the one with
 * the fewest of those.
 */
#include <stdlib.h>
#include <string.h>

#include "breach.h"

enum { PLACED = -1 };

/* The lightest edge between each two operations. */
struct total_graph {
	const struct oclmm_execution *x;
	oclmm_events members;
	unsigned weight[OCLMM_MAX_EVENTS][OCLMM_MAX_EVENTS]; /* 0: none */
	int edge[OCLMM_MAX_EVENTS][OCLMM_MAX_EVENTS];        /* index into x->total, or PLACED */
};

/* What the trying of places for weakly reading operations finds. */
struct placing {
	struct total_graph graph;
	struct oclmm_breach *breach; /* its `total` is the best circle so far */
	unsigned weight;             /* of the best one */
	bool possible;               /* some places leave no circle: S exists */
};

static bool is_fr(const struct oclmm_execution *x, unsigned a, unsigned b)
{
	return oclmm_event_reads(&x->event[a]) && x->mo[x->rf[a]] & BIT(b) && a != b;
}

static enum oclmm_space region_of_hb(const struct oclmm_execution *x, unsigned a, unsigned b)
{
	return x->hb[OCLMM_SPACE_GLOBAL][a] & BIT(b) ? OCLMM_SPACE_GLOBAL : OCLMM_SPACE_LOCAL;
}

/* The edges behind "from before to", appended to a circle. */
static void add_direct(struct circle *c, const struct oclmm_execution *x, unsigned a, unsigned b)
{
	if (is_fr(x, a, b))
		oclmm_circle_add(c, OCLMM_EDGE_FR, a, b);
	else if (oclmm_event_writes(&x->event[a]) && x->mo[a] & BIT(b))
		oclmm_circle_add(c, OCLMM_EDGE_MO, a, b);
	else
		oclmm_circle_add_hb(c, x, region_of_hb(x, a, b), a, b);
}

static void add_edge(struct circle *c, const struct oclmm_execution *x,
                     const struct oclmm_total_edge *e)
{
	switch (e->rule) {
	case OCLMM_TOTAL_HB:
		oclmm_circle_add_hb(c, x, region_of_hb(x, e->from, e->to), e->from, e->to);
		break;
	case OCLMM_TOTAL_MO: oclmm_circle_add(c, OCLMM_EDGE_MO, e->from, e->to); break;
	case OCLMM_TOTAL_READ:
		oclmm_circle_add(c, is_fr(x, e->from, e->to) ? OCLMM_EDGE_FR : OCLMM_EDGE_RF,
		                 e->from, e->to);
		break;
	case OCLMM_TOTAL_RULE_2:
		oclmm_circle_add(c, OCLMM_EDGE_SB, e->from, e->a);
		oclmm_circle_add(c, OCLMM_EDGE_FR, e->a, e->to);
		break;
	case OCLMM_TOTAL_RULE_3:
		oclmm_circle_add(c, OCLMM_EDGE_FR, e->from, e->a);
		oclmm_circle_add(c, OCLMM_EDGE_SB, e->a, e->to);
		break;
	case OCLMM_TOTAL_RULE_4:
	case OCLMM_TOTAL_RULE_5:
		oclmm_circle_add(c, OCLMM_EDGE_SB, e->from, e->b);
		oclmm_circle_add(c, e->rule == OCLMM_TOTAL_RULE_4 ? OCLMM_EDGE_FR : OCLMM_EDGE_MO,
		                 e->b, e->a);
		oclmm_circle_add(c, OCLMM_EDGE_SB, e->a, e->to);
		break;
	case OCLMM_TOTAL_PLACED:
		oclmm_circle_add(c, is_fr(x, e->from, e->to) ? OCLMM_EDGE_FR : OCLMM_EDGE_S,
		                 e->from, e->to);
		break;
	case OCLMM_TOTAL_SCOPED:
		if (e->from != e->b)
			oclmm_circle_add(c, OCLMM_EDGE_SB, e->from, e->b);
		add_direct(c, x, e->b, e->a);
		if (e->to != e->a)
			oclmm_circle_add(c, OCLMM_EDGE_SB, e->a, e->to);
		break;
	}
}

static void graph_add(struct total_graph *g, unsigned a, unsigned b, unsigned weight, int edge)
{
	if (g->weight[a][b] && g->weight[a][b] <= weight)
		return;
	g->weight[a][b] = weight;
	g->edge[a][b] = edge;
}

static void graph_build(struct total_graph *g, const struct oclmm_execution *x)
{
	memset(g, 0, sizeof(*g));
	g->x = x;
	for (unsigned i = 0; i < x->count; i++)
		if (x->event[i].order == OCLMM_ORDER_SEQ_CST)
			g->members |= BIT(i);
	for (unsigned i = 0; i < x->total_count; i++) {
		struct circle c = {0};

		add_edge(&c, x, &x->total[i]);
		if (!c.count)
			oclmm_circle_add(&c, OCLMM_EDGE_S, x->total[i].from, x->total[i].to);
		graph_add(g, x->total[i].from, x->total[i].to, c.count, (int)i);
	}
}

/* The lightest circle through one operation (Dijkstra). \return its weight, 0 without one. */
static unsigned lightest_through(const struct total_graph *g, unsigned start,
                                 unsigned before[OCLMM_MAX_EVENTS])
{
	unsigned distance[OCLMM_MAX_EVENTS] = {
		0}; /* 0: not reached; the start is reached again at the end */
	oclmm_events open = 0, done = 0;
	unsigned at = start, base = 0;

	for (;;) {
		unsigned nearest = OCLMM_MAX_EVENTS;

		FOR_EACH (k, g->members & ~done) {
			if (!g->weight[at][k])
				continue;
			if (!distance[k] || base + g->weight[at][k] < distance[k]) {
				distance[k] = base + g->weight[at][k];
				before[k] = at;
				open |= BIT(k);
			}
		}
		FOR_EACH (k, open & ~done)
			if (nearest == OCLMM_MAX_EVENTS || distance[k] < distance[nearest])
				nearest = (unsigned)k;
		if (nearest == OCLMM_MAX_EVENTS)
			return 0;
		if (nearest == start)
			return distance[start];
		done |= BIT(nearest);
		at = nearest;
		base = distance[at];
	}
}

/* The lightest circle of all, as a list of operations. \return its weight, 0 without one. */
static unsigned lightest(const struct total_graph *g, unsigned way[OCLMM_MAX_EVENTS + 1],
                         unsigned *ret_length)
{
	unsigned best = 0;

	FOR_EACH (start, g->members) {
		unsigned before[OCLMM_MAX_EVENTS] = {0}, length = 0, at;
		unsigned weight = lightest_through(g, (unsigned)start, before);

		if (!weight || (best && weight >= best))
			continue;
		best = weight;
		at = (unsigned)start;
		do {
			at = before[at];
			length++;
		} while (at != start);
		*ret_length = length;
		at = (unsigned)start;
		for (unsigned i = length + 1; i-- > 0; at = before[at])
			way[i] = at;
	}
	return best;
}

/* ---- rule 1 for reads from weaker writes ------------------------------- */

static unsigned writes_in_order(const struct oclmm_execution *x, unsigned read, unsigned *ret)
{
	unsigned n = 0;

	for (unsigned i = x->init_count; i < x->count; i++) {
		unsigned at = n;

		if (x->event[i].order != OCLMM_ORDER_SEQ_CST || !oclmm_event_writes(&x->event[i]) ||
		    !oclmm_event_same_cell(&x->event[i], &x->event[read]))
			continue;
		for (; at > 0 && x->mo[i] & BIT(ret[at - 1]); at--)
			ret[at] = ret[at - 1];
		ret[at] = i;
		n++;
	}
	return n;
}

static bool binds(const struct oclmm_execution *x, unsigned a, unsigned b)
{
	return !(x->reading.alternatives & 1u << OCLMM_KNOB_K2) || x->sc_inclusive[a] & BIT(b);
}

static void take(const struct total_graph *g, const unsigned *way, unsigned length,
                 struct oclmm_total_circle *ret)
{
	ret->count = length;
	for (unsigned i = 0; i < length; i++) {
		unsigned from = way[i], to = way[i + 1];
		int edge = g->edge[from][to];

		ret->edge[i] = edge != PLACED
		                       ? g->x->total[edge]
		                       : (struct oclmm_total_edge){.from = from,
		                                                   .to = to,
		                                                   .rule = OCLMM_TOTAL_PLACED};
	}
}

static bool same(const struct oclmm_total_circle *a, const struct oclmm_total_circle *b)
{
	for (unsigned i = 0; i < a->count; i++)
		if (i >= b->count || a->edge[i].from != b->edge[i].from)
			return false;
	return a->count == b->count;
}

static void keep_other(struct placing *p, const struct oclmm_total_circle *other)
{
	for (unsigned i = 0; i < p->breach->other_count; i++)
		if (same(other, &p->breach->other[i]))
			return;
	if (p->breach->other_count == OCLMM_MAX_OTHERS)
		p->breach->more = true;
	else
		p->breach->other[p->breach->other_count++] = *other;
}

/* \return whether there is a circle; it is kept. */
static bool judge_places(struct placing *p)
{
	unsigned way[OCLMM_MAX_EVENTS + 1], length = 0, weight = lightest(&p->graph, way, &length);
	struct oclmm_total_circle circle;

	if (!weight)
		return false;
	take(&p->graph, way, length, &circle);
	p->breach->placed |= p->weight > 0;
	if (p->weight && weight >= p->weight) {
		if (!same(&circle, &p->breach->total))
			keep_other(p, &circle);
		return true;
	}
	if (p->weight)
		keep_other(p, &p->breach->total);
	p->weight = weight;
	p->breach->total = circle;
	return true;
}

/* All places of the reads left; not where there is a circle already, whatever comes. */
static void place_reads(struct placing *p, oclmm_events left)
{
	const struct oclmm_execution *x = p->graph.x;

	if (p->possible || judge_places(p))
		return;
	if (!left) {
		p->possible = true;
		return;
	}

	unsigned b = (unsigned)__builtin_ctzll(left), writes[OCLMM_MAX_EVENTS];
	unsigned n = writes_in_order(x, b, writes);
	oclmm_events later = x->hb[x->event[b].region][x->rf[b]];

	for (unsigned i = 0; i <= n; i++) {
		struct total_graph saved = p->graph;

		if (i > 0 && later & BIT(writes[i - 1]))
			continue;
		if (i > 0 && binds(x, writes[i - 1], b))
			graph_add(&p->graph, writes[i - 1], b, 1, PLACED);
		for (unsigned k = i; k < n; k++)
			if (binds(x, b, writes[k]))
				graph_add(&p->graph, b, writes[k], 1, PLACED);
		place_reads(p, left & ~BIT(b));
		p->graph = saved;
	}
}

/* ---- the circle -------------------------------------------------------- */

void oclmm_breach_total(const struct oclmm_execution *x, struct circle *circle,
                        struct oclmm_breach *ret)
{
	struct placing *p = oclmm_calloc(1, sizeof(*p));

	p->breach = ret;
	graph_build(&p->graph, x);
	place_reads(p, x->weak);
	if (!p->possible) {
		circle->rule = x->reading.regime == OCLMM_MODEL_SCOPED ? OCLMM_RULE_SEQ_CST_SCOPED
		                                                       : OCLMM_RULE_SEQ_CST;
		for (unsigned i = 0; i < ret->total.count; i++)
			add_edge(circle, x, &ret->total.edge[i]);
	}
	free(p);
}
