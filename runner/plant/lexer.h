// SPDX-License-Identifier: Apache-2.0
/*
 * OpenCL C cut into tokens, so that a call can be told from a comment that
 * mentions it. White space and comments are the gaps between tokens. The body
 * of a #define is cut, too, because programs hide atomics in macros; all other
 * directives are one token.
 */
#ifndef OCLMM_RUNNER_PLANT_LEXER_H
#define OCLMM_RUNNER_PLANT_LEXER_H

#include <stdbool.h>
#include <stddef.h>

enum token_kind {
	TOKEN_NAME,
	TOKEN_NUMBER,
	TOKEN_STRING,     /* or a character constant */
	TOKEN_PUNCTUATOR, /* one character; but -> ++ -- << >> and what ends in = are one token */
	TOKEN_DIRECTIVE,  /* a preprocessor line; of #define all up to its body */
};

#define TOKEN_UNMATCHED ((size_t)-1)

struct token {
	enum token_kind kind;
	size_t at, length; /* in the text */
	size_t match;      /* of ( and ): index of the other; else TOKEN_UNMATCHED */
	unsigned macro;    /* 0 outside; the tokens of one macro's body share a number */
};

struct source {
	const char *text;
	size_t length;
	struct token *tokens;
	size_t count, capacity;
};

/* `text` must outlive the source and need not be terminated. */
void source_init(struct source *source, const char *text, size_t length);
void source_finish(struct source *source);

/* Whether a token exists and is spelt like this. */
bool token_is(const struct source *source, size_t index, const char *spelling);
/* Two tokens are spelt alike. */
bool token_same(const struct source *source, size_t a, size_t b);
bool token_is_name(const struct source *source, size_t index);

#endif
