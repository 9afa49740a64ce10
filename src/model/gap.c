// SPDX-License-Identifier: Apache-2.0
/* What is missing between two accesses that race. */
#include "internal.h"

/* ---- the sides --------------------------------------------------------- */

static bool has_order(const struct oclmm_event *e, bool release)
{
	return release ? oclmm_order_releases(e->order) : oclmm_order_acquires(e->order);
}

/* Fences of the right order of an access's thread, in front of it or behind it. */
static row fences(const struct oclmm_execution *x, unsigned at, bool release, bool in_front)
{
	row found = 0;

	for (unsigned f = x->init_count; f < x->count; f++) {
		const struct oclmm_event *e = &x->event[f];
		bool stands = in_front ? x->sb[f] >> at & 1 : x->sb[at] >> f & 1;

		if (e->kind == OCLMM_EVENT_FENCE && stands && has_order(e, release))
			found |= BIT(f);
	}
	return found;
}

static row with_flag(const struct oclmm_execution *x, row fences, enum oclmm_space region)
{
	row found = 0;

	FOR_EACH (f, fences)
		if (x->event[f].flags >> region & 1)
			found |= BIT(f);
	return found;
}

static struct oclmm_side first_of(enum oclmm_side_kind kind, row events)
{
	return (struct oclmm_side){kind, (unsigned)__builtin_ctzll(events)};
}

static struct oclmm_side find_side(const struct oclmm_execution *x, unsigned at, bool release)
{
	enum oclmm_space region = x->event[at].region;
	row right = fences(x, at, release, release), wrong = fences(x, at, release, !release);

	if (has_order(&x->event[at], release))
		return (struct oclmm_side){OCLMM_SIDE_THERE, at};
	if (with_flag(x, right, region))
		return first_of(OCLMM_SIDE_THERE, with_flag(x, right, region));
	if (right)
		return first_of(OCLMM_SIDE_FLAGS, right);
	if (with_flag(x, wrong, region))
		return first_of(OCLMM_SIDE_MISPLACED, with_flag(x, wrong, region));
	return (struct oclmm_side){.kind = OCLMM_SIDE_NONE};
}

/* ---- contacts ---------------------------------------------------------- */

/* Why y, which reads what w wrote, does not order a before b. */
static enum oclmm_gap_kind judge_contact(const struct oclmm_execution *x, const struct oclmm_gap *g)
{
	const struct oclmm_event *w = &x->event[g->w];

	if (!oclmm_event_is_atomic(w) || !oclmm_event_is_atomic(&x->event[g->y]))
		return OCLMM_GAP_PLAIN;
	if (g->release.kind != OCLMM_SIDE_THERE || g->acquire.kind != OCLMM_SIDE_THERE)
		return OCLMM_GAP_SIDES;
	if (!(x->inclusive[w->storage][g->release.event] & BIT(g->acquire.event)))
		return OCLMM_GAP_SCOPES;
	if (w->region != x->event[g->a].region)
		return OCLMM_GAP_REGION;
	return x->sb[g->release.event] & BIT(g->a) ? OCLMM_GAP_EARLY : OCLMM_GAP_LATE;
}

/* The first read in front of b that reads from a write of a's thread at a or behind it. */
static bool find_contact(const struct oclmm_execution *x, unsigned a, unsigned b,
                         struct oclmm_gap *ret)
{
	for (unsigned y = x->init_count; y < x->count; y++) {
		if (!oclmm_event_reads(&x->event[y]) || !(x->sb[y] & BIT(b)) ||
		    !(x->sb[a] & BIT(x->rf[y])))
			continue;
		*ret = (struct oclmm_gap){.a = a, .b = b, .w = x->rf[y], .y = y};
		ret->release = find_side(x, ret->w, true);
		ret->acquire = find_side(x, y, false);
		ret->kind = judge_contact(x, ret);
		return true;
	}
	return false;
}

/* ---- barriers ---------------------------------------------------------- */

static bool same_group(const struct oclmm_program *program, const struct oclmm_event *a,
                       const struct oclmm_event *b)
{
	return oclmm_same_group(&program->threads[a->thread].placement,
	                        &program->threads[b->thread].placement, a->sub_group);
}

/* A barrier that a stands in front of and b stands behind. */
static bool find_barrier(const struct oclmm_program *program, const struct oclmm_execution *x,
                         unsigned a, unsigned b, struct oclmm_gap *ret)
{
	FOR_EACH (f, x->sb[a]) {
		const struct oclmm_event *e = &x->event[f];

		if (!e->barrier || !e->entry)
			continue;
		for (unsigned g = x->init_count; g < x->count; g++) {
			const struct oclmm_event *h = &x->event[g];

			if (!h->barrier || h->entry || !(x->sb[g] & BIT(b)) ||
			    e->sub_group != h->sub_group || e->instance != h->instance)
				continue;
			*ret = (struct oclmm_gap){.kind = !same_group(program, e, h)
			                                          ? OCLMM_GAP_BARRIER_GROUP
			                                  : e->split || h->split
			                                          ? OCLMM_GAP_BARRIER_HALVES
			                                          : OCLMM_GAP_BARRIER_FLAG,
			                          .a = a,
			                          .b = b};
			return true;
		}
	}
	return false;
}

void oclmm_execution_gap(const struct oclmm_program *program, const struct oclmm_execution *x,
                         unsigned a, unsigned b, struct oclmm_gap *ret)
{
	if (!find_contact(x, a, b, ret) && !find_contact(x, b, a, ret) &&
	    !find_barrier(program, x, a, b, ret) && !find_barrier(program, x, b, a, ret))
		*ret = (struct oclmm_gap){.kind = OCLMM_GAP_NO_CONTACT, .a = a, .b = b};
}
