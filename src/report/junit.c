// SPDX-License-Identifier: Apache-2.0
/*
 * JUnit XML, in the form that Jenkins, GitLab and GitHub's actions read. It is
 * written as a whole at the end, because a suite counts its cases first.
 */
#include "internal.h"
#include "oclmm/base_xml.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What an element of a case says. */
static const char *const elements[OCLMM_RESULT_COUNT] = {
	[OCLMM_RESULT_FAILURE] = "failure",
	[OCLMM_RESULT_ERROR] = "error",
	[OCLMM_RESULT_SKIPPED] = "skipped",
};

/* XML has an escaping of its own, and no command of a build service stands at the begin of its
 * lines. */
static void attribute(struct oclmm_xml *xml, const char *name, const char *value)
{
	oclmm_xml_attribute(xml, name, value ? value : "");
}

static void number(struct oclmm_xml *xml, const char *name, uint64_t value)
{
	char digits[24];

	snprintf(digits, sizeof(digits), "%" PRIu64, value);
	attribute(xml, name, digits);
}

static void add_time(struct oclmm_xml *xml, double seconds)
{
	char digits[32];

	snprintf(digits, sizeof(digits), "%.3f", seconds);
	attribute(xml, "time", digits);
}

static void property(struct oclmm_xml *xml, const char *name, const char *value)
{
	oclmm_xml_open(xml, "property");
	attribute(xml, "name", name);
	attribute(xml, "value", value);
	oclmm_xml_close(xml);
}

static void write_properties(struct oclmm_xml *xml, const struct oclmm_run_header *header)
{
	char seed[24];

	snprintf(seed, sizeof(seed), "%" PRIu64, header->seed);
	oclmm_xml_open(xml, "properties");
	property(xml, "tool", header->tool);
	property(xml, "platform", header->identity.platform);
	property(xml, "device", header->identity.device);
	property(xml, "driver", header->identity.driver);
	property(xml, "version", header->identity.version);
	if (header->identity.il)
		property(xml, "il", header->identity.il);
	property(xml, "seed", seed);
	property(
		xml, "silence",
		"compiler, hardware: the probability of silence on a device that shows what a test "
		"forbids in as many launches as its controls of that kind did");
	oclmm_xml_close(xml);
}

static void write_output(struct oclmm_xml *xml, const struct oclmm_run_header *header,
                         const struct oclmm_record *record)
{
	/* readers such as libxml2 refuse a text of ten million bytes */
	enum { MOST = 1000 };
	struct oclmm_text text = {0};

	oclmm_report_whole(&text, header, record, MOST);
	oclmm_xml_open(xml, "system-out");
	oclmm_xml_string(xml, oclmm_text_string(&text));
	oclmm_xml_close(xml);
	oclmm_text_finish(&text);
}

/* Of a case that neither failed nor was skipped, what it did not prove. */
static void write_unproven(struct oclmm_xml *xml, const struct oclmm_record *record)
{
	struct oclmm_text text = {0};

	if (record->grade.verdict != OCLMM_VERDICT_INCONCLUSIVE)
		return;
	oclmm_report_reason(&text, record);
	oclmm_xml_open(xml, "properties");
	property(xml, oclmm_verdict_word(record->grade.verdict), oclmm_text_string(&text));
	oclmm_xml_close(xml);
	oclmm_text_finish(&text);
}

/* `crash/out-of-memory`: the verdict, and its cause where one is known. */
static void add_verdict_and_cause(struct oclmm_text *text, const struct oclmm_record *record)
{
	oclmm_text_add(text, oclmm_verdict_word(record->grade.verdict));
	if (oclmm_end_cause(record->end) && oclmm_verdict_is_infrastructure(record->grade.verdict))
		oclmm_text_printf(text, "/%s", oclmm_end_cause(record->end));
}

/* Readers of JUnit do not accept infinity, and the seconds of a results file may add up to it. */
static double time_of(const struct oclmm_record *record)
{
	static const double SECONDS_MOST = 1e12;
	double seconds = record->counts.seconds + record->counts.compile_seconds;

	return seconds < SECONDS_MOST ? seconds : SECONDS_MOST;
}

/* What a build service shows of a failure: the outcomes, the rule, and what to type next. */
static void write_body(struct oclmm_xml *xml, const struct oclmm_run_header *header,
                       const struct oclmm_record *record, enum oclmm_report_result result)
{
	struct oclmm_text text = {0};

	if (result == OCLMM_RESULT_SKIPPED)
		return;
	oclmm_report_reason(&text, record);
	oclmm_text_add(&text, "\n");
	oclmm_report_next(&text, record, "");
	oclmm_text_add(&text, "replay: ");
	oclmm_report_replay(&text, header, record);
	oclmm_text_add(&text, "\n");
	oclmm_xml_string(xml, oclmm_text_string(&text));
	oclmm_text_finish(&text);
}

static void write_case(struct oclmm_xml *xml, const struct oclmm_run_header *header,
                       const struct oclmm_record *record)
{
	enum oclmm_report_result result = oclmm_report_result(header, record);
	struct oclmm_text text = {0};

	oclmm_xml_open(xml, "testcase");
	attribute(xml, "name", record->program->name);
	attribute(xml, "classname", record->family && *record->family ? record->family : "oclmm");
	if (record->program->file)
		attribute(xml, "file", record->program->file);
	add_time(xml, time_of(record));
	if (elements[result]) {
		oclmm_report_reason(&text, record);
		oclmm_xml_open(xml, elements[result]);
		attribute(xml, "message", oclmm_text_string(&text));
		oclmm_text_finish(&text);
		add_verdict_and_cause(&text, record);
		if (result != OCLMM_RESULT_SKIPPED)
			attribute(xml, "type", oclmm_text_string(&text));
		write_body(xml, header, record, result);
		oclmm_xml_close(xml);
		oclmm_text_finish(&text);
	} else {
		write_unproven(xml, record);
	}
	write_output(xml, header, record);
	oclmm_xml_close(xml);
}

static void write_counts(struct oclmm_xml *xml, const struct oclmm_run_header *header,
                         const struct oclmm_record *const *records, size_t count)
{
	uint64_t counts[OCLMM_RESULT_COUNT] = {0};
	double seconds = 0;

	for (size_t i = 0; i < count; i++) {
		counts[oclmm_report_result(header, records[i])]++;
		seconds += time_of(records[i]);
	}
	number(xml, "tests", count);
	number(xml, "failures", counts[OCLMM_RESULT_FAILURE]);
	number(xml, "errors", counts[OCLMM_RESULT_ERROR]);
	number(xml, "skipped", counts[OCLMM_RESULT_SKIPPED]);
	add_time(xml, seconds);
}

/* Of several devices two may have one name. */
static void name_suite(struct oclmm_xml *xml, const struct oclmm_run_header *first,
                       const struct oclmm_run_header *header)
{
	struct oclmm_text name = {0};

	oclmm_text_add(&name, header->identity.device ? header->identity.device : "");
	if (first->next && header->identity.device_id)
		oclmm_text_printf(&name, " %s", header->identity.device_id);
	attribute(xml, "name", oclmm_text_string(&name));
	oclmm_text_finish(&name);
}

static void write_suite(struct oclmm_xml *xml, const struct oclmm_run_header *first,
                        const struct oclmm_run_header *header,
                        const struct oclmm_record *const *records, size_t count)
{
	oclmm_xml_open(xml, "testsuite");
	name_suite(xml, first, header);
	write_counts(xml, header, records, count);
	/* the schema's times have no zone */
	if (header->started && strlen(header->started) == strlen("2026-01-31T12:00:00Z")) {
		char time[32];

		snprintf(time, sizeof(time), "%.19s", header->started);
		attribute(xml, "timestamp", time);
	}
	write_properties(xml, header);
	for (size_t i = 0; i < count; i++)
		write_case(xml, first, records[i]);
	oclmm_xml_close(xml);
}

/* One for each device. */
static void write_suites(struct oclmm_xml *xml, const struct oclmm_run_header *first,
                         const struct oclmm_record *const *records, size_t count)
{
	const struct oclmm_record **own = oclmm_calloc(count + 1, sizeof(*own));
	size_t number = 0;

	for (const struct oclmm_run_header *header = first; header; header = header->next) {
		size_t own_count = 0;

		for (size_t i = 0; i < count; i++) {
			if (oclmm_header_of(first, records[i]) == number)
				own[own_count++] = records[i];
		}
		write_suite(xml, first, header, own, own_count);
		number++;
	}
	free(own);
}

static void junit_judged(struct oclmm_report *report, const struct oclmm_record *const *records,
                         size_t count, struct oclmm_text *text)
{
	const struct oclmm_run_header *header = report->header;
	struct oclmm_xml writer = {.text = text, .indents = true}, *xml = &writer;

	oclmm_text_add(text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
	oclmm_xml_open(xml, "testsuites");
	attribute(xml, "name", "oclmm");
	write_counts(xml, header, records, count);
	write_suites(xml, header, records, count);
	oclmm_xml_finish(xml);
}

static void junit_end(struct oclmm_report *report, const struct oclmm_tally *tally,
                      enum oclmm_exit status, struct oclmm_text *text)
{
	(void)report;
	oclmm_report_verdict_lines(text, tally, status, "<!-- ", " -->");
}

const struct oclmm_report_kind oclmm_report_junit = {
	.name = "junit",
	.judged = junit_judged,
	.end = junit_end,
};
