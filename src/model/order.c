// SPDX-License-Identifier: Apache-2.0
/*
 * synchronizes-with and happens-before (A:3.3.9 to A:3.3.9.3), the axioms on happens-before and on
 * values, and races.
 */
#include "internal.h"

#include <string.h>

/* ---- synchronizes-with ------------------------------------------------- */

/*
 * The heads X of release sequences that contain the write w: w itself, and
 * every X from which a contiguous mo-run of X's own thread's writes and of
 * RMWs leads to w. A run of RMWs follows from rf alone, since an RMW reads its
 * immediate predecessor; own-thread stores need the whole of mo.
 */
static row heads_of(const struct candidate *x, unsigned w, bool with_mo)
{
	const struct combination *c = x->c;
	row heads = BIT(w), between = 0;
	unsigned at = w;
	unsigned init = c->init_of[w];

	while (at != init) {
		unsigned previous = at;

		between |= BIT(at);
		if (with_mo) {
			FOR_EACH (p, c->of_cell[init] & c->writes)
				if (x->position[p] + 1 == x->position[at])
					previous = p;
		} else if (c->event[at].kind == OCLMM_EVENT_UPDATE) {
			previous = x->rf[at];
		}
		if (previous == at || previous == init)
			break;
		at = previous;

		/* may `at` head a sequence whose members after it are `between`? */
		bool heads_all = true;

		FOR_EACH (m, between)
			heads_all &= c->event[m].kind == OCLMM_EVENT_UPDATE ||
			             c->event[m].thread == c->event[at].thread;
		if (heads_all)
			heads |= BIT(at);
	}
	return heads & c->atomics;
}

static bool synchronizes(const struct combination *c, const struct view *v, unsigned a, unsigned b,
                         enum oclmm_storage storage)
{
	if (c->event[a].thread == c->event[b].thread)
		return false;
	if (v->inclusive[storage][a] & BIT(b))
		return true;
	/* K5: the text states the scope condition for the fence cases only */
	return v->alternatives & ALT_K5 && c->event[a].kind != OCLMM_EVENT_FENCE &&
	       c->event[b].kind != OCLMM_EVENT_FENCE;
}

static void note(struct sync_list *list, struct oclmm_synchronization why)
{
	oclmm_grow(&list->items, &list->capacity, list->count, sizeof(why));
	list->items[list->count++] = why;
}

/* `list` gets the reasons, unless it is NULL. */
static void add_release_acquire(const struct candidate *x, const struct view *v, bool with_mo,
                                struct order *o, struct sync_list *list)
{
	const struct combination *c = x->c;

	FOR_EACH (y, c->reads & c->atomics) {
		unsigned w = x->rf[y];

		if (w < c->init_count || !c->acquire_side[y])
			continue;

		const struct oclmm_event *read = &c->event[y];

		FOR_EACH (head, heads_of(x, w, with_mo))
			FOR_EACH (a, c->release_side[head])
				FOR_EACH (b, c->acquire_side[y]) {
					if (!synchronizes(c, v, a, b, read->storage))
						continue;
					o->sw[read->region][a] |= BIT(b);
					if (list)
						note(list, (struct oclmm_synchronization){
								   .a = a,
								   .b = b,
								   .region = read->region,
								   .x = head,
								   .w = w,
								   .y = y});
				}
	}
}

/* Both-flags fences and seq_cst pairs synchronise in both regions at once, A:3.3.9.1, A:3.3.9.2. */
static void add_cross_region(const struct combination *c, const struct view *v, struct order *o)
{
	const unsigned both = OCLMM_FLAG_GLOBAL | OCLMM_FLAG_LOCAL;
	row both_flags = 0;

	FOR_EACH (f, c->fences)
		if ((c->event[f].flags & both) == both)
			both_flags |= BIT(f);
	for (unsigned a = c->init_count; a < c->count; a++) {
		row either = o->sw[OCLMM_SPACE_GLOBAL][a] | o->sw[OCLMM_SPACE_LOCAL][a];
		row shared = 0;

		if (!either)
			continue;
		if (both_flags & BIT(a))
			shared |= either & both_flags;
		if (v->seq_cst & BIT(a))
			shared |= either & v->seq_cst;
		o->sw[OCLMM_SPACE_GLOBAL][a] |= shared;
		o->sw[OCLMM_SPACE_LOCAL][a] |= shared;
	}
}

/* ---- K11: fences that order one kind of access ------------------------- */

/*
 * What stands between two events of a work-item and orders them whatever the
 * one-way fences do: a fence that is none of these, a releasing write behind
 * what it follows, an acquiring read in front of what follows it.
 */
static row strong_between(const struct combination *c, unsigned a, unsigned b, bool release,
                          bool acquire)
{
	row between = 0, strong = 0;

	FOR_EACH (i, c->sb[a])
		if (c->sb[i] & BIT(b))
			between |= BIT(i);
	FOR_EACH (i, between & c->atomics) {
		enum oclmm_order order = c->event[i].order;

		if ((release && c->writes & BIT(i) && oclmm_order_releases(order)) ||
		    (acquire && c->reads & BIT(i) && oclmm_order_acquires(order)))
			strong |= BIT(i);
	}
	return strong | (between & c->fences & ~c->one_way);
}

/* Whether a, sequenced before b, is ordered before it where one of them is a one-way fence. */
static bool is_ordered(const struct combination *c, unsigned a, unsigned b)
{
	bool from = c->one_way & BIT(a) && c->event[a].order == OCLMM_ORDER_ACQUIRE;
	bool to = c->one_way & BIT(b) && c->event[b].order == OCLMM_ORDER_RELEASE;
	bool load = c->reads & ~c->writes & BIT(a), store = c->writes & ~c->reads & BIT(b);

	/* an acquiring load and a releasing store have an order of their own */
	load = load && !(c->atomics & BIT(a) && oclmm_order_acquires(c->event[a].order));
	store = store && !(c->atomics & BIT(b) && oclmm_order_releases(c->event[b].order));
	if (!(from && (to || store)) && !(to && load))
		return true;
	return strong_between(c, a, b, to, from) != 0;
}

/*
 * Happens-before without the steps that a one-way fence does not order. Such a
 * relation is not transitive within a work-item: a load may come before a store
 * in it and the store before the fence, though the fence orders stores only.
 */
static void add_one_way(const struct combination *c, row acts, const row *sw, row *hb)
{
	row in[MAX_EVENTS], steps[MAX_EVENTS], reached[MAX_EVENTS];

	for (unsigned i = 0; i < c->count; i++) {
		in[i] = BIT(i);
		if (i < c->init_count || !(acts & BIT(i)))
			continue;
		FOR_EACH (k, c->sb[i] & acts)
			if (is_ordered(c, i, (unsigned)k))
				in[i] |= BIT(k);
	}
	oclmm_compose(in, sw, c->count, steps);
	oclmm_closure(steps, c->count);
	oclmm_compose(steps, in, c->count, reached);
	for (unsigned i = c->init_count; i < c->count; i++)
		hb[i] |= reached[i];
}

/* Adds a step to a transitive relation, and what it leads to. */
static void add_step(row *relation, unsigned count, unsigned a, unsigned b)
{
	row beyond = BIT(b) | relation[b];

	if (relation[a] & BIT(b))
		return;
	relation[a] |= beyond;
	for (unsigned i = 0; i < count; i++)
		if (relation[i] & BIT(a))
			relation[i] |= beyond;
}

/* Initial writes come first; sequenced-before, which is transitive, then every step of sw. */
static void build_happens_before(const struct combination *c, row acts, const row *sw, row *hb)
{
	row started = acts & ~(BIT(c->init_count) - 1);

	for (unsigned e = 0; e < c->init_count; e++)
		hb[e] = acts & BIT(e) ? started : 0;
	for (unsigned e = c->init_count; e < c->count; e++)
		hb[e] = acts & BIT(e) ? oclmm_sb_ordered(c, e) & acts : 0;
	if (c->one_way & acts) {
		add_one_way(c, acts, sw, hb);
		return;
	}
	/* what stands before a read of an image leads to it by a fence between them */
	if (c->of_region[OCLMM_SPACE_IMAGE] & acts)
		oclmm_closure(hb, c->count);
	for (unsigned e = c->init_count; e < c->count; e++)
		FOR_EACH (b, sw[e])
			add_step(hb, c->count, e, (unsigned)b);
}

/* Adds the order of barriers, copies, commands and child kernels. */
static void note_given(const struct candidate *x, struct sync_list *list)
{
	const struct combination *c = x->c;

	for (unsigned r = 0; r < c->region_count; r++)
		for (unsigned a = c->init_count; a < c->count; a++)
			FOR_EACH (b, c->group_sw[r][a])
				note(list, (struct oclmm_synchronization){
						   .a = a,
						   .b = (unsigned)b,
						   .region = r,
						   .copy = c->event[a].copied != 0,
						   .barrier = c->event[a].copied == 0});
	for (unsigned a = c->init_count; a < c->count; a++)
		FOR_EACH (b, c->command_sw[a] | c->child_sw[a])
			note(list,
			     (struct oclmm_synchronization){.a = a,
			                                    .b = (unsigned)b,
			                                    .region = OCLMM_SPACE_GLOBAL,
			                                    .command = c->command_sw[a] >> b & 1,
			                                    .child = c->child_sw[a] >> b & 1});
}

void oclmm_order_build(const struct candidate *x, const struct view *v, bool with_mo,
                       struct order *o, struct sync_list *reasons)
{
	const struct combination *c = x->c;

	for (unsigned r = 0; r < OCLMM_SPACE_COUNT; r++)
		memcpy(o->sw[r], c->group_sw[r], c->count * sizeof(row));
	for (unsigned a = c->init_count; a < c->count; a++)
		o->sw[OCLMM_SPACE_GLOBAL][a] |= c->command_sw[a] | c->child_sw[a];
	if (reasons)
		note_given(x, reasons);
	add_release_acquire(x, v, with_mo, o, reasons);
	if (c->region_count > OCLMM_SPACE_LOCAL)
		add_cross_region(c, v, o);
	for (unsigned r = 0; r < c->region_count; r++)
		build_happens_before(c, v->acts[r], o->sw[r], o->hb[r]);
	for (unsigned r = c->region_count; r < OCLMM_SPACE_COUNT; r++)
		memset(o->hb[r], 0, c->count * sizeof(row));
}

/* ---- axioms ------------------------------------------------------------ */

static bool is_irreflexive(const row *relation, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		if (relation[i] & BIT(i))
			return false;
	return true;
}

/* happens-before: neither ghb nor lhb has a cycle, nor has that of images. */
bool oclmm_axiom_happens_before(const struct combination *c, const struct order *o)
{
	for (unsigned r = 0; r < c->region_count; r++)
		if (!is_irreflexive(o->hb[r], c->count))
			return false;
	return true;
}

/*
 * visible side effect: a plain read returns a write that happens before it and
 * that no other write to the location comes between. No read at all reads from
 * a write that it happens before. One of an image may also return a write in front of it in its
 * own work-item.
 */
bool oclmm_axiom_visible(const struct candidate *x, const struct order *o)
{
	const struct combination *c = x->c;

	FOR_EACH (r, c->reads) {
		const struct oclmm_event *read = &c->event[r];
		const row *hb = o->hb[read->region];
		unsigned w = x->rf[r];

		if (hb[r] & BIT(w))
			return false;
		if (oclmm_event_is_atomic(read))
			continue;
		if (!(hb[w] & BIT(r)) && !(read->region == OCLMM_SPACE_IMAGE && c->sb[w] & BIT(r)))
			return false;
		FOR_EACH (between, hb[w] & c->of_cell[c->init_of[r]] & c->writes)
			if (hb[between] & BIT(r))
				return false;
	}
	return true;
}

/*
 * coherence: write-write, write-read, read-write and read-read. With hb(a, b)
 * on one location, what a wrote or read stands in mo no later than what b
 * wrote or read, and strictly earlier where b writes.
 */
bool oclmm_axiom_coherence(const struct candidate *x, const struct order *o)
{
	const struct combination *c = x->c;

	FOR_EACH (a, c->reads | c->writes) {
		row later = o->hb[c->event[a].region][a] & c->of_cell[c->init_of[a]];
		unsigned least = x->position[c->writes & BIT(a) ? a : x->rf[a]];

		FOR_EACH (b, later) {
			if (c->writes & BIT(b) && x->position[b] <= least)
				return false;
			if (c->reads & BIT(b) && x->position[x->rf[b]] < least)
				return false;
		}
	}
	return true;
}

/* ---- races ------------------------------------------------------------- */

/* Data races (A:3.3.9, glossary). */
row oclmm_races_of(const struct combination *c, const struct view *v, const struct order *o,
                   unsigned a)
{
	const row *hb = o->hb[c->event[a].region];
	row races = v->racing[a] & (v->apart[a] | ~hb[a]);

	FOR_EACH (b, races & ~v->apart[a])
		if (hb[b] & BIT(a))
			races &= ~BIT(b);
	return races;
}
