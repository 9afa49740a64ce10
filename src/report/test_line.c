// SPDX-License-Identifier: Apache-2.0
/* One line for a test, and what is wrong with it below. */
#include "internal.h"

#include <inttypes.h>

static void print_details(struct oclmm_text *text, const struct oclmm_run_header *header,
                          const struct oclmm_record *record)
{
	const struct oclmm_grade *grade = &record->grade;

	report_rows(text, record, OCLMM_STATUS_FORBIDDEN, true);
	report_rows(text, record, OCLMM_STATUS_DISPUTED, true);
	if (grade->verdict == OCLMM_VERDICT_FORBIDDEN ||
	    oclmm_verdict_is_infrastructure(grade->verdict)) {
		oclmm_text_printf(text,
		                  "    stimulus %016" PRIx64 "\n    replay: ", record->stimulus);
		report_replay(text, header, record);
		oclmm_text_add(text, "\n");
	}
}

static void print_counts(struct oclmm_text *text, const struct oclmm_record *record)
{
	const struct oclmm_grade *grade = &record->grade;

	oclmm_text_add(text, " ");
	oclmm_report_quantity(text, (double)grade->instances);
	if (grade->forbidden)
		oclmm_text_printf(text, ", %" PRIu64 " forbidden", grade->forbidden);
	if (grade->weak || !grade->forbidden)
		oclmm_text_printf(text, ", %" PRIu64 " weak", grade->weak);
	if (grade->weak && record->seconds > 0) {
		oclmm_text_add(text, " (");
		oclmm_report_quantity(text, (double)grade->weak / record->seconds);
		oclmm_text_add(text, "/s)");
	}
}

/* What follows the name, all of it after a blank. */
static void print_rest(struct oclmm_text *text, const struct oclmm_run_header *header,
                       const struct oclmm_record *record)
{
	const struct oclmm_grade *grade = &record->grade;

	if (record->support == OCLMM_CLASS_ACCEPTED)
		oclmm_text_add(text, " (not claimed)");
	if (grade->instances)
		print_counts(text, record);
	if (record->message && (!grade->instances || record->end != OCLMM_END_OK))
		oclmm_text_printf(text, " %s", oclmm_shown(record->message).text);
	if (grade->known)
		oclmm_text_printf(text, " [%s]", oclmm_shown(grade->known).text);
	report_expired(text, grade);
	report_label(text, header, record);
}

void report_test_line(struct oclmm_text *text, const struct oclmm_run_header *header,
                      const struct oclmm_record *record)
{
	enum oclmm_verdict verdict = record->grade.verdict;
	struct oclmm_text rest = {0};

	print_rest(&rest, header, record);
	report_columns(text,
	               verdict == OCLMM_VERDICT_FORBIDDEN ? "FORBIDDEN"
	               : report_awaits_confidence(record) ? "pass?"
	                                                  : oclmm_verdict_word(verdict),
	               record->program->name,
	               oclmm_text_columns(oclmm_text_string(&rest), rest.length));
	oclmm_text_printf(text, "%s\n", oclmm_text_string(&rest));
	oclmm_text_finish(&rest);
	print_details(text, header, record);
}
