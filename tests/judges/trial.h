// SPDX-License-Identifier: Apache-2.0
/**
 * \file
 * A program before all judges: does one of them show a state that the oracle
 * forbids?
 */
#ifndef JUDGES_TRIAL_H
#define JUDGES_TRIAL_H

#include "judge.h"

enum { TRIAL_MAX_JUDGES = 24 };

struct trial {
	struct judge *judges[TRIAL_MAX_JUDGES];
	unsigned count;
	/**
	 * Instead of what consensus forbids, all that this model of docs/opencl.cat's
	 * vocabulary does not allow; NULL in honest trials.
	 */
	struct oclmm_cat_model *stronger;
	uint64_t limit; /**< candidates that are looked at */
};

/** Judges that showed a wanted state, and one such state of each. */
struct trial_findings {
	bool shown[TRIAL_MAX_JUDGES];
	int64_t states[TRIAL_MAX_JUDGES][64];
	uint64_t candidates, heard;
};

/**
 * Reads the map files, each with the line `first` in front unless NULL. Prints
 * why one is refused. \return whether all could be read.
 */
bool trial_open(struct trial *trial, char *const *paths, int count, const char *first);
/**
 * Replaces the oracle by a cat file with more text behind it. Prints why that
 * is refused. \return whether it could be read.
 */
bool trial_strengthen(struct trial *trial, const char *path, const char *text);
void trial_close(struct trial *trial);

/**
 * Asks all judges for states that are wanted, each until it has shown one.
 * \return 0, or -E2BIG when there are too many candidates or events.
 */
int trial_ask(struct trial *trial, const struct oclmm_program *program,
              bool (*wanted)(const int64_t *values, void *data), void *data,
              struct trial_findings *ret_findings);

enum trial_result {
	TRIAL_NOTHING,   /**< no judge shows what is forbidden */
	TRIAL_UNDEFINED, /**< nothing is forbidden */
	TRIAL_TOO_LARGE,
	TRIAL_SHOWN,
};

struct trial_counts {
	uint64_t results[4], candidates, heard;
};

/**
 * Tries a program. `counts` is added to; `text`, unless NULL, gets which judge
 * shows which state.
 */
enum trial_result trial_hold(struct trial *trial, const struct oclmm_program *program,
                             struct trial_counts *counts, struct oclmm_text *text);
void trial_print(const struct trial_counts *counts);

#endif
