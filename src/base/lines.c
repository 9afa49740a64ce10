// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "oclmm/base.h"

void oclmm_lines_begin(struct oclmm_lines *lines, const char *path, const char *text, size_t length)
{
	*lines = (struct oclmm_lines){
		.path = path, .next = text, .end = text + length, .line = text, .ended = true};
}

bool oclmm_lines_next(struct oclmm_lines *lines)
{
	const char *newline;

	lines->line = lines->next;
	lines->length = 0;
	if (lines->next == lines->end)
		return false;
	newline = memchr(lines->next, '\n', (size_t)(lines->end - lines->next));
	lines->length = (size_t)((newline ? newline : lines->end) - lines->line);
	lines->next = newline ? newline + 1 : lines->end;
	lines->ended = newline != NULL;
	lines->number++;
	return true;
}

char *oclmm_lines_cut(const struct oclmm_lines *lines, char *text)
{
	char *line = text + (lines->line - text);

	line[lines->length] = '\0';
	return line;
}

struct oclmm_position oclmm_lines_position(const struct oclmm_lines *lines, const char *at,
                                           size_t length)
{
	return (struct oclmm_position){
		.line = lines->number,
		.column = (uint32_t)(at - lines->line) + 1,
		.length = length ? (uint32_t)length : 1,
	};
}

int oclmm_lines_refuse(const struct oclmm_lines *lines, const char *at, size_t length,
                       const char *note, struct oclmm_error *error, const char *format, ...)
{
	size_t shown = lines->length;
	va_list arguments;

	*error = (struct oclmm_error){.position = oclmm_lines_position(lines, at, length)};
	va_start(arguments, format);
	vsnprintf(error->message, sizeof(error->message), format, arguments);
	va_end(arguments);
	snprintf(error->file, sizeof(error->file), "%s", lines->path);
	snprintf(error->note, sizeof(error->note), "%s", note ? note : "");
	if (shown >= sizeof(error->source))
		shown = sizeof(error->source) - 1;
	memcpy(error->source, lines->line, shown);
	return -EINVAL;
}
