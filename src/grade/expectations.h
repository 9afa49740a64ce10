// SPDX-License-Identifier: Apache-2.0
/* Expectations as they are read (expectations.c) and held against a record (known.c). */
#ifndef OCLMM_GRADE_EXPECTATIONS_H
#define OCLMM_GRADE_EXPECTATIONS_H

#include "oclmm/grade.h"

/* One line of the file. */
struct expectation {
	const char *device, *driver, *test; /* patterns */
	enum oclmm_verdict status;          /* forbidden, or one of the infrastructure's */
	const char *outcome;                /* canonical, see canonical_outcome(); NULL for `*` */
	const char *reason;
	int32_t last; /* day */
	struct oclmm_position test_at;
	const char *line;
};

struct oclmm_expectations {
	struct oclmm_arena *arena;
	const char *path;
	struct expectation *entries;
	size_t count;
	size_t capacity;
};

/* `NAME=VALUE` parts without blanks, sorted, each followed by `;`. */
char *canonical_outcome(struct oclmm_arena *arena, const char *text);
/* Turns the verdict into `known` or `stale` where the expectations say so. */
void grade_apply_expectations(struct oclmm_record *record,
                              const struct oclmm_grade_options *options);

#endif
