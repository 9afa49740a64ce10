// SPDX-License-Identifier: Apache-2.0
/* Where the tests ran, and how they went, by verdict. */
#include "internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void page_open_table(struct markup *markup, const char *title)
{
	markup_open(markup, "div", "class", "frame", "role", "region", "aria-label", title,
	            "tabindex", "0", NULL);
	markup_open(markup, "table", "class", "s", NULL);
	markup_element(markup, "caption", title, NULL);
}

void page_head_table(struct markup *markup, const char *const *names, size_t count)
{
	markup_open(markup, "thead", NULL);
	markup_open(markup, "tr", NULL);
	for (size_t i = 0; i < count; i++)
		markup_element(markup, "th", names[i], "scope", "col", NULL);
	markup_close(markup);
	markup_close(markup);
	markup_open(markup, "tbody", NULL);
}

void page_close_table(struct markup *markup)
{
	for (int i = 0; i < 3; i++)
		markup_close(markup);
	markup_text(markup, "\n");
}

/* `head` stands above the cell; on a narrow screen it stands in it. */
static void add_count(struct markup *markup, const char *head, uint64_t count, const char *address)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, count);
	markup_open(markup, "td", "class", "n", "data-h", head, NULL);
	if (!count)
		markup_text(markup, "–");
	else if (address)
		markup_element(markup, "a", text, "href", address, NULL);
	else
		markup_text(markup, text);
	markup_close(markup);
}

/* ---- devices ---- */

static const char *const device_heads[] = {"device",   "driver",      "platform",  "tests claimed",
                                           "accepted", "unsupported", "instances", "on the device"};

static void device_row(struct page *page, const struct column *column)
{
	const struct oclmm_record *record = column->record;
	struct markup *markup = page->markup;

	markup_open(markup, "tr", NULL);
	markup_element(markup, "th", column->label, "scope", "row", NULL);
	markup_element(markup, "td", page_string(record->driver), "data-h", device_heads[1], NULL);
	markup_open(markup, "td", "data-h", device_heads[2], NULL);
	markup_text(markup, page_string(record->platform));
	if (record->device_version)
		markup_printf(markup, " (%s)", record->device_version);
	markup_close(markup);
	for (int class = 0; class < OCLMM_CLASS_COUNT; class ++)
		add_count(markup, device_heads[3 + class], column->classes[class], NULL);
	markup_open(markup, "td", "class", "n", "data-h", device_heads[6], NULL);
	page_quantity(markup, "span", NULL, column->instances);
	markup_close(markup);
	markup_open(markup, "td", "class", "n", "data-h", device_heads[7], NULL);
	markup_printf(markup, "%.1f s", column->seconds);
	markup_close(markup);
	markup_close(markup);
}

/* Why a test was skipped, or NULL. */
static const char *skipped_for(const struct test *test, size_t index)
{
	const struct cell *cell = &test->cells[index];

	return cell->count && cell->record->grade.verdict == OCLMM_VERDICT_SKIP
	               ? cell->record->message
	               : NULL;
}

static void list_reasons(struct page *page, const char *label, const struct pool *reasons,
                         const size_t *counts)
{
	struct markup *markup = page->markup;

	markup_open(markup, "p", NULL);
	markup_printf(markup, "%s skipped tests for these reasons:", label);
	markup_close(markup);
	markup_open(markup, "ul", NULL);
	for (size_t i = 1; i < pool_count(reasons); i++) {
		markup_open(markup, "li", NULL);
		markup_printf(markup, "%s (%zu)", pool_at(reasons, i), counts[i]);
		markup_close(markup);
	}
	markup_close(markup);
}

static void missing_features(struct page *page, size_t index)
{
	size_t *counts = oclmm_calloc(page->test_count + 1, sizeof(*counts));
	struct pool *reasons = pool_create();

	for (size_t i = 0; i < page->test_count; i++) {
		const char *reason = skipped_for(&page->tests[i], index);

		if (reason)
			counts[pool_add(reasons, reason, strlen(reason))]++;
	}
	if (pool_count(reasons) > 1)
		list_reasons(page, page->columns[index].label, reasons, counts);
	pool_destroy(reasons);
	free(counts);
}

void page_devices(struct page *page)
{
	struct markup *markup = page->markup;

	markup_open(markup, "section", "id", "devices", NULL);
	markup_element(markup, "h2", "Devices", NULL);
	markup_open(markup, "p", "class", "note", NULL);
	markup_text(
		markup,
		"Claimed: the device declares all that the test needs, so that a failure counts. "
		"Accepted: its compiler builds the test, although the device does not declare all "
		"that it needs; a failure is told and does not count. Unsupported: the test was "
		"skipped.");
	markup_close(markup);
	page_open_table(markup, "Where the tests ran");
	page_head_table(markup, device_heads, OCLMM_COUNT(device_heads));
	for (size_t i = 0; i < page->column_count; i++)
		device_row(page, &page->columns[i]);
	page_close_table(markup);
	for (size_t i = 0; i < page->column_count; i++)
		missing_features(page, i);
	markup_close(markup);
	markup_text(markup, "\n");
}

/* ---- verdicts ---- */

/* The verdicts that occur, gravest first. */
static size_t list_verdicts(const struct page *page, enum oclmm_verdict *ret_verdicts)
{
	size_t count = 0;

	for (unsigned gravity = 0; gravity < OCLMM_VERDICT_COUNT; gravity++) {
		enum oclmm_verdict verdict = page_verdict_at(gravity);

		if (page_count_verdict(page, verdict))
			ret_verdicts[count++] = verdict;
	}
	return count;
}

static void verdict_head(struct page *page)
{
	const char *names[1 + OCLMM_PAGE_COLUMNS + 1];
	size_t count = 0;

	names[count++] = "verdict";
	for (size_t i = 0; i < page->column_count; i++)
		names[count++] = page->columns[i].label;
	names[count++] = "what it means";
	page_head_table(page->markup, names, count);
}

static void verdict_table(struct page *page, const enum oclmm_verdict *verdicts, size_t count)
{
	struct markup *markup = page->markup;
	char address[64];

	page_open_table(markup, "Tests by verdict");
	verdict_head(page);
	for (size_t i = 0; i < count; i++) {
		snprintf(address, sizeof(address), "#verdict=%s", oclmm_verdict_word(verdicts[i]));
		markup_open(markup, "tr", NULL);
		markup_open(markup, "th", "scope", "row", NULL);
		page_verdict(page, verdicts[i]);
		markup_close(markup);
		for (size_t k = 0; k < page->column_count; k++)
			add_count(markup, page->columns[k].label,
			          page->columns[k].verdicts[verdicts[i]], address);
		markup_element(markup, "td", oclmm_verdict_meaning(verdicts[i]), "data-h",
		               "what it means", NULL);
		markup_close(markup);
	}
	page_close_table(markup);
}

void page_summary(struct page *page)
{
	enum oclmm_verdict verdicts[OCLMM_VERDICT_COUNT];
	size_t count = list_verdicts(page, verdicts);

	markup_open(page->markup, "section", "id", "summary", NULL);
	markup_element(page->markup, "h2", "Summary", NULL);
	verdict_table(page, verdicts, count);
	markup_close(page->markup);
	markup_text(page->markup, "\n");
}
