// SPDX-License-Identifier: Apache-2.0
/* All tests as one table, for a reader whose browser runs no scripts. */
#include "internal.h"

static void cell(struct page *page, const struct cell *cell)
{
	struct markup *markup = page->markup;
	uint64_t seen = cell->weak + cell->forbidden;

	markup_open(markup, "td", NULL);
	if (cell->count) {
		enum oclmm_verdict verdict = cell->record->grade.verdict;

		markup_printf(markup, "%s %s", page_verdict_sign(verdict),
		              oclmm_verdict_word(verdict));
		if (cell->instances) {
			struct oclmm_text text = {0};

			oclmm_report_quantity(&text, (double)seen);
			oclmm_text_add(&text, " in ");
			oclmm_report_quantity(&text, (double)cell->instances);
			markup_printf(markup, " %s", oclmm_text_string(&text));
			oclmm_text_finish(&text);
		}
	}
	markup_close(markup);
}

static void head(struct page *page)
{
	struct markup *markup = page->markup;

	markup_element(
		markup, "p",
		"Without scripts this page shows verdicts only: how often the asked outcome, "
		"or a forbidden one, was seen, in how many instances.",
		"class", "note", NULL);
	markup_open(markup, "table", NULL);
	markup_open(markup, "thead", NULL);
	markup_open(markup, "tr", NULL);
	markup_element(markup, "th", "test", "scope", "col", NULL);
	for (size_t i = 0; i < page->column_count; i++)
		markup_element(markup, "th", page->columns[i].label, "scope", "col", NULL);
	markup_close(markup);
	markup_close(markup);
}

/* From what needs a look, and from what no device ran. */
static bool is_linked(const struct test *test)
{
	return page_gravity(test->verdict) <= page_gravity(OCLMM_VERDICT_DISPUTED) ||
	       page_ran_nowhere(test);
}

void page_plain(struct page *page)
{
	struct markup *markup = page->markup;

	markup_open(markup, "noscript", NULL);
	markup_open(markup, "div", "class", "frame", NULL);
	head(page);
	markup_open(markup, "tbody", NULL);
	for (size_t i = 0; i < page->test_count; i++) {
		const struct test *test = &page->tests[i];

		markup_open(markup, "tr", "id", is_linked(test) ? test->id : NULL, NULL);
		markup_element(markup, "th", test->record->program->name, "scope", "row", NULL);
		for (size_t k = 0; k < page->column_count; k++)
			cell(page, &test->cells[k]);
		markup_close(markup);
		markup_text(markup, "\n");
	}
	for (int i = 0; i < 4; i++)
		markup_close(markup);
}
