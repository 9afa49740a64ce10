// SPDX-License-Identifier: Apache-2.0
#include "reader.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void reader_init(struct reader *reader, const char *path, const char *text, size_t length,
                 struct oclmm_error *error)
{
	*reader = (struct reader){
		.path = path,
		.text = text,
		.end = text + length,
		.next = text,
		.line = text,
		.line_end = text,
		.at = text,
		.error = error,
	};
}

bool reader_line(struct reader *reader)
{
	const char *newline;

	reader->number++;
	reader->line = reader->at = reader->line_end = reader->next;
	if (reader->next == reader->end)
		return false;
	newline = memchr(reader->next, '\n', (size_t)(reader->end - reader->next));
	reader->line_end = newline ? newline : reader->end;
	reader->next = newline ? newline + 1 : reader->end;
	return true;
}

void reader_go_to(struct reader *reader, const char *at)
{
	reader->next = reader->text;
	reader->number = 0;
	while (reader_line(reader) && reader->next <= at && reader->next < reader->end)
		continue;
	reader->at = at;
}

bool reader_begins(struct reader *reader, const char *prefix)
{
	reader->at = reader->line;
	return reader_literal(reader, prefix);
}

bool reader_literal(struct reader *reader, const char *literal)
{
	size_t length = strlen(literal);

	if ((size_t)(reader->line_end - reader->at) < length ||
	    memcmp(reader->at, literal, length) != 0)
		return false;
	reader->at += length;
	return true;
}

bool reader_at_end(const struct reader *reader)
{
	return reader->at == reader->line_end;
}

void reader_until(struct reader *reader, const char *stops, const char **ret_text,
                  size_t *ret_length)
{
	const char *start = reader->at;

	while (reader->at < reader->line_end && !(*reader->at && strchr(stops, *reader->at)))
		reader->at++;
	*ret_text = start;
	*ret_length = (size_t)(reader->at - start);
}

/* Copies the digits at the cursor, so that strtoull() cannot run past the line. */
static bool take_digits(struct reader *reader, uint64_t *ret_number)
{
	char digits[24];
	size_t length = 0;
	uint64_t number;

	while (reader->at + length < reader->line_end && reader->at[length] >= '0' &&
	       reader->at[length] <= '9') {
		if (length == sizeof(digits) - 1)
			return false;
		digits[length] = reader->at[length];
		length++;
	}
	digits[length] = '\0';
	errno = 0;
	number = strtoull(digits, NULL, 10);
	if (length == 0 || errno != 0)
		return false;
	reader->at += length;
	*ret_number = number;
	return true;
}

bool reader_value(struct reader *reader, int64_t *ret_value, bool *ret_unsigned)
{
	bool negative = reader_literal(reader, "-");
	uint64_t number;

	if (!take_digits(reader, &number))
		return false;
	if (negative && number > (uint64_t)INT64_MAX + 1)
		return false;
	if (number > INT64_MAX && !negative)
		*ret_unsigned = true;
	*ret_value = negative ? (int64_t)(0 - number) : (int64_t)number;
	return true;
}

int reader_refuse(struct reader *reader, const char *format, ...)
{
	struct oclmm_error *error = reader->error;
	size_t length = (size_t)(reader->line_end - reader->line);
	va_list arguments;

	*error = (struct oclmm_error){
		.position =
			{
				.line = reader->number,
				.column = (uint32_t)(reader->at - reader->line) + 1,
				.length = 1,
			},
	};
	if (length >= sizeof(error->source))
		length = sizeof(error->source) - 1;
	memcpy(error->source, reader->line, length);
	snprintf(error->file, sizeof(error->file), "%s", reader->path);
	va_start(arguments, format);
	vsnprintf(error->message, sizeof(error->message), format, arguments);
	va_end(arguments);
	return -EINVAL;
}
