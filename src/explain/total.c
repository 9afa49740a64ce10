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

#include "internal.h"

enum { NO_EDGE = -1, PLACED = -2, MAX_PLACINGS = 4096 };

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
	unsigned tried;
	unsigned way[OCLMM_MAX_EVENTS +
	             1]; /* of the best circle: its operations, the first again at the end */
	unsigned length, weight;
	int edge[OCLMM_MAX_EVENTS];
	struct oclmm_text others; /* the circles of the other places, in words */
	bool possible;            /* some places leave no circle: S exists */
};

static bool is_fr(const struct oclmm_execution *x, unsigned a, unsigned b)
{
	return event_reads(&x->event[a]) && x->mo[x->rf[a]] & BIT(b) && a != b;
}

static enum oclmm_space region_of_hb(const struct oclmm_execution *x, unsigned a, unsigned b)
{
	return x->hb[OCLMM_SPACE_GLOBAL][a] & BIT(b) ? OCLMM_SPACE_GLOBAL : OCLMM_SPACE_LOCAL;
}

/* The edges behind "from before to", appended to a circle. */
static void add_direct(struct circle *c, const struct oclmm_execution *x, unsigned a, unsigned b)
{
	if (is_fr(x, a, b))
		circle_add(c, OCLMM_EDGE_FR, a, b);
	else if (event_writes(&x->event[a]) && x->mo[a] & BIT(b))
		circle_add(c, OCLMM_EDGE_MO, a, b);
	else
		circle_add_hb(c, x, region_of_hb(x, a, b), a, b);
}

static void add_edge(struct circle *c, const struct oclmm_execution *x,
                     const struct oclmm_total_edge *e)
{
	switch (e->rule) {
	case OCLMM_TOTAL_HB:
		circle_add_hb(c, x, region_of_hb(x, e->from, e->to), e->from, e->to);
		break;
	case OCLMM_TOTAL_MO: circle_add(c, OCLMM_EDGE_MO, e->from, e->to); break;
	case OCLMM_TOTAL_READ:
		circle_add(c, is_fr(x, e->from, e->to) ? OCLMM_EDGE_FR : OCLMM_EDGE_RF, e->from,
		           e->to);
		break;
	case OCLMM_TOTAL_RULE_2:
		circle_add(c, OCLMM_EDGE_SB, e->from, e->a);
		circle_add(c, OCLMM_EDGE_FR, e->a, e->to);
		break;
	case OCLMM_TOTAL_RULE_3:
		circle_add(c, OCLMM_EDGE_FR, e->from, e->a);
		circle_add(c, OCLMM_EDGE_SB, e->a, e->to);
		break;
	case OCLMM_TOTAL_RULE_4:
	case OCLMM_TOTAL_RULE_5:
		circle_add(c, OCLMM_EDGE_SB, e->from, e->b);
		circle_add(c, e->rule == OCLMM_TOTAL_RULE_4 ? OCLMM_EDGE_FR : OCLMM_EDGE_MO, e->b,
		           e->a);
		circle_add(c, OCLMM_EDGE_SB, e->a, e->to);
		break;
	case OCLMM_TOTAL_SCOPED:
		if (e->from != e->b)
			circle_add(c, OCLMM_EDGE_SB, e->from, e->b);
		add_direct(c, x, e->b, e->a);
		if (e->to != e->a)
			circle_add(c, OCLMM_EDGE_SB, e->a, e->to);
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
			circle_add(&c, OCLMM_EDGE_S, x->total[i].from, x->total[i].to);
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

		if (x->event[i].order != OCLMM_ORDER_SEQ_CST || !event_writes(&x->event[i]) ||
		    !same_cell(&x->event[i], &x->event[read]))
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

static void describe(struct placing *p, const unsigned *way, unsigned length)
{
	if (p->others.length)
		oclmm_text_add(&p->others, "; ");
	for (unsigned i = 0; i <= length; i++) {
		if (i)
			oclmm_text_add(&p->others, " → ");
		print_letter(&p->others, p->graph.x, way[i]);
	}
}

static void judge_places(struct placing *p)
{
	unsigned way[OCLMM_MAX_EVENTS + 1], length = 0, weight = lightest(&p->graph, way, &length);

	p->tried++;
	if (!weight) {
		p->possible = true;
		return;
	}
	if (p->length && weight >= p->weight) {
		if (p->tried <= 6)
			describe(p, way, length);
		return;
	}
	if (p->length && p->tried <= 6)
		describe(p, p->way, p->length);
	p->length = length;
	p->weight = weight;
	memcpy(p->way, way, sizeof(way));
	for (unsigned i = 0; i < length; i++)
		p->edge[i] = p->graph.edge[way[i]][way[i + 1]];
}

static void place_reads(struct placing *p, oclmm_events left)
{
	const struct oclmm_execution *x = p->graph.x;

	if (p->possible || p->tried > MAX_PLACINGS)
		return;
	if (!left) {
		judge_places(p);
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

static const char *reason(const struct oclmm_execution *x, const struct oclmm_total_edge *e)
{
	switch (e->rule) {
	case OCLMM_TOTAL_HB: return "S contains happens-before";
	case OCLMM_TOTAL_MO: return "S contains modification order";
	case OCLMM_TOTAL_READ:
		return is_fr(x, e->from, e->to) ? "rule 1: it misses that write"
		                                : "rule 1: it is read from";
	case OCLMM_TOTAL_RULE_2: return "rule 2: a read behind a seq_cst fence";
	case OCLMM_TOTAL_RULE_3: return "rule 3: a write in front of a seq_cst fence";
	case OCLMM_TOTAL_RULE_4:
		return "rule 4: a write in front of one fence, a read behind another";
	case OCLMM_TOTAL_RULE_5:
		return "rule 5: a write in front of one fence, a write behind another";
	case OCLMM_TOTAL_SCOPED: return "the scoped order of seq_cst";
	}
	return "";
}

static void print_order(struct oclmm_text *text, const struct placing *p)
{
	const struct oclmm_execution *x = p->graph.x;

	oclmm_text_add(text, "the seq_cst operations stand in one order S, and here ");
	for (unsigned i = 0; i < p->length; i++) {
		oclmm_text_add(text, i == 0 ? "" : i + 1 == p->length ? " and " : ", ");
		print_letter(text, x, p->way[i]);
		oclmm_text_add(text, " would stand before ");
		print_letter(text, x, p->way[i + 1]);
		oclmm_text_printf(text, " (%s)",
		                  p->edge[i] != PLACED ? reason(x, &x->total[p->edge[i]])
		                  : is_fr(x, p->way[i], p->way[i + 1])
		                          ? "rule 1: it misses that write"
		                          : "rule 1: its place in this try");
	}
	if (!p->others.length)
		return;
	oclmm_text_printf(
		text,
		". A seq_cst read from a weaker write may stand in several places (rule 1); the "
		"others close circles too: %s%s",
		oclmm_text_string(&p->others), p->tried > 6 ? " and more" : "");
}

static void fill_circle(struct oclmm_arena *arena, const struct placing *p, struct circle *c)
{
	const struct oclmm_execution *x = p->graph.x;
	struct oclmm_text text;

	c->axiom = OCLMM_AXIOM_SEQ_CST;
	c->rule = x->reading.regime == OCLMM_MODEL_SCOPED ? "seq_cst, scoped" : "seq_cst";
	for (unsigned i = 0; i < p->length; i++) {
		unsigned a = p->way[i], b = p->way[i + 1];

		if (p->edge[i] != PLACED)
			add_edge(c, x, &x->total[p->edge[i]]);
		else
			circle_add(c, is_fr(x, a, b) ? OCLMM_EDGE_FR : OCLMM_EDGE_S, a, b);
	}
	oclmm_text_init(&text);
	print_order(&text, p);
	c->why = oclmm_arena_strdup(arena, oclmm_text_string(&text));
	oclmm_text_finish(&text);
}

bool circle_find_total(struct oclmm_arena *arena, const struct oclmm_execution *x,
                       struct circle *ret)
{
	struct placing *p = oclmm_calloc(1, sizeof(*p));
	bool found;

	graph_build(&p->graph, x);
	judge_places(p);
	if (p->possible) {
		/* only together with the places of weakly reading operations */
		p->possible = false;
		p->tried = 0;
		place_reads(p, x->weak);
	}
	found = p->length > 0 && !p->possible;
	if (found)
		fill_circle(arena, p, ret);
	oclmm_text_finish(&p->others);
	free(p);
	return found;
}
