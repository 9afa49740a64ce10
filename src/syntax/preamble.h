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
int oclmm_read_preamble(const struct syntax_source *source, struct oclmm_arena *arena,
                        const struct syntax_tokens *tokens, struct preamble *preamble,
                        size_t *ret_body);

struct expansion {
	struct syntax_source *source;
	struct oclmm_litmus *litmus;
	struct preamble *preamble;
	struct syntax_tokens body; /**< as written, from the first `{` */
	bool dartagnan;
	const uint32_t **choices; /**< per variant, one value per axis; 0 is base */
};

#endif
