// SPDX-License-Identifier: Apache-2.0
/* What a device claims as JSON, and whether it still claims what was written so. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "claims.h"

typedef void (*add_set)(struct oclmm_text *text, unsigned set, char between);

static void set_words(json_t *object, const char *key, unsigned set, add_set add)
{
	struct oclmm_text text = {0};

	add(&text, set, ' ');
	json_object_set_new(object, key, json_string(oclmm_text_string(&text)));
	oclmm_text_finish(&text);
}

void claims_set_json(json_t *object, const struct oclmm_device_info *info)
{
	set_words(object, "orders", info->orders_claimed, claims_add_orders);
	set_words(object, "fence_orders", info->fence_orders_claimed, claims_add_orders);
	set_words(object, "scopes", info->scopes_claimed, claims_add_scopes);
	set_words(object, "svm", (unsigned)info->svm_capabilities, claims_add_svm);
	json_put_flag(object, "program_scope", info->program_scope > 0);
	json_put_flag(object, "int64_atomics", info->int64_atomics);
	json_put_flag(object, "sub_groups", info->sub_groups);
	json_put_flag(object, "generic_address_space", info->generic_address_space);
}

static bool has_word(const char *words, const char *word, size_t length)
{
	for (const char *at = words; *at; at += strspn(at, " ")) {
		size_t size = strcspn(at, " ");

		if (size == length && strncmp(at, word, length) == 0)
			return true;
		at += size;
	}
	return false;
}

static void add_missing(struct oclmm_text *missing, const char *key, const char *word,
                        size_t length)
{
	oclmm_text_printf(missing, "%s%s%s%.*s", missing->length ? ", " : "", key,
	                  length ? " " : "", (int)length, word);
}

/* What of one key was claimed then and is not claimed now. */
static void compare(const char *key, const json_t *then, const json_t *now,
                    struct oclmm_text *missing)
{
	const char *words = json_string_value(then);

	if (json_is_true(then) && !json_is_true(now))
		add_missing(missing, key, "", 0);
	for (const char *at = words ? words : ""; *at; at += strspn(at, " ")) {
		size_t size = strcspn(at, " ");

		if (!has_word(json_string_value(now), at, size))
			add_missing(missing, key, at, size);
		at += size;
	}
}

/* What was written is of the form that is written. */
static bool is_alike(const json_t *then, const json_t *now)
{
	return !then || json_typeof(then) == json_typeof(now) ||
	       (json_is_boolean(then) && json_is_boolean(now));
}

static bool is(const json_t *object, const char *key, const char *value)
{
	const char *text = json_string_value(json_object_get(object, key));

	return text && strcmp(text, value) == 0;
}

/* The object of a device: by its names, or the only one. */
static json_t *find(json_t *objects, const struct oclmm_device_info *info)
{
	json_t *object;
	size_t i;

	json_array_foreach(objects, i, object)
	{
		if (is(object, "name", info->name) && is(object, "platform", info->platform))
			return object;
	}
	return json_array_size(objects) == 1 ? json_array_get(objects, 0) : NULL;
}

/* One object after the other, to the end of the text. */
static int read_objects(const char *path, const char *text, size_t length,
                        struct oclmm_error *error, json_t *objects)
{
	size_t at = strspn(text, " \t\r\n");

	while (at < length) {
		json_error_t where;
		json_t *object = json_loadb(text + at, length - at,
		                            JSON_DISABLE_EOF_CHECK | JSON_REJECT_DUPLICATES,
		                            &where);

		if (!json_is_string(json_object_get(object, "orders"))) {
			uint32_t line = 1;

			for (size_t i = 0; i < at; i++)
				line += text[i] == '\n';
			json_decref(object);
			return oclmm_error_set(error, -EINVAL,
			                       "%s:%u: not an object as oclmm devices --json "
			                       "prints it%s%s",
			                       path, line, object ? "" : ": ",
			                       object ? "" : where.text);
		}
		json_array_append_new(objects, object);
		at += (size_t)where.position;
		at += strspn(text + at, " \t\r\n");
	}
	return 0;
}

static int compare_all(const char *path, json_t *objects, const struct oclmm_device_info *info,
                       struct oclmm_error *error, struct oclmm_text *missing)
{
	json_t *then = find(objects, info), *now, *value;
	const char *key;
	int r = 0;

	if (!then)
		return oclmm_error_set(error, -EINVAL, "%s: has no device %s of %s", path,
		                       info->name, info->platform);
	now = json_object();
	claims_set_json(now, info);
	json_object_foreach(now, key, value)
	{
		const json_t *written = json_object_get(then, key);

		if (is_alike(written, value))
			compare(key, written, value, missing);
		else
			r = oclmm_error_set(error, -EINVAL,
			                    "%s: %s is not what oclmm devices --json writes there",
			                    path, key);
	}
	json_decref(now);
	return r;
}

int claims_expect(const char *path, const struct oclmm_device_info *info, struct oclmm_error *error,
                  struct oclmm_text *missing)
{
	json_t *objects;
	size_t length;
	char *text;
	int r = oclmm_read_text(path, error, &text, &length);

	if (r < 0)
		return r;
	objects = json_array();
	r = read_objects(path, text, length, error, objects);
	if (r == 0)
		r = compare_all(path, objects, info, error, missing);
	json_decref(objects);
	free(text);
	return r;
}
