// SPDX-License-Identifier: Apache-2.0

#include "../fixture/test.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sample.h"

static char *make_report(const char *kind)
{
	struct oclmm_text text = {0};
	struct sample sample;

	sample_make(&sample, false);
	sample_report(&sample, oclmm_report_kind(kind), &text);
	assert_int_equal(sample.status, OCLMM_EXIT_FORBIDDEN);
	sample_finish(&sample);
	return oclmm_text_steal(&text);
}

static void check_golden(const char *kind)
{
	const char *folder = getenv("OCLMM_GOLDEN");
	char path[512], *wanted, *written = make_report(kind);
	size_t length;

	assert_non_null(folder);
	snprintf(path, sizeof(path), "%s/%s.golden", folder, kind);
	if (oclmm_read_file(path, &wanted, &length))
		fail_msg("%s is missing: print_sample %s prints what it would be", path, kind);
	assert_string_equal(written, wanted);
	free(wanted);
	free(written);
}

/* JSON is read back (results.c, check_schema.py); every other kind has its text here. */
TEST(test_every_kind_is_as_stored)
{
	const struct oclmm_report_kind *kind;

	for (size_t i = 0; (kind = oclmm_report_kind_at(i)); i++)
		if (kind != &oclmm_report_json)
			check_golden(kind->name);
}

static const char *word(json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}

/* Every line stands for itself, the last says that the file is complete. */
TEST(test_json)
{
	char *text = make_report("json"), *save, *line = strtok_r(text, "\n", &save);
	const char *const types[] = {"run",        "test",       "test",       "test", "test",
	                             "test",       "test",       "test",       "test", "test",
	                             "confidence", "confidence", "confidence", "end"};
	json_t *objects[OCLMM_COUNT(types)], *outcome;

	for (size_t i = 0; i < OCLMM_COUNT(types); i++, line = strtok_r(NULL, "\n", &save)) {
		assert_non_null(line);
		objects[i] = json_loads(line, JSON_REJECT_DUPLICATES, NULL);
		assert_non_null(objects[i]);
		assert_string_equal(word(objects[i], "type"), types[i]);
	}
	assert_null(line);
	assert_string_equal(word(objects[0], "seed"), "42");
	assert_string_equal(word(objects[2], "verdict"), "forbidden");
	assert_string_equal(word(objects[2], "test"), "SB.order=sc");
	assert_string_equal(word(objects[2], "seed"), "18446744073709551615");
	assert_int_equal(json_integer_value(json_object_get(objects[2], "forbidden")), 2);
	outcome = json_array_get(json_object_get(objects[3], "outcomes"), 0);
	assert_string_equal(word(outcome, "status"), "disputed");
	assert_int_equal(json_array_size(json_object_get(outcome, "deciding")), 2);
	assert_int_equal(
		json_integer_value(json_object_get(json_object_get(outcome, "values"), "1:r0")), 0);
	assert_string_equal(word(objects[4], "message"), "sub-groups");
	/* the verdict of a pass is final in its line of confidence */
	assert_string_equal(word(objects[6], "verdict"), "pass");
	assert_string_equal(word(objects[11], "test"), "SB+silent");
	assert_string_equal(word(objects[11], "confidence"), "reached");
	assert_int_equal(json_integer_value(json_object_get(objects[11], "seen")), 77);
	assert_string_equal(word(objects[11], "hardware"), "reached");
	assert_string_equal(word(objects[11], "compiler"), "reached");
	assert_string_equal(word(objects[12], "test"), "SB+alone");
	assert_string_equal(word(objects[12], "verdict"), "inconclusive");
	assert_int_equal(json_integer_value(json_object_get(objects[13], "exit")), 1);
	assert_int_equal(json_integer_value(json_object_get(objects[13], "tests")), SAMPLE_TESTS);
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
TEST(test_sink_fails)
{
	struct oclmm_report report;
	struct sample sample;
	int calls = 0;

	sample_make(&sample, false);
	oclmm_report_begin(&report, &oclmm_report_json,
	                   (struct oclmm_sink){.write = write_once, .data = &calls},
	                   &sample.header);
	for (size_t i = 0; i < SAMPLE_TESTS; i++)
		oclmm_report_record(&report, sample.records[i]);
	assert_int_equal(oclmm_report_end(&report, &sample.tally, OCLMM_EXIT_FORBIDDEN), -ENOSPC);
	assert_int_equal(calls, 2);
	sample_finish(&sample);
}

TEST(test_quantity)
{
	static const struct {
		double number;
		const char *text;
	} cases[] = {
		{0, "0"},           {7, "7"},          {0.25, "0.25"},    {999, "999"},
		{1000, "1.0 k"},    {12345, "12.3 k"}, {999960, "1.0 M"}, {123456789, "123 M"},
		{3.2e10, "32.0 G"}, {5e13, "50.0 T"},
	};

	for (size_t i = 0; i < OCLMM_COUNT(cases); i++) {
		struct oclmm_text text = {0};

		oclmm_report_quantity(&text, cases[i].number);
		assert_string_equal(oclmm_text_string(&text), cases[i].text);
		oclmm_text_finish(&text);
	}
}

TEST(test_kinds)
{
	assert_ptr_equal(oclmm_report_kind("json"), &oclmm_report_json);
	assert_null(oclmm_report_kind("xml"));
	for (size_t i = 0; oclmm_report_kind_at(i); i++)
		assert_ptr_equal(oclmm_report_kind(oclmm_report_kind_at(i)->name),
		                 oclmm_report_kind_at(i));
	assert_ptr_equal(oclmm_report_kind_of_file("a.jsonl"), &oclmm_report_json);
	assert_ptr_equal(oclmm_report_kind_of_file(".tap/x.xml"), &oclmm_report_junit);
	assert_ptr_equal(oclmm_report_kind_of_file("a.tap"), &oclmm_report_tap);
	assert_ptr_equal(oclmm_report_kind_of_file("tap"), &oclmm_report_text);
	assert_ptr_equal(oclmm_report_kind_of_file("a.txt"), &oclmm_report_text);
	assert_ptr_equal(oclmm_report_kind_of_file("folder.d/.hidden"), &oclmm_report_text);
	assert_ptr_equal(oclmm_report_kind_of_file("a.json"), &oclmm_report_cts);
	assert_null(oclmm_report_kind_of_file("a.html"));
	assert_null(oclmm_report_kind_of_file("a.jsonl.gz"));
	assert_ptr_equal(oclmm_report_kind_of_file(""), &oclmm_report_text);
}

/* How many of the outcomes whose value begins at `first` a text has. */
static size_t count_told(const char *text, int64_t first, int64_t count)
{
	size_t told = 0;
	char value[32];

	for (int64_t i = 0; i < count; i++) {
		snprintf(value, sizeof(value), "%lld", (long long)(first + i));
		told += strstr(text, value) != NULL;
	}
	return told;
}

static size_t told_by(const struct oclmm_report_kind *kind, int64_t first, int64_t count)
{
	struct oclmm_text text = {0};
	struct sample sample;
	size_t told;

	sample_make(&sample, false);
	for (int64_t i = 0; i < count; i++)
		oclmm_histogram_add(sample.made[1].record.counts.histogram,
		                    (int64_t[]){first + i, 0}, 3);
	sample_report(&sample, kind, &text);
	told = count_told(oclmm_text_string(&text), first, count);
	if (told && told < (size_t)count)
		assert_non_null(strstr(oclmm_text_string(&text), " other"));
	oclmm_text_finish(&text);
	sample_finish(&sample);
	return told;
}

/* What is read by people has twenty of many forbidden outcomes and the sum of the others; what
 * programs read has all, but for JUnit, which has a thousand. */
TEST(test_of_many_outcomes_few_are_told)
{
	enum { FIRST = 7777000, MANY = 2000 };
	const struct oclmm_report_kind *kind;

	for (size_t i = 0; (kind = oclmm_report_kind_at(i)); i++) {
		size_t told = told_by(kind, FIRST, MANY);

		if (kind == &oclmm_report_json || kind == &oclmm_report_text)
			assert_int_equal(told, MANY);
		else
			assert_in_range(told, 0, kind == &oclmm_report_junit ? 1000 : 20);
	}
}
