// SPDX-License-Identifier: Apache-2.0
/*
 * Litmus texts made by rule, for benchmarks: cycles of threads as diy makes
 * them, and shapes that grow with a number.
 */
#ifndef OCLMM_TESTS_SHAPES_H
#define OCLMM_TESTS_SHAPES_H

#include "oclmm/base.h"

/* The orders that a generated test uses throughout. */
enum shape_orders {
	SHAPE_RELAXED,
	SHAPE_RELEASE_ACQUIRE,
	SHAPE_SEQ_CST,
	SHAPE_FENCES,
	SHAPE_ORDERS
};

/*
 * The n-th cycle of `threads` threads with two accesses each: thread i accesses
 * location i and then location i+1; the first `extra_loads` threads go on to
 * load location i+2. \return false past the last one.
 */
bool shape_cycle(struct oclmm_text *text, unsigned threads, unsigned n, unsigned extra_loads,
                 enum shape_orders orders);
/* Store buffering in a ring: thread i stores to location i and loads location i+1. */
void shape_ring(struct oclmm_text *text, unsigned threads, enum shape_orders orders);
/* Independent reads of `writers` independent writes by as many readers. */
void shape_iriw(struct oclmm_text *text, unsigned writers, unsigned readers);
/* `writers` threads write one location each a value of their own; a reader reads it twice. */
void shape_writers(struct oclmm_text *text, unsigned writers);

#endif
