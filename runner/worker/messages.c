// SPDX-License-Identifier: Apache-2.0
/* Answers of a child as bytes, and back. Its memory may have been overwritten: reading checks all.
 */
#include "internal.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>

#define END_STRING(array) ((array)[sizeof(array) - 1] = '\0')

/* A bool that was overwritten is looked at as a byte. */
static bool is_flag(const void *flag)
{
	return *(const unsigned char *)flag <= 1;
}

/* ---- results ---- */

/* What of a result travels as it lies in memory; its build log and its histogram follow by
 * themselves. */
#define FIELD(member)                                                                              \
	{                                                                                          \
		offsetof(struct worker_result, member),                                            \
			sizeof(((struct worker_result *)0)->member)                                \
	}

static const struct {
	size_t offset, size;
} fields[] = {
	FIELD(end),
	FIELD(classified),
	FIELD(support),
	FIELD(missing),
	FIELD(message),
	FIELD(options),
	FIELD(run.instances),
	FIELD(run.launches),
	FIELD(run.compile_seconds),
	FIELD(run.seconds),
	FIELD(run.stimulus),
	FIELD(run.halved),
	FIELD(run.source_hash),
	FIELD(run.other_count),
};

static void put_histogram(struct oclmm_text *text, struct oclmm_histogram *histogram)
{
	uint32_t width = oclmm_histogram_width(histogram);
	uint64_t rows = oclmm_histogram_rows(histogram), cut = oclmm_histogram_cut(histogram);

	wire_put(text, &width, sizeof(width));
	wire_put(text, &rows, sizeof(rows));
	wire_put(text, &cut, sizeof(cut));
	for (size_t i = 0; i < rows; i++) {
		struct oclmm_histogram_row row = oclmm_histogram_row(histogram, i);

		wire_put(text, row.values, width * sizeof(*row.values));
		wire_put(text, &row.count, sizeof(row.count));
	}
}

static void put_shown(struct oclmm_text *text, const struct oclmm_seen *shown)
{
	uint64_t count = shown->count;

	wire_put(text, &shown->outcomes, sizeof(shown->outcomes));
	if (shown->outcomes && shown->width)
		wire_put(text, shown->values,
		         (size_t)shown->outcomes * shown->width * sizeof(*shown->values));
	wire_put(text, &count, sizeof(count));
	if (shown->count)
		wire_put(text, shown->launches, shown->count * sizeof(*shown->launches));
}

void worker_result_pack(struct oclmm_text *text, const struct worker_result *result)
{
	uint8_t counted = result->run.histogram != NULL;

	for (size_t i = 0; i < OCLMM_COUNT(fields); i++)
		wire_put(text, (const char *)result + fields[i].offset, fields[i].size);
	wire_put_string(text, result->run.build_log);
	wire_put(text, &counted, sizeof(counted));
	if (counted)
		put_histogram(text, result->run.histogram);
	put_shown(text, &result->run.shown);
}

static struct oclmm_histogram *get_histogram(struct wire_reader *reader, uint32_t wanted)
{
	struct oclmm_histogram *histogram = oclmm_histogram_create(wanted);
	int64_t *values = oclmm_calloc((size_t)wanted + 1, sizeof(*values));
	uint32_t width;
	uint64_t rows, cut;

	wire_get(reader, &width, sizeof(width));
	wire_get(reader, &rows, sizeof(rows));
	wire_get(reader, &cut, sizeof(cut));
	reader->failed |= width != wanted;
	for (uint64_t i = 0; i < rows && !reader->failed; i++) {
		uint64_t count;

		wire_get(reader, values, width * sizeof(*values));
		wire_get(reader, &count, sizeof(count));
		if (!reader->failed)
			oclmm_histogram_add(histogram, values, count);
	}
	oclmm_histogram_add_cut(histogram, cut);
	free(values);
	return histogram;
}

/* Bits of outcomes that there are, and blocks that ascend: else it is damage. */
static bool are_launches(const struct oclmm_seen *shown)
{
	uint64_t known = (UINT64_C(1) << shown->outcomes) - 1;

	for (size_t i = 0; i < shown->count; i++) {
		const struct oclmm_seen_launches *launches = &shown->launches[i];

		if ((launches->mask & ~(known | OCLMM_SEEN_REST)) != 0 ||
		    (i > 0 && launches->block < shown->launches[i - 1].block))
			return false;
	}
	return true;
}

static void get_shown(struct wire_reader *reader, uint32_t width, struct oclmm_seen *shown)
{
	uint64_t count = 0;

	shown->width = width;
	wire_get(reader, &shown->outcomes, sizeof(shown->outcomes));
	reader->failed |= shown->outcomes > OCLMM_SEEN_OUTCOMES;
	if (reader->failed)
		shown->outcomes = 0;
	shown->values = oclmm_calloc((size_t)OCLMM_SEEN_OUTCOMES * width + 1,
	                             sizeof(*shown->values));
	wire_get(reader, shown->values, (size_t)shown->outcomes * width * sizeof(*shown->values));
	wire_get(reader, &count, sizeof(count));
	if (reader->failed || count > reader->left / sizeof(*shown->launches)) {
		reader->failed = true;
		return;
	}
	shown->count = shown->capacity = (size_t)count;
	shown->launches = oclmm_calloc(shown->count + 1, sizeof(*shown->launches));
	wire_get(reader, shown->launches, shown->count * sizeof(*shown->launches));
	reader->failed |= !are_launches(shown);
}

void worker_class_pack(struct oclmm_text *text, const struct worker_result *result)
{
	wire_put(text, &result->support, sizeof(result->support));
	wire_put(text, result->missing, sizeof(result->missing));
}

int worker_class_unpack(struct wire_reader *reader, struct worker_result *ret_result)
{
	struct worker_result result = {.classified = true};

	wire_get(reader, &result.support, sizeof(result.support));
	wire_get(reader, result.missing, sizeof(result.missing));
	result.missing[sizeof(result.missing) - 1] = '\0';
	if (reader->failed || reader->left || (unsigned)result.support > OCLMM_SUPPORT_UNSUPPORTED)
		return -EPROTO;
	*ret_result = result;
	return 0;
}

/* The child's memory may have been overwritten. */
static bool is_sound(struct worker_result *result)
{
	END_STRING(result->missing);
	END_STRING(result->message);
	END_STRING(result->options);
	return (unsigned)result->end < OCLMM_END_PROCESS_ENDED && is_flag(&result->classified) &&
	       (unsigned)result->support <= OCLMM_SUPPORT_UNSUPPORTED && result->run.seconds >= 0 &&
	       result->run.seconds < 1e18 && result->run.compile_seconds >= 0 &&
	       result->run.compile_seconds < 1e18;
}

int worker_result_unpack(struct wire_reader *reader, uint32_t width,
                         struct worker_result *ret_result)
{
	struct worker_result result = {0};
	uint8_t counted;

	for (size_t i = 0; i < OCLMM_COUNT(fields); i++)
		wire_get(reader, (char *)&result + fields[i].offset, fields[i].size);
	if (reader->failed || !is_sound(&result))
		return -EPROTO;
	result.run.build_log = wire_get_string(reader);
	wire_get(reader, &counted, sizeof(counted));
	if (counted)
		result.run.histogram = get_histogram(reader, width);
	get_shown(reader, width, &result.run.shown);
	if (reader->failed || (result.end == OCLMM_END_OK && !counted)) {
		worker_result_finish(&result);
		return -EPROTO;
	}
	*ret_result = result;
	return 0;
}

void worker_result_finish(struct worker_result *result)
{
	oclmm_run_result_finish(&result->run);
	free(result->log);
	*result = (struct worker_result){0};
}

/* ---- what else it says ---- */

int worker_error_unpack(struct wire_reader *reader, struct oclmm_error *ret_error)
{
	struct oclmm_error error;

	wire_get(reader, &error, sizeof(error));
	if (reader->failed || reader->left)
		return -EPROTO;
	END_STRING(error.file);
	END_STRING(error.message);
	END_STRING(error.source);
	END_STRING(error.note);
	*ret_error = error;
	return 0;
}

static bool is_sound_device(struct oclmm_device_info *info, struct oclmm_device_identity *identity)
{
	END_STRING(info->platform);
	END_STRING(info->name);
	END_STRING(info->vendor);
	END_STRING(info->driver);
	END_STRING(info->version);
	END_STRING(info->c_version);
	END_STRING(info->il_version);
	END_STRING(identity->text);
	END_STRING(identity->file);
	END_STRING(identity->id);
	return is_flag(&info->device_enqueue) && is_flag(&info->compiler) &&
	       is_flag(&info->int64_atomics) && is_flag(&info->collectives) &&
	       is_flag(&info->fp16) && is_flag(&info->fp64) && is_flag(&info->sub_groups) &&
	       is_flag(&info->generic_address_space) && is_flag(&info->short_loops);
}

int worker_devices_unpack(struct wire_reader *reader, struct worker_devices *ret_devices)
{
	struct worker_devices devices = {0};
	uint64_t count = 0;
	bool sound = true;

	wire_get(reader, &count, sizeof(count));
	if (reader->failed || count > reader->left / sizeof(*devices.list.devices))
		return -EPROTO;
	devices.list.devices = oclmm_calloc(count + 1, sizeof(*devices.list.devices));
	devices.identities = oclmm_calloc(count + 1, sizeof(*devices.identities));
	for (; sound && devices.list.count < count; devices.list.count++) {
		struct oclmm_device_info *info = &devices.list.devices[devices.list.count];
		struct oclmm_device_identity *identity = &devices.identities[devices.list.count];

		wire_get(reader, info, sizeof(*info));
		wire_get(reader, identity, sizeof(*identity));
		sound = !reader->failed && is_sound_device(info, identity);
	}
	wire_get(reader, &count, sizeof(count));
	devices.list.left_out_at = count;
	if (!sound || worker_error_unpack(reader, &devices.list.left_out) < 0) {
		worker_devices_finish(&devices);
		return -EPROTO;
	}
	*ret_devices = devices;
	return 0;
}

int worker_table_unpack(struct wire_reader *reader, struct oclmm_probe_table *ret_table)
{
	struct oclmm_probe_table table;

	wire_get(reader, &table, sizeof(table));
	if (reader->failed || reader->left)
		return -EPROTO;
	for (size_t i = 0; i < OCLMM_COUNT(table.unnamed); i++) {
		if (!is_flag(&table.unnamed[i]))
			return -EPROTO;
	}
	*ret_table = table;
	return 0;
}

void worker_devices_finish(struct worker_devices *devices)
{
	oclmm_device_list_finish(&devices->list);
	free(devices->identities);
	*devices = (struct worker_devices){0};
}
