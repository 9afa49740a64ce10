// SPDX-License-Identifier: Apache-2.0
/*
 * Inclusive scopes, release sequences, synchronizes-with, happens-before:
 * sections A.3 and B.2 to B.6.
 */
#include <string.h>

#include "relations.h"

/* ---- inclusive scopes ------------------------------------------------ */

/** A.3. `at` is NULL for a scope as written. */
static enum oclmm_scope effective_scope(const struct reading *reading, enum oclmm_scope scope,
                                        const struct event *at)
{
	if (at == NULL || reading->inclusion == INCLUSION_WRITTEN)
		return scope;
	if (at->space == OCLMM_SPACE_LOCAL)
		return scope < OCLMM_SCOPE_WORK_GROUP ? scope : OCLMM_SCOPE_WORK_GROUP;
	if (scope == OCLMM_SCOPE_ALL_SVM_DEVICES && !oclmm_storage_has_svm_atomics(at->storage))
		return OCLMM_SCOPE_DEVICE;
	return scope;
}

static bool same_device(const struct oclmm_placement *a, const struct oclmm_placement *b)
{
	return !a->host && !b->host && a->device == b->device;
}

static bool same_work_group(const struct oclmm_placement *a, const struct oclmm_placement *b)
{
	return same_device(a, b) && a->queue == b->queue && a->child == b->child &&
	       a->work_group == b->work_group;
}

static bool same_sub_group(const struct oclmm_placement *a, const struct oclmm_placement *b)
{
	return same_work_group(a, b) && (a == b || (a->sub_group_given && b->sub_group_given &&
	                                            a->sub_group == b->sub_group));
}

bool share_unit(const struct oclmm_placement *a, const struct oclmm_placement *b,
                enum oclmm_scope scope)
{
	switch (scope) {
	case OCLMM_SCOPE_SUB_GROUP: return same_sub_group(a, b);
	case OCLMM_SCOPE_WORK_GROUP: return same_work_group(a, b);
	case OCLMM_SCOPE_DEVICE: return same_device(a, b);
	case OCLMM_SCOPE_ALL_SVM_DEVICES:
		/* survives the reduction only on SVM with atomics, which all devices and hosts
		 * share */
		return true;
	default: return false;
	}
}

bool in_two_kernels(const struct candidate *candidate, unsigned a, unsigned b)
{
	const struct event *ea = &candidate->events[a], *eb = &candidate->events[b];
	const struct oclmm_placement *p, *q;

	if (ea->thread < 0 || eb->thread < 0)
		return false;
	p = &candidate->program->threads[ea->thread].placement;
	q = &candidate->program->threads[eb->thread].placement;
	return same_device(p, q) && p->queue != q->queue;
}

bool on_two_machines(const struct candidate *candidate, unsigned a, unsigned b)
{
	const struct oclmm_thread *threads = candidate->program->threads;
	const struct oclmm_placement *p = &threads[candidate->events[a].thread].placement;
	const struct oclmm_placement *q = &threads[candidate->events[b].thread].placement;

	return p->host != q->host || (!p->host && p->device != q->device);
}

/**
 * K14: "operations ... used on" a kind of global memory have their scope reduced, and a fence is
 * used on none. Two that are parameterized with the same scope have the same one.
 */
static bool keeps_scope(const struct reading *reading, const struct event *event,
                        const struct event *other, const struct event *at)
{
	return OTHER_WAY(reading, K14) && event->fence && event->scope != other->scope &&
	       at != NULL && at->space == OCLMM_SPACE_GLOBAL;
}

bool is_inclusive(const struct candidate *candidate, const struct reading *reading, unsigned a,
                  const struct event *at_a, unsigned b, const struct event *at_b)
{
	const struct event *ea = &candidate->events[a], *eb = &candidate->events[b];
	const struct oclmm_placement *pa, *pb;
	enum oclmm_scope s, t;

	if (ea->thread < 0 || eb->thread < 0 || ea->order == OCLMM_ORDER_NONE ||
	    eb->order == OCLMM_ORDER_NONE)
		return false;
	pa = &candidate->program->threads[ea->thread].placement;
	pb = &candidate->program->threads[eb->thread].placement;
	s = keeps_scope(reading, ea, eb, at_a) ? ea->scope
	                                       : effective_scope(reading, ea->scope, at_a);
	t = keeps_scope(reading, eb, ea, at_b) ? eb->scope
	                                       : effective_scope(reading, eb->scope, at_b);
	if (OTHER_WAY(reading, K7) && !same_work_group(pa, pb)) {
		/* a legacy atomic reaches the device, seen from another work-group */
		s = ea->legacy ? OCLMM_SCOPE_DEVICE : s;
		t = eb->legacy ? OCLMM_SCOPE_DEVICE : t;
	}
	if (reading->inclusion != INCLUSION_WIDER && s != t)
		return false;
	/* A:3.3.9.5: implementation-defined; of fences, by where it is seen */
	if (reading->inclusion != INCLUSION_WRITTEN &&
	    ((at_a && at_a->storage == OCLMM_STORAGE_BUFFER) ||
	     (at_b && at_b->storage == OCLMM_STORAGE_BUFFER)) &&
	    in_two_kernels(candidate, a, b))
		return false;
	return share_unit(pa, pb, s < t ? s : t);
}

/* ---- synchronizes-with ----------------------------------------------- */

/** K16: a collective function completes reads and writes to memory, of each kind. */
static bool flag_of(const struct view *view, const struct event *fence, enum oclmm_space region)
{
	return (fence->flags & (1u << region)) != 0 ||
	       (fence->collective && OTHER_WAY(&view->reading, K16));
}

/** B.4: A is the release end for the atomic write X. */
static bool is_release_side(const struct view *view, unsigned a, unsigned x)
{
	const struct candidate *c = view->candidate;
	const struct event *ea = &c->events[a], *ex = &c->events[x];

	if (!is_atomic_access(ex) || !ex->writes || !oclmm_order_releases(ea->order))
		return false;
	return a == x || (ea->fence && flag_of(view, ea, ex->space) && c->sb[a][x]);
}

static bool is_acquire_side(const struct view *view, unsigned y, unsigned b)
{
	const struct candidate *c = view->candidate;
	const struct event *ey = &c->events[y], *eb = &c->events[b];

	if (!is_atomic_access(ey) || !ey->reads || !oclmm_order_acquires(eb->order))
		return false;
	return b == y || (eb->fence && flag_of(view, eb, ey->space) && c->sb[y][b]);
}

/** B.3: walk mo from X while the writes are X's own thread's or read-modify-writes. */
static bool in_release_sequence(const struct candidate *c, unsigned x, unsigned w)
{
	unsigned at = x;

	while (at != w) {
		int next = -1;

		for (unsigned i = 0; i < c->count; i++)
			if (c->mo[at][i] && (next < 0 || c->mo[i][next]))
				next = (int)i;
		if (next < 0)
			return false;
		at = (unsigned)next;
		if (c->events[at].thread != c->events[x].thread &&
		    !(c->events[at].reads && is_atomic_access(&c->events[at])))
			return false;
	}
	return true;
}

static bool pair_inclusive(const struct candidate *c, const struct reading *reading,
                           const struct pairing *p)
{
	bool atomics = p->a == p->x && p->b == p->y;

	/* acq_rel releases and acquires as seq_cst does: a degraded reading changes nothing here */
	return (atomics && OTHER_WAY(reading, K5)) ||
	       is_inclusive(c, reading, p->a, &c->events[p->x], p->b, &c->events[p->x]);
}

/** All A, B for the carriers X, Y. */
static void synchronize_ends(struct view *view, unsigned x, unsigned y)
{
	const struct candidate *c = view->candidate;

	for (unsigned a = 0; a < c->count; a++) {
		if (!is_release_side(view, a, x))
			continue;
		for (unsigned b = 0; b < c->count; b++) {
			struct pairing p = {a, x, y, b};

			if (c->events[a].thread != c->events[b].thread &&
			    is_acquire_side(view, y, b) && pair_inclusive(c, &view->reading, &p))
				view->sw[c->events[x].space][a][b] = true;
		}
	}
}

static void synchronize_through_atomics(struct view *view)
{
	const struct candidate *c = view->candidate;

	for (unsigned x = 0; x < c->count; x++)
		for (unsigned y = 0; y < c->count; y++)
			if (c->carried[x][y])
				synchronize_ends(view, x, y);
}

static bool has_both_flags(const struct view *view, const struct event *event)
{
	return event->fence && flag_of(view, event, OCLMM_SPACE_GLOBAL) &&
	       flag_of(view, event, OCLMM_SPACE_LOCAL);
}

/** B.4, cross-region rules: such a pair synchronizes in both regions if in one. */
static bool crosses_regions(const struct view *view, unsigned a, unsigned b)
{
	const struct event *ea = &view->candidate->events[a], *eb = &view->candidate->events[b];

	return (has_both_flags(view, ea) && has_both_flags(view, eb)) ||
	       (is_sc(view, a) && is_sc(view, b));
}

/**
 * The number of barriers that an event's thread met before it: those of the
 * work-group, and with `sub_groups` those of the sub-group too.
 */
static unsigned barrier_number(const struct candidate *c, unsigned event, bool sub_groups)
{
	const struct event *e = &c->events[event];
	unsigned number = 0;

	for (unsigned i = 0; i < c->count; i++)
		if (c->sb[i][event] && c->events[i].barrier == BARRIER_ENTRY &&
		    (sub_groups || !c->events[i].sub_group))
			number++;
	return e->barrier == BARRIER_EXIT ? number - 1 : number;
}

/** The arrival that a wait of a split barrier is for, c->count where there is none. */
static unsigned find_arrival(const struct candidate *c, unsigned wait)
{
	unsigned arrival = c->count;

	for (unsigned i = 0; i < c->count; i++)
		if (c->sb[i][wait] && c->events[i].split && c->events[i].barrier == BARRIER_ENTRY &&
		    (arrival == c->count || c->sb[arrival][i]))
			arrival = i;
	return arrival;
}

bool barriers_meet(const struct candidate *c, unsigned entry, unsigned exit)
{
	const struct event *a = &c->events[entry], *b = &c->events[exit];
	const struct oclmm_placement *pa, *pb;
	bool joint;

	if (a->barrier != BARRIER_ENTRY || b->barrier != BARRIER_EXIT || a->thread == b->thread)
		return false;
	pa = &c->program->threads[a->thread].placement;
	pb = &c->program->threads[b->thread].placement;
	if (!(a->sub_group || b->sub_group ? same_sub_group(pa, pb) : same_work_group(pa, pb)))
		return false;
	if (a->split != b->split)
		return false;
	if (a->split) {
		unsigned own = find_arrival(c, exit);

		return own < c->count &&
		       barrier_number(c, entry, false) == barrier_number(c, own, false);
	}
	/* work-items of one sub-group meet both kinds together, so that both are counted */
	joint = same_sub_group(pa, pb);
	return barrier_number(c, entry, joint) == barrier_number(c, exit, joint);
}

/** Of a split barrier, the narrower of two scopes has to reach the other work-item; the flags of
 * both are looked at region by region. */
static bool halves_synchronize(const struct candidate *c, const struct event *a,
                               const struct event *b)
{
	return share_unit(&c->program->threads[a->thread].placement,
	                  &c->program->threads[b->thread].placement,
	                  a->scope < b->scope ? a->scope : b->scope);
}

bool barrier_synchronizes(const struct candidate *c, unsigned entry, unsigned exit)
{
	if (c->events[entry].split && barriers_meet(c, entry, exit))
		return halves_synchronize(c, &c->events[entry], &c->events[exit]);
	return barriers_meet(c, entry, exit) &&
	       is_same_barrier(&c->events[entry], &c->events[exit]);
}

void find_meetings(struct candidate *c)
{
	for (unsigned a = 0; a < c->count; a++)
		for (unsigned b = 0; b < c->count; b++) {
			c->carried[a][b] = is_atomic_access(&c->events[a]) && c->events[a].writes &&
			                   c->rf[b] >= 0 && is_atomic_access(&c->events[b]) &&
			                   same_cell(&c->events[a], &c->events[b]) &&
			                   in_release_sequence(c, a, (unsigned)c->rf[b]);
			c->met[a][b] = barrier_synchronizes(c, a, b);
		}
}

/** K12: what a work-item did before it waits comes before the waits of the others. */
static bool stands_before_wait(const struct view *view, unsigned region, unsigned a, unsigned wait)
{
	const struct candidate *c = view->candidate;

	for (unsigned i = 0; i < c->count; i++)
		if (view->act[region][a] && c->sb[a][i] && waits_together(c, i, wait))
			return true;
	return false;
}

/** Nothing synchronizes with another event otherwise than through an atomic. */
static bool may_be_met(const struct candidate *c, unsigned b)
{
	const struct event *e = &c->events[b];

	return e->barrier == BARRIER_EXIT || e->waited ||
	       (e->thread >= 0 && is_child(c, e->thread));
}

static bool meets(const struct view *view, enum oclmm_space region, unsigned a, unsigned b)
{
	const struct candidate *c = view->candidate;

	return (flag_of(view, &c->events[a], region) && flag_of(view, &c->events[b], region) &&
	        c->met[a][b]) ||
	       (c->events[a].space == region && copy_synchronizes(c, a, b)) ||
	       (region == OCLMM_SPACE_GLOBAL &&
	        child_synchronizes(c, OTHER_WAY(&view->reading, K13), a, b)) ||
	       (OTHER_WAY(&view->reading, K12) && region != OCLMM_SPACE_IMAGE &&
	        stands_before_wait(view, region, a, b));
}

static void synchronize(struct view *view)
{
	const struct candidate *c = view->candidate;

	synchronize_through_atomics(view);
	for (unsigned a = 0; a < c->count; a++)
		for (unsigned b = 0; b < c->count; b++)
			if ((view->sw[0][a][b] || view->sw[1][a][b]) && crosses_regions(view, a, b))
				view->sw[0][a][b] = view->sw[1][a][b] = true;
	for (unsigned b = 0; b < c->count; b++)
		for (unsigned a = 0; may_be_met(c, b) && a < c->count; a++)
			for (unsigned r = 0; r < OCLMM_SPACE_COUNT; r++)
				if (meets(view, r, a, b))
					view->sw[r][a][b] = true;
}

/* ---- happens-before -------------------------------------------------- */

/** B.6: the actions of a region. K3: seq_cst atomics act on both. */
static bool acts_on(const struct view *view, unsigned event, enum oclmm_space region)
{
	const struct event *e = &view->candidate->events[event];

	if (e->fence)
		return flag_of(view, e, region);
	return e->space == region ||
	       (OTHER_WAY(&view->reading, K3) && region != OCLMM_SPACE_IMAGE && is_sc(view, event));
}

/* ---- K11: read_mem_fence orders loads only, write_mem_fence stores only ---- */

static bool is_acquiring(const struct event *e)
{
	return e->fence ? !e->one_way : e->reads && oclmm_order_acquires(e->order);
}

static bool is_releasing(const struct event *e)
{
	return e->fence ? !e->one_way : e->writes && oclmm_order_releases(e->order);
}

/** Does the program order of a before b mean anything, where one of them is such a fence? */
static bool keeps_order(const struct candidate *c, unsigned a, unsigned b)
{
	const struct event *ea = &c->events[a], *eb = &c->events[b];
	bool reads = ea->fence && ea->one_way && ea->order == OCLMM_ORDER_ACQUIRE;
	bool writes = eb->fence && eb->one_way && eb->order == OCLMM_ORDER_RELEASE;
	bool loose = (writes && !ea->fence && !ea->writes && !is_acquiring(ea)) ||
	             (reads && !eb->fence && !eb->reads && !is_releasing(eb)) || (reads && writes);

	for (unsigned i = 0; loose && i < c->count; i++) {
		const struct event *e = &c->events[i];

		if (!c->sb[a][i] || !c->sb[i][b])
			continue;
		/* a load that acquires behind the one fence, a store that releases before the other
		 */
		if ((e->fence && !e->one_way && !e->waited && !e->enqueued) ||
		    (!e->fence && reads && is_acquiring(e)) ||
		    (!e->fence && writes && is_releasing(e)))
			loose = false;
	}
	return !loose;
}

/** Chains of sw with at most one step of program order between two, before and behind them. */
static void add_one_way(struct view *view, enum oclmm_space region)
{
	const struct candidate *c = view->candidate;
	const bool *act = view->act[region];
	static relation chain, kept;

	memset(chain, 0, sizeof(chain));
	for (unsigned a = 0; a < c->count; a++)
		for (unsigned b = 0; b < c->count; b++)
			kept[a][b] = a == b ||
			             (c->sb[a][b] && act[a] && act[b] && keeps_order(c, a, b));
	for (unsigned a = 0; a < c->count; a++)
		for (unsigned i = 0; i < c->count; i++)
			for (unsigned b = 0; kept[a][i] && b < c->count; b++)
				chain[a][b] |= view->sw[region][i][b];
	close_transitively(c->count, chain);
	for (unsigned a = 0; a < c->count; a++)
		for (unsigned i = 0; i < c->count; i++)
			for (unsigned b = 0; chain[a][i] && b < c->count; b++)
				view->hb[region][a][b] |= kept[i][b];
}

/** Of images: reads come behind fences only, and barriers are all that synchronises. */
static void order_images(struct view *view)
{
	const struct candidate *c = view->candidate;
	const bool *act = view->act[OCLMM_SPACE_IMAGE];
	bool(*hb)[MAX_EVENTS] = view->hb[OCLMM_SPACE_IMAGE];

	for (unsigned a = 0; a < c->count; a++)
		for (unsigned b = 0; b < c->count; b++) {
			bool initial = c->events[a].thread < 0 && c->events[b].thread >= 0;

			hb[a][b] = view->sw[OCLMM_SPACE_IMAGE][a][b] ||
			           (act[a] && act[b] &&
			            (initial ||
			             (c->sb[a][b] && orders_image(&c->events[a], &c->events[b]))));
		}
	close_transitively(c->count, hb);
}

static void build_happens_before(struct view *view, enum oclmm_space region)
{
	const struct candidate *c = view->candidate;
	const bool *act = view->act[region];

	for (unsigned a = 0; a < c->count; a++)
		for (unsigned b = 0; b < c->count; b++) {
			bool initial = c->events[a].thread < 0 && c->events[a].space == region &&
			               c->events[b].thread >= 0 && act[b];

			view->hb[region][a][b] = (c->sb[a][b] && act[a] && act[b]) || initial ||
			                         (view->sw[region][a][b] &&
			                          !OTHER_WAY(&view->reading, K11));
		}
	if (OTHER_WAY(&view->reading, K11))
		add_one_way(view, region);
	else
		close_transitively(c->count, view->hb[region]);
}

void add_entries(const struct view *view, unsigned region, relation ret_hb)
{
	const struct candidate *c = view->candidate;

	memcpy(ret_hb, view->hb[region], sizeof(relation));
	if (!OTHER_WAY(&view->reading, K12) || region == OCLMM_SPACE_IMAGE)
		return;
	for (unsigned entry = 0; entry < c->count; entry++)
		for (unsigned exit = 0; exit < c->count; exit++)
			for (unsigned b = 0; waits_together(c, entry, exit) && b < c->count; b++)
				ret_hb[entry][b] |= b == exit || view->hb[region][exit][b];
}

int make_view(const struct candidate *candidate, const struct reading *reading, struct view *view)
{
	memset(view, 0, sizeof(*view));
	view->candidate = candidate;
	view->reading = *reading;
	for (unsigned i = 0; i < candidate->count; i++)
		view->sc[i] = !reading->degraded &&
		              candidate->events[i].order == OCLMM_ORDER_SEQ_CST;
	for (unsigned i = 0; i < candidate->count; i++)
		for (unsigned r = 0; r < OCLMM_SPACE_COUNT; r++)
			view->act[r][i] = acts_on(view, i, r);
	synchronize(view);
	build_happens_before(view, OCLMM_SPACE_GLOBAL);
	build_happens_before(view, OCLMM_SPACE_LOCAL);
	order_images(view);
	view->consistent = is_consistent(view);
	view->undefined = view->consistent && is_undefined(view);
	return 0;
}
