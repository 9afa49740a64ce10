// SPDX-License-Identifier: Apache-2.0
/*
 * JSON Lines: `{"type":"run"}` first, a `{"type":"test"}` per record, and
 * `{"type":"end"}` last, so that a file cut short is known as such.
 */
#include "internal.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

/* 64-bit hashes and seeds are strings: many readers keep numbers as doubles. */
static json_t *hex(uint64_t number)
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

static json_t *count(uint64_t number)
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

static json_t *outcome_object(const struct oclmm_record *record, const struct oclmm_graded_row *row)
{
	const struct oclmm_program *program = record->program;
	json_t *object = json_object(), *values = json_object();

	for (uint32_t i = 0; i < program->observable_count; i++) {
		const struct oclmm_observable *observable = &program->observables[i];
		struct oclmm_text text;

		oclmm_text_init(&text);
		oclmm_value_print(&text, observable->type, row->values[i]);
		/* a ulong beyond 2^63 has no JSON integer in jansson */
		json_object_set_new(values, observable->name,
		                    observable->type == OCLMM_TYPE_ULONG && row->values[i] < 0
		                            ? json_string(oclmm_text_string(&text))
		                            : json_integer(row->values[i]));
		oclmm_text_finish(&text);
	}
	json_object_set_new(object, "values", values);
	json_object_set_new(object, "count", count(row->count));
	json_object_set_new(object, "status", json_string(oclmm_status_word(row->status)));
	if (row->deciding) {
		json_t *knobs = json_array();

		for (int knob = 0; knob < OCLMM_KNOB_COUNT; knob++) {
			if (row->deciding & 1u << knob)
				json_array_append_new(knobs, json_string(oclmm_knob_name((enum oclmm_knob)knob)));
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

	(void)report;
	json_object_set_new(object, "type", json_string("run"));
	json_object_set_new(object, "tool", string_or_null(header->tool));
	json_object_set_new(object, "platform", string_or_null(header->platform));
	json_object_set_new(object, "device", string_or_null(header->device));
	json_object_set_new(object, "driver", string_or_null(header->driver));
	json_object_set_new(object, "version", string_or_null(header->version));
	json_object_set_new(object, "seed", decimal(header->seed));
	json_object_set_new(object, "instances", count(header->instances));
	json_object_set_new(object, "budget", json_real(header->budget));
	json_object_set_new(object, "profile", string_or_null(header->profile));
	json_object_set_new(object, "tests", count(header->tests));
	print_line(text, object);
}

static void json_record(struct oclmm_report *report, const struct oclmm_record *record,
                        struct oclmm_text *text)
{
	const struct oclmm_grade *grade = &record->grade;
	json_t *object = json_object(), *outcomes = json_array();

	(void)report;
	json_object_set_new(object, "type", json_string("test"));
	json_object_set_new(object, "test", string_or_null(record->program->name));
	json_object_set_new(object, "hash", hex(record->program->hash));
	json_object_set_new(object, "file", string_or_null(record->file));
	json_object_set_new(object, "family", string_or_null(record->family));
	json_object_set_new(object, "device", string_or_null(record->device));
	json_object_set_new(object, "driver", string_or_null(record->driver));
	json_object_set_new(object, "class", json_string(oclmm_class_word(record->support)));
	json_object_set_new(object, "verdict", json_string(oclmm_verdict_word(grade->verdict)));
	json_object_set_new(object, "gates", json_boolean(grade->gates));
	json_object_set_new(object, "message", string_or_null(record->message));
	json_object_set_new(object, "instances", count(record->instances));
	json_object_set_new(object, "cut", count(grade->cut));
	json_object_set_new(object, "filtered", count(grade->filtered));
	json_object_set_new(object, "weak", count(grade->weak));
	json_object_set_new(object, "forbidden", count(grade->forbidden));
	json_object_set_new(object, "disputed", count(grade->disputed));
	json_object_set_new(object, "bound", grade->bound > 0 ? json_real(grade->bound) : json_null());
	json_object_set_new(object, "launches", count(record->launches));
	json_object_set_new(object, "seconds", json_real(record->seconds));
	json_object_set_new(object, "compile_seconds", json_real(record->compile_seconds));
	json_object_set_new(object, "master_seed", decimal(record->master_seed));
	json_object_set_new(object, "seed", decimal(record->seed));
	json_object_set_new(object, "stimulus", hex(record->stimulus));
	json_object_set_new(object, "source", hex(record->source_hash));
	for (uint32_t i = 0; i < grade->row_count; i++)
		json_array_append_new(outcomes, outcome_object(record, &grade->rows[i]));
	json_object_set_new(object, "outcomes", outcomes);
	print_line(text, object);
}

static void json_end(struct oclmm_report *report, const struct oclmm_tally *tally, enum oclmm_exit status,
                     struct oclmm_text *text)
{
	json_t *object = json_object(), *verdicts = json_object();

	(void)report;
	for (int i = 0; i < OCLMM_VERDICT_COUNT; i++) {
		enum oclmm_verdict verdict = (enum oclmm_verdict)i;

		json_object_set_new(verdicts, oclmm_verdict_word(verdict),
		                    count(oclmm_tally_verdict(tally, verdict)));
	}
	json_object_set_new(object, "type", json_string("end"));
	json_object_set_new(object, "tests", count(oclmm_tally_tests(tally)));
	json_object_set_new(object, "verdicts", verdicts);
	json_object_set_new(object, "instances", count(tally->instances));
	json_object_set_new(object, "stimulus", hex(tally->stimulus));
	json_object_set_new(object, "left_out", count(tally->left_out));
	json_object_set_new(object, "interrupted", json_boolean(tally->interrupted));
	json_object_set_new(object, "exit", json_integer(status));
	print_line(text, object);
}

const struct oclmm_report_kind oclmm_report_json = {
	.name = "json",
	.description = "JSON Lines, complete, one object per test",
	.begin = json_begin,
	.record = json_record,
	.end = json_end,
};
