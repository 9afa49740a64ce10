// SPDX-License-Identifier: Apache-2.0
#include "oclmm/base.h"

#include <stdio.h>
#include <string.h>

int oclmm_error_set(struct oclmm_error *error, int code, const char *format, ...)
{
	va_list arguments;

	*error = (struct oclmm_error){0};
	va_start(arguments, format);
	vsnprintf(error->message, sizeof(error->message), format, arguments);
	va_end(arguments);
	return code;
}

/* Columns count bytes; the bytes after the first of a UTF-8 sequence take no
 * room on a terminal. */
static bool takes_room(char byte)
{
	return ((unsigned char)byte & 0xc0) != 0x80;
}

static void add_caret(struct oclmm_text *text, const struct oclmm_error *error)
{
	size_t length = strlen(error->source);
	size_t first = error->position.column - 1;
	size_t end = first + (error->position.length ? error->position.length : 1);
	size_t i;

	oclmm_text_add(text, "      | ");
	/* A tab is repeated as a tab: whatever width the reader's terminal
	 * gives it, both lines get the same. */
	for (i = 0; i < first; i++) {
		if (error->source[i] == '\t')
			oclmm_text_add(text, "\t");
		else if (takes_room(error->source[i]))
			oclmm_text_add(text, " ");
	}
	oclmm_text_add(text, "^");
	for (i = first + 1; i < end && i < length; i++) {
		if (takes_room(error->source[i]))
			oclmm_text_add(text, "~");
	}
	oclmm_text_add(text, "\n");
}

static void add_source(struct oclmm_text *text, const struct oclmm_error *error)
{
	size_t length = strlen(error->source);

	if (!length || !error->position.line)
		return;
	/* One past the end is a place ("missing ;"). Further right, the line was
	 * cut to fit, and a caret under other words would mislead. */
	if (error->position.column > length + 1)
		return;
	oclmm_text_printf(text, "%5u | %s\n", error->position.line, error->source);
	if (error->position.column)
		add_caret(text, error);
}

char *oclmm_error_format(const struct oclmm_error *error)
{
	struct oclmm_text text;

	oclmm_text_init(&text);
	if (error->file[0])
		oclmm_text_printf(&text, "%s:", error->file);
	if (error->position.line) {
		oclmm_text_printf(&text, "%u:", error->position.line);
		if (error->position.column)
			oclmm_text_printf(&text, "%u:", error->position.column);
	}
	if (text.length)
		oclmm_text_add(&text, " ");
	oclmm_text_printf(&text, "error: %s\n", error->message);
	add_source(&text, error);
	if (error->note[0])
		oclmm_text_printf(&text, "      %s\n", error->note);
	return oclmm_text_steal(&text);
}
