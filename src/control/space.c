// SPDX-License-Identifier: Apache-2.0
/*
 * By which outcomes a moved control is counted. What a wrong compiler made may show values that
 * the test never does; a device keeps what it has no counter for instance by instance, and all of
 * a launch may be such.
 */
#include <string.h>

#include "internal.h"

struct gathering {
	struct oclmm_arena *arena;
	struct oclmm_outcome_space *space;
	uint32_t added; /* values that the test's space does not have */
};

/* In ascending order, as the others stand. */
static void insert(struct gathering *gathering, struct oclmm_outcome_domain *domain, uint32_t at,
                   int64_t value)
{
	int64_t *values = OCLMM_NEW_ARRAY(gathering->arena, int64_t, domain->count + 1);

	if (at)
		memcpy(values, domain->values, at * sizeof(*values));
	if (at < domain->count)
		memcpy(values + at + 1, domain->values + at,
		       (domain->count - at) * sizeof(*values));
	values[at] = value;
	domain->values = values;
	domain->count++;
	gathering->added++;
}

static void add_value(struct gathering *gathering, struct oclmm_outcome_domain *domain,
                      int64_t value)
{
	uint32_t at = 0;

	while (at < domain->count && domain->values[at] < value)
		at++;
	if (at == domain->count || domain->values[at] != value)
		insert(gathering, domain, at, value);
}

/* Takes what a candidate shows, and wants none of them looked at further. */
static bool gather(void *data, const int64_t *values)
{
	struct gathering *gathering = data;

	for (uint32_t i = 0; values && i < gathering->space->observable_count; i++)
		add_value(gathering, &gathering->space->domains[i], values[i]);
	return false;
}

static int visit(void *data, const struct oclmm_execution *execution)
{
	(void)data;
	(void)execution;
	return 0;
}

const struct oclmm_outcome_space *control_space(struct oclmm_arena *arena,
                                                const struct oclmm_program *program,
                                                const struct oclmm_expected *expected,
                                                bool *ret_whole)
{
	const struct oclmm_outcome_space *own = &expected->space;
	struct oclmm_outcome_space *space = OCLMM_NEW(arena, struct oclmm_outcome_space);
	struct gathering gathering = {arena, space, 0};
	const struct oclmm_visit_options options = {
		.reading = {.regime = OCLMM_MODEL_OPENCL_3_1},
		.wanted = gather,
		.visit = visit,
		.data = &gathering,
		.limit = CONTROL_CANDIDATES_MOST,
	};
	struct oclmm_error ignored;

	space->observable_count = own->observable_count;
	space->domains = oclmm_arena_copy(arena, own->domains,
	                                  own->observable_count * sizeof(*own->domains));
	/* of a program with too many candidates, what the first of them show */
	*ret_whole = oclmm_executions(program, &options, &ignored) == 0;
	if (!gathering.added)
		return own;
	oclmm_outcome_space_number(space);
	if (space->size < UINT32_MAX)
		return space;
	*ret_whole = false;
	return own;
}
