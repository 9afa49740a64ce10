// SPDX-License-Identifier: Apache-2.0
/*
 * What the files of explanations share.
 *
 *   program ──oclmm_check──► verdict ──oclmm_executions──► the execution to show
 *        execution ──oclmm_execution_breach──► rule, why    words
 *                  ──oclmm_execution_gap──► race            words
 *        program ──change──► repairs, weakenings
 */
#ifndef OCLMM_EXPLAIN_INTERNAL_H
#define OCLMM_EXPLAIN_INTERNAL_H

#include "oclmm/explain.h"

#define BIT(n)   ((oclmm_events)1 << (n))
#define FOR_EACH OCLMM_FOR_EACH_EVENT

/* Everything that an explanation in the making has at hand. */
struct explain {
	const struct oclmm_program *program;
	const struct oclmm_explain_options *options;
	struct oclmm_error *error;
	struct oclmm_answer *answer; /* for the program as it is */
	unsigned models;             /* that the answer was asked for */
	const struct oclmm_state
		*state; /* the outcome explained; NULL when the answer does not list it */
	struct oclmm_explanation *e; /* being filled */
};

/* Whether the final condition asks for this state, and no filter turns it away: of `forall`, the
 * states that refute it. */
static inline bool program_asks_for(const struct oclmm_program *p, const int64_t *values)
{
	return (!p->filter || oclmm_condition_holds(p, p->filter, values)) &&
	       oclmm_condition_holds(p, p->condition, values) ==
	               (p->quantifier != OCLMM_QUANTIFIER_FORALL);
}

/* Under `scoped` the states of a racy program have their verdicts all the same. */
static inline bool program_is_undefined(const struct oclmm_answer *answer, enum oclmm_model model)
{
	return answer->undefined[model] && model != OCLMM_MODEL_SCOPED;
}

/* outcome.c: of the states asked for, one with the most permissive verdict; NULL: there is none. */
const struct oclmm_state *oclmm_explain_state(const struct explain *x,
                                              const struct oclmm_answer *answer);

/* Fills `why` and `section` of every step. */
void oclmm_explain_steps(struct oclmm_arena *arena, const struct oclmm_program *program,
                         const struct oclmm_execution *x, struct oclmm_step *steps, unsigned count);

/* change.c: searches for repairs of an undefined program, or weakenings that allow a forbidden
 * outcome. \return 0, or what ends an explanation */
int oclmm_explain_changes(struct explain *x);

#endif
