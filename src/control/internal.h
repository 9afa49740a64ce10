// SPDX-License-Identifier: Apache-2.0
/* The wrong steps: which a program has, how each is made, and what it then shows. */
#ifndef OCLMM_CONTROL_INTERNAL_H
#define OCLMM_CONTROL_INTERNAL_H

#include "oclmm/change.h"
#include "oclmm/control.h"
#include "oclmm/model_execution.h"

/* One step of one program, by statement numbers, so that it holds for any copy. */
struct step {
	enum oclmm_moved_step kind;
	uint32_t thread;
	uint32_t from, to; /* statements of the thread, from 0 in the order of the text */
	unsigned cost;     /* how unlike the program becomes; the order of choice */
};

struct steps {
	struct step *items;
	size_t count, capacity;
};

/* The statements of a thread in the order of the text: each by the link that leads to it. */
struct place_list {
	struct oclmm_statement ***links; /* malloc-ed */
	size_t count, capacity;
};
void control_list(struct oclmm_statement **body, struct place_list *list);

/* The number of a statement as names have it: from 1, arithmetic left out. */
uint32_t control_number(const struct place_list *list, uint32_t place);

/*
 * Moves what only computes as far up in its block as its registers allow, so
 * that it is in nobody's way. No other work-item can tell.
 */
void control_settle(struct oclmm_statement **block);
/* All steps that a program has; `items` is malloc-ed. */
void control_steps(const struct oclmm_program *program, struct steps *ret_steps);

/* No program of a litmus test has more; one that does is given up. */
enum { CONTROL_CANDIDATES_MOST = 1 << 20 };
/* Successors of an event in the order that an interleaving would have to keep. */
oclmm_events control_successors(const struct oclmm_execution *x, unsigned event);
/* Takes out what nothing left stands before, until none is left or none can be. */
bool control_is_acyclic(const oclmm_events *next, unsigned count);
/* Whether an execution comes of interleaving alone. */
bool control_is_interleaving(const struct oclmm_execution *x);
/* The expected set's own space where the program shows nothing else; what is new is the arena's.
 * `*ret_whole`: no execution has other values. */
const struct oclmm_outcome_space *control_space(struct oclmm_arena *arena,
                                                const struct oclmm_program *program,
                                                const struct oclmm_expected *expected,
                                                bool *ret_whole);
/* Whether sequentially consistent interleaving of the program reaches a forbidden outcome. */
bool control_reaches(const struct oclmm_program *program, const struct oclmm_expected *expected);

#endif
