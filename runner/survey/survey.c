// SPDX-License-Identifier: Apache-2.0
#include "survey.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cache/cache.h"

/* Changes when other things are asked, so that old answers are not used. */
enum { FORMAT = 1 };

static const enum oclmm_scope first_scope = OCLMM_SCOPE_SUB_GROUP;

static json_t *row_json(uint64_t accepted)
{
	json_t *row = json_object();

	for (int scope = first_scope; scope < OCLMM_SCOPE_COUNT; scope++) {
		json_t *orders = json_array();

		for (int order = OCLMM_ORDER_RELAXED; order < OCLMM_ORDER_COUNT; order++) {
			if (accepted &
			    oclmm_probe_bit((enum oclmm_order)order, (enum oclmm_scope)scope))
				json_array_append_new(orders, json_string(oclmm_order_short(
								      (enum oclmm_order)order)));
		}
		json_object_set_new(row, oclmm_scope_short((enum oclmm_scope)scope), orders);
	}
	return row;
}

json_t *probes_json(const struct oclmm_probe_table *table)
{
	json_t *object = json_object();

	for (int standard = 0; standard < OCLMM_STANDARD_COUNT; standard++) {
		json_t *rows = json_object();

		for (int probe = 0; probe < OCLMM_PROBE_COUNT; probe++)
			json_object_set_new(rows, oclmm_probe_word((enum oclmm_probe)probe),
			                    row_json(table->accepted[standard][probe]));
		json_object_set_new(rows, "all_svm_devices unnamed",
		                    json_boolean(table->unnamed[standard]));
		json_object_set_new(object, oclmm_standard_word((enum oclmm_standard)standard),
		                    rows);
	}
	return object;
}

static bool has_word(const json_t *array, const char *word)
{
	const json_t *element;
	size_t i;

	json_array_foreach(array, i, element)
	{
		if (json_is_string(element) && strcmp(json_string_value(element), word) == 0)
			return true;
	}
	return false;
}

static int read_row(const json_t *row, uint64_t *ret_accepted)
{
	uint64_t accepted = 0;

	for (int scope = first_scope; scope < OCLMM_SCOPE_COUNT; scope++) {
		const json_t *orders = json_object_get(row,
		                                       oclmm_scope_short((enum oclmm_scope)scope));

		if (!json_is_array(orders))
			return -EINVAL;
		for (int order = OCLMM_ORDER_RELAXED; order < OCLMM_ORDER_COUNT; order++) {
			if (has_word(orders, oclmm_order_short((enum oclmm_order)order)))
				accepted |= oclmm_probe_bit((enum oclmm_order)order,
				                            (enum oclmm_scope)scope);
		}
	}
	*ret_accepted = accepted;
	return 0;
}

/* And back: 0 or -EINVAL. */
static int read_json(const json_t *object, struct oclmm_probe_table *ret_table)
{
	struct oclmm_probe_table table;

	memset(&table, 0, sizeof(table));
	for (int standard = 0; standard < OCLMM_STANDARD_COUNT; standard++) {
		const json_t *rows =
			json_object_get(object, oclmm_standard_word((enum oclmm_standard)standard));

		table.unnamed[standard] = json_is_true(
			json_object_get(rows, "all_svm_devices unnamed"));
		for (int probe = 0; probe < OCLMM_PROBE_COUNT; probe++) {
			if (read_row(json_object_get(rows,
			                             oclmm_probe_word((enum oclmm_probe)probe)),
			             &table.accepted[standard][probe]) < 0)
				return -EINVAL;
		}
	}
	*ret_table = table;
	return 0;
}

/* All that tells one compiler from another. The caller frees. */
static char *make_key(const struct oclmm_device_info *info,
                      const struct oclmm_device_identity *identity)
{
	struct oclmm_text text = {0};

	oclmm_text_printf(&text, "%s|%s|%s", identity->text, info->version, info->c_version);
	return oclmm_text_steal(&text);
}

/* The cache's file for a key; NULL where there is no home. */
static char *make_path(const char *key)
{
	char *home = cache_home();
	struct oclmm_text text = {0};

	if (!home)
		return NULL;
	oclmm_text_printf(&text, "%s/probes-%016" PRIx64 ".json", home,
	                  oclmm_hash(key, strlen(key)));
	free(home);
	return oclmm_text_steal(&text);
}

static int read_cache(const char *path, const char *key, struct oclmm_probe_table *ret_table)
{
	json_t *object = json_load_file(path, 0, NULL);
	const char *written = json_string_value(json_object_get(object, "device"));
	int r = -ENOENT;

	/* the name of the file is a hash: the key itself decides */
	if (written && strcmp(written, key) == 0 &&
	    json_integer_value(json_object_get(object, "format")) == FORMAT)
		r = read_json(json_object_get(object, "accepts"), ret_table);
	json_decref(object);
	return r;
}

static void write_cache(const char *path, const char *key, const struct oclmm_probe_table *table)
{
	json_t *object = json_object();
	char *folder = oclmm_strdup(path), *text;

	*strrchr(folder, '/') = '\0';
	json_put_count(object, "format", FORMAT);
	json_put_text(object, "device", key);
	json_object_set_new(object, "accepts", probes_json(table));
	text = json_dumps(object, JSON_INDENT(1));
	/* next time the compiler is asked again, that is all */
	if (text && oclmm_make_folders(folder) == 0)
		oclmm_write_file(path, text, strlen(text));
	free(text);
	free(folder);
	json_decref(object);
}

static enum oclmm_end ask(const struct worker_options *options,
                          const struct oclmm_device_identity *identity, struct oclmm_error *error,
                          struct oclmm_probe_table *ret_table)
{
	struct worker *worker;
	enum oclmm_end end;

	if (worker_start_on(identity, options, NULL, 0, error, &worker) < 0)
		return OCLMM_END_PROCESS_ENDED;
	end = worker_probe(worker, error, ret_table);
	worker_stop(worker);
	return end;
}

enum oclmm_end probes_get(const struct worker_options *options,
                          const struct oclmm_device_info *info,
                          const struct oclmm_device_identity *identity, struct oclmm_error *error,
                          struct oclmm_probe_table *ret_table)
{
	char *key = make_key(info, identity), *path = make_path(key);
	enum oclmm_end end = OCLMM_END_OK;

	if (!path || read_cache(path, key, ret_table) < 0) {
		end = ask(options, identity, error, ret_table);
		if (end == OCLMM_END_OK && path)
			write_cache(path, key, ret_table);
	}
	free(path);
	free(key);
	return end;
}

/* A claim that the compiler refuses is a finding of its own. */
static const char *cell_word(bool claimed, bool accepted)
{
	return claimed ? accepted ? "claimed" : "REFUSED" : accepted ? "accepted" : "-";
}

static void print_rows(struct oclmm_text *text, const struct oclmm_device_info *info,
                       enum oclmm_standard standard, enum oclmm_probe probe, uint64_t accepted)
{
	for (int scope = first_scope; scope < OCLMM_SCOPE_COUNT; scope++) {
		oclmm_text_printf(text, "    %-6s %-15s %-5s", oclmm_standard_word(standard),
		                  oclmm_probe_word(probe),
		                  oclmm_scope_short((enum oclmm_scope)scope));
		for (int order = OCLMM_ORDER_RELAXED; order < OCLMM_ORDER_COUNT; order++) {
			uint64_t bit = oclmm_probe_bit((enum oclmm_order)order,
			                               (enum oclmm_scope)scope);
			bool claimed = oclmm_device_claims_pair(info, probe,
			                                        (enum oclmm_order)order,
			                                        (enum oclmm_scope)scope);

			oclmm_text_printf(text, " %-8s", cell_word(claimed, (accepted & bit) != 0));
		}
		while (text->data[text->length - 1] == ' ')
			text->data[--text->length] = '\0';
		oclmm_text_add(text, "\n");
	}
}

static bool has_any(const uint64_t *rows)
{
	for (int probe = 0; probe < OCLMM_PROBE_COUNT; probe++)
		if (rows[probe])
			return true;
	return false;
}

void probes_print(const struct oclmm_device_info *info, const struct oclmm_probe_table *table,
                  struct oclmm_text *text)
{
	oclmm_text_printf(text, "    %-6s %-15s %-5s", "C", "use", "scope");
	for (int order = OCLMM_ORDER_RELAXED; order < OCLMM_ORDER_COUNT; order++)
		oclmm_text_printf(text, order + 1 < OCLMM_ORDER_COUNT ? " %-8s" : " %s",
		                  oclmm_order_short((enum oclmm_order)order));
	oclmm_text_add(text, "\n");
	for (int standard = 0; standard < OCLMM_STANDARD_COUNT; standard++) {
		enum oclmm_standard version = (enum oclmm_standard)standard;

		if (!has_any(table->accepted[standard])) {
			oclmm_text_printf(text, "    %-6s no atomics\n",
			                  oclmm_standard_word(version));
			continue;
		}
		for (int probe = 0; probe < OCLMM_PROBE_COUNT; probe++)
			print_rows(text, info, version, (enum oclmm_probe)probe,
			           table->accepted[standard][probe]);
		if (table->unnamed[standard])
			oclmm_text_printf(text,
			                  "    %-6s its header lacks memory_scope_all_svm_devices; "
			                  "3 was taken\n",
			                  oclmm_standard_word(version));
	}
}
