// SPDX-License-Identifier: Apache-2.0
/*
 * K8, one half: the condition on seq_cst of RC11 (Lahav et al., PLDI'17),
 * relation by relation as it stands in the paper, with the happens-before of
 * each region by itself.
 */
#include <string.h>

#include "order.h"

struct rc11 {
	const struct order_question *q;
	const struct candidate *c;
	relation scb, eco, psc;
};

static void add_composed(unsigned count, relation a, relation b, relation result)
{
	for (unsigned x = 0; x < count; x++)
		for (unsigned y = 0; y < count; y++)
			for (unsigned z = 0; a[x][y] && z < count; z++)
				result[x][z] |= b[y][z];
}

/** Extended coherence order: the closure of rf, mo and rb. */
static void find_eco(struct rc11 *r)
{
	const struct candidate *c = r->c;

	for (unsigned a = 0; a < c->count; a++)
		for (unsigned b = 0; b < c->count; b++)
			r->eco[a][b] = c->mo[a][b] || c->rb[a][b] || c->rf[b] == (int)a;
	close_transitively(c->count, r->eco);
}

/** sb between actions of the region, and its part that leads to another location. */
static void find_sb(const struct rc11 *r, unsigned region, relation sb, relation elsewhere)
{
	const struct candidate *c = r->c;
	const bool *act = r->q->view->act[region];

	for (unsigned a = 0; a < c->count; a++)
		for (unsigned b = 0; b < c->count; b++) {
			sb[a][b] = c->sb[a][b] && act[a] && act[b];
			elsewhere[a][b] = sb[a][b] && !same_cell(&c->events[a], &c->events[b]);
		}
}

/** sb ∪ sb≠;hb;sb≠ ∪ hb= ∪ mo ∪ rb, of one region. */
static void find_scb(struct rc11 *r, unsigned region)
{
	static relation sb, elsewhere, first, around, entered;
	const struct candidate *c = r->c;
	bool(*hb)[MAX_EVENTS] = ((struct view *)r->q->view)->hb[region];

	find_sb(r, region, sb, elsewhere);
	memset(first, 0, sizeof(first));
	memset(around, 0, sizeof(around));
	add_entries(r->q->view, region, entered);
	add_composed(c->count, elsewhere, entered, first);
	add_composed(c->count, first, elsewhere, around);
	for (unsigned a = 0; a < c->count; a++)
		for (unsigned b = 0; b < c->count; b++) {
			const struct event *ea = &c->events[a], *eb = &c->events[b];
			bool here = same_cell(ea, eb);

			r->scb[a][b] = sb[a][b] || (around[a][b] && hb[a][b]) ||
			               (here && hb[a][b]) ||
			               (here && ea->space == region &&
			                (c->mo[a][b] || c->rb[a][b]));
		}
}

/** Does a seq_cst event stand for an access: itself, or a fence in front of it (behind it)? */
static bool stands_for(const struct rc11 *r, unsigned region, unsigned e, unsigned access,
                       bool behind)
{
	const struct view *view = r->q->view;
	const struct event *fence = &r->c->events[e];
	unsigned from = behind ? access : e, to = behind ? e : access;

	if (!is_sc(view, e))
		return false;
	if (e == access)
		return true;
	if (!fence->fence || (r->q->k4 && !(fence->flags & 1u << region)))
		return false;
	return view->hb[region][from][to] || r->c->sb[from][to];
}

static void add_psc(struct rc11 *r, unsigned region, unsigned a, unsigned b)
{
	const struct candidate *c = r->c;
	const struct event *ea = &c->events[a];
	bool eco = r->eco[a][b] && !ea->fence && ea->space == region;

	if (!r->scb[a][b] && !eco)
		return;
	for (unsigned from = 0; from < c->count; from++)
		for (unsigned to = 0; stands_for(r, region, from, a, false) && to < c->count;
		     to++) {
			bool fences = c->events[from].fence && c->events[to].fence;

			if (stands_for(r, region, to, b, true) && (r->scb[a][b] || fences))
				r->psc[from][to] = true;
		}
}

static void add_region(struct rc11 *r, unsigned region)
{
	const struct candidate *c = r->c;
	const struct view *view = r->q->view;

	find_scb(r, region);
	for (unsigned a = 0; a < c->count; a++)
		for (unsigned b = 0; b < c->count; b++) {
			add_psc(r, region, a, b);
			if (c->events[a].fence && c->events[b].fence && is_sc(view, a) &&
			    is_sc(view, b) && view->hb[region][a][b])
				r->psc[a][b] = true;
		}
}

bool rc11_holds(const struct order_question *q, bool k2)
{
	static struct rc11 r;

	memset(&r, 0, sizeof(r));
	r.q = q;
	r.c = q->view->candidate;
	find_eco(&r);
	for (unsigned region = 0; region < 2; region++)
		add_region(&r, region);
	for (unsigned a = 0; a < r.c->count; a++)
		for (unsigned b = 0; b < r.c->count; b++)
			r.psc[a][b] = r.psc[a][b] && (!k2 || order_binds(q, a, b));
	close_transitively(r.c->count, r.psc);
	return is_irreflexive(r.c->count, r.psc);
}
