// SPDX-License-Identifier: Apache-2.0
/* Every plant in its turn, and the matrix that comes of it. */
#ifndef OCLMM_RUNNER_PLANTED_SCORE_H
#define OCLMM_RUNNER_PLANTED_SCORE_H

#include "planted.h"

/* Reads the matrix that is gone on with, if any. Returns 0, or the status to leave with. */
int score_resume(struct planted *planted);
/* Tries all that was chosen. Returns the status to leave with. */
int score_run(struct planted *planted);

#endif
