// SPDX-License-Identifier: Apache-2.0
/*
 * Bugs that implementations had, and the tests that catch them: litmus/bugs of
 * the suite. docs/bugs.md is the same list for readers.
 *
 *     bug igc-mp
 *     where Intel graphics compiler, 2022
 *     what message passing with release and acquire broken
 *     tests MP+rel+acq MP+fence-rel+fence-acq
 *
 * A test stands for all its variants, a variant for itself and for those that
 * set more axes: `SB.order=rlx` for SB.order=rlx.place=local too.
 */
#ifndef OCLMM_RUNNER_SELECT_BUGS_H
#define OCLMM_RUNNER_SELECT_BUGS_H

#include "oclmm/base.h"

struct bug {
	const char *name, *where, *what;
	const char *tests; /* separated by single blanks */
	struct oclmm_position position;
};

struct bugs {
	char *path, *text; /* what the strings point into */
	struct bug *bugs;
	size_t count, capacity;
};

/*
 * Reads a file, or FOLDER/bugs. Returns 0, or a negative errno value with file, line and caret in
 * `error`; bugs_finish() in either case.
 */
int bugs_read_file(struct bugs *bugs, const char *path, struct oclmm_error *error);
int bugs_read(struct bugs *bugs, const char *folder, struct oclmm_error *error);
void bugs_finish(struct bugs *bugs);
/* NULL when there is none of this name. */
const struct bug *bugs_find(const struct bugs *bugs, const char *name);
/* Whether a variant, by its name, is one of the bug's tests. */
bool bug_has_test(const struct bug *bug, const char *variant);

#endif
