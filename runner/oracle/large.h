// SPDX-License-Identifier: Apache-2.0
/* Litmus tests of too many executions to be enumerated. */
#ifndef OCLMM_RUNNER_ORACLE_LARGE_H
#define OCLMM_RUNNER_ORACLE_LARGE_H

#include <stdbool.h>

#include "oclmm/ir.h"

/* What exploring a test by states has found. */
struct large;

/* NULL where the test is none for it. */
struct large *large_explore(const struct oclmm_program *program, double seconds);
void large_destroy(struct large *large);
/* Something is undefined under the texts as they are written, and so under consensus. */
bool large_is_undefined(const struct large *large);
/* All final states under 2.1 and 3.1 without alternatives are known. */
bool large_is_complete(const struct large *large);
/* Prints either. */
void large_print(const struct large *large);

#endif
