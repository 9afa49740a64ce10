// SPDX-License-Identifier: Apache-2.0
/* One test: its heading, and what unfolds below it. */
#include "internal.h"

#include <stdlib.h>
#include <string.h>

/* The words by which the script filters: `pass forbidden`. */
static char *verdict_words(const struct page *page, const struct test *test)
{
	struct oclmm_text text;
	char *words;

	oclmm_text_init(&text);
	for (int verdict = 0; verdict < OCLMM_VERDICT_COUNT; verdict++) {
		for (size_t i = 0; i < page->configuration_count; i++) {
			if (!test->cells[i].count ||
			    test->cells[i].verdict != (enum oclmm_verdict)verdict)
				continue;
			oclmm_text_printf(&text, "%s%s", text.length ? " " : "",
			                  oclmm_verdict_word((enum oclmm_verdict)verdict));
			break;
		}
	}
	words = oclmm_arena_strdup(page->arena, oclmm_text_string(&text));
	oclmm_text_finish(&text);
	return words;
}

/* `forbidden weak`: the kinds of outcome that some device showed, but plainly allowed ones. */
static char *kind_words(const struct page *page, const struct test *test)
{
	static const char *const kinds[] = {"forbidden", "disputed", "weak", "unjudged"};
	struct oclmm_text text;
	char *words;

	oclmm_text_init(&text);
	for (size_t kind = 0; kind < OCLMM_COUNT(kinds); kind++) {
		for (size_t i = 0; i < test->outcome_count; i++) {
			if (!test->outcomes[i].total ||
			    strcmp(page_kind(&test->outcomes[i]), kinds[kind]) != 0)
				continue;
			oclmm_text_printf(&text, "%s%s", text.length ? " " : "", kinds[kind]);
			break;
		}
	}
	if (page_differs(page, test))
		oclmm_text_printf(&text, "%sdiffers", text.length ? " " : "");
	words = oclmm_arena_strdup(page->arena, oclmm_text_string(&text));
	oclmm_text_finish(&text);
	return words;
}

static void heading(struct page *page, const struct test *test)
{
	struct markup *markup = page->markup;

	markup_open(markup, "summary", NULL);
	for (size_t i = 0; i < page->configuration_count; i++) {
		if (test->cells[i].count) {
			page_verdict(markup, test->cells[i].verdict);
			markup_text(markup, " ");
		}
	}
	markup_element(markup, "b", test->record->program->name, NULL);
	markup_close(markup);
}

/* Lines of a comment are broken for the file; here only empty ones part anything. */
static void comment(struct markup *markup, const char *text)
{
	while (*text) {
		const char *end = strstr(text, "\n\n");
		size_t length = end ? (size_t)(end - text) : strlen(text);
		char *paragraph = oclmm_malloc(length + 1);

		memcpy(paragraph, text, length);
		paragraph[length] = '\0';
		markup_element(markup, "p", paragraph, "class", "c", NULL);
		free(paragraph);
		text += length;
		text += strspn(text, "\n");
	}
}

/* The comment stands with the base variant; the others lead there. */
static void words(struct page *page, const struct test *test)
{
	struct markup *markup = page->markup;

	if (test->words.question)
		markup_element(markup, "p", test->words.question, "class", "q", NULL);
	if (!test->words.base) {
		if (test->words.comment)
			comment(markup, test->words.comment);
		return;
	}
	markup_open(markup, "p", "class", "note", NULL);
	markup_text(markup, "A variant of ");
	page_link(page, test->words.base);
	markup_text(markup, ".");
	markup_close(markup);
}

static void specification(struct page *page, const struct test *test)
{
	const struct oclmm_record *record = test->record;
	struct markup *markup = page->markup;
	struct oclmm_text text;

	if (!record->expected)
		return;
	oclmm_text_init(&text);
	oclmm_condition_print(&text, record->program, record->program->condition);
	markup_open(markup, "p", NULL);
	markup_text(markup, "The specification");
	if (record->model)
		markup_printf(markup, " (%s)", record->model);
	markup_text(markup, " on ");
	markup_open(markup, "code", NULL);
	markup_printf(markup, "%s (%s)", oclmm_log_quantifier(record->program->quantifier),
	              oclmm_text_string(&text));
	markup_close(markup);
	markup_text(markup, ": ");
	markup_element(markup, "strong", oclmm_observation_word(record->expected->observation),
	               NULL);
	if (record->expected->undefined && record->expected->undefined_why)
		markup_printf(markup, " – %s", record->expected->undefined_why);
	markup_text(markup, ".");
	markup_close(markup);
	oclmm_text_finish(&text);
}

static void source(struct page *page, const struct test *test)
{
	struct oclmm_text text;

	oclmm_text_init(&text);
	oclmm_program_print(&text, test->record->program);
	markup_element(page->markup, "pre", oclmm_text_string(&text), "tabindex", "0", "aria-label",
	               "The test", NULL);
	oclmm_text_finish(&text);
}

void page_test(struct page *page, struct test *test)
{
	struct markup *markup = page->markup;
	char *kinds = kind_words(page, test);

	markup_open(markup, "details", "class", "t", "id", test->id, "data-v",
	            verdict_words(page, test), "data-k", *kinds ? kinds : NULL, NULL);
	heading(page, test);
	words(page, test);
	page_results(page, test);
	page_histogram(page, test);
	if (test->bound) {
		specification(page, test);
		source(page, test);
		page_graph(page, test);
	}
	markup_close(markup);
	markup_text(markup, "\n");
}
