// SPDX-License-Identifier: Apache-2.0
/* Results as bytes: whole, cut short, and damaged. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "worker/child.h"

static void fill(struct worker_result *result)
{
	const int64_t rows[][2] = {{-1, INT64_MIN}, {0, 1}, {7, INT64_MAX}};

	*result = (struct worker_result){
		.end = OCLMM_END_OK,
		.classified = true,
		.support = OCLMM_SUPPORT_ACCEPTED,
		.missing = "memory_order_seq_cst",
		.options = "-cl-std=CL3.0",
		.run =
			{
				.instances = 1000,
				.launches = 3,
				.compile_seconds = 0.5,
				.seconds = 1.25,
				.stimulus = 0x0123456789abcdef,
				.source_hash = 42,
				.other_count = 9,
				.build_log = strdup("warning: all is well\n"),
				.histogram = oclmm_histogram_create(2),
			},
	};
	for (size_t i = 0; i < OCLMM_COUNT(rows); i++)
		oclmm_histogram_add(result->run.histogram, rows[i], 10 + i);
	oclmm_histogram_add_cut(result->run.histogram, 967);
}

static void assert_equal(struct worker_result *a, struct worker_result *b)
{
	assert_int_equal(a->end, b->end);
	assert_int_equal(a->classified, b->classified);
	assert_int_equal(a->support, b->support);
	assert_string_equal(a->missing, b->missing);
	assert_string_equal(a->options, b->options);
	assert_string_equal(a->run.build_log, b->run.build_log);
	assert_int_equal(a->run.instances, b->run.instances);
	assert_int_equal(a->run.launches, b->run.launches);
	assert_int_equal(a->run.stimulus, b->run.stimulus);
	assert_int_equal(a->run.source_hash, b->run.source_hash);
	assert_int_equal(a->run.other_count, b->run.other_count);
	assert_true(a->run.seconds == b->run.seconds &&
	            a->run.compile_seconds == b->run.compile_seconds);
	assert_int_equal(oclmm_histogram_rows(a->run.histogram),
	                 oclmm_histogram_rows(b->run.histogram));
	assert_int_equal(oclmm_histogram_total(a->run.histogram),
	                 oclmm_histogram_total(b->run.histogram));
	for (size_t i = 0; i < oclmm_histogram_rows(a->run.histogram); i++) {
		struct oclmm_histogram_row row = oclmm_histogram_row(a->run.histogram, i);

		assert_int_equal(row.count, oclmm_histogram_count(b->run.histogram, row.values));
	}
}

static void results_arrive_as_sent(void **state)
{
	struct worker_result sent, got;
	struct wire_reader reader;
	struct oclmm_text text;

	(void)state;
	fill(&sent);
	oclmm_text_init(&text);
	worker_result_pack(&text, &sent);
	reader = (struct wire_reader){.at = text.data, .left = text.length};
	assert_int_equal(worker_result_unpack(&reader, 2, &got), 0);
	assert_int_equal(reader.left, 0);
	assert_equal(&sent, &got);
	worker_result_finish(&got);
	/* of another test */
	reader = (struct wire_reader){.at = text.data, .left = text.length};
	assert_int_equal(worker_result_unpack(&reader, 3, &got), -EPROTO);
	oclmm_text_finish(&text);
	worker_result_finish(&sent);
}

static void cut_results_are_refused(void **state)
{
	struct worker_result sent, got;
	struct oclmm_text text;

	(void)state;
	fill(&sent);
	oclmm_text_init(&text);
	worker_result_pack(&text, &sent);
	for (size_t length = 0; length < text.length; length++) {
		/* a copy of its own, so that reading beyond it is seen */
		char *bytes = oclmm_malloc(length + 1);
		struct wire_reader reader = {.at = bytes, .left = length};

		memcpy(bytes, text.data, length);
		assert_int_equal(worker_result_unpack(&reader, 2, &got), -EPROTO);
		free(bytes);
	}
	oclmm_text_finish(&text);
	worker_result_finish(&sent);
}

/* Flips each byte in turn: what comes of it may be wrong, but is read within its bounds. */
static void damaged_results_do_no_harm(void **state)
{
	struct worker_result sent, got;
	struct oclmm_text text;

	(void)state;
	fill(&sent);
	oclmm_text_init(&text);
	worker_result_pack(&text, &sent);
	for (size_t i = 0; i < text.length; i++) {
		struct wire_reader reader = {.at = text.data, .left = text.length};

		text.data[i] = (char)(text.data[i] ^ 0x80);
		if (worker_result_unpack(&reader, 2, &got) == 0)
			worker_result_finish(&got);
		text.data[i] = (char)(text.data[i] ^ 0x80);
	}
	oclmm_text_finish(&text);
	worker_result_finish(&sent);
}

static void classes_arrive_as_sent(void **state)
{
	const struct worker_result sent = {.support = OCLMM_SUPPORT_ACCEPTED,
	                                   .missing = "memory_order_acquire"};
	const struct worker_result unknown = {.support = (enum oclmm_support)7};
	struct worker_result got = {0};
	struct wire_reader reader;
	struct oclmm_text text;

	(void)state;
	oclmm_text_init(&text);
	worker_class_pack(&text, &sent);
	for (size_t length = 0; length < text.length; length++) {
		char *bytes = oclmm_malloc(length + 1);

		memcpy(bytes, text.data, length);
		reader = (struct wire_reader){.at = bytes, .left = length};
		assert_int_equal(worker_class_unpack(&reader, &got), -EPROTO);
		assert_false(got.classified);
		free(bytes);
	}
	reader = (struct wire_reader){.at = text.data, .left = text.length};
	assert_int_equal(worker_class_unpack(&reader, &got), 0);
	assert_true(got.classified);
	assert_int_equal(got.support, sent.support);
	assert_string_equal(got.missing, sent.missing);
	oclmm_text_finish(&text);
	worker_class_pack(&text, &unknown);
	reader = (struct wire_reader){.at = text.data, .left = text.length};
	assert_int_equal(worker_class_unpack(&reader, &got), -EPROTO);
	oclmm_text_finish(&text);
}

/* Bytes that no driver left alone would leave: no string ends, no flag is one. */
static void what_lies_in_memory_is_looked_at(void **state)
{
	struct worker_devices devices = {0};
	struct oclmm_probe_table table;
	struct oclmm_error error;
	struct wire_reader reader;
	struct worker_result got;
	char bytes[16384];
	uint64_t one = 1;

	(void)state;
	memset(bytes, 'x', sizeof(bytes));
	reader = (struct wire_reader){.at = bytes, .left = sizeof(error)};
	assert_int_equal(worker_error_unpack(&reader, &error), 0);
	assert_int_equal(strlen(error.message), sizeof(error.message) - 1);
	assert_int_equal(strlen(error.note), sizeof(error.note) - 1);
	reader = (struct wire_reader){.at = bytes, .left = sizeof(error) - 1};
	assert_int_equal(worker_error_unpack(&reader, &error), -EPROTO);
	reader = (struct wire_reader){.at = bytes, .left = sizeof(table)};
	assert_int_equal(worker_table_unpack(&reader, &table), -EPROTO);
	memcpy(bytes, &one, sizeof(one));
	reader = (struct wire_reader){
		.at = bytes,
		.left = sizeof(one) + sizeof(*devices.list.devices) + sizeof(*devices.identities) +
	                sizeof(error),
	};
	assert_int_equal(worker_devices_unpack(&reader, &devices), -EPROTO);
	/* the number of devices is not believed either */
	memset(bytes, 0xff, sizeof(one));
	reader = (struct wire_reader){.at = bytes, .left = sizeof(bytes)};
	assert_int_equal(worker_devices_unpack(&reader, &devices), -EPROTO);
	reader = (struct wire_reader){.at = bytes, .left = sizeof(bytes)};
	assert_int_equal(worker_result_unpack(&reader, 2, &got), -EPROTO);
}

static void a_device_arrives_as_sent(void **state)
{
	struct oclmm_device_info info = {.name = "Pocket GPU", .compiler = true};
	const struct oclmm_device_identity identity = {.text = "text", .file = "file"};
	const struct oclmm_error left_out = {.message = "the other"};
	struct worker_devices devices = {0};
	struct wire_reader reader;
	struct oclmm_text text;
	uint64_t one = 1;

	(void)state;
	oclmm_text_init(&text);
	wire_put(&text, &one, sizeof(one));
	wire_put(&text, &info, sizeof(info));
	wire_put(&text, &identity, sizeof(identity));
	wire_put(&text, &one, sizeof(one));
	wire_put_string(&text, "x.icd: reason\n");
	wire_put(&text, &left_out, sizeof(left_out));
	reader = (struct wire_reader){.at = text.data, .left = text.length};
	assert_int_equal(worker_devices_unpack(&reader, &devices), 0);
	assert_int_equal(devices.list.count, 1);
	assert_string_equal(devices.list.devices[0].name, "Pocket GPU");
	assert_true(devices.list.devices[0].compiler);
	assert_string_equal(devices.identities[0].file, "file");
	assert_string_equal(devices.list.left_out.message, "the other");
	assert_int_equal(devices.list.left_out_at, 1);
	assert_string_equal(devices.dropped, "x.icd: reason\n");
	worker_devices_finish(&devices);
	oclmm_text_finish(&text);
}

static void ends_have_words(void **state)
{
	(void)state;
	for (int end = 0; end < OCLMM_END_COUNT; end++)
		assert_true(strlen(oclmm_end_words((enum oclmm_end)end)) > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(results_arrive_as_sent),
		cmocka_unit_test(cut_results_are_refused),
		cmocka_unit_test(damaged_results_do_no_harm),
		cmocka_unit_test(classes_arrive_as_sent),
		cmocka_unit_test(what_lies_in_memory_is_looked_at),
		cmocka_unit_test(a_device_arrives_as_sent),
		cmocka_unit_test(ends_have_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
