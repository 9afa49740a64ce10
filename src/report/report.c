// SPDX-License-Identifier: Apache-2.0
#include "internal.h"

#include <inttypes.h>
#include <string.h>

const struct oclmm_report_kind *oclmm_report_kind(const char *name)
{
	static const struct oclmm_report_kind *const kinds[] = {
		&oclmm_report_text,
		&oclmm_report_summary,
		&oclmm_report_json,
	};

	for (size_t i = 0; i < OCLMM_COUNT(kinds); i++) {
		if (strcmp(kinds[i]->name, name) == 0)
			return kinds[i];
	}
	return NULL;
}

/* After the first error nothing more is written: a report has no holes. */
static void pass_on(struct oclmm_report *report, struct oclmm_text *text)
{
	int r = 0;

	if (text->length && !report->failed) {
		r = report->sink.write(report->sink.data, oclmm_text_string(text), text->length);
		if (r == 0 && report->sink.flush)
			r = report->sink.flush(report->sink.data);
		report->failed = r;
	}
	oclmm_text_finish(text);
}

void oclmm_report_begin(struct oclmm_report *report, const struct oclmm_report_kind *kind,
                        struct oclmm_sink sink, const struct oclmm_run_header *header)
{
	struct oclmm_text text;

	*report = (struct oclmm_report){ .kind = kind, .sink = sink, .header = header };
	oclmm_text_init(&text);
	kind->begin(report, header, &text);
	pass_on(report, &text);
}

void oclmm_report_record(struct oclmm_report *report, const struct oclmm_record *record)
{
	struct oclmm_text text;

	oclmm_text_init(&text);
	report->kind->record(report, record, &text);
	pass_on(report, &text);
}

int oclmm_report_end(struct oclmm_report *report, const struct oclmm_tally *tally, enum oclmm_exit status)
{
	struct oclmm_text text;

	oclmm_text_init(&text);
	report->kind->end(report, tally, status, &text);
	pass_on(report, &text);
	if (report->kind->finish)
		report->kind->finish(report);
	report->state = NULL;
	return report->failed;
}

void report_outcome(struct oclmm_text *text, const struct oclmm_record *record, const int64_t *values)
{
	oclmm_outcome_print(text, record->program, values);
}

void report_row_comment(struct oclmm_text *text, const struct oclmm_graded_row *row)
{
	if (row->status == OCLMM_STATUS_FORBIDDEN) {
		oclmm_text_add(text, " # !! forbidden");
	} else if (row->status == OCLMM_STATUS_DISPUTED) {
		oclmm_text_add(text, " # ? disputed ");
		oclmm_knobs_print(text, row->deciding);
	}
}

const char *report_observed_word(const struct oclmm_grade *grade)
{
	return grade->holds == 0 ? "Never" : grade->fails == 0 ? "Always" : "Sometimes";
}

void report_replay(struct oclmm_text *text, const struct oclmm_run_header *header,
                   const struct oclmm_record *record)
{
	oclmm_text_printf(text, "%s --instances %" PRIu64 " %s", header->replay, record->instances,
	                  record->program->name);
}

void oclmm_report_quantity(struct oclmm_text *text, double number)
{
	static const struct {
		double factor;
		const char *unit;
	} units[] = { { 1e12, "T" }, { 1e9, "G" }, { 1e6, "M" }, { 1e3, "k" } };

	for (size_t i = 0; i < OCLMM_COUNT(units); i++) {
		double scaled = number / units[i].factor;

		/* 999,950 would print as 1000.0 k */
		if (scaled < 0.99995)
			continue;
		oclmm_text_printf(text, scaled >= 99.95 ? "%.0f %s" : "%.1f %s", scaled, units[i].unit);
		return;
	}
	oclmm_text_printf(text, number == (double)(uint64_t)number ? "%.0f" : "%.2f", number);
}

static const char *headline(enum oclmm_exit status)
{
	switch (status) {
	case OCLMM_EXIT_PASS:
		return "pass";
	case OCLMM_EXIT_FORBIDDEN:
		return "FORBIDDEN outcomes were seen";
	case OCLMM_EXIT_INCONCLUSIVE:
		return "inconclusive";
	case OCLMM_EXIT_NOTHING:
		return "nothing applicable was run";
	case OCLMM_EXIT_INFRASTRUCTURE:
		return "incomplete: some tests could not be run to the end";
	case OCLMM_EXIT_USAGE:
		break;
	}
	return "not run";
}

static void print_reasons(struct oclmm_text *text, const struct oclmm_tally *tally)
{
	for (int i = 0; i < OCLMM_VERDICT_COUNT; i++) {
		enum oclmm_verdict verdict = (enum oclmm_verdict)i;
		uint64_t count = oclmm_tally_verdict(tally, verdict);

		if (count)
			oclmm_text_printf(text, "  %-12s %6" PRIu64 "  %s\n", oclmm_verdict_word(verdict), count,
			                  oclmm_verdict_meaning(verdict));
	}
}

void report_closing(struct oclmm_text *text, const struct oclmm_tally *tally, enum oclmm_exit status)
{
	uint64_t skipped = oclmm_tally_verdict(tally, OCLMM_VERDICT_SKIP);

	oclmm_text_printf(text, "%" PRIu64 " tests, ", oclmm_tally_tests(tally));
	oclmm_report_quantity(text, (double)tally->instances);
	oclmm_text_printf(text, " instances, stimulus %016" PRIx64 "\n", tally->stimulus);
	print_reasons(text, tally);
	oclmm_text_printf(text, "verdict: %s\n", headline(status));
	if (status == OCLMM_EXIT_NOTHING && tally->instances)
		oclmm_text_add(text, "the device claims none of what the tests need; they gate with "
		                     "--claims accepted\n");
	if (tally->interrupted)
		oclmm_text_add(text, "the run was interrupted\n");
	if (tally->left_out || skipped)
		oclmm_text_printf(text, "%" PRIu64 " tests were left out and %" PRIu64 " skipped: "
		                  "this run does not verify conformance\n", tally->left_out, skipped);
}
