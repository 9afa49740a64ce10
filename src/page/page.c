// SPDX-License-Identifier: Apache-2.0
/* The page as a whole. */
#include "internal.h"

#include <errno.h>
#include <inttypes.h>

static void head(struct page *page, const char *title)
{
	struct markup *markup = page->markup;

	markup_open(markup, "head", NULL);
	markup_void(markup, "meta", "charset", "UTF-8", NULL);
	markup_void(markup, "meta", "name", "viewport", "content",
	            "width=device-width, initial-scale=1", NULL);
	/* what is not in the page is not fetched, and no other script runs, whatever a test is
	 * called */
	markup_void(markup, "meta", "http-equiv", "Content-Security-Policy", "content",
	            oclmm_arena_printf(page->arena,
	                               "default-src 'none'; style-src 'unsafe-inline'; script-src "
	                               "'sha256-%s'",
	                               page_script_hash),
	            NULL);
	markup_void(markup, "meta", "name", "color-scheme", "content", "light dark", NULL);
	markup_element(markup, "title", title, NULL);
	markup_open(markup, "style", NULL);
	markup_raw(markup, page_style);
	markup_close(markup);
	markup_close(markup);
	markup_text(markup, "\n");
}

static uint64_t count_infrastructure(const struct page *page)
{
	uint64_t count = 0;

	for (int verdict = 0; verdict < OCLMM_VERDICT_COUNT; verdict++) {
		if (oclmm_verdict_is_infrastructure((enum oclmm_verdict)verdict))
			count += page_count_verdict(page, (enum oclmm_verdict)verdict);
	}
	return count;
}

/* The first thing to know. */
static void headline(struct page *page)
{
	struct markup *markup = page->markup;
	uint64_t forbidden = page_count_verdict(page, OCLMM_VERDICT_FORBIDDEN),
		 failed = count_infrastructure(page);

	markup_open(markup, "p", "class", "headline", NULL);
	/* of a test that ran in several columns each is one */
	if (forbidden)
		markup_printf(
			markup, "✖ %s showed a forbidden outcome.",
			oclmm_counted(forbidden, page->column_count > 1 ? "result" : "test").text);
	else
		markup_text(markup, "✓ No forbidden outcome was seen.");
	if (failed)
		markup_printf(markup, " ! %" PRIu64 " could not be run to the end.", failed);
	markup_close(markup);
}

/* What that is worth. */
static void silence(struct page *page)
{
	const struct oclmm_demand *demand = &page->options->demand;
	struct oclmm_tally tally = {0};

	for (size_t i = 0; i < page->place_count; i++)
		oclmm_tally_add(&tally, page->places[i].record);
	markup_open(page->markup, "p", NULL);
	markup_printf(page->markup,
	              "Silent %s that can fail: %" PRIu64 " with %g %% confidence (%" PRIu64
	              " hardware, %" PRIu64 " compiler), %" PRIu64
	              " inconclusive, because their controls, in which the outcome is allowed, did "
	              "not show it in enough launches either.",
	              page->column_count > 1 ? "results of tests" : "tests",
	              tally.confidences[OCLMM_CONFIDENCE_REACHED], 100 * demand->confidence,
	              tally.reached[OCLMM_CONTROL_WEAKER], tally.reached[OCLMM_CONTROL_MOVED],
	              oclmm_tally_verdict(&tally, OCLMM_VERDICT_INCONCLUSIVE));
	markup_close(page->markup);
}

static bool verifies_conformance(const struct page *page)
{
	for (size_t i = 0; i < page->run_count; i++) {
		if (!page->runs[i].header.whole_suite)
			return false;
	}
	return page->run_count && !page_count_verdict(page, OCLMM_VERDICT_SKIP) &&
	       !count_infrastructure(page);
}

static void run_line(struct page *page, const struct oclmm_run_header *run)
{
	struct markup *markup = page->markup;

	markup_open(markup, "li", NULL);
	markup_printf(markup, "%s on %s", page_string(run->tool), page_string(run->device));
	if (run->started)
		markup_printf(markup, ", %s", run->started);
	markup_printf(markup, ", seed %" PRIu64 ", %s, ", run->seed,
	              oclmm_counted(run->tests, "test").text);
	page_quantity(markup, "span", NULL, run->instances);
	markup_text(markup, " instances asked for each");
	if (run->profile)
		markup_printf(markup, ", profile %s", run->profile);
	if (run->shards)
		markup_printf(markup, ", shard %" PRIu32 " of %" PRIu32, run->shard, run->shards);
	markup_close(markup);
}

static void runs(struct page *page)
{
	struct markup *markup = page->markup;

	if (!verifies_conformance(page))
		markup_element(markup, "p",
		               "Not all of the suite was run to the end: this does not verify "
		               "conformance.",
		               "class", "note", NULL);
	if (!page->run_count)
		return;
	markup_open(markup, "details", NULL);
	markup_open(markup, "summary", NULL);
	markup_text(markup, oclmm_counted(page->run_count, "run").text);
	markup_close(markup);
	markup_open(markup, "ul", NULL);
	for (size_t i = 0; i < page->run_count; i++)
		run_line(page, &page->runs[i].header);
	markup_close(markup);
	markup_close(markup);
}

/* ---- the tests ---- */

static void choice(struct page *page, const char *name, const char *title,
                   const char *const *values, size_t count)
{
	struct markup *markup = page->markup;

	markup_open(markup, "label", NULL);
	markup_printf(markup, "%s ", title);
	markup_open(markup, "select", "name", name, NULL);
	markup_element(markup, "option", "any", "value", "", NULL);
	for (size_t i = 0; i < count; i++)
		markup_element(markup, "option", values[i], "value", values[i], NULL);
	markup_close(markup);
	markup_close(markup);
}

static void choose_verdict(struct page *page)
{
	const char *words[OCLMM_VERDICT_COUNT];
	size_t count = 0;

	for (int i = 0; i < OCLMM_VERDICT_COUNT; i++) {
		if (page_count_verdict(page, (enum oclmm_verdict)i))
			words[count++] = oclmm_verdict_word((enum oclmm_verdict)i);
	}
	choice(page, "verdict", "verdict", words, count);
}

/* Hidden until the script is there to serve it. */
static void filter_form(struct page *page)
{
	static const char *const kinds[] = {"forbidden", "disputed", "weak", "unjudged", "differs"};
	struct markup *markup = page->markup;

	markup_open(markup, "form", "id", "filter", "role", "search", "hidden", "hidden", NULL);
	markup_open(markup, "label", NULL);
	markup_text(markup, "search ");
	markup_void(markup, "input", "type", "search", "name", "q", "placeholder",
	            "name or question", NULL);
	markup_close(markup);
	choose_verdict(page);
	/* the families are the script's to fill in, as it has them */
	choice(page, "family", "family", NULL, 0);
	choice(page, "seen", "seen", kinds, page->column_count > 1 ? 5 : 4);
	markup_element(markup, "button", "open all shown", "type", "button", "id", "open", NULL);
	markup_element(markup, "button", "close all", "type", "button", "id", "close", NULL);
	markup_element(markup, "output", "", "id", "shown", "aria-live", "polite", NULL);
	markup_close(markup);
}

static void differences(struct page *page)
{
	struct markup *markup = page->markup;
	size_t count = 0;

	if (page->column_count < 2)
		return;
	for (size_t i = 0; i < page->test_count; i++)
		count += page->tests[i].differs;
	markup_open(markup, "p", "id", "differences", NULL);
	markup_open(markup, "a", "href", "#seen=differs", NULL);
	markup_printf(markup, "The columns differ in %s", oclmm_counted(count, "test").text);
	markup_close(markup);
	markup_text(markup, ": one showed a weak, disputed or forbidden outcome, or failed, and "
	                    "another did not. A difference is no error; the specification allows "
	                    "more than any one device does.");
	markup_close(markup);
}

static void tests(struct page *page)
{
	struct markup *markup = page->markup;
	struct oclmm_text data = {0};

	markup_open(markup, "section", "id", "tests", "tabindex", "-1", NULL);
	markup_element(markup, "h2", "Tests", NULL);
	page_legend(page);
	differences(page);
	filter_form(page);
	markup_open(markup, "div", "id", "matrix", "class", "frame", "role", "region", "aria-label",
	            "Tests and devices", "tabindex", "0", "hidden", "hidden", NULL);
	markup_close(markup);
	page_plain(page);
	markup_close(markup);
	page_data(page, &data);
	markup_open(markup, "script", "type", "application/json", "id", "data", NULL);
	markup_raw(markup, oclmm_text_string(&data));
	markup_close(markup);
	oclmm_text_finish(&data);
}

static void body(struct page *page, const char *title)
{
	struct markup *markup = page->markup;

	markup_open(markup, "body", NULL);
	markup_element(markup, "a", "to the tests", "class", "skip", "href", "#tests", NULL);
	markup_open(markup, "header", NULL);
	markup_element(markup, "h1", title, NULL);
	headline(page);
	markup_element(markup, "p",
	               "Small programs whose threads share memory ran millions of times on each "
	               "device. This page tells how often each ended in which way, and which ends "
	               "the OpenCL specification allows.",
	               NULL);
	silence(page);
	runs(page);
	markup_close(markup);
	markup_open(markup, "main", NULL);
	page_attention(page);
	page_devices(page);
	page_summary(page);
	page_nowhere(page);
	tests(page);
	markup_close(markup);
	markup_open(markup, "footer", NULL);
	markup_printf(markup, "Written by %s.",
	              page->options->tool ? page->options->tool : "oclmm");
	markup_close(markup);
	markup_open(markup, "script", NULL);
	markup_raw(markup, page_script);
	markup_close(markup);
	markup_close(markup);
}

int oclmm_page_write(struct oclmm_text *text, const struct oclmm_saved_run *saved_runs,
                     size_t run_count, const struct oclmm_record *const *records, size_t count,
                     const struct oclmm_page_options *options, struct oclmm_page_counts *ret_counts)
{
	struct page page = {.options = options, .runs = saved_runs, .run_count = run_count};
	const char *title = options->title ? options->title : "OpenCL memory model: results";
	int r;

	page.markup = markup_create(text);
	if (!page.markup)
		return -ENOMEM;
	page.arena = oclmm_arena_create();
	r = page_gather(&page, records, count);
	if (r < 0) {
		markup_destroy(page.markup);
		page_finish(&page);
		return r;
	}
	oclmm_text_add(text, "<!DOCTYPE html>\n");
	markup_open(page.markup, "html", "lang", "en", "xmlns", "http://www.w3.org/1999/xhtml",
	            NULL);
	head(&page, title);
	body(&page, title);
	markup_close(page.markup);
	r = markup_destroy(page.markup);
	if (r == 0 && ret_counts)
		*ret_counts = (struct oclmm_page_counts){
			.tests = page.test_count,
			.columns = page.column_count,
			.graphs = page.graphs,
		};
	page_finish(&page);
	return r;
}
