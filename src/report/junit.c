// SPDX-License-Identifier: Apache-2.0
/*
 * JUnit XML, in the form that Jenkins, GitLab and GitHub's actions read. It is
 * written as a whole at the end, because a suite counts its cases first.
 */
#include "internal.h"

#include <inttypes.h>
#include <libxml/xmlwriter.h>
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
static void attribute(xmlTextWriter *writer, const char *name, const char *value)
{
	char *cleaned = oclmm_xml_clean(value ? value : "");

	xmlTextWriterWriteAttribute(writer, BAD_CAST name, BAD_CAST cleaned);
	free(cleaned);
}

static void number(xmlTextWriter *writer, const char *name, uint64_t value)
{
	xmlTextWriterWriteFormatAttribute(writer, BAD_CAST name, "%" PRIu64, value);
}

static void property(xmlTextWriter *writer, const char *name, const char *value)
{
	xmlTextWriterStartElement(writer, BAD_CAST "property");
	attribute(writer, "name", name);
	attribute(writer, "value", value);
	xmlTextWriterEndElement(writer);
}

static void write_properties(xmlTextWriter *writer, const struct oclmm_run_header *header)
{
	char seed[24];

	snprintf(seed, sizeof(seed), "%" PRIu64, header->seed);
	xmlTextWriterStartElement(writer, BAD_CAST "properties");
	property(writer, "tool", header->tool);
	property(writer, "platform", header->identity.platform);
	property(writer, "device", header->identity.device);
	property(writer, "driver", header->identity.driver);
	property(writer, "version", header->identity.version);
	if (header->identity.il)
		property(writer, "il", header->identity.il);
	property(writer, "seed", seed);
	property(
		writer, "silence",
		"compiler, hardware: the probability of silence on a device that shows what a test "
		"forbids in as many launches as its controls of that kind did");
	xmlTextWriterEndElement(writer);
}

static void write_output(xmlTextWriter *writer, const struct oclmm_run_header *header,
                         const struct oclmm_record *record)
{
	/* libxml2 refuses a text of ten million bytes */
	enum { MOST = 1000 };
	struct oclmm_text text = {0};
	char *cleaned;

	oclmm_report_whole(&text, header, record, MOST);
	cleaned = oclmm_xml_clean(oclmm_text_string(&text));
	xmlTextWriterWriteElement(writer, BAD_CAST "system-out", BAD_CAST cleaned);
	free(cleaned);
	oclmm_text_finish(&text);
}

/* Of a case that neither failed nor was skipped, what it did not prove. */
static void write_unproven(xmlTextWriter *writer, const struct oclmm_record *record)
{
	struct oclmm_text text = {0};

	if (record->grade.verdict != OCLMM_VERDICT_INCONCLUSIVE)
		return;
	oclmm_report_reason(&text, record);
	xmlTextWriterStartElement(writer, BAD_CAST "properties");
	property(writer, oclmm_verdict_word(record->grade.verdict), oclmm_text_string(&text));
	xmlTextWriterEndElement(writer);
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
static void write_body(xmlTextWriter *writer, const struct oclmm_run_header *header,
                       const struct oclmm_record *record, enum oclmm_report_result result)
{
	struct oclmm_text text = {0};
	char *cleaned;

	if (result == OCLMM_RESULT_SKIPPED)
		return;
	oclmm_report_reason(&text, record);
	oclmm_text_add(&text, "\n");
	oclmm_report_next(&text, record, "");
	oclmm_text_add(&text, "replay: ");
	oclmm_report_replay(&text, header, record);
	oclmm_text_add(&text, "\n");
	cleaned = oclmm_xml_clean(oclmm_text_string(&text));
	xmlTextWriterWriteString(writer, BAD_CAST cleaned);
	free(cleaned);
	oclmm_text_finish(&text);
}

static void write_case(xmlTextWriter *writer, const struct oclmm_run_header *header,
                       const struct oclmm_record *record)
{
	enum oclmm_report_result result = oclmm_report_result(header, record);
	struct oclmm_text text = {0};

	xmlTextWriterStartElement(writer, BAD_CAST "testcase");
	attribute(writer, "name", record->program->name);
	attribute(writer, "classname",
	          record->family && *record->family ? record->family : "oclmm");
	if (record->program->file)
		attribute(writer, "file", record->program->file);
	xmlTextWriterWriteFormatAttribute(writer, BAD_CAST "time", "%.3f", time_of(record));
	if (elements[result]) {
		oclmm_report_reason(&text, record);
		xmlTextWriterStartElement(writer, BAD_CAST elements[result]);
		attribute(writer, "message", oclmm_text_string(&text));
		oclmm_text_finish(&text);
		add_verdict_and_cause(&text, record);
		if (result != OCLMM_RESULT_SKIPPED)
			attribute(writer, "type", oclmm_text_string(&text));
		write_body(writer, header, record, result);
		xmlTextWriterEndElement(writer);
		oclmm_text_finish(&text);
	} else {
		write_unproven(writer, record);
	}
	write_output(writer, header, record);
	xmlTextWriterEndElement(writer);
}

static void write_counts(xmlTextWriter *writer, const struct oclmm_run_header *header,
                         const struct oclmm_record *const *records, size_t count)
{
	uint64_t counts[OCLMM_RESULT_COUNT] = {0};
	double seconds = 0;

	for (size_t i = 0; i < count; i++) {
		counts[oclmm_report_result(header, records[i])]++;
		seconds += time_of(records[i]);
	}
	number(writer, "tests", count);
	number(writer, "failures", counts[OCLMM_RESULT_FAILURE]);
	number(writer, "errors", counts[OCLMM_RESULT_ERROR]);
	number(writer, "skipped", counts[OCLMM_RESULT_SKIPPED]);
	xmlTextWriterWriteFormatAttribute(writer, BAD_CAST "time", "%.3f", seconds);
}

/* Of several devices two may have one name. */
static void name_suite(xmlTextWriter *writer, const struct oclmm_run_header *first,
                       const struct oclmm_run_header *header)
{
	struct oclmm_text name = {0};

	oclmm_text_add(&name, header->identity.device ? header->identity.device : "");
	if (first->next && header->identity.device_id)
		oclmm_text_printf(&name, " %s", header->identity.device_id);
	attribute(writer, "name", oclmm_text_string(&name));
	oclmm_text_finish(&name);
}

static void write_suite(xmlTextWriter *writer, const struct oclmm_run_header *first,
                        const struct oclmm_run_header *header,
                        const struct oclmm_record *const *records, size_t count)
{
	xmlTextWriterStartElement(writer, BAD_CAST "testsuite");
	name_suite(writer, first, header);
	write_counts(writer, header, records, count);
	/* the schema's times have no zone */
	if (header->started && strlen(header->started) == strlen("2026-01-31T12:00:00Z"))
		xmlTextWriterWriteFormatAttribute(writer, BAD_CAST "timestamp", "%.19s",
		                                  header->started);
	write_properties(writer, header);
	for (size_t i = 0; i < count; i++)
		write_case(writer, first, records[i]);
	xmlTextWriterEndElement(writer);
}

/* One for each device. */
static void write_suites(xmlTextWriter *writer, const struct oclmm_run_header *first,
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
		write_suite(writer, first, header, own, own_count);
		number++;
	}
	free(own);
}

static void junit_judged(struct oclmm_report *report, const struct oclmm_record *const *records,
                         size_t count, struct oclmm_text *text)
{
	const struct oclmm_run_header *header = report->header;
	xmlBuffer *buffer = xmlBufferCreate();
	xmlTextWriter *writer = xmlNewTextWriterMemory(buffer, 0);

	xmlTextWriterSetIndent(writer, 1);
	xmlTextWriterStartDocument(writer, NULL, "UTF-8", NULL);
	xmlTextWriterStartElement(writer, BAD_CAST "testsuites");
	attribute(writer, "name", "oclmm");
	write_counts(writer, header, records, count);
	write_suites(writer, header, records, count);
	xmlTextWriterEndDocument(writer);
	xmlFreeTextWriter(writer);
	oclmm_text_add(text, (const char *)xmlBufferContent(buffer));
	xmlBufferFree(buffer);
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
