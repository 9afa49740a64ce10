// SPDX-License-Identifier: Apache-2.0
/** \file Compares the oracle of src/model with the reference. */
#ifndef ORACLE_COMPARE_H
#define ORACLE_COMPARE_H

#include "reference.h"

enum comparison { COMPARISON_EQUAL, COMPARISON_DIFFERENT, COMPARISON_TOO_LARGE };

/** What was compared, so that one sees what the tests are worth. */
struct comparison_counts {
	uint64_t undefined;  /**< programs that consensus calls undefined */
	uint64_t disputed;   /**< others with a disputed state */
	uint64_t forbidden;  /**< others with a forbidden state that some candidate reaches */
	uint64_t candidates; /**< that the reference judged */
};

/**
 * Asks both for every model. `text`, unless NULL, gets what they say, marked
 * where they differ; `counts`, unless NULL, is added to.
 */
enum comparison compare_oracles(const struct oclmm_program *program,
                                const struct reference_limits *limits,
                                struct comparison_counts *counts, struct oclmm_text *text);

#endif
