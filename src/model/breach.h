// SPDX-License-Identifier: Apache-2.0
/* Circles that an axiom forbids: what breach.c and breach_total.c share. */
#ifndef OCLMM_MODEL_BREACH_H
#define OCLMM_MODEL_BREACH_H

#include "internal.h"

struct circle {
	enum oclmm_rule rule;
	struct oclmm_arrow arrow[OCLMM_MAX_EVENTS];
	unsigned count; /* 0: none found yet */
};

/* Appends an arrow; a circle that would grow too long stays as it is and is given up. */
bool oclmm_circle_add(struct circle *c, enum oclmm_edge edge, unsigned from, unsigned to);
/* The shortest way by sb, sw and the initial writes through happens-before of a region. */
bool oclmm_circle_add_hb(struct circle *c, const struct oclmm_execution *x, enum oclmm_space region,
                         unsigned from, unsigned to);
/* The circle in S, where no S exists. */
void oclmm_breach_total(const struct oclmm_execution *x, struct circle *circle,
                        struct oclmm_breach *ret);

#endif
