// SPDX-License-Identifier: Apache-2.0
/* The tests of a run at work in children. */
#ifndef OCLMM_RUNNER_RUN_WORK_H
#define OCLMM_RUNNER_RUN_WORK_H

#include "run.h"

/* Runs what is not done, then more where confidence is missing and a budget is left. */
void run_tests(struct run *run);

#endif
