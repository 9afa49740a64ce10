// SPDX-License-Identifier: Apache-2.0
/* The kernels' index arithmetic, repeated on the host, and what it relies on. */
#include "internal.h"

#include <errno.h>

uint32_t oclmm_larger(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

uint32_t oclmm_common_divisor(uint32_t a, uint32_t b)
{
	while (b != 0) {
		uint32_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

bool oclmm_is_power(uint32_t n)
{
	return n > 0 && (n & (n - 1)) == 0;
}

uint32_t oclmm_power_at_least(uint32_t n)
{
	uint32_t power = 1;

	while (power < n && power < 1u << 30)
		power *= 2;
	return power;
}

uint32_t oclmm_power_at_most(uint64_t n)
{
	uint32_t power = 1;

	while ((uint64_t)power * 2 <= n && power < 1u << 30)
		power *= 2;
	return power;
}

/* Whether a launch of so many takes the text for any count. */
static bool takes_any_count(uint32_t groups, uint32_t lanes, uint32_t rounds,
                            const struct oclmm_kernel_plan *plan)
{
	return plan->in_sub_groups || !oclmm_is_power(groups) || !oclmm_is_power(lanes) ||
	       !oclmm_is_power(rounds);
}

bool oclmm_environment_any_count(const struct oclmm_environment *environment,
                                 const struct oclmm_kernel_plan *plan)
{
	return takes_any_count(environment->groups, environment->lanes, environment->rounds, plan);
}

/* As the text for any count has it, under the same name. */
uint32_t oclmm_modulo(uint32_t x, uint32_t n, uint32_t inverse)
{
	uint32_t rest = x - (uint32_t)((uint64_t)x * inverse >> 32) * n;

	return rest < n ? rest : rest - n;
}

uint32_t oclmm_slot_of(const struct oclmm_parameters *p, const struct oclmm_layout *where,
                       uint32_t instance, bool any)
{
	uint32_t instances = p->groups * p->lanes * p->rounds;

	if (any)
		return where->base + oclmm_modulo(instance * where->multiplier + where->addend,
		                                  instances, p->instances_inverse) *
		                             where->stride;
	return where->base +
	       ((instance * (where->multiplier | 1) + where->addend) & (instances - 1)) *
	               where->stride;
}

/* What the arithmetic for any count relies on; under a mask any factor will do. */
static bool is_permutation(uint32_t multiplier, uint32_t addend, uint32_t n)
{
	return addend < n && multiplier <= UINT32_MAX / n - 1 &&
	       oclmm_common_divisor(multiplier, n) == 1;
}

static int check_factors(const struct oclmm_parameters *p, const struct oclmm_program *program,
                         const struct oclmm_kernel_plan *plan, struct oclmm_error *error)
{
	uint32_t instances = p->groups * p->lanes * p->rounds;

	if (instances == 0)
		return oclmm_error_set(error, -EINVAL, "there are no instances");
	if (p->groups_inverse != UINT32_MAX / p->groups ||
	    p->instances_inverse != UINT32_MAX / instances)
		return oclmm_error_set(error, -EINVAL, "an inverse is not that of its number");
	if (!is_permutation(p->group_multiplier, p->group_addend, p->groups))
		return oclmm_error_set(error, -EINVAL, "places are not permuted");
	for (uint32_t i = 0; i < program->location_count; i++)
		if (!is_permutation(p->location[i].multiplier, p->location[i].addend, instances))
			return oclmm_error_set(error, -EINVAL,
			                       "the slots of location %s are not permuted",
			                       program->locations[i].name);
	for (uint32_t r = 0; r < plan->roles; r++)
		if (p->group_shift[plan->role_work_group[r]] >= p->groups ||
		    p->lane_shift[r] >= p->lanes || p->lane_addend >= p->lanes ||
		    (plan->in_sub_groups &&
		     (p->lane_shift[r] >= p->sub_lanes || p->lane_addend >= p->sub_lanes ||
		      p->sub_shift[r] >= p->sub_groups)))
			return oclmm_error_set(error, -EINVAL, "a shift of role %u is too large",
			                       r);
	return 0;
}

/* Whether two roles that the test keeps apart would meet. */
static int check_shifts(const struct oclmm_parameters *p, const struct oclmm_kernel_plan *plan,
                        uint32_t a, uint32_t b, struct oclmm_error *error)
{
	uint32_t group_a = p->group_shift[plan->role_work_group[a]] % p->groups;
	uint32_t group_b = p->group_shift[plan->role_work_group[b]] % p->groups;
	bool in_step = plan->role_sub_group[a] == plan->role_sub_group[b];

	if (plan->role_part[a] != plan->role_part[b] || plan->role_child[a] || plan->role_child[b])
		return 0;
	if (plan->role_work_group[a] != plan->role_work_group[b])
		return group_a != group_b
		               ? 0
		               : oclmm_error_set(error, -EINVAL,
		                                 "roles %u and %u would be in one group", a, b);
	if (plan->in_sub_groups && (p->sub_shift[a] == p->sub_shift[b]) != in_step)
		return oclmm_error_set(error, -EINVAL, "roles %u and %u are in wrong sub-groups", a,
		                       b);
	if ((!plan->in_sub_groups || in_step) &&
	    p->lane_shift[a] % p->lanes == p->lane_shift[b] % p->lanes)
		return oclmm_error_set(error, -EINVAL, "roles %u and %u would share a lane", a, b);
	return 0;
}

int oclmm_parameters_check(const struct oclmm_parameters *parameters,
                           const struct oclmm_program *program,
                           const struct oclmm_kernel_plan *plan, struct oclmm_error *error)
{
	bool any = takes_any_count(parameters->groups, parameters->lanes, parameters->rounds, plan);
	int r = any ? check_factors(parameters, program, plan, error) : 0;

	for (uint32_t a = 0; r == 0 && !parameters->split && a < plan->roles; a++)
		for (uint32_t b = 0; r == 0 && b < a; b++)
			r = check_shifts(parameters, plan, a, b, error);
	return r;
}
