// SPDX-License-Identifier: Apache-2.0
/*
 * What the script shows, as JSON within the page. Each string stands once, in `strings`, and is
 * named by its number; 0 is "nothing". Tests, cells and outcomes are lists, whose order page.js and
 * details.js give.
 */
#include "internal.h"

#include <string.h>

size_t page_data_string(struct page *page, const char *string)
{
	return string ? pool_add(page->strings, string, strlen(string)) : 0;
}

size_t page_data_take(struct page *page, struct oclmm_text *text)
{
	size_t number = pool_add(page->strings, oclmm_text_string(text), text->length);

	oclmm_text_finish(text);
	return number;
}

static void add_verdicts(struct page *page, struct oclmm_text *text)
{
	oclmm_text_add(text, "\"verdicts\":[");
	for (int i = 0; i < OCLMM_VERDICT_COUNT; i++) {
		enum oclmm_verdict verdict = (enum oclmm_verdict)i;

		oclmm_text_printf(text, "%s[\"%s\",\"%s\",\"%s\",%u,%d,", i ? "," : "",
		                  oclmm_verdict_word(verdict), page_verdict_sign(verdict),
		                  page_verdict_class(page->arena, verdict), page_gravity(verdict),
		                  verdict == OCLMM_VERDICT_FORBIDDEN ||
		                          oclmm_verdict_is_infrastructure(verdict));
		oclmm_text_add_json(text, oclmm_verdict_meaning(verdict));
		oclmm_text_add(text, "]");
	}
	oclmm_text_add(text, "],\n");
}

static void add_words(struct page *page, struct oclmm_text *text)
{
	oclmm_text_add(text, "\"kinds\":[");
	for (int i = 0; i < PAGE_KIND_COUNT; i++)
		oclmm_text_printf(text, "%s[\"%s\",\"%s\",\"%s\"]", i ? "," : "",
		                  page_kind_word((enum page_kind)i),
		                  page_kind_sign((enum page_kind)i),
		                  page_kind_meaning((enum page_kind)i));
	oclmm_text_add(text, "],\n\"confidences\":[");
	for (int i = 0; i < OCLMM_CONFIDENCE_COUNT; i++) {
		oclmm_text_add(text, i ? "," : "");
		oclmm_text_add_json(text, oclmm_confidence_meaning((enum oclmm_confidence)i));
	}
	oclmm_text_add(text, "],\n\"controls\":[");
	for (int i = 0; i < OCLMM_CONTROL_KIND_COUNT; i++)
		oclmm_text_printf(text, "%s\"%s\"", i ? "," : "",
		                  oclmm_control_kind_speaks_for((enum oclmm_control_kind)i));
	oclmm_text_add(text, "],\n\"knobs\":[");
	for (int i = 0; i < OCLMM_KNOB_COUNT; i++) {
		oclmm_text_add(text, i ? "," : "");
		oclmm_text_add_json(text,
		                    oclmm_arena_printf(page->arena, "%s: %s",
		                                       oclmm_knob_name((enum oclmm_knob)i),
		                                       oclmm_knob_question((enum oclmm_knob)i)));
	}
	oclmm_text_printf(text, "],\n\"reached\":%d,\"rare\":%d,\n", OCLMM_CONFIDENCE_REACHED,
	                  OCLMM_CONFIDENCE_TOO_RARE);
}

static void add_columns(const struct page *page, struct oclmm_text *text)
{
	oclmm_text_add(text, "\"columns\":[");
	for (size_t i = 0; i < page->column_count; i++) {
		oclmm_text_add(text, i ? "," : "");
		oclmm_text_add_json(text, page->columns[i].label);
	}
	oclmm_text_add(text, "],\n");
}

static void add_pool(struct oclmm_text *text, const char *name, const struct pool *pool)
{
	oclmm_text_printf(text, "\"%s\":[", name);
	for (size_t i = 0; i < pool_count(pool); i++) {
		oclmm_text_add(text, i ? ",\n" : "");
		oclmm_text_add_json(text, pool_at(pool, i));
	}
	oclmm_text_add(text, "],\n");
}

/* They are lists of numbers already. */
static void add_shapes(struct oclmm_text *text, const struct pool *shapes)
{
	oclmm_text_add(text, "\"shapes\":[[]");
	for (size_t i = 1; i < pool_count(shapes); i++)
		oclmm_text_printf(text, ",\n[%s]", pool_at(shapes, i));
	oclmm_text_add(text, "],\n");
}

void page_data(struct page *page, struct oclmm_text *text)
{
	struct oclmm_text tests = {0};

	page->strings = pool_create();
	page->pieces = pool_create();
	page->shapes = pool_create();
	for (size_t i = 0; i < page->test_count; i++) {
		if (page->options->progress)
			page->options->progress(page->options->data, i, page->test_count);
		oclmm_text_add(&tests, i ? ",\n" : "");
		page_data_test(page, &tests, &page->tests[i]);
	}
	oclmm_text_add(text, "{\n");
	add_verdicts(page, text);
	add_words(page, text);
	oclmm_text_printf(text, "\"demand\":%.9g,\n", page->options->demand.confidence);
	add_columns(page, text);
	add_pool(text, "strings", page->strings);
	add_pool(text, "pieces", page->pieces);
	add_shapes(text, page->shapes);
	oclmm_text_add(text, "\"tests\":[\n");
	oclmm_text_add_bytes(text, oclmm_text_string(&tests), tests.length);
	oclmm_text_add(text, "]}\n");
	oclmm_text_finish(&tests);
}
