// SPDX-License-Identifier: Apache-2.0
/*
 * JSON Lines: `{"type":"run"}` first, a `{"type":"test"}` per record, and
 * `{"type":"end"}` last, so that a file cut short is known as such.
 */
#include "json.h"

#include <stdlib.h>

#include "internal.h"
#include "pieces.h"

static void print_line(struct oclmm_text *text, json_t *object)
{
	char *line = json_dumps(object, JSON_COMPACT);

	if (line)
		oclmm_text_printf(text, "%s\n", line);
	free(line);
	json_decref(object);
}

json_t *json_values(const struct oclmm_program *program, const int64_t *values)
{
	json_t *object = json_object();

	for (uint32_t i = 0; i < program->observable_count; i++) {
		const struct oclmm_observable *observable = &program->observables[i];
		struct oclmm_text text = {0};

		oclmm_value_print(&text, observable->type, values[i]);
		/* a ulong beyond 2^63 has no JSON integer in jansson */
		json_object_set_new(object, observable->name,
		                    !oclmm_type_is_signed(observable->type) && values[i] < 0
		                            ? json_string(oclmm_text_string(&text))
		                            : json_integer(values[i]));
		oclmm_text_finish(&text);
	}
	return object;
}

static void add_outcomes(struct oclmm_text *pieces, const struct oclmm_record *record)
{
	for (uint32_t i = 0; i < record->grade.row_count; i++) {
		struct outcome_line outcome = {.row = record->grade.rows[i]};
		json_t *object;

		outcome.values = json_values(record->program, outcome.row.values);
		object = fields_write(&outcome_fields, &outcome);
		pieces_add(pieces, object);
		json_decref(object);
	}
}

static struct test_line test_line(const struct oclmm_record *record)
{
	return (struct test_line){
		.record = *record,
		.test = record->program->name,
		.hash = record->program->hash,
		.ended = oclmm_end_ended(record->end),
		.cause = record->end,
	};
}

static void json_begin(struct oclmm_report *report, const struct oclmm_run_header *header,
                       struct oclmm_text *text)
{
	report->state =
		oclmm_calloc(1, sizeof(uint64_t)); /* `test` lines, which the manifest counts */
	for (; header; header = header->next) {
		const struct run_line line = {.header = *header, .format = OCLMM_RESULTS_FORMAT};

		print_line(text, fields_write(&run_fields, &line));
	}
}

static void json_record(struct oclmm_report *report, const struct oclmm_record *record,
                        struct oclmm_text *text)
{
	struct test_line line = test_line(record);
	struct oclmm_text pieces = {0};
	json_t *object;

	(*(uint64_t *)report->state)++;
	add_outcomes(&pieces, record);
	line.outcomes = json_array();
	/* without rows nobody could tell what the values of its outcomes are */
	if (record->evidence && record->grade.row_count)
		line.evidence = json_evidence(record);
	object = fields_write(&test_fields, &line);
	pieces_print(text, object, &pieces, NULL);
	oclmm_text_add(text, "\n");
	json_decref(object);
	oclmm_text_finish(&pieces);
}

/* Confidence is known only when all tests were run: a line of its own for each pass. */
static void json_judged(struct oclmm_report *report, const struct oclmm_record *const *records,
                        size_t record_count, struct oclmm_text *text)
{
	(void)report;
	for (size_t i = 0; i < record_count; i++) {
		struct test_line line = test_line(records[i]);

		if (line.record.grade.control.confidence != OCLMM_CONFIDENCE_NOT_JUDGED)
			print_line(text, fields_write(&confidence_fields, &line));
	}
}

void report_json_manifest(struct oclmm_text *text, const struct oclmm_tally *tally,
                          uint64_t records, enum oclmm_exit status)
{
	struct end_line line = {
		.tests = oclmm_tally_tests(tally),
		.records = records,
		.instances = tally->instances,
		.stimulus = tally->stimulus,
		.left_out = tally->left_out,
		.unfinished = tally->unfinished,
		.interrupted = tally->interrupted,
		.exit = status,
	};

	for (int i = 0; i < OCLMM_VERDICT_COUNT; i++)
		line.verdicts[i] = oclmm_tally_verdict(tally, (enum oclmm_verdict)i);
	print_line(text, fields_write(&end_fields, &line));
}

static void json_end(struct oclmm_report *report, const struct oclmm_tally *tally,
                     enum oclmm_exit status, struct oclmm_text *text)
{
	report_json_manifest(text, tally, *(const uint64_t *)report->state, status);
}

static void json_finish(struct oclmm_report *report)
{
	free(report->state);
}

const struct oclmm_report_kind oclmm_report_json = {
	.name = "json",
	.parts = true,
	.begin = json_begin,
	.record = json_record,
	.judged = json_judged,
	.end = json_end,
	.finish = json_finish,
};
