// SPDX-License-Identifier: Apache-2.0
#include "internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char *const words[] = {
#define OCLMM_X(name, word) word,
	WORKER_ENDS(OCLMM_X)
#undef OCLMM_X
};

const char *worker_end_word(enum worker_end end)
{
	return words[end];
}

/* The numbers of a result, as they travel. */
struct numbers {
	uint32_t end;
	uint32_t support;
	uint32_t width;
	uint32_t other_count;
	uint64_t rows;
	uint64_t cut;
	uint64_t instances;
	uint64_t launches;
	double compile_seconds;
	double seconds;
	uint64_t stimulus;
	uint64_t source_hash;
};

void worker_result_pack(struct oclmm_text *text, const struct worker_result *result)
{
	const struct oclmm_run_result *run = &result->run;
	struct oclmm_histogram *histogram = run->histogram;
	const struct numbers numbers = {
		.end = result->end,
		.support = result->support,
		.width = histogram ? oclmm_histogram_width(histogram) : 0,
		.other_count = run->other_count,
		.rows = histogram ? oclmm_histogram_rows(histogram) : 0,
		.cut = histogram ? oclmm_histogram_cut(histogram) : 0,
		.instances = run->instances,
		.launches = run->launches,
		.compile_seconds = run->compile_seconds,
		.seconds = run->seconds,
		.stimulus = run->stimulus,
		.source_hash = run->source_hash,
	};

	wire_put(text, &numbers, sizeof(numbers));
	wire_put(text, result->missing, sizeof(result->missing));
	wire_put(text, result->message, sizeof(result->message));
	wire_put(text, result->options, sizeof(result->options));
	wire_put_string(text, run->build_log);
	for (size_t i = 0; i < numbers.rows; i++) {
		struct oclmm_histogram_row row = oclmm_histogram_row(histogram, i);

		wire_put(text, row.values, numbers.width * sizeof(*row.values));
		wire_put(text, &row.count, sizeof(row.count));
	}
}

static struct oclmm_histogram *get_histogram(struct wire_reader *reader, const struct numbers *numbers)
{
	struct oclmm_histogram *histogram = oclmm_histogram_create(numbers->width);
	int64_t *values = oclmm_calloc((size_t)numbers->width + 1, sizeof(*values));

	for (uint64_t i = 0; i < numbers->rows && !reader->failed; i++) {
		uint64_t count;

		wire_get(reader, values, numbers->width * sizeof(*values));
		wire_get(reader, &count, sizeof(count));
		if (!reader->failed)
			oclmm_histogram_add(histogram, values, count);
	}
	if (numbers->cut)
		oclmm_histogram_add_cut(histogram, numbers->cut);
	free(values);
	return histogram;
}

int worker_result_unpack(struct wire_reader *reader, uint32_t width, struct worker_result *ret_result)
{
	struct worker_result result = { 0 };
	struct numbers numbers;

	wire_get(reader, &numbers, sizeof(numbers));
	wire_get(reader, result.missing, sizeof(result.missing));
	wire_get(reader, result.message, sizeof(result.message));
	wire_get(reader, result.options, sizeof(result.options));
	result.missing[sizeof(result.missing) - 1] = '\0';
	result.message[sizeof(result.message) - 1] = '\0';
	result.options[sizeof(result.options) - 1] = '\0';
	if (reader->failed || numbers.end >= WORKER_CRASH || numbers.support > OCLMM_SUPPORT_UNSUPPORTED)
		return -EPROTO;
	result.end = (enum worker_end)numbers.end;
	result.support = (enum oclmm_support)numbers.support;
	result.run = (struct oclmm_run_result){
		.instances = numbers.instances,
		.launches = numbers.launches,
		.compile_seconds = numbers.compile_seconds,
		.seconds = numbers.seconds,
		.stimulus = numbers.stimulus,
		.source_hash = numbers.source_hash,
		.other_count = numbers.other_count,
		.build_log = wire_get_string(reader),
	};
	if (result.end == WORKER_OK && numbers.width == width)
		result.run.histogram = get_histogram(reader, &numbers);
	if (reader->failed || (result.end == WORKER_OK && numbers.width != width)) {
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
	*result = (struct worker_result){ 0 };
}

void worker_devices_finish(struct worker_devices *devices)
{
	oclmm_device_list_finish(&devices->list);
	free(devices->identities);
	*devices = (struct worker_devices){ 0 };
}
