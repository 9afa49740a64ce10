// SPDX-License-Identifier: Apache-2.0
/*
 * One test for the script: [name, id, family, question, comment, base, word of a command,
 * specification, lines, picture, kinds seen and whether devices differ, cut, filtered,
 * kinds left out, [left out], [cells], [outcomes]].
 */
#include "internal.h"

#include <inttypes.h>
#include <string.h>

/* The bit beside those of the kinds. */
enum { DIFFERS = PAGE_KIND_COUNT };

static void add_number(struct page *page, struct oclmm_text *text, const char *string)
{
	oclmm_text_printf(text, ",%zu", page_data_string(page, string));
}

static void add_names(struct page *page, struct oclmm_text *text, const struct test *test)
{
	const char *name = test->record->program->name;
	struct oclmm_text word = {0};

	oclmm_text_printf(text, "%zu", page_data_string(page, name));
	/* most names are plain, and their identifiers as the script would make them */
	add_number(page, text, strcmp(test->id + 2, name) == 0 ? NULL : test->id);
	add_number(page, text, test->record->family);
	add_number(page, text, test->words.question);
	add_number(page, text, test->words.base ? NULL : test->words.comment);
	add_number(page, text, test->words.base);
	oclmm_record_argument(&word, test->record);
	oclmm_text_printf(text, ",%zu", page_data_take(page, &word));
}

/* [model, condition, observation, why it is undefined] */
static void add_specification(struct page *page, struct oclmm_text *text, const struct test *test)
{
	const struct oclmm_record *record = test->record;
	struct oclmm_text condition = {0};

	if (!test->bound || !record->expected) {
		oclmm_text_add(text, ",0");
		return;
	}
	oclmm_final_print(&condition, record->program);
	oclmm_text_printf(text, ",[%zu", page_data_string(page, record->model));
	oclmm_text_printf(text, ",%zu", page_data_take(page, &condition));
	add_number(page, text, oclmm_observation_word(record->expected->observation));
	add_number(page, text,
	           record->expected->undefined ? record->expected->undefined_why : NULL);
	oclmm_text_add(text, "]");
}

/* Variants of a file share most of their lines. */
static void add_lines(struct page *page, struct oclmm_text *text, const struct test *test)
{
	struct oclmm_text program = {0};
	const char *at, *end;

	oclmm_text_add(text, ",[");
	if (test->bound)
		oclmm_program_print(&program, test->record->program);
	for (at = oclmm_text_string(&program); *at; at = *end ? end + 1 : end) {
		end = at + strcspn(at, "\n");
		oclmm_text_printf(text, "%s%zu", at == program.data ? "" : ",",
		                  pool_add(page->strings, at, (size_t)(end - at)));
	}
	oclmm_text_add(text, "]");
	oclmm_text_finish(&program);
}

static unsigned kinds_of(const struct test *test)
{
	unsigned kinds = 0;

	for (size_t i = 0; i < test->outcome_count; i++) {
		if (test->outcomes[i].total)
			kinds |= 1u << page_kind(&test->outcomes[i]);
	}
	return kinds | (unsigned)test->differs << DIFFERS;
}

/* Instances without an outcome: a bounded loop was cut, or the test's filter turned them away. */
static void add_rest(const struct page *page, struct oclmm_text *text, const struct test *test)
{
	uint64_t cut = 0, filtered = 0;

	for (size_t i = 0; i < page->column_count; i++) {
		for (size_t k = 0; k < test->cells[i].count; k++) {
			cut += test->cells[i].places[k].record->grade.cut;
			filtered += test->cells[i].places[k].record->grade.filtered;
		}
	}
	oclmm_text_printf(text, ",%u,%" PRIu64 ",%" PRIu64 ",%zu,[", kinds_of(test), cut, filtered,
	                  test->left_out_kinds);
	for (size_t i = 0; test->left_out_kinds && i < page->column_count; i++)
		oclmm_text_printf(text, "%s%" PRIu64, i ? "," : "", test->left_out[i]);
	oclmm_text_add(text, "]");
}

/* [name, kind, deciding, a count per column] */
static void add_outcome(struct page *page, struct oclmm_text *text, const struct test *test,
                        const struct outcome *outcome)
{
	struct oclmm_text name = {0};

	oclmm_outcome_print(&name, test->record->program, outcome->row->values);
	oclmm_text_printf(text, "[%zu,%d", page_data_take(page, &name), page_kind(outcome));
	if (outcome->row->deciding)
		oclmm_knobs_print(&name, outcome->row->deciding);
	oclmm_text_printf(text, ",%zu", page_data_take(page, &name));
	for (size_t i = 0; i < page->column_count; i++)
		oclmm_text_printf(text, ",%" PRIu64, outcome->counts[i]);
	oclmm_text_add(text, "]");
}

void page_data_test(struct page *page, struct oclmm_text *text, const struct test *test)
{
	oclmm_text_add(text, "[");
	add_names(page, text, test);
	add_specification(page, text, test);
	add_lines(page, text, test);
	oclmm_text_add(text, ",");
	page_data_picture(page, text, test);
	add_rest(page, text, test);
	oclmm_text_add(text, ",[");
	for (size_t i = 0; i < page->column_count; i++) {
		oclmm_text_add(text, i ? "," : "");
		page_data_cell(page, text, test, i);
	}
	oclmm_text_add(text, "],[");
	for (size_t i = 0; i < test->outcome_count; i++) {
		oclmm_text_add(text, i ? "," : "");
		add_outcome(page, text, test, &test->outcomes[i]);
	}
	oclmm_text_add(text, "]]");
}
