// SPDX-License-Identifier: Apache-2.0
/*
 * Silence says only as much as the noise of controls. Where launches were kept
 * apart it is counted what it says. Where they were not: if the variant that is
 * weakened by one step shows the outcome with probability r per instance, then
 * a device that has the bug stays silent for N instances with e^(-rN). Three
 * observations of the control in as many instances give 95 %, twelve 99.999 %.
 */
#include "group.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Whether a test and its control observe the same things, so that outcomes carry over. */
static bool same_observables(const struct oclmm_program *a, const struct oclmm_program *b)
{
	if (a->observable_count != b->observable_count)
		return false;
	for (uint32_t i = 0; i < a->observable_count; i++) {
		if (strcmp(a->observables[i].name, b->observables[i].name) != 0)
			return false;
	}
	return true;
}

/* How often the control showed what the test forbids and the control does not. */
static uint64_t count_forbidden(const struct oclmm_record *test, const struct oclmm_record *control)
{
	uint64_t seen = 0;

	if (!same_observables(test->program, control->program))
		return control->grade.weak;
	for (uint32_t i = 0; i < control->grade.row_count; i++) {
		const struct oclmm_graded_row *row = &control->grade.rows[i];

		if (row->count && row->status != OCLMM_STATUS_FORBIDDEN &&
		    oclmm_expected_status(test->expected, row->values, NULL) ==
		            OCLMM_STATUS_FORBIDDEN)
			seen += row->count;
	}
	return seen;
}

static uint64_t count_instances(const struct grade_groups *groups, struct grade_group group)
{
	uint64_t instances = 0;

	for (size_t i = 0; i < group.count; i++) {
		const struct oclmm_record *record = groups->records[group.members[i]];

		if (grade_has_outcomes(record))
			instances += record->grade.instances;
	}
	return instances;
}

static void look_at_control(const struct grade_groups *groups, const struct oclmm_record *test,
                            struct oclmm_control *control)
{
	struct grade_group group = grade_groups_find(groups, test->control, test);
	double seconds = 0;

	for (size_t i = 0; i < group.count; i++) {
		const struct oclmm_record *record = groups->records[group.members[i]];

		if (!grade_has_outcomes(record))
			continue;
		control->seen += count_forbidden(test, record);
		control->instances += record->grade.instances;
		seconds += record->seconds;
	}
	if (control->instances)
		control->rate = (double)control->seen / (double)control->instances;
	if (seconds > 0)
		control->per_second = (double)control->seen / seconds;
}

/* A control is weakened so that it shows something: its silence is claimed by nobody. */
static bool is_control(const struct grade_groups *groups, const char *name)
{
	for (size_t i = 0; i < groups->count; i++) {
		const char *control = groups->records[i]->control;

		if (control && strcmp(control, name) == 0)
			return true;
	}
	return false;
}

/* ---- launches that were kept apart ---- */

/* Hits are hits only of what is still forbidden, whatever it was when they were counted. */
static bool still_holds(const struct oclmm_record *record)
{
	const struct oclmm_evidence *evidence = record->evidence;

	for (size_t i = 0; i < evidence->outcome_count; i++) {
		if (oclmm_expected_status(record->expected, evidence->outcomes[i].values, NULL) !=
		    OCLMM_STATUS_FORBIDDEN)
			return false;
	}
	return true;
}

static uint64_t launches_of_kind(const struct oclmm_evidence *evidence,
                                 enum oclmm_control_kind kind)
{
	uint64_t launches = 0;

	for (size_t i = 0; i < evidence->control_count; i++) {
		if (evidence->controls[i].kind == kind)
			launches += oclmm_evidence_sum(evidence, 1 + i).launches;
	}
	return launches;
}

static struct oclmm_kind_confidence judge_kind(const struct oclmm_evidence *evidence,
                                               enum oclmm_control_kind kind, double confidence)
{
	const struct oclmm_escape escape = oclmm_evidence_escape(evidence, kind);
	struct oclmm_kind_confidence judged = {.escape = exp(escape.log)};

	if (escape.controls)
		judged.name = evidence->controls[escape.best].name;
	if (!escape.controls)
		judged.confidence = OCLMM_CONFIDENCE_NO_CONTROL;
	else if (!launches_of_kind(evidence, kind))
		judged.confidence = OCLMM_CONFIDENCE_NOT_RUN;
	else if (!escape.hit && evidence->rounds && !evidence->met)
		judged.confidence = OCLMM_CONFIDENCE_NEVER_MET;
	else if (!escape.hit)
		judged.confidence = OCLMM_CONFIDENCE_NEVER_SEEN;
	else if (oclmm_evidence_reached(evidence, kind, confidence))
		judged.confidence = OCLMM_CONFIDENCE_REACHED;
	else
		judged.confidence = OCLMM_CONFIDENCE_TOO_RARE;
	return judged;
}

/* The kind that says more. The words stand from the one that says most. */
static const struct oclmm_kind_confidence *better(const struct oclmm_kind_confidence *kinds)
{
	const struct oclmm_kind_confidence *best = &kinds[0];

	for (int i = 1; i < OCLMM_CONTROL_KIND_COUNT; i++) {
		if (kinds[i].confidence < best->confidence ||
		    (kinds[i].confidence == best->confidence && kinds[i].escape < best->escape))
			best = &kinds[i];
	}
	return best;
}

static void judge_launches(const struct oclmm_record *record, double confidence,
                           struct oclmm_control *control)
{
	const struct oclmm_evidence *evidence = record->evidence;
	const struct oclmm_kind_confidence *best;

	control->by_launch = true;
	control->limit = oclmm_detection_limit(oclmm_evidence_sum(evidence, 0).launches);
	for (int i = 0; i < OCLMM_CONTROL_KIND_COUNT; i++)
		control->kinds[i] = judge_kind(evidence, (enum oclmm_control_kind)i, confidence);
	best = better(control->kinds);
	control->confidence = best->confidence;
	control->escape = best->escape;
	control->name = best->name;
	for (size_t i = 0; i < evidence->outcome_count; i++)
		control->seen += evidence->outcomes[i].count;
	for (size_t i = 0; i < evidence->control_count; i++)
		control->instances += evidence->controls[i].instances;
}

static struct oclmm_control no_control(const struct oclmm_record *record)
{
	struct oclmm_control control = {.name = record->control, .escape = 1};

	for (int i = 0; i < OCLMM_CONTROL_KIND_COUNT; i++)
		control.kinds[i].escape = 1;
	return control;
}

static struct oclmm_control judge(const struct grade_groups *groups,
                                  const struct oclmm_record *record, double confidence)
{
	struct oclmm_control control = no_control(record);
	struct grade_group own;

	if (!oclmm_expected_forbids(record->expected)) {
		control.confidence = OCLMM_CONFIDENCE_NOT_NEEDED;
		return control;
	}
	if (record->evidence && record->evidence->control_count && still_holds(record)) {
		judge_launches(record, confidence, &control);
		return control;
	}
	if (!record->control) {
		control.confidence = is_control(groups, record->program->name)
		                             ? OCLMM_CONFIDENCE_CONTROL
		                             : OCLMM_CONFIDENCE_NO_CONTROL;
		return control;
	}
	look_at_control(groups, record, &control);
	own = grade_groups_find(groups, record->program->name, record);
	control.escape = exp(-control.rate * (double)count_instances(groups, own));
	if (!control.instances)
		control.confidence = OCLMM_CONFIDENCE_NOT_RUN;
	else if (!control.seen)
		control.confidence = OCLMM_CONFIDENCE_NEVER_SEEN;
	else if (control.escape > 1 - confidence)
		control.confidence = OCLMM_CONFIDENCE_TOO_RARE;
	else
		control.confidence = OCLMM_CONFIDENCE_REACHED;
	return control;
}

void oclmm_grade_confidence(struct oclmm_record *const *records, size_t count, double confidence)
{
	struct grade_groups groups;

	grade_groups_make(&groups, records, count);
	for (size_t i = 0; i < count; i++) {
		struct oclmm_grade *grade = &records[i]->grade;
		bool enough;

		grade->control = no_control(records[i]);
		if (grade->verdict != OCLMM_VERDICT_PASS &&
		    grade->verdict != OCLMM_VERDICT_INCONCLUSIVE)
			continue;
		grade->control = judge(&groups, records[i], confidence);
		enough = grade->control.confidence == OCLMM_CONFIDENCE_NOT_NEEDED ||
		         grade->control.confidence == OCLMM_CONFIDENCE_CONTROL ||
		         grade->control.confidence == OCLMM_CONFIDENCE_REACHED;
		grade->verdict = enough ? OCLMM_VERDICT_PASS : OCLMM_VERDICT_INCONCLUSIVE;
	}
	grade_groups_finish(&groups);
}

/* ---- where more time would help ---- */

static size_t first_with_outcomes(const struct grade_groups *groups, struct grade_group group)
{
	for (size_t i = 0; i < group.count; i++) {
		if (grade_has_outcomes(groups->records[group.members[i]]))
			return group.members[i];
	}
	return SIZE_MAX;
}

static struct oclmm_need make_need(const struct grade_groups *groups, size_t index,
                                   double confidence)
{
	const struct oclmm_record *record = groups->records[index];
	const struct oclmm_control *control = &record->grade.control;
	struct oclmm_need need = {
		.record = index,
		.control = first_with_outcomes(groups,
	                                       grade_groups_find(groups, record->control, record)),
		.seconds = INFINITY,
	};
	double done = (double)count_instances(
		groups, grade_groups_find(groups, record->program->name, record));

	/* how many launches more hits take nobody knows */
	if (control->confidence == OCLMM_CONFIDENCE_TOO_RARE && !control->by_launch) {
		double missing = ceil(-log(1 - confidence) / control->rate - done);

		need.instances = missing < 1      ? 1
		                 : missing < 1e18 ? (uint64_t)missing
		                                  : (uint64_t)1e18;
		if (record->seconds > 0)
			need.seconds = (double)need.instances / (double)record->grade.instances *
			               record->seconds;
	}
	return need;
}

/* Cheapest first; those that cannot be costed behind, first the ones whose control ran. */
static int compare_needs(const void *a, const void *b)
{
	const struct oclmm_need *x = a, *y = b;

	if (x->seconds < y->seconds || x->seconds > y->seconds)
		return x->seconds < y->seconds ? -1 : 1;
	if ((x->instances == 0) != (y->instances == 0))
		return x->instances == 0 ? 1 : -1;
	if ((x->control == SIZE_MAX) != (y->control == SIZE_MAX))
		return x->control == SIZE_MAX ? 1 : -1;
	return x->record < y->record ? -1 : x->record > y->record;
}

size_t oclmm_grade_needs(struct oclmm_record *const *records, size_t count, double confidence,
                         struct oclmm_need **ret_needs)
{
	struct oclmm_need *needs = oclmm_calloc(count + 1, sizeof(*needs));
	struct grade_groups groups;
	size_t found = 0;

	grade_groups_make(&groups, records, count);
	for (size_t i = 0; i < count; i++) {
		const struct oclmm_record *record = records[i];
		struct grade_group own = grade_groups_find(&groups, record->program->name, record);

		/* a test that ran several times lacks one confidence, not several */
		if (record->grade.verdict == OCLMM_VERDICT_INCONCLUSIVE && record->control &&
		    first_with_outcomes(&groups, own) == i)
			needs[found++] = make_need(&groups, i, confidence);
	}
	grade_groups_finish(&groups);
	qsort(needs, found, sizeof(*needs), compare_needs);
	*ret_needs = needs;
	return found;
}
