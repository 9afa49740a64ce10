// SPDX-License-Identifier: Apache-2.0
#include "parse.h"

#include <errno.h>

#include "grammar.h"
#include "parse_error.h"

int oclmm_syntax_lex(union OCLMM_SYNTAX_STYPE *value, struct syntax_parser *parser)
{
	const struct syntax_token *token = &parser->tokens[parser->next];

	if (token->kind != TOKEN_END)
		parser->next++;
	value->token = token;
	return token->kind;
}

static const struct syntax_token *previous(const struct syntax_parser *parser)
{
	return parser->next ? &parser->tokens[parser->next - 1] : &parser->tokens[0];
}

void oclmm_syntax_error(struct syntax_parser *parser, const char *message)
{
	if (!parser->refused)
		syntax_refuse(parser->source, &previous(parser)->written, NULL, "%s", message);
	parser->refused = true;
}

void syntax_refuse_word(struct syntax_parser *parser, bool at_end, const char *const *names,
                        size_t count)
{
	const struct syntax_token *end = &parser->tokens[parser->next];

	syntax_report_unexpected(parser, at_end ? end : previous(parser), names, count);
}

int syntax_parse(const struct syntax_source *source, struct oclmm_arena *arena,
                 const struct syntax_tokens *tokens, bool dartagnan, struct tree_file **ret_file)
{
	struct syntax_parser parser = {
		.source = source,
		.arena = arena,
		.tokens = tokens->data,
		.dartagnan = dartagnan,
		.file = OCLMM_NEW(arena, struct tree_file),
	};
	int result = syntax_check_nesting(source, tokens);

	if (result)
		return result;
	parser.file->end = &tokens->data[tokens->count - 1];
	if (oclmm_syntax_parse(&parser) != 0) {
		oclmm_syntax_error(&parser, "the text is too long");
		return -EINVAL;
	}
	*ret_file = parser.file;
	return 0;
}
