// SPDX-License-Identifier: Apache-2.0
/* TAP 13. Written at the end, when it is known which passes are inconclusive. */
#include "internal.h"

#include <stdlib.h>
#include <string.h>

/* In a description and after a directive, `#` begins a directive. */
static void add_words(struct oclmm_text *text, const char *words)
{
	struct oclmm_text shown = {0};

	oclmm_text_add_shown(&shown, words);
	for (const char *at = oclmm_text_string(&shown); *at; at++) {
		if (*at == '#')
			oclmm_text_add(text, "\\");
		oclmm_text_add_bytes(text, at, 1);
	}
	oclmm_text_finish(&shown);
}

static void add_reason(struct oclmm_text *text, const char *directive,
                       const struct oclmm_record *record)
{
	struct oclmm_text reason = {0};

	oclmm_report_reason(&reason, record);
	oclmm_text_printf(text, " # %s ", directive);
	add_words(text, oclmm_text_string(&reason));
	oclmm_text_finish(&reason);
}

/* A YAML block; its strings are JSON's, which YAML reads. */
static void add_field(struct oclmm_text *text, const char *key, const char *value)
{
	struct oclmm_text shown = {0};

	oclmm_text_add_shown(&shown, value);
	oclmm_text_printf(text, "  %s: \"", key);
	for (const char *at = oclmm_text_string(&shown); *at; at++) {
		if (*at == '"' || *at == '\\')
			oclmm_text_add(text, "\\");
		oclmm_text_add_bytes(text, *at == '\t' ? " " : at, 1);
	}
	oclmm_text_add(text, "\"\n");
	oclmm_text_finish(&shown);
}

/* `rule`, `explain` and `export`, fields of what stands behind their colons. */
static void add_next(struct oclmm_text *text, const struct oclmm_record *record)
{
	struct oclmm_text lines = {0};
	char *save = NULL, *words;

	oclmm_report_next(&lines, record, "");
	words = oclmm_text_steal(&lines);
	for (char *line = strtok_r(words, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		char *colon = strchr(line, ':');

		*colon = '\0';
		add_field(text, line, colon + 2);
	}
	free(words);
}

static void add_block(struct oclmm_text *text, const struct oclmm_run_header *header,
                      const struct oclmm_record *record)
{
	struct oclmm_text field = {0};

	oclmm_text_add(text, "  ---\n");
	add_field(text, "verdict", oclmm_verdict_word(record->grade.verdict));
	if (oclmm_end_cause(record->end))
		add_field(text, "cause", oclmm_end_cause(record->end));
	oclmm_report_reason(&field, record);
	add_field(text, "message", oclmm_text_string(&field));
	oclmm_text_finish(&field);
	if (record->program->file)
		add_field(text, "file", record->program->file);
	if (record->grade.verdict == OCLMM_VERDICT_FORBIDDEN) {
		oclmm_report_replay(&field, header, record);
		add_field(text, "replay", oclmm_text_string(&field));
		oclmm_text_finish(&field);
		add_next(text, record);
	}
	oclmm_text_add(text, "  ...\n");
}

static bool fails(const struct oclmm_run_header *header, const struct oclmm_record *record)
{
	const struct oclmm_grade *grade = &record->grade;
	bool doubtful = grade->verdict == OCLMM_VERDICT_INCONCLUSIVE ||
	                grade->verdict == OCLMM_VERDICT_STALE;

	if (oclmm_report_is_excused(grade))
		return false;
	return oclmm_verdict_is_infrastructure(grade->verdict) ||
	       grade->verdict == OCLMM_VERDICT_FORBIDDEN || grade->control.stuck_fails ||
	       (record->code.proof == OCLMM_PROOF_WRONG && grade->verdict != OCLMM_VERDICT_KNOWN &&
	        grade->gates) ||
	       (doubtful && header->strict);
}

/* A failure that does not count against the device is TAP's TODO. */
static bool is_excused(const struct oclmm_grade *grade)
{
	return grade->verdict == OCLMM_VERDICT_KNOWN || oclmm_report_is_excused(grade);
}

static void add_test(struct oclmm_text *text, const struct oclmm_run_header *header,
                     const struct oclmm_record *record, size_t number)
{
	bool failed = fails(header, record), excused = is_excused(&record->grade);

	oclmm_text_printf(text, "%s %zu - ", failed || excused ? "not ok" : "ok", number);
	add_words(text, record->program->name);
	oclmm_report_label(text, header, record);
	/* what was not proven is neither a success nor, unless that was asked for, a failure */
	if (record->grade.verdict == OCLMM_VERDICT_SKIP ||
	    (record->grade.verdict == OCLMM_VERDICT_INCONCLUSIVE && !failed))
		add_reason(text, "SKIP", record);
	else if (excused)
		add_reason(text, "TODO", record);
	oclmm_text_add(text, "\n");
	if (failed)
		add_block(text, header, record);
}

static void tap_begin(struct oclmm_report *report, const struct oclmm_run_header *header,
                      struct oclmm_text *text)
{
	(void)report;
	oclmm_text_add(text, "TAP version 13\n");
	oclmm_report_runs(text, header, "\n");
}

static void tap_judged(struct oclmm_report *report, const struct oclmm_record *const *records,
                       size_t count, struct oclmm_text *text)
{
	oclmm_text_printf(text, "1..%zu%s\n", count, count ? "" : " # SKIP nothing was run");
	for (size_t i = 0; i < count; i++)
		add_test(text, report->header, records[i], i + 1);
}

static void tap_end(struct oclmm_report *report, const struct oclmm_tally *tally,
                    enum oclmm_exit status, struct oclmm_text *text)
{
	(void)report;
	oclmm_report_verdict_lines(text, tally, status, "# ", "");
	if (tally->interrupted)
		oclmm_text_add(text, "Bail out! the run was interrupted\n");
}

const struct oclmm_report_kind oclmm_report_tap = {
	.name = "tap",
	.begin = tap_begin,
	.judged = tap_judged,
	.end = tap_end,
};
