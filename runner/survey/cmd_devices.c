// SPDX-License-Identifier: Apache-2.0
#include "survey.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cache/cache.h"
#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/json.h"
#include "oclmm/grade.h"
#include "select/select.h"
#include "worker/worker.h"

/* A driver that dies while it is asked what there is gets a second chance, as a test does. */
enum { ATTEMPTS = 2 };

static enum oclmm_end ask_for_devices(const struct worker_options *options,
                                      struct oclmm_error *error, struct worker_devices *ret_devices)
{
	struct worker *worker;
	enum oclmm_end end;

	if (worker_start(options, NULL, 0, error, &worker) < 0)
		return OCLMM_END_PROCESS_ENDED;
	end = worker_devices(worker, error, ret_devices);
	worker_stop(worker);
	return end;
}

/* Says that there is no device and what to install. Returns OCLMM_EXIT_NOTHING. */
static int no_device(const struct command *command)
{
	options_error(command, "no OpenCL device found; install a driver, for a CPU for instance "
	                       "\"apt install pocl-opencl-icd\"");
	return OCLMM_EXIT_NOTHING;
}

/* A driver that the loader drops looks like one that is not installed. */
static void tell_dropped(const struct command *command, const char *dropped)
{
	while (dropped && *dropped) {
		int length = (int)strcspn(dropped, "\n");
		struct oclmm_text line = {0};

		oclmm_text_add_bytes(&line, dropped, (size_t)length);
		options_error(command, "note: a driver is left out: %s",
		              oclmm_shown(oclmm_text_string(&line)).text);
		oclmm_text_finish(&line);
		dropped += length + (dropped[length] == '\n');
	}
}

int devices_find(const struct command *command, const struct worker_options *options,
                 struct worker_devices *ret_devices)
{
	struct oclmm_error error = {0};
	enum oclmm_end end = OCLMM_END_PROCESS_ENDED;

	for (int attempt = 0;
	     attempt < ATTEMPTS && end != OCLMM_END_OK && end != OCLMM_END_INTERRUPTED; attempt++)
		end = ask_for_devices(options, &error, ret_devices);
	if (end != OCLMM_END_OK) {
		options_error(command, "the devices cannot be listed: %s", error.message);
		return OCLMM_EXIT_INFRASTRUCTURE;
	}
	if (*ret_devices->list.left_out.message)
		options_error(command, "note: a device is left out: %s",
		              ret_devices->list.left_out.message);
	tell_dropped(command, ret_devices->dropped);
	return ret_devices->list.count ? 0 : no_device(command);
}

/* ---- what a device claims, in the words of the litmus files ---- */

static void add_word(struct oclmm_text *text, const char *word, char between, bool *first)
{
	if (!*first)
		oclmm_text_add_bytes(text, &between, 1);
	*first = false;
	oclmm_text_add(text, word);
}

/* The words of a set, divided by `between`. */
static void claims_add_orders(struct oclmm_text *text, unsigned set, char between)
{
	bool first = true;

	for (int order = 0; order < OCLMM_ORDER_COUNT; order++) {
		if (set & 1u << order)
			add_word(text, oclmm_order_short((enum oclmm_order)order), between, &first);
	}
}

static void claims_add_scopes(struct oclmm_text *text, unsigned set, char between)
{
	bool first = true;

	for (int scope = 0; scope < OCLMM_SCOPE_COUNT; scope++) {
		if (set & 1u << scope)
			add_word(text, oclmm_scope_short((enum oclmm_scope)scope), between, &first);
	}
}

/* Of CL_DEVICE_SVM_CAPABILITIES: coarse, fine, system, atomics. */
static void claims_add_svm(struct oclmm_text *text, unsigned set, char between)
{
	static const struct {
		cl_device_svm_capabilities bit;
		const char *word;
	} kinds[] = {
		{CL_DEVICE_SVM_COARSE_GRAIN_BUFFER, "coarse"},
		{CL_DEVICE_SVM_FINE_GRAIN_BUFFER, "fine"},
		{CL_DEVICE_SVM_FINE_GRAIN_SYSTEM, "system"},
		{CL_DEVICE_SVM_ATOMICS, "atomics"},
	};
	bool first = true;

	for (size_t i = 0; i < OCLMM_COUNT(kinds); i++) {
		if (set & kinds[i].bit)
			add_word(text, kinds[i].word, between, &first);
	}
}

static void add_features(struct oclmm_text *text, const struct oclmm_device_info *info)
{
	const struct {
		bool claimed;
		const char *word;
	} features[] = {
		{info->int64_atomics, "int64-atomics"},
		{info->sub_groups, "sub-groups"},
		{info->generic_address_space, "generic"},
		{info->program_scope > 0, "program-scope"},
		{info->svm_capabilities & CL_DEVICE_SVM_COARSE_GRAIN_BUFFER, "svm-coarse"},
		{info->svm_capabilities & CL_DEVICE_SVM_FINE_GRAIN_BUFFER, "svm-fine"},
		{info->svm_capabilities & CL_DEVICE_SVM_FINE_GRAIN_SYSTEM, "svm-system"},
		{info->svm_capabilities & CL_DEVICE_SVM_ATOMICS, "svm-atomics"},
	};
	bool first = true;

	for (size_t i = 0; i < OCLMM_COUNT(features); i++) {
		if (features[i].claimed)
			add_word(text, features[i].word, ',', &first);
	}
}

void claims_print(struct oclmm_text *text, const struct oclmm_device_info *info)
{
	oclmm_text_add(text, "orders=");
	claims_add_orders(text, info->orders_claimed, ',');
	oclmm_text_add(text, " scopes=");
	claims_add_scopes(text, info->scopes_claimed, ',');
	oclmm_text_add(text, " fence_orders=");
	claims_add_orders(text, info->fence_orders_claimed, ',');
	oclmm_text_add(text, " features=");
	add_features(text, info);
	oclmm_text_printf(text, " memory=0x%" PRIx64 " fence=0x%" PRIx64 " svm=0x%" PRIx64,
	                  (uint64_t)info->memory_capabilities, (uint64_t)info->fence_capabilities,
	                  (uint64_t)info->svm_capabilities);
}

/* The same as JSON, and whether a device still claims what was written so. */

typedef void (*add_set)(struct oclmm_text *text, unsigned set, char between);

static void set_words(json_t *object, const char *key, unsigned set, add_set add)
{
	struct oclmm_text text = {0};

	add(&text, set, ' ');
	json_object_set_new(object, key, json_string(oclmm_text_string(&text)));
	oclmm_text_finish(&text);
}

static void claims_set_json(json_t *object, const struct oclmm_device_info *info)
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

static bool has_claim(const char *words, const char *word, size_t length)
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

		if (!has_claim(json_string_value(now), at, size))
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

/* As it is written, where a name is no UTF-8, too. */
static bool is(const json_t *object, const char *key, const char *value)
{
	json_t *written = json_object();
	bool equal;

	json_put_text(written, key, value);
	equal = json_equal(json_object_get(object, key), json_object_get(written, key));
	json_decref(written);
	return equal;
}

static bool is_of(const json_t *object, const struct oclmm_device_info *info)
{
	return is(object, "name", info->name) && is(object, "platform", info->platform);
}

/* The object of a device, or NULL. */
static json_t *find(json_t *objects, const struct oclmm_device_info *info)
{
	json_t *object;
	size_t i;

	json_array_foreach(objects, i, object)
	{
		if (is_of(object, info))
			return object;
	}
	return NULL;
}

static bool is_same_device(const json_t *a, const json_t *b)
{
	return json_equal(json_object_get(a, "name"), json_object_get(b, "name")) &&
	       json_equal(json_object_get(a, "platform"), json_object_get(b, "platform"));
}

/* Devices of the file that are not there, equal ones as often as the file has them. */
static void find_gone(json_t *objects, const struct oclmm_device_list *list,
                      struct oclmm_text *gone)
{
	json_t *object, *other;
	size_t i, k;

	json_array_foreach(objects, i, object)
	{
		size_t wanted = 0, there = 0;

		json_array_foreach(objects, k, other)
		{
			wanted += k <= i && is_same_device(object, other);
		}
		for (k = 0; k < list->count; k++)
			there += is_of(object, &list->devices[k]);
		if (wanted <= there)
			continue;
		oclmm_text_printf(
			gone, "%s%s", gone->length ? ", " : "",
			oclmm_shown(json_string_value(json_object_get(object, "name"))).text);
		oclmm_text_printf(
			gone, " of %s",
			oclmm_shown(json_string_value(json_object_get(object, "platform"))).text);
	}
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

		if (!json_is_string(json_object_get(object, "orders")) ||
		    !json_is_string(json_object_get(object, "name")) ||
		    !json_is_string(json_object_get(object, "platform"))) {
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
                       struct oclmm_error *error, struct claims_difference *difference)
{
	json_t *then = find(objects, info), *now, *value;
	const char *key;
	int r = 0;

	if (json_array_size(objects) == 0)
		return oclmm_error_set(error, -EINVAL, "%s: has no device", path);
	difference->other = !then;
	if (!then)
		return 0;
	now = json_object();
	claims_set_json(now, info);
	json_object_foreach(now, key, value)
	{
		const json_t *written = json_object_get(then, key);

		if (is_alike(written, value))
			compare(key, written, value, &difference->missing);
		else
			r = oclmm_error_set(error, -EINVAL,
			                    "%s: %s is not what oclmm devices --json writes there",
			                    path, key);
	}
	json_decref(now);
	return r;
}

int claims_expect(const char *path, const struct oclmm_device_list *list,
                  const struct oclmm_device_info *info, struct oclmm_error *error,
                  struct claims_difference *ret_difference)
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
		r = compare_all(path, objects, info, error, ret_difference);
	if (r == 0)
		find_gone(objects, list, &ret_difference->gone);
	json_decref(objects);
	free(text);
	return r;
}

/* ---- what its compiler accepts ---- */

static OCLMM_LOOK_UP(const char *, standard_word, oclmm_standard, OCLMM_STANDARDS, SECOND);
static OCLMM_LOOK_UP(const char *, probe_word, oclmm_probe, OCLMM_PROBES, FIRST);

/* Whether the device claims an order with a scope for this use. */
static bool claims_pair(const struct oclmm_device_info *info, enum oclmm_probe probe,
                        enum oclmm_order order, enum oclmm_scope scope)
{
	bool fence = probe == OCLMM_PROBE_FENCE_GLOBAL || probe == OCLMM_PROBE_FENCE_LOCAL;
	unsigned orders = fence ? info->fence_orders_claimed : info->orders_claimed;

	if (probe == OCLMM_PROBE_ATOMIC_GENERIC && !info->generic_address_space)
		return false;
	return (orders & 1u << order) && (info->scopes_claimed & 1u << scope);
}

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

static json_t *probes_json(const struct oclmm_probe_table *table)
{
	json_t *object = json_object();

	for (int standard = 0; standard < OCLMM_STANDARD_COUNT; standard++) {
		json_t *rows = json_object();

		for (int probe = 0; probe < OCLMM_PROBE_COUNT; probe++)
			json_object_set_new(rows, probe_word((enum oclmm_probe)probe),
			                    row_json(table->accepted[standard][probe]));
		json_object_set_new(rows, "all_svm_devices unnamed",
		                    json_boolean(table->unnamed[standard]));
		json_object_set_new(object, standard_word((enum oclmm_standard)standard), rows);
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
		const json_t *rows = json_object_get(object,
		                                     standard_word((enum oclmm_standard)standard));

		table.unnamed[standard] = json_is_true(
			json_object_get(rows, "all_svm_devices unnamed"));
		for (int probe = 0; probe < OCLMM_PROBE_COUNT; probe++) {
			if (read_row(json_object_get(rows, probe_word((enum oclmm_probe)probe)),
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
	/* the compiler is asked again next time */
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

/*
 * From $XDG_CACHE_HOME/oclmm (or ~/.cache/oclmm), else from the device, which
 * is then written there; a cache that cannot be written is no error.
 */
static enum oclmm_end probes_get(const struct worker_options *options,
                                 const struct oclmm_device_info *info,
                                 const struct oclmm_device_identity *identity,
                                 struct oclmm_error *error, struct oclmm_probe_table *ret_table)
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

/* A claim that the compiler refuses is a bug of the driver, too. */
static const char *cell_word(bool claimed, bool accepted)
{
	return claimed ? accepted ? "claimed" : "REFUSED" : accepted ? "accepted" : "-";
}

static void print_rows(struct oclmm_text *text, const struct oclmm_device_info *info,
                       enum oclmm_standard standard, enum oclmm_probe probe, uint64_t accepted)
{
	for (int scope = first_scope; scope < OCLMM_SCOPE_COUNT; scope++) {
		oclmm_text_printf(text, "    %-6s %-15s %-5s", standard_word(standard),
		                  probe_word(probe), oclmm_scope_short((enum oclmm_scope)scope));
		for (int order = OCLMM_ORDER_RELAXED; order < OCLMM_ORDER_COUNT; order++) {
			uint64_t bit = oclmm_probe_bit((enum oclmm_order)order,
			                               (enum oclmm_scope)scope);
			bool claimed = claims_pair(info, probe, (enum oclmm_order)order,
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

/* A table for people: what is claimed, accepted and refused. */
static void probes_print(const struct oclmm_device_info *info,
                         const struct oclmm_probe_table *table, struct oclmm_text *text)
{
	oclmm_text_printf(text, "    %-6s %-15s %-5s", "C", "use", "scope");
	for (int order = OCLMM_ORDER_RELAXED; order < OCLMM_ORDER_COUNT; order++)
		oclmm_text_printf(text, order + 1 < OCLMM_ORDER_COUNT ? " %-8s" : " %s",
		                  oclmm_order_short((enum oclmm_order)order));
	oclmm_text_add(text, "\n");
	for (int standard = 0; standard < OCLMM_STANDARD_COUNT; standard++) {
		enum oclmm_standard version = (enum oclmm_standard)standard;

		if (!has_any(table->accepted[standard])) {
			oclmm_text_printf(text, "    %-6s no atomics\n", standard_word(version));
			continue;
		}
		for (int probe = 0; probe < OCLMM_PROBE_COUNT; probe++)
			print_rows(text, info, version, (enum oclmm_probe)probe,
			           table->accepted[standard][probe]);
		if (table->unnamed[standard])
			oclmm_text_printf(text,
			                  "    %-6s its header lacks memory_scope_all_svm_devices; "
			                  "3 was taken\n",
			                  standard_word(version));
	}
}

/* ---- oclmm devices ---- */

struct devices_options {
	bool json;
	bool details;
	bool probes;
};

static const struct option_spec options[] = {
	{"json", 'j', NULL, "print one JSON object per device",
         SETS_FLAG(struct devices_options, json)},
	{"long", 'l', NULL, "print all that is known about each device",
         SETS_FLAG(struct devices_options, details)},
	{"verbose", 'v', NULL, "the same, and what its compiler accepts, by small builds",
         SETS_FLAG(struct devices_options, probes)},
	{0},
};

/* A driver that says nothing for so long will not say anything any more. */
static const struct worker_options worker_options = {.limit = 60};

static const char *type_word(cl_device_type type)
{
	return type & CL_DEVICE_TYPE_GPU           ? "GPU"
	       : type & CL_DEVICE_TYPE_ACCELERATOR ? "accelerator"
	       : type & CL_DEVICE_TYPE_CPU         ? "CPU"
	                                           : "other";
}

static bool has_float_atomics(const struct oclmm_device_info *info)
{
	unsigned all = 0;

	for (unsigned i = 0; i < OCLMM_FLOAT_TYPES; i++)
		all |= info->float_atomics[i];
	return all != 0;
}

static void print_set(const char *label, unsigned set,
                      void (*add)(struct oclmm_text *, unsigned, char))
{
	struct oclmm_text text = {0};

	add(&text, set, ' ');
	cli_print_fitted("    %-16s %s", label, oclmm_shown(oclmm_text_string(&text)).text);
	oclmm_text_finish(&text);
}

static void print_details(const struct oclmm_device_info *info)
{
	cli_print_fitted("    %-16s %s", "vendor", oclmm_shown(info->vendor).text);
	cli_print_fitted("    %-16s %s", "driver", oclmm_shown(info->driver).text);
	cli_print_fitted("    %-16s %s", "version", oclmm_shown(info->version).text);
	cli_print_fitted("    %-16s %s", "OpenCL C", oclmm_shown(info->c_version).text);
	cli_print_fitted("    %-16s %s", "IL",
	                 *info->il_version ? oclmm_shown(info->il_version).text : "none");
	cli_print_fitted("    %-16s %u", "compute units", info->compute_units);
	cli_print_fitted("    %-16s %zu", "work-group size", info->max_work_group_size);
	cli_print_fitted("    %-16s %llu MiB", "global memory",
	                 (unsigned long long)info->global_memory >> 20);
	cli_print_fitted("    %-16s %llu KiB", "local memory",
	                 (unsigned long long)info->local_memory >> 10);
	print_set("orders claimed", info->orders_claimed, claims_add_orders);
	print_set("fence orders", info->fence_orders_claimed, claims_add_orders);
	print_set("scopes claimed", info->scopes_claimed, claims_add_scopes);
	cli_print_fitted("    %-16s%s%s%s%s%s%s%s", "features",
	                 info->int64_atomics ? " int64-atomics" : "",
	                 info->sub_groups ? " sub-groups" : "",
	                 info->generic_address_space ? " generic" : "",
	                 info->program_scope ? " program-scope" : "",
	                 info->svm_capabilities & CL_DEVICE_SVM_ATOMICS ? " svm-atomics" : "",
	                 info->svm_capabilities & CL_DEVICE_SVM_FINE_GRAIN_BUFFER ? " svm-fine"
	                                                                          : "",
	                 has_float_atomics(info) ? " float-atomics" : "");
}

static void print_json(size_t index, const struct oclmm_device_info *info,
                       const struct oclmm_probe_table *table)
{
	json_t *object = json_object();

	json_put_count(object, "index", index);
	json_put_text(object, "platform", info->platform);
	json_put_text(object, "name", info->name);
	json_put_text(object, "vendor", info->vendor);
	json_put_text(object, "driver", info->driver);
	json_put_text(object, "version", info->version);
	json_put_text(object, "c_version", info->c_version);
	json_put_text(object, "il_version", info->il_version);
	json_put_text(object, "type", type_word(info->type));
	json_put_count(object, "compute_units", info->compute_units);
	claims_set_json(object, info);
	if (table)
		json_object_set_new(object, "accepts", probes_json(table));
	json_dumpf(object, stdout, JSON_COMPACT);
	putchar('\n');
	json_decref(object);
}

static void print_probes(const struct oclmm_device_info *info,
                         const struct oclmm_probe_table *table)
{
	struct oclmm_text text = {0};

	probes_print(info, table, &text);
	fputs(oclmm_text_string(&text), stdout);
	oclmm_text_finish(&text);
}

static int print_device(const struct command *command, const struct devices_options *wanted,
                        const struct worker_devices *devices, size_t index)
{
	const struct oclmm_device_info *info = &devices->list.devices[index];
	const struct oclmm_probe_table *shown = NULL;
	struct oclmm_probe_table table;
	struct oclmm_error error = {0};
	int status = 0;

	if (wanted->probes) {
		if (probes_get(&worker_options, info, &devices->identities[index], &error,
		               &table) == OCLMM_END_OK) {
			shown = &table;
		} else {
			options_error(command, "%s: its compiler cannot be asked: %s", info->name,
			              error.message);
			status = OCLMM_EXIT_INFRASTRUCTURE;
		}
	}
	if (wanted->json) {
		print_json(index, info, shown);
		return status;
	}
	cli_print_fitted("%zu  %s: %s (%s, %s, driver %s)", index, oclmm_shown(info->platform).text,
	                 oclmm_shown(info->name).text, type_word(info->type),
	                 oclmm_shown(info->version).text, oclmm_shown(info->driver).text);
	if (wanted->details || wanted->probes)
		print_details(info);
	if (shown)
		print_probes(info, shown);
	return status;
}

static int run(const struct command *command, int argc, char **argv)
{
	struct devices_options wanted = {0};
	struct worker_devices devices = {0};
	int first, status = options_parse(command, argc, argv, &wanted, &first);

	if (status)
		return status;
	if (first < argc)
		return options_error(command, "unexpected argument \"%s\"", argv[first]);
	status = devices_find(command, &worker_options, &devices);
	for (size_t i = 0; i < devices.list.count; i++) {
		int r = print_device(command, &wanted, &devices, i);

		status = r ? r : status;
	}
	worker_devices_finish(&devices);
	return status;
}

const struct command command_devices = {
	.name = "devices",
	.arguments = "",
	.summary = "list the OpenCL devices of this machine and what they claim",
	.options = options,
	.run = run,
};
