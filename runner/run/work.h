// SPDX-License-Identifier: Apache-2.0
/* The tests of a run at work in children. */
#ifndef OCLMM_RUNNER_RUN_WORK_H
#define OCLMM_RUNNER_RUN_WORK_H

#include "run.h"

/* Tests that children are asked for, one child at a time. */
struct run_batch {
	struct run *run;
	struct run_lane *lane;
	struct run_item *items;
	/* whose first jobs are the items'; a child has them by index */
	struct run_schedule *schedule;
	struct worker_relay *relay;
};
/* For the jobs of a schedule that is made. */
void run_batch_begin(struct run_batch *batch);
/* All attempts at the tests of a group; `ran` says which of them have a result. Returns false when
 * the run ends here. */
bool run_batch_group(struct run_batch *batch, const struct run_group *group, double seconds);
/* Makes safe what was written. */
void run_batch_sync(const struct run_batch *batch);
/* The same, and ends the children. */
void run_batch_end(struct run_batch *batch);

/* Runs what is not done, then more where confidence is missing and a budget is left. */
void run_tests(struct run *run);

#endif
