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

/* A file as the service knows it, by its path in the repository; NULL: it is not in it. */
static const char *place_of(const struct oclmm_run_header *header, const char *file)
{
	size_t length = header->root ? strlen(header->root) : 0;

	while (length > 1 && header->root[length - 1] == '/')
		length--;
	if (!header->root || *file != '/')
		return file;
	if (strncmp(file, header->root, length) != 0 || file[length] != '/')
		return NULL;
	return file + length + 1;
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
	if (program->file && place_of(header, program->file)) {
		oclmm_text_add(text, "file=");
		add_escaped(text, oclmm_shown(place_of(header, program->file)).text, true);
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
		oclmm_text_add(&reason, "\n");
		oclmm_report_next(&reason, record, "");
		reason.data[--reason.length] = '\0';
	}
	add_escaped(text, oclmm_text_string(&reason), false);
	oclmm_text_finish(&reason);
	oclmm_text_add(text, "\n");
}

/* ---- the summary of a job ---- */

/* In a cell of a table: what Markdown or HTML would read is taken apart. */
static void add_cell(struct oclmm_text *text, const char *string)
{
	oclmm_text_add(text, " ");
	for (const char *c = string; *c; c++) {
		if (*c == '|' || *c == '`' || *c == '\\' || *c == '*' || *c == '_' || *c == '[')
			oclmm_text_printf(text, "\\%c", *c);
		else if (*c == '<')
			oclmm_text_add(text, "&lt;");
		else if (*c == '&')
			oclmm_text_add(text, "&amp;");
		else if (*c == '\n')
			oclmm_text_add(text, "<br>");
		else
			oclmm_text_add_bytes(text, c, 1);
	}
	oclmm_text_add(text, " |");
}

static void add_row(struct oclmm_text *text, const struct oclmm_run_header *header,
                    const struct oclmm_record *record)
{
	struct oclmm_text what = {0};

	oclmm_report_reason(&what, record);
	oclmm_text_add(&what, "\n");
	oclmm_report_next(&what, record, "");
	oclmm_text_add(&what, "replay: ");
	oclmm_report_replay(&what, header, record);
	oclmm_text_add(text, "|");
	add_cell(text, oclmm_shown(record->program->name).text);
	add_cell(text, oclmm_verdict_word(record->grade.verdict));
	add_cell(text, oclmm_text_string(&what));
	oclmm_text_add(text, "\n");
	oclmm_text_finish(&what);
}

void oclmm_report_github_summary(struct oclmm_text *text, const struct oclmm_run_header *header,
                                 const struct oclmm_record *const *records, size_t count,
                                 const struct oclmm_tally *tally, enum oclmm_exit status)
{
	enum { MOST = 100 };
	size_t failed = 0;

	oclmm_text_add(text, "### OpenCL memory model\n\n");
	oclmm_report_verdict(text, tally, status);
	oclmm_text_add(text, "\n");
	for (size_t i = 0; i < count; i++) {
		const char *level = level_of(header, &records[i]->grade);

		if (!level || strcmp(level, "error") != 0 || failed++ >= MOST)
			continue;
		if (failed == 1)
			oclmm_text_add(text,
			               "\n| test | verdict | what was seen |\n|---|---|---|\n");
		add_row(text, header, records[i]);
	}
	if (failed > MOST)
		oclmm_text_printf(text, "\n%zu others failed, too.\n", failed - MOST);
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
