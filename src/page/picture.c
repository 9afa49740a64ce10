// SPDX-License-Identifier: Apache-2.0
/*
 * The execution that led to the asked outcome of a test, as a picture. Pictures of variants
 * differ in a few words, so each is cut into pieces: its tags are its shape, which stands once for
 * all tests that have it, and the words between the tags are the test's own.
 */
#include "internal.h"

#include <stdlib.h>
#include <string.h>

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

/* ---- shape and words ---- */

static void add_piece(struct page *page, struct oclmm_text *shape, const char *bytes, size_t length)
{
	oclmm_text_printf(shape, "%s%zu", shape->length ? "," : "",
	                  pool_add(page->pieces, bytes, length));
}

/* Where a part of a tag ends, so that the next is the same for many: how it parts, or its height.
 */
static size_t end_of_place(const char *tag, size_t from, size_t length)
{
	static const char *const parts[] = {" y=\"", " class=\"", " fill=\"", " color=\""};
	size_t end = length;

	for (size_t i = 0; i < OCLMM_COUNT(parts); i++) {
		const char *at = memmem(tag + from + 1, length - from - 1, parts[i],
		                        strlen(parts[i]));

		if (at && (size_t)(at - tag) < end)
			end = (size_t)(at - tag);
	}
	return end;
}

static void add_tag(struct page *page, struct oclmm_text *shape, const char *tag, size_t length)
{
	for (size_t from = 0, to; from < length; from = to) {
		to = end_of_place(tag, from, length);
		add_piece(page, shape, tag + from, to - from);
	}
}

/* Ends of lines between tags belong to the tag before. */
static const char *end_of_tag(const char *tag)
{
	const char *end = strchr(tag, '>');

	if (!end)
		return tag + strlen(tag);
	end++;
	return end + strspn(end, "\n");
}

/* In a shape -1 stands where a word of the test is. */
static void cut(struct page *page, const char *svg, struct oclmm_text *shape,
                struct oclmm_text *words)
{
	while (*svg) {
		const char *end = *svg == '<' ? end_of_tag(svg) : svg + strcspn(svg, "<");

		if (*svg == '<') {
			add_tag(page, shape, svg, (size_t)(end - svg));
		} else {
			oclmm_text_printf(shape, "%s-1", shape->length ? "," : "");
			oclmm_text_printf(words, ",%zu",
			                  pool_add(page->pieces, svg, (size_t)(end - svg)));
		}
		svg = end;
	}
}

/* [shape, whether it is forbidden, the outcome, [words]] */
void page_data_picture(struct page *page, struct oclmm_text *text, const struct test *test)
{
	const struct oclmm_page_options *options = page->options;
	const struct outcome *outcome = choose(test, options->graphs);
	struct oclmm_text shape = {0}, words = {0}, name = {0};
	char *svg = NULL;

	if (test->bound && outcome && options->graph && options->graphs != OCLMM_PAGE_GRAPHS_NONE)
		svg = options->graph(options->data, test->record, outcome->row->values);
	if (!svg) {
		oclmm_text_add(text, "0");
		return;
	}
	cut(page, svg, &shape, &words);
	oclmm_outcome_print(&name, test->record->program, outcome->row->values);
	oclmm_text_printf(text, "[%zu,%d,%zu,[%s]]",
	                  pool_add(page->shapes, oclmm_text_string(&shape), shape.length),
	                  outcome->row->status == OCLMM_STATUS_FORBIDDEN,
	                  page_data_take(page, &name),
	                  words.length ? oclmm_text_string(&words) + 1 : "");
	oclmm_text_finish(&shape);
	oclmm_text_finish(&words);
	free(svg);
	page->graphs++;
}
