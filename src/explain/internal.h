// SPDX-License-Identifier: Apache-2.0
/*
 * What the files of explanations share.
 *
 *   program ──oclmm_check──► verdict ──oclmm_executions──► the execution to show
 *        execution ──oclmm_execution_breach──► rule, why    words
 *                  ──oclmm_execution_gap──► race            words
 *        program ──edit, change──► repairs, weakenings
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

/* In explain.c: no outcome is forbidden. */
bool program_is_undefined(const struct oclmm_answer *answer, enum oclmm_model model);
/* Whether the final condition asks for this state, and no filter turns it away: of `forall`, the
 * states that refute it. */
bool program_asks_for(const struct oclmm_program *program, const int64_t *values);
/* Of the states asked for, one with the most permissive verdict. \return NULL: there is none. */
const struct oclmm_state *choose_state(const struct explain *x, const struct oclmm_answer *answer);
/* The reading to show of those that fit. */
void prefer_reading(const struct explain *x,
                    bool (*fits)(const struct explain *x, uint32_t reading),
                    struct oclmm_reading *ret_reading);
/* Visits executions under the reading explained. That a limit ended it is noted, no error. */
int explain_visit(struct explain *x, struct oclmm_visit_options *visit);

/* ---- sentences: rule.c, why.c, source.c --------------------------------------- */

/* What the broken rule says, in sentences. */
const char *explain_rule(struct oclmm_arena *arena, const struct oclmm_execution *x,
                         const struct oclmm_breach *breach);
/* Fills `why` and `section` of every step. */
void explain_steps(struct oclmm_arena *arena, const struct oclmm_program *program,
                   const struct oclmm_execution *x, struct oclmm_step *steps, unsigned count);
/* Words on events of an execution, in the making. */
struct clause {
	struct oclmm_text text;
	const struct oclmm_program *program;
	const struct oclmm_execution *x;
};
void clause_say(struct clause *c, const char *words);
struct oclmm_event_letter clause_letter(const struct clause *c, unsigned event);
/* The object of an access: `x`, `a[1]`. */
void print_object(struct oclmm_text *text, const struct oclmm_program *program,
                  const struct oclmm_event *e);

/* The statement of a thread that an event belongs to, or NULL. */
const struct oclmm_statement *find_statement(const struct oclmm_program *program, uint32_t thread,
                                             struct oclmm_position position);

/* ---- commands: command.c ------------------------------------------------ */

/* `kernel (clEnqueueNDRangeKernel), queue 0`. */
void print_command_place(struct oclmm_text *text, const struct oclmm_program *program,
                         uint32_t thread);
/* Why all that thread `a` does happens before all that `b` does. \return the section */
const char *tell_command_way(struct oclmm_text *text, const struct oclmm_program *program,
                             uint32_t a, uint32_t b);
/* What is missing between two threads that are not ordered: a sentence and a blank. */
void tell_command_gap(struct oclmm_text *text, const struct oclmm_program *program, uint32_t a,
                      uint32_t b);

/* ---- disputes: dispute.c ----------------------------------------------- */

/* Finds a reading that allows the outcome, and what is different there from the execution shown. */
int explain_dispute(struct explain *x);

/* ---- races: race.c ----------------------------------------------------- */

/* Finds the racing execution to show, and says what is missing. */
int explain_race(struct explain *x);

/* ---- changes: change.c ------------------------------------------------- */

/* Searches for repairs of an undefined program, or weakenings that allow a forbidden outcome. */
void search_changes(struct explain *x);

#endif
