// SPDX-License-Identifier: Apache-2.0
/* Files of whole kernels in place of tests. */
#ifndef OCLMM_RUNNER_RUN_KERNEL_H
#define OCLMM_RUNNER_RUN_KERNEL_H

#include "run.h"

/* Asks the oracle of each file, launches it on the device, and compares. Returns the exit status:
 * 0, 1, 2, 3, 77 or 99 as of tests. */
int run_kernels(struct run *run, char **paths, int count);

#endif
