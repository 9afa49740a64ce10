// SPDX-License-Identifier: Apache-2.0
/**
 * \file
 * The values of two operations on one object, of which one's result is used:
 * such that each mistake in either of them shows.
 */
#ifndef TESTS_VALUES_SEARCH_H
#define TESTS_VALUES_SEARCH_H

#include "mistake.h"

struct numbers {
	int64_t initial;
	int64_t used, unused; /**< operands */
};

enum { SEARCH_SETS = 6 };

/**
 * Searches sets of numbers, each the best for what does not show on those before: on which most
 * mistakes show, in most orders, and among them the shortest. `by_one`: operands are 1.
 * \return how many there are
 */
unsigned search_numbers(enum oclmm_operation op, enum oclmm_type type, bool by_one,
                        struct numbers ret_numbers[SEARCH_SETS]);
/** What the object holds in the end if nothing goes wrong, the used one being first or last. */
int64_t search_final(enum oclmm_operation op, enum oclmm_type type, const struct numbers *numbers);

#endif
