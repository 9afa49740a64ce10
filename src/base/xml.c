// SPDX-License-Identifier: Apache-2.0
/* Strings from outside on their way into XML. */
#include "oclmm/base.h"

#include <stdlib.h>

/* The character that UTF-8 text begins with, and its length; 0 where there is none. */
static size_t decode(const unsigned char *at, uint32_t *ret_character)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	size_t length = at[0] < 0x80 ? 1 : at[0] >> 5 == 6 ? 2 : at[0] >> 4 == 14 ? 3 : 4;
	uint32_t character = length == 1 ? at[0] : at[0] & (0x7fu >> length);

	if (at[0] >= 0xf8 || (at[0] & 0xc0) == 0x80)
		return 0;
	for (size_t i = 1; i < length; i++) {
		if ((at[i] & 0xc0) != 0x80)
			return 0;
		character = character << 6 | (at[i] & 0x3f);
	}
	if (character < least[length])
		return 0;
	*ret_character = character;
	return length;
}

/* What XML 1.0 calls a character, without control characters that no reader shows. */
static bool is_character(uint32_t c)
{
	if (c < 0x20)
		return c == '\t' || c == '\n';
	return !(c >= 0x7f && c < 0xa0) && !(c >= 0xd800 && c < 0xe000) && c != 0xfffe &&
	       c != 0xffff && c < 0x110000;
}

char *oclmm_xml_clean(const char *string)
{
	char *copy = oclmm_strdup(string);

	for (char *at = copy; *at;) {
		uint32_t character;
		size_t length = decode((const unsigned char *)at, &character);

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
