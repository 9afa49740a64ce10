// SPDX-License-Identifier: Apache-2.0
/*
 * JSON as it is written, member by member. Readers, and those who keep values until they print
 * them, have jansson; the playground is built without it.
 */
#include <inttypes.h>

#include "oclmm/base.h"

static void begin_line(struct oclmm_json *json)
{
	oclmm_text_add(json->text, "\n");
	for (unsigned i = 0; i < json->depth; i++)
		oclmm_text_add(json->text, "\t");
}

static void begin(struct oclmm_json *json, const char *key)
{
	if (json->has_member)
		oclmm_text_add(json->text, ",");
	json->has_member = true;
	if (json->lines && json->depth)
		begin_line(json);
	if (!key)
		return;
	oclmm_text_add_json(json->text, key);
	oclmm_text_add(json->text, json->lines ? ": " : ":");
}

void oclmm_json_open(struct oclmm_json *json, const char *key, char bracket)
{
	begin(json, key);
	oclmm_text_add_bytes(json->text, &bracket, 1);
	json->has_member = false;
	json->depth++;
}

void oclmm_json_close(struct oclmm_json *json, char bracket)
{
	json->depth--;
	if (json->lines && json->has_member)
		begin_line(json);
	oclmm_text_add_bytes(json->text, &bracket, 1);
	json->has_member = true;
}

void oclmm_json_value(struct oclmm_json *json, const char *key, const char *value)
{
	begin(json, key);
	oclmm_text_add(json->text, value);
}

void oclmm_json_string(struct oclmm_json *json, const char *key, const char *value)
{
	begin(json, key);
	if (value)
		oclmm_text_add_json(json->text, value);
	else
		oclmm_text_add(json->text, "null");
}

void oclmm_json_text(struct oclmm_json *json, const char *key, struct oclmm_text *text)
{
	oclmm_json_string(json, key, oclmm_text_string(text));
	oclmm_text_finish(text);
}

void oclmm_json_integer(struct oclmm_json *json, const char *key, int64_t value)
{
	begin(json, key);
	oclmm_text_printf(json->text, "%" PRId64, value);
}

void oclmm_json_count(struct oclmm_json *json, const char *key, uint64_t count)
{
	oclmm_json_integer(json, key, count > INT64_MAX ? INT64_MAX : (int64_t)count);
}

void oclmm_json_real(struct oclmm_json *json, const char *key, double value)
{
	begin(json, key);
	oclmm_text_printf(json->text, "%.17g", value);
}

void oclmm_json_bool(struct oclmm_json *json, const char *key, bool value)
{
	oclmm_json_value(json, key, value ? "true" : "false");
}
