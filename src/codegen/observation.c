// SPDX-License-Identifier: Apache-2.0
/*
 * What the test kernel stores for the counting kernel: registers, final values
 * of local objects (which end with the work-group), and the threads whose
 * loops were cut, or that a device refused to enqueue. Global objects are read where they are.
 */
#include "internal.h"

static uint32_t list(const struct oclmm_program *program, struct oclmm_plane *planes)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < program->observable_count; i++) {
		const struct oclmm_observable *o = &program->observables[i];
		bool is_local = !o->is_register &&
		                program->locations[o->location].space == OCLMM_SPACE_LOCAL;

		if (!o->is_register && !is_local)
			continue;
		if (planes)
			planes[n] = (struct oclmm_plane){
				.kind = is_local ? OCLMM_PLANE_LOCAL : OCLMM_PLANE_REGISTER,
				.observable = i,
				.thread = o->thread,
			};
		n++;
	}
	for (uint32_t i = 0; i < program->thread_count; i++) {
		if (!oclmm_has_loop(program->threads[i].body) &&
		    !program->threads[i].placement.child)
			continue;
		if (planes)
			planes[n] = (struct oclmm_plane){.kind = OCLMM_PLANE_CUT, .thread = i};
		n++;
	}
	return n;
}

uint32_t oclmm_count_planes(const struct oclmm_program *program)
{
	return list(program, NULL);
}

/* Most values are small: one byte of memory traffic instead of four or eight. */
static bool is_narrow(const struct oclmm_outcome_domain *domain)
{
	for (uint32_t i = 0; i < domain->count; i++)
		if (domain->values[i] < 0 || domain->values[i] >= 255)
			return false;
	return true;
}

struct oclmm_plane *oclmm_kernel_planes(const struct oclmm_program *program,
                                        const struct oclmm_outcome_space *space,
                                        const struct oclmm_kernel_plan *plan)
{
	struct oclmm_plane *planes = oclmm_calloc((size_t)plan->planes + 1, sizeof(*planes));

	list(program, planes);
	for (uint32_t i = 0; i < plan->planes; i++)
		planes[i].narrow = planes[i].kind == OCLMM_PLANE_CUT ||
		                   is_narrow(&space->domains[planes[i].observable]);
	return planes;
}

uint32_t oclmm_local_owner(const struct oclmm_program *program, uint32_t location)
{
	for (uint32_t i = 0; i < program->thread_count; i++)
		if (oclmm_find_parameter(&program->threads[i], location))
			return i;
	return 0;
}
