// SPDX-License-Identifier: Apache-2.0
/* What launches showed of a test: hits, and silence beside its controls. */
#ifndef OCLMM_RUNNER_RUN_EVIDENCE_H
#define OCLMM_RUNNER_RUN_EVIDENCE_H

#include "run.h"

/* A control as it stands beside a test. */
struct run_hit {
	const struct run_item *item;
	const struct run_control *control;
	const struct run_meeting *meeting; /* the test's */
};
/*
 * Whether a control showed what the test forbids and it may show itself. What it may not comes of a
 * driver that is wrong, and says nothing of the test. `data` is a struct run_hit.
 */
bool run_is_hit(const void *data, const int64_t *values);
/* Whether the roles of its test met by these values, which are the test's. */
bool run_has_met(const void *data, const int64_t *values);
/* Instances of it that ended as it may not. */
uint64_t run_control_astray(const struct run_control *control, const struct oclmm_run_result *run);
/* What the launches of a group showed of the test that is its `index`-th job. Owned by the item. */
void run_evidence_take(struct run_item *item, const struct run_controls *controls,
                       const struct run_group *group, const struct worker_result *results,
                       size_t index);

#endif
