// SPDX-License-Identifier: Apache-2.0
/*
 * seq_cst: a total order S over the seq_cst operations (A:3.3.9.1).
 *
 * S contains mo and happens-before. Since it contains mo, the seq_cst writes
 * to one location stand in it as they stand in mo, and each of the rules on
 * "the last seq_cst write before" becomes plain edges - except where a seq_cst
 * read returns a value of a weaker write: then it stands somewhere among the
 * seq_cst writes to the location, and the places are tried one by one. An S
 * exists exactly when the edges have no cycle.
 */
#include "internal.h"

#include <string.h>

/* Whether a seq_cst fence counts for a location of this region (K4). */
static bool fence_counts(const struct combination *c, unsigned alternatives, unsigned fence,
                         enum oclmm_space region)
{
	return !(alternatives & ALT_K4) || c->event[fence].flags >> region & 1;
}

struct total {
	const struct candidate *x;
	const struct view *view;
	const struct order *order;
	unsigned alternatives;
	row after[MAX_EVENTS];          /* edges */
	struct total_list *list;        /* their reasons; NULL where none are wanted */
	struct oclmm_total_edge reason; /* of the edges being added */
};

static void because(struct total *t, enum oclmm_total_rule rule, unsigned a, unsigned b)
{
	t->reason = (struct oclmm_total_edge){.a = a, .b = b, .rule = rule};
}

static void note(struct total *t, unsigned from, unsigned to)
{
	oclmm_grow(&t->list->edges, &t->list->capacity, t->list->count, sizeof(t->reason));
	t->reason.from = from;
	t->reason.to = to;
	t->list->edges[t->list->count++] = t->reason;
}

static void edges(struct total *t, unsigned a, row to)
{
	/* K2: only operations with inclusive scopes are ordered */
	if (t->alternatives & ALT_K2)
		to &= t->view->sc_inclusive[a];
	t->after[a] |= to;
	FOR_EACH (b, t->list ? to : 0)
		note(t, a, (unsigned)b);
}

static void edge(struct total *t, unsigned a, unsigned b)
{
	edges(t, a, BIT(b));
}

/* ---- S contains mo and hb -------------------------------------------- */

/*
 * K8, one half: of happens-before only what C++20 calls strongly happens-before:
 * sb, sw between seq_cst operations, sb;hb;sb, closed; and hb between fences.
 * The other half is psc.
 */
static void strong_part(const struct total *t, unsigned region, row *ret)
{
	const struct combination *c = t->x->c;
	const row *hb = t->order->hb[region];
	row acts = t->view->acts[region], sb[MAX_EVENTS], through[MAX_EVENTS], around[MAX_EVENTS];

	for (unsigned i = 0; i < c->count; i++)
		sb[i] = acts & BIT(i) ? c->sb[i] & acts : 0;
	oclmm_compose(sb, hb, c->count, through);
	oclmm_compose(through, sb, c->count, around);
	for (unsigned i = 0; i < c->count; i++) {
		ret[i] = sb[i] | around[i];
		if (c->seq_cst & BIT(i))
			ret[i] |= t->order->sw[region][i] & c->seq_cst;
	}
	oclmm_closure(ret, c->count);
	FOR_EACH (f, c->seq_cst & c->fences)
		ret[f] |= hb[f] & c->fences;
	/* K11: sb;hb;sb may lead where happens-before does not */
	for (unsigned i = 0; i < c->count; i++)
		ret[i] &= hb[i];
}

static void contain_happens_before(struct total *t)
{
	const struct combination *c = t->x->c;

	because(t, OCLMM_TOTAL_HB, 0, 0);
	for (unsigned r = 0; r < c->region_count; r++) {
		row strong[MAX_EVENTS];
		const row *hb = t->order->hb[r];

		if (!t->view->acts[r])
			continue;
		if (t->alternatives & ALT_K8) {
			strong_part(t, r, strong);
			hb = strong;
		}
		FOR_EACH (a, c->seq_cst)
			edges(t, (unsigned)a, hb[a] & c->seq_cst);
	}
}

static void contain_modification_order(struct total *t)
{
	const struct combination *c = t->x->c;

	because(t, OCLMM_TOTAL_MO, 0, 0);
	FOR_EACH (w, c->seq_cst & c->writes)
		edges(t, (unsigned)w, t->x->mo[w] & c->seq_cst);
}

/* ---- rules ----------------------------------------------------------- */

/* Rule 2: a read after a fence sees no less than the last seq_cst write before the fence. */
static void rule_fence_read(struct total *t)
{
	const struct combination *c = t->x->c;

	FOR_EACH (f, c->seq_cst & c->fences)
		FOR_EACH (b, c->sb[f] & c->reads & c->atomics)
			if (fence_counts(c, t->alternatives, (unsigned)f, c->event[b].region)) {
				because(t, OCLMM_TOTAL_RULE_2, (unsigned)b, (unsigned)b);
				edges(t, (unsigned)f, t->x->mo[t->x->rf[b]] & c->seq_cst);
			}
}

/*
 * Rule 3: a seq_cst read after a fence sees no less than the writes before the fence. The text
 * speaks of two operations: a read-modify-write is not held against what it read itself.
 */
static void rule_write_fence(struct total *t)
{
	const struct combination *c = t->x->c;

	FOR_EACH (a, c->atomics & c->writes)
		FOR_EACH (f, c->sb[a] & c->seq_cst & c->fences)
			FOR_EACH (b, c->of_cell[c->init_of[a]] & c->seq_cst & c->reads & ~BIT(a))
				if (t->x->mo[t->x->rf[b]] & BIT(a) &&
				    fence_counts(c, t->alternatives, (unsigned)f,
				                 c->event[a].region)) {
					because(t, OCLMM_TOTAL_RULE_3, (unsigned)a, (unsigned)a);
					edge(t, (unsigned)b, (unsigned)f);
				}
}

/*
 * Rules 4 and 5: for A before fence X and B after fence Y, X before Y in S
 * means that B reads no write older than A (4), or stands after A in mo (5).
 */
static void rule_two_fences(struct total *t)
{
	const struct combination *c = t->x->c;
	row fences = c->seq_cst & c->fences;

	FOR_EACH (a, c->atomics & c->writes) {
		FOR_EACH (b, c->of_cell[c->init_of[a]] & c->atomics & ~BIT(a)) {
			bool reads_older = c->reads & BIT(b) && t->x->mo[t->x->rf[b]] & BIT(a);
			bool writes_older = c->writes & BIT(b) && t->x->mo[b] & BIT(a);

			if (!reads_older && !writes_older)
				continue;
			because(t, reads_older ? OCLMM_TOTAL_RULE_4 : OCLMM_TOTAL_RULE_5,
			        (unsigned)a, (unsigned)b);
			FOR_EACH (f, c->sb[a] & fences)
				FOR_EACH (g, fences)
					if (c->sb[g] & BIT(b) && f != g &&
					    fence_counts(c, t->alternatives, (unsigned)f,
					                 c->event[a].region) &&
					    fence_counts(c, t->alternatives, (unsigned)g,
					                 c->event[a].region))
						edge(t, (unsigned)g, (unsigned)f);
		}
	}
}

/* The seq_cst writes to a location, in mo. \return how many. */
static unsigned writes_in_order(const struct candidate *x, unsigned init, unsigned *ret)
{
	const struct combination *c = x->c;
	row left = c->of_cell[init] & c->seq_cst & c->writes;
	unsigned n = 0;

	while (left) {
		unsigned first = (unsigned)__builtin_ctzll(left);

		FOR_EACH (w, left)
			if (x->position[w] < x->position[first])
				first = (unsigned)w;
		ret[n++] = first;
		left &= ~BIT(first);
	}
	return n;
}

/* Rule 1 for a read from a seq_cst write: it stands between that write and the next. */
static void rule_read_strong(struct total *t, unsigned b)
{
	const struct combination *c = t->x->c;
	unsigned w = t->x->rf[b];

	because(t, OCLMM_TOTAL_READ, 0, 0);
	edge(t, w, b);
	edges(t, b, t->x->mo[w] & c->seq_cst & ~BIT(b));
}

/*
 * Rule 1 for the reads from weaker writes that are left: tries the places
 * among the seq_cst writes where the last one before does not come after the
 * write in happens-before.
 */
static bool place_weak_reads(struct total *t, row left)
{
	const struct combination *c = t->x->c;

	if (!left)
		return oclmm_is_acyclic(t->after, c->seq_cst);

	unsigned b = (unsigned)__builtin_ctzll(left);
	unsigned w = t->x->rf[b], writes[MAX_EVENTS];
	unsigned n = writes_in_order(t->x, c->init_of[b], writes);
	row later = t->order->hb[c->event[b].region][w];
	row saved[MAX_EVENTS];

	memcpy(saved, t->after, c->count * sizeof(row));
	for (unsigned i = 0; i <= n; i++) {
		if (i > 0 && later & BIT(writes[i - 1]))
			continue;
		if (i > 0)
			edge(t, writes[i - 1], b);
		for (unsigned k = i; k < n; k++)
			edge(t, b, writes[k]);
		if (place_weak_reads(t, left & ~BIT(b)))
			return true;
		memcpy(t->after, saved, c->count * sizeof(row));
	}
	return false;
}

/* All edges but those of reads from weaker writes. \return these reads. */
static row fixed_edges(struct total *t)
{
	const struct combination *c = t->x->c;
	row weak = 0;

	contain_happens_before(t);
	contain_modification_order(t);
	FOR_EACH (b, c->seq_cst & c->reads) {
		if (c->seq_cst & BIT(t->x->rf[b]))
			rule_read_strong(t, (unsigned)b);
		else if (!(c->writes & BIT(b))) /* mo gives an RMW its place */
			weak |= BIT(b);
	}
	if (c->seq_cst & c->fences) {
		rule_fence_read(t);
		rule_write_fence(t);
		rule_two_fences(t);
	}
	return weak;
}

/* Edges between a, or the fences in front of a, and b, or the fences behind b. */
static void scoped_step(struct total *t, unsigned a, unsigned b)
{
	const struct combination *c = t->x->c;
	row fences = c->seq_cst & c->fences, from = c->seq_cst & BIT(a);
	row to = c->seq_cst & (BIT(b) | (c->sb[b] & fences));

	FOR_EACH (f, fences)
		if (c->sb[f] & BIT(a))
			from |= BIT(f);
	because(t, OCLMM_TOTAL_SCOPED, b, a);
	FOR_EACH (i, from)
		edges(t, (unsigned)i, to & t->view->sc_inclusive[i]);
}

/*
 * The scoped form of POPL'16 and Dartagnan:
 * acyclic(SC² ∩ (Fsb?;(rb ∪ mo ∪ ghb ∪ lhb);sbF?) ∩ incl).
 */
static void scoped_edges(struct total *t)
{
	const struct candidate *x = t->x;
	const struct combination *c = x->c;

	for (unsigned i = 0; i < c->count; i++) {
		row direct = t->order->hb[OCLMM_SPACE_GLOBAL][i] |
		             t->order->hb[OCLMM_SPACE_LOCAL][i];

		if (c->writes & BIT(i))
			direct |= x->mo[i];
		if (c->reads & BIT(i))
			direct |= x->mo[x->rf[i]] & ~BIT(i);
		FOR_EACH (k, direct)
			scoped_step(t, i, (unsigned)k);
	}
}

/* ---- K8: what RC11 puts in the place of S ------------------------------ */

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
		if (!fence_counts(c, p->alternatives, (unsigned)f, (enum oclmm_space)region))
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

static bool psc_is_acyclic(const struct candidate *x, const struct view *view,
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

/* ---- the axiom --------------------------------------------------------- */

bool oclmm_axiom_seq_cst(const struct candidate *x, const struct view *view, const struct order *o,
                         unsigned alternatives, struct total_list *list)
{
	struct total t = {
		.x = x, .view = view, .order = o, .alternatives = alternatives, .list = list};
	bool scoped = view->scoped && !(x->c->world & BY_TEXT_ORDER);
	row weak = 0;

	if (scoped)
		scoped_edges(&t);
	else
		weak = fixed_edges(&t);
	if (list)
		list->weak = weak;
	t.list = NULL;
	if (oclmm_is_acyclic(t.after, x->c->seq_cst) && (!weak || place_weak_reads(&t, weak)))
		return true;
	return !scoped && alternatives & ALT_K8 && psc_is_acyclic(x, view, o, alternatives);
}
