// SPDX-License-Identifier: Apache-2.0
#include "token.h"

#include <stdlib.h>
#include <string.h>

void syntax_tokens_reserve(struct syntax_tokens *tokens, size_t count)
{
	tokens->data = oclmm_malloc(count * sizeof(*tokens->data));
	tokens->capacity = count;
}

void syntax_tokens_add(struct syntax_tokens *tokens, const struct syntax_token *token)
{
	oclmm_grow(&tokens->data, &tokens->capacity, tokens->count, sizeof(*tokens->data));
	tokens->data[tokens->count++] = *token;
}

void syntax_tokens_finish(struct syntax_tokens *tokens)
{
	free(tokens->data);
	*tokens = (struct syntax_tokens){0};
}

bool syntax_token_equal(const struct syntax_token *a, const struct syntax_token *b)
{
	/* most words differ in their first letter */
	return a->text[0] == b->text[0] && strcmp(a->text, b->text) == 0;
}

bool syntax_token_touches(const struct syntax_token *a, const struct syntax_token *b)
{
	return a->written.line == b->written.line &&
	       a->written.column + a->written.length == b->written.column;
}
