// SPDX-License-Identifier: Apache-2.0
/**
 * \file
 * Inside the reference oracle: the question whether S exists.
 */
#ifndef ORACLE_ORDER_H
#define ORACLE_ORDER_H

#include "relations.h"

struct order_question {
	const struct view *view;
	bool k4, k8;
	unsigned list[MAX_EVENTS], count; /**< the seq_cst events */
	relation contained;               /**< pairs of them that S must contain */
	unsigned place[MAX_EVENTS];       /**< of a seq_cst event in S */
	bool placed[MAX_EVENTS];
};

/** A seq_cst write to the cell of the event `cell_of`. */
bool is_sc_write(const struct order_question *q, unsigned e, unsigned cell_of);
/** Atomic, not an initial or a plain write. */
static inline bool is_atomic_write(const struct candidate *c, unsigned e)
{
	return is_atomic_access(&c->events[e]) && c->events[e].writes;
}

static inline bool is_atomic_read(const struct candidate *c, unsigned e)
{
	return is_atomic_access(&c->events[e]) && c->events[e].reads;
}

/** A seq_cst fence that counts for the cell of an access; K4 asks for its flag. */
bool is_sc_fence_for(const struct order_question *q, unsigned x, unsigned access);

/** K2: instead of S, edges between inclusive events that have no cycle. */
bool binding_edges_exist(struct order_question *q);

/** K8: the condition of RC11 instead of S; with K2 between inclusive events only. */
bool rc11_holds(const struct order_question *q, bool k2);
/** Does anything between these two bind under K2? A fence is seen at the cell of the other event.
 */
bool order_binds(const struct order_question *q, unsigned a, unsigned b);

#endif
