// SPDX-License-Identifier: Apache-2.0
/* Results read back: what was written comes back. */

#include "../fixture/test.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sample.h"

static struct oclmm_results *parse(const char *text)
{
	struct oclmm_results *results = NULL;
	struct oclmm_error error = {0};

	if (oclmm_results_parse("x.jsonl", text, strlen(text), false, &error, &results) < 0)
		fail_msg("%u:%u: %s", error.position.line, error.position.column, error.message);
	return results;
}

/* A file of its own, read as those do who only look at records. */
static struct oclmm_results *read_records(const char *text)
{
	char path[] = "/tmp/oclmm-results-XXXXXX";
	struct oclmm_results *results = NULL;
	struct oclmm_error error = {0};
	int file = mkstemp(path), r;

	assert_true(file >= 0);
	assert_int_equal(write(file, text, strlen(text)), strlen(text));
	close(file);
	r = oclmm_results_read(path, false, false, &error, &results);
	unlink(path);
	if (r < 0)
		fail_msg("%u:%u: %s", error.position.line, error.position.column, error.message);
	return results;
}

static void same_text(const char *a, const char *b)
{
	assert_string_equal(a ? a : "(none)", b ? b : "(none)");
}

static void check_evidence(const struct oclmm_evidence *written, const struct oclmm_evidence *read)
{
	assert_int_equal(!read, !written);
	if (!read)
		return;
	assert_true(oclmm_evidence_fits(read, written));
	assert_int_equal(read->block_count, written->block_count);
	for (size_t i = 0; i < read->block_count; i++) {
		assert_true(read->blocks[i].repeat == written->blocks[i].repeat);
		assert_memory_equal(read->blocks[i].members, written->blocks[i].members,
		                    (1 + read->control_count) * sizeof(*read->blocks[i].members));
	}
	for (size_t i = 0; i < read->control_count; i++) {
		const struct oclmm_evidence_control *ours = &written->controls[i],
						    *own = &read->controls[i];

		assert_true(own->instances == ours->instances);
		assert_true(own->compared == ours->compared && own->values == ours->values);
		assert_int_equal(own->seldom_count, ours->seldom_count);
		if (own->seldom_count)
			assert_memory_equal(own->seldom, ours->seldom, sizeof(*own->seldom));
	}
	assert_int_equal(read->outcome_count, written->outcome_count);
	assert_memory_equal(read->outcomes[0].values, written->outcomes[0].values,
	                    2 * sizeof(int64_t));
	assert_true(read->outcomes[0].count == written->outcomes[0].count);
	assert_true(read->rounds == written->rounds && read->met == written->met);
}

static void check_record(const struct oclmm_record *written, const struct oclmm_record *read)
{
	same_text(read->program->name, written->program->name);
	assert_true(read->program->hash == written->program->hash);
	same_text(read->file, written->file);
	same_text(read->family, written->family);
	same_text(read->identity.platform, written->identity.platform);
	same_text(read->identity.device, written->identity.device);
	same_text(read->identity.device_id, written->identity.device_id);
	same_text(read->identity.version, written->identity.version);
	same_text(read->identity.driver, written->identity.driver);
	same_text(read->environment, written->environment);
	same_text(read->identity.options, written->identity.options);
	same_text(read->message, written->message);
	same_text(read->control, written->control);
	same_text(read->oracle, written->oracle);
	same_text(read->started, written->started);
	assert_int_equal(read->support, written->support);
	assert_int_equal(read->end, written->end);
	assert_true(read->master_seed == written->master_seed && read->seed == written->seed);
	assert_true(read->counts.instances == written->counts.instances &&
	            read->counts.launches == written->counts.launches);
	assert_true(read->counts.seconds == written->counts.seconds &&
	            read->attempts == written->attempts);
	assert_true(read->counts.stimulus == written->counts.stimulus &&
	            read->counts.source_hash == written->counts.source_hash);
	assert_int_equal(read->counts.halved, written->counts.halved);
	assert_memory_equal(&read->counts.halved_at, &written->counts.halved_at,
	                    sizeof(read->counts.halved_at));
	assert_int_equal(read->grade.gates, written->grade.gates);
	assert_int_equal(read->grade.row_count, written->grade.row_count);
	same_text(read->grade.known, written->grade.known);
	check_evidence(written->evidence, read->evidence);
	for (uint32_t i = 0; i < read->grade.row_count; i++) {
		const struct oclmm_graded_row *a = &read->grade.rows[i],
					      *b = &written->grade.rows[i];

		assert_memory_equal(a->values, b->values, 2 * sizeof(*a->values));
		assert_true(a->count == b->count && a->status == b->status &&
		            a->deciding == b->deciding);
		assert_int_equal(a->witness, b->witness);
	}
}

TEST(test_round_trip)
{
	struct oclmm_results *results;
	struct sample sample;
	char *text;

	sample_make(&sample, false);
	text = sample_text(&sample);
	results = parse(text);
	assert_true(results->complete);
	assert_false(results->interrupted);
	assert_int_equal(results->run_count, 1);
	same_text(results->runs[0].header.identity.device, "Pocket GPU");
	assert_true(results->runs[0].header.seed == 42);
	assert_int_equal(results->saved_count, SAMPLE_TESTS);
	for (size_t i = 0; i < SAMPLE_TESTS; i++)
		check_record(sample.records[i], &results->saved[i].record);
	oclmm_results_destroy(results);
	free(text);
	sample_finish(&sample);
}

/* A value that no JSON number is: by its type's bits, and written again as it was. */
TEST(test_values_by_bits)
{
	static const struct {
		const char *text;
		enum oclmm_type type;
		uint64_t bits;
	} rows[] = {
		{"-0.0f", OCLMM_TYPE_FLOAT, 0x80000000},
		{"-INFINITY", OCLMM_TYPE_FLOAT, 0xff800000},
		{"as_float(0x7fc00123)", OCLMM_TYPE_FLOAT, 0x7fc00123},
		{"HUGE_VAL", OCLMM_TYPE_DOUBLE, UINT64_C(0x7ff) << 52},
		{"as_half(0x7e01)", OCLMM_TYPE_HALF, 0x7e01},
	};
	static const char key[] = "\"values\":{\"0:r0\":";
	struct sample sample;
	char *text;

	sample_make(&sample, false);
	text = sample_text(&sample);
	for (size_t i = 0; i < OCLMM_COUNT(rows); i++) {
		const char *at = strstr(text, key) + strlen(key);
		struct oclmm_results *results;
		const struct oclmm_record *record;
		struct oclmm_text changed = {0}, printed = {0};

		oclmm_text_printf(&changed, "%.*s\"%s\"%s", (int)(at - text), text, rows[i].text,
		                  at + strspn(at, "0123456789"));
		results = parse(oclmm_text_string(&changed));
		record = &results->saved[0].record;
		assert_int_equal(record->program->observables[0].type, rows[i].type);
		assert_int_equal(oclmm_value_bits(rows[i].type, record->grade.rows[0].values[0]),
		                 rows[i].bits);
		oclmm_outcome_print(&printed, record->program, record->grade.rows[0].values);
		assert_memory_equal(oclmm_text_string(&printed) + strlen("0:r0="), rows[i].text,
		                    strlen(rows[i].text));
		oclmm_text_finish(&printed);
		oclmm_text_finish(&changed);
		oclmm_results_destroy(results);
	}
	free(text);
	sample_finish(&sample);
}

/* A record that is joined with its test again is graded as it was. */
TEST(test_grades_again)
{
	struct oclmm_histogram *histograms[SAMPLE_TESTS];
	struct oclmm_record *records[SAMPLE_TESTS];
	struct oclmm_results *results;
	struct oclmm_tally tally = {.left_out = 2};
	struct sample sample;
	char *text;

	sample_make(&sample, false);
	text = sample_text(&sample);
	results = parse(text);
	for (size_t i = 0; i < SAMPLE_TESTS; i++) {
		const struct oclmm_grade_options options = {.expectations = sample.expectations,
		                                            .today = 20260615};

		assert_int_equal(oclmm_saved_bind(&results->saved[i], sample.records[i]->program,
		                                  &histograms[i]),
		                 0);
		records[i] = &results->saved[i].record;
		records[i]->expected = sample.records[i]->expected;
		oclmm_grade(records[i], &options);
	}
	oclmm_grade_confidence(records, SAMPLE_TESTS, &sample.header.demand);
	for (size_t i = 0; i < SAMPLE_TESTS; i++) {
		assert_int_equal(records[i]->grade.verdict, sample.records[i]->grade.verdict);
		assert_true(records[i]->grade.control.escape ==
		            sample.records[i]->grade.control.escape);
		assert_true(records[i]->grade.weak == sample.records[i]->grade.weak);
		oclmm_tally_add(&tally, records[i]);
	}
	assert_memory_equal(&tally, &sample.tally, sizeof(tally));
	for (size_t i = 0; i < SAMPLE_TESTS; i++) {
		oclmm_grade_finish(&records[i]->grade);
		oclmm_histogram_destroy(histograms[i]);
	}
	oclmm_results_destroy(results);
	free(text);
	sample_finish(&sample);
}

/* Before files said what failed, they said that something had; and `grade` called a test lost that
 * the oracle did not answer. */
TEST(test_older_ends)
{
	static const struct {
		const char *from, *to;
		enum oclmm_end end;
	} cases[] = {
		{"\"ended\":\"crash\",\"cause\":\"device-error\",", "\"ended\":\"crash\",",
	         OCLMM_END_CRASH},
		{"\"ended\":\"crash\",\"cause\":\"device-error\",",
	         "\"ended\":\"lost\",\"cause\":null,", OCLMM_END_LOST},
		{"\"ended\":\"crash\",\"cause\":\"device-error\",",
	         "\"ended\":\"timeout\",\"cause\":null,", OCLMM_END_TIMEOUT},
		{"\"ended\":\"crash\",\"cause\":\"device-error\",", "\"ended\":\"build-failed\",",
	         OCLMM_END_BUILD_FAILED},
		{"\"ended\":\"crash\",\"cause\":\"device-error\",",
	         "\"ended\":\"lost\",\"cause\":\"oracle\",", OCLMM_END_ORACLE},
	};
	struct sample sample;
	char *text;

	sample_make(&sample, false);
	text = sample_text(&sample);
	for (size_t i = 0; i < OCLMM_COUNT(cases); i++) {
		char *older = sample_damage(text, cases[i].from, cases[i].to);
		struct oclmm_results *results = parse(older);

		assert_int_equal(results->saved[6].record.end, cases[i].end);
		oclmm_results_destroy(results);
		free(older);
	}
	free(text);
	sample_finish(&sample);
}

/* Another test of the same name is not graded by mistake. */
TEST(test_changed_test)
{
	struct oclmm_histogram *histogram = NULL;
	struct oclmm_results *results;
	struct oclmm_program other;
	struct sample sample;
	char *text;

	sample_make(&sample, false);
	text = sample_text(&sample);
	results = parse(text);
	other = *sample.records[0]->program;
	other.hash++;
	assert_int_equal(oclmm_saved_bind(&results->saved[0], &other, &histogram), -ESTALE);
	other.hash--;
	other.observable_count = 1;
	assert_int_equal(oclmm_saved_bind(&results->saved[0], &other, &histogram), -EINVAL);
	assert_null(histogram);
	oclmm_results_destroy(results);
	free(text);
	sample_finish(&sample);
}

/* Blanks between the parts of a line, brackets and the key itself in its texts change nothing. */
TEST(test_outcomes_one_by_one)
{
	struct oclmm_results *wanted, *got;
	struct oclmm_text spaced = {0};
	struct sample sample;
	bool quoted = false;
	char *text;

	sample_make(&sample, false);
	text = sample_text(&sample);
	for (const char *c = text; *c; c++) {
		quoted ^= *c == '"' && c[-1] != '\\';
		oclmm_text_add_bytes(&spaced, c, 1);
		if (!quoted && strchr("{}[],:", *c))
			oclmm_text_add(&spaced, " \t");
	}
	wanted = parse(text);
	got = parse(oclmm_text_string(&spaced));
	assert_int_equal(got->saved_count, wanted->saved_count);
	for (size_t i = 0; i < got->saved_count; i++) {
		assert_int_equal(got->saved[i].record.grade.row_count,
		                 wanted->saved[i].record.grade.row_count);
		check_evidence(wanted->saved[i].record.evidence, got->saved[i].record.evidence);
		assert_string_equal(got->saved[i].text, wanted->saved[i].text);
		/* as it was written: it is canonical already */
		assert_non_null(strstr(text, got->saved[i].text));
	}
	oclmm_results_destroy(wanted);
	oclmm_results_destroy(got);
	oclmm_text_finish(&spaced);
	free(text);
	sample_finish(&sample);
}

/* Where a text ends is seen by the backslashes in front of its quotes: one that is read to its
 * wrong end would hide the key behind it, or be the key. */
TEST(test_outcomes_behind_quotes_and_backslashes)
{
	static const struct {
		const char *written, *message;
	} messages[] = {
		{"\"\\\\\"", "\\"},
		{"\"a\\\\\\\"\"", "a\\\""},
		{"\"\\\"\\\\\\\\\"", "\"\\\\"},
		{"\"\"", ""},
		{"\"\\\",\\\"outcomes\\\":[{\\\\\"", "\",\"outcomes\":[{\\"},
	};
	struct oclmm_results *wanted, *got;
	struct sample sample;
	char *text, *changed, replacement[64];

	sample_make(&sample, false);
	text = sample_text(&sample);
	wanted = parse(text);
	for (size_t i = 0; i < OCLMM_COUNT(messages); i++) {
		snprintf(replacement, sizeof(replacement), "\"message\":%s", messages[i].written);
		changed = sample_damage(text, "\"message\":null", replacement);
		got = parse(changed);
		assert_int_equal(got->saved_count, wanted->saved_count);
		assert_string_equal(got->saved[0].record.message, messages[i].message);
		for (size_t k = 0; k < got->saved_count; k++) {
			assert_int_equal(got->saved[k].record.grade.row_count,
			                 wanted->saved[k].record.grade.row_count);
			check_evidence(wanted->saved[k].record.evidence,
			               got->saved[k].record.evidence);
		}
		assert_non_null(strstr(changed, got->saved[0].text));
		oclmm_results_destroy(got);
		free(changed);
	}
	oclmm_results_destroy(wanted);
	free(text);
	sample_finish(&sample);
}

/* Older files say how often, and not where. */
TEST(test_halved_somewhere)
{
	const struct oclmm_record *record;
	struct oclmm_results *results;
	struct oclmm_text replay = {0};
	struct sample sample;
	char *text, *older;

	sample_make(&sample, false);
	text = sample_text(&sample);
	older = sample_damage(text, ",\"halved_at\":[0,2]", "");
	results = parse(older);
	record = &results->saved[1].record;
	assert_int_equal(record->counts.halved, 2);
	assert_int_equal(record->counts.halved_at.count, 0);
	oclmm_report_halvings(&replay, &record->counts.halved_at);
	assert_string_equal(oclmm_text_string(&replay), "");
	oclmm_text_finish(&replay);
	oclmm_results_destroy(results);
	free(older);
	free(text);
	sample_finish(&sample);
}

/* What compare looks at is the same, and the texts of records were not made. */
TEST(test_records_alone)
{
	struct oclmm_results *whole, *alone;
	struct sample sample;
	char *text;

	sample_make(&sample, false);
	text = sample_text(&sample);
	whole = parse(text);
	alone = read_records(text);
	assert_int_equal(alone->run_count, whole->run_count);
	assert_int_equal(alone->saved_count, whole->saved_count);
	assert_string_equal(alone->runs[0].text, whole->runs[0].text);
	for (size_t i = 0; i < whole->saved_count; i++) {
		struct oclmm_grade *a = &alone->saved[i].record.grade,
				   *b = &whole->saved[i].record.grade;

		assert_non_null(whole->saved[i].text);
		assert_null(alone->saved[i].text);
		assert_true(alone->saved[i].line_hash == whole->saved[i].line_hash);
		assert_int_equal(oclmm_saved_compare(&alone->saved[i], &whole->saved[i]), 0);
		assert_int_equal(a->verdict, b->verdict);
		assert_int_equal(a->row_count, b->row_count);
		for (uint32_t k = 0; k < a->row_count; k++)
			assert_true(a->rows[k].count == b->rows[k].count);
	}
	oclmm_results_destroy(alone);
	oclmm_results_destroy(whole);
	free(text);
	sample_finish(&sample);
}

/* Many sections, each with a line that is longer than what is read at once. */
static char *make_long(void)
{
	enum { SECTIONS = 4, LONG = 600 * 1000 };
	struct oclmm_text text = {0};
	char *message = oclmm_calloc(1, LONG + 1);
	struct sample sample;
	char *plain, *section;

	sample_make(&sample, false);
	memset(message, 'x', LONG);
	sample.records[0]->message = message;
	plain = sample_text(&sample);
	sample.records[0]->message = NULL;
	section = sample_text(&sample);
	oclmm_text_add(&text, plain);
	for (int i = 0; i < SECTIONS; i++)
		oclmm_text_add(&text, section);
	oclmm_text_add(&text, plain);
	free(section);
	free(plain);
	free(message);
	sample_finish(&sample);
	return oclmm_text_steal(&text);
}

/* A file is read by blocks: it says what its text says. */
TEST(test_longer_than_a_block)
{
	char *text = make_long();
	struct oclmm_results *whole = parse(text), *read = read_records(text);

	assert_true(whole->saved_count > SAMPLE_TESTS);
	assert_int_equal(read->run_count, whole->run_count);
	assert_int_equal(read->saved_count, whole->saved_count);
	assert_true(read->complete);
	for (size_t i = 0; i < whole->saved_count; i++) {
		assert_true(read->saved[i].line_hash == whole->saved[i].line_hash);
		assert_int_equal(read->saved[i].line, whole->saved[i].line);
		same_text(read->saved[i].record.message, whole->saved[i].record.message);
	}
	oclmm_results_destroy(read);
	oclmm_results_destroy(whole);
	free(text);
}

/* Wherever it ends, its line is the one that is named. */
TEST(test_cut_behind_a_block)
{
	char *text = make_long(), path[] = "/tmp/oclmm-results-XXXXXX";
	size_t length = strlen(text), lines = 1;
	struct oclmm_results *results = NULL;
	struct oclmm_error error = {0};
	int file = mkstemp(path);

	for (size_t i = 0; i < length - 10; i++)
		lines += text[i] == '\n';
	assert_true(file >= 0);
	assert_int_equal(write(file, text, length - 10), length - 10);
	close(file);
	assert_int_equal(oclmm_results_read(path, false, false, &error, &results), -EINVAL);
	assert_string_equal(error.message, "the last line was cut off");
	assert_int_equal(error.position.line, lines);
	assert_int_equal(oclmm_results_read(path, true, false, &error, &results), 0);
	assert_false(results->complete);
	oclmm_results_destroy(results);
	unlink(path);
	free(text);
}
