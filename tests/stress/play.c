// SPDX-License-Identifier: Apache-2.0
/* A launch played on the host, as the kernels reckon who plays what and where it lies. */
#include "play.h"

#include <errno.h>
#include <stdlib.h>

#include "stress/internal.h"

static bool any_count(const struct oclmm_parameters *p, const struct oclmm_kernel_plan *plan)
{
	return plan->in_sub_groups || !oclmm_is_power(p->groups) || !oclmm_is_power(p->lanes) ||
	       !oclmm_is_power(p->rounds);
}

static uint32_t turn(uint32_t x, uint32_t n)
{
	return x < n ? x : x - n;
}

/* A work-item, and what part of a split launch it is. */
struct worker {
	uint32_t place, own_lane;
	uint32_t part, spot, share, slice; /* split only */
};

static struct worker worker_at(const struct oclmm_parameters *p,
                               const struct oclmm_kernel_plan *plan, uint32_t place,
                               uint32_t own_lane)
{
	struct worker w = {.place = place, .own_lane = own_lane, .spot = place, .slice = own_lane};

	if (p->split > 1) {
		w.part = place % plan->work_groups;
		w.spot = place / plan->work_groups;
		w.share = own_lane % plan->crowd;
		w.slice = own_lane / plan->crowd;
	} else if (p->split) {
		w.part = place / p->groups;
		w.spot = place - w.part * p->groups;
		w.share = own_lane / p->lanes;
		w.slice = own_lane - w.share * p->lanes;
	}
	return w;
}

static bool plays(const struct oclmm_parameters *p, const struct oclmm_kernel_plan *plan,
                  const struct worker *worker, uint32_t role)
{
	uint32_t position = 0;

	if (!p->split)
		return true;
	for (uint32_t q = 0; q < role; q++)
		position += oclmm_roles_together(plan, q, role);
	return worker->part == plan->role_work_group[role] && worker->share == position;
}

static uint32_t lane_of(const struct oclmm_parameters *p, const struct oclmm_kernel_plan *plan,
                        uint32_t role, const struct worker *worker)
{
	if (plan->in_sub_groups) {
		uint32_t sub_group = worker->own_lane / p->sub_lanes,
			 sub_lane = worker->own_lane % p->sub_lanes;
		uint32_t lane = turn(sub_lane + p->lane_addend, p->sub_lanes);

		return turn(sub_group + p->sub_shift[role], p->sub_groups) * p->sub_lanes +
		       turn(lane + p->lane_shift[role], p->sub_lanes);
	}
	if (any_count(p, plan))
		return turn(turn(worker->slice + p->lane_addend, p->lanes) + p->lane_shift[role],
		            p->lanes);
	return (((worker->slice + p->lane_addend) & (p->lanes - 1)) + p->lane_shift[role]) &
	       (p->lanes - 1);
}

static uint32_t group_of(const struct oclmm_parameters *p, const struct oclmm_kernel_plan *plan,
                         uint32_t role, const struct worker *worker)
{
	uint32_t shift = p->group_shift[plan->role_work_group[role]];

	if (any_count(p, plan))
		return turn(oclmm_modulo(worker->spot * p->group_multiplier + p->group_addend,
		                         p->groups, p->groups_inverse) +
		                    shift,
		            p->groups);
	return (worker->spot * (p->group_multiplier | 1) + p->group_addend + shift) &
	       (p->groups - 1);
}

/* Fills `at[instance]` with the work-item (place · width + lane) that plays the role. */
static int trace_role(const struct oclmm_parameters *p, const struct oclmm_kernel_plan *plan,
                      uint32_t role, uint32_t *at, struct oclmm_error *error)
{
	uint32_t width = p->groups * p->lanes, instances = width * p->rounds, played = 0;

	for (uint32_t i = 0; i < instances; i++)
		at[i] = UINT32_MAX;
	for (uint32_t n = 0; n < p->places * p->width; n++) {
		struct worker worker = worker_at(p, plan, n / p->width, n % p->width);

		if (!plays(p, plan, &worker, role))
			continue;
		for (uint32_t round = 0; round < p->rounds; round++) {
			uint32_t group = group_of(p, plan, role, &worker),
				 lane = lane_of(p, plan, role, &worker);
			uint32_t i = round * width + group * p->lanes + lane;

			if (group >= p->groups || lane >= p->lanes || at[i] != UINT32_MAX)
				return oclmm_error_set(error, -EINVAL,
				                       "role %u meets instance %u twice", role, i);
			at[i] = n;
			played++;
		}
	}
	if (played != instances)
		return oclmm_error_set(error, -EINVAL, "role %u meets %u of %u instances", role,
		                       played, instances);
	return 0;
}

static int refuse_pair(struct oclmm_error *error, uint32_t a, uint32_t b, uint32_t instance,
                       const char *how)
{
	return oclmm_error_set(error, -EINVAL, "roles %u and %u of instance %u %s", a, b, instance,
	                       how);
}

static int check_pair(const struct oclmm_parameters *p, const struct oclmm_kernel_plan *plan,
                      uint32_t a, uint32_t b, const uint32_t *at_a, const uint32_t *at_b,
                      struct oclmm_error *error)
{
	bool together = oclmm_roles_together(plan, a, b);
	bool in_step = together && plan->role_sub_group[a] == plan->role_sub_group[b];

	/* on two devices nothing can be shared, and the host has no places */
	if (plan->role_part[a] != plan->role_part[b])
		return 0;
	for (uint32_t i = 0; i < p->groups * p->lanes * p->rounds; i++) {
		if ((at_a[i] / p->width == at_b[i] / p->width) != together)
			return refuse_pair(error, a, b, i,
			                   together ? "are in different groups"
			                            : "are in one group");
		if (at_a[i] == at_b[i])
			return refuse_pair(error, a, b, i, "share a lane");
		/* the place's number times the sub-groups in it, and the number of the one */
		if (plan->in_sub_groups && together &&
		    (at_a[i] / p->sub_lanes == at_b[i] / p->sub_lanes) != in_step)
			return refuse_pair(error, a, b, i,
			                   in_step ? "are in different sub-groups"
			                           : "are in one sub-group");
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
			r = check_pair(p, plan, q, role, at + (size_t)q * instances,
			               at + (size_t)role * instances, error);
	}
	free(at);
	return r;
}

/* Marks every byte that a location's slots cover; a byte covered twice is an overlap. A byte is a
 * bit of `used`, which caches hold. */
static int mark_slots(const struct oclmm_parameters *p, const struct oclmm_program *program,
                      const struct oclmm_kernel_plan *plan, uint32_t location, uint8_t *used,
                      uint64_t size, struct oclmm_error *error)
{
	const struct oclmm_location *l = &program->locations[location];
	uint32_t mask = p->groups * p->lanes * p->rounds - 1, bytes = oclmm_type_bits(l->type) / 8;

	for (uint32_t i = 0; i <= mask; i++) {
		uint32_t slot = oclmm_slot_of(p, &p->location[location], i, any_count(p, plan));
		uint64_t first = (uint64_t)slot * bytes,
			 end = first + (uint64_t)bytes * l->elements;

		for (uint64_t b = first; b < end; b++) {
			uint8_t bit = (uint8_t)(1u << b % 8);

			if (b >= size || used[b / 8] & bit)
				return oclmm_error_set(error, -EINVAL, "slot %u of location %s %s",
				                       i, l->name,
				                       b >= size ? "lies outside"
				                                 : "overlaps another");
			used[b / 8] |= bit;
		}
	}
	return 0;
}

static int check_slots(const struct oclmm_parameters *parameters,
                       const struct oclmm_program *program, const struct oclmm_kernel_plan *plan,
                       enum oclmm_storage storage, uint64_t size, struct oclmm_error *error)
{
	uint8_t *used = oclmm_calloc(size / 8 + 1, 1);
	int r = 0;

	for (uint32_t i = 0; r == 0 && i < program->location_count; i++)
		if (program->locations[i].space != OCLMM_SPACE_LOCAL &&
		    oclmm_storage_is_svm(program->locations[i].storage) ==
		            oclmm_storage_is_svm(storage))
			r = mark_slots(parameters, program, plan, i, used, size, error);
	free(used);
	return r;
}

int play_launch(const struct oclmm_parameters *parameters, const struct oclmm_program *program,
                const struct oclmm_kernel_plan *plan, struct oclmm_error *error)
{
	uint64_t size = 0;
	int r = oclmm_parameters_check(parameters, program, plan, error);

	if (r == 0)
		r = check_roles(parameters, plan, error);
	for (uint32_t i = 0; i < program->location_count; i++) {
		const struct oclmm_location *l = &program->locations[i];
		uint64_t reach = parameters->location[i].base +
		                 (uint64_t)parameters->groups * parameters->lanes *
		                         parameters->rounds * parameters->location[i].stride;

		if (l->space != OCLMM_SPACE_LOCAL && reach * (oclmm_type_bits(l->type) / 8) > size)
			size = reach * (oclmm_type_bits(l->type) / 8);
	}
	if (r == 0)
		r = check_slots(parameters, program, plan, OCLMM_STORAGE_BUFFER, size, error);
	if (r == 0)
		r = check_slots(parameters, program, plan, OCLMM_STORAGE_SVM_ATOMICS, size, error);
	return r;
}
