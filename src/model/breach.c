// SPDX-License-Identifier: Apache-2.0
/*
 * Why an execution is not consistent: the shortest circle of edges that an axiom forbids.
 *
 * happens-before is closed transitively; a reader wants the steps. So each pair
 * of it is taken apart again into sb, sw and the initial writes, by the
 * shortest way.
 */
#include <string.h>

#include "breach.h"

/* ---- ways through happens-before -------------------------------------- */

static oclmm_events next_in_hb(const struct oclmm_execution *x, enum oclmm_space region,
                               unsigned from)
{
	oclmm_events acts = x->acts[region],
		     all = x->count == OCLMM_MAX_EVENTS ? ~(oclmm_events)0 : BIT(x->count) - 1;

	if (from < x->init_count)
		return acts & BIT(from) ? acts & all & ~(BIT(x->init_count) - 1) : 0;
	/* a read of an image comes behind fences alone */
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

bool oclmm_circle_add(struct circle *c, enum oclmm_edge edge, unsigned from, unsigned to)
{
	if (c->count == OCLMM_MAX_EVENTS)
		return false;
	c->arrow[c->count++] = (struct oclmm_arrow){edge, from, to};
	return true;
}

bool oclmm_circle_add_hb(struct circle *c, const struct oclmm_execution *x, enum oclmm_space region,
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
		oclmm_circle_add(c,
		                 at < x->init_count                ? OCLMM_EDGE_HB
		                 : x->sw[region][at] & BIT(way[i]) ? OCLMM_EDGE_SW
		                                                   : OCLMM_EDGE_SB,
		                 at, way[i]);
	return true;
}

/* Keeps the shorter one, the first of two equal ones. */
static void keep(struct circle *best, const struct circle *other)
{
	if (other->count && (!best->count || other->count < best->count))
		*best = *other;
}

/* ---- happens-before, values ------------------------------------------- */

static void find_happens_before(const struct oclmm_execution *x, struct circle *best)
{
	for (unsigned r = 0; r < OCLMM_SPACE_COUNT; r++) {
		for (unsigned a = 0; a < x->count; a++) {
			struct circle c = {.rule = OCLMM_RULE_HAPPENS_BEFORE};

			if (x->hb[r][a] & BIT(a) &&
			    oclmm_circle_add_hb(&c, x, (enum oclmm_space)r, a, a))
				keep(best, &c);
		}
	}
}

static void find_future(const struct oclmm_execution *x, unsigned r, struct circle *best)
{
	struct circle c = {.rule = OCLMM_RULE_FUTURE};

	if (x->hb[x->event[r].region][r] & BIT(x->rf[r]) &&
	    oclmm_circle_add_hb(&c, x, x->event[r].region, r, x->rf[r])) {
		oclmm_circle_add(&c, OCLMM_EDGE_RF, x->rf[r], r);
		keep(best, &c);
	}
}

/* A plain read returns a write that a later one hides. */
static void find_hidden(const struct oclmm_execution *x, unsigned r, struct circle *best)
{
	enum oclmm_space region = x->event[r].region;
	unsigned w = x->rf[r];

	FOR_EACH (hiding, x->hb[region][w] & x->mo[w]) {
		struct circle c = {.rule = OCLMM_RULE_HIDDEN};

		if (x->hb[region][hiding] & BIT(r) &&
		    oclmm_circle_add_hb(&c, x, region, (unsigned)hiding, r)) {
			oclmm_circle_add(&c, OCLMM_EDGE_FR, r, (unsigned)hiding);
			keep(best, &c);
		}
	}
}

static void find_visible(const struct oclmm_execution *x, struct circle *best)
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
	/* an edge that is missing makes no circle */
	for (unsigned r = x->init_count; r < x->count && !best->count; r++) {
		const struct oclmm_event *e = &x->event[r];

		if (!oclmm_event_reads(e) || oclmm_event_is_atomic(e) ||
		    x->hb[e->region][x->rf[r]] & BIT(r) ||
		    (e->region == OCLMM_SPACE_IMAGE && x->sb[x->rf[r]] & BIT(r)))
			continue;
		best->rule = OCLMM_RULE_UNORDERED;
		oclmm_circle_add(best, OCLMM_EDGE_RF, x->rf[r], r);
	}
}

static void find_coherence_pair(const struct oclmm_execution *x, unsigned a, unsigned b,
                                struct circle *best)
{
	const struct oclmm_event *ea = &x->event[a], *eb = &x->event[b];
	struct circle way = {0}, c;

	if (!oclmm_circle_add_hb(&way, x, ea->region, a, b))
		return;
	if (oclmm_event_writes(ea) && oclmm_event_writes(eb) && x->mo[b] & BIT(a)) {
		c = way;
		c.rule = OCLMM_RULE_WRITE_WRITE;
		oclmm_circle_add(&c, OCLMM_EDGE_MO, b, a);
		keep(best, &c);
	}
	if (oclmm_event_writes(ea) && oclmm_event_reads(eb) && x->mo[x->rf[b]] & BIT(a) && a != b) {
		c = way;
		c.rule = OCLMM_RULE_WRITE_READ;
		oclmm_circle_add(&c, OCLMM_EDGE_FR, b, a);
		keep(best, &c);
	}
	if (oclmm_event_reads(ea) && oclmm_event_writes(eb) && x->mo[b] & BIT(x->rf[a])) {
		c = way;
		c.rule = OCLMM_RULE_READ_WRITE;
		oclmm_circle_add(&c, OCLMM_EDGE_MO, b, x->rf[a]);
		oclmm_circle_add(&c, OCLMM_EDGE_RF, x->rf[a], a);
		keep(best, &c);
	}
	if (oclmm_event_reads(ea) && oclmm_event_reads(eb) && x->mo[x->rf[b]] & BIT(x->rf[a])) {
		c = way;
		c.rule = OCLMM_RULE_READ_READ;
		oclmm_circle_add(&c, OCLMM_EDGE_FR, b, x->rf[a]);
		oclmm_circle_add(&c, OCLMM_EDGE_RF, x->rf[a], a);
		keep(best, &c);
	}
}

static void find_coherence(const struct oclmm_execution *x, struct circle *best)
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

/* What is hidden in happens-before but not in mo is at odds with mo, which is coherence. */
static void find_visible_or_coherence(const struct oclmm_execution *x, struct circle *best)
{
	find_visible(x, best);
	if (!best->count)
		find_coherence(x, best);
}

/* ---- updates, values out of thin air ----------------------------------- */

static void find_atomicity(const struct oclmm_execution *x, struct circle *best)
{
	for (unsigned u = x->init_count; u < x->count; u++) {
		unsigned w = x->rf[u];

		if (x->event[u].kind != OCLMM_EVENT_UPDATE)
			continue;
		for (unsigned between = 0; between < x->count; between++) {
			struct circle c = {.rule = OCLMM_RULE_ATOMICITY};

			if (x->mo[w] & BIT(between) && x->mo[between] & BIT(u)) {
				oclmm_circle_add(&c, OCLMM_EDGE_FR, u, between);
				oclmm_circle_add(&c, OCLMM_EDGE_MO, between, u);
			} else if (x->mo[u] & BIT(w)) {
				oclmm_circle_add(&c, OCLMM_EDGE_MO, u, w);
				oclmm_circle_add(&c, OCLMM_EDGE_RF, w, u);
			}
			keep(best, &c);
		}
	}
}

/* From a read over the writes that depend on it to the reads of those, breadth first. */
static void find_thin_air_from(const struct oclmm_execution *x, unsigned start, struct circle *best)
{
	unsigned before[OCLMM_MAX_EVENTS] = {0}, write[OCLMM_MAX_EVENTS] = {0},
		 way[OCLMM_MAX_EVENTS], length = 0;
	oclmm_events reached = 0, front = BIT(start);
	struct circle c = {.rule = OCLMM_RULE_THIN_AIR};

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
		oclmm_circle_add(&c, OCLMM_EDGE_DATA, before[way[i]], write[way[i]]);
		oclmm_circle_add(&c, OCLMM_EDGE_RF, write[way[i]], way[i]);
	}
	keep(best, &c);
}

/* ---- the front --------------------------------------------------------- */

static void find(const struct oclmm_execution *x, struct circle *best)
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
	struct circle circle = {0};

	ret->total.count = ret->other_count = 0;
	ret->placed = ret->more = false;
	if (x->broken & 1u << OCLMM_AXIOM_SEQ_CST && !(x->broken & more_basic))
		oclmm_breach_total(x, &circle, ret);
	else
		find(x, &circle);
	ret->rule = circle.rule;
	ret->count = circle.count;
	memcpy(ret->arrow, circle.arrow, circle.count * sizeof(*ret->arrow));
	return circle.count > 0;
}
