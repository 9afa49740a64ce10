// SPDX-License-Identifier: Apache-2.0
/* Reads one `test` line into a record, and joins it with its test again. */
#include "results.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct test_line {
	struct oclmm_record record;
	const char *test;
	uint64_t hash;
	const char *class, *ended, *cause, *verdict;
	json_t *outcomes, *evidence;
};

#define AT(member) offsetof(struct test_line, member)

static const struct field test_fields[] = {
	{"test", FIELD_TEXT, AT(test)},
	{"hash", FIELD_HEX, AT(hash)},
	{"platform", FIELD_TEXT_OR_NULL, AT(record.platform)},
	{"device", FIELD_TEXT_OR_NULL, AT(record.device)},
	{"device_id", FIELD_TEXT_OR_NULL, AT(record.device_id)},
	{"device_version", FIELD_TEXT_OR_NULL, AT(record.device_version)},
	{"driver", FIELD_TEXT_OR_NULL, AT(record.driver)},
	{"environment", FIELD_TEXT_OR_NULL, AT(record.environment)},
	{"file", FIELD_TEXT_OR_NULL, AT(record.file)},
	{"family", FIELD_TEXT_OR_NULL, AT(record.family)},
	{"class", FIELD_TEXT, AT(class)},
	{"control", FIELD_TEXT_OR_NULL, AT(record.control)},
	{"ended", FIELD_TEXT, AT(ended)},
	{"cause", FIELD_TEXT_OPTIONAL, AT(cause)},
	{"message", FIELD_TEXT_OR_NULL, AT(record.message)},
	{"attempts", FIELD_COUNT_32, AT(record.attempts)},
	{"started", FIELD_TEXT_OR_NULL, AT(record.started)},
	{"seconds", FIELD_REAL, AT(record.seconds)},
	{"compile_seconds", FIELD_REAL, AT(record.compile_seconds)},
	{"launches", FIELD_COUNT, AT(record.launches)},
	{"first_launch", FIELD_COUNT, AT(record.first_launch)},
	{"master_seed", FIELD_DECIMAL, AT(record.master_seed)},
	{"seed", FIELD_DECIMAL, AT(record.seed)},
	{"stimulus", FIELD_HEX, AT(record.stimulus)},
	{"source", FIELD_HEX, AT(record.source_hash)},
	{"build_options", FIELD_TEXT_OR_NULL, AT(record.build_options)},
	{"build_log", FIELD_TEXT_OR_NULL, AT(record.build_log)},
	{"oracle", FIELD_TEXT_OR_NULL, AT(record.oracle)},
	{"verdict", FIELD_TEXT, AT(verdict)},
	{"gates", FIELD_FLAG, AT(record.grade.gates)},
	{"known", FIELD_TEXT_OR_NULL, AT(record.grade.known)},
	{"instances", FIELD_COUNT, AT(record.instances)},
	{"cut", FIELD_COUNT, AT(record.grade.cut)},
	{"filtered", FIELD_COUNT, AT(record.grade.filtered)},
	{"weak", FIELD_COUNT, AT(record.grade.weak)},
	{"forbidden", FIELD_COUNT, AT(record.grade.forbidden)},
	{"disputed", FIELD_COUNT, AT(record.grade.disputed)},
	{"bound", FIELD_REAL_OR_NULL, AT(record.grade.bound)},
	{"outcomes", FIELD_LIST, AT(outcomes)},
	{"evidence", FIELD_OBJECT_OPTIONAL, AT(evidence)},
	{0},
};

struct outcome_line {
	json_t *values, *deciding;
	uint64_t count;
	const char *status;
	bool witness;
};

static const struct field outcome_fields[] = {
	{"values", FIELD_OBJECT, offsetof(struct outcome_line, values)},
	{"count", FIELD_COUNT, offsetof(struct outcome_line, count)},
	{"status", FIELD_TEXT, offsetof(struct outcome_line, status)},
	{"deciding", FIELD_LIST_OPTIONAL, offsetof(struct outcome_line, deciding)},
	{"witness", FIELD_FLAG, offsetof(struct outcome_line, witness)},
	{0},
};

#define FIND_WORD(name, type, words, count)                                                        \
	static bool name(const char *word, type *ret)                                              \
	{                                                                                          \
		for (int i = 0; i < (count); i++) {                                                \
			if (strcmp(words((type)i), word) == 0) {                                   \
				*ret = (type)i;                                                    \
				return true;                                                       \
			}                                                                          \
		}                                                                                  \
		return false;                                                                      \
	}

FIND_WORD(find_class, enum oclmm_class, oclmm_class_word, OCLMM_CLASS_COUNT)
FIND_WORD(find_ended, enum oclmm_ended, oclmm_ended_word, OCLMM_ENDED_COUNT)
FIND_WORD(find_cause, enum oclmm_cause, oclmm_cause_word, OCLMM_CAUSE_COUNT)
FIND_WORD(find_verdict, enum oclmm_verdict, oclmm_verdict_word, OCLMM_VERDICT_COUNT)
FIND_WORD(find_status, enum oclmm_status, oclmm_status_word, OCLMM_STATUS_UNDEFINED + 1)
FIND_WORD(find_knob, enum oclmm_knob, oclmm_knob_name, OCLMM_KNOB_COUNT)

/* The observables are the keys of the first outcome. */
static void name_observables(const struct line *line, json_t *outcomes,
                             struct oclmm_program *program)
{
	json_t *values = json_object_get(json_array_get(outcomes, 0), "values"), *value;
	const char *key;

	program->observables = OCLMM_NEW_ARRAY(line->arena, struct oclmm_observable,
	                                       json_object_size(values));
	json_object_foreach(values, key, value)
		program->observables[program->observable_count++] = (struct oclmm_observable){
		.name = oclmm_arena_strdup(line->arena, key),
		.type = OCLMM_TYPE_LONG,
	};
}

static int read_value(const struct line *line, struct oclmm_observable *observable, json_t *value,
                      int64_t *ret_value)
{
	const char *text = json_string_value(value);

	if (json_is_integer(value)) {
		*ret_value = json_integer_value(value);
		return 0;
	}
	/* only a ulong beyond what JSON readers take for an integer is a text */
	if (!text || !*text || strspn(text, "0123456789") != strlen(text))
		return line_refuse(line, observable->name, "the value of \"%s\" is no number",
		                   observable->name);
	observable->type = OCLMM_TYPE_ULONG;
	*ret_value = (int64_t)strtoull(text, NULL, 10);
	return 0;
}

int results_read_values(const struct line *line, struct oclmm_program *program, json_t *object,
                        int64_t *values)
{
	int r = 0;

	if (json_object_size(object) != program->observable_count)
		return line_refuse(line, "outcomes", "the outcomes do not have the same values");
	for (uint32_t i = 0; r == 0 && i < program->observable_count; i++) {
		struct oclmm_observable *observable = &program->observables[i];
		json_t *value = json_object_get(object, observable->name);

		if (!value)
			return line_refuse(line, "outcomes", "an outcome lacks \"%s\"",
			                   observable->name);
		r = read_value(line, observable, value, &values[i]);
	}
	return r;
}

static int read_deciding(const struct line *line, json_t *list, unsigned *ret_deciding)
{
	*ret_deciding = 0;
	for (size_t i = 0; i < json_array_size(list); i++) {
		const char *name = json_string_value(json_array_get(list, i));
		enum oclmm_knob knob;

		if (!name || !find_knob(name, &knob))
			return line_refuse(line, "deciding", "unknown knob in \"deciding\"");
		*ret_deciding |= 1u << knob;
	}
	return 0;
}

static int read_outcome(const struct line *line, struct oclmm_program *program, json_t *object,
                        struct oclmm_graded_row *ret_row)
{
	int64_t *values = OCLMM_NEW_ARRAY(line->arena, int64_t, program->observable_count);
	struct outcome_line outcome = {0};
	int r;

	if (!json_is_object(object))
		return line_refuse(line, "outcomes", "an outcome is no object");
	r = fields_read(line, object, outcome_fields, &outcome);
	if (r == 0)
		r = read_deciding(line, outcome.deciding, &ret_row->deciding);
	if (r == 0)
		r = results_read_values(line, program, outcome.values, values);
	if (r == 0 && !find_status(outcome.status, &ret_row->status))
		return line_refuse(line, "status", "unknown status \"%s\"", outcome.status);
	if (r < 0)
		return r;
	ret_row->values = values;
	ret_row->count = outcome.count;
	ret_row->witness = outcome.witness;
	return 0;
}

static int read_outcomes(const struct line *line, json_t *outcomes, struct oclmm_program *program,
                         struct oclmm_grade *grade)
{
	size_t count = json_array_size(outcomes);
	int r = 0;

	name_observables(line, outcomes, program);
	grade->rows = OCLMM_NEW_ARRAY(line->arena, struct oclmm_graded_row, count);
	for (size_t i = 0; r == 0 && i < count; i++) {
		struct oclmm_graded_row *row = &grade->rows[i];

		r = read_outcome(line, program, json_array_get(outcomes, i), row);
		grade->seen_count += row->count > 0;
	}
	grade->row_count = (uint32_t)count;
	return r;
}

static int read_words(const struct line *line, struct test_line *test)
{
	struct oclmm_record *record = &test->record;

	if (!find_class(test->class, &record->support))
		return line_refuse(line, "class", "unknown class \"%s\"", test->class);
	if (!find_ended(test->ended, &record->ended))
		return line_refuse(line, "ended", "unknown way to end \"%s\"", test->ended);
	if (test->cause && !find_cause(test->cause, &record->cause))
		return line_refuse(line, "cause", "unknown cause \"%s\"", test->cause);
	if (!find_verdict(test->verdict, &record->grade.verdict))
		return line_refuse(line, "verdict", "unknown verdict \"%s\"", test->verdict);
	return 0;
}

int results_read_test(const struct line *line, json_t *object, struct oclmm_saved *ret_saved)
{
	struct oclmm_program *program = OCLMM_NEW(line->arena, struct oclmm_program);
	struct test_line test = {0};
	int r = fields_read(line, object, test_fields, &test);

	if (r == 0)
		r = read_words(line, &test);
	if (r == 0)
		r = read_outcomes(line, test.outcomes, program, &test.record.grade);
	if (r == 0 && test.evidence)
		r = results_read_evidence(line, test.evidence, program, &test.record);
	if (r < 0)
		return r;
	program->name = test.test;
	program->hash = test.hash;
	program->file = test.record.file;
	test.record.program = program;
	test.record.filtered = test.record.grade.filtered;
	test.record.grade.instances = test.record.ended == OCLMM_ENDED_OK ? test.record.instances
	                                                                  : 0;
	ret_saved->record = test.record;
	return 0;
}

/* ---- joining ---- */

static int find_observable(const struct oclmm_program *program, const char *name)
{
	for (uint32_t i = 0; i < program->observable_count; i++) {
		if (strcmp(program->observables[i].name, name) == 0)
			return (int)i;
	}
	return -1;
}

/* Where each observable of the program stands in the stub; they are as many. */
static int map_observables(const struct oclmm_program *stub, const struct oclmm_program *program,
                           uint32_t **ret_places)
{
	uint32_t *places;

	if (stub->observable_count != program->observable_count)
		return -EINVAL;
	places = oclmm_calloc(program->observable_count + 1, sizeof(*places));
	for (uint32_t i = 0; i < program->observable_count; i++) {
		int at = find_observable(stub, program->observables[i].name);

		if (at < 0) {
			free(places);
			return -EINVAL;
		}
		places[i] = (uint32_t)at;
	}
	*ret_places = places;
	return 0;
}

static void add_rows(const struct oclmm_record *record, const uint32_t *places, uint32_t width,
                     struct oclmm_histogram *histogram)
{
	int64_t *values = oclmm_calloc(width + 1, sizeof(*values));

	for (uint32_t row = 0; row < record->grade.row_count; row++) {
		for (uint32_t i = 0; i < width; i++)
			values[i] = record->grade.rows[row].values[places[i]];
		if (record->grade.rows[row].count)
			oclmm_histogram_add(histogram, values, record->grade.rows[row].count);
	}
	free(values);
}

/* What was seen, in the order of the program's observables. */
static int join_counts(struct oclmm_record *record, const struct oclmm_program *program,
                       struct oclmm_histogram *histogram)
{
	uint32_t *places;
	int r;

	if (!record->grade.row_count)
		return 0;
	r = map_observables(record->program, program, &places);
	if (r < 0)
		return r;
	add_rows(record, places, program->observable_count, histogram);
	if (record->evidence)
		oclmm_evidence_reorder(record->evidence, places);
	free(places);
	return 0;
}

int oclmm_saved_bind(struct oclmm_saved *saved, const struct oclmm_program *program,
                     struct oclmm_histogram **ret_histogram)
{
	struct oclmm_record *record = &saved->record;
	struct oclmm_histogram *histogram = NULL;

	if (record->program->hash != program->hash)
		return -ESTALE;
	/* of a test that failed in its second part, the first part's counts are there */
	if (record->ended == OCLMM_ENDED_OK || record->grade.row_count) {
		histogram = oclmm_histogram_create(program->observable_count);
		if (join_counts(record, program, histogram) < 0) {
			oclmm_histogram_destroy(histogram);
			return -EINVAL;
		}
		if (record->grade.cut)
			oclmm_histogram_add_cut(histogram, record->grade.cut);
	}
	record->program = program;
	record->histogram = histogram;
	record->grade = (struct oclmm_grade){0};
	*ret_histogram = histogram;
	return 0;
}
