// SPDX-License-Identifier: Apache-2.0
/* Reads one `test` line into a record, and joins it with its test again. */
#include "results.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "pieces.h"

/* The observables are the keys of the first outcome. */
static void name_observables(const struct line *line, json_t *outcome,
                             struct oclmm_program *program)
{
	json_t *values = json_object_get(outcome, "values"), *value;
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
	unsigned long long number;

	if (json_is_integer(value)) {
		*ret_value = json_integer_value(value);
		return 0;
	}
	/* only a ulong beyond what JSON readers take for an integer is a text */
	if (!text || !*text || strspn(text, "0123456789") != strlen(text))
		return line_refuse(line, observable->name, "the value of \"%s\" is no number",
		                   observable->name);
	errno = 0;
	number = strtoull(text, NULL, 10);
	if (errno)
		return line_refuse(line, observable->name, "the value of \"%s\" is beyond 2^64-1",
		                   observable->name);
	observable->type = OCLMM_TYPE_ULONG;
	*ret_value = (int64_t)number;
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

static int read_outcome(const struct line *line, struct oclmm_program *program, json_t *object,
                        struct oclmm_graded_row *ret_row)
{
	int64_t *values = OCLMM_NEW_ARRAY(line->arena, int64_t, program->observable_count);
	struct outcome_line outcome = {0};
	int r = fields_read(line, object, &outcome_fields, &outcome);

	if (r == 0)
		r = results_read_values(line, program, outcome.values, values);
	if (r < 0)
		return r;
	*ret_row = outcome.row;
	ret_row->values = values;
	return 0;
}

/* Each count fits; so must their sum, or counts that are far apart could seem to add up. */
static int check_sum(const struct line *line, const struct oclmm_grade *grade)
{
	uint64_t sum = grade->cut + grade->filtered;

	for (uint32_t i = 0; i < grade->row_count && sum <= FIELD_MOST; i++)
		sum += grade->rows[i].count;
	return sum <= FIELD_MOST
	               ? 0
	               : line_refuse(line, "outcomes", "the counts sum up to more than 2^53");
}

/* Rows as they come: how many there are nobody says beforehand. */
struct rows {
	struct oclmm_graded_row *rows;
	size_t count, capacity;
};

static int read_row(const struct line *line, json_t *object, struct oclmm_program *program,
                    struct rows *rows)
{
	if (rows->count == 0)
		name_observables(line, object, program);
	if (rows->count == UINT32_MAX)
		return line_refuse(line, "outcomes", "more outcomes than can be told apart");
	oclmm_grow(&rows->rows, &rows->capacity, rows->count, sizeof(*rows->rows));
	return read_outcome(line, program, object, &rows->rows[rows->count++]);
}

static int read_rows(const struct line *line, struct oclmm_program *program, struct rows *rows,
                     struct oclmm_text *pieces)
{
	json_t *object;
	size_t at = 0;
	int r;

	while ((r = pieces_next(line, &at, &object)) > 0) {
		r = read_row(line, object, program, rows);
		if (r == 0 && pieces)
			pieces_add(pieces, object);
		json_decref(object);
		if (r < 0)
			break;
	}
	return r;
}

static int read_outcomes(const struct line *line, struct oclmm_program *program,
                         struct oclmm_grade *grade, struct oclmm_text *pieces)
{
	struct rows rows = {0};
	int r = read_rows(line, program, &rows, pieces);

	if (r == 0) {
		grade->rows = oclmm_arena_copy(line->arena, rows.rows,
		                               rows.count * sizeof(*rows.rows));
		grade->row_count = (uint32_t)rows.count;
	}
	free(rows.rows);
	for (uint32_t i = 0; i < grade->row_count; i++)
		grade->seen_count += grade->rows[i].count > 0;
	return r < 0 ? r : check_sum(line, grade);
}

/* The cause says more, where there is one; what it says must be what `ended` says. */
static int read_end(const struct line *line, const struct test_line *test, enum oclmm_end *ret_end)
{
	static const enum oclmm_end unknown[OCLMM_ENDED_COUNT] = {
		[OCLMM_ENDED_OK] = OCLMM_END_OK,
		[OCLMM_ENDED_UNSUPPORTED] = OCLMM_END_UNSUPPORTED,
		[OCLMM_ENDED_BUILD_FAILED] = OCLMM_END_BUILD_FAILED,
		[OCLMM_ENDED_CRASH] = OCLMM_END_CRASH,
		[OCLMM_ENDED_TIMEOUT] = OCLMM_END_TIMEOUT,
		[OCLMM_ENDED_LOST] = OCLMM_END_LOST,
	};
	const char *cause = oclmm_end_cause(test->cause);

	*ret_end = cause ? test->cause : unknown[test->ended];
	/* earlier versions of `grade` called a test lost that the oracle did not answer */
	if (oclmm_end_ended(*ret_end) == test->ended ||
	    (*ret_end == OCLMM_END_ORACLE && test->ended == OCLMM_ENDED_LOST))
		return 0;
	return line_refuse(line, "cause", "\"cause\" is %s, which does not end as %s", cause,
	                   oclmm_ended_word(test->ended));
}

/* What a device lacks does not run on it. */
static int check_class(const struct line *line, const struct oclmm_record *record)
{
	if (record->support != OCLMM_CLASS_UNSUPPORTED || record->end != OCLMM_END_OK)
		return 0;
	return line_refuse(line, "class", "\"class\" is unsupported, and \"ended\" is ok");
}

/* A file that says where says it of each. */
static int check_halvings(const struct line *line, const struct oclmm_record *record)
{
	const struct oclmm_halvings *halvings = &record->halved_at;

	if (halvings->count && halvings->count != record->halved)
		return line_refuse(line, "halved_at",
		                   "\"halved_at\" names %u launches, \"halved\" counts %u",
		                   halvings->count, record->halved);
	if (halvings->count && halvings->at[0] < record->first_launch)
		return line_refuse(line, "halved_at",
		                   "\"halved_at\" has a launch before \"first_launch\"");
	return 0;
}

int results_read_test(const struct line *line, json_t *object, struct oclmm_text *pieces,
                      struct oclmm_saved *ret_saved)
{
	struct oclmm_program *program = OCLMM_NEW(line->arena, struct oclmm_program);
	struct test_line test = {0};
	int r = fields_read(line, object, &test_fields, &test);

	if (r == 0)
		r = read_end(line, &test, &test.record.end);
	if (r == 0)
		r = check_class(line, &test.record);
	if (r == 0)
		r = check_halvings(line, &test.record);
	if (r == 0 && json_array_size(test.outcomes))
		r = line_refuse(line, "", "the key \"outcomes\" is spelled with escapes");
	if (r == 0)
		r = read_outcomes(line, program, &test.record.grade, pieces);
	if (r == 0 && test.evidence)
		r = results_read_evidence(line, test.evidence, program, &test.record);
	if (r < 0)
		return r;
	program->name = test.test;
	program->hash = test.hash;
	program->file = test.record.file;
	test.record.program = program;
	test.record.filtered = test.record.grade.filtered;
	test.record.grade.instances = test.record.end == OCLMM_END_OK ? test.record.instances : 0;
	ret_saved->record = test.record;
	return 0;
}

/* ---- joining ---- */

/* Where each observable of the program stands in the stub; they are as many. */
static int map_observables(const struct oclmm_program *stub, const struct oclmm_program *program,
                           uint32_t **ret_places)
{
	uint32_t *places;

	if (stub->observable_count != program->observable_count)
		return -EINVAL;
	places = oclmm_calloc(program->observable_count + 1, sizeof(*places));
	if (!oclmm_observables_find(program, stub, places)) {
		free(places);
		return -EINVAL;
	}
	*ret_places = places;
	return 0;
}

static void add_rows(const struct oclmm_record *record, const uint32_t *places, uint32_t width,
                     struct oclmm_histogram *histogram)
{
	int64_t *values = oclmm_calloc(width + 1, sizeof(*values));

	for (uint32_t row = 0; row < record->grade.row_count; row++) {
		const struct oclmm_graded_row *graded = &record->grade.rows[row];

		for (uint32_t i = 0; i < width; i++)
			values[i] = graded->values[places[i]];
		if (graded->count)
			oclmm_histogram_add(histogram, values, graded->count);
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
	if (record->end == OCLMM_END_OK || record->grade.row_count) {
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
