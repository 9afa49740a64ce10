// SPDX-License-Identifier: Apache-2.0
#include "preamble.h"

#include <stdlib.h>
#include <string.h>

#include "grammar.h"
#include "parse_error.h"

static int read_name(const struct syntax_source *source, struct oclmm_arena *arena,
                     const struct syntax_tokens *tokens, struct preamble *preamble)
{
	const struct syntax_token *name = &tokens->data[1];

	if (tokens->data[0].kind != TOKEN_OPENCL)
		return syntax_refuse(
			source, &tokens->data[0].written,
			tokens->data[0].text[0] == '\xef'
				? "the file begins with a mark of its byte order: save it as "
				  "UTF-8 without one"
				: "after them come `{ [x] = 0; }`, threads `P0 (...) { ... }`, "
				  "and a condition",
			"a litmus test begins with `OPENCL` and its name");
	if (name->kind != TOKEN_TEST_NAME)
		return syntax_refuse(source, &tokens->data[0].written, NULL,
		                     "the test has no name");
	if (strlen(name->text) > OCLMM_TEST_NAME_MOST)
		return syntax_refuse(source, &name->written, NULL,
		                     "the name is longer than %d letters", OCLMM_TEST_NAME_MOST);
	if (strcmp(oclmm_shown(name->text).text, name->text) != 0)
		return syntax_refuse(source, &name->written, NULL,
		                     "the name has characters that do not stand in a line of text");
	preamble->name = name;
	preamble->safe_name = syntax_safe_name(arena, name->text);
	return 0;
}

static int read_question(const struct syntax_source *source, struct oclmm_arena *arena,
                         const struct item *item, struct preamble *preamble)
{
	const struct syntax_token *quoted = item->words;
	size_t length = strlen(quoted->text);

	if (item->count > 1)
		return syntax_refuse(source, &item->words[1].written, NULL,
		                     "unexpected `%.40s` after the question", item->words[1].text);
	if (preamble->question)
		return syntax_refuse(source, &quoted->written, NULL, "the test has two questions");
	/* files made by tools have an empty one */
	if (length > 2)
		preamble->question = oclmm_arena_strndup(arena, quoted->text + 1, length - 2);
	return 0;
}

static int read_unroll(const struct syntax_source *source, const struct item *item,
                       struct preamble *preamble)
{
	const struct syntax_token *number = &item->words[1];
	char *end;
	unsigned long value;

	if (preamble->unroll_at)
		return syntax_refuse(source, &item->words[0].written, NULL, "two `unroll` lines");
	if (item->count != 2 || number->kind != TOKEN_NUMBER)
		return syntax_refuse(source, &item->words[0].written, NULL, "write `unroll 2`");
	value = strtoul(number->text, &end, 10);
	if (*end || value < 1 || value > SYNTAX_MAX_UNROLL)
		return syntax_refuse(source, &number->written, NULL,
		                     "the bound of loops is 1 to %d", SYNTAX_MAX_UNROLL);
	preamble->unroll_at = number;
	preamble->unroll = (uint32_t)value;
	return 0;
}

/* herd's own lines, `Com=Rf Fr` and the like, say nothing that concerns us. */
static bool is_foreign_line(const struct item *item)
{
	return item->count >= 2 && item->words[0].text[0] >= 'A' && item->words[0].text[0] <= 'Z' &&
	       item->words[1].kind == '=';
}

static int read_item(const struct syntax_source *source, struct oclmm_arena *arena,
                     const struct item *item, struct preamble *preamble)
{
	const struct syntax_token *first = item->words;

	if (first->kind == TOKEN_QUOTED)
		return read_question(source, arena, item, preamble);
	if (strcmp(first->text, "vary") == 0)
		return syntax_read_vary(source, arena, item, preamble);
	if (strcmp(first->text, "except") == 0)
		return syntax_read_except(source, item, preamble);
	if (strcmp(first->text, "control") == 0)
		return syntax_read_control(source, item, preamble);
	if (strcmp(first->text, "unroll") == 0)
		return read_unroll(source, item, preamble);
	if (is_foreign_line(item))
		return 0;
	if (first->text[0] == 'P' && first->text[1] >= '0' && first->text[1] <= '9')
		return syntax_refuse(source, &first->written,
		                     "the init block comes before the threads: `{ [x] = 0; }`",
		                     "unexpected `%.40s`", first->text);
	if (first->text[0] == '#')
		return syntax_refuse(source, &first->written, syntax_no_preprocessor,
		                     "unexpected `#`");
	return syntax_refuse(source, &first->written,
	                     "before the init block stand a quoted question, comments, and lines "
	                     "that begin with vary, except, control or unroll",
	                     "unexpected `%.40s`", first->text);
}

/* Also words that an axis may put in: only the whole is looked at. */
static bool has_loops(const struct syntax_tokens *tokens)
{
	for (size_t i = 0; i + 2 < tokens->count; i++) {
		const struct syntax_token *token = &tokens->data[i];

		/* `for (;;)` */
		if (token->kind == TOKEN_WHILE ||
		    (token->kind == TOKEN_FOR && token[2].kind == ';'))
			return true;
	}
	return false;
}

/* A line that begins so goes on with the one before. */
static bool continues(const struct item *item, const struct syntax_token *next)
{
	if (next->written.line == item->words[item->count - 1].written.line)
		return true;
	if (next->kind == '|' || next->kind == ',' || next->kind == TOKEN_ARROW)
		return true;
	/* the reason of an exception may have a line of its own */
	return next->kind == TOKEN_QUOTED && strcmp(item->words[0].text, "except") == 0 &&
	       item->words[item->count - 1].kind != TOKEN_QUOTED;
}

/* Takes the comments out, so that the rest is lines. */
static int take_comments(const struct syntax_source *source, struct oclmm_arena *arena,
                         const struct syntax_tokens *tokens, size_t end, struct preamble *preamble,
                         struct item *ret_rest)
{
	struct syntax_token *words = OCLMM_NEW_ARRAY(arena, struct syntax_token, end + 1);
	const struct syntax_token *first = NULL;
	size_t count = 0;

	for (size_t i = 2; i < end; i++) {
		if (tokens->data[i].kind != TOKEN_COMMENT)
			words[count++] = tokens->data[i];
		else if (!first)
			first = &tokens->data[i];
	}
	/* one readable word behind the last */
	words[count] = tokens->data[end];
	*ret_rest = (struct item){words, count};
	return first ? syntax_read_comment(source, arena, first, preamble) : 0;
}

static int read_items(const struct syntax_source *source, struct oclmm_arena *arena,
                      const struct item *rest, struct preamble *preamble)
{
	size_t i = 0;

	while (i < rest->count) {
		struct item item = {&rest->words[i], 1};
		int result;

		while (i + item.count < rest->count &&
		       continues(&item, &rest->words[i + item.count]))
			item.count++;
		result = read_item(source, arena, &item, preamble);
		if (result)
			return result;
		i += item.count;
	}
	return 0;
}

static int refuse_missing_body(const struct syntax_source *source, const struct syntax_token *end)
{
	return syntax_refuse(source, &end->written, "write `{ [x] = 0; }`",
	                     "the test has no init block");
}

/* No fewer than the lines that begin with it. */
static size_t count_word(const struct syntax_tokens *tokens, size_t end, const char *word)
{
	size_t count = 0;

	for (size_t i = 0; i < end; i++)
		count += strcmp(tokens->data[i].text, word) == 0;
	return count;
}

int syntax_read_preamble(const struct syntax_source *source, struct oclmm_arena *arena,
                         const struct syntax_tokens *tokens, struct preamble *preamble,
                         size_t *ret_body)
{
	struct item rest;
	size_t body = 0;
	int result = read_name(source, arena, tokens, preamble);

	if (result)
		return result;
	while (body < tokens->count && tokens->data[body].kind != '{')
		body++;
	if (body == tokens->count)
		return refuse_missing_body(source, &tokens->data[tokens->count - 1]);
	if (body > SYNTAX_MAX_TOKENS)
		return syntax_refuse(source, &tokens->data[SYNTAX_MAX_TOKENS].written, NULL,
		                     "more than %d words before the init block", SYNTAX_MAX_TOKENS);
	preamble->excepts = OCLMM_NEW_ARRAY(arena, struct rule, count_word(tokens, body, "except"));
	preamble->controls = OCLMM_NEW_ARRAY(arena, struct rule,
	                                     count_word(tokens, body, "control"));
	result = take_comments(source, arena, tokens, body, preamble, &rest);
	if (!result)
		result = read_items(source, arena, &rest, preamble);
	if (!result && preamble->unroll_at && !has_loops(tokens))
		return syntax_refuse(source, &preamble->unroll_at->written, "drop the line",
		                     "`unroll %u` bounds no loop", preamble->unroll);
	if (!result)
		*ret_body = body;
	return result;
}
