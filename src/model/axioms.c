// SPDX-License-Identifier: Apache-2.0
/* The axioms on happens-before and on values (A:3.3.9); seq_cst has a file of its own. */
#include "internal.h"

/* happens-before: neither ghb nor lhb has a cycle, nor has that of images. */
bool oclmm_axiom_happens_before(const struct combination *c, const struct order *o)
{
	for (unsigned r = 0; r < c->region_count; r++)
		if (!oclmm_is_irreflexive(o->hb[r], c->count))
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
