// SPDX-License-Identifier: Apache-2.0
#include <libxml/parser.h>
#include <libxml/tree.h>
#include <libxml/xpath.h>
#include <libxml/xpathInternals.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../report/sample.h"
#include "oclmm/page.h"

/* A page, and the same read by a parser that accepts nothing but XML. */
struct read_page {
	struct oclmm_text text;
	xmlDoc *document;
	xmlXPathContext *xpath;
	struct oclmm_page_counts counts;
};

static void write_page(struct read_page *page, const struct oclmm_record *const *records,
                       size_t count, const struct oclmm_page_options *options)
{
	oclmm_text_init(&page->text);
	assert_int_equal(
		oclmm_page_write(&page->text, NULL, 0, records, count, options, &page->counts), 0);
	page->document = xmlReadMemory(page->text.data, (int)page->text.length, "page", NULL,
	                               XML_PARSE_NONET);
	assert_non_null(page->document);
	page->xpath = xmlXPathNewContext(page->document);
	xmlXPathRegisterNs(page->xpath, BAD_CAST "h", BAD_CAST "http://www.w3.org/1999/xhtml");
	xmlXPathRegisterNs(page->xpath, BAD_CAST "s", BAD_CAST "http://www.w3.org/2000/svg");
}

static void drop_page(struct read_page *page)
{
	xmlXPathFreeContext(page->xpath);
	xmlFreeDoc(page->document);
	oclmm_text_finish(&page->text);
}

static int count(struct read_page *page, const char *path)
{
	xmlXPathObject *found = xmlXPathEvalExpression(BAD_CAST path, page->xpath);
	int nodes;

	assert_non_null(found);
	nodes = found->nodesetval ? found->nodesetval->nodeNr : 0;
	xmlXPathFreeObject(found);
	return nodes;
}

/* The text of the first node that a path finds. */
static void assert_text(struct read_page *page, const char *path, const char *wanted)
{
	xmlXPathObject *found = xmlXPathEvalExpression(BAD_CAST path, page->xpath);
	char *text;

	assert_non_null(found);
	assert_true(found->nodesetval && found->nodesetval->nodeNr > 0);
	text = (char *)xmlNodeGetContent(found->nodesetval->nodeTab[0]);
	assert_string_equal(text, wanted);
	xmlFree(text);
	xmlXPathFreeObject(found);
}

static const struct oclmm_record *const *constant(struct sample *sample)
{
	return (const struct oclmm_record *const *)sample->records;
}

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
	assert_int_equal(page.counts.configurations, 1);
	assert_int_equal(count(&page, "//h:details[@class='t']"), SAMPLE_TESTS);
	for (int i = 0; i < SAMPLE_TESTS; i++) {
		char path[160];

		snprintf(path, sizeof(path),
		         "//h:details[h:summary/h:b='%s' and contains(@data-v, '%s')]",
		         sample.records[i]->program->name,
		         oclmm_verdict_word(sample.records[i]->grade.verdict));
		assert_int_equal(count(&page, path), 1);
	}
	drop_page(&page);
	sample_finish(&sample);
}

/* Each kind of control by itself, and what the numbers mean. */
static void test_silence_is_told(void **state)
{
	static const char of_silent[] =
		"//h:details[h:summary/h:b='SB+silent']//h:dd/h:p"
		"[contains(., 'compiler 9.5e-07 (SB+silent~exchange-P0.1-2)')"
		" and contains(., 'hardware 1.9e-06 (SB)')"
		" and contains(., 'in 0.15 of launches')]",
			  summed[] = "//h:p[contains(., '1 with 95 % confidence (1 hardware, 1 "
				     "compiler), 1 inconclusive')]",
			  defined[] = "//h:p[contains(., 'a device with the bug: one that shows')]";
	const struct oclmm_page_options options = {.demand.confidence = 0.95};
	struct read_page page;
	struct sample sample;

	(void)state;
	sample_make(&sample, false);
	write_page(&page, constant(&sample), SAMPLE_TESTS, &options);
	assert_int_equal(count(&page, of_silent), 1);
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
	other.record.device = "Another";
	other.record.model = "opencl-2.0";
	made_grade(&other, NULL);
	for (int first = 0; first < 2; first++) {
		records[first] = &other.record;
		records[!first] = sample.records[1];
		write_page(&page, (const struct oclmm_record *const *)records, 2, &options);
		assert_int_equal(count(&page, "//h:tr[@class='forbidden']"), 1);
		drop_page(&page);
	}
	made_finish(&other);
	sample_finish(&sample);
}

static void test_outcomes_are_marked(void **state)
{
	static const char row[] =
		"//h:details[h:summary/h:b='SB.order=sc']//h:tr[@class='forbidden']";
	const struct oclmm_page_options options = {.demand.confidence = 0.95};
	struct read_page page;
	struct sample sample;
	char path[200];

	(void)state;
	sample_make(&sample, false);
	write_page(&page, constant(&sample), SAMPLE_TESTS, &options);
	snprintf(path, sizeof(path), "%s/h:th", row);
	assert_text(&page, path, "0:r0=0; 1:r0=0; ✖ forbidden");
	snprintf(path, sizeof(path), "%s/h:td/h:span", row);
	assert_text(&page, path, "2");
	/* log(3) of log(1000001) */
	snprintf(path, sizeof(path), "%s//h:i[@style='width:8%%']", row);
	assert_int_equal(count(&page, path), 1);
	assert_int_equal(count(&page, "//h:details[h:summary/h:b='SB']//h:tr[@class='weak']"), 1);
	/* of a test that claims `forall` every counterexample is asked about */
	assert_int_equal(
		count(&page, "//h:details[h:summary/h:b='SB+disputed']//h:tr[@class='weak']"), 3);
	assert_int_equal(count(&page, "//h:tr[@class='disputed']"), 1);
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
	assert_int_equal(
		count(&page,
	              "//h:a[starts-with(@href, '#f-') and not(substring(@href, 2) = //@id)]"),
		0);
	assert_int_equal(count(&page, "//@id[. = following::*/@id]"), 0);
	assert_int_equal(count(&page, "//h:a[not(starts-with(@href, '#'))] | //@src | //h:link"),
	                 0);
	assert_int_equal(count(&page, "//h:th[not(@scope)]"), 0);
	drop_page(&page);
	sample_finish(&sample);
}

/* ---- several records ---- */

static void test_records_of_one_device_add_up(void **state)
{
	const struct oclmm_page_options options = {.demand.confidence = 0.95};
	const struct oclmm_record *records[2];
	struct made made[2];
	struct read_page page;

	(void)state;
	made_init(&made[0], "SB", OCLMM_STATUS_FORBIDDEN, (const uint64_t[]){0, 10, 20, 30});
	made_init(&made[1], "SB", OCLMM_STATUS_FORBIDDEN, (const uint64_t[]){1, 1, 2, 3});
	made[1].record.master_seed = made[0].record.master_seed + 1;
	for (int i = 0; i < 2; i++) {
		made_grade(&made[i], NULL);
		records[i] = &made[i].record;
	}
	write_page(&page, records, 2, &options);
	assert_int_equal(page.counts.tests, 1);
	assert_int_equal(page.counts.configurations, 1);
	/* one forbidden outcome is enough, whichever record has it */
	assert_text(&page, "//h:details[@class='t']/@data-v", "forbidden");
	assert_text(&page, "//h:table[@class='h']/h:tbody/h:tr[1]/h:td", "1");
	assert_text(&page, "//h:table[@class='h']/h:tbody/h:tr[4]/h:td", "33");
	drop_page(&page);
	for (int i = 0; i < 2; i++)
		made_finish(&made[i]);
}

static void test_devices_stand_side_by_side(void **state)
{
	const struct oclmm_page_options options = {.demand.confidence = 0.95};
	const struct oclmm_record *records[3];
	struct made made[3];
	struct read_page page;

	(void)state;
	made_init(&made[0], "SB", OCLMM_STATUS_ALLOWED, (const uint64_t[]){0, 10, 20, 30});
	made_init(&made[1], "SB", OCLMM_STATUS_ALLOWED, (const uint64_t[]){5, 1, 2, 3});
	made_init(&made[2], "SB+same", OCLMM_STATUS_ALLOWED, (const uint64_t[]){5, 1, 2, 3});
	made[1].record.device = "Other";
	for (int i = 0; i < 3; i++) {
		made_grade(&made[i], NULL);
		records[i] = &made[i].record;
	}
	write_page(&page, records, 3, &options);
	assert_int_equal(page.counts.tests, 2);
	assert_int_equal(page.counts.configurations, 2);
	assert_int_equal(count(&page,
	                       "//h:details[@id='t-SB']//h:table[@class='h']/h:tbody/h:tr[1]/h:td"),
	                 2);
	/* only SB ran on both, and the weak outcome was seen on one */
	assert_int_equal(count(&page, "//h:section[@id='differences']//h:tbody/h:tr"), 1);
	assert_text(&page, "//h:section[@id='differences']//h:tbody/h:tr/h:th", "SB");
	assert_text(&page, "//h:details[@id='t-SB']/@data-k", "weak differs");
	drop_page(&page);
	for (int i = 0; i < 3; i++)
		made_finish(&made[i]);
}

/* ---- names that mean harm ---- */

static void test_names_are_escaped(void **state)
{
	static const char hostile[] = "</pre><script>alert(\"1\")</script>&amp;\x01\xff";
	const struct oclmm_page_options options = {.title = hostile,
	                                           .tool = hostile,
	                                           .demand.confidence = 0.95};
	const struct oclmm_record *records[1];
	struct made made;
	struct read_page page;

	(void)state;
	made_init(&made, hostile, OCLMM_STATUS_ALLOWED, (const uint64_t[]){1, 1, 1, 1});
	made.record.device = made.record.driver = made.record.platform = hostile;
	made.record.message = made.record.build_log = made.record.family = hostile;
	made.record.environment = made.record.device_version = made.record.control = hostile;
	made_grade(&made, NULL);
	records[0] = &made.record;
	write_page(&page, records, 1, &options);
	assert_int_equal(count(&page, "//h:script"), 1);
	assert_text(&page, "//h:title", "</pre><script>alert(\"1\")</script>&amp;??");
	assert_text(&page, "//h:details[@class='t']/h:summary/h:b",
	            "</pre><script>alert(\"1\")</script>&amp;??");
	assert_null(strstr(page.text.data, "<script>alert"));
	assert_int_equal(count(&page, "//*[contains(@id, ' ') or contains(@id, '<')]"), 0);
	drop_page(&page);
	made_finish(&made);
}

/* ---- graphs ---- */

static char *draw(void *data, const struct oclmm_record *record, const int64_t *values)
{
	(void)record;
	(void)values;
	return oclmm_strdup(data);
}

static char *draw_nothing(void *data, const struct oclmm_record *record, const int64_t *values)
{
	(void)data;
	(void)record;
	(void)values;
	return NULL;
}

static const char svg[] = "<svg xmlns='http://www.w3.org/2000/svg'><text>a &lt; b</text></svg>";

static void test_graphs_are_chosen(void **state)
{
	static const struct {
		enum oclmm_page_graphs graphs;
		size_t wanted;
	} cases[] = {
		{OCLMM_PAGE_GRAPHS_NONE, 0},
		/* SB weak; SB.order=sc, SB+known, SB+accepted forbidden; SB+disputed */
		{OCLMM_PAGE_GRAPHS_INTERESTING, 5},
		/* and SB+silent and SB+alone, for an allowed one; neither skipped nor crashed
	         * tests */
		{OCLMM_PAGE_GRAPHS_ALL, 7},
	};
	struct sample sample;

	(void)state;
	sample_make(&sample, false);
	for (size_t i = 0; i < OCLMM_COUNT(cases); i++) {
		const struct oclmm_page_options options = {
			.graphs = cases[i].graphs,
			.graph = draw,
			.data = (void *)(uintptr_t)svg,
		};
		struct read_page page;

		write_page(&page, constant(&sample), SAMPLE_TESTS, &options);
		assert_int_equal(page.counts.graphs, cases[i].wanted);
		assert_int_equal(count(&page, "//s:svg"), cases[i].wanted);
		drop_page(&page);
	}
	sample_finish(&sample);
}

/* Where nothing can be drawn, nothing is shown. */
static void test_without_a_picture_there_is_no_frame(void **state)
{
	const struct oclmm_page_options options = {.graphs = OCLMM_PAGE_GRAPHS_ALL,
	                                           .graph = draw_nothing};
	struct sample sample;
	struct read_page page;

	(void)state;
	sample_make(&sample, false);
	write_page(&page, constant(&sample), SAMPLE_TESTS, &options);
	assert_int_equal(page.counts.graphs, 0);
	assert_int_equal(count(&page, "//h:figure"), 0);
	drop_page(&page);
	sample_finish(&sample);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_verdict_is_told),
		cmocka_unit_test(test_outcomes_are_marked),
		cmocka_unit_test(test_silence_is_told),
		cmocka_unit_test(test_versions_differ),
		cmocka_unit_test(test_links_lead_somewhere),
		cmocka_unit_test(test_records_of_one_device_add_up),
		cmocka_unit_test(test_devices_stand_side_by_side),
		cmocka_unit_test(test_names_are_escaped),
		cmocka_unit_test(test_graphs_are_chosen),
		cmocka_unit_test(test_without_a_picture_there_is_no_frame),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
