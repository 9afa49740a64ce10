// SPDX-License-Identifier: Apache-2.0
/*
 * The outcomes of a test line, piece by piece. A record may have millions of them: as JSON values
 * they would take a kilobyte each, so that the line is read without them, and they are read one by
 * one. Blocks are hundreds of numbers, each of which would be a JSON value.
 */
#include "pieces.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char KEY[] = "outcomes", BLOCKS[] = "blocks", EVIDENCE[] = "evidence";

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

/* Whether the text from `at` to `end` is the key, with an array or an object behind it, in which
 * `*ret_begin` is the first place. */
static bool is_key(const struct line *line, size_t at, size_t end, const char *key, char bracket,
                   size_t *ret_begin)
{
	size_t length = strlen(key), next = skip_blanks(line, end);

	if (end - at != length + 2 || memcmp(line->text + at + 1, key, length) != 0 ||
	    next == line->length || line->text[next] != ':')
		return false;
	next = skip_blanks(line, next + 1);
	*ret_begin = next + 1;
	return next < line->length && line->text[next] == bracket;
}

/* From `at` on, among the keys of the object that `at` is in, not of those within it. */
static bool find_key(const struct line *line, size_t at, const char *key, char bracket,
                     size_t *ret_begin)
{
	size_t depth = 0;

	while (at < line->length) {
		char c = line->text[at];

		if (c == '"') {
			size_t end = skip_string(line, at);

			if (depth == 0 && is_key(line, at, end, key, bracket, ret_begin))
				return true;
			at = end;
			continue;
		}
		if ((c == ']' || c == '}') && depth-- == 0)
			return false;
		depth += c == '[' || c == '{';
		at++;
	}
	return false;
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

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Behind a number that JSON has, of no more digits than all counts have; NULL: it is none. */
static const char *skip_count(const char *at)
{
	enum { DIGITS = 16 };
	const char *begin = at;

	while (is_digit(*at))
		at++;
	if (at == begin || at - begin > DIGITS || (*begin == '0' && at - begin > 1))
		return NULL;
	return at;
}

/* The bracket behind arrays of counts without blanks; NULL: there is something else. */
static const char *skip_blocks(const char *at)
{
	while (*at == '[') {
		do
			at = skip_count(at + 1);
		while (at && *at == ',');
		if (!at || *at != ']')
			return NULL;
		at++;
		if (*at != ',' || at[1] != '[')
			break;
		at++;
	}
	return *at == ']' ? at : NULL;
}

/* From `at` on, behind the outcomes: where a line ends there is a byte that is none of them. */
static void find_blocks(struct line *line, size_t at)
{
	const char *end;
	size_t begin;

	if (!find_key(line, at, EVIDENCE, '{', &begin) ||
	    !find_key(line, begin, BLOCKS, '[', &begin))
		return;
	end = skip_blocks(line->text + begin);
	if (!end)
		return;
	line->blocks = line->text + begin;
	line->blocks_length = (size_t)(end - line->blocks);
}

static bool find(struct line *line)
{
	size_t at = skip_blanks(line, 0), begin, end;

	line->pieces = line->blocks = NULL;
	if (at == line->length || line->text[at] != '{' ||
	    !find_key(line, at + 1, KEY, '[', &begin) || !find_end(line, begin, &end))
		return false;
	line->pieces = line->text + begin;
	line->pieces_length = end - begin;
	find_blocks(line, end + 1);
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

/* The line without what stands between the brackets of both. */
static json_t *load_rest(const struct line *line)
{
	const char *end = line->text + line->length, *behind = line->pieces + line->pieces_length;
	struct oclmm_text rest = {0};
	json_error_t ignored;
	json_t *object;

	oclmm_text_add_bytes(&rest, line->text, (size_t)(line->pieces - line->text));
	if (line->blocks) {
		oclmm_text_add_bytes(&rest, behind, (size_t)(line->blocks - behind));
		behind = line->blocks + line->blocks_length;
	}
	oclmm_text_add_bytes(&rest, behind, (size_t)(end - behind));
	object = load(rest.data, rest.length, 0, &ignored);
	oclmm_text_finish(&rest);
	return object;
}

int pieces_load(struct line *line, json_t **ret_object)
{
	const char *nul = memchr(line->text, '\0', line->length);
	json_error_t ignored;

	/* behind a number it would be read over */
	if (nul)
		return line_refuse_at(line, (uint32_t)(nul - line->text) + 1, 1,
		                      "not JSON: a byte of value 0");
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
	if (!text || *at >= end)
		return 0;
	*ret_object = load(text + *at, end - *at, JSON_DISABLE_EOF_CHECK | JSON_DECODE_ANY, &error);
	if (!*ret_object)
		return refuse_json(line);
	*at += (size_t)error.position;
	while (*at < end && is_blank(text[*at]))
		++*at;
	if (*at >= end)
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

size_t blocks_next_size(const struct line *line, size_t at)
{
	size_t size = 0;

	for (; at < line->blocks_length && line->blocks[at] != ']'; at++)
		size += line->blocks[at] == '[' || line->blocks[at] == ',';
	return size;
}

void blocks_next(const struct line *line, size_t *at, uint64_t *ret_values)
{
	const char *text = line->blocks + *at;

	while (*text != ']') {
		uint64_t value = 0;

		while (is_digit(*++text))
			value = 10 * value + (uint64_t)(*text - '0');
		*ret_values++ = value;
	}
	/* the comma stands between two blocks */
	*at = (size_t)(text - line->blocks) + 2;
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

/* Prints up to the empty array of the key, and what belongs into it. Returns what is left. */
static const char *fill(struct oclmm_text *text, const char *line, const char *empty,
                        const char *bytes, size_t length)
{
	/* quotes within a text are escaped: only the key can look so */
	const char *place = strstr(line, empty);

	if (!place)
		return line;
	place += strlen(empty) - 1;
	oclmm_text_add_bytes(text, line, (size_t)(place - line));
	oclmm_text_add_bytes(text, bytes, length);
	return place;
}

void pieces_print(struct oclmm_text *text, const json_t *object, const struct oclmm_text *pieces,
                  const struct line *line)
{
	char *printed = json_dumps(object, JSON_COMPACT);
	const char *rest = printed;

	if (!printed)
		return;
	rest = fill(text, rest, "\"outcomes\":[]", oclmm_text_string(pieces), pieces->length);
	if (line && line->blocks)
		rest = fill(text, rest, "\"blocks\":[]", line->blocks, line->blocks_length);
	oclmm_text_add(text, rest);
	free(printed);
}
