// SPDX-License-Identifier: Apache-2.0
/*
 * Silence says only as much as the noise of controls. What it says is counted by launches; where a
 * record does not tell them apart, all of it is one launch.
 */
#include "group.h"

#include <math.h>
#include <stdlib.h>

/* Hits are hits only of what is still forbidden, whatever it was when they were counted. */
static bool still_holds(const struct oclmm_record *record)
{
	const struct oclmm_evidence *evidence = record->evidence;

	/* one that is silent showed nothing of what hits were then */
	if (oclmm_evidence_sum(evidence, 0).hits)
		return false;
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

/* Where a control of either kind was hit, roles met, whoever looked. */
static bool never_met(const struct oclmm_evidence *evidence)
{
	return evidence->rounds && !evidence->met && !evidence->outcome_count;
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
	else if (!escape.hit && never_met(evidence))
		judged.confidence = OCLMM_CONFIDENCE_NEVER_MET;
	else if (!escape.hit)
		judged.confidence = OCLMM_CONFIDENCE_NEVER_SEEN;
	else if (oclmm_evidence_reached(evidence, kind, confidence))
		judged.confidence = OCLMM_CONFIDENCE_REACHED;
	else
		judged.confidence = OCLMM_CONFIDENCE_TOO_RARE;
	return judged;
}

/* Whether a says more than b. The words stand from the one that says most. */
static bool says_more(const struct oclmm_kind_confidence *a, const struct oclmm_kind_confidence *b)
{
	return a->confidence < b->confidence ||
	       (a->confidence == b->confidence && a->escape < b->escape);
}

static const struct oclmm_kind_confidence *deciding(const struct oclmm_kind_confidence *kinds,
                                                    enum oclmm_requirement demanded)
{
	const struct oclmm_kind_confidence *hardware = &kinds[OCLMM_CONTROL_WEAKER],
					   *compiler = &kinds[OCLMM_CONTROL_MOVED];
	bool more = says_more(compiler, hardware);

	switch (demanded) {
	case OCLMM_REQUIRE_COMPILER: return compiler;
	case OCLMM_REQUIRE_HARDWARE: return hardware;
	case OCLMM_REQUIRE_BOTH: return more ? hardware : compiler;
	case OCLMM_REQUIRE_ANY:
	case OCLMM_REQUIREMENT_COUNT: break;
	}
	return more ? compiler : hardware;
}

static void judge_launches(const struct oclmm_evidence *evidence, const struct oclmm_demand *demand,
                           struct oclmm_control *control)
{
	const struct oclmm_kind_confidence *kind;

	control->limit = oclmm_detection_limit(oclmm_evidence_sum(evidence, 0).launches);
	for (int i = 0; i < OCLMM_CONTROL_KIND_COUNT; i++)
		control->kinds[i] = judge_kind(evidence, (enum oclmm_control_kind)i,
		                               demand->confidence);
	kind = deciding(control->kinds, demand->kinds);
	control->confidence = kind->confidence;
	control->escape = kind->escape;
	control->name = kind->name;
	for (size_t i = 0; i < evidence->outcome_count; i++)
		control->seen += evidence->outcomes[i].count;
	for (size_t i = 0; i < evidence->control_count; i++)
		control->instances += evidence->controls[i].instances;
}

/* Of a test that is not judged by one. */
static struct oclmm_control no_control(void)
{
	struct oclmm_control control = {.escape = 1, .limit = 1};

	for (int i = 0; i < OCLMM_CONTROL_KIND_COUNT; i++)
		control.kinds[i].escape = 1;
	return control;
}

/* What was said of several records has the name of each one's control. */
static void name_control(const struct oclmm_record *record, struct oclmm_control *control)
{
	if (control->name)
		control->name = record->control;
	for (int i = 0; i < OCLMM_CONTROL_KIND_COUNT; i++) {
		if (control->kinds[i].name)
			control->kinds[i].name = record->control;
	}
}

static struct oclmm_control judge(struct grade_groups *groups, const struct oclmm_record *record,
                                  const struct oclmm_demand *demand)
{
	struct oclmm_control control = no_control();
	const struct oclmm_evidence *evidence = record->evidence;

	if (!oclmm_expected_forbids(record->expected)) {
		control.confidence = OCLMM_CONFIDENCE_NOT_NEEDED;
		return control;
	}
	if (!evidence || !evidence->control_count || !still_holds(record)) {
		evidence = grade_as_one_launch(groups, record);
		control.together = true;
	}
	judge_launches(evidence, demand, &control);
	if (control.together)
		name_control(record, &control);
	/* weakened so that it shows something: its silence is claimed by nobody */
	if (control.confidence == OCLMM_CONFIDENCE_NO_CONTROL &&
	    grade_is_control(groups, record->program->name))
		control.confidence = OCLMM_CONFIDENCE_CONTROL;
	return control;
}

static bool is_enough(enum oclmm_confidence confidence)
{
	return confidence == OCLMM_CONFIDENCE_NOT_NEEDED ||
	       confidence == OCLMM_CONFIDENCE_CONTROL || confidence == OCLMM_CONFIDENCE_REACHED;
}

void oclmm_grade_confidence(struct oclmm_record *const *records, size_t count,
                            const struct oclmm_demand *demand)
{
	struct grade_groups groups;

	grade_groups_make(&groups, records, count);
	for (size_t i = 0; i < count; i++) {
		struct oclmm_grade *grade = &records[i]->grade;

		grade->control = no_control();
		if (grade->verdict != OCLMM_VERDICT_PASS &&
		    grade->verdict != OCLMM_VERDICT_INCONCLUSIVE)
			continue;
		grade->control = judge(&groups, records[i], demand);
		grade->verdict = is_enough(grade->control.confidence) ? OCLMM_VERDICT_PASS
		                                                      : OCLMM_VERDICT_INCONCLUSIVE;
	}
	grade_groups_finish(&groups);
}

/* ---- where more time would help ---- */

static bool is_first(const struct grade_groups *groups, size_t index)
{
	const struct oclmm_record *record = groups->records[index];
	struct grade_group own = grade_groups_find(groups, record->program->name, record);

	for (size_t i = 0; i < own.count; i++) {
		if (grade_has_outcomes(groups->records[own.members[i]]))
			return own.members[i] == index;
	}
	return false;
}

/* If hits go on coming as they came. Which is a plan and no claim: the launches will tell. */
static struct oclmm_need make_need(const struct grade_groups *groups, size_t index,
                                   double confidence)
{
	const struct oclmm_record *record = groups->records[index];
	const double escape = record->grade.control.escape;
	struct oclmm_need need = {.record = index, .seconds = INFINITY};
	double done = (double)record->grade.instances, missing;

	if (escape >= 1 || escape <= 1 - confidence)
		return need;
	missing = ceil(done * (log1p(-confidence) / log(escape) - 1));
	need.instances = missing < 1 ? 1 : missing < 1e18 ? (uint64_t)missing : (uint64_t)1e18;
	if (record->seconds > 0)
		need.seconds = (double)need.instances / done * record->seconds;
	return need;
}

/* Cheapest first; those that cannot be costed behind. */
static int compare_needs(const void *a, const void *b)
{
	const struct oclmm_need *x = a, *y = b;

	if (x->seconds < y->seconds || x->seconds > y->seconds)
		return x->seconds < y->seconds ? -1 : 1;
	if ((x->instances == 0) != (y->instances == 0))
		return x->instances == 0 ? 1 : -1;
	return oclmm_compare_numbers(x->record, y->record);
}

size_t oclmm_grade_needs(struct oclmm_record *const *records, size_t count,
                         const struct oclmm_demand *demand, struct oclmm_need **ret_needs)
{
	struct oclmm_need *needs = oclmm_calloc(count + 1, sizeof(*needs));
	struct grade_groups groups;
	size_t found = 0;

	grade_groups_make(&groups, records, count);
	for (size_t i = 0; i < count; i++) {
		const struct oclmm_grade *grade = &records[i]->grade;

		/* a test that ran several times lacks one confidence, not several */
		if (grade->verdict == OCLMM_VERDICT_INCONCLUSIVE && !grade->control.together &&
		    is_first(&groups, i))
			needs[found++] = make_need(&groups, i, demand->confidence);
	}
	grade_groups_finish(&groups);
	qsort(needs, found, sizeof(*needs), compare_needs);
	*ret_needs = needs;
	return found;
}
