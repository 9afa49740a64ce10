// SPDX-License-Identifier: Apache-2.0
/* Which tests run interleaved, and beside which controls. */
#ifndef OCLMM_RUNNER_RUN_SCHEDULE_H
#define OCLMM_RUNNER_RUN_SCHEDULE_H

#include "run.h"

/*
 * Puts the chosen tests in the order in which a budget is spent, and in front, where none was
 * named, those of litmus/planted/first; called before any is prepared.
 */
void run_order(struct run *run);
/*
 * Puts the items that are not done into groups: tests of one litmus file that have the same weakest
 * control share their controls. Under a budget only neighbours in its order share a group. The run
 * keeps what is derived from a test, for the next schedule.
 */
void run_schedule_make(struct run *run, struct run_item *items, size_t count,
                       struct run_schedule *ret_schedule);
void run_schedule_finish(struct run_schedule *schedule);
/* Frees what was derived, when no schedule is left. */
void run_schedule_forget(struct run *run);
/*
 * Hits that a control still needs until silence beside it has the confidence asked for, or 99.999 %
 * where that is more. `log` is the weight of its launches so far, as oclmm_evidence_log_escape()
 * gives it, and `controls` how many are of its kind.
 */
uint64_t run_hits_missing(double confidence, size_t controls, double log);

#endif
