// SPDX-License-Identifier: Apache-2.0
/* Strings from outside on their way into XML. */
#include "oclmm/base.h"

#include <stdlib.h>

#include "utf8.h"

/* What XML 1.0 calls a character, without control characters that no reader shows. */
static bool is_character(uint32_t c)
{
	if (c < 0x20)
		return c == '\t' || c == '\n';
	return !(c >= 0x7f && c < 0xa0) && c != 0xfffe && c != 0xffff;
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
