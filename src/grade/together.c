// SPDX-License-Identifier: Apache-2.0
/*
 * Records whose launches were not kept apart: instances of one launch come and go together, and
 * nobody knows any more how many launches showed the outcome. So each is one launch, and so is its
 * control, which has a record of its own: a fair coin at best.
 */
#include "group.h"

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

const struct oclmm_evidence *grade_as_one_launch(struct grade_groups *groups,
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
