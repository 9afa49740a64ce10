// SPDX-License-Identifier: Apache-2.0
/**
 * \file
 * The words of a litmus file. A file is cut into words once; variants are made
 * by rewriting the words of its body, and each variant is parsed from words.
 */
#ifndef OCLMM_SYNTAX_TOKEN_H
#define OCLMM_SYNTAX_TOKEN_H

#include <stdlib.h>

#include "oclmm/base.h"

enum {
	SYNTAX_MAX_BYTES = 1 << 20,
	SYNTAX_MAX_TOKENS = 1 << 14, /**< of one body */
	SYNTAX_MAX_NESTING = 64,
	SYNTAX_MAX_VARIANTS = 4096,
	SYNTAX_MAX_AXES = 16,
	SYNTAX_MAX_THREAD_ID = 999,
	SYNTAX_MAX_UNROLL = 64,   /**< rounds of one loop */
	SYNTAX_MAX_ROUNDS = 1024, /**< of all loops of a thread that are unrolled */
	SYNTAX_MAX_MEMORY = 256,  /**< MiB, of all variants of a file */
	SYNTAX_MAX_CALLS = 4096,  /**< of functions in a thread, those within functions included */
	SYNTAX_MAX_SHARED_ELEMENTS = 8192, /**< where work-items share a text */
	SYNTAX_MAX_REGISTERS = 64, /**< per thread: a set of registers is one machine word */
};

/** `unit` of words that belong to no thread: the init block and the final condition. */
enum { SYNTAX_NO_THREAD = -1 };

struct syntax_token {
	int kind; /**< enum oclmm_syntax_tokentype, or a character */
	const char *text;
	struct oclmm_position
		written; /**< where the text stands, maybe in a vary line: for messages */
	struct oclmm_position place; /**< where it counts, always in the body: for the program */
	int unit;                    /**< number of the thread it belongs to */
	unsigned comments;           /**< `(* *)` comments of the body that stand before it */
};

struct syntax_tokens {
	struct syntax_token *data;
	size_t count;
	size_t capacity;
};

/** Gives an empty list room for `count` words, at least one. */
static inline void oclmm_tokens_reserve(struct syntax_tokens *tokens, size_t count)
{
	tokens->data = oclmm_malloc(count * sizeof(*tokens->data));
	tokens->capacity = count;
}

static inline void oclmm_tokens_add(struct syntax_tokens *tokens, const struct syntax_token *token)
{
	oclmm_grow(&tokens->data, &tokens->capacity, tokens->count, sizeof(*tokens->data));
	tokens->data[tokens->count++] = *token;
}

static inline void oclmm_tokens_finish(struct syntax_tokens *tokens)
{
	free(tokens->data);
	*tokens = (struct syntax_tokens){0};
}

/** Whether a word names a type. */
bool oclmm_is_type(const char *word);
/** Types for messages, ` int uint …`: those of objects, of registers, and of casts. */
#define SYNTAX_TYPE_WORD(name, word, ...) " " word
#define SYNTAX_TYPES                                                                               \
	OCLMM_INTEGERS(SYNTAX_TYPE_WORD)                                                           \
	OCLMM_FLOATS(SYNTAX_TYPE_WORD)                                                             \
	" uchar ushort"
#define SYNTAX_PRIVATE OCLMM_PRIVATE_INTEGERS(SYNTAX_TYPE_WORD)
#define SYNTAX_REGISTERS                                                                           \
	OCLMM_INTEGERS(SYNTAX_TYPE_WORD) OCLMM_FLOATS(SYNTAX_TYPE_WORD) SYNTAX_PRIVATE
#define SYNTAX_INTEGERS OCLMM_INTEGERS(SYNTAX_TYPE_WORD) SYNTAX_PRIVATE
/** Both words have the same text. */
bool oclmm_tokens_equal(const struct syntax_token *a, const struct syntax_token *b);
/** No blank stands between `a` and the following `b`. */
bool oclmm_tokens_touch(const struct syntax_token *a, const struct syntax_token *b);

/** The text of a file, and where a refusal of it goes. */
struct syntax_source {
	const char *path;
	const char *text;
	size_t length;
	const char *variant; /**< the variant at work, NULL for the file as written */
	struct oclmm_error *error;
};

/**
 * Refuses the text: fills source->error with file, place, source line and
 * message; `note` (may be NULL) says how to mend it. \return -EINVAL.
 */
int oclmm_refuse(const struct syntax_source *source, const struct oclmm_position *at,
                 const char *note, const char *format, ...) OCLMM_PRINTF(4, 5);

/** Cuts a text into words; their texts live in `arena`. \return 0 or -EINVAL. */
int oclmm_lex(const struct syntax_source *source, struct oclmm_arena *arena,
              struct syntax_tokens *ret_tokens);

#endif
