// SPDX-License-Identifier: Apache-2.0
/* Workflow commands that GitHub shows beside the lines of the litmus files. */
#include "internal.h"

#include <string.h>

/*
 * `%` and line ends everywhere, the separators in properties too. This is an escaping of its
 * own, and what it escapes was made by oclmm_text_add_shown(): the ends of lines that are left
 * are the report's.
 */
static void add_escaped(struct oclmm_text *text, const char *string, bool property)
{
	for (; *string; string++) {
		if (strchr(property ? "%\r\n:," : "%\r\n", *string))
			oclmm_text_printf(text, "%%%02X", (unsigned char)*string);
		else
			oclmm_text_add_bytes(text, string, 1);
	}
}

static const char *level_of(const struct oclmm_run_header *header, const struct oclmm_grade *grade)
{
	if (oclmm_report_is_excused(grade))
		return "warning";
	if (oclmm_verdict_is_infrastructure(grade->verdict))
		return "error";
	switch (grade->verdict) {
	case OCLMM_VERDICT_FORBIDDEN: return "error";
	case OCLMM_VERDICT_STALE: return header->strict ? "error" : "warning";
	case OCLMM_VERDICT_INCONCLUSIVE:
		return header->strict || grade->control.stuck_fails ? "error"
		       : grade->control.stuck                       ? "warning"
		                                                    : NULL;
	case OCLMM_VERDICT_KNOWN: return "notice";
	default: return NULL;
	}
}

static void add_annotation(struct oclmm_text *text, const struct oclmm_run_header *header,
                           const struct oclmm_record *record)
{
	const struct oclmm_program *program = record->program;
	const char *level = level_of(header, &record->grade);
	struct oclmm_text reason = {0};

	if (!level)
		return;
	oclmm_text_printf(text, "::%s ", level);
	if (program->file) {
		oclmm_text_add(text, "file=");
		add_escaped(text, oclmm_shown(program->file).text, true);
		/* the final condition says what must not be seen */
		if (program->condition && program->condition->position.line)
			oclmm_text_printf(text, ",line=%u", program->condition->position.line);
		oclmm_text_add(text, ",");
	}
	oclmm_text_add(text, "title=");
	add_escaped(text, oclmm_shown(program->name).text, true);
	oclmm_report_label(text, header, record);
	oclmm_text_add(text, "::");
	oclmm_report_reason(&reason, record);
	if (record->grade.verdict == OCLMM_VERDICT_FORBIDDEN) {
		oclmm_text_add(&reason, "\nreplay: ");
		oclmm_report_replay(&reason, header, record);
	}
	add_escaped(text, oclmm_text_string(&reason), false);
	oclmm_text_finish(&reason);
	oclmm_text_add(text, "\n");
}

static void github_judged(struct oclmm_report *report, const struct oclmm_record *const *records,
                          size_t count, struct oclmm_text *text)
{
	for (size_t i = 0; i < count; i++)
		add_annotation(text, report->header, records[i]);
}

static void github_end(struct oclmm_report *report, const struct oclmm_tally *tally,
                       enum oclmm_exit status, struct oclmm_text *text)
{
	(void)report;
	oclmm_text_printf(text, "::%s title=oclmm::",
	                  status == OCLMM_EXIT_PASS      ? "notice"
	                  : status == OCLMM_EXIT_NOTHING ? "warning"
	                                                 : "error");
	oclmm_report_verdict(text, tally, status);
	oclmm_text_add(text, "\n");
	if (tally->left_out)
		oclmm_text_printf(text,
		                  "::warning title=oclmm::%s left out: this run does not verify "
		                  "conformance\n",
		                  oclmm_counted(tally->left_out, "test").text);
}

const struct oclmm_report_kind oclmm_report_github = {
	.name = "github",
	.judged = github_judged,
	.end = github_end,
};
