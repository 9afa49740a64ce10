// SPDX-License-Identifier: Apache-2.0
/*
 * Why an execution is not consistent: the shortest cycle of edges that an axiom forbids.
 *
 * happens-before is closed transitively; a reader wants the steps. So each pair of it is taken
 * apart again into sb, sw and the initial writes, by the shortest way.
 */
#include "internal.h"

#include <stdlib.h>
#include <string.h>

struct cycle {
	enum oclmm_rule rule;
	struct oclmm_arrow arrow[OCLMM_MAX_EVENTS];
	unsigned count; /* 0: none found yet */
};

/* ---- ways through happens-before -------------------------------------- */

static oclmm_events next_in_hb(const struct oclmm_execution *x, enum oclmm_space region,
                               unsigned from)
{
	oclmm_events acts = x->acts[region],
		     all = x->count == OCLMM_MAX_EVENTS ? ~(oclmm_events)0 : BIT(x->count) - 1;

	if (from < x->init_count)
		return acts & BIT(from) ? acts & all & ~(BIT(x->init_count) - 1) : 0;
	/* only a fence orders a read of an image behind what stands before it */
	for (unsigned to = 0; region == OCLMM_SPACE_IMAGE && to < x->count; to++)
		if (!oclmm_event_is_fence(&x->event[from]) && oclmm_event_reads(&x->event[to]))
			acts &= ~BIT(to);
	return x->sw[region][from] | (x->acts[region] & BIT(from) ? x->sb[from] & acts : 0);
}

/* Breadth first. \return the length, 0 without a way; `ret_before` gets each event's
 * predecessor. */
static unsigned search_hb(const struct oclmm_execution *x, enum oclmm_space region, unsigned from,
                          unsigned to, unsigned before[OCLMM_MAX_EVENTS])
{
	oclmm_events reached = 0, front = BIT(from);

	for (unsigned length = 1; front; length++) {
		oclmm_events fresh = 0;

		FOR_EACH (i, front)
			FOR_EACH (k, next_in_hb(x, region, (unsigned)i) & ~reached & ~fresh) {
				before[k] = (unsigned)i;
				fresh |= BIT(k);
			}
		if (fresh & BIT(to))
			return length;
		reached |= fresh;
		front = fresh;
	}
	return 0;
}

/* Appends an arrow. A cycle that would get too long is given up. */
static bool add_arrow(struct cycle *c, enum oclmm_edge edge, unsigned from, unsigned to)
{
	if (c->count == OCLMM_MAX_EVENTS)
		return false;
	c->arrow[c->count++] = (struct oclmm_arrow){edge, from, to};
	return true;
}

/* The shortest way by sb, sw and the initial writes through happens-before of a region. */
static bool add_hb(struct cycle *c, const struct oclmm_execution *x, enum oclmm_space region,
                   unsigned from, unsigned to)
{
	unsigned before[OCLMM_MAX_EVENTS], way[OCLMM_MAX_EVENTS + 1];
	unsigned length = search_hb(x, region, from, to, before), at = to;

	if (!length || length > OCLMM_MAX_EVENTS - c->count)
		return false;
	for (unsigned i = length; i-- > 0; at = before[at])
		way[i] = at;
	at = from;
	for (unsigned i = 0; i < length; at = way[i++])
		add_arrow(c,
		          at < x->init_count                ? OCLMM_EDGE_HB
		          : x->sw[region][at] & BIT(way[i]) ? OCLMM_EDGE_SW
		                                            : OCLMM_EDGE_SB,
		          at, way[i]);
	return true;
}

/* Keeps the shorter one, the first of two equal ones. */
static void keep(struct cycle *best, const struct cycle *other)
{
	if (other->count && (!best->count || other->count < best->count))
		*best = *other;
}

/* ---- happens-before, values ------------------------------------------- */

static void find_happens_before(const struct oclmm_execution *x, struct cycle *best)
{
	for (unsigned r = 0; r < OCLMM_SPACE_COUNT; r++) {
		for (unsigned a = 0; a < x->count; a++) {
			struct cycle c = {.rule = OCLMM_RULE_HAPPENS_BEFORE};

			if (x->hb[r][a] & BIT(a) && add_hb(&c, x, (enum oclmm_space)r, a, a))
				keep(best, &c);
		}
	}
}

static void find_future(const struct oclmm_execution *x, unsigned r, struct cycle *best)
{
	struct cycle c = {.rule = OCLMM_RULE_FUTURE};

	if (x->hb[x->event[r].region][r] & BIT(x->rf[r]) &&
	    add_hb(&c, x, x->event[r].region, r, x->rf[r])) {
		add_arrow(&c, OCLMM_EDGE_RF, x->rf[r], r);
		keep(best, &c);
	}
}

/* A plain read that returns a write which a later one hides. */
static void find_hidden(const struct oclmm_execution *x, unsigned r, struct cycle *best)
{
	enum oclmm_space region = x->event[r].region;
	unsigned w = x->rf[r];

	FOR_EACH (hiding, x->hb[region][w] & x->mo[w]) {
		struct cycle c = {.rule = OCLMM_RULE_HIDDEN};

		if (x->hb[region][hiding] & BIT(r) && add_hb(&c, x, region, (unsigned)hiding, r)) {
			add_arrow(&c, OCLMM_EDGE_FR, r, (unsigned)hiding);
			keep(best, &c);
		}
	}
}

static void find_visible(const struct oclmm_execution *x, struct cycle *best)
{
	for (unsigned r = x->init_count; r < x->count; r++) {
		if (!oclmm_event_reads(&x->event[r]))
			continue;
		find_future(x, r, best);
		if (!oclmm_event_is_atomic(&x->event[r]))
			find_hidden(x, r, best);
	}
	if (best->count)
		return;
	/* a missing edge closes no cycle */
	for (unsigned r = x->init_count; r < x->count && !best->count; r++) {
		const struct oclmm_event *e = &x->event[r];

		if (!oclmm_event_reads(e) || oclmm_event_is_atomic(e) ||
		    x->hb[e->region][x->rf[r]] & BIT(r) ||
		    (e->region == OCLMM_SPACE_IMAGE && x->sb[x->rf[r]] & BIT(r)))
			continue;
		best->rule = OCLMM_RULE_UNORDERED;
		add_arrow(best, OCLMM_EDGE_RF, x->rf[r], r);
	}
}

/* Each of both as a write or as a read: where a leads in mo, what b wrote or read comes before it.
 */
static void find_coherence_pair(const struct oclmm_execution *x, unsigned a, unsigned b,
                                struct cycle *best)
{
	static const enum oclmm_rule rules[2][2] = {
		{OCLMM_RULE_WRITE_WRITE, OCLMM_RULE_WRITE_READ},
		{OCLMM_RULE_READ_WRITE, OCLMM_RULE_READ_READ},
	};
	const struct oclmm_event *ea = &x->event[a], *eb = &x->event[b];
	struct cycle way = {0};

	if (!add_hb(&way, x, ea->region, a, b))
		return;
	for (unsigned i = 0; i < 4; i++) {
		bool a_reads = i / 2, b_reads = i % 2;
		unsigned first = a_reads ? x->rf[a] : a, last = b_reads ? x->rf[b] : b;
		struct cycle c = way;

		if (!(a_reads ? oclmm_event_reads(ea) : oclmm_event_writes(ea)) ||
		    !(b_reads ? oclmm_event_reads(eb) : oclmm_event_writes(eb)) ||
		    !(x->mo[last] & BIT(first)) || (a == b && !a_reads && b_reads))
			continue;
		c.rule = rules[a_reads][b_reads];
		add_arrow(&c, b_reads ? OCLMM_EDGE_FR : OCLMM_EDGE_MO, b, first);
		if (a_reads)
			add_arrow(&c, OCLMM_EDGE_RF, first, a);
		keep(best, &c);
	}
}

static void find_coherence(const struct oclmm_execution *x, struct cycle *best)
{
	for (unsigned a = 0; a < x->count; a++) {
		if (oclmm_event_is_fence(&x->event[a]))
			continue;
		FOR_EACH (b, x->hb[x->event[a].region][a])
			if (oclmm_event_same_cell(&x->event[a], &x->event[b]))
				find_coherence_pair(x, a, (unsigned)b, best);
	}
	for (unsigned r = x->init_count; r < x->count; r++)
		if (oclmm_event_reads(&x->event[r]))
			find_future(x, r, best);
}

/* A write that is hidden by happens-before but not by mo breaks coherence. */
static void find_visible_or_coherence(const struct oclmm_execution *x, struct cycle *best)
{
	find_visible(x, best);
	if (!best->count)
		find_coherence(x, best);
}

/* ---- updates, values out of thin air ----------------------------------- */

static void find_atomicity(const struct oclmm_execution *x, struct cycle *best)
{
	for (unsigned u = x->init_count; u < x->count; u++) {
		unsigned w = x->rf[u];

		if (x->event[u].kind != OCLMM_EVENT_UPDATE)
			continue;
		for (unsigned between = 0; between < x->count; between++) {
			struct cycle c = {.rule = OCLMM_RULE_ATOMICITY};

			if (x->mo[w] & BIT(between) && x->mo[between] & BIT(u)) {
				add_arrow(&c, OCLMM_EDGE_FR, u, between);
				add_arrow(&c, OCLMM_EDGE_MO, between, u);
			} else if (x->mo[u] & BIT(w)) {
				add_arrow(&c, OCLMM_EDGE_MO, u, w);
				add_arrow(&c, OCLMM_EDGE_RF, w, u);
			}
			keep(best, &c);
		}
	}
}

/* From a read over the writes that depend on it to the reads of those, breadth first. */
static void find_thin_air_from(const struct oclmm_execution *x, unsigned start, struct cycle *best)
{
	unsigned before[OCLMM_MAX_EVENTS] = {0}, write[OCLMM_MAX_EVENTS] = {0},
		 way[OCLMM_MAX_EVENTS], length = 0;
	oclmm_events reached = 0, front = BIT(start);
	struct cycle c = {.rule = OCLMM_RULE_THIN_AIR};

	while (front && !(reached & BIT(start))) {
		oclmm_events fresh = 0;

		FOR_EACH (r, front)
			FOR_EACH (w, x->data[r])
				for (unsigned s = x->init_count; s < x->count; s++)
					if (oclmm_event_reads(&x->event[s]) && x->rf[s] == w &&
					    !((reached | fresh) & BIT(s))) {
						before[s] = (unsigned)r;
						write[s] = (unsigned)w;
						fresh |= BIT(s);
					}
		reached |= fresh;
		front = fresh;
	}
	if (!(reached & BIT(start)))
		return;
	for (unsigned at = start; length == 0 || at != start; at = before[at])
		way[length++] = at;
	for (unsigned i = length; i-- > 0;) {
		add_arrow(&c, OCLMM_EDGE_DATA, before[way[i]], write[way[i]]);
		add_arrow(&c, OCLMM_EDGE_RF, write[way[i]], way[i]);
	}
	keep(best, &c);
}

/* ---- cycles in S ------------------------------------------------------- */

/*
 * Of the order S of seq_cst operations.
 *
 * Each edge that S must contain is taken apart into the edges that are its
 * reason: rule 4, say, into sb, fr and sb. The shortest cycle is the one with
 * the fewest of those.
 */

enum { PLACED = -1 };

/* The lightest edge between each two operations. */
struct total_graph {
	const struct oclmm_execution *x;
	oclmm_events members;
	unsigned weight[OCLMM_MAX_EVENTS][OCLMM_MAX_EVENTS]; /* 0: none */
	int edge[OCLMM_MAX_EVENTS][OCLMM_MAX_EVENTS];        /* index into x->total, or PLACED */
};

/* What trying the places of reads from weaker writes finds. */
struct placing {
	struct total_graph graph;
	struct oclmm_breach *breach; /* `total` has the best cycle so far */
	unsigned weight;             /* of the best one */
	bool possible;               /* with some places there is no cycle: S exists */
};

static bool is_fr(const struct oclmm_execution *x, unsigned a, unsigned b)
{
	return oclmm_event_reads(&x->event[a]) && x->mo[x->rf[a]] & BIT(b) && a != b;
}

static enum oclmm_space region_of_hb(const struct oclmm_execution *x, unsigned a, unsigned b)
{
	return x->hb[OCLMM_SPACE_GLOBAL][a] & BIT(b) ? OCLMM_SPACE_GLOBAL : OCLMM_SPACE_LOCAL;
}

/* The edges behind "from before to", appended to a cycle. */
static void add_direct(struct cycle *c, const struct oclmm_execution *x, unsigned a, unsigned b)
{
	if (is_fr(x, a, b))
		add_arrow(c, OCLMM_EDGE_FR, a, b);
	else if (oclmm_event_writes(&x->event[a]) && x->mo[a] & BIT(b))
		add_arrow(c, OCLMM_EDGE_MO, a, b);
	else
		add_hb(c, x, region_of_hb(x, a, b), a, b);
}

static void add_edge(struct cycle *c, const struct oclmm_execution *x,
                     const struct oclmm_total_edge *e)
{
	switch (e->rule) {
	case OCLMM_TOTAL_HB: add_hb(c, x, region_of_hb(x, e->from, e->to), e->from, e->to); break;
	case OCLMM_TOTAL_MO: add_arrow(c, OCLMM_EDGE_MO, e->from, e->to); break;
	case OCLMM_TOTAL_READ:
		add_arrow(c, is_fr(x, e->from, e->to) ? OCLMM_EDGE_FR : OCLMM_EDGE_RF, e->from,
		          e->to);
		break;
	case OCLMM_TOTAL_RULE_2:
		add_arrow(c, OCLMM_EDGE_SB, e->from, e->a);
		add_arrow(c, OCLMM_EDGE_FR, e->a, e->to);
		break;
	case OCLMM_TOTAL_RULE_3:
		add_arrow(c, OCLMM_EDGE_FR, e->from, e->a);
		add_arrow(c, OCLMM_EDGE_SB, e->a, e->to);
		break;
	case OCLMM_TOTAL_RULE_4:
	case OCLMM_TOTAL_RULE_5:
		add_arrow(c, OCLMM_EDGE_SB, e->from, e->b);
		add_arrow(c, e->rule == OCLMM_TOTAL_RULE_4 ? OCLMM_EDGE_FR : OCLMM_EDGE_MO, e->b,
		          e->a);
		add_arrow(c, OCLMM_EDGE_SB, e->a, e->to);
		break;
	case OCLMM_TOTAL_PLACED:
		add_arrow(c, is_fr(x, e->from, e->to) ? OCLMM_EDGE_FR : OCLMM_EDGE_S, e->from,
		          e->to);
		break;
	case OCLMM_TOTAL_SCOPED:
		if (e->from != e->b)
			add_arrow(c, OCLMM_EDGE_SB, e->from, e->b);
		add_direct(c, x, e->b, e->a);
		if (e->to != e->a)
			add_arrow(c, OCLMM_EDGE_SB, e->a, e->to);
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
		struct cycle c = {0};

		add_edge(&c, x, &x->total[i]);
		if (!c.count)
			add_arrow(&c, OCLMM_EDGE_S, x->total[i].from, x->total[i].to);
		graph_add(g, x->total[i].from, x->total[i].to, c.count, (int)i);
	}
}

/* The lightest cycle through one operation (Dijkstra). \return its weight, 0 without one. */
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

/* The lightest cycle of all, as a list of operations. \return its weight, 0 without one. */
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
                 struct oclmm_total_cycle *ret)
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

static bool same(const struct oclmm_total_cycle *a, const struct oclmm_total_cycle *b)
{
	for (unsigned i = 0; i < a->count; i++)
		if (i >= b->count || a->edge[i].from != b->edge[i].from)
			return false;
	return a->count == b->count;
}

static void keep_other(struct placing *p, const struct oclmm_total_cycle *other)
{
	for (unsigned i = 0; i < p->breach->other_count; i++)
		if (same(other, &p->breach->other[i]))
			return;
	if (p->breach->other_count == OCLMM_MAX_OTHERS)
		p->breach->more = true;
	else
		p->breach->other[p->breach->other_count++] = *other;
}

/* \return whether there is a cycle; it is kept. */
static bool judge_places(struct placing *p)
{
	unsigned way[OCLMM_MAX_EVENTS + 1], length = 0, weight = lightest(&p->graph, way, &length);
	struct oclmm_total_cycle cycle;

	if (!weight)
		return false;
	take(&p->graph, way, length, &cycle);
	p->breach->placed |= p->weight > 0;
	if (p->weight && weight >= p->weight) {
		if (!same(&cycle, &p->breach->total))
			keep_other(p, &cycle);
		return true;
	}
	if (p->weight)
		keep_other(p, &p->breach->total);
	p->weight = weight;
	p->breach->total = cycle;
	return true;
}

/* Tries all places of the reads that are left, unless there is a cycle already. */
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

static void find_total(const struct oclmm_execution *x, struct cycle *cycle,
                       struct oclmm_breach *ret)
{
	struct placing *p = oclmm_calloc(1, sizeof(*p));

	p->breach = ret;
	graph_build(&p->graph, x);
	place_reads(p, x->weak);
	if (!p->possible) {
		cycle->rule = x->reading.regime == OCLMM_MODEL_SCOPED ? OCLMM_RULE_SEQ_CST_SCOPED
		                                                      : OCLMM_RULE_SEQ_CST;
		for (unsigned i = 0; i < ret->total.count; i++)
			add_edge(cycle, x, &ret->total.edge[i]);
	}
	free(p);
}

/* ---- the front --------------------------------------------------------- */

static void find(const struct oclmm_execution *x, struct cycle *best)
{
	if (x->broken & 1u << OCLMM_AXIOM_ATOMICITY)
		find_atomicity(x, best);
	else if (x->broken & 1u << OCLMM_AXIOM_HAPPENS_BEFORE)
		find_happens_before(x, best);
	else if (x->broken & 1u << OCLMM_AXIOM_VISIBLE)
		find_visible_or_coherence(x, best);
	else if (x->broken & 1u << OCLMM_AXIOM_COHERENCE)
		find_coherence(x, best);
	else if (x->broken & 1u << OCLMM_AXIOM_THIN_AIR)
		for (unsigned r = x->init_count; r < x->count; r++)
			if (oclmm_event_reads(&x->event[r]))
				find_thin_air_from(x, r, best);
}

bool oclmm_execution_breach(const struct oclmm_execution *x, struct oclmm_breach *ret)
{
	const unsigned more_basic = (1u << OCLMM_AXIOM_SEQ_CST) - 1;
	struct cycle cycle = {0};

	ret->total.count = ret->other_count = 0;
	ret->placed = ret->more = false;
	if (x->broken & 1u << OCLMM_AXIOM_SEQ_CST && !(x->broken & more_basic))
		find_total(x, &cycle, ret);
	else
		find(x, &cycle);
	ret->rule = cycle.rule;
	ret->count = cycle.count;
	memcpy(ret->arrow, cycle.arrow, cycle.count * sizeof(*ret->arrow));
	return cycle.count > 0;
}
