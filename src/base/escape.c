// SPDX-License-Identifier: Apache-2.0
/* Strings from outside on their way to people and programs, into XML, JSON and shells. */
#include "oclmm/base.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The character that a string in UTF-8 begins with, and its length; 0 where there is none. */
static size_t decode(const char *text, uint32_t *ret_character)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	const unsigned char *at = (const unsigned char *)text;
	size_t length = at[0] < 0x80 ? 1 : at[0] >> 5 == 6 ? 2 : at[0] >> 4 == 14 ? 3 : 4;
	uint32_t character = length == 1 ? at[0] : at[0] & (0x7fu >> length);

	if (at[0] >= 0xf8 || (at[0] & 0xc0) == 0x80)
		return 0;
	for (size_t i = 1; i < length; i++) {
		if ((at[i] & 0xc0) != 0x80)
			return 0;
		character = character << 6 | (at[i] & 0x3f);
	}
	if (character < least[length] || (character >= 0xd800 && character < 0xe000) ||
	    character >= 0x110000)
		return 0;
	*ret_character = character;
	return length;
}

/*
 * Whether a character is visible and changes no other: no control, line separator, change of
 * direction or character without width. A tab counts as visible.
 */
static bool is_seen(uint32_t c)
{
	if (c < 0x20)
		return c == '\t';
	return !(c >= 0x7f && c < 0xa0) && !(c >= 0x200b && c <= 0x200f) &&
	       !(c >= 0x2028 && c <= 0x202e) && !(c >= 0x2060 && c <= 0x206f) && c != 0x61c &&
	       c != 0xfeff && !(c >= 0xe0000 && c < 0xe0080);
}

/* ---- lines of text ---- */

/* One character: four bytes, each as `\\x9f`, and what ends a string. */
enum { SHOWN_MOST = 4 * 4 + 1 };

/*
 * Build services take `::error …` where a line begins and `##[error]`,
 * `##vso[…]` anywhere for commands.
 */
static bool is_command(const char *string, const char *at)
{
	if (at[0] == '#')
		return at[1] == '#';
	return at[0] == ':' && at[1] == ':' && strspn(string, " \t") == (size_t)(at - string);
}

/* Writes the next character, escaped where it has to be; `*at` moves behind it. */
static size_t show_one(const char *string, const char **at, char shown[SHOWN_MOST])
{
	uint32_t character;
	size_t length = decode(*at, &character), written = 0;

	if (length && is_seen(character) && !is_command(string, *at)) {
		memcpy(shown, *at, length);
		*at += length;
		return length;
	}
	if (length == 1 && (**at == '\n' || **at == '\r')) {
		shown[0] = '\\';
		shown[1] = *(*at)++ == '\n' ? 'n' : 'r';
		return 2;
	}
	for (size_t i = 0; i < (length ? length : 1); i++)
		written += (size_t)snprintf(shown + written, SHOWN_MOST - written, "\\x%02x",
		                            (unsigned char)*(*at)++);
	return written;
}

/* A results file may have no name for a device. */
static const char *or_unknown(const char *string)
{
	return string ? string : "(unknown)";
}

void oclmm_text_add_shown(struct oclmm_text *text, const char *string)
{
	char shown[SHOWN_MOST];

	string = or_unknown(string);
	for (const char *at = string; *at;) {
		size_t length = show_one(string, &at, shown);

		oclmm_text_add_bytes(text, shown, length);
	}
}

struct oclmm_shown oclmm_shown(const char *string)
{
	static const char more[] = "…";
	struct oclmm_shown result;
	char shown[SHOWN_MOST];
	size_t used = 0;

	string = or_unknown(string);
	for (const char *at = string; *at;) {
		size_t length = show_one(string, &at, shown);

		if (used + length + sizeof(more) > sizeof(result.text)) {
			memcpy(result.text + used, more, sizeof(more));
			return result;
		}
		memcpy(result.text + used, shown, length);
		used += length;
	}
	result.text[used] = '\0';
	return result;
}

/* ---- XML and JSON ---- */

/* The characters of XML 1.0 that a reader sees as they are: a change of direction in a name would
 * turn what follows it on the page. */
static bool is_character(uint32_t c)
{
	return c == '\n' || (is_seen(c) && c != 0xfffe && c != 0xffff);
}

char *oclmm_xml_clean(const char *string)
{
	char *copy = oclmm_strdup(string);

	for (char *at = copy; *at;) {
		uint32_t character;
		size_t length = decode(at, &character);

		if (length == 0 || !is_character(character)) {
			*at++ = '?';
			continue;
		}
		at += length;
	}
	return copy;
}

void oclmm_text_add_xml(struct oclmm_text *text, const char *string)
{
	char *clean = oclmm_xml_clean(string);

	for (const char *at = clean; *at; at++) {
		switch (*at) {
		case '&': oclmm_text_add(text, "&amp;"); break;
		case '<': oclmm_text_add(text, "&lt;"); break;
		case '>': oclmm_text_add(text, "&gt;"); break;
		case '"': oclmm_text_add(text, "&quot;"); break;
		case '\'': oclmm_text_add(text, "&#39;"); break;
		default: oclmm_text_add_bytes(text, at, 1);
		}
	}
	free(clean);
}

/* Also what begins and ends markup: the text may stand in a page. */
static const char special[] = "\"\\\n\t<>&";

static void add_special(struct oclmm_text *text, char letter)
{
	switch (letter) {
	case '"': oclmm_text_add(text, "\\\""); break;
	case '\\': oclmm_text_add(text, "\\\\"); break;
	case '\n': oclmm_text_add(text, "\\n"); break;
	case '\t': oclmm_text_add(text, "\\t"); break;
	default: oclmm_text_printf(text, "\\u%04x", (unsigned)letter);
	}
}

void oclmm_text_add_json(struct oclmm_text *text, const char *string)
{
	char *clean = oclmm_xml_clean(string);

	oclmm_text_add(text, "\"");
	for (const char *at = clean; *at;) {
		size_t plain = strcspn(at, special);

		oclmm_text_add_bytes(text, at, plain);
		at += plain;
		if (*at)
			add_special(text, *at++);
	}
	oclmm_text_add(text, "\"");
	free(clean);
}

/* ---- shells ---- */

void oclmm_text_add_quoted(struct oclmm_text *text, const char *word)
{
	static const char plain[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.+-=_";

	if (*word && strspn(word, plain) == strlen(word)) {
		oclmm_text_add(text, word);
		return;
	}
	oclmm_text_add(text, "'");
	for (; *word; word++)
		oclmm_text_add_bytes(text, *word == '\'' ? "'\\''" : word, *word == '\'' ? 4 : 1);
	oclmm_text_add(text, "'");
}

char *oclmm_quoted_word(const char **at)
{
	struct oclmm_text word = {0};
	char quote = '\0';

	*at += strspn(*at, " \t\n");
	if (!**at)
		return NULL;
	oclmm_text_add(&word, "");
	for (; **at && (quote || !strchr(" \t\n", **at)); (*at)++) {
		bool kept = **at == '\\' && quote != '\'' && (*at)[1] &&
		            (!quote || strchr("\\\"", (*at)[1]));

		if (**at == quote)
			quote = '\0';
		else if (!quote && !kept && (**at == '\'' || **at == '"'))
			quote = **at;
		else
			oclmm_text_add_bytes(&word, kept ? ++*at : *at, 1);
	}
	return oclmm_text_steal(&word);
}
