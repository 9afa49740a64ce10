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

static void add_test(struct oclmm_json *json, const struct oclmm_run_header *header,
                     const struct oclmm_record *record)
{
	struct oclmm_text name = {0};

	oclmm_text_add(&name, record->program->name);
	oclmm_report_label(&name, header, record);
	oclmm_json_string(json, oclmm_shown(oclmm_text_string(&name)).text,
	                  words[oclmm_report_result(header, record)]);
	oclmm_text_finish(&name);
}

/* Readers find a run again by its command and arguments, so these name what was run and nothing
 * that changes from run to run. */
static void cts_judged(struct oclmm_report *report, const struct oclmm_record *const *records,
                       size_t count, struct oclmm_text *text)
{
	const struct oclmm_run_header *header = report->header;
	struct oclmm_text arguments = {0};
	struct oclmm_json json = {.text = text, .lines = true};

	if (header->profile)
		oclmm_text_printf(&arguments, "--profile %s", oclmm_shown(header->profile).text);
	oclmm_json_open(&json, NULL, '{');
	oclmm_json_string(&json, "cmd", "oclmm");
	oclmm_json_text(&json, "args", &arguments);
	oclmm_json_open(&json, "results", '{');
	for (size_t i = 0; i < count; i++)
		add_test(&json, header, records[i]);
	oclmm_json_close(&json, '}');
	oclmm_json_close(&json, '}');
	oclmm_text_add(text, "\n");
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
