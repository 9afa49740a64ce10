// SPDX-License-Identifier: Apache-2.0
/* Tests that every run of the page skipped, of those that had them. */
#include "internal.h"

#include <stdlib.h>
#include <string.h>

/* Everything else is graver, so that no column has it. */
bool page_ran_nowhere(const struct test *test)
{
	return test->verdict == OCLMM_VERDICT_SKIP;
}

/* What the devices lack, each reason once, in the order of the columns. */
static size_t reason_of(const struct page *page, const struct test *test, struct pool *reasons)
{
	struct pool *own = pool_create();
	struct oclmm_text text = {0};
	size_t reason;

	for (size_t i = 0; i < page->column_count; i++) {
		const struct cell *cell = &test->cells[i];
		const char *message = cell->count ? page_string(cell->record->message) : "";

		if (*message)
			pool_add(own, message, strlen(message));
	}
	for (size_t i = 1; i < pool_count(own); i++)
		oclmm_text_printf(&text, "%s%s", i > 1 ? "; " : "", pool_at(own, i));
	if (pool_count(own) == 1)
		oclmm_text_add(&text, "no reason is on record");
	reason = pool_add(reasons, oclmm_text_string(&text), text.length);
	oclmm_text_finish(&text);
	pool_destroy(own);
	return reason;
}

static void list_tests(struct page *page, const char *reason, const size_t *reason_of_test,
                       size_t index, size_t count)
{
	struct markup *markup = page->markup;

	markup_open(markup, "details", NULL);
	markup_open(markup, "summary", NULL);
	markup_printf(markup, "%s: %s", reason, oclmm_counted(count, "test").text);
	markup_close(markup);
	markup_open(markup, "ul", NULL);
	for (size_t i = 0; i < page->test_count; i++) {
		if (reason_of_test[i] != index)
			continue;
		markup_open(markup, "li", NULL);
		page_link(page, page->tests[i].record->program->name);
		if (page->tests[i].words.question)
			markup_printf(markup, " – %s", page->tests[i].words.question);
		markup_close(markup);
	}
	markup_close(markup);
	markup_close(markup);
}

static void section(struct page *page, const struct pool *reasons, const size_t *reason_of_test)
{
	struct markup *markup = page->markup;

	markup_open(markup, "section", "id", "nowhere", NULL);
	markup_element(markup, "h2", "Not run anywhere yet", NULL);
	markup_element(
		markup, "p",
		"These tests were skipped wherever they were to run. They are listed by what "
		"the devices lack. What the specification allows is known all the same, for "
		"that asks no device.",
		"class", "note", NULL);
	for (size_t reason = 1; reason < pool_count(reasons); reason++) {
		size_t count = 0;

		for (size_t i = 0; i < page->test_count; i++)
			count += reason_of_test[i] == reason;
		list_tests(page, pool_at(reasons, reason), reason_of_test, reason, count);
	}
	markup_close(markup);
	markup_text(markup, "\n");
}

void page_nowhere(struct page *page)
{
	size_t *reason_of_test = oclmm_calloc(page->test_count + 1, sizeof(*reason_of_test));
	struct pool *reasons = pool_create();

	for (size_t i = 0; i < page->test_count; i++) {
		if (page_ran_nowhere(&page->tests[i]))
			reason_of_test[i] = reason_of(page, &page->tests[i], reasons);
	}
	if (pool_count(reasons) > 1)
		section(page, reasons, reason_of_test);
	pool_destroy(reasons);
	free(reason_of_test);
}
