// SPDX-License-Identifier: Apache-2.0
/*
 * Outcomes as rows, devices as columns, counts as bars. Rare outcomes are the
 * interesting ones, so the bars are logarithmic: one instance is a stub, all
 * instances fill the column.
 */
#include "internal.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

static void header(struct page *page, const struct test *test)
{
	struct markup *markup = page->markup;

	markup_open(markup, "thead", NULL);
	markup_open(markup, "tr", NULL);
	markup_element(markup, "th", "outcome", "scope", "col", NULL);
	for (size_t i = 0; i < page->configuration_count; i++) {
		if (!test->cells[i].instances)
			continue;
		markup_open(markup, "th", "scope", "col", NULL);
		if (page->configuration_count > 1) {
			markup_text(markup, page->configurations[i].label);
			markup_text(markup, ": ");
		}
		page_quantity(markup, "span", NULL, test->cells[i].instances);
		markup_text(markup, " instances");
		markup_close(markup);
	}
	markup_close(markup);
	markup_close(markup);
}

static void bar(struct markup *markup, uint64_t count, uint64_t instances)
{
	char style[32];

	markup_open(markup, "td", NULL);
	if (count) {
		/* log(1 + n), so that a single instance is seen too */
		double share = log1p((double)count) / log1p((double)instances);

		snprintf(style, sizeof(style), "width:%.0f%%", fmax(1, 100 * share));
		markup_open(markup, "div", "class", "bar", "aria-hidden", "true", NULL);
		markup_element(markup, "i", NULL, "style", style, NULL);
		markup_close(markup);
	}
	markup_open(markup, "span", "class", count ? NULL : "never", NULL);
	if (count)
		page_number(markup, count);
	else
		markup_text(markup, "never");
	markup_close(markup);
	markup_close(markup);
}

static const char *kind_title(const char *kind)
{
	switch (*kind) {
	case 'f': return "every reading of the specification forbids it";
	case 'd': return "readings of the specification differ";
	case 'u': return "the test races, so no outcome is judged";
	case 'w': return "the outcome that the test asks about, allowed";
	default: return "allowed";
	}
}

static void outcome_name(struct page *page, const struct test *test, const struct outcome *outcome)
{
	struct markup *markup = page->markup;
	const char *kind = page_kind(outcome);
	struct oclmm_text text;

	oclmm_text_init(&text);
	oclmm_outcome_print(&text, test->record->program, outcome->values);
	markup_open(markup, "th", "scope", "row", NULL);
	markup_element(markup, "code",
	               text.length ? oclmm_text_string(&text) : "(nothing observed)", NULL);
	oclmm_text_finish(&text);
	if (*page_kind_sign(kind)) {
		markup_text(markup, " ");
		markup_open(markup, "span", "class", "k", "title", kind_title(kind), NULL);
		markup_printf(markup, "%s %s", page_kind_sign(kind), kind);
		if (outcome->row->deciding) {
			markup_text(markup, " ");
			oclmm_text_init(&text);
			oclmm_knobs_print(&text, outcome->row->deciding);
			markup_text(markup, oclmm_text_string(&text));
			oclmm_text_finish(&text);
		}
		markup_close(markup);
	}
	markup_close(markup);
}

static void row(struct page *page, const struct test *test, const struct outcome *outcome)
{
	struct markup *markup = page->markup;
	const char *kind = page_kind(outcome);

	markup_open(markup, "tr", "class", kind, NULL);
	outcome_name(page, test, outcome);
	for (size_t i = 0; i < page->configuration_count; i++) {
		if (test->cells[i].instances)
			bar(markup, outcome->counts[i], test->cells[i].instances);
	}
	markup_close(markup);
	markup_text(markup, "\n");
}

/* Instances without an outcome: a bounded loop was cut, or the test's filter turned them away. */
static void rest(struct page *page, const struct test *test)
{
	struct markup *markup = page->markup;
	uint64_t cut = 0, filtered = 0;

	for (size_t i = 0; i < page->configuration_count; i++) {
		for (size_t k = 0; k < test->cells[i].count; k++) {
			cut += test->cells[i].records[k]->grade.cut;
			filtered += test->cells[i].records[k]->grade.filtered;
		}
	}
	if (!cut && !filtered)
		return;
	markup_open(markup, "p", "class", "note", NULL);
	if (cut)
		markup_printf(markup,
		              "%" PRIu64 " instances were cut: a bounded loop ended before its "
		              "condition did. ",
		              cut);
	if (filtered)
		markup_printf(markup,
		              "%" PRIu64 " instances were turned away by the test's filter.",
		              filtered);
	markup_close(markup);
}

void page_histogram(struct page *page, const struct test *test)
{
	struct markup *markup = page->markup;
	char style[32];
	int columns = 1;

	for (size_t i = 0; i < page->configuration_count; i++)
		columns += test->cells[i].instances > 0;
	if (!test->outcome_count)
		return;
	snprintf(style, sizeof(style), "--columns:%d", columns);
	/* a caption would be cut where the table is wider than the window */
	markup_element(markup, "p",
	               "How often each outcome was seen, on a logarithmic scale:", "class", "note",
	               NULL);
	markup_open(markup, "div", "class", "frame", "role", "region", "aria-label",
	            "How often each outcome was seen", "tabindex", "0", NULL);
	markup_open(markup, "table", "class", "h", "style", style, NULL);
	header(page, test);
	markup_open(markup, "tbody", NULL);
	for (size_t i = 0; i < test->outcome_count; i++)
		row(page, test, &test->outcomes[i]);
	for (int i = 0; i < 3; i++)
		markup_close(markup);
	rest(page, test);
}
