// SPDX-License-Identifier: Apache-2.0
/* The tests of a plant of the table, in stages. */
#ifndef OCLMM_RUNNER_PLANTED_LISTED_PLANT_H
#define OCLMM_RUNNER_PLANTED_LISTED_PLANT_H

#include "trial.h"

/* Asks which tests the plant concerns; whether any has to be run to know that none shows it is the
 * outcome's `hopeless`. */
void listed_look(struct trial *trial);
/* Runs them, unless it is hopeless. */
void listed_run(struct trial *trial);

#endif
