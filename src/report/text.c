// SPDX-License-Identifier: Apache-2.0
/*
 * litmus7's output. What follows on a row is a comment to the herd tools;
 * lines `Key=...` between Hash and Observation are read over by them.
 */
#include "internal.h"

#include <inttypes.h>

static void print_histogram(struct oclmm_text *text, const struct oclmm_record *record,
                            uint32_t most)
{
	const struct oclmm_grade *grade = &record->grade;
	uint32_t count = grade->row_count < most ? grade->row_count : most;

	oclmm_text_printf(text, "Histogram (%u states)\n", grade->row_count);
	for (uint32_t i = 0; i < count; i++) {
		const struct oclmm_graded_row *row = &grade->rows[i];

		oclmm_text_printf(text, "%-6" PRIu64 "%c>", row->count, row->witness ? '*' : ':');
		report_outcome(text, record, row->values);
		report_row_comment(text, row);
		oclmm_text_add(text, "\n");
	}
	if (count < grade->row_count)
		oclmm_text_printf(text, "# and %u others\n", grade->row_count - count);
}

static void print_condition(struct oclmm_text *text, const struct oclmm_record *record)
{
	const struct oclmm_program *program = record->program;
	const struct oclmm_grade *grade = &record->grade;
	bool ok = oclmm_log_ok(program->quantifier, grade->holds, grade->fails);
	bool negated = program->quantifier == OCLMM_QUANTIFIER_NOT_EXISTS;

	oclmm_text_printf(text, "%s\n\nWitnesses\n", ok ? "Ok" : "No");
	oclmm_text_printf(text, "Positive: %" PRIu64 ", Negative: %" PRIu64 "\n",
	                  negated ? grade->fails : grade->holds,
	                  negated ? grade->holds : grade->fails);
	oclmm_text_add(text, "Condition ");
	oclmm_final_print(text, program);
	oclmm_text_printf(text, " is %svalidated\n", ok ? "" : "NOT ");
}

static void print_own_lines(struct oclmm_text *text, const struct oclmm_record *record)
{
	const struct oclmm_grade *grade = &record->grade;

	oclmm_text_printf(text, "Hash=%016" PRIx64 "\n", record->program->hash);
	oclmm_text_printf(text, "Variant=%s\n", oclmm_shown(record->program->name).text);
	oclmm_text_printf(text, "Verdict=%s\n", oclmm_verdict_word(grade->verdict));
	oclmm_text_printf(text, "Class=%s\n", oclmm_class_word(record->support));
	if (record->model)
		oclmm_text_printf(text, "Model=%s\n", oclmm_shown(record->model).text);
	if (grade->known)
		oclmm_text_printf(text, "Known=%s\n", oclmm_shown(grade->known).text);
	if (grade->cut)
		oclmm_text_printf(text, "Cut=%" PRIu64 "\n", grade->cut);
	if (grade->filtered)
		oclmm_text_printf(text, "Filtered=%" PRIu64 "\n", grade->filtered);
	oclmm_text_printf(text, "Seed=%" PRIu64 "\n", record->master_seed);
	oclmm_text_printf(text, "Stimulus=%016" PRIx64 "\n", record->stimulus);
}

void report_block(struct oclmm_text *text, const struct oclmm_record *record, uint32_t most)
{
	const struct oclmm_grade *grade = &record->grade;
	const char *name = record->program->name;

	if (!grade->row_count && !grade->instances) {
		oclmm_text_printf(text, "%s: %s%s%s\n\n", oclmm_shown(name).text,
		                  oclmm_verdict_word(grade->verdict), record->message ? ": " : "",
		                  oclmm_shown(record->message ? record->message : "").text);
		return;
	}
	oclmm_text_add(text, "Test ");
	oclmm_log_name(text, name);
	oclmm_text_printf(text, " %s\n", oclmm_log_kind(record->program->quantifier));
	print_histogram(text, record, most);
	print_condition(text, record);
	print_own_lines(text, record);
	oclmm_text_add(text, "Observation ");
	oclmm_log_name(text, name);
	oclmm_text_printf(text, " %s %" PRIu64 " %" PRIu64 "\n", report_observed_word(grade),
	                  grade->holds, grade->fails);
	oclmm_text_add(text, "Time ");
	oclmm_log_name(text, name);
	oclmm_text_printf(text, " %.2f\n\n", record->seconds);
}

void oclmm_report_block(struct oclmm_text *text, const struct oclmm_record *record)
{
	report_block(text, record, UINT32_MAX);
}

static void text_begin(struct oclmm_report *report, const struct oclmm_run_header *header,
                       struct oclmm_text *text)
{
	(void)report;
	report_runs(text, header, "\n\n");
}

static void text_record(struct oclmm_report *report, const struct oclmm_record *record,
                        struct oclmm_text *text)
{
	if (report->header->next) {
		oclmm_text_add(text, "#");
		report_label(text, report->header, record);
		oclmm_text_add(text, "\n");
	}
	oclmm_report_block(text, record);
	if (record->grade.verdict == OCLMM_VERDICT_FORBIDDEN) {
		oclmm_text_add(text, "Replay: ");
		report_replay(text, report->header, record);
		oclmm_text_add(text, "\n\n");
	}
}

static void text_judged(struct oclmm_report *report, const struct oclmm_record *const *records,
                        size_t count, struct oclmm_text *text)
{
	if (report_judged(text, report->header, records, count))
		oclmm_text_add(text, "\n");
}

static void text_part(struct oclmm_report *report, size_t number, struct oclmm_text *text)
{
	if (!report->header->next)
		return;
	report_number(text, report->header, number);
	oclmm_text_printf(text, " %s\n",
	                  oclmm_shown(report_header(report->header, number)->device).text);
}

static void text_end(struct oclmm_report *report, const struct oclmm_tally *tally,
                     enum oclmm_exit status, struct oclmm_text *text)
{
	report_closing(report, text, tally, status, text_part);
}

const struct oclmm_report_kind oclmm_report_text = {
	.name = "text",
	.for_people = true,
	.rows_stand = true,
	.parts = true,
	.begin = text_begin,
	.record = text_record,
	.judged = text_judged,
	.end = text_end,
};
