// SPDX-License-Identifier: Apache-2.0
/** \file Programs of the machine, compilers mostly, that are run as filters in a child process. */
#ifndef OCLMM_RUNNER_PROCESS_TOOL_H
#define OCLMM_RUNNER_PROCESS_TOOL_H

#include "oclmm/base.h"

/** How long tools may take, and how often one of them took longer. */
struct tool_patience {
	double seconds;
	unsigned late;
};

/** When this many tools have taken longer, no other is started. */
enum { TOOL_LATE_MOST = 3 };

/** A command line, however long it is. */
struct tool_words {
	const char **argument; /**< NULL behind the last */
	size_t count, capacity;
};

/** Adds a copy of a word. */
void tool_word(struct tool_words *words, const char *word);
/** Adds words with blanks between them, in quotes where they have some. */
void tool_quoted_words(struct tool_words *words, const char *quoted);
void tool_words_finish(struct tool_words *words);

/** \return a name for mkstemp() or mkdtemp(), below $TMPDIR or /tmp, malloc-ed:
 * oclmm-PURPOSE-XXXXXX */
char *tool_temporary(const char *purpose);
/**
 * Runs a program: `input` is its standard input, `ret_output` what it writes to its standard
 * output. Nothing that it started outlives it. \return 0, or -EBADMSG with what it said in
 * `error`; at once where tools were late too often.
 */
int tool_run(const char *const *arguments, struct tool_patience *patience,
             const struct oclmm_text *input, struct oclmm_error *error,
             struct oclmm_text *ret_output);

#endif
