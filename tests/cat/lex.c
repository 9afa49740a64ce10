// SPDX-License-Identifier: Apache-2.0
/*
 * The words of cat.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "internal.h"

/** Copies the line of a place. */
static void quote_line(const struct cat_lexer *lexer, uint32_t line, struct oclmm_error *error)
{
	const char *at = lexer->text, *end = lexer->text + lexer->length;
	size_t length;

	for (uint32_t i = 1; i < line; i++)
		at = (const char *)memchr(at, '\n', (size_t)(end - at)) + 1;
	for (length = 0; at + length < end && at[length] != '\n'; length++)
		if (length + 1 == sizeof(error->source))
			return; /* too long to be shown */
	memcpy(error->source, at, length);
	error->source[length] = '\0';
}

int cat_refuse(const struct cat_lexer *lexer, struct oclmm_position position, const char *format,
               ...)
{
	struct oclmm_error *error = lexer->error;
	va_list arguments;

	memset(error, 0, sizeof(*error));
	snprintf(error->file, sizeof(error->file), "%s", lexer->path);
	error->position = position;
	va_start(arguments, format);
	vsnprintf(error->message, sizeof(error->message), format, arguments);
	va_end(arguments);
	quote_line(lexer, position.line, error);
	return -EINVAL;
}

bool cat_is_word(const struct cat_lexer *lexer, const char *word)
{
	return lexer->token == CAT_NAME && strlen(word) == lexer->position.length &&
	       memcmp(lexer->word, word, lexer->position.length) == 0;
}

bool cat_is_symbol(const struct cat_lexer *lexer, char symbol)
{
	return lexer->token == CAT_SYMBOL && lexer->symbol == symbol;
}

static char peek(const struct cat_lexer *lexer, size_t ahead)
{
	return lexer->at + ahead < lexer->length ? lexer->text[lexer->at + ahead] : '\0';
}

static void step(struct cat_lexer *lexer)
{
	if (lexer->text[lexer->at++] == '\n') {
		lexer->line++;
		lexer->line_start = lexer->at;
	}
}

static struct oclmm_position here(const struct cat_lexer *lexer, uint32_t length)
{
	return (struct oclmm_position){lexer->line, (uint32_t)(lexer->at - lexer->line_start + 1),
	                               length};
}

/** Skips a comment; they nest. */
static int skip_comment(struct cat_lexer *lexer)
{
	struct oclmm_position start = here(lexer, 2);
	unsigned depth = 0;

	do {
		if (lexer->at >= lexer->length)
			return cat_refuse(lexer, start, "comment without end");
		if (peek(lexer, 0) == '(' && peek(lexer, 1) == '*') {
			depth++;
			lexer->at++;
		} else if (peek(lexer, 0) == '*' && peek(lexer, 1) == ')') {
			depth--;
			lexer->at++;
		}
		step(lexer);
	} while (depth > 0);
	return 0;
}

static int skip_blanks(struct cat_lexer *lexer)
{
	while (lexer->at < lexer->length) {
		int result = 0;

		if (peek(lexer, 0) == '(' && peek(lexer, 1) == '*')
			result = skip_comment(lexer);
		else if (isspace((unsigned char)peek(lexer, 0)))
			step(lexer);
		else
			break;
		if (result != 0)
			return result;
	}
	return 0;
}

/** A hyphen may stand within a name, as in `po-loc`. */
static bool is_name_character(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '-';
}

static int read_string(struct cat_lexer *lexer)
{
	size_t length = 1;

	lexer->position = here(lexer, 1);
	while (peek(lexer, length) != '"') {
		if (lexer->at + length >= lexer->length || peek(lexer, length) == '\n')
			return cat_refuse(lexer, lexer->position, "string without end");
		length++;
	}
	lexer->token = CAT_STRING;
	lexer->at += length + 1;
	return 0;
}

/** Operators of one character, and `^` with what it raises to. */
static int read_symbol(struct cat_lexer *lexer)
{
	char c = peek(lexer, 0);
	uint32_t length = 1;

	if (c == '^' && peek(lexer, 1) == '-' && peek(lexer, 2) == '1') {
		length = 3;
	} else if (c == '^' && peek(lexer, 1) != '\0' && strchr("+*?", peek(lexer, 1)) != NULL) {
		c = peek(lexer, 1);
		length = 2;
	} else if (c == '\0' || strchr("|;\\&*+?~()[],=", c) == NULL) {
		return cat_refuse(lexer, here(lexer, 1), "this character means nothing here");
	}
	lexer->token = CAT_SYMBOL;
	lexer->symbol = c;
	lexer->position = here(lexer, length);
	lexer->word = lexer->text + lexer->at;
	lexer->at += length;
	return 0;
}

int cat_next(struct cat_lexer *lexer)
{
	uint32_t length = 0;
	int result = skip_blanks(lexer);

	if (result != 0)
		return result;
	lexer->position = here(lexer, 1);
	if (lexer->at >= lexer->length) {
		lexer->token = CAT_END;
		return 0;
	}
	if (peek(lexer, 0) == '"')
		return read_string(lexer);
	if (!isalpha((unsigned char)peek(lexer, 0)) && peek(lexer, 0) != '_')
		return read_symbol(lexer);
	while (is_name_character(peek(lexer, length)))
		length++;
	lexer->token = CAT_NAME;
	lexer->word = lexer->text + lexer->at;
	lexer->position = here(lexer, length);
	lexer->at += length;
	return 0;
}
