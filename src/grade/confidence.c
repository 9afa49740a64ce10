// SPDX-License-Identifier: Apache-2.0
#include "oclmm/grade.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Indices of records, those of one test in one environment side by side. */
struct grade_groups {
	struct oclmm_record *const *records;
	size_t *order;
	size_t count;
	const char **controls; /* of all records, sorted */
	size_t control_count;
	/* What together.c said last: the records of a test stand side by side, and of all of them
	 * it says the same. */
	struct {
		struct oclmm_arena *arena;
		const struct oclmm_program *program;
		const struct oclmm_expected *expected;
		const size_t *members;
		const struct oclmm_evidence *evidence;
	} last;
};

/* A run of `order`. */
struct grade_group {
	const size_t *members;
	size_t count;
};

static int compare(const char *name_a, const struct oclmm_record *a, const char *name_b,
                   const struct oclmm_record *b)
{
	int order = strcmp(name_a, name_b);

	order = order ? order : oclmm_compare_strings(a->identity.device, b->identity.device);
	order = order ? order : oclmm_compare_strings(a->identity.device_id, b->identity.device_id);
	order = order ? order : oclmm_compare_strings(a->identity.driver, b->identity.driver);
	return order ? order : oclmm_compare_strings(a->environment, b->environment);
}

static int compare_indices(const void *a, const void *b, void *data)
{
	struct oclmm_record *const *records = data;
	size_t i = *(const size_t *)a, j = *(const size_t *)b;
	int order = compare(records[i]->program->name, records[i], records[j]->program->name,
	                    records[j]);

	return order ? order : oclmm_compare_numbers(i, j);
}

static int compare_strings(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void list_controls(struct grade_groups *groups)
{
	groups->controls = oclmm_calloc(groups->count + 1, sizeof(*groups->controls));
	for (size_t i = 0; i < groups->count; i++) {
		if (groups->records[i]->control)
			groups->controls[groups->control_count++] = groups->records[i]->control;
	}
	qsort(groups->controls, groups->control_count, sizeof(*groups->controls), compare_strings);
}

static bool grade_is_control(const struct grade_groups *groups, const char *name)
{
	return bsearch(&name, groups->controls, groups->control_count, sizeof(*groups->controls),
	               compare_strings) != NULL;
}

static void grade_groups_make(struct grade_groups *groups, struct oclmm_record *const *records,
                              size_t count)
{
	*groups = (struct grade_groups){.records = records, .count = count};
	groups->order = oclmm_calloc(count + 1, sizeof(*groups->order));
	for (size_t i = 0; i < count; i++)
		groups->order[i] = i;
	qsort_r(groups->order, count, sizeof(*groups->order), compare_indices,
	        (void *)(uintptr_t)records);
	list_controls(groups);
}

static void grade_groups_finish(struct grade_groups *groups)
{
	oclmm_arena_destroy(groups->last.arena);
	free(groups->controls);
	free(groups->order);
	*groups = (struct grade_groups){0};
}

static int compare_at(const struct grade_groups *groups, size_t at, const char *name,
                      const struct oclmm_record *like)
{
	const struct oclmm_record *record = groups->records[groups->order[at]];

	return compare(record->program->name, record, name, like);
}

/* The first place from `low` on that does not stand before the group, or that stands behind it. */
static size_t bound(const struct grade_groups *groups, size_t low, const char *name,
                    const struct oclmm_record *like, bool behind)
{
	size_t high = groups->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (compare_at(groups, middle, name, like) < (behind ? 1 : 0))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static struct grade_group grade_groups_find(const struct grade_groups *groups, const char *name,
                                            const struct oclmm_record *like)
{
	size_t first = bound(groups, 0, name, like, false);
	size_t end = bound(groups, first, name, like, true);

	return (struct grade_group){.members = groups->order + first, .count = end - first};
}

static bool grade_has_outcomes(const struct oclmm_record *record)
{
	return record->end == OCLMM_END_OK && record->expected && record->grade.instances &&
	       record->grade.verdict != OCLMM_VERDICT_LOST;
}

/*
 * Records whose launches were not kept apart: instances of one launch come and go together, and
 * nobody knows any more how many launches showed the outcome. So each is one launch, and so is its
 * control, which has a record of its own: a fair coin at best.
 */

/* Whether the control showed what the test forbids and the control does not. */
static bool add_outcomes(const struct oclmm_record *test, const struct oclmm_record *control,
                         struct oclmm_evidence *evidence)
{
	bool hit = false;

	if (!oclmm_same_observables(test->program, control->program))
		return control->grade.weak > 0;
	for (uint32_t i = 0; i < control->grade.row_count; i++) {
		const struct oclmm_graded_row *row = &control->grade.rows[i];

		if (!row->count || row->status == OCLMM_STATUS_FORBIDDEN ||
		    oclmm_expected_status(test->expected, row->values, NULL) !=
		            OCLMM_STATUS_FORBIDDEN)
			continue;
		oclmm_evidence_add_outcome(evidence, row->values, row->count);
		hit = true;
	}
	return hit;
}

static const struct oclmm_evidence *make(const struct grade_groups *groups,
                                         const struct oclmm_record *test,
                                         const struct grade_group *group)
{
	struct oclmm_evidence *evidence = oclmm_evidence_create(groups->last.arena,
	                                                        test->expected->width);
	struct oclmm_launches members[2] = {{.launches = 1}};

	if (!test->control)
		return evidence;
	oclmm_evidence_add_control(evidence, test->control, OCLMM_CONTROL_WEAKER, 0);
	for (size_t i = 0; i < group->count; i++) {
		const struct oclmm_record *record = groups->records[group->members[i]];

		if (!grade_has_outcomes(record))
			continue;
		members[1].launches = 1;
		members[1].hits |= add_outcomes(test, record, evidence);
		oclmm_evidence_add_instances(evidence, 0, record->grade.instances);
	}
	oclmm_evidence_add_blocks(evidence, 1, members);
	return evidence;
}

static const struct oclmm_evidence *grade_as_one_launch(struct grade_groups *groups,
                                                        const struct oclmm_record *test)
{
	struct grade_group group = {0};

	if (test->control)
		group = grade_groups_find(groups, test->control, test);
	if (groups->last.evidence && groups->last.program == test->program &&
	    groups->last.expected == test->expected && groups->last.members == group.members)
		return groups->last.evidence;
	oclmm_arena_destroy(groups->last.arena);
	groups->last.arena = oclmm_arena_create();
	groups->last.program = test->program;
	groups->last.expected = test->expected;
	groups->last.members = group.members;
	groups->last.evidence = make(groups, test, &group);
	return groups->last.evidence;
}

/*
 * Silence says only as much as the noise of controls. What it says is counted by launches; where a
 * record does not tell them apart, all of it is one launch.
 */

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

/* Of results of older versions, where a control that was hit tells that roles met. */
static bool never_met(const struct oclmm_evidence *evidence)
{
	return evidence->rounds && !evidence->met && !evidence->outcome_count;
}

/* How the test met beside those controls of a kind beside which it met best. */
static enum oclmm_met met_beside(const struct oclmm_evidence *evidence,
                                 enum oclmm_control_kind kind)
{
	enum oclmm_met best = OCLMM_MET_NEVER;

	for (size_t i = 0; i < evidence->control_count; i++) {
		enum oclmm_met met = oclmm_evidence_met(evidence, i);

		if (evidence->controls[i].kind == kind && met < best)
			best = met;
	}
	return best;
}

bool oclmm_confidence_could_show(enum oclmm_confidence confidence)
{
	return confidence != OCLMM_CONFIDENCE_NEVER_MET &&
	       confidence != OCLMM_CONFIDENCE_SELDOM_VALUE &&
	       confidence != OCLMM_CONFIDENCE_ONE_VALUE &&
	       confidence != OCLMM_CONFIDENCE_ONE_OUTCOME;
}

/* What silence says beside controls that ran; `log` is that of the probability of escape. */
static enum oclmm_confidence judge_met(const struct oclmm_evidence *evidence,
                                       enum oclmm_control_kind kind, bool hit, double log,
                                       double confidence)
{
	enum oclmm_met met = met_beside(evidence, kind);

	if (met == OCLMM_MET_NEVER)
		return OCLMM_CONFIDENCE_NEVER_MET;
	if (met == OCLMM_MET_ONE_OUTCOME)
		return OCLMM_CONFIDENCE_ONE_OUTCOME;
	if (met == OCLMM_MET_ONE_VALUE)
		return OCLMM_CONFIDENCE_ONE_VALUE;
	if (met == OCLMM_MET_SELDOM_VALUE)
		return OCLMM_CONFIDENCE_SELDOM_VALUE;
	if (!hit)
		return never_met(evidence) ? OCLMM_CONFIDENCE_NEVER_MET
		                           : OCLMM_CONFIDENCE_NEVER_SEEN;
	if (log <= log1p(-confidence))
		return OCLMM_CONFIDENCE_REACHED;
	return met == OCLMM_MET_SELDOM ? OCLMM_CONFIDENCE_MET_SELDOM : OCLMM_CONFIDENCE_TOO_RARE;
}

/* `tried`: kinds of which either would suffice. */
static struct oclmm_kind_confidence judge_kind(const struct oclmm_evidence *evidence,
                                               enum oclmm_control_kind kind, double confidence,
                                               int tried)
{
	const struct oclmm_escape escape = oclmm_evidence_escape(evidence, kind);
	double split = fmin(0, escape.log + log(tried));
	struct oclmm_kind_confidence judged = {.escape = exp(split)};

	if (escape.controls)
		judged.name = evidence->controls[escape.best].name;
	if (!escape.controls)
		judged.confidence = OCLMM_CONFIDENCE_NO_CONTROL;
	else if (!launches_of_kind(evidence, kind))
		judged.confidence = OCLMM_CONFIDENCE_NOT_RUN;
	else
		judged.confidence = judge_met(evidence, kind, escape.hit, split, confidence);
	return judged;
}

static bool has_kind(const struct oclmm_evidence *evidence, enum oclmm_control_kind kind)
{
	size_t i = 0;

	while (i < evidence->control_count && evidence->controls[i].kind != kind)
		i++;
	return i < evidence->control_count;
}

/* Of several kinds of which one suffices, the level is shared. */
static int count_tried(const struct oclmm_evidence *evidence, enum oclmm_requirement demanded)
{
	int tried = 0;

	for (int i = 0; demanded == OCLMM_REQUIRE_ANY && i < OCLMM_CONTROL_KIND_COUNT; i++)
		tried += has_kind(evidence, (enum oclmm_control_kind)i);
	return tried ? tried : 1;
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
	/* what hides a value of the test may hide it in moved controls, too, which have its orders
	 */
	if (hardware->confidence == OCLMM_CONFIDENCE_SELDOM_VALUE)
		return hardware;
	return more ? compiler : hardware;
}

static void judge_launches(const struct oclmm_evidence *evidence, const struct oclmm_demand *demand,
                           struct oclmm_control *control)
{
	const struct oclmm_kind_confidence *kind;
	int tried = count_tried(evidence, demand->kinds);

	for (int i = 0; i < OCLMM_CONTROL_KIND_COUNT; i++)
		control->kinds[i] = judge_kind(evidence, (enum oclmm_control_kind)i,
		                               demand->confidence, tried);
	kind = deciding(control->kinds, demand->kinds);
	control->confidence = kind->confidence;
	control->escape = kind->escape;
	control->name = kind->name;
	/* launches of a test that did not meet would have shown nothing */
	control->dispersion = oclmm_evidence_dispersion(evidence);
	if (oclmm_confidence_could_show(kind->confidence))
		control->limit = oclmm_detection_limit(oclmm_evidence_sum(evidence, 0).launches,
		                                       control->dispersion);
	for (size_t i = 0; i < evidence->outcome_count; i++)
		control->seen += evidence->outcomes[i].count;
	for (size_t i = 0; i < evidence->control_count; i++)
		control->instances += evidence->controls[i].instances;
}

/* Of a test that is not judged by one. */
static struct oclmm_control no_control(void)
{
	struct oclmm_control control = {.escape = 1, .limit = 1, .dispersion = 1};

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

static struct oclmm_control judge_silence(struct grade_groups *groups,
                                          const struct oclmm_record *record,
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
	/* weakened so that it shows something: nothing is claimed for its silence */
	if (control.confidence == OCLMM_CONFIDENCE_NO_CONTROL &&
	    grade_is_control(groups, record->program->name))
		control.confidence = OCLMM_CONFIDENCE_CONTROL;
	return control;
}

/* ---- waits ---- */

/* The logarithm of n over k. */
static double log_choices(double n, double k)
{
	return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1);
}

/*
 * How probable so many hits in the test's own launches are, or more, if they fell on any of the
 * launches alike: which launches wait by which loads was drawn.
 */
static double chance_of_hits(struct oclmm_launches own, struct oclmm_launches opaque)
{
	double all = (double)own.launches + (double)opaque.launches;
	double hits = (double)own.hits + (double)opaque.hits, sum = 0;

	for (double k = (double)own.hits; k <= fmin(hits, (double)own.launches); k++) {
		if (hits - k <= (double)opaque.launches)
			sum += exp(log_choices((double)own.launches, k) +
			           log_choices((double)opaque.launches, hits - k) -
			           log_choices(all, hits));
	}
	return sum;
}

/* In far more launches, and more than chance makes of a whole suite of waits: they may differ a
 * little, since one load is compiled to fewer instructions than the other. */
static bool are_far_more(struct oclmm_launches own, struct oclmm_launches opaque, double level)
{
	return own.launches && opaque.launches &&
	       (double)own.hits * (double)opaque.launches >
	               4 * (double)opaque.hits * (double)own.launches &&
	       chance_of_hits(own, opaque) <= level;
}

/* Most waits of a launch, or some of them. Of one test in 10,000 chance may make either, and most
 * of that is for waits that all keep what they saw, which should show in few launches. */
static bool is_stuck(const struct oclmm_waits *waits)
{
	const double LEVEL_MOST = 0.8e-4, LEVEL_PARTLY = 0.2e-4;
	const struct oclmm_wait_launches *own = &waits->own, *opaque = &waits->opaque;

	return are_far_more((struct oclmm_launches){own->launches, own->hits},
	                    (struct oclmm_launches){opaque->launches, opaque->hits}, LEVEL_MOST) ||
	       are_far_more((struct oclmm_launches){own->launches, own->partly},
	                    (struct oclmm_launches){opaque->launches, opaque->partly},
	                    LEVEL_PARTLY);
}

static void judge_waits(const struct oclmm_record *record, const struct oclmm_demand *demand,
                        struct oclmm_control *control)
{
	if (!is_stuck(&record->counts.waits))
		return;
	control->stuck = true;
	control->stuck_fails = demand->stuck_fails;
	control->confidence = OCLMM_CONFIDENCE_STUCK;
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
		if (records[i]->whole_kernel) {
			grade->control.confidence = OCLMM_CONFIDENCE_NO_CONTROL;
			continue;
		}
		grade->control = judge_silence(&groups, records[i], demand);
		judge_waits(records[i], demand, &grade->control);
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

/* If hits keep coming at this rate. This is for planning; only the launches prove it. */
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
	if (record->counts.seconds > 0)
		need.seconds = (double)need.instances / done * record->counts.seconds;
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
