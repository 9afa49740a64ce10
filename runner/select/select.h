// SPDX-License-Identifier: Apache-2.0
/*
 * Which tests a command works on: what FILE, DIR and PATTERN on its line name.
 *
 * May see: cli, syntax, codegen, cycle.
 */
#ifndef OCLMM_RUNNER_SELECT_SELECT_H
#define OCLMM_RUNNER_SELECT_SELECT_H

#include "oclmm/syntax.h"
#include "suite.h"

/* One variant that was chosen. */
struct chosen {
	const struct suite_file *file;
	const struct oclmm_litmus *litmus;
	const struct oclmm_variant *variant;
};

/* Owns the files and what was read from them. */
struct selection {
	struct suite_files files;
	struct oclmm_litmus **litmus; /* parallel to `files` */
	struct chosen *chosen;        /* in the order of files and variants, each once */
	size_t count;
	size_t capacity;
};

/*
 * Resolves arguments; none means the whole suite. `-` is a file on standard input. A file or a
 * folder that exists is taken as it is, then as one of the suite's; FILE:PATTERN chooses among the
 * variants of a file; other arguments are patterns over the names of the suite's variants, see
 * oclmm_pattern_matches(). Messages go to standard error. Returns 0, or the
 * status to leave with.
 */
int selection_make(struct selection *selection, char **arguments, int count);
/* The same without the files that are refused, which are named on standard error; `*ret_refused`
 * gets their status, 0 without any. */
int selection_make_readable(struct selection *selection, char **arguments, int count,
                            int *ret_refused);
/* All variants of those of the suite's files that may have tests called so; what no file has is
 * missing without a word. */
int selection_make_holding(struct selection *selection, const char *const *names, size_t count);
/*
 * The same from a profile: the file litmus/profiles/NAME of the suite, one
 * pattern per line. The line `+controls` adds the control of each test, where
 * it has one.
 */
int selection_make_profile(struct selection *selection, const char *profile);
/* Whether the suite has a profile of this name. */
bool selection_has_profile(const char *profile);
/* Refuses two chosen tests of one name. Returns 0, or the status to leave with. */
int selection_refuse_namesakes(const struct selection *selection);
void selection_finish(struct selection *selection);

/* Prints an error as compilers do on standard error. Returns OCLMM_EXIT_USAGE, the status of what
 * is refused. */
int report_error(const struct oclmm_error *error);

/* An option_setter of a struct oclmm_cat_model *, which is NULL or was read before; the caller
 * destroys it. OPTIONS_ERROR for a file that is refused: where and why was printed. */
int option_cat(const char *option, const char *path, void *ret_model);
/* The row of `--cat FILE`. */
#define CAT_OPTION(type, member)                                                                   \
	{                                                                                          \
		"cat", 0, "FILE", "answer by the model in this cat file instead of ours",          \
			SETS_BY(option_cat, type, member)                                          \
	}

/* ---- which litmus files a pattern leaves out, told without parsing them ---- */

/* The name in the first line of a litmus file, malloc-ed; NULL where only a parser can tell, or say
 * what is wrong. */
char *test_name_peek(const char *path);

/* Whether `called` is the name of a test or of one of its variants, which are called
 * NAME.FEATURE=CHOICE…, by their names alone. */
bool test_name_may_be(const char *name, const char *called);

/*
 * Whether a pattern can choose a test or one of its variants; false is certain, true is not.
 */
bool test_name_may_match(const char *name, const char *pattern);

/**
 * Whether an argument is a kernel's own file, which is no test and no pattern that could find one:
 * `error` says what it is, that `wanted` was wanted, and what to do with it.
 */
bool names_kernel(const char *argument, const char *wanted, struct oclmm_error *error);

#endif
