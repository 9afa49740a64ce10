// SPDX-License-Identifier: Apache-2.0
/*
 * A test in one column, for the script: [verdict, instances, seconds, weak, forbidden, disputed,
 * deciding, [sentences], evidence, log of the build, command]; 0 where it was not run.
 */
#include "internal.h"

#include <inttypes.h>

/* A sentence of the notes: the text so far, which is emptied. */
static void end_note(struct page *page, struct oclmm_text *text, struct oclmm_text *note,
                     size_t *count)
{
	if (note->length)
		oclmm_text_printf(text, "%s%zu", (*count)++ ? "," : "", page_data_take(page, note));
}

static void add_notes_of(struct page *page, struct oclmm_text *text,
                         const struct oclmm_record *record, size_t *count)
{
	const struct oclmm_grade *grade = &record->grade;
	bool failed = oclmm_verdict_is_infrastructure(grade->verdict);
	struct oclmm_text note = {0};

	if (record->message)
		oclmm_text_printf(&note, "%s.", record->message);
	end_note(page, text, &note, count);
	if (oclmm_end_cause(record->end) && failed)
		oclmm_text_printf(&note, "(%s)", oclmm_end_cause(record->end));
	end_note(page, text, &note, count);
	if (grade->known)
		oclmm_text_printf(&note, "Listed: %s.", grade->known);
	end_note(page, text, &note, count);
	if (record->support == OCLMM_CLASS_ACCEPTED)
		oclmm_text_add(&note, "Accepted, though the device does not claim all of it.");
	end_note(page, text, &note, count);
	if (!grade->gates && (grade->verdict == OCLMM_VERDICT_FORBIDDEN || failed))
		oclmm_text_add(&note, "It does not gate.");
	end_note(page, text, &note, count);
}

static void add_notes(struct page *page, struct oclmm_text *text, const struct cell *cell)
{
	uint32_t told = 0;
	size_t count = 0;

	oclmm_text_add(text, ",[");
	for (size_t i = 0; i < cell->count; i++) {
		enum oclmm_verdict verdict = cell->places[i].record->grade.verdict;

		/* several records of one verdict say the same */
		if (told & 1u << verdict)
			continue;
		told |= 1u << verdict;
		add_notes_of(page, text, cell->places[i].record, &count);
	}
	oclmm_text_add(text, "]");
}

/* [confidence, whether launches count as one, limit, [confidence, escape, name] per kind] */
static void add_evidence(struct page *page, struct oclmm_text *text,
                         const struct oclmm_control *control)
{
	if (control->confidence == OCLMM_CONFIDENCE_NOT_JUDGED) {
		oclmm_text_add(text, ",0");
		return;
	}
	oclmm_text_printf(text, ",[%d,%d,%.2g", control->confidence, control->together,
	                  control->limit);
	for (int i = 0; i < OCLMM_CONTROL_KIND_COUNT; i++) {
		const struct oclmm_kind_confidence *kind = &control->kinds[i];

		oclmm_text_printf(text, ",[%d,%.2g,%zu]", kind->confidence, kind->escape,
		                  page_data_string(page, kind->name));
	}
	oclmm_text_add(text, "]");
}

/*
 * The stimulus of the first record again, and of what it continued; what comes of it is the
 * device's. [begin, environment, end], to which the script adds the test. Two devices that ran
 * together are known by their numbers alone, which another day may be others.
 */
static void add_command(struct page *page, struct oclmm_text *text,
                        const struct oclmm_record *record)
{
	const struct oclmm_run_header *run = page_run_of(page, record);
	struct oclmm_text words = {0};
	size_t begin, environment = 0;

	if (run && run->partner) {
		oclmm_text_add(text, ",0");
		return;
	}
	oclmm_report_command(&words, run, record);
	begin = page_data_take(page, &words);
	if (record->environment) {
		oclmm_text_add_quoted(&words, record->environment);
		environment = page_data_take(page, &words);
	}
	oclmm_text_printf(&words, "--seed %" PRIu64, record->master_seed);
	oclmm_report_halvings(&words, &record->halved_at);
	oclmm_text_printf(&words, " --instances %" PRIu64,
	                  record->instances ? record->earlier + record->instances : 1);
	oclmm_text_printf(text, ",[%zu,%zu,%zu]", begin, environment, page_data_take(page, &words));
}

void page_data_cell(struct page *page, struct oclmm_text *text, const struct test *test,
                    size_t column)
{
	const struct cell *cell = &test->cells[column];
	unsigned deciding = 0;

	if (!cell->count) {
		oclmm_text_add(text, "0");
		return;
	}
	for (size_t i = 0; i < cell->count; i++)
		deciding |= cell->places[i].record->grade.deciding;
	oclmm_text_printf(text, "[%d,%" PRIu64 ",%.2g,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%u",
	                  cell->record->grade.verdict, cell->instances, cell->seconds, cell->weak,
	                  cell->forbidden, cell->disputed, deciding);
	add_notes(page, text, cell);
	add_evidence(page, text, &cell->record->grade.control);
	oclmm_text_printf(text, ",%zu", page_data_string(page, cell->record->build_log));
	if (cell->instances || oclmm_verdict_is_infrastructure(cell->record->grade.verdict))
		add_command(page, text, cell->places[0].record);
	else
		oclmm_text_add(text, ",0");
	oclmm_text_add(text, "]");
}
