// SPDX-License-Identifier: Apache-2.0
/* The evidence of launches for a test: hits, and silence beside its controls. */
#ifndef OCLMM_RUNNER_RUN_EVIDENCE_H
#define OCLMM_RUNNER_RUN_EVIDENCE_H

#include "run.h"

/* Makes the job of a control note which of its launches show what the test forbids, and in which
 * the test's roles met. The arena owns what the job needs for that. */
void run_evidence_watch(const struct run_item *item, const struct run_controls *controls,
                        const struct run_control *control, struct oclmm_arena *arena,
                        struct oclmm_run_request *job);
/* Instances of a control with an outcome that the control forbids. */
uint64_t run_control_astray(const struct run_control *control, const struct oclmm_run_result *run);
/* What the launches of a group showed of the test that is its `index`-th job. Owned by the item. */
void run_evidence_take(struct run_item *item, const struct run_controls *controls,
                       const struct run_group *group, const struct worker_result *results,
                       size_t index);

#endif
