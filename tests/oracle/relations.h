// SPDX-License-Identifier: Apache-2.0
/**
 * \file
 * Inside the reference oracle: the relations and axioms of one candidate under
 * one reading of the text.
 */
#ifndef ORACLE_RELATIONS_H
#define ORACLE_RELATIONS_H

#include "execution.h"

/** Which pairs of scopes are inclusive, section B.2 and section I. */
enum inclusion {
	INCLUSION_EQUAL,   /**< R20, R21 */
	INCLUSION_WIDER,   /**< R31 */
	INCLUSION_WRITTEN, /**< scoped: equal as written, no reduction */
};

/** All that decides happens-before. */
struct reading {
	enum inclusion inclusion;
	unsigned knobs;
	bool degraded; /**< R20 without an order S: seq_cst counts as acq_rel, B.9 */
};

/** A release-acquire pair with its carriers, B.4: sides and scopes not yet compared. */
struct pairing {
	unsigned a, x, y, b;
};

enum { MAX_PAIRINGS = 1024 };

/** One candidate under one reading. Indexed by region, images being the third. */
struct view {
	const struct candidate *candidate;
	struct reading reading;
	bool sc[MAX_EVENTS]; /**< seq_cst, and not degraded */
	bool act[OCLMM_SPACE_COUNT][MAX_EVENTS];
	relation sw[OCLMM_SPACE_COUNT], hb[OCLMM_SPACE_COUNT];
	bool consistent; /**< axioms HB and B.7; S is not asked here */
	bool undefined;  /**< a race, divergence, undefined arithmetic */
	/** scratch of the reference: answers of order_exists(), 0 unknown, 1 no, 2 yes */
	int order[8];
};

/**
 * B.2: is the pair inclusive when `a` is seen at the cell of `at_a` and `b` at
 * that of `at_b`? NULL: the scope as written.
 */
bool is_inclusive(const struct candidate *candidate, const struct reading *reading, unsigned a,
                  const struct event *at_a, unsigned b, const struct event *at_b);

static inline bool is_sc(const struct view *view, unsigned event)
{
	return view->sc[event];
}

/** Happens-before as it counts for a cell: ghb or lhb by the region of `access`. */
static inline bool happens_before(const struct view *view, unsigned a, unsigned b, unsigned access)
{
	return view->hb[view->candidate->events[access].space][a][b];
}

/** Finds what of synchronizes-with is the same under every reading; before any view is made. */
void find_meetings(struct candidate *candidate);
/** Fills a view: sw, hb, consistency, undefined behaviour. \return 0 or -E2BIG. */
int make_view(const struct candidate *candidate, const struct reading *reading,
              struct view *ret_view);

/**
 * A:3.3.7: a write to an image need not be visible to a read behind it in its work-item. Does the
 * program order of a before b mean something all the same?
 */
static inline bool orders_image(const struct event *a, const struct event *b)
{
	return a->fence || b->fence || !b->reads;
}

/** B.7 and axiom HB. */
/**
 * Happens-before of a region from where each event stands in its work-item. Under K12 a wait is a
 * barrier, whose entry stands before the waits of the others and behind what its own work-item
 * did; the views have the steps from there alone.
 */
void add_entries(const struct view *view, unsigned region, relation ret_hb);
bool is_consistent(const struct view *view);
/** Can any reading find the candidate consistent? What it says no to, none does. */
bool is_conceivable(const struct candidate *candidate);
/** B.8 and the rest of what makes a consistent candidate undefined. */
bool is_undefined(const struct view *view);

/** B.9: is there an order S (K2: a binding edge set without cycle)? */
bool order_exists(const struct view *view, bool k2, bool k4, bool k8);
/** Section I: the seq_cst condition of `scoped`. */
bool scoped_order_exists(const struct view *view);
/** B.9, R20: does one of the two conditions for the existence of S hold? */
bool order_is_required(const struct candidate *candidate, bool k10);

#endif
