// SPDX-License-Identifier: Apache-2.0
/* The execution behind the interesting outcome of a test, as a picture. */
#include "internal.h"

#include <stdlib.h>

/* ---- which outcome ---- */

static unsigned interest(const struct outcome *outcome)
{
	bool seen = outcome->total > 0;

	if (outcome->row->status == OCLMM_STATUS_FORBIDDEN && seen)
		return 5;
	if (outcome->row->status == OCLMM_STATUS_DISPUTED && seen)
		return 4;
	if (outcome->row->status == OCLMM_STATUS_ALLOWED && outcome->row->witness)
		return seen ? 3 : 2;
	return outcome->row->status == OCLMM_STATUS_ALLOWED ? 1 : 0;
}

static const struct outcome *choose(const struct test *test, enum oclmm_page_graphs graphs)
{
	unsigned least = graphs == OCLMM_PAGE_GRAPHS_ALL ? 1 : 3, best = 0;
	const struct outcome *chosen = NULL;

	for (size_t i = 0; i < test->outcome_count; i++) {
		unsigned worth = interest(&test->outcomes[i]);

		if (worth > best && worth >= least) {
			best = worth;
			chosen = &test->outcomes[i];
		}
	}
	return chosen;
}

/* ---- drawing ---- */

static void caption(struct page *page, const struct test *test, const struct outcome *outcome)
{
	struct markup *markup = page->markup;
	struct oclmm_text text;

	oclmm_text_init(&text);
	oclmm_outcome_print(&text, test->record->program, outcome->values);
	markup_open(markup, "figcaption", NULL);
	markup_text(markup, outcome->row->status == OCLMM_STATUS_FORBIDDEN
	                            ? "What the outcome "
	                            : "An execution that ends in ");
	markup_element(markup, "code", oclmm_text_string(&text), NULL);
	if (outcome->row->status == OCLMM_STATUS_FORBIDDEN)
		markup_text(markup, " would take, and the cycle that forbids it");
	markup_text(markup, ".");
	markup_close(markup);
	oclmm_text_finish(&text);
}

void page_graph(struct page *page, const struct test *test)
{
	const struct oclmm_page_options *options = page->options;
	const struct outcome *outcome = choose(test, options->graphs);
	char *svg = NULL;

	if (outcome && options->graph && options->graphs != OCLMM_PAGE_GRAPHS_NONE)
		svg = options->graph(options->data, test->record, outcome->values);
	if (svg) {
		markup_open(page->markup, "figure", NULL);
		markup_open(page->markup, "div", "class", "frame picture", "tabindex", "0", NULL);
		markup_raw(page->markup, svg);
		markup_close(page->markup);
		caption(page, test, outcome);
		markup_close(page->markup);
		page->graphs++;
	}
	free(svg);
}
