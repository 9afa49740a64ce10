// SPDX-License-Identifier: Apache-2.0
/*
 * JSON Lines: `{"type":"run"}` first, a `{"type":"test"}` per record, and
 * `{"type":"end"}` last, so that a file cut short is known as such.
 */
#include "json.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "internal.h"

json_t *json_hex(uint64_t number)
{
	char digits[24];

	snprintf(digits, sizeof(digits), "%016" PRIx64, number);
	return json_string(digits);
}

static json_t *decimal(uint64_t number)
{
	char digits[24];

	snprintf(digits, sizeof(digits), "%" PRIu64, number);
	return json_string(digits);
}

json_t *json_count(uint64_t number)
{
	return json_integer(number > INT64_MAX ? INT64_MAX : (json_int_t)number);
}

static json_t *string_or_null(const char *string)
{
	/* drivers and their logs need not speak UTF-8 */
	json_t *value = string ? json_string(string) : json_null();

	return value ? value : json_string("(not UTF-8)");
}

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
		struct oclmm_text text;

		oclmm_text_init(&text);
		oclmm_value_print(&text, observable->type, values[i]);
		/* a ulong beyond 2^63 has no JSON integer in jansson */
		json_object_set_new(object, observable->name,
		                    observable->type == OCLMM_TYPE_ULONG && values[i] < 0
		                            ? json_string(oclmm_text_string(&text))
		                            : json_integer(values[i]));
		oclmm_text_finish(&text);
	}
	return object;
}

static json_t *outcome_object(const struct oclmm_record *record, const struct oclmm_graded_row *row)
{
	json_t *object = json_object();

	json_object_set_new(object, "values", json_values(record->program, row->values));
	json_object_set_new(object, "count", json_count(row->count));
	json_object_set_new(object, "status", json_string(oclmm_status_word(row->status)));
	if (row->deciding) {
		json_t *knobs = json_array();

		for (int knob = 0; knob < OCLMM_KNOB_COUNT; knob++) {
			if (row->deciding & 1u << knob)
				json_array_append_new(knobs, json_string(oclmm_knob_name(
								     (enum oclmm_knob)knob)));
		}
		json_object_set_new(object, "deciding", knobs);
	}
	json_object_set_new(object, "witness", json_boolean(row->witness));
	return object;
}

static void json_begin(struct oclmm_report *report, const struct oclmm_run_header *header,
                       struct oclmm_text *text)
{
	json_t *object = json_object();

	report->state =
		oclmm_calloc(1, sizeof(uint64_t)); /* `test` lines, which the manifest counts */
	json_object_set_new(object, "type", json_string("run"));
	json_object_set_new(object, "format", json_integer(OCLMM_RESULTS_FORMAT));
	json_object_set_new(object, "tool", string_or_null(header->tool));
	json_object_set_new(object, "platform", string_or_null(header->platform));
	json_object_set_new(object, "device", string_or_null(header->device));
	json_object_set_new(object, "driver", string_or_null(header->driver));
	json_object_set_new(object, "version", string_or_null(header->version));
	json_object_set_new(object, "claims", string_or_null(header->claims));
	json_object_set_new(object, "seed", decimal(header->seed));
	json_object_set_new(object, "instances", json_count(header->instances));
	json_object_set_new(object, "budget", json_real(header->budget));
	json_object_set_new(object, "profile", string_or_null(header->profile));
	json_object_set_new(object, "tests", json_count(header->tests));
	json_object_set_new(object, "whole_suite", json_boolean(header->whole_suite));
	json_object_set_new(object, "confidence", json_real(header->confidence));
	json_object_set_new(object, "shard", json_count(header->shard));
	json_object_set_new(object, "shards", json_count(header->shards));
	json_object_set_new(object, "started", string_or_null(header->started));
	print_line(text, object);
}

/* What was run and where. */
static void set_identity(json_t *object, const struct oclmm_record *record)
{
	json_object_set_new(object, "test", string_or_null(record->program->name));
	json_object_set_new(object, "hash", json_hex(record->program->hash));
	json_object_set_new(object, "platform", string_or_null(record->platform));
	json_object_set_new(object, "device", string_or_null(record->device));
	json_object_set_new(object, "device_id", string_or_null(record->device_id));
	json_object_set_new(object, "driver", string_or_null(record->driver));
	json_object_set_new(object, "environment", string_or_null(record->environment));
}

static void set_course(json_t *object, const struct oclmm_record *record)
{
	json_object_set_new(object, "ended", json_string(oclmm_ended_word(record->ended)));
	json_object_set_new(object, "cause",
	                    record->cause ? json_string(oclmm_cause_word(record->cause))
	                                  : json_null());
	json_object_set_new(object, "message", string_or_null(record->message));
	json_object_set_new(object, "attempts", json_count(record->attempts));
	json_object_set_new(object, "started", string_or_null(record->started));
	json_object_set_new(object, "seconds", json_real(record->seconds));
	json_object_set_new(object, "compile_seconds", json_real(record->compile_seconds));
	json_object_set_new(object, "launches", json_count(record->launches));
	json_object_set_new(object, "first_launch", json_count(record->first_launch));
	json_object_set_new(object, "master_seed", decimal(record->master_seed));
	json_object_set_new(object, "seed", decimal(record->seed));
	json_object_set_new(object, "stimulus", json_hex(record->stimulus));
	json_object_set_new(object, "source", json_hex(record->source_hash));
	json_object_set_new(object, "build_options", string_or_null(record->build_options));
	json_object_set_new(object, "build_log", string_or_null(record->build_log));
	json_object_set_new(object, "oracle", string_or_null(record->oracle));
}

static void set_grade(json_t *object, const struct oclmm_record *record)
{
	const struct oclmm_grade *grade = &record->grade;
	json_t *outcomes = json_array();

	json_object_set_new(object, "verdict", json_string(oclmm_verdict_word(grade->verdict)));
	json_object_set_new(object, "gates", json_boolean(grade->gates));
	json_object_set_new(object, "known", string_or_null(grade->known));
	json_object_set_new(object, "instances", json_count(record->instances));
	json_object_set_new(object, "cut", json_count(grade->cut));
	json_object_set_new(object, "filtered", json_count(grade->filtered));
	json_object_set_new(object, "weak", json_count(grade->weak));
	json_object_set_new(object, "forbidden", json_count(grade->forbidden));
	json_object_set_new(object, "disputed", json_count(grade->disputed));
	json_object_set_new(object, "bound",
	                    grade->bound > 0 ? json_real(grade->bound) : json_null());
	for (uint32_t i = 0; i < grade->row_count; i++)
		json_array_append_new(outcomes, outcome_object(record, &grade->rows[i]));
	json_object_set_new(object, "outcomes", outcomes);
}

static void json_record(struct oclmm_report *report, const struct oclmm_record *record,
                        struct oclmm_text *text)
{
	json_t *object = json_object();

	(*(uint64_t *)report->state)++;
	json_object_set_new(object, "type", json_string("test"));
	set_identity(object, record);
	json_object_set_new(object, "device_version", string_or_null(record->device_version));
	json_object_set_new(object, "file", string_or_null(record->file));
	json_object_set_new(object, "family", string_or_null(record->family));
	json_object_set_new(object, "class", json_string(oclmm_class_word(record->support)));
	json_object_set_new(object, "control", string_or_null(record->control));
	set_course(object, record);
	set_grade(object, record);
	/* without rows nobody could tell what the values of its outcomes are */
	if (record->evidence && record->grade.row_count)
		json_object_set_new(object, "evidence", json_evidence(record));
	print_line(text, object);
}

/* Confidence is known only when all tests were run: a line of its own for each pass. */
static void json_judged(struct oclmm_report *report, const struct oclmm_record *const *records,
                        size_t record_count, struct oclmm_text *text)
{
	(void)report;
	for (size_t i = 0; i < record_count; i++) {
		const struct oclmm_grade *grade = &records[i]->grade;
		json_t *object;

		if (grade->control.confidence == OCLMM_CONFIDENCE_NOT_JUDGED)
			continue;
		object = json_object();
		json_object_set_new(object, "type", json_string("confidence"));
		set_identity(object, records[i]);
		json_object_set_new(object, "verdict",
		                    json_string(oclmm_verdict_word(grade->verdict)));
		json_object_set_new(object, "confidence",
		                    json_string(oclmm_confidence_word(grade->control.confidence)));
		json_object_set_new(object, "control", string_or_null(grade->control.name));
		json_object_set_new(object, "seen", json_count(grade->control.seen));
		json_object_set_new(object, "instances", json_count(grade->control.instances));
		json_object_set_new(object, "rate", json_real(grade->control.rate));
		json_object_set_new(object, "per_second", json_real(grade->control.per_second));
		json_object_set_new(object, "escape", json_real(grade->control.escape));
		print_line(text, object);
	}
}

void report_json_manifest(struct oclmm_text *text, const struct oclmm_tally *tally,
                          uint64_t records, enum oclmm_exit status)
{
	json_t *object = json_object(), *verdicts = json_object();

	for (int i = 0; i < OCLMM_VERDICT_COUNT; i++) {
		enum oclmm_verdict verdict = (enum oclmm_verdict)i;

		json_object_set_new(verdicts, oclmm_verdict_word(verdict),
		                    json_count(oclmm_tally_verdict(tally, verdict)));
	}
	json_object_set_new(object, "type", json_string("end"));
	json_object_set_new(object, "tests", json_count(oclmm_tally_tests(tally)));
	json_object_set_new(object, "records", json_count(records));
	json_object_set_new(object, "verdicts", verdicts);
	json_object_set_new(object, "instances", json_count(tally->instances));
	json_object_set_new(object, "stimulus", json_hex(tally->stimulus));
	json_object_set_new(object, "left_out", json_count(tally->left_out));
	json_object_set_new(object, "interrupted", json_boolean(tally->interrupted));
	json_object_set_new(object, "exit", json_integer(status));
	print_line(text, object);
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
	.description = "JSON Lines, complete, one object per test",
	.parts = true,
	.begin = json_begin,
	.record = json_record,
	.judged = json_judged,
	.end = json_end,
	.finish = json_finish,
};
