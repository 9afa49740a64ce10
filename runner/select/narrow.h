// SPDX-License-Identifier: Apache-2.0
/* Narrowing a selection: `--family`, `--feature`, `--bug` of run, list and check. */
#ifndef OCLMM_RUNNER_SELECT_NARROW_H
#define OCLMM_RUNNER_SELECT_NARROW_H

#include "cli/cli.h"
#include "select.h"
#include "test_features.h"

/* Rows of a command's options. */
#define NARROW_FAMILY_OPTION                                                                       \
	{                                                                                          \
		"family", 0, "NAME", "only tests of this folder of litmus/; \"list\" prints all"   \
	}
/* two rows of an options table */
/* clang-format off */
#define NARROW_FEATURE_OPTION \
	{ "feature", 0, "WORD", \
	  "only tests that use this: seq_cst, fence, local, …; \"list\" prints all" }
#define NARROW_BUG_OPTION \
	{ "bug", 0, "NAME", \
	  "only the tests for a known bug, and their controls; \"list\" prints all" }
/* clang-format on */

enum { NARROW_NAMES = 16 };

struct narrow {
	const char *families[NARROW_NAMES], *bugs[NARROW_NAMES];
	size_t family_count, bug_count;
	uint64_t features; /* all of them are asked for */
};

/*
 * For a command's option handler. Return 0, OPTIONS_HELP (a list was printed)
 * or OPTIONS_ERROR. Several families, or bugs, are any of them; several
 * features are all of them.
 */
int narrow_family(struct narrow *narrow, const char *name);
int narrow_feature(struct narrow *narrow, const char *word);
int narrow_bug(struct narrow *narrow, const char *name);

/* Whether anything narrows. */
bool narrow_any(const struct narrow *narrow);
/* Leaves in the selection what fits. Returns 0, or the status to leave with (a message was
 * printed). */
int narrow_apply(const struct narrow *narrow, struct selection *selection);

#endif
