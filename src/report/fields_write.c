// SPDX-License-Identifier: Apache-2.0
/* Writing an object by its table. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "lines.h"

static json_t *text_value(const char *text)
{
	/* drivers and their logs need not speak UTF-8 */
	json_t *value = text ? json_string(text) : json_null();

	return value ? value : json_string("(not UTF-8)");
}

/* 64-bit hashes and seeds are texts: many readers keep numbers as doubles. */
static json_t *number_text(uint64_t number, bool hexadecimal)
{
	char digits[24];

	snprintf(digits, sizeof(digits), hexadecimal ? "%016" PRIx64 : "%" PRIu64, number);
	return json_string(digits);
}

static json_t *count_value(uint64_t count)
{
	return json_integer((json_int_t)(count < FIELD_MOST ? count : FIELD_MOST));
}

static json_t *word_value(const struct words *words, const void *source)
{
	unsigned word;

	memcpy(&word, source, sizeof(word));
	return (int)word < words->first || (int)word >= words->end
	               ? json_null()
	               : json_string(words->word((int)word));
}

static json_t *words_value(const struct words *words, unsigned set)
{
	json_t *array = set ? json_array() : NULL;

	for (int i = words->first; set && i < words->end; i++) {
		if (set & 1u << i)
			json_array_append_new(array, json_string(words->word(i)));
	}
	return array;
}

static json_t *counts_value(const struct words *words, const uint64_t *counts)
{
	json_t *object = json_object();

	for (int i = words->first; i < words->end; i++)
		json_object_set_new(object, words->word(i), count_value(counts[i]));
	return object;
}

static json_t *halvings_value(const struct oclmm_halvings *halvings)
{
	json_t *array;

	if (!halvings->count)
		return NULL;
	array = json_array();
	for (uint32_t i = 0; i < halvings->count; i++)
		json_array_append_new(array, count_value(halvings->at[i]));
	return array;
}

/* NULL: the key is left out. */
static json_t *field_value(const struct field *field, const void *source)
{
	switch (field->kind) {
	case FIELD_TEXT:
	case FIELD_TEXT_OR_NULL:
	case FIELD_TIME: return text_value(*(const char *const *)source);
	case FIELD_FORMAT:
	case FIELD_COUNT: return count_value(*(const uint64_t *)source);
	case FIELD_COUNT_32: return count_value(*(const uint32_t *)source);
	case FIELD_REAL:
	case FIELD_PROBABILITY: return json_real(*(const double *)source);
	case FIELD_REAL_OR_NULL:
		return *(const double *)source > 0 ? json_real(*(const double *)source)
		                                   : json_null();
	case FIELD_FLAG: return json_boolean(*(const bool *)source);
	case FIELD_DECIMAL:
	case FIELD_HEX: return number_text(*(const uint64_t *)source, field->kind == FIELD_HEX);
	case FIELD_WORD:
	case FIELD_WORD_OR_NULL: return word_value(field->words, source);
	case FIELD_WORDS: return words_value(field->words, *(const unsigned *)source);
	case FIELD_EXIT: return json_integer(*(const enum oclmm_exit *)source);
	case FIELD_COUNTS: return counts_value(field->words, source);
	case FIELD_HALVINGS: return halvings_value(source);
	case FIELD_VALUES:
	case FIELD_BLOCKS:
	case FIELD_LIST:
	case FIELD_OBJECT: return *(json_t *const *)source;
	case FIELD_KIND_COUNT: break;
	}
	return NULL;
}

json_t *fields_write(const struct fields *fields, const void *source)
{
	json_t *object = json_object();

	if (fields->line)
		json_object_set_new(object, "type", json_string(fields->name));
	for (const struct field *field = fields->table; field->name; field++) {
		json_t *value = field->flags & FIELD_GONE
		                        ? NULL
		                        : field_value(field, (const char *)source + field->offset);

		if (value)
			json_object_set_new(object, field->name, value);
	}
	return object;
}
