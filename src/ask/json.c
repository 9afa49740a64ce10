// SPDX-License-Identifier: Apache-2.0
#include "json.h"

#include <stdlib.h>
#include <string.h>

static void add_string(struct oclmm_text *text, const char *string)
{
	char *clean = oclmm_xml_clean(string);

	oclmm_text_add(text, "\"");
	for (const char *at = clean; *at; at++) {
		if (*at == '\n')
			oclmm_text_add(text, "\\n");
		else if (*at == '\t')
			oclmm_text_add(text, "\\t");
		else
			oclmm_text_printf(text, strchr("\"\\", *at) ? "\\%c" : "%c", *at);
	}
	oclmm_text_add(text, "\"");
	free(clean);
}

static void begin(struct json *json, const char *key)
{
	if (!json->first)
		oclmm_text_add(json->text, ",");
	json->first = false;
	if (!key)
		return;
	add_string(json->text, key);
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
		add_string(json->text, value);
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
