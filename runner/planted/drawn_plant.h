// SPDX-License-Identifier: Apache-2.0
/* The tests of a plant that was drawn: found one by one, the surest first. */
#ifndef OCLMM_RUNNER_PLANTED_DRAWN_PLANT_H
#define OCLMM_RUNNER_PLANTED_DRAWN_PLANT_H

#include "trial.h"

/* Finds them and runs them; with --able only finds all of them. */
void drawn_try(struct trial *trial);

#endif
