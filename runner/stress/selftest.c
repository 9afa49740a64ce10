// SPDX-License-Identifier: Apache-2.0
/* The kernel's index arithmetic, repeated on the host and held against what it must do. */
#include "internal.h"

#include <errno.h>
#include <stdlib.h>

static uint32_t instance_of(const struct oclmm_parameters *p, const struct oclmm_kernel_plan *plan,
                            uint32_t role, uint32_t place, uint32_t own_lane, uint32_t round)
{
	uint32_t lane = (own_lane + p->lane_addend) & (p->lanes - 1);
	uint32_t group = place * (p->group_multiplier | 1) + p->group_addend;

	return round * p->groups * p->lanes +
	       ((group + p->group_shift[plan->role_work_group[role]]) & (p->groups - 1)) * p->lanes +
	       ((lane + p->lane_shift[role]) & (p->lanes - 1));
}

static int check_pair(const struct oclmm_kernel_plan *plan, uint32_t a, uint32_t b, const uint32_t *place_a,
                      const uint32_t *place_b, uint32_t instances, uint32_t lanes, struct oclmm_error *error)
{
	bool together = plan->role_work_group[a] == plan->role_work_group[b];

	for (uint32_t i = 0; i < instances; i++) {
		if ((place_a[i] / lanes == place_b[i] / lanes) != together)
			return oclmm_error_set(error, -EINVAL, "roles %u and %u of instance %u are %s", a, b, i,
			                       together ? "in different groups" : "in one group");
		if (place_a[i] == place_b[i])
			return oclmm_error_set(error, -EINVAL, "roles %u and %u of instance %u share a lane", a, b, i);
	}
	return 0;
}

/* Fills `at[instance]` with the work-item (place · lanes + lane) that plays the role. */
static int trace_role(const struct oclmm_parameters *p, const struct oclmm_kernel_plan *plan, uint32_t role,
                      uint32_t *at, struct oclmm_error *error)
{
	uint32_t instances = p->groups * p->lanes * p->rounds;

	for (uint32_t i = 0; i < instances; i++)
		at[i] = UINT32_MAX;
	for (uint32_t n = 0; n < instances; n++) {
		uint32_t lane = n % p->lanes, place = n / p->lanes % p->groups, round = n / p->lanes / p->groups;
		uint32_t i = instance_of(p, plan, role, place, lane, round);

		if (i >= instances || at[i] != UINT32_MAX)
			return oclmm_error_set(error, -EINVAL, "role %u meets instance %u twice", role, i);
		at[i] = place * p->lanes + lane;
	}
	return 0;
}

static int check_roles(const struct oclmm_parameters *p, const struct oclmm_kernel_plan *plan,
                       struct oclmm_error *error)
{
	uint32_t instances = p->groups * p->lanes * p->rounds;
	uint32_t *at = oclmm_calloc((size_t)instances * plan->roles, sizeof(*at));
	int r = 0;

	for (uint32_t role = 0; r == 0 && role < plan->roles; role++) {
		r = trace_role(p, plan, role, at + (size_t)role * instances, error);
		for (uint32_t q = 0; r == 0 && q < role; q++)
			r = check_pair(plan, q, role, at + (size_t)q * instances, at + (size_t)role * instances,
			               instances, p->lanes, error);
	}
	free(at);
	return r;
}

/* Marks every byte that a location's slots cover; a byte covered twice is an overlap. */
static int mark_slots(const struct oclmm_parameters *p, const struct oclmm_program *program,
                      uint32_t location, uint8_t *used, uint64_t size, struct oclmm_error *error)
{
	const struct oclmm_location *l = &program->locations[location];
	const struct oclmm_layout *layout = &p->location[location];
	uint32_t mask = p->groups * p->lanes * p->rounds - 1, bytes = oclmm_type_bits(l->type) / 8;

	for (uint32_t i = 0; i <= mask; i++) {
		uint32_t slot = layout->base + ((i * (layout->multiplier | 1) + layout->addend) & mask) * layout->stride;
		uint64_t first = (uint64_t)slot * bytes, end = first + (uint64_t)bytes * l->elements;

		for (uint64_t b = first; b < end; b++) {
			if (b >= size || used[b])
				return oclmm_error_set(error, -EINVAL, "slot %u of location %s %s", i, l->name,
				                       b >= size ? "lies outside" : "overlaps another");
			used[b] = 1;
		}
	}
	return 0;
}

int oclmm_slots_check(const struct oclmm_parameters *parameters, const struct oclmm_program *program,
                      enum oclmm_storage storage, uint64_t size, struct oclmm_error *error)
{
	uint8_t *used = oclmm_calloc(size + 1, 1);
	int r = 0;

	for (uint32_t i = 0; r == 0 && i < program->location_count; i++)
		if (program->locations[i].space != OCLMM_SPACE_LOCAL && program->locations[i].storage == storage)
			r = mark_slots(parameters, program, i, used, size, error);
	free(used);
	return r;
}

int oclmm_stimulus_check(const struct oclmm_parameters *parameters, const struct oclmm_program *program,
                         const struct oclmm_kernel_plan *plan, struct oclmm_error *error)
{
	uint64_t size = 0;
	int r = check_roles(parameters, plan, error);

	for (uint32_t i = 0; i < program->location_count; i++) {
		const struct oclmm_location *l = &program->locations[i];
		uint64_t reach = parameters->location[i].base + (uint64_t)parameters->groups * parameters->lanes *
		                 parameters->rounds * parameters->location[i].stride;

		if (l->space != OCLMM_SPACE_LOCAL && reach * (oclmm_type_bits(l->type) / 8) > size)
			size = reach * (oclmm_type_bits(l->type) / 8);
	}
	if (r == 0)
		r = oclmm_slots_check(parameters, program, OCLMM_STORAGE_BUFFER, size, error);
	if (r == 0)
		r = oclmm_slots_check(parameters, program, OCLMM_STORAGE_SVM_ATOMICS, size, error);
	return r;
}
