// SPDX-License-Identifier: Apache-2.0
#include "token.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static void copy_cut(char *target, size_t size, const char *text, size_t length)
{
	if (length >= size)
		length = size - 1;
	memcpy(target, text, length);
	target[length] = '\0';
}

static void copy_line(struct oclmm_error *error, const struct syntax_source *source, uint32_t line)
{
	const char *start = source->text;
	const char *end = source->text + source->length;
	const char *stop;

	while (--line > 0) {
		start = memchr(start, '\n', (size_t)(end - start));
		if (!start)
			return;
		start++;
	}
	stop = memchr(start, '\n', (size_t)(end - start));
	if (!stop)
		stop = end;
	while (stop > start && stop[-1] == '\r')
		stop--;
	copy_cut(error->source, sizeof(error->source), start, (size_t)(stop - start));
}

int syntax_refuse(const struct syntax_source *source, const struct oclmm_position *at,
                  const char *note, const char *format, ...)
{
	struct oclmm_error *error = source->error;
	va_list arguments;
	size_t used;

	if (!error)
		return -EINVAL;
	*error = (struct oclmm_error){0};
	copy_cut(error->file, sizeof(error->file), source->path, strlen(source->path));
	va_start(arguments, format);
	vsnprintf(error->message, sizeof(error->message), format, arguments);
	va_end(arguments);
	used = strlen(error->message);
	if (source->variant)
		snprintf(error->message + used, sizeof(error->message) - used, ", in variant %s",
		         source->variant);
	if (note)
		copy_cut(error->note, sizeof(error->note), note, strlen(note));
	if (at && at->line) {
		error->position = *at;
		copy_line(error, source, at->line);
	}
	return -EINVAL;
}
