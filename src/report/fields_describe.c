// SPDX-License-Identifier: Apache-2.0
/* What the tables say to others: a JSON Schema, and the tables of docs/results-format.md. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lines.h"

/* All objects, each before those that it holds. */
static const struct fields *const objects[] = {
	&run_fields,     &test_fields,  &outcome_fields,    &evidence_fields,
	&control_fields, &shown_fields, &confidence_fields, &end_fields,
};

/* ---- in words ---- */

static void add_words(struct oclmm_text *text, const struct words *words)
{
	for (int i = words->first; i < words->end; i++)
		oclmm_text_printf(text, "%s%s", i > words->first ? ", " : "", words->word(i));
}

static void add_exits(struct oclmm_text *text)
{
	for (size_t i = 0; i < fields_exit_count; i++)
		oclmm_text_printf(text, "%s%d", i ? ", " : "", (int)fields_exits[i]);
}

void field_describe(struct oclmm_text *text, const struct field *field)
{
	static const char *const plain[FIELD_KIND_COUNT] = {
		[FIELD_TEXT] = "a string that is not empty",
		[FIELD_TEXT_OR_NULL] = "a string or null",
		[FIELD_TIME] = "a time such as 2026-01-31T12:00:00Z, or null",
		[FIELD_COUNT] = "a whole number from 0 to 2^53",
		[FIELD_COUNT_32] = "a whole number from 0 to 2^32-1",
		[FIELD_REAL] = "a number from 0",
		[FIELD_REAL_OR_NULL] = "a number from 0, or null",
		[FIELD_PROBABILITY] = "a number from 0 to 1",
		[FIELD_FLAG] = "true or false",
		[FIELD_DECIMAL] = "a string of decimal digits below 2^64",
		[FIELD_HEX] = "a string of 16 hexadecimal digits",
		[FIELD_WORD] = "one of ",
		[FIELD_WORD_OR_NULL] = "null or one of ",
		[FIELD_WORDS] = "an array of ",
		[FIELD_EXIT] = "one of ",
		[FIELD_COUNTS] = "an object with whole numbers from 0 to 2^53 for ",
		[FIELD_VALUES] = "an object of values",
		[FIELD_BLOCKS] = "an array of arrays of whole numbers from 0",
		[FIELD_HALVINGS] =
			("an array of 1 to 32 whole numbers from 0 to 2^53, each above the one "
	                 "before"),
		[FIELD_LIST] = "an array of objects",
		[FIELD_OBJECT] = "an object",
	};

	if (field->kind == FIELD_FORMAT)
		oclmm_text_printf(text, "%d", OCLMM_RESULTS_FORMAT);
	else
		oclmm_text_add(text, plain[field->kind]);
	if (field->kind == FIELD_EXIT)
		add_exits(text);
	else if (field->words)
		add_words(text, field->words);
}

static void print_table(struct oclmm_text *text, const struct fields *fields)
{
	oclmm_text_add(text, "| key | value | meaning |\n|---|---|---|\n");
	for (const struct field *field = fields->table; field->name; field++) {
		oclmm_text_printf(text, "| `%s` | ", field->name);
		field_describe(text, field);
		if (field->flags & FIELD_OPTIONAL)
			oclmm_text_add(text, "; may be missing");
		if (field->flags & FIELD_GONE)
			oclmm_text_add(text, "; only in older files");
		oclmm_text_printf(text, " | %s |\n", field->meaning);
	}
}

/* ---- as a schema ---- */

/* What the kinds without words and items are. */
static json_t *plain_schema(enum field_kind kind)
{
	static const char *const texts[FIELD_KIND_COUNT] = {
		[FIELD_TEXT] = "{\"type\":\"string\",\"minLength\":1}",
		[FIELD_TEXT_OR_NULL] = "{\"type\":[\"string\",\"null\"]}",
		[FIELD_TIME] = ("{\"type\":[\"string\",\"null\"],\"pattern\":"
	                        "\"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$\"}"),
		[FIELD_COUNT] = "{\"type\":\"integer\",\"minimum\":0,\"maximum\":9007199254740992}",
		[FIELD_COUNT_32] = "{\"type\":\"integer\",\"minimum\":0,\"maximum\":4294967295}",
		[FIELD_REAL] = "{\"type\":\"number\",\"minimum\":0}",
		[FIELD_REAL_OR_NULL] = "{\"type\":[\"number\",\"null\"],\"minimum\":0}",
		[FIELD_PROBABILITY] = "{\"type\":\"number\",\"minimum\":0,\"maximum\":1}",
		[FIELD_FLAG] = "{\"type\":\"boolean\"}",
		[FIELD_DECIMAL] = "{\"type\":\"string\",\"pattern\":\"^[0-9]{1,20}$\"}",
		[FIELD_HEX] = "{\"type\":\"string\",\"pattern\":\"^[0-9a-f]{16}$\"}",
		[FIELD_VALUES] = ("{\"type\":\"object\",\"additionalProperties\":{\"type\":"
	                          "[\"integer\",\"string\"],\"pattern\":\"^[0-9]{1,20}$\"}}"),
		[FIELD_BLOCKS] =
			("{\"type\":\"array\",\"items\":{\"type\":\"array\",\"minItems\":3,"
	                 "\"items\":{\"type\":\"integer\",\"minimum\":0}}}"),
		[FIELD_HALVINGS] =
			("{\"type\":\"array\",\"minItems\":1,\"maxItems\":32,\"items\":{\"type\":"
	                 "\"integer\",\"minimum\":0,\"maximum\":9007199254740992}}"),
	};

	return texts[kind] ? json_loads(texts[kind], 0, NULL) : NULL;
}

static json_t *reference(const char *name)
{
	return json_pack("{s:o}", "$ref", json_sprintf("#/$defs/%s", name));
}

static json_t *enum_schema(const struct words *words, bool null)
{
	json_t *choices = json_array();

	if (null)
		json_array_append_new(choices, json_null());
	for (int i = words->first; i < words->end; i++)
		json_array_append_new(choices, json_string(words->word(i)));
	return json_pack("{s:o}", "enum", choices);
}

static json_t *exit_schema(void)
{
	json_t *choices = json_array();

	for (size_t i = 0; i < fields_exit_count; i++)
		json_array_append_new(choices, json_integer(fields_exits[i]));
	return json_pack("{s:o}", "enum", choices);
}

static json_t *closed_object(json_t *properties, json_t *required)
{
	return json_pack("{s:s,s:o,s:o,s:b}", "type", "object", "properties", properties,
	                 "required", required, "additionalProperties", 0);
}

static json_t *counts_schema(const struct words *words)
{
	json_t *properties = json_object(), *required = json_array();

	for (int i = words->first; i < words->end; i++) {
		json_object_set_new(properties, words->word(i), plain_schema(FIELD_COUNT));
		json_array_append_new(required, json_string(words->word(i)));
	}
	return closed_object(properties, required);
}

static json_t *value_schema(const struct field *field)
{
	switch (field->kind) {
	case FIELD_FORMAT: return json_pack("{s:i}", "const", OCLMM_RESULTS_FORMAT);
	case FIELD_WORD: return enum_schema(field->words, false);
	case FIELD_WORD_OR_NULL: return enum_schema(field->words, true);
	case FIELD_WORDS:
		return json_pack("{s:s,s:i,s:o}", "type", "array", "minItems", 1, "items",
		                 enum_schema(field->words, false));
	case FIELD_EXIT: return exit_schema();
	case FIELD_COUNTS: return counts_schema(field->words);
	case FIELD_LIST:
		return json_pack("{s:s,s:o}", "type", "array", "items",
		                 reference(field->items->name));
	case FIELD_OBJECT: return reference(field->items->name);
	default: return plain_schema(field->kind);
	}
}

static json_t *object_schema(const struct fields *fields)
{
	json_t *properties = json_object(), *required = json_array();

	if (fields->line) {
		json_object_set_new(properties, "type", json_pack("{s:s}", "const", fields->name));
		json_array_append_new(required, json_string("type"));
	}
	for (const struct field *field = fields->table; field->name; field++) {
		json_t *value = value_schema(field);

		json_object_set_new(value, "description", json_string(field->meaning));
		json_object_set_new(properties, field->name, value);
		if (!(field->flags & (FIELD_OPTIONAL | FIELD_GONE)))
			json_array_append_new(required, json_string(field->name));
	}
	return closed_object(properties, required);
}

void oclmm_results_schema(struct oclmm_text *text)
{
	json_t *schema, *lines = json_array(), *definitions = json_object();
	char *printed;

	for (size_t i = 0; i < OCLMM_COUNT(objects); i++) {
		if (objects[i]->line)
			json_array_append_new(lines, reference(objects[i]->name));
		json_object_set_new(definitions, objects[i]->name, object_schema(objects[i]));
	}
	schema = json_pack("{s:s,s:s,s:s,s:o,s:o}", "$schema",
	                   "https://json-schema.org/draft/2020-12/schema", "title",
	                   "One line of an oclmm results file", "description",
	                   "docs/results-format.md says what the keys mean.", "oneOf", lines,
	                   "$defs", definitions);
	printed = json_dumps(schema, JSON_INDENT(2));
	oclmm_text_printf(text, "%s\n", printed);
	free(printed);
	json_decref(schema);
}

int oclmm_results_table(struct oclmm_text *text, const char *name)
{
	for (size_t i = 0; i < OCLMM_COUNT(objects); i++) {
		if (strcmp(objects[i]->name, name) == 0) {
			print_table(text, objects[i]);
			return 0;
		}
	}
	return -ENOENT;
}
