// SPDX-License-Identifier: Apache-2.0
#include "internal.h"

uint32_t oclmm_environment_instances(const struct oclmm_environment *environment)
{
	return environment->groups * environment->lanes * environment->rounds;
}

uint32_t oclmm_environment_places(const struct oclmm_environment *environment,
                                  const struct oclmm_kernel_plan *plan)
{
	return environment->groups * (environment->split ? plan->work_groups : 1);
}

uint32_t oclmm_environment_width(const struct oclmm_environment *environment,
                                 const struct oclmm_kernel_plan *plan)
{
	return environment->lanes * (environment->split ? plan->crowd : 1);
}

uint64_t oclmm_environment_stress(const struct oclmm_environment *environment,
                                  const struct oclmm_kernel_plan *plan)
{
	uint64_t width = oclmm_environment_width(environment, plan);

	return width * oclmm_environment_places(environment, plan) * environment->pre_stress +
	       width * environment->stress_groups * environment->stress +
	       width * environment->queue_groups * environment->queue_stress;
}

uint32_t oclmm_environment_dimensions(const struct oclmm_environment *environment)
{
	return environment->dimensions ? environment->dimensions : 1;
}

/* Objects at program scope and images, of which devices have no more than so much. */
bool oclmm_environment_fits_alone(const struct oclmm_environment *e,
                                  const struct oclmm_kernel_plan *plan)
{
	uint64_t apart = (uint64_t)oclmm_environment_instances(e) * e->stride;

	return apart * plan->program_bytes <= OCLMM_KERNEL_PROGRAM_BYTES &&
	       apart * plan->image_elements <= OCLMM_KERNEL_IMAGE_ELEMENTS;
}

bool oclmm_environment_fits_queue(const struct oclmm_environment *e,
                                  const struct oclmm_kernel_plan *plan)
{
	return (uint64_t)oclmm_environment_instances(e) * plan->children <= OCLMM_KERNEL_CHILDREN;
}

void oclmm_environment_count_alone(struct oclmm_environment *e,
                                   const struct oclmm_kernel_plan *plan)
{
	/* some devices end a loop after 65,535 turns */
	enum { INSTANCES = 1 << 15 };

	while (oclmm_environment_instances(e) > INSTANCES && e->rounds > 1)
		e->rounds /= 2;
	while (oclmm_environment_instances(e) > INSTANCES &&
	       e->groups / 2 >= oclmm_larger(plan->work_groups, 2))
		e->groups /= 2;
	e->direct = 0;
	e->count_chunked = 1;
	e->count_lanes = 1;
	e->count_each = oclmm_power_at_least(oclmm_environment_instances(e));
}

void oclmm_environment_shorten(struct oclmm_environment *e, const struct oclmm_device_info *info,
                               const struct oclmm_kernel_plan *plan, uint64_t enough)
{
	/* below these, starting a launch is most of it, and its groups hardly meet */
	enum { CPU_LEAST = 1 << 13, GPU_LEAST = 1 << 18, GPU_GROUPS_PER_UNIT = 8 };
	bool cpu = (info->type & CL_DEVICE_TYPE_CPU) != 0;
	uint64_t least = cpu ? CPU_LEAST : GPU_LEAST;
	uint32_t groups = cpu ? e->groups
	                      : oclmm_power_at_least(oclmm_device_units(info) *
	                                             GPU_GROUPS_PER_UNIT);

	least = enough > least ? enough : least;
	while (oclmm_environment_instances(e) / 2 >= least && e->rounds % 2 == 0)
		e->rounds /= 2;
	while (oclmm_environment_instances(e) / 2 >= least && e->groups % 2 == 0 &&
	       e->groups / 2 >= oclmm_larger(groups, plan->work_groups))
		e->groups /= 2;
}
