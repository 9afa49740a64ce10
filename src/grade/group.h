// SPDX-License-Identifier: Apache-2.0
/* Records of one run, found by what was run where. */
#ifndef OCLMM_GRADE_GROUP_H
#define OCLMM_GRADE_GROUP_H

#include "oclmm/grade.h"

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

void grade_groups_make(struct grade_groups *groups, struct oclmm_record *const *records,
                       size_t count);
void grade_groups_finish(struct grade_groups *groups);
/* All records of the test `name` that ran where `like` ran. Those without a histogram are among
 * them. */
struct grade_group grade_groups_find(const struct grade_groups *groups, const char *name,
                                     const struct oclmm_record *like);

/* Whether a record says of itself that this test is its control. */
bool grade_is_control(const struct grade_groups *groups, const char *name);

/* Whether a record has outcomes to count. */
bool grade_has_outcomes(const struct oclmm_record *record);

/* together.c: what a record and that of its control say where launches were not kept apart. Holds
 * until it is asked again; its control is the record's. */
const struct oclmm_evidence *grade_as_one_launch(struct grade_groups *groups,
                                                 const struct oclmm_record *test);

#endif
