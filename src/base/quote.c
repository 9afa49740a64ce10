// SPDX-License-Identifier: Apache-2.0
#include "oclmm/base.h"

#include <string.h>

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
