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

/* Part of the source line as it is shown; whether all of it fits on the line does not matter here.
 */
static void add_part(struct oclmm_text *text, const struct oclmm_error *error, size_t first,
                     size_t end)
{
	char part[sizeof(error->source)];

	snprintf(part, sizeof(part), "%.*s", (int)(end - first), error->source + first);
	oclmm_text_add_shown(text, part);
}

static void add_caret(struct oclmm_text *text, const struct oclmm_error *error)
{
	size_t length = strlen(error->source);
	size_t first = error->position.column - 1;
	size_t end = first + (error->position.length ? error->position.length : 1);
	struct oclmm_text shown = {0};

	oclmm_text_add(text, "      | ");
	add_part(&shown, error, 0, first);
	/* A tab is repeated as a tab: whatever width the reader's terminal
	 * gives it, both lines get the same. */
	for (size_t i = 0; i < shown.length; i++) {
		if (shown.data[i] == '\t')
			oclmm_text_add(text, "\t");
		else if (takes_room(shown.data[i]))
			oclmm_text_add(text, " ");
	}
	oclmm_text_finish(&shown);
	oclmm_text_add(text, "^");
	if (first < length)
		add_part(&shown, error, first, end < length ? end : length);
	for (size_t i = 1; i < shown.length; i++) {
		if (takes_room(shown.data[i]))
			oclmm_text_add(text, "~");
	}
	oclmm_text_finish(&shown);
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
	oclmm_text_printf(text, "%5u | ", error->position.line);
	oclmm_text_add_shown(text, error->source);
	oclmm_text_add(text, "\n");
	if (error->position.column)
		add_caret(text, error);
}

char *oclmm_error_format(const struct oclmm_error *error)
{
	struct oclmm_text text = {0};

	if (error->file[0]) {
		oclmm_text_add_shown(&text, error->file);
		oclmm_text_add(&text, ":");
	}
	if (error->position.line) {
		oclmm_text_printf(&text, "%u:", error->position.line);
		if (error->position.column)
			oclmm_text_printf(&text, "%u:", error->position.column);
	}
	if (text.length)
		oclmm_text_add(&text, " ");
	oclmm_text_add(&text, "error: ");
	oclmm_text_add_shown(&text, error->message);
	oclmm_text_add(&text, "\n");
	add_source(&text, error);
	if (error->note[0]) {
		oclmm_text_add(&text, "      ");
		oclmm_text_add_shown(&text, error->note);
		oclmm_text_add(&text, "\n");
	}
	return oclmm_text_steal(&text);
}
