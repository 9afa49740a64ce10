// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../fixture/sb.h"
#include "oclmm/report.h"

#define A OCLMM_STATUS_ALLOWED
#define F OCLMM_STATUS_FORBIDDEN
#define D OCLMM_STATUS_DISPUTED

/* The four tests that every report here is made of. */
static const struct {
	const char *name;
	const char *family;
	enum oclmm_quantifier quantifier;
	enum oclmm_status weak;
	enum oclmm_class class;
	uint64_t counts[4];
} runs[] = {
	{ "SB", "relaxed", OCLMM_QUANTIFIER_EXISTS, A, OCLMM_CLASS_CLAIMED, { 96, 499878, 500026, 0 } },
	{ "SB.order=sc", "relaxed", OCLMM_QUANTIFIER_NOT_EXISTS, F, OCLMM_CLASS_CLAIMED,
	  { 2, 499998, 500000, 0 } },
	{ "SB+disputed", "relaxed", OCLMM_QUANTIFIER_FORALL, D, OCLMM_CLASS_ACCEPTED,
	  { 1, 399999, 600000, 0 } },
	{ "SB+sg", "scope", OCLMM_QUANTIFIER_EXISTS, A, OCLMM_CLASS_UNSUPPORTED, { 0 } },
};

static const struct oclmm_run_header header = {
	.tool = "oclmm 0",
	.platform = "Pocket",
	.device = "Pocket GPU",
	.driver = "1.2",
	.version = "OpenCL 3.0",
	.seed = 42,
	.instances = 1000000,
	.tests = 6,
	.replay = "oclmm run --device 'Pocket GPU' --seed 42",
};

static int write_text(void *data, const char *bytes, size_t length)
{
	oclmm_text_add_bytes(data, bytes, length);
	return 0;
}

static void report_run(struct oclmm_report *report, struct oclmm_tally *tally, size_t index)
{
	const struct oclmm_grade_options options = { 0 };
	const enum oclmm_status statuses[] = { runs[index].weak, A, A, A };
	struct oclmm_expected_file *file = oclmm_expected_create("x");
	struct oclmm_histogram *histogram = oclmm_histogram_create(2);
	struct oclmm_record record = {
		.file = "relaxed/SB.litmus",
		.family = runs[index].family,
		.support = runs[index].class,
		.master_seed = 42,
		.seed = UINT64_MAX,
		.seconds = 0.25,
		.stimulus = 0xaa,
	};
	struct sb sb;

	sb_init(&sb, runs[index].name, runs[index].quantifier, statuses);
	oclmm_expected_add(file, &sb.answer, OCLMM_MODEL_CONSENSUS);
	record.program = &sb.program;
	record.expected = oclmm_expected_at(file, 0);
	for (int i = 0; i < 4; i++) {
		oclmm_histogram_add(histogram, sb.values[i], runs[index].counts[i]);
		record.instances += runs[index].counts[i];
	}
	if (record.support == OCLMM_CLASS_UNSUPPORTED) {
		record.ended = OCLMM_ENDED_UNSUPPORTED;
		record.message = "sub-groups";
	} else {
		record.histogram = histogram;
	}
	oclmm_grade(&record, &options);
	oclmm_tally_add(tally, &record);
	oclmm_report_record(report, &record);
	oclmm_grade_finish(&record.grade);
	oclmm_histogram_destroy(histogram);
	oclmm_expected_destroy(file);
}

static char *make_report(const char *kind)
{
	struct oclmm_text text;
	struct oclmm_tally tally = { .left_out = 2 };
	struct oclmm_report report;

	oclmm_text_init(&text);
	oclmm_report_begin(&report, oclmm_report_kind(kind),
	                   (struct oclmm_sink){ .write = write_text, .data = &text }, &header);
	for (size_t i = 0; i < OCLMM_COUNT(runs); i++)
		report_run(&report, &tally, i);
	assert_int_equal(oclmm_tally_exit(&tally, false), OCLMM_EXIT_FORBIDDEN);
	assert_int_equal(oclmm_report_end(&report, &tally, oclmm_tally_exit(&tally, false)), 0);
	return oclmm_text_steal(&text);
}

static void check_golden(const char *kind)
{
	const char *folder = getenv("OCLMM_GOLDEN");
	char path[512], *wanted, *written = make_report(kind);
	size_t length;

	assert_non_null(folder);
	snprintf(path, sizeof(path), "%s/%s.golden", folder, kind);
	assert_int_equal(oclmm_read_file(path, &wanted, &length), 0);
	assert_string_equal(written, wanted);
	free(wanted);
	free(written);
}

static void test_text(void **state)
{
	(void)state;
	check_golden("text");
}

static void test_summary(void **state)
{
	(void)state;
	check_golden("summary");
}

/* Every line stands for itself, the last says that the file is complete. */
static void test_json(void **state)
{
	char *text = make_report("json"), *save, *line = strtok_r(text, "\n", &save);
	const char *const types[] = { "run", "test", "test", "test", "test", "end" };
	json_t *objects[OCLMM_COUNT(types)], *outcome;

	(void)state;
	for (size_t i = 0; i < OCLMM_COUNT(types); i++, line = strtok_r(NULL, "\n", &save)) {
		assert_non_null(line);
		objects[i] = json_loads(line, 0, NULL);
		assert_non_null(objects[i]);
		assert_string_equal(json_string_value(json_object_get(objects[i], "type")), types[i]);
	}
	assert_null(line);
	assert_string_equal(json_string_value(json_object_get(objects[0], "seed")), "42");
	assert_string_equal(json_string_value(json_object_get(objects[2], "verdict")), "forbidden");
	assert_string_equal(json_string_value(json_object_get(objects[2], "test")), "SB.order=sc");
	assert_string_equal(json_string_value(json_object_get(objects[2], "seed")), "18446744073709551615");
	assert_int_equal(json_integer_value(json_object_get(objects[2], "forbidden")), 2);
	outcome = json_array_get(json_object_get(objects[3], "outcomes"), 0);
	assert_string_equal(json_string_value(json_object_get(outcome, "status")), "disputed");
	assert_int_equal(json_array_size(json_object_get(outcome, "deciding")), 2);
	assert_int_equal(json_integer_value(json_object_get(json_object_get(outcome, "values"), "1:r0")), 0);
	assert_string_equal(json_string_value(json_object_get(objects[4], "message")), "sub-groups");
	assert_int_equal(json_integer_value(json_object_get(objects[5], "exit")), 1);
	assert_int_equal(json_integer_value(json_object_get(objects[5], "tests")), 4);
	for (size_t i = 0; i < OCLMM_COUNT(types); i++)
		json_decref(objects[i]);
	free(text);
}

static int write_once(void *data, const char *bytes, size_t length)
{
	int *calls = data;

	(void)bytes;
	(void)length;
	return (*calls)++ ? -ENOSPC : 0;
}

/* A full disk is reported, and nothing is written behind the hole. */
static void test_sink_fails(void **state)
{
	struct oclmm_tally tally = { 0 };
	struct oclmm_report report;
	int calls = 0;

	(void)state;
	oclmm_report_begin(&report, &oclmm_report_json,
	                   (struct oclmm_sink){ .write = write_once, .data = &calls }, &header);
	for (size_t i = 0; i < OCLMM_COUNT(runs); i++)
		report_run(&report, &tally, i);
	assert_int_equal(oclmm_report_end(&report, &tally, OCLMM_EXIT_FORBIDDEN), -ENOSPC);
	assert_int_equal(calls, 2);
}

static void test_quantity(void **state)
{
	static const struct {
		double number;
		const char *text;
	} cases[] = {
		{ 0, "0" }, { 7, "7" }, { 0.25, "0.25" }, { 999, "999" }, { 1000, "1.0 k" },
		{ 12345, "12.3 k" }, { 999960, "1.0 M" }, { 123456789, "123 M" }, { 3.2e10, "32.0 G" },
		{ 5e13, "50.0 T" },
	};

	(void)state;
	for (size_t i = 0; i < OCLMM_COUNT(cases); i++) {
		struct oclmm_text text;

		oclmm_text_init(&text);
		oclmm_report_quantity(&text, cases[i].number);
		assert_string_equal(oclmm_text_string(&text), cases[i].text);
		oclmm_text_finish(&text);
	}
}

static void test_kinds(void **state)
{
	(void)state;
	assert_ptr_equal(oclmm_report_kind("json"), &oclmm_report_json);
	assert_null(oclmm_report_kind("xml"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_summary),
		cmocka_unit_test(test_json),
		cmocka_unit_test(test_sink_fails),
		cmocka_unit_test(test_quantity),
		cmocka_unit_test(test_kinds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
