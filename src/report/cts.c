// SPDX-License-Identifier: Apache-2.0
/*
 * JSON as the conformance tests of OpenCL write it (CL_CONFORMANCE_RESULTS_FILENAME), for tools
 * that read theirs. It has three words for a test, so that much is lost; the whole is in JSON
 * Lines.
 */
#include "internal.h"

static const char *const words[OCLMM_RESULT_COUNT] = {
	[OCLMM_RESULT_PASS] = "pass",
	[OCLMM_RESULT_FAILURE] = "fail",
	[OCLMM_RESULT_ERROR] = "fail",
	[OCLMM_RESULT_SKIPPED] = "skip",
};

static void add_test(struct oclmm_text *text, const struct oclmm_run_header *header,
                     const struct oclmm_record *record)
{
	struct oclmm_text name = {0};

	oclmm_text_add(&name, record->program->name);
	oclmm_report_label(&name, header, record);
	oclmm_text_add(text, "\t\t");
	oclmm_text_add_json(text, oclmm_shown(oclmm_text_string(&name)).text);
	oclmm_text_printf(text, ": \"%s\"", words[oclmm_report_result(header, record)]);
	oclmm_text_finish(&name);
}

/* Readers find a run again by its command and arguments, so these name what was run and nothing
 * that changes from run to run. */
static void cts_judged(struct oclmm_report *report, const struct oclmm_record *const *records,
                       size_t count, struct oclmm_text *text)
{
	const struct oclmm_run_header *header = report->header;
	struct oclmm_text arguments = {0};

	if (header->profile)
		oclmm_text_printf(&arguments, "--profile %s", oclmm_shown(header->profile).text);
	oclmm_text_add(text, "{\n\t\"cmd\": \"oclmm\",\n\t\"args\": ");
	oclmm_text_add_json(text, oclmm_text_string(&arguments));
	oclmm_text_add(text, ",\n\t\"results\": {\n");
	for (size_t i = 0; i < count; i++) {
		if (i)
			oclmm_text_add(text, ",\n");
		add_test(text, header, records[i]);
	}
	oclmm_text_add(text, "\n\t}\n}\n");
	oclmm_text_finish(&arguments);
}

/* Nothing may stand behind the object. */
static void cts_end(struct oclmm_report *report, const struct oclmm_tally *tally,
                    enum oclmm_exit status, struct oclmm_text *text)
{
	(void)report;
	(void)tally;
	(void)status;
	(void)text;
}

const struct oclmm_report_kind oclmm_report_cts = {
	.name = "cts",
	.judged = cts_judged,
	.end = cts_end,
};
