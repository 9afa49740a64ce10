// SPDX-License-Identifier: Apache-2.0
/* What each device's counts are worth, in a sentence, and how to repeat them. */
#include "internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void kind(struct page *page, const struct oclmm_control *control,
                 enum oclmm_control_kind index)
{
	const struct oclmm_kind_confidence *kind = &control->kinds[index];
	struct markup *markup = page->markup;

	markup_printf(markup, " %s", oclmm_control_kind_speaks_for(index));
	if (kind->confidence == OCLMM_CONFIDENCE_REACHED ||
	    kind->confidence == OCLMM_CONFIDENCE_TOO_RARE)
		markup_printf(markup, " %.2g", kind->escape);
	else
		markup_printf(markup, ": %s", oclmm_confidence_meaning(kind->confidence));
	if (kind->name) {
		markup_text(markup, " (");
		page_link(page, kind->name);
		markup_text(markup, ")");
	}
}

/* Each kind's probability that a device with the bug stayed silent. */
static void control(struct page *page, const struct oclmm_control *control)
{
	struct markup *markup = page->markup;

	if (control->confidence == OCLMM_CONFIDENCE_NOT_JUDGED)
		return;
	if (control->confidence < OCLMM_CONFIDENCE_REACHED) {
		markup_printf(markup, " Confidence: %s.",
		              oclmm_confidence_meaning(control->confidence));
		return;
	}
	markup_text(markup, " Silence:");
	for (int i = OCLMM_CONTROL_KIND_COUNT; i-- > 0;) {
		kind(page, control, (enum oclmm_control_kind)i);
		markup_text(markup, i ? ";" : ".");
	}
	if (control->together)
		markup_text(markup, " Launches were not kept apart and count as one.");
	else
		markup_printf(markup,
		              " What shows in %.2g of launches would have been seen with 95 %%.",
		              control->limit);
}

static void sum(struct markup *markup, uint64_t count, const char *what)
{
	if (!count)
		return;
	markup_text(markup, ", ");
	page_number(markup, count);
	markup_printf(markup, " %s", what);
}

static void sums(struct page *page, const struct cell *cell)
{
	struct markup *markup = page->markup;

	if (!cell->instances)
		return;
	markup_text(markup, " ");
	page_quantity(markup, "span", NULL, cell->instances);
	markup_text(markup, " instances");
	if (cell->seconds > 0)
		markup_printf(markup, " in %.2g s", cell->seconds);
	sum(markup, cell->weak, "weak");
	sum(markup, cell->forbidden, "forbidden");
	sum(markup, cell->disputed, "disputed");
	markup_text(markup, ".");
}

static void knobs(struct page *page, const struct cell *cell)
{
	unsigned deciding = 0;

	for (size_t i = 0; i < cell->count; i++)
		deciding |= cell->records[i]->grade.deciding;
	for (int knob = 0; knob < OCLMM_KNOB_COUNT; knob++) {
		if (deciding & 1u << knob)
			markup_printf(page->markup, " %s: %s.",
			              oclmm_knob_name((enum oclmm_knob)knob),
			              oclmm_knob_question((enum oclmm_knob)knob));
	}
}

/* The stimulus of the first record again, and of what it continued. What comes of it is the
 * device's. */
static void replay(struct page *page, const struct cell *cell)
{
	const struct oclmm_record *record = cell->records[0];
	struct oclmm_text text;
	char environment[32] = "";

	if (record->environment)
		snprintf(environment, sizeof(environment), "E%zu",
		         page_environment(page, record->environment) + 1);
	oclmm_text_init(&text);
	oclmm_text_add(&text, "oclmm run --device ");
	oclmm_text_add_quoted(&text, page_string(record->device));
	if (record->support == OCLMM_CLASS_ACCEPTED)
		oclmm_text_add(&text, " --claims accepted");
	if (record->environment)
		oclmm_text_printf(&text, " --environment \"$%s\"", environment);
	oclmm_text_printf(&text, " --seed %" PRIu64 " --instances %" PRIu64 " ",
	                  record->master_seed,
	                  record->instances ? record->earlier + record->instances : 1);
	oclmm_text_add(&text, *record->program->name == '-' ? "-- " : "");
	oclmm_text_add_quoted(&text, record->program->name);
	markup_open(page->markup, "p", "class", "code", NULL);
	markup_element(page->markup, "code", oclmm_text_string(&text), NULL);
	if (record->environment) {
		markup_text(page->markup, " ");
		markup_element(page->markup, "a", environment, "href",
		               oclmm_arena_printf(page->arena, "#%s", environment), NULL);
	}
	markup_close(page->markup);
	oclmm_text_finish(&text);
}

static void message(struct page *page, const struct oclmm_record *record)
{
	struct markup *markup = page->markup;

	if (record->message)
		markup_printf(markup, " %s.", record->message);
	if (oclmm_end_cause(record->end) && oclmm_verdict_is_infrastructure(record->grade.verdict))
		markup_printf(markup, " (%s)", oclmm_end_cause(record->end));
	if (record->grade.known)
		markup_printf(markup, " Listed: %s.", record->grade.known);
	if (record->support == OCLMM_CLASS_ACCEPTED)
		markup_text(markup, " Accepted, though the device does not claim all of it.");
	if (!record->grade.gates && (record->grade.verdict == OCLMM_VERDICT_FORBIDDEN ||
	                             oclmm_verdict_is_infrastructure(record->grade.verdict)))
		markup_text(markup, " It does not gate.");
}

static void build_log(struct page *page, const struct oclmm_record *record)
{
	struct markup *markup = page->markup;

	if (!record->build_log || !*record->build_log)
		return;
	markup_open(markup, "details", NULL);
	markup_element(markup, "summary", "What the compiler said", NULL);
	markup_element(markup, "pre", record->build_log, "tabindex", "0", NULL);
	markup_close(markup);
}

static void result(struct page *page, size_t index, const struct cell *cell)
{
	struct markup *markup = page->markup;

	markup_open(markup, "dt", NULL);
	page_verdict(markup, cell->verdict);
	if (page->configuration_count > 1)
		markup_printf(markup, " %s", page->configurations[index].label);
	markup_close(markup);
	markup_open(markup, "dd", NULL);
	markup_open(markup, "p", NULL);
	markup_printf(markup, "%c%s.", *oclmm_verdict_meaning(cell->verdict) - 'a' + 'A',
	              oclmm_verdict_meaning(cell->verdict) + 1);
	for (size_t i = 0; i < cell->count; i++) {
		/* several records of one verdict say the same */
		if (i == 0 || cell->records[i]->grade.verdict != cell->records[0]->grade.verdict)
			message(page, cell->records[i]);
	}
	sums(page, cell);
	control(page, &cell->records[0]->grade.control);
	knobs(page, cell);
	markup_close(markup);
	build_log(page, cell->records[0]);
	if (cell->instances || oclmm_verdict_is_infrastructure(cell->verdict))
		replay(page, cell);
	markup_close(markup);
}

void page_results(struct page *page, const struct test *test)
{
	struct markup *markup = page->markup;

	markup_open(markup, "dl", NULL);
	for (size_t i = 0; i < page->configuration_count; i++) {
		if (test->cells[i].count)
			result(page, i, &test->cells[i]);
	}
	markup_close(markup);
	markup_text(markup, "\n");
}
