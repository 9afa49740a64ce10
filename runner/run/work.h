// SPDX-License-Identifier: Apache-2.0
/* Runs the tests in children. */
#ifndef OCLMM_RUNNER_RUN_WORK_H
#define OCLMM_RUNNER_RUN_WORK_H

#include "run.h"

/* Runs the tests that are not done, then more of those that lack confidence while a budget is
 * left. */
void run_tests(struct run *run);

#endif
