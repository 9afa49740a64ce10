// SPDX-License-Identifier: Apache-2.0
/* Narrowing a selection: `--family`, `--feature`, `--bug` of run, list and check. */
#ifndef OCLMM_RUNNER_SELECT_NARROW_H
#define OCLMM_RUNNER_SELECT_NARROW_H

#include "cli/cli.h"
#include "select.h"
#include "test_features.h"

/* Rows of a command's options; its data has a member `narrow`. */
/* clang-format off */
#define NARROW_FAMILY_OPTION(holder) \
	{ "family", 0, "NAME", "only tests of this folder of litmus/; \"list\" prints all", \
	  SETS_BY(narrow_family, holder, narrow) }
#define NARROW_FEATURE_OPTION(holder) \
	{ "feature", 0, "WORD", \
	  "only tests that use this: seq_cst, fence, local, …; \"list\" prints all", \
	  SETS_BY(narrow_feature, holder, narrow) }
#define NARROW_BUG_OPTION(holder) \
	{ "bug", 0, "NAME", \
	  "only the tests for a known bug, and their controls; \"list\" prints all", \
	  SETS_BY(narrow_bug, holder, narrow) }
/* clang-format on */

enum { NARROW_NAMES = 16 };

struct narrow {
	const char *families[NARROW_NAMES], *bugs[NARROW_NAMES];
	size_t family_count, bug_count;
	uint64_t features; /* all of them are asked for */
};

/* The setters of these, given a struct narrow. Several families, or bugs, are any of them; several
 * features are all of them. */
int narrow_family(const char *option, const char *name, void *target);
int narrow_feature(const char *option, const char *word, void *target);
int narrow_bug(const char *option, const char *name, void *target);

/* Whether anything narrows. */
static inline bool narrow_any(const struct narrow *narrow)
{
	return narrow->family_count || narrow->bug_count || narrow->features;
}
/* Leaves in the selection what fits. Returns 0, or the status to leave with (a message was
 * printed). */
int narrow_apply(const struct narrow *narrow, struct selection *selection);

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
