// SPDX-License-Identifier: Apache-2.0
/* The code that a device's compiler makes of the tests of a run, read and judged. */
#ifndef OCLMM_RUNNER_RUN_MACHINE_CODE_H
#define OCLMM_RUNNER_RUN_MACHINE_CODE_H

#include "run.h"

/* Fills the records' codes of all runs, before anything is launched. Returns 0, or the status to
 * leave with where a device has no code that can be read. */
int run_audit_all(struct run_session *session);

#endif
