// SPDX-License-Identifier: Apache-2.0
/* What should be looked at first: failures, disputes. */
#include "internal.h"

/* The outcomes that make the verdict, or the message. */
static void reason(struct page *page, const struct test *test, size_t index)
{
	const struct cell *cell = &test->cells[index];
	struct markup *markup = page->markup;
	bool any = false;

	markup_open(markup, "td", "data-h", "what was seen", NULL);
	for (size_t i = 0; i < test->outcome_count; i++) {
		const struct outcome *outcome = &test->outcomes[i];
		struct oclmm_text text = {0};

		if (!outcome->counts[index] || (outcome->row->status != OCLMM_STATUS_FORBIDDEN &&
		                                outcome->row->status != OCLMM_STATUS_DISPUTED))
			continue;
		oclmm_outcome_print(&text, test->record->program, outcome->row->values);
		if (any)
			markup_void(markup, "br", NULL);
		markup_element(markup, "code", oclmm_text_string(&text), NULL);
		markup_text(markup, " ");
		page_number(markup, outcome->counts[index]);
		markup_text(markup, " of ");
		page_number(markup, cell->instances);
		oclmm_text_finish(&text);
		any = true;
	}
	if (cell->record->message)
		markup_text(markup, cell->record->message);
	else if (cell->record->grade.known)
		markup_text(markup, cell->record->grade.known);
	markup_close(markup);
}

static void attention_row(struct page *page, const struct test *test, size_t index)
{
	struct markup *markup = page->markup;

	markup_open(markup, "tr", NULL);
	markup_open(markup, "td", NULL);
	page_verdict(page, test->cells[index].record->grade.verdict);
	markup_close(markup);
	markup_open(markup, "th", "scope", "row", NULL);
	page_link(page, test->record->program->name);
	markup_close(markup);
	markup_element(markup, "td", page->columns[index].label, "data-h", "device", NULL);
	reason(page, test, index);
	markup_close(markup);
}

static void open_attention(struct page *page)
{
	static const char *const names[] = {"verdict", "test", "device", "what was seen"};
	struct markup *markup = page->markup;

	markup_open(markup, "section", "id", "attention", NULL);
	markup_element(markup, "h2", "Look at these first", NULL);
	page_open_table(markup,
	                "Forbidden outcomes, tests that could not be run, what expectation files "
	                "list, and disputed outcomes");
	page_head_table(markup, names, OCLMM_COUNT(names));
}

/* All with one verdict; gives whether the table is open. */
static bool attention_rows(struct page *page, enum oclmm_verdict verdict, bool is_open)
{
	for (size_t i = 0; i < page->test_count; i++) {
		for (size_t k = 0; k < page->column_count; k++) {
			const struct cell *cell = &page->tests[i].cells[k];

			if (!cell->count || cell->record->grade.verdict != verdict)
				continue;
			if (!is_open)
				open_attention(page);
			is_open = true;
			attention_row(page, &page->tests[i], k);
		}
	}
	return is_open;
}

void page_attention(struct page *page)
{
	bool is_open = false;

	for (unsigned gravity = 0; gravity <= page_gravity(OCLMM_VERDICT_DISPUTED); gravity++)
		is_open = attention_rows(page, page_verdict_at(gravity), is_open);
	if (is_open) {
		page_close_table(page->markup);
		markup_close(page->markup);
	}
}
