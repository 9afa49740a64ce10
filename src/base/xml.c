// SPDX-License-Identifier: Apache-2.0
/* Strings from outside on their way into XML. */
#include "oclmm/base.h"

#include <stdlib.h>

#include "utf8.h"

/* Of what XML 1.0 calls a character, those that a reader sees as they stand: a name that turns the
 * direction of writing would turn what a page says behind it. */
static bool is_character(uint32_t c)
{
	return c == '\n' || (utf8_is_seen(c) && c != 0xfffe && c != 0xffff);
}

char *oclmm_xml_clean(const char *string)
{
	char *copy = oclmm_strdup(string);

	for (char *at = copy; *at;) {
		uint32_t character;
		size_t length = utf8_decode(at, &character);

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
