// SPDX-License-Identifier: Apache-2.0
#include "fields.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int refuse(const struct line *line, uint32_t column, uint32_t length, const char *format,
                  va_list args)
{
	struct oclmm_error *error = line->error;

	*error = (struct oclmm_error){
		.position = {.line = line->number, .column = column, .length = length}};
	vsnprintf(error->message, sizeof(error->message), format, args);
	snprintf(error->file, sizeof(error->file), "%s", line->path);
	snprintf(error->source, sizeof(error->source), "%.*s", (int)line->length, line->text);
	return -EINVAL;
}

int line_refuse_at(const struct line *line, uint32_t column, uint32_t length, const char *format,
                   ...)
{
	va_list args;

	va_start(args, format);
	refuse(line, column, length, format, args);
	va_end(args);
	return -EINVAL;
}

int line_refuse(const struct line *line, const char *key, const char *format, ...)
{
	char quoted[64];
	const char *found;
	va_list args;

	snprintf(quoted, sizeof(quoted), "\"%s\"", key);
	found = *key ? memmem(line->text, line->length, quoted, strlen(quoted)) : NULL;
	va_start(args, format);
	refuse(line, found ? (uint32_t)(found - line->text) + 1 : 1,
	       found ? (uint32_t)strlen(quoted) : 1, format, args);
	va_end(args);
	return -EINVAL;
}

static bool is_digits(const char *text, const char *digits, size_t length)
{
	return *text && strspn(text, digits) == strlen(text) && (!length || strlen(text) == length);
}

static bool read_number_text(json_t *value, enum field_kind kind, uint64_t *ret_number)
{
	const char *text = json_string_value(value);

	if (!text || (kind == FIELD_HEX ? !is_digits(text, "0123456789abcdef", 16)
	                                : !is_digits(text, "0123456789", 0)))
		return false;
	errno = 0;
	*ret_number = strtoull(text, NULL, kind == FIELD_HEX ? 16 : 10);
	return errno == 0;
}

/* Writes a value of the kind through `target`, or says that it is of another. */
static bool read_value(const struct line *line, json_t *value, enum field_kind kind, void *target)
{
	switch (kind) {
	case FIELD_TEXT:
	case FIELD_TEXT_OR_NULL:
	case FIELD_TEXT_OPTIONAL:
		if (!json_is_string(value) && !(kind != FIELD_TEXT && json_is_null(value)))
			return false;
		*(const char **)target = json_is_null(value)
		                                 ? NULL
		                                 : oclmm_arena_strdup(line->arena,
		                                                      json_string_value(value));
		return true;
	case FIELD_COUNT:
	case FIELD_COUNT_OPTIONAL:
		*(uint64_t *)target = (uint64_t)json_integer_value(value);
		return json_is_integer(value) && json_integer_value(value) >= 0;
	case FIELD_COUNT_32:
		*(uint32_t *)target = (uint32_t)json_integer_value(value);
		return json_is_integer(value) && json_integer_value(value) >= 0 &&
		       json_integer_value(value) <= UINT32_MAX;
	case FIELD_REAL:
	case FIELD_REAL_OR_NULL:
		*(double *)target = json_number_value(value);
		return (json_is_number(value) && json_number_value(value) >= 0) ||
		       (kind == FIELD_REAL_OR_NULL && json_is_null(value));
	case FIELD_FLAG: *(bool *)target = json_is_true(value); return json_is_boolean(value);
	case FIELD_DECIMAL:
	case FIELD_HEX: return read_number_text(value, kind, target);
	case FIELD_LIST:
	case FIELD_LIST_OPTIONAL: *(json_t **)target = value; return json_is_array(value);
	case FIELD_OBJECT:
	case FIELD_OBJECT_OPTIONAL: *(json_t **)target = value; return json_is_object(value);
	}
	return false;
}

static const char *kind_words(enum field_kind kind)
{
	static const char *const words[] = {
		[FIELD_TEXT] = "a string",
		[FIELD_TEXT_OR_NULL] = "a string or null",
		[FIELD_TEXT_OPTIONAL] = "a string or null",
		[FIELD_COUNT] = "a whole number from 0",
		[FIELD_COUNT_OPTIONAL] = "a whole number from 0",
		[FIELD_COUNT_32] = "a whole number from 0 to 2^32-1",
		[FIELD_REAL] = "a number from 0",
		[FIELD_REAL_OR_NULL] = "a number from 0, or null",
		[FIELD_FLAG] = "true or false",
		[FIELD_DECIMAL] = "a string of decimal digits below 2^64",
		[FIELD_HEX] = "a string of 16 hexadecimal digits",
		[FIELD_LIST] = "an array",
		[FIELD_LIST_OPTIONAL] = "an array",
		[FIELD_OBJECT] = "an object",
		[FIELD_OBJECT_OPTIONAL] = "an object",
	};

	return words[kind];
}

/* What later versions added: lines of earlier ones do without. */
static bool is_optional(enum field_kind kind)
{
	return kind == FIELD_LIST_OPTIONAL || kind == FIELD_TEXT_OPTIONAL ||
	       kind == FIELD_COUNT_OPTIONAL || kind == FIELD_OBJECT_OPTIONAL;
}

static bool is_known(const struct field *table, const char *key)
{
	for (; table->name; table++) {
		if (strcmp(table->name, key) == 0)
			return true;
	}
	return strcmp(key, "type") == 0;
}

int fields_read(const struct line *line, json_t *object, const struct field *table, void *target)
{
	union {
		const char *text;
		json_t *json;
		uint64_t number;
		double real;
	} unused;
	const char *key;
	json_t *value;

	for (const struct field *field = table; field->name; field++) {
		void *to = field->offset == FIELD_UNUSED ? (void *)&unused
		                                         : (char *)target + field->offset;

		value = json_object_get(object, field->name);
		if (!value && is_optional(field->kind))
			continue;
		if (!value)
			return line_refuse(line, "", "the key \"%s\" is missing", field->name);
		if (!read_value(line, value, field->kind, to))
			return line_refuse(line, field->name, "\"%s\" is not %s", field->name,
			                   kind_words(field->kind));
	}
	json_object_foreach(object, key, value)
	{
		if (!is_known(table, key))
			return line_refuse(line, key, "unknown key \"%s\"", key);
	}
	return 0;
}
