// SPDX-License-Identifier: Apache-2.0
/* Which tests found such a bug before, and whether what one shows now is the bug. */
#ifndef OCLMM_RUNNER_PLANTED_FOUND_H
#define OCLMM_RUNNER_PLANTED_FOUND_H

#include "trial.h"

/* Reads litmus/planted/first and found, and what was found in the matrix that is gone on with. */
void findings_read(struct planted *planted);
bool has_found(const struct planted *planted, enum plant_bug bug, size_t test);
/* How sure the test is to show the plant: one that found such a bug is surer than any that only
 * may. */
double sureness(const struct trial *trial, size_t test);
/*
 * A test that kills has to show nothing forbidden without a plant: drops those kills from the n-th
 * on that are none, and their tests. Where nothing kills, a test that was not run to its end has to
 * be without a plant; else it is dropped, too. What this takes is not the plant's time.
 */
void check_tests(struct trial *trial, size_t from);

#endif
