// SPDX-License-Identifier: Apache-2.0
#include "json.h"

static void begin(struct json *json, const char *key)
{
	if (!json->first)
		oclmm_text_add(json->text, ",");
	json->first = false;
	if (!key)
		return;
	oclmm_text_add_json(json->text, key);
	oclmm_text_add(json->text, ":");
}

void json_open(struct json *json, const char *key, char bracket)
{
	begin(json, key);
	oclmm_text_add_bytes(json->text, &bracket, 1);
	json->first = true;
}

void json_close(struct json *json, char bracket)
{
	oclmm_text_add_bytes(json->text, &bracket, 1);
	json->first = false;
}

void json_string(struct json *json, const char *key, const char *value)
{
	begin(json, key);
	if (value)
		oclmm_text_add_json(json->text, value);
	else
		oclmm_text_add(json->text, "null");
}

void json_number(struct json *json, const char *key, double value)
{
	begin(json, key);
	oclmm_text_printf(json->text, "%.17g", value);
}

void json_bool(struct json *json, const char *key, bool value)
{
	begin(json, key);
	oclmm_text_add(json->text, value ? "true" : "false");
}
