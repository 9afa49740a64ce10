// SPDX-License-Identifier: Apache-2.0
#include "json.h"

#include <stdlib.h>

void json_put_text(json_t *object, const char *key, const char *text)
{
	json_t *value = text ? json_string(text) : NULL;

	json_object_set_new(object, key, value ? value : json_null());
}

void json_put_printed(json_t *object, const char *key, struct oclmm_text *text)
{
	json_put_text(object, key, oclmm_text_string(text));
	oclmm_text_finish(text);
}

void json_put_count(json_t *object, const char *key, uint64_t count)
{
	json_object_set_new(object, key,
	                    json_integer(count > INT64_MAX ? INT64_MAX : (json_int_t)count));
}

void json_put_real(json_t *object, const char *key, double number)
{
	json_object_set_new(object, key, number < 0 ? json_null() : json_real(number));
}

void json_put_flag(json_t *object, const char *key, bool flag)
{
	json_object_set_new(object, key, json_boolean(flag));
}

void json_print_line(struct oclmm_text *text, json_t *object)
{
	char *line = json_dumps(object, JSON_COMPACT);

	if (line)
		oclmm_text_printf(text, "%s\n", line);
	free(line);
	json_decref(object);
}

const char *json_text_of(const json_t *object, const char *key)
{
	const char *value = json_string_value(json_object_get(object, key));

	return value ? value : "";
}

double json_time_of(const json_t *object, const char *key)
{
	double seconds = json_number_value(json_object_get(object, key));

	return seconds > 0 ? seconds : 0;
}
