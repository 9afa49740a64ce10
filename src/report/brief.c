// SPDX-License-Identifier: Apache-2.0
/* What has to be looked at: what failed, what stayed open by its cause, and the verdict. */
#include "internal.h"

static void brief_record(struct oclmm_report *report, const struct oclmm_record *record,
                         struct oclmm_text *text)
{
	enum oclmm_verdict verdict = record->grade.verdict;

	if (verdict == OCLMM_VERDICT_FORBIDDEN || verdict == OCLMM_VERDICT_STALE ||
	    oclmm_verdict_is_infrastructure(verdict))
		report_test_line(text, report->header, record);
}

static void brief_end(struct oclmm_report *report, const struct oclmm_tally *tally,
                      enum oclmm_exit status, struct oclmm_text *text)
{
	report_causes(text, tally);
	for (size_t i = 0; i < tally->part_count; i++) {
		const struct oclmm_tally *part = &tally->parts[i];

		report_number(text, report->header, i);
		oclmm_text_add(text, " ");
		report_verdict(text, part, oclmm_tally_exit(part, report->header->strict));
		oclmm_text_add(text, "\n");
	}
	report_verdict(text, tally, status);
	oclmm_text_add(text, "\n");
}

const struct oclmm_report_kind oclmm_report_brief = {
	.name = "brief",
	.for_people = true,
	.record = brief_record,
	.end = brief_end,
};
