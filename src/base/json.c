// SPDX-License-Identifier: Apache-2.0
/* Strings from outside on their way into JSON. */
#include "oclmm/base.h"

#include <stdlib.h>
#include <string.h>

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
