// SPDX-License-Identifier: Apache-2.0
/**
 * \file
 * A second oracle, for tests only: slow, and as near to the wording of the
 * memory model as C allows. It shares no code with src/model and was written
 * from the text alone, so that a mistake in one of them shows as a difference.
 *
 * It guesses everything - the value of every read, the write that every read
 * reads from, the modification order of every cell, the order S of the
 * seq_cst operations - and only then asks the axioms.
 */
#ifndef ORACLE_REFERENCE_H
#define ORACLE_REFERENCE_H

#include "oclmm/ir.h"
#include "oclmm/model.h"

/** Which text is followed; SCOPED stands beside the three Khronos regimes. */
enum reference_regime {
	REFERENCE_R20,
	REFERENCE_R21,
	REFERENCE_R31,
	REFERENCE_SCOPED,
	REFERENCE_REGIME_COUNT
};

/**
 * One way to read the text: the knobs that are taken the other way. K6 is not
 * here: every setting is answered for both of its values.
 */
struct reference_setting {
	enum reference_regime regime;
	unsigned knobs; /**< a set of 1u << enum oclmm_knob */
};
/** Whether a setting or reading takes a knob the other way: `OTHER_WAY(setting, K5)`. */
#define OTHER_WAY(reading, knob) ((reading)->knobs >> OCLMM_KNOB_##knob & 1)

/* Three regimes with as many knobs as matter at once, and `scoped`. */
enum { REFERENCE_MAX_KNOBS = 10, REFERENCE_MAX_SETTINGS = 3 * (1 << REFERENCE_MAX_KNOBS) + 1 };

/** A final state: which settings allow it, with K6 at its default [0] and off [1]. */
struct reference_state {
	int64_t *values; /**< one per observable */
	bool allowed[REFERENCE_MAX_SETTINGS][2];
};

struct reference_answer {
	const struct oclmm_program *program;
	/** The first four are the regimes with all knobs at their defaults. */
	struct reference_setting settings[REFERENCE_MAX_SETTINGS];
	unsigned setting_count;
	unsigned knobs; /**< that can matter, a set of 1u << enum oclmm_knob */
	bool undefined[REFERENCE_MAX_SETTINGS]
		      [2];              /**< the program races or is otherwise undefined */
	struct reference_state *states; /**< every state that a candidate reaches */
	unsigned state_count;
	size_t state_capacity;
	uint64_t candidates;
};

/** How much work is too much; a program beyond it is refused with -E2BIG. */
struct reference_limits {
	uint64_t candidates;
	unsigned seq_cst; /**< operations in one candidate: all their permutations are tried */
};

/**
 * Answers a program.
 * \return 0; -E2BIG when it is too large to be enumerated without pruning.
 */
int reference_check(const struct oclmm_program *program, const struct reference_limits *limits,
                    struct reference_answer **ret_answer);
void reference_destroy(struct reference_answer *answer);

/** \return whether a model calls the program undefined. */
bool reference_undefined(const struct reference_answer *answer, enum oclmm_model model);
/** What a model says of a tuple; a tuple that no candidate reaches is forbidden. */
enum oclmm_status reference_status(const struct reference_answer *answer, enum oclmm_model model,
                                   const int64_t *values);
/**
 * Finds the setting of a regime in which exactly the given knobs (a set of
 * 1u << enum oclmm_knob, without K1 and K6) have their alternative; a knob
 * that cannot matter for the program counts as given. \return -1 when absent.
 */
int reference_find_setting(const struct reference_answer *answer, enum reference_regime regime,
                           unsigned knobs);

#endif
