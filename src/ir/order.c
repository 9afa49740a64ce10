// SPDX-License-Identifier: Apache-2.0
/* The lattice of memory orders: relaxed is below acquire and release, these below acq_rel, that
 * below seq_cst. */
#include "oclmm/ir.h"

bool oclmm_order_acquires(enum oclmm_order order)
{
	return order == OCLMM_ORDER_ACQUIRE || order == OCLMM_ORDER_ACQ_REL ||
	       order == OCLMM_ORDER_SEQ_CST;
}

bool oclmm_order_releases(enum oclmm_order order)
{
	return order == OCLMM_ORDER_RELEASE || order == OCLMM_ORDER_ACQ_REL ||
	       order == OCLMM_ORDER_SEQ_CST;
}

unsigned oclmm_order_rank(enum oclmm_order order)
{
	return (unsigned)oclmm_order_acquires(order) + (unsigned)oclmm_order_releases(order) +
	       (order == OCLMM_ORDER_SEQ_CST);
}

bool oclmm_order_leq(enum oclmm_order a, enum oclmm_order b)
{
	if (a == b || a == OCLMM_ORDER_NONE || b == OCLMM_ORDER_NONE)
		return a == b;
	return a == OCLMM_ORDER_RELAXED || b == OCLMM_ORDER_SEQ_CST ||
	       (b == OCLMM_ORDER_ACQ_REL && a != OCLMM_ORDER_SEQ_CST);
}

const struct oclmm_orders *oclmm_orders_of(enum oclmm_ordered ordered)
{
	static const struct oclmm_orders orders[OCLMM_ORDERED_COUNT] = {
		[OCLMM_ORDERED_LOAD] = {3,
	                                {OCLMM_ORDER_RELAXED, OCLMM_ORDER_ACQUIRE,
	                                 OCLMM_ORDER_SEQ_CST}},
		[OCLMM_ORDERED_STORE] = {3,
	                                 {OCLMM_ORDER_RELAXED, OCLMM_ORDER_RELEASE,
	                                  OCLMM_ORDER_SEQ_CST}},
		[OCLMM_ORDERED_UPDATE] = {5,
	                                  {OCLMM_ORDER_RELAXED, OCLMM_ORDER_ACQUIRE,
	                                   OCLMM_ORDER_RELEASE, OCLMM_ORDER_ACQ_REL,
	                                   OCLMM_ORDER_SEQ_CST}},
		[OCLMM_ORDERED_FENCE] = {4,
	                                 {OCLMM_ORDER_ACQUIRE, OCLMM_ORDER_RELEASE,
	                                  OCLMM_ORDER_ACQ_REL, OCLMM_ORDER_SEQ_CST}},
	};

	return &orders[ordered];
}

enum oclmm_ordered oclmm_operation_ordered(enum oclmm_operation op)
{
	if (!oclmm_operation_writes(op))
		return OCLMM_ORDERED_LOAD;
	return oclmm_operation_reads(op) ? OCLMM_ORDERED_UPDATE : OCLMM_ORDERED_STORE;
}

bool oclmm_order_fits(enum oclmm_ordered ordered, enum oclmm_order order)
{
	const struct oclmm_orders *orders = oclmm_orders_of(ordered);

	for (unsigned i = 0; i < orders->count; i++) {
		if (orders->order[i] == order)
			return true;
	}
	return false;
}

bool oclmm_order_is_below(enum oclmm_ordered ordered, enum oclmm_order a, enum oclmm_order b)
{
	const struct oclmm_orders *orders = oclmm_orders_of(ordered);

	if (a == b || !oclmm_order_leq(a, b))
		return false;
	for (unsigned i = 0; i < orders->count; i++) {
		enum oclmm_order c = orders->order[i];

		if (c != a && c != b && oclmm_order_leq(a, c) && oclmm_order_leq(c, b))
			return false;
	}
	return true;
}

enum oclmm_order oclmm_order_part(enum oclmm_ordered ordered, enum oclmm_order order)
{
	const struct oclmm_orders *orders = oclmm_orders_of(ordered);

	for (unsigned i = orders->count; i-- > 0;) {
		if (oclmm_order_leq(orders->order[i], order))
			return orders->order[i];
	}
	return OCLMM_ORDER_NONE;
}
