// SPDX-License-Identifier: Apache-2.0
/**
 * \file
 * What stands between the name of a test and its init block: the question,
 * comments, axes of variation, exceptions, controls, the bound of loops.
 */
#ifndef OCLMM_SYNTAX_PREAMBLE_H
#define OCLMM_SYNTAX_PREAMBLE_H

#include "oclmm/syntax.h"
#include "token.h"

/** A run of words, to be found or to be put in. */
struct sequence {
	const struct syntax_token *data; /**< at least one readable word, even when count is 0 */
	size_t count;
};

struct alternative {
	const struct syntax_token *at;
	const char *value;          /**< its name in a variant's name */
	struct sequence *sequences; /**< one per listed sequence */
};

/** `vary NAME@P1: a, b => c, d | e, f` */
struct axis {
	const struct syntax_token *at;
	const char *name;
	uint32_t *threads; /**< where it applies; none: everywhere */
	uint32_t thread_count;
	struct sequence *listed;
	uint32_t listed_count;
	struct alternative *alternatives;
	uint32_t alternative_count;
};

/** Values of some axes: `order=rlx place=base`. */
struct pattern {
	bool given[SYNTAX_MAX_AXES];
	uint32_t value[SYNTAX_MAX_AXES]; /**< 0: base; else the alternative's number, from 1 */
};

/** An `except` or `control` line. */
struct rule {
	const struct syntax_token *at;
	struct pattern match;
	struct pattern target; /**< control only */
	bool used;
};

struct preamble {
	const struct syntax_token *name; /**< as written */
	const char *safe_name;
	const char *question;
	const char *comment;
	enum oclmm_stated stated;
	struct oclmm_position stated_position;
	const struct syntax_token *unroll_at;
	uint32_t unroll;
	struct axis axes[SYNTAX_MAX_AXES];
	uint32_t axis_count;
	struct rule *excepts;
	uint32_t except_count;
	struct rule *controls;
	uint32_t control_count;
};

/** One line of the preamble, with those that continue it. */
struct item {
	const struct syntax_token *words;
	size_t count;
};

/**
 * Reads the words before the first `{`. On success `*ret_body` is the index of
 * that word.
 */
int syntax_read_preamble(const struct syntax_source *source, struct oclmm_arena *arena,
                         const struct syntax_tokens *tokens, struct preamble *preamble,
                         size_t *ret_body);
/** Reads a comment that may hold `Result: Word`. */
int syntax_read_comment(const struct syntax_source *source, struct oclmm_arena *arena,
                        const struct syntax_token *comment, struct preamble *preamble);
/** Reads a `vary` line into the next axis. */
int syntax_read_vary(const struct syntax_source *source, struct oclmm_arena *arena,
                     const struct item *item, struct preamble *preamble);
/** Reads an `except` or `control` line. */
int syntax_read_except(const struct syntax_source *source, const struct item *item,
                       struct preamble *preamble);
int syntax_read_control(const struct syntax_source *source, const struct item *item,
                        struct preamble *preamble);

/** The short name of an alternative, or NULL when it has more than 40 letters. */
const char *syntax_value_name(struct oclmm_arena *arena, const struct sequence *sequences,
                              uint32_t count);
/**
 * A name that is safe as a file name and a shell word: `S[rlx|rel]` gives
 * S_rlx_rel_.
 */
const char *syntax_safe_name(struct oclmm_arena *arena, const char *name);
/** Whether a text is made of letters that are safe in file names and shells. */
bool syntax_is_safe(const char *text, const char *punctuation);

/**
 * Rewrites the words of a body by one alternative of an axis. `hits` (one per
 * listed sequence, may be NULL) counts the places; `result` is empty before.
 * \return the number of places rewritten.
 */
size_t syntax_rewrite(const struct axis *axis, const struct alternative *alternative,
                      const struct syntax_tokens *body, struct syntax_tokens *result, size_t *hits);

#endif
