// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "oclmm/ir.h"

void oclmm_outcome_space_number(struct oclmm_outcome_space *space)
{
	uint64_t size = 1;

	for (uint32_t i = space->observable_count; i-- > 0;) {
		space->domains[i].stride = (uint32_t)size;
		size *= space->domains[i].count;
		if (size > UINT32_MAX)
			size = UINT32_MAX;
	}
	space->size = (uint32_t)size;
}

/* Domains have a handful of values: a linear search is fast, and does not depend on their order
 * (that of ulong is not that of int64_t). */
uint32_t oclmm_outcome_index(const struct oclmm_outcome_space *space, const int64_t *values)
{
	uint32_t index = 0;
	uint32_t k;

	for (uint32_t i = 0; i < space->observable_count; i++) {
		const struct oclmm_outcome_domain *domain = &space->domains[i];

		for (k = 0; k < domain->count && domain->values[k] != values[i]; k++)
			;
		if (k == domain->count)
			return space->size;
		index += k * domain->stride;
	}
	return index;
}

void oclmm_outcome_values(const struct oclmm_outcome_space *space, uint32_t index,
                          int64_t *ret_values)
{
	for (uint32_t i = 0; i < space->observable_count; i++) {
		const struct oclmm_outcome_domain *domain = &space->domains[i];

		ret_values[i] = domain->values[index / domain->stride % domain->count];
	}
}

bool oclmm_same_observables(const struct oclmm_program *a, const struct oclmm_program *b)
{
	if (a->observable_count != b->observable_count)
		return false;
	for (uint32_t i = 0; i < a->observable_count; i++) {
		if (strcmp(a->observables[i].name, b->observables[i].name) != 0)
			return false;
	}
	return true;
}

bool oclmm_observables_find(const struct oclmm_program *program, const struct oclmm_program *among,
                            uint32_t *ret_places)
{
	for (uint32_t i = 0; i < program->observable_count; i++) {
		uint32_t k = 0;

		while (k < among->observable_count &&
		       strcmp(among->observables[k].name, program->observables[i].name) != 0)
			k++;
		if (k == among->observable_count)
			return false;
		ret_places[i] = k;
	}
	return true;
}
