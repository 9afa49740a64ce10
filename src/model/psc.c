// SPDX-License-Identifier: Apache-2.0
/*
 * The condition that RC11 (PLDI'17) puts in the place of S, K8:
 *
 *     scb  = sb ∪ sb≠;hb;sb≠ ∪ hb= ∪ mo ∪ rb
 *     psc  = ([SC] ∪ [F];hb?);scb;([SC] ∪ hb?;[F])  ∪  [F];(hb ∪ hb;eco;hb);[F]
 *     acyclic psc
 *
 * where SC are the seq_cst accesses, F the seq_cst fences, sb≠ is sb between
 * different locations, hb= happens-before on one location and eco the closure
 * of rf, mo and rb. Happens-before is that of each region by itself; what leads
 * over a location counts for a fence only as K4 says, what is in psc only as K2
 * says.
 */
#include <string.h>

#include "internal.h"

struct psc {
	const struct candidate *x;
	const struct combination *c;
	const struct view *view;
	const struct order *order;
	unsigned alternatives;
	row rb[MAX_EVENTS], eco[MAX_EVENTS];
	row edges[MAX_EVENTS]; /* between seq_cst events */
};

static row same_location(const struct psc *p, unsigned i)
{
	return (p->c->fences | p->c->waits) & BIT(i) ? 0 : p->c->of_cell[p->c->init_of[i]];
}

static void find_rb_and_eco(struct psc *p)
{
	const struct combination *c = p->c;

	FOR_EACH (r, c->reads)
		p->rb[r] = p->x->mo[p->x->rf[r]] & ~BIT(r);
	/* only fences ask for eco */
	if (!(c->seq_cst & c->fences))
		return;
	memcpy(p->eco, p->rb, sizeof(p->eco));
	FOR_EACH (w, c->writes)
		p->eco[w] |= p->x->mo[w];
	FOR_EACH (r, c->reads)
		p->eco[p->x->rf[r]] |= BIT(r);
	oclmm_closure(p->eco, c->count);
}

/* sb between actions of a region that are not two accesses of one location. */
static void find_elsewhere(const struct psc *p, unsigned count, row acts, row *ret)
{
	for (unsigned i = 0; i < count; i++)
		ret[i] = acts & BIT(i) ? p->c->sb[i] & acts & ~same_location(p, i) : 0;
}

/* The successors of one event in scb. */
static row scb_of(const struct psc *p, unsigned region, const row *elsewhere, unsigned i)
{
	const struct combination *c = p->c;
	row acts = p->view->acts[region], through = 0, scb = 0;
	const row *hb = p->order->hb[region];

	FOR_EACH (k, elsewhere[i])
		through |= hb[k];
	FOR_EACH (k, through)
		scb |= elsewhere[k];
	scb &= hb[i];
	if (acts & BIT(i))
		scb |= c->sb[i] & acts;
	scb |= hb[i] & same_location(p, i);
	if (c->event[i].kind == OCLMM_EVENT_FENCE || c->event[i].region != region)
		return scb;
	scb |= p->rb[i];
	if (c->writes & BIT(i))
		scb |= p->x->mo[i];
	return scb;
}

/*
 * Seq_cst events, and the seq_cst fences that stand for an event: before it in happens-before, or
 * behind it. What a fence's own work-item does needs no flag, as in the text's rules 2 to 5.
 */
static void find_ends(const struct psc *p, unsigned region, row *before, row *after)
{
	const struct combination *c = p->c;
	const row *hb = p->order->hb[region];
	row counting = 0;

	for (unsigned i = 0; i < c->count; i++)
		before[i] = c->seq_cst & BIT(i);
	FOR_EACH (f, c->seq_cst & c->fences) {
		if (!oclmm_fence_counts(c, p->alternatives, (unsigned)f, (enum oclmm_space)region))
			continue;
		counting |= BIT(f);
		FOR_EACH (i, hb[f] | c->sb[f])
			before[i] |= BIT(f);
	}
	for (unsigned i = 0; i < c->count; i++)
		after[i] = (c->seq_cst & BIT(i)) | ((hb[i] | c->sb[i]) & counting);
}

static void add(struct psc *p, row from, row to)
{
	FOR_EACH (a, from)
		p->edges[a] |= p->alternatives & ALT_K2 ? to & p->view->sc_inclusive[a] : to;
}

static void add_region(struct psc *p, unsigned region)
{
	const struct combination *c = p->c;
	row elsewhere[MAX_EVENTS], before[MAX_EVENTS], after[MAX_EVENTS];
	row fences = c->seq_cst & c->fences;
	unsigned count = c->count;

	find_elsewhere(p, count, p->view->acts[region], elsewhere);
	find_ends(p, region, before, after);
	for (unsigned i = 0; i < count; i++) {
		row to = 0, beyond = 0;

		if (!before[i])
			continue;
		FOR_EACH (k, scb_of(p, region, elsewhere, i))
			to |= after[k];
		add(p, before[i], to);
		/* [F];hb;eco;hb;[F] */
		if (before[i] & fences && c->event[i].kind != OCLMM_EVENT_FENCE &&
		    c->event[i].region == region) {
			FOR_EACH (k, p->eco[i])
				beyond |= after[k] & fences;
			add(p, before[i] & fences, beyond);
		}
		if (fences & BIT(i))
			add(p, BIT(i), p->order->hb[region][i] & fences);
	}
}

bool oclmm_psc_is_acyclic(const struct candidate *x, const struct view *view,
                          const struct order *order, unsigned alternatives)
{
	struct psc p = {
		.x = x, .c = x->c, .view = view, .order = order, .alternatives = alternatives};

	find_rb_and_eco(&p);
	for (unsigned r = 0; r < x->c->region_count; r++)
		if (view->acts[r] && r != OCLMM_SPACE_IMAGE)
			add_region(&p, r);
	return oclmm_is_acyclic(p.edges, x->c->seq_cst);
}
