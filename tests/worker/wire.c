// SPDX-License-Identifier: Apache-2.0
/* Results as bytes: whole, cut short, and damaged. */

#include "../fixture/test.h"

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
				.counts.instances = 1000,
				.counts.launches = 3,
				.counts.compile_seconds = 0.5,
				.counts.seconds = 1.25,
				.counts.stimulus = 0x0123456789abcdef,
				.counts.source_hash = 42,
				.counts.halved = 2,
				.counts.halved_at = {.count = 2, .at = {1, 2}},
				.counts.turns = {.count = 1,
	                                         .at = {{.block = 3, .share = {96, 4000}}}},
				.counts.waits
					.own = {.launches = 2, .hits = 1, .late = 3, .stuck = 4},
				.other_count = 9,
				.build_log = strdup("warning: all is well\n"),
				.counts.histogram = oclmm_histogram_create(2),
			},
	};
	for (size_t i = 0; i < OCLMM_COUNT(rows); i++)
		oclmm_histogram_add(result->run.counts.histogram, rows[i], 10 + i);
	oclmm_histogram_add_cut(result->run.counts.histogram, 967);
}

static void assert_equal(struct worker_result *a, struct worker_result *b)
{
	assert_int_equal(a->end, b->end);
	assert_int_equal(a->classified, b->classified);
	assert_int_equal(a->support, b->support);
	assert_string_equal(a->missing, b->missing);
	assert_string_equal(a->options, b->options);
	assert_string_equal(a->run.build_log, b->run.build_log);
	assert_int_equal(a->run.counts.instances, b->run.counts.instances);
	assert_int_equal(a->run.counts.launches, b->run.counts.launches);
	assert_int_equal(a->run.counts.stimulus, b->run.counts.stimulus);
	assert_int_equal(a->run.counts.source_hash, b->run.counts.source_hash);
	assert_int_equal(a->run.counts.halved, b->run.counts.halved);
	assert_memory_equal(&a->run.counts.halved_at, &b->run.counts.halved_at,
	                    sizeof(a->run.counts.halved_at));
	assert_memory_equal(&a->run.counts.turns, &b->run.counts.turns,
	                    sizeof(a->run.counts.turns));
	assert_memory_equal(&a->run.counts.waits, &b->run.counts.waits,
	                    sizeof(a->run.counts.waits));
	/* each has its own: an address of the child's means nothing here */
	assert_ptr_not_equal(a->run.counts.histogram, b->run.counts.histogram);
	assert_int_equal(a->run.other_count, b->run.other_count);
	assert_true(a->run.counts.seconds == b->run.counts.seconds &&
	            a->run.counts.compile_seconds == b->run.counts.compile_seconds);
	assert_int_equal(oclmm_histogram_rows(a->run.counts.histogram),
	                 oclmm_histogram_rows(b->run.counts.histogram));
	assert_int_equal(oclmm_histogram_total(a->run.counts.histogram),
	                 oclmm_histogram_total(b->run.counts.histogram));
	for (size_t i = 0; i < oclmm_histogram_rows(a->run.counts.histogram); i++) {
		struct oclmm_histogram_row row = oclmm_histogram_row(a->run.counts.histogram, i);

		assert_int_equal(row.count,
		                 oclmm_histogram_count(b->run.counts.histogram, row.values));
	}
}

TEST(results_arrive_as_sent)
{
	struct worker_result sent, got;
	struct wire_reader reader;
	struct oclmm_text text;

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

/* Whoever prints a list of launches goes by its count. */
TEST(lists_that_cannot_be_are_refused)
{
	static const struct {
		uint32_t halved, halvings, turns;
	} rows[] = {
		{OCLMM_HALVINGS_MOST + 1, OCLMM_HALVINGS_MOST + 1, 0},
		{1, 2, 0},
		{2, 2, OCLMM_TURNS_MOST + 1},
	};

	for (size_t i = 0; i < OCLMM_COUNT(rows); i++) {
		struct worker_result sent, got;
		struct wire_reader reader;
		struct oclmm_text text;

		fill(&sent);
		sent.run.counts.halved = rows[i].halved;
		sent.run.counts.halved_at.count = rows[i].halvings;
		sent.run.counts.turns.count = rows[i].turns;
		oclmm_text_init(&text);
		worker_result_pack(&text, &sent);
		reader = (struct wire_reader){.at = text.data, .left = text.length};
		assert_int_equal(worker_result_unpack(&reader, 2, &got), -EPROTO);
		oclmm_text_finish(&text);
		worker_result_finish(&sent);
	}
}

TEST(cut_results_are_refused)
{
	struct worker_result sent, got;
	struct oclmm_text text;

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
TEST(damaged_results_do_no_harm)
{
	struct worker_result sent, got;
	struct oclmm_text text;

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

TEST(classes_arrive_as_sent)
{
	const struct worker_result sent = {.support = OCLMM_SUPPORT_ACCEPTED,
	                                   .missing = "memory_order_acquire"};
	const struct worker_result unknown = {.support = (enum oclmm_support)7};
	struct worker_result got = {0};
	struct wire_reader reader;
	struct oclmm_text text;

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
TEST(what_lies_in_memory_is_looked_at)
{
	struct worker_devices devices = {0};
	struct oclmm_probe_table table;
	struct oclmm_error error;
	struct wire_reader reader;
	struct worker_result got;
	char bytes[16384];
	uint64_t one = 1;

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

TEST(a_device_arrives_as_sent)
{
	struct oclmm_device_info info = {.name = "Pocket GPU", .compiler = true};
	const struct oclmm_device_identity identity = {.text = "text", .file = "file"};
	const struct oclmm_error left_out = {.message = "the other"};
	struct worker_devices devices = {0};
	struct wire_reader reader;
	struct oclmm_text text;
	uint64_t one = 1;

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

TEST(ends_have_words)
{
	for (int end = 0; end < OCLMM_END_COUNT; end++)
		assert_true(strlen(oclmm_end_words((enum oclmm_end)end)) > 0);
}
