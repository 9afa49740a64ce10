// SPDX-License-Identifier: Apache-2.0
#include "reader.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void reader_init(struct reader *reader, const char *path, const char *text, size_t length,
                 struct oclmm_error *error)
{
	*reader = (struct reader){.text = text, .at = text, .error = error};
	oclmm_lines_begin(&reader->lines, path, text, length);
}

bool reader_line(struct reader *reader)
{
	bool more = oclmm_lines_next(&reader->lines);

	reader->at = reader->lines.line;
	reader->lines.number += !more;
	return more;
}

void reader_go_to(struct reader *reader, const char *at)
{
	struct oclmm_lines *lines = &reader->lines;

	oclmm_lines_begin(lines, lines->path, reader->text, (size_t)(lines->end - reader->text));
	while (reader_line(reader) && lines->next <= at && lines->next < lines->end)
		continue;
	reader->at = at;
}

bool reader_begins(struct reader *reader, const char *prefix)
{
	reader->at = reader->lines.line;
	return reader_literal(reader, prefix);
}

bool reader_literal(struct reader *reader, const char *literal)
{
	size_t length = strlen(literal);

	if ((size_t)(reader_end(reader) - reader->at) < length ||
	    memcmp(reader->at, literal, length) != 0)
		return false;
	reader->at += length;
	return true;
}

bool reader_at_end(const struct reader *reader)
{
	return reader->at == reader_end(reader);
}

void reader_until(struct reader *reader, const char *stops, const char **ret_text,
                  size_t *ret_length)
{
	const char *start = reader->at;

	while (reader->at < reader_end(reader) && !(*reader->at && strchr(stops, *reader->at)))
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

	while (reader->at + length < reader_end(reader) && reader->at[length] >= '0' &&
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
	va_list arguments;
	char message[sizeof(reader->error->message)];

	va_start(arguments, format);
	vsnprintf(message, sizeof(message), format, arguments);
	va_end(arguments);
	return oclmm_lines_refuse(&reader->lines, reader->at, 1, NULL, reader->error, "%s",
	                          message);
}
