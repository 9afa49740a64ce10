// SPDX-License-Identifier: Apache-2.0
/**
 * \file
 * A few environments that launches take in turn, and their text: what a record
 * says of the conditions of its run, and `--environment` repeats.
 */
#ifndef OCLMM_RUNNER_PROFILE_SET_H
#define OCLMM_RUNNER_PROFILE_SET_H

#include "stress/environment.h"

struct oclmm_environment_set {
	struct oclmm_environment environments[OCLMM_ENVIRONMENTS_MAX];
	uint32_t count;
};

/** Prints what differs from the base: `groups=2 lanes=1 …; groups=4 …`. */
void oclmm_environment_set_print(struct oclmm_text *text, const struct oclmm_environment_set *set);
/** One of them, in the same form. */
void oclmm_environment_brief(struct oclmm_text *text, const struct oclmm_environment *environment);
/**
 * Reads that form. A field may be named once in each environment.
 * \return 0, or -EINVAL with the place in `error`, counted from column 1 of line 1.
 */
int oclmm_environment_set_parse(const char *text, struct oclmm_error *error,
                                struct oclmm_environment_set *ret_set);

#endif
