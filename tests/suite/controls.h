// SPDX-License-Identifier: Apache-2.0
/**
 * \file
 * What the suite promises of controls, and that no program stands in it twice.
 */
#ifndef TESTS_SUITE_CONTROLS_H
#define TESTS_SUITE_CONTROLS_H

#include "folder.h"
#include "oclmm/model.h"

/**
 * Every variant with a forbidden outcome has a control, which allows it, or its
 * file's line in the family's README says why there is none. `answers` are
 * those of the variants, in their order.
 */
void check_controls(const struct oclmm_litmus *litmus, struct oclmm_answer *const *answers);

/** Remembers the programs of a file for check_programs(). */
void note_programs(const struct oclmm_litmus *litmus);
/**
 * Of variants that are one program all but one are controls, which have to
 * stand in the file of their test. The families that distil published text are
 * left out: two texts may say the same.
 */
void check_programs(void);

#endif
