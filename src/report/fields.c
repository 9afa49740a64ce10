// SPDX-License-Identifier: Apache-2.0
/* Reading an object by its table. */
#include "lines.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int OCLMM_PRINTF(4, 0) refuse(const struct line *line, uint32_t column, uint32_t length,
                                     const char *format, va_list args)
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

/* ---- values ---- */

static bool is_digits(const char *text, const char *digits, size_t length)
{
	return *text && strspn(text, digits) == strlen(text) && (!length || strlen(text) == length);
}

static bool read_number_text(const json_t *value, enum field_kind kind, uint64_t *ret_number)
{
	const char *text = json_string_value(value);

	if (!text || (kind == FIELD_HEX ? !is_digits(text, "0123456789abcdef", 16)
	                                : !is_digits(text, "0123456789", 0)))
		return false;
	errno = 0;
	*ret_number = strtoull(text, NULL, kind == FIELD_HEX ? 16 : 10);
	return errno == 0;
}

/* `2026-01-31T12:00:00Z` */
static bool is_time(const char *text)
{
	static const char form[] = "0000-00-00T00:00:00Z";

	for (size_t i = 0; i < sizeof(form); i++) {
		if (form[i] == '0' ? text[i] < '0' || text[i] > '9' : text[i] != form[i])
			return false;
	}
	return true;
}

static bool read_text(const struct line *line, const json_t *value, enum field_kind kind,
                      const char **ret_text)
{
	const char *text = json_string_value(value);

	if (json_is_null(value) && kind != FIELD_TEXT) {
		*ret_text = NULL;
		return true;
	}
	if (!text || (kind == FIELD_TEXT && !*text) || (kind == FIELD_TIME && !is_time(text)))
		return false;
	*ret_text = oclmm_arena_strdup(line->arena, text);
	return true;
}

static bool read_count(const json_t *value, uint64_t most, uint64_t *ret_count)
{
	json_int_t count = json_integer_value(value);

	if (!json_is_integer(value) || count < 0 || (uint64_t)count > most)
		return false;
	*ret_count = (uint64_t)count;
	return true;
}

static bool read_count_32(const json_t *value, uint32_t *ret_count)
{
	uint64_t count;

	if (!read_count(value, UINT32_MAX, &count))
		return false;
	*ret_count = (uint32_t)count;
	return true;
}

static bool read_real(const json_t *value, enum field_kind kind, double *ret_real)
{
	double real = json_number_value(value);

	if (json_is_null(value) && kind == FIELD_REAL_OR_NULL) {
		*ret_real = 0;
		return true;
	}
	if (!json_is_number(value) || real < 0 || (kind == FIELD_PROBABILITY && real > 1))
		return false;
	*ret_real = real;
	return true;
}

static bool find_word(const struct words *words, const json_t *value, unsigned *ret_word)
{
	const char *text = json_string_value(value);

	for (int i = words->first; text && i < words->end; i++) {
		if (strcmp(words->word(i), text) == 0) {
			*ret_word = (unsigned)i;
			return true;
		}
	}
	return false;
}

/* An enum, by its number. */
static bool read_word(const json_t *value, const struct field *field, void *target)
{
	unsigned word = (unsigned)field->words->first - 1;

	if (!(field->kind == FIELD_WORD_OR_NULL && json_is_null(value)) &&
	    !find_word(field->words, value, &word))
		return false;
	memcpy(target, &word, sizeof(word));
	return true;
}

static bool read_words(const json_t *value, const struct words *words, unsigned *ret_set)
{
	unsigned set = 0;

	for (size_t i = 0; i < json_array_size(value); i++) {
		unsigned word;

		if (!find_word(words, json_array_get(value, i), &word))
			return false;
		set |= 1u << word;
	}
	*ret_set = set;
	return json_is_array(value) && set;
}

static bool read_exit(const json_t *value, enum oclmm_exit *ret_exit)
{
	for (size_t i = 0; json_is_integer(value) && i < fields_exit_count; i++) {
		if (json_integer_value(value) == (json_int_t)fields_exits[i]) {
			*ret_exit = fields_exits[i];
			return true;
		}
	}
	return false;
}

static bool read_counts(const json_t *value, const struct words *words, uint64_t *ret_counts)
{
	for (int i = words->first; i < words->end; i++) {
		if (!read_count(json_object_get(value, words->word(i)), FIELD_MOST, &ret_counts[i]))
			return false;
	}
	return json_object_size(value) == (size_t)(words->end - words->first);
}

static bool read_halvings(const json_t *value, struct oclmm_halvings *ret_halvings)
{
	size_t count = json_array_size(value);
	uint64_t at, before = 0;

	if (!json_is_array(value) || count < 1 || count > OCLMM_HALVINGS_MOST)
		return false;
	for (size_t i = 0; i < count; i++) {
		if (!read_count(json_array_get(value, i), FIELD_MOST, &at) || (i && at <= before))
			return false;
		ret_halvings->at[i] = before = at;
	}
	ret_halvings->count = (uint32_t)count;
	return true;
}

static bool read_json(json_t *value, bool right, json_t **ret_json)
{
	*ret_json = value;
	return right;
}

/* Writes the value through `target`, or says that it is not what the field has. */
static bool read_value(const struct line *line, json_t *value, const struct field *field,
                       void *target)
{
	switch (field->kind) {
	case FIELD_TEXT:
	case FIELD_TEXT_OR_NULL:
	case FIELD_TIME: return read_text(line, value, field->kind, target);
	case FIELD_FORMAT:
	case FIELD_COUNT: return read_count(value, FIELD_MOST, target);
	case FIELD_COUNT_32: return read_count_32(value, target);
	case FIELD_REAL:
	case FIELD_REAL_OR_NULL:
	case FIELD_PROBABILITY: return read_real(value, field->kind, target);
	case FIELD_FLAG: *(bool *)target = json_is_true(value); return json_is_boolean(value);
	case FIELD_DECIMAL:
	case FIELD_HEX: return read_number_text(value, field->kind, target);
	case FIELD_WORD:
	case FIELD_WORD_OR_NULL: return read_word(value, field, target);
	case FIELD_WORDS: return read_words(value, field->words, target);
	case FIELD_EXIT: return read_exit(value, target);
	case FIELD_COUNTS: return read_counts(value, field->words, target);
	case FIELD_HALVINGS: return read_halvings(value, target);
	case FIELD_BLOCKS:
	case FIELD_LIST: return read_json(value, json_is_array(value), target);
	case FIELD_VALUES:
	case FIELD_OBJECT: return read_json(value, json_is_object(value), target);
	case FIELD_KIND_COUNT: break;
	}
	return false;
}

/* ---- objects ---- */

static int refuse_value(const struct line *line, const struct field *field)
{
	struct oclmm_text text = {0};

	field_describe(&text, field);
	line_refuse(line, field->name, "\"%s\" is not %s", field->name, oclmm_text_string(&text));
	oclmm_text_finish(&text);
	return -EINVAL;
}

static bool is_known(const struct fields *fields, const char *key)
{
	for (const struct field *field = fields->table; field->name; field++) {
		if (strcmp(field->name, key) == 0)
			return true;
	}
	return fields->line && strcmp(key, "type") == 0;
}

/* `found` keys of the table are there, and no key is there twice: where the object has as many,
 * none needs to be looked up. */
static int check_keys(const struct line *line, json_t *object, const struct fields *fields,
                      size_t found)
{
	const char *key;
	json_t *value;

	if (fields->line && json_object_get(object, "type"))
		found++;
	if (json_object_size(object) == found)
		return 0;
	json_object_foreach(object, key, value)
	{
		if (!is_known(fields, key))
			return line_refuse(line, key, "unknown key \"%s\"", key);
	}
	return 0;
}

int fields_read(const struct line *line, json_t *object, const struct fields *fields, void *target)
{
	size_t found = 0;
	json_t *value;

	if (!json_is_object(object))
		return line_refuse(line, fields->name, "\"%s\" is no object", fields->name);
	for (const struct field *field = fields->table; field->name; field++) {
		value = json_object_get(object, field->name);
		if (!value && field->flags & (FIELD_OPTIONAL | FIELD_GONE))
			continue;
		if (!value)
			return line_refuse(line, "", "the key \"%s\" is missing", field->name);
		if (!read_value(line, value, field, (char *)target + field->offset))
			return refuse_value(line, field);
		found++;
	}
	return check_keys(line, object, fields, found);
}
