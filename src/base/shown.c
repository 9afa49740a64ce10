// SPDX-License-Identifier: Apache-2.0
/* Strings from outside on their way to people, and to programs that read lines. */
#include "oclmm/base.h"

#include <stdio.h>
#include <string.h>

#include "utf8.h"

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

/* What stands for the next character; `*at` moves behind it. */
static size_t show_one(const char *string, const char **at, char shown[SHOWN_MOST])
{
	uint32_t character;
	size_t length = utf8_decode(*at, &character), written = 0;

	if (length && utf8_is_seen(character) && !is_command(string, *at)) {
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

/* What a results file says of a device may be nothing. */
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
