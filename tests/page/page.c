// SPDX-License-Identifier: Apache-2.0
#include "read_page.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what is there ---- */

static void test_every_verdict_is_told(void **state)
{
	const struct oclmm_page_options options = {.demand.confidence = 0.95};
	struct read_page page;
	struct sample sample;

	(void)state;
	sample_make(&sample, false);
	write_page(&page, constant(&sample), SAMPLE_TESTS, &options);
	assert_int_equal(page.counts.tests, SAMPLE_TESTS);
	assert_int_equal(page.counts.columns, 1);
	assert_int_equal(json_array_size(json_object_get(page.data, "tests")), SAMPLE_TESTS);
	for (int i = 0; i < SAMPLE_TESTS; i++) {
		const char *name = sample.records[i]->program->name;
		const char *verdict = oclmm_verdict_word(sample.records[i]->grade.verdict);
		char path[160];

		assert_string_equal(word_of(&page, "verdicts",
		                            number(find_cell(&page, name, 0), VERDICT)),
		                    verdict);
		/* and where no script runs */
		snprintf(path, sizeof(path),
		         "//h:noscript//h:tr[h:th='%s' and contains(h:td, '%s')]", name, verdict);
		assert_int_equal(count(&page, path), 1);
	}
	drop_page(&page);
	sample_finish(&sample);
}

/* Each kind of control by itself. */
static void test_silence_is_told(void **state)
{
	static const char summed[] = "//h:p[contains(., '1 with 95 % confidence (1 hardware, 1 "
				     "compiler), 1 inconclusive')]",
			  defined[] = "//h:details[@id='legend']//h:p[contains(., 'a device with "
				      "the bug stayed silent')]";
	static const struct {
		double escape;
		const char *name;
	} kinds[] = {
		[OCLMM_CONTROL_WEAKER] = {3.8e-6, "SB"},
		[OCLMM_CONTROL_MOVED] = {1.9e-6, "SB+silent~exchange-P0.1-2"},
	};
	const struct oclmm_page_options options = {.demand.confidence = 0.95};
	struct read_page page;
	struct sample sample;
	json_t *evidence;

	(void)state;
	sample_make(&sample, false);
	write_page(&page, constant(&sample), SAMPLE_TESTS, &options);
	evidence = at(find_cell(&page, "SB+silent", 0), EVIDENCE);
	assert_float_equal(json_number_value(at(evidence, 2)), 0.15, 1e-9);
	for (size_t i = 0; i < OCLMM_COUNT(kinds); i++) {
		json_t *kind = at(evidence, 3 + i);

		assert_int_equal(number(kind, 0), OCLMM_CONFIDENCE_REACHED);
		assert_float_equal(json_number_value(at(kind, 1)), kinds[i].escape, 1e-12);
		assert_string_equal(string(&page, kind, 2), kinds[i].name);
	}
	assert_int_equal(count(&page, summed), 1);
	assert_int_equal(count(&page, defined), 1);
	drop_page(&page);
	sample_finish(&sample);
}

/* Devices of two versions may be held to other rules: what broke those of one is told. */
static void test_versions_differ(void **state)
{
	const struct oclmm_page_options options = {.demand.confidence = 0.95};
	struct oclmm_record *records[2];
	struct read_page page;
	struct sample sample;
	struct made other;

	(void)state;
	sample_make(&sample, false);
	made_init(&other, "SB.order=sc", OCLMM_STATUS_ALLOWED, (const uint64_t[]){7, 1, 1, 0});
	other.record.identity.device = "Another";
	other.record.model = "opencl-2.0";
	made_grade(&other, NULL);
	for (int first = 0; first < 2; first++) {
		records[first] = &other.record;
		records[!first] = sample.records[1];
		write_page(&page, (const struct oclmm_record *const *)records, 2, &options);
		assert_kind(&page, "SB.order=sc", "0:r0=0; 1:r0=0;", "forbidden");
		drop_page(&page);
	}
	made_finish(&other);
	sample_finish(&sample);
}

static void test_outcomes_are_marked(void **state)
{
	static const char weak[] = "0:r0=0; 1:r0=0;";
	const struct oclmm_page_options options = {.demand.confidence = 0.95};
	struct read_page page;
	struct sample sample;

	(void)state;
	sample_make(&sample, false);
	write_page(&page, constant(&sample), SAMPLE_TESTS, &options);
	assert_kind(&page, "SB.order=sc", weak, "forbidden");
	assert_int_equal(number(at(find_outcome(&page, "SB.order=sc", weak), COUNTS), 0), 2);
	assert_kind(&page, "SB", weak, "weak");
	assert_kind(&page, "SB", "0:r0=0; 1:r0=1;", "allowed");
	/* of a test that claims `forall` every counterexample is asked about */
	assert_kind(&page, "SB+disputed", weak, "disputed");
	assert_kind(&page, "SB+disputed", "0:r0=0; 1:r0=1;", "weak");
	assert_int_equal(number(find_test(&page, "SB.order=sc"), SEEN), 1 << 0 | 1 << 2);
	assert_text(&page, "//h:section[@id='attention']//h:tbody/h:tr[1]/h:th", "SB.order=sc");
	drop_page(&page);
	sample_finish(&sample);
}

static void test_links_lead_somewhere(void **state)
{
	const struct oclmm_page_options options = {.demand.confidence = 0.95};
	struct read_page page;
	struct sample sample;

	(void)state;
	sample_make(&sample, false);
	write_page(&page, constant(&sample), SAMPLE_TESTS, &options);
	assert_true(count(&page, "//h:a[starts-with(@href, '#t-')]") > 0);
	assert_int_equal(
		count(&page,
	              "//h:a[starts-with(@href, '#t-') and not(substring(@href, 2) = //@id)]"),
		0);
	assert_int_equal(count(&page, "//@id[. = following::*/@id]"), 0);
	assert_int_equal(count(&page, "//h:a[not(starts-with(@href, '#'))] | //@src | //h:link"),
	                 0);
	assert_int_equal(count(&page, "//h:th[not(@scope)]"), 0);
	drop_page(&page);
	sample_finish(&sample);
}

/* Of many outcomes those are shown that tell something, and the most frequent; the rest is summed.
 */
static void test_many_outcomes(void **state)
{
	enum { ROWS = 1000, SHOWN = 256 };
	const struct oclmm_page_options options = {.demand.confidence = 0.95};
	struct oclmm_graded_row *rows = oclmm_calloc(ROWS, sizeof(*rows));
	int64_t(*values)[2] = oclmm_calloc(ROWS, sizeof(*values));
	const struct oclmm_record *record;
	struct oclmm_record many;
	struct made made;
	struct read_page page;
	long long shown = 0;
	const json_t *test;

	(void)state;
	made_init(&made, "SB", OCLMM_STATUS_ALLOWED, (const uint64_t[]){1, 1, 1, 1});
	made_grade(&made, NULL);
	many = made.record;
	record = &many;
	for (int64_t i = 0; i < ROWS; i++) {
		values[i][0] = i;
		rows[i] = (struct oclmm_graded_row){.values = values[i],
		                                    .count = (uint64_t)(i % 7) + 1,
		                                    .status = OCLMM_STATUS_ALLOWED,
		                                    .witness = i == 700};
	}
	/* never seen, but asked about */
	rows[700].count = 0;
	many.grade.rows = rows;
	many.grade.row_count = ROWS;
	write_page(&page, &record, 1, &options);
	test = find_test(&page, "SB");
	assert_int_equal(json_array_size(at(test, OUTCOMES)), SHOWN);
	for (size_t i = 0; i < SHOWN; i++) {
		const json_t *outcome = at(at(test, OUTCOMES), i);

		shown += number(at(outcome, COUNTS), 0);
		/* 142 rows were seen 7 times, 143 six times: no other comes in */
		assert_true(number(at(outcome, COUNTS), 0) >= 6 || number(outcome, 1) == 1);
	}
	assert_kind(&page, "SB", "0:r0=700; 1:r0=0;", "weak");
	assert_int_equal(number(test, OTHERS), ROWS - SHOWN);
	/* 1000 = 142 * 7 + 6, with sums of 28 and of 21; row 700 would have been seen once */
	assert_int_equal(shown + number(at(test, OTHERS_SEEN), 0), 142 * 28 + 21 - 1);
	drop_page(&page);
	made_finish(&made);
	free(rows);
	free(values);
}

/* ---- names that mean harm ---- */

/* A reader of HTML looks for the end of a script in the text itself. */
static void assert_data_holds_no_markup(const char *page)
{
	const char *data = strstr(page, "<script type=\"application/json\"");
	size_t length;

	assert_non_null(data);
	data = strchr(data, '>') + 1;
	length = strcspn(data, "<>&");
	assert_memory_equal(data + length, "</script>", 9);
	assert_memory_equal(data + length - 3, "]}\n", 3);
}

static void test_names_are_escaped(void **state)
{
	static const char hostile[] =
		"</pre></script><!--<script>alert(\"1\")</script>]]>&amp;\x01\xff";
	static const char shown[] = "</pre></script><!--<script>alert(\"1\")</script>]]>&amp;??";
	const struct oclmm_page_options options = {.title = hostile,
	                                           .tool = hostile,
	                                           .demand.confidence = 0.95};
	const struct oclmm_record *records[1];
	struct made made;
	struct read_page page;

	(void)state;
	made_init(&made, hostile, OCLMM_STATUS_ALLOWED, (const uint64_t[]){1, 1, 1, 1});
	made.record.identity.device = made.record.identity.driver = made.record.identity.platform =
		hostile;
	made.record.message = made.record.build_log = made.record.family = hostile;
	made.record.environment = made.record.identity.version = made.record.control = hostile;
	made_grade(&made, NULL);
	records[0] = &made.record;
	write_page(&page, records, 1, &options);
	assert_int_equal(count(&page, "//h:script"), 2);
	assert_text(&page, "//h:title", shown);
	assert_text(&page, "//h:noscript//h:tr/h:th[@scope='row']", shown);
	assert_string_equal(string(&page, at(json_object_get(page.data, "tests"), 0), NAME), shown);
	assert_null(strstr(page.text.data, "<script>alert"));
	assert_data_holds_no_markup(page.text.data);
	assert_int_equal(count(&page, "//*[contains(@id, ' ') or contains(@id, '<')]"), 0);
	drop_page(&page);
	made_finish(&made);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_verdict_is_told),
		cmocka_unit_test(test_outcomes_are_marked),
		cmocka_unit_test(test_silence_is_told),
		cmocka_unit_test(test_versions_differ),
		cmocka_unit_test(test_links_lead_somewhere),
		cmocka_unit_test(test_many_outcomes),
		cmocka_unit_test(test_names_are_escaped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
