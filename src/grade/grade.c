// SPDX-License-Identifier: Apache-2.0
#include "expectations.h"

static bool is_witness(enum oclmm_quantifier quantifier, bool condition)
{
	return quantifier == OCLMM_QUANTIFIER_FORALL ? !condition : condition;
}

static void add_row(struct oclmm_record *record, const int64_t *values, uint64_t count)
{
	const struct oclmm_program *program = record->program;
	struct oclmm_grade *grade = &record->grade;
	struct oclmm_graded_row *row = &grade->rows[grade->row_count++];

	row->values = oclmm_arena_copy(grade->arena, values,
	                               program->observable_count * sizeof(*values));
	row->count = count;
	row->status = oclmm_expected_status(record->expected, values, &row->deciding);
	row->condition = oclmm_condition_holds(program, program->condition, values);
	row->witness = is_witness(program->quantifier, row->condition);
}

/* What the filter turns away was not asked for, so the oracle has no answer to it. */
static bool passes_filter(const struct oclmm_program *program, const int64_t *values)
{
	return !program->filter || oclmm_condition_holds(program, program->filter, values);
}

static bool is_listed(const struct oclmm_expected *expected, uint32_t index)
{
	return expected->states[index].status == OCLMM_STATUS_ALLOWED;
}

/* Merges what was seen with what is allowed, both ascending. */
static void make_rows(struct oclmm_record *record)
{
	const struct oclmm_expected *expected = record->expected;
	size_t seen_count = oclmm_histogram_rows(record->histogram), seen = 0;
	uint32_t listed = 0, width = expected->width;

	record->grade.rows = OCLMM_NEW_ARRAY(record->grade.arena, struct oclmm_graded_row,
	                                     seen_count + expected->state_count);
	while (seen < seen_count || listed < expected->state_count) {
		struct oclmm_histogram_row row = {0};
		int order;

		if (listed < expected->state_count && !is_listed(expected, listed)) {
			listed++;
			continue;
		}
		if (seen < seen_count)
			row = oclmm_histogram_row(record->histogram, seen);
		if (seen == seen_count)
			order = 1;
		else if (listed == expected->state_count)
			order = -1;
		else
			order = oclmm_compare_values(row.values, expected->states[listed].values,
			                             width);
		if (order <= 0) {
			/* a row that was declared but never seen says nothing unless it is
			 * allowed */
			if (!passes_filter(record->program, row.values))
				record->grade.filtered += row.count;
			else if (row.count || order == 0)
				add_row(record, row.values, row.count);
			seen++;
		} else {
			add_row(record, expected->states[listed].values, 0);
		}
		listed += order >= 0;
	}
}

static void sum_rows(struct oclmm_grade *grade)
{
	for (uint32_t i = 0; i < grade->row_count; i++) {
		const struct oclmm_graded_row *row = &grade->rows[i];

		grade->seen_count += row->count > 0;
		if (row->condition)
			grade->holds += row->count;
		else
			grade->fails += row->count;
		if (row->status == OCLMM_STATUS_FORBIDDEN) {
			grade->forbidden += row->count;
		} else if (row->witness) {
			grade->weak += row->count;
		}
		if (row->status == OCLMM_STATUS_DISPUTED && row->count) {
			grade->disputed += row->count;
			grade->deciding |= row->deciding;
		}
	}
}

static enum oclmm_verdict verdict_of_ended(const struct oclmm_record *record)
{
	switch (oclmm_end_ended(record->end)) {
	case OCLMM_ENDED_UNSUPPORTED: return OCLMM_VERDICT_SKIP;
	case OCLMM_ENDED_BUILD_FAILED:
		/* what a device does not claim, its compiler may refuse */
		if (record->support != OCLMM_CLASS_CLAIMED)
			return OCLMM_VERDICT_SKIP;
		return OCLMM_VERDICT_BUILD_FAILED;
	case OCLMM_ENDED_TIMEOUT: return OCLMM_VERDICT_TIMEOUT;
	case OCLMM_ENDED_LOST: return OCLMM_VERDICT_LOST;
	case OCLMM_ENDED_CRASH:
	case OCLMM_ENDED_OK:
	case OCLMM_ENDED_COUNT: break;
	}
	return OCLMM_VERDICT_CRASH;
}

static enum oclmm_verdict judge_rows(const struct oclmm_record *record)
{
	const struct oclmm_grade *grade = &record->grade;

	if (record->expected->undefined)
		return OCLMM_VERDICT_UNDEFINED;
	if (grade->forbidden)
		return OCLMM_VERDICT_FORBIDDEN;
	if (grade->disputed)
		return OCLMM_VERDICT_DISPUTED;
	return OCLMM_VERDICT_PASS;
}

/* Instances that vanished, or a cut where no loop can be cut, mean that the device did not run the
 * test. */
static bool is_lost(const struct oclmm_record *record)
{
	uint64_t total = oclmm_histogram_total(record->histogram) + record->filtered;

	if (total != record->instances || total == 0)
		return true;
	return oclmm_histogram_cut(record->histogram) && !record->expected->may_be_cut;
}

static void judge(struct oclmm_record *record, const struct oclmm_grade_options *options)
{
	struct oclmm_grade *grade = &record->grade;

	*grade = (struct oclmm_grade){.arena = oclmm_arena_create()};
	grade->gates = record->support == OCLMM_CLASS_CLAIMED ||
	               (record->support == OCLMM_CLASS_ACCEPTED && options->claims_accepted);
	if (!record->histogram || !record->expected ||
	    (record->end != OCLMM_END_OK && oclmm_histogram_total(record->histogram) == 0)) {
		grade->verdict = verdict_of_ended(record);
		return;
	}
	grade->instances = record->instances;
	grade->cut = oclmm_histogram_cut(record->histogram);
	grade->filtered = record->filtered;
	make_rows(record);
	sum_rows(grade);
	grade->verdict = judge_rows(record);
	/* a forbidden outcome that was seen stays one, whatever else went wrong */
	if (grade->verdict == OCLMM_VERDICT_FORBIDDEN)
		return;
	if (record->end != OCLMM_END_OK)
		grade->verdict = verdict_of_ended(record);
	else if (is_lost(record))
		grade->verdict = OCLMM_VERDICT_LOST;
}

void oclmm_grade(struct oclmm_record *record, const struct oclmm_grade_options *options)
{
	judge(record, options);
	grade_apply_expectations(record, options);
}

void oclmm_grade_finish(struct oclmm_grade *grade)
{
	oclmm_arena_destroy(grade->arena);
	*grade = (struct oclmm_grade){0};
}
