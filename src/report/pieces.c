// SPDX-License-Identifier: Apache-2.0
/*
 * The outcomes of a test line, piece by piece. A record may have millions of them: as JSON values
 * they would take a kilobyte each, so that the line is read without them, and they are read one by
 * one.
 */
#include "pieces.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char KEY[] = "outcomes", EMPTY[] = "\"outcomes\":[]";

/* ---- finding them ---- */

/* Behind a text that begins at `at`; the length where it has no end. */
static size_t skip_string(const struct line *line, size_t at)
{
	for (at++; at < line->length && line->text[at] != '"'; at++) {
		if (line->text[at] == '\\')
			at++;
	}
	return at < line->length ? at + 1 : line->length;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static size_t skip_blanks(const struct line *line, size_t at)
{
	while (at < line->length && is_blank(line->text[at]))
		at++;
	return at;
}

/* Whether the text from `at` to `end` is the key, with an array behind it, which begins at
 * `*ret_begin`. */
static bool is_key(const struct line *line, size_t at, size_t end, size_t *ret_begin)
{
	size_t length = strlen(KEY), next = skip_blanks(line, end);

	if (end - at != length + 2 || memcmp(line->text + at + 1, KEY, length) != 0 ||
	    next == line->length || line->text[next] != ':')
		return false;
	next = skip_blanks(line, next + 1);
	*ret_begin = next + 1;
	return next < line->length && line->text[next] == '[';
}

/* The bracket that closes what was opened in front of `at`. */
static bool find_end(const struct line *line, size_t at, size_t *ret_end)
{
	size_t depth = 1;

	while (at < line->length) {
		char c = line->text[at];

		if (c == '"') {
			at = skip_string(line, at);
			continue;
		}
		if (c == '[' || c == '{')
			depth++;
		else if ((c == ']' || c == '}') && --depth == 0)
			break;
		at++;
	}
	*ret_end = at;
	return at < line->length;
}

/* Among the keys of the line's object, not of those within it. */
static bool find(struct line *line)
{
	size_t at = skip_blanks(line, 0), depth = 0, begin, end;

	while (at < line->length) {
		char c = line->text[at];

		if (c == '"') {
			end = skip_string(line, at);
			if (depth == 1 && is_key(line, at, end, &begin))
				break;
			at = end;
			continue;
		}
		depth += c == '[' || c == '{';
		depth -= (c == ']' || c == '}') && depth > 0;
		at++;
	}
	if (at >= line->length || !find_end(line, begin, &end))
		return false;
	line->pieces = line->text + begin;
	line->pieces_length = end - begin;
	return true;
}

/* ---- reading ---- */

static json_t *load(const char *text, size_t length, size_t flags, json_error_t *ret_error)
{
	return json_loadb(text, length, JSON_REJECT_DUPLICATES | flags, ret_error);
}

/* The last key in front of a place in the line, for what JSON itself cannot hold. */
static int refuse_number(const struct line *line, size_t position)
{
	char key[64];
	size_t end = position < line->length ? position : line->length, start;

	while (end > 1 && !(line->text[end - 1] == '"' && line->text[end] == ':'))
		end--;
	for (start = end; start > 1 && line->text[start - 2] != '"';)
		start--;
	snprintf(key, sizeof(key), "%.*s", (int)(end - start), line->text + start - (start > 0));
	return line_refuse_at(line, (uint32_t)(start > 1 ? start - 1 : 1), 1,
	                      "\"%s\" is too large a number", key);
}

/* The whole line says where it is wrong. */
static int refuse_json(const struct line *line)
{
	json_error_t error;
	json_t *object = load(line->text, line->length, 0, &error);

	json_decref(object);
	if (object)
		return line_refuse(line, KEY, "the elements of \"%s\" are not divided by commas",
		                   KEY);
	if (json_error_code(&error) == json_error_numeric_overflow && error.position > 0)
		return refuse_number(line, (size_t)error.position);
	return line_refuse_at(line, error.column > 0 ? (uint32_t)error.column : 1, 1,
	                      "not JSON: %s", error.text);
}

/* The line without what stands between the brackets. */
static json_t *load_rest(const struct line *line)
{
	const char *behind = line->pieces + line->pieces_length;
	struct oclmm_text rest;
	json_error_t ignored;
	json_t *object;

	oclmm_text_init(&rest);
	oclmm_text_add_bytes(&rest, line->text, (size_t)(line->pieces - line->text));
	oclmm_text_add_bytes(&rest, behind, (size_t)(line->text + line->length - behind));
	object = load(rest.data, rest.length, 0, &ignored);
	oclmm_text_finish(&rest);
	return object;
}

int pieces_load(struct line *line, json_t **ret_object)
{
	json_error_t ignored;

	line->pieces = NULL;
	*ret_object = find(line) ? load_rest(line) : load(line->text, line->length, 0, &ignored);
	return *ret_object ? 0 : refuse_json(line);
}

int pieces_next(const struct line *line, size_t *at, json_t **ret_object)
{
	const char *text = line->pieces;
	size_t end = line->pieces ? line->pieces_length : 0;
	json_error_t error;

	while (*at < end && is_blank(text[*at]))
		++*at;
	if (*at == end)
		return 0;
	*ret_object = load(text + *at, end - *at, JSON_DISABLE_EOF_CHECK | JSON_DECODE_ANY, &error);
	if (!*ret_object)
		return refuse_json(line);
	*at += (size_t)error.position;
	while (*at < end && is_blank(text[*at]))
		++*at;
	if (*at == end)
		return 1;
	/* a comma is between two */
	if (text[*at] == ',' && skip_blanks(line, (size_t)(text - line->text) + *at + 1) <
	                                (size_t)(text - line->text) + end) {
		++*at;
		return 1;
	}
	json_decref(*ret_object);
	return refuse_json(line);
}

/* ---- writing ---- */

static int add(const char *bytes, size_t length, void *data)
{
	oclmm_text_add_bytes(data, bytes, length);
	return 0;
}

void pieces_add(struct oclmm_text *pieces, const json_t *object)
{
	if (pieces->length)
		oclmm_text_add(pieces, ",");
	json_dump_callback(object, add, pieces, JSON_COMPACT);
}

void pieces_print(struct oclmm_text *text, const json_t *object, const struct oclmm_text *pieces)
{
	char *line = json_dumps(object, JSON_COMPACT);
	/* quotes within a text are escaped: only the key can look so */
	const char *place = line ? strstr(line, EMPTY) : NULL;
	size_t before;

	if (!line)
		return;
	before = place ? (size_t)(place - line) + strlen(EMPTY) - 1 : strlen(line);
	oclmm_text_add_bytes(text, line, before);
	if (place) {
		oclmm_text_add_bytes(text, oclmm_text_string(pieces), pieces->length);
		oclmm_text_add(text, line + before);
	}
	free(line);
}
