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

/**
 * A control observes what its test observes, and shows what the test forbids by weakness alone: not
 * where one thread after another runs, for then it would show it on every device, and silence of
 * the test beside it would be worth nothing. `answer` is the test's.
 */
void check_comparable(const struct oclmm_variant *test, const struct oclmm_answer *answer,
                      const struct oclmm_variant *control);

/** Remembers the programs of a file for check_programs(). */
void note_programs(const struct oclmm_litmus *litmus);
/**
 * Of variants that are one program all but one are controls, which have to
 * stand in the file of their test. The families that distil published text are
 * left out: two texts may say the same.
 */
void check_programs(void);

#endif
