// SPDX-License-Identifier: Apache-2.0
#include "lexer.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "oclmm/base.h"

struct lexer {
	struct source *source;
	size_t at;
	bool line_start; /* nothing but white space since the last new line */
	bool in_define;  /* until the end of the line */
	unsigned macro;  /* number of the last one */
};

static char peek(const struct lexer *lexer, size_t ahead)
{
	size_t at = lexer->at + ahead;

	return at < lexer->source->length ? lexer->source->text[at] : '\0';
}

static bool is_end(const struct lexer *lexer)
{
	return lexer->at >= lexer->source->length;
}

/* Length of a new line that is escaped by a backslash, or 0. */
static size_t continuation(const struct lexer *lexer)
{
	if (peek(lexer, 0) != '\\')
		return 0;
	if (peek(lexer, 1) == '\n')
		return 2;
	return peek(lexer, 1) == '\r' && peek(lexer, 2) == '\n' ? 3 : 0;
}

static void add_token(struct lexer *lexer, enum token_kind kind, size_t start)
{
	struct source *source = lexer->source;

	oclmm_grow(&source->tokens, &source->capacity, source->count, sizeof(*source->tokens));
	source->tokens[source->count++] = (struct token){
		.kind = kind,
		.at = start,
		.length = lexer->at - start,
		.match = TOKEN_UNMATCHED,
		.macro = lexer->in_define ? lexer->macro : 0,
	};
	lexer->line_start = false;
}

/* One comment, if there is one here. One that never ends goes to the end of the text. */
static bool skip_comment(struct lexer *lexer)
{
	if (peek(lexer, 0) != '/' || (peek(lexer, 1) != '/' && peek(lexer, 1) != '*'))
		return false;
	if (peek(lexer, 1) == '/') {
		while (!is_end(lexer) && peek(lexer, 0) != '\n')
			lexer->at += continuation(lexer) ? continuation(lexer) : 1;
		return true;
	}
	lexer->at += 2;
	while (!is_end(lexer) && !(peek(lexer, 0) == '*' && peek(lexer, 1) == '/'))
		lexer->at++;
	lexer->at = lexer->at + 2 < lexer->source->length ? lexer->at + 2 : lexer->source->length;
	return true;
}

/* White space and comments; a new line ends a directive. */
static void skip_gap(struct lexer *lexer)
{
	while (!is_end(lexer)) {
		char c = peek(lexer, 0);

		if (c == '\n') {
			lexer->line_start = true;
			lexer->in_define = false;
			lexer->at++;
		} else if (isspace((unsigned char)c)) {
			lexer->at++;
		} else if (continuation(lexer)) {
			lexer->at += continuation(lexer);
		} else if (!skip_comment(lexer)) {
			return;
		}
	}
}

static void take_name(struct lexer *lexer)
{
	size_t start = lexer->at;

	while (isalnum((unsigned char)peek(lexer, 0)) || peek(lexer, 0) == '_' ||
	       peek(lexer, 0) == '$')
		lexer->at++;
	add_token(lexer, TOKEN_NAME, start);
}

/* A preprocessing number: 0x1p-3f and the like. */
static void take_number(struct lexer *lexer)
{
	size_t start = lexer->at;

	while (isalnum((unsigned char)peek(lexer, 0)) || peek(lexer, 0) == '.' ||
	       peek(lexer, 0) == '_') {
		bool exponent = strchr("eEpP", peek(lexer, 0)) && peek(lexer, 0);

		lexer->at++;
		if (exponent && (peek(lexer, 0) == '+' || peek(lexer, 0) == '-'))
			lexer->at++;
	}
	add_token(lexer, TOKEN_NUMBER, start);
}

/* One that is not closed on its line (an apostrophe in #error, say) ends there. */
static void take_string(struct lexer *lexer)
{
	size_t start = lexer->at;
	char quote = peek(lexer, 0);

	lexer->at++;
	while (!is_end(lexer) && peek(lexer, 0) != quote && peek(lexer, 0) != '\n')
		lexer->at += continuation(lexer)      ? continuation(lexer)
		             : peek(lexer, 0) == '\\' ? 2
		                                      : 1;
	if (lexer->at > lexer->source->length)
		lexer->at = lexer->source->length;
	if (peek(lexer, 0) == quote)
		lexer->at++;
	add_token(lexer, TOKEN_STRING, start);
}

/* `==` must not be taken for an assignment, nor `->` for a minus. */
static void take_punctuator(struct lexer *lexer)
{
	size_t start = lexer->at;
	char first = peek(lexer, 0), second = peek(lexer, 1);

	lexer->at++;
	if ((second == '=' && strchr("=!<>+-*/%&|^", first)) || (first == '-' && second == '>') ||
	    ((first == '+' || first == '-') && second == first))
		lexer->at++;
	else if ((first == '<' || first == '>') && second == first)
		lexer->at += peek(lexer, 1) == '=' ? 2 : 1;
	add_token(lexer, TOKEN_PUNCTUATOR, start);
}

static bool is_word(const struct lexer *lexer, const char *word)
{
	size_t length = strlen(word);

	return lexer->source->length - lexer->at >= length &&
	       memcmp(lexer->source->text + lexer->at, word, length) == 0 &&
	       !isalnum((unsigned char)peek(lexer, length)) && peek(lexer, length) != '_';
}

/* Blanks within a line, continued lines among them. */
static void skip_blanks(struct lexer *lexer)
{
	while (!is_end(lexer)) {
		if (continuation(lexer))
			lexer->at += continuation(lexer);
		else if (peek(lexer, 0) != '\n' && isspace((unsigned char)peek(lexer, 0)))
			lexer->at++;
		else if (peek(lexer, 0) != '/' || peek(lexer, 1) != '*' || !skip_comment(lexer))
			return;
	}
}

/* `#define NAME(A, B)`: what follows are tokens. */
static void take_define_head(struct lexer *lexer)
{
	lexer->at += strlen("define");
	skip_blanks(lexer);
	while (isalnum((unsigned char)peek(lexer, 0)) || peek(lexer, 0) == '_')
		lexer->at++;
	if (peek(lexer, 0) != '(')
		return;
	while (!is_end(lexer) && peek(lexer, 0) != '\n' && peek(lexer, 0) != ')')
		lexer->at += continuation(lexer) ? continuation(lexer) : 1;
	if (peek(lexer, 0) == ')')
		lexer->at++;
}

static void take_directive(struct lexer *lexer)
{
	size_t start = lexer->at;

	lexer->at++;
	skip_blanks(lexer);
	if (is_word(lexer, "define")) {
		take_define_head(lexer);
		add_token(lexer, TOKEN_DIRECTIVE, start);
		lexer->in_define = true;
		lexer->macro++;
		return;
	}
	while (!is_end(lexer) && peek(lexer, 0) != '\n') {
		if (continuation(lexer))
			lexer->at += continuation(lexer);
		else if (!skip_comment(lexer))
			lexer->at++;
	}
	add_token(lexer, TOKEN_DIRECTIVE, start);
}

static void take(struct lexer *lexer)
{
	char c = peek(lexer, 0);

	if (c == '#' && lexer->line_start)
		take_directive(lexer);
	else if (isalpha((unsigned char)c) || c == '_' || c == '$')
		take_name(lexer);
	else if (isdigit((unsigned char)c) || (c == '.' && isdigit((unsigned char)peek(lexer, 1))))
		take_number(lexer);
	else if (c == '"' || c == '\'')
		take_string(lexer);
	else
		take_punctuator(lexer);
}

/*
 * Partners stand in one macro's body, or outside of all: an unbalanced body
 * must not swallow the text behind it. A directive within a call (#if between
 * arguments) leaves the call unmatched, and so untouched.
 */
static void match_parentheses(struct source *source)
{
	size_t *open = oclmm_calloc(source->count + 1, sizeof(*open)), depth = 0;

	for (size_t i = 0; i < source->count; i++) {
		struct token *token = &source->tokens[i];

		if (token->kind == TOKEN_DIRECTIVE ||
		    (i > 0 && token->macro != source->tokens[i - 1].macro))
			depth = 0;
		if (token_is(source, i, "(")) {
			open[depth++] = i;
		} else if (token_is(source, i, ")") && depth > 0) {
			depth--;
			token->match = open[depth];
			source->tokens[open[depth]].match = i;
		}
	}
	free(open);
}

void source_init(struct source *source, const char *text, size_t length)
{
	struct lexer lexer = {.source = source, .line_start = true};

	*source = (struct source){.text = text, .length = length};
	for (skip_gap(&lexer); !is_end(&lexer); skip_gap(&lexer))
		take(&lexer);
	match_parentheses(source);
}

void source_finish(struct source *source)
{
	free(source->tokens);
	*source = (struct source){0};
}

bool token_is(const struct source *source, size_t index, const char *spelling)
{
	const struct token *token = &source->tokens[index];
	const char *text;

	if (index >= source->count || token->kind == TOKEN_STRING)
		return false;
	text = source->text + token->at;
	/* nearly all that are asked about differ in the first character */
	return *text == *spelling && strncmp(text, spelling, token->length) == 0 &&
	       spelling[token->length] == '\0';
}

bool token_same(const struct source *source, size_t a, size_t b)
{
	const struct token *left = &source->tokens[a], *right = &source->tokens[b];

	return left->kind == right->kind && left->length == right->length &&
	       memcmp(source->text + left->at, source->text + right->at, left->length) == 0;
}

bool token_is_name(const struct source *source, size_t index)
{
	return index < source->count && source->tokens[index].kind == TOKEN_NAME;
}
