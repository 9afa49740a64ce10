// SPDX-License-Identifier: Apache-2.0
#include "../fixture/test.h"
#include "read_page.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what is there ---- */

TEST(test_every_verdict_is_told)
{
	const struct oclmm_page_options options = {.demand.confidence = 0.95};
	struct read_page page;
	struct sample sample;

	sample_make(&sample, false);
	write_page(&page, constant(&sample), SAMPLE_TESTS, &options);
	assert_int_equal(page.counts.tests, SAMPLE_TESTS);
	assert_int_equal(page.counts.columns, 1);
	assert_int_equal(json_array_size(json_object_get(page.data, "tests")), SAMPLE_TESTS);
	for (int i = 0; i < SAMPLE_TESTS; i++) {
		const char *name = sample.records[i]->program->name;
		const char *verdict = oclmm_verdict_word(sample.records[i]->grade.verdict);
		char path[160];

		assert_string_equal(
			json_string_value(member(find_record(&page, name, 0), "verdict")), verdict);
		/* and where no script runs */
		snprintf(path, sizeof(path),
		         "//h:noscript//h:tr[h:th='%s' and contains(h:td, '%s')]", name, verdict);
		assert_int_equal(count(&page, path), 1);
	}
	drop_page(&page);
	sample_finish(&sample);
}

/* Each kind of control by itself. */
TEST(test_silence_is_told)
{
	static const char summed[] = "//h:p[contains(., '1 with 95 % confidence (1 hardware, 1 "
				     "compiler), 1 inconclusive')]",
			  defined[] = "//h:details[@id='legend']//h:p[contains(., 'a device with "
				      "the bug stayed silent')]";
	static const struct {
		const char *kind;
		double escape;
		const char *name;
	} kinds[] = {
		{"hardware", 3.8e-6, "SB"},
		{"compiler", 1.9e-6, "SB+silent~exchange-P0.1-2"},
	};
	const struct oclmm_page_options options = {.demand.confidence = 0.95};
	struct read_page page;
	struct sample sample;
	const json_t *judged;

	sample_make(&sample, false);
	write_page(&page, constant(&sample), SAMPLE_TESTS, &options);
	judged = member(find_record(&page, "SB+silent", 0), "judged");
	assert_float_equal(json_number_value(member(judged, "limit")), 0.15, 0.005);
	for (size_t i = 0; i < OCLMM_COUNT(kinds); i++) {
		char escape[40];

		snprintf(escape, sizeof(escape), "%s_escape", kinds[i].kind);
		assert_string_equal(json_string_value(member(judged, kinds[i].kind)), "reached");
		assert_float_equal(json_number_value(member(judged, escape)), kinds[i].escape,
		                   5e-8);
		assert_string_equal(string(&page, find_cell(&page, "SB+silent", 0), kinds[i].kind),
		                    kinds[i].name);
	}
	assert_int_equal(count(&page, summed), 1);
	assert_int_equal(count(&page, defined), 1);
	drop_page(&page);
	sample_finish(&sample);
}

TEST(test_outcomes_are_marked)
{
	static const char weak[] = "0:r0=0; 1:r0=0;";
	const struct oclmm_page_options options = {.demand.confidence = 0.95};
	struct read_page page;
	struct sample sample;

	sample_make(&sample, false);
	write_page(&page, constant(&sample), SAMPLE_TESTS, &options);
	assert_status(&page, "SB.order=sc", 0, weak, "forbidden", true);
	assert_int_equal(count_outcome(&page, "SB.order=sc", 0, weak), 2);
	assert_status(&page, "SB", 0, weak, "allowed", true);
	assert_status(&page, "SB", 0, "0:r0=0; 1:r0=1;", "allowed", false);
	/* of a test that claims `forall` every counterexample is asked about */
	assert_status(&page, "SB+disputed", 0, weak, "disputed", false);
	assert_status(&page, "SB+disputed", 0, "0:r0=0; 1:r0=1;", "allowed", true);
	assert_text(&page, "//h:section[@id='attention']//h:tbody/h:tr[1]/h:th", "SB.order=sc");
	drop_page(&page);
	sample_finish(&sample);
}

TEST(test_links_lead_somewhere)
{
	const struct oclmm_page_options options = {.demand.confidence = 0.95};
	struct read_page page;
	struct sample sample;

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

/* More than is looked back at when the results are packed: random words, and later ones again. */
TEST(test_many_results)
{
	enum { RECORDS = 90, LENGTH = 100 * 1000, DIFFERENT = 40 };
	const struct oclmm_page_options options = {.demand.confidence = 0.95};
	struct made *made = oclmm_calloc(RECORDS, sizeof(*made));
	const struct oclmm_record *records[RECORDS];
	char names[RECORDS][16], *messages[DIFFERENT];
	struct read_page page;

	for (size_t i = 0; i < DIFFERENT; i++) {
		messages[i] = oclmm_calloc(1, LENGTH + 1);
		for (size_t k = 0; k < LENGTH; k++)
			messages[i][k] = (char)('!' + oclmm_random(i, k) % 90);
	}
	for (size_t i = 0; i < RECORDS; i++) {
		snprintf(names[i], sizeof(names[i]), "t%02zu", i);
		made_init(&made[i], names[i], OCLMM_STATUS_ALLOWED, (const uint64_t[]){1, 1, 1, 1});
		/* each twice, once near and once further back than is looked */
		made[i].record.message = messages[i / 2 % DIFFERENT];
		made_grade(&made[i], NULL);
		records[i] = &made[i].record;
	}
	write_page(&page, records, RECORDS, &options);
	assert_int_equal(json_array_size(page.records), RECORDS);
	for (size_t i = 0; i < RECORDS; i++) {
		const json_t *message = member(at(page.records, i), "message");

		assert_string_equal(json_string_value(member(at(page.records, i), "test")),
		                    names[i]);
		assert_string_equal(json_string_value(message), records[i]->message);
		made_finish(&made[i]);
	}
	/* what stands near is not written again */
	assert_true(page.text.length < (size_t)RECORDS * LENGTH * 2 / 3);
	drop_page(&page);
	for (size_t i = 0; i < DIFFERENT; i++)
		free(messages[i]);
	free(made);
}

/* ---- names that mean harm ---- */

/* A reader of HTML looks for the end of a script in the text itself. */
static void assert_holds_no_markup(const char *page, const char *element, const char *end)
{
	const char *data = strstr(page, element);
	size_t length;

	assert_non_null(data);
	data = strchr(data, '>') + 1;
	length = strcspn(data, "<>&");
	assert_memory_equal(data + length, "</script>", 9);
	assert_memory_equal(data + length - strlen(end), end, strlen(end));
}

TEST(test_names_are_escaped)
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

	made_init(&made, hostile, OCLMM_STATUS_ALLOWED, (const uint64_t[]){1, 1, 1, 1});
	made.record.identity.device = made.record.identity.driver = made.record.identity.platform =
		hostile;
	made.record.message = made.record.build_log = made.record.family = hostile;
	made.record.environment = made.record.identity.version = made.record.control = hostile;
	made_grade(&made, NULL);
	records[0] = &made.record;
	write_page(&page, records, 1, &options);
	assert_int_equal(count(&page, "//h:script"), 3);
	assert_text(&page, "//h:title", shown);
	assert_text(&page, "//h:noscript//h:tr/h:th[@scope='row']", shown);
	assert_string_equal(string(&page, at(member(page.data, "tests"), 0), "name"), shown);
	assert_null(strstr(page.text.data, "<script>alert"));
	assert_holds_no_markup(page.text.data, "<script type=\"text/plain\"", "}\n");
	assert_holds_no_markup(page.text.data, "<script type=\"application/json\"", "]}\n");
	assert_int_equal(count(&page, "//*[contains(@id, ' ') or contains(@id, '<')]"), 0);
	drop_page(&page);
	made_finish(&made);
}
