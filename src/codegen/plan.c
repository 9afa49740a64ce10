// SPDX-License-Identifier: Apache-2.0
/* What the kernels of a program look like from outside, and which programs have none. */
#include "internal.h"

#include <errno.h>
#include <stdio.h>

static int refuse(struct oclmm_error *error, const struct oclmm_program *program,
                  const struct oclmm_position *position, const char *what)
{
	oclmm_error_set(error, -ENOTSUP, "%s cannot be run on a device", what);
	if (program->file)
		snprintf(error->file, sizeof(error->file), "%s", program->file);
	error->position = *position;
	return -ENOTSUP;
}

/* Division by zero, or of the least number by -1, traps on some processors. */
static const struct oclmm_expression *find_trap(const struct oclmm_expression *e)
{
	const struct oclmm_expression *found;

	if (!e)
		return NULL;
	if (e->kind == OCLMM_EXPRESSION_BINARY &&
	    (e->op == OCLMM_OPERATOR_DIV || e->op == OCLMM_OPERATOR_REM) &&
	    (e->right->kind != OCLMM_EXPRESSION_CONSTANT || e->right->constant == 0 ||
	     e->right->constant == -1))
		return e;
	if ((found = find_trap(e->left)) || (found = find_trap(e->right)))
		return found;
	return e->kind == OCLMM_EXPRESSION_ATOMIC ? find_trap(e->atomic->operand) : NULL;
}

static int check_body(const struct oclmm_program *program, const struct oclmm_statement *s, bool top,
                      struct oclmm_error *error)
{
	int r;

	for (; s; s = s->next) {
		if (s->kind == OCLMM_STATEMENT_BARRIER && s->sub_group)
			return refuse(error, program, &s->position, "a sub-group barrier");
		if (s->kind == OCLMM_STATEMENT_BARRIER && !top)
			return refuse(error, program, &s->position, "a barrier inside if or while");
		if (find_trap(s->expression))
			return refuse(error, program, &s->position, "division by a value that may be 0 or -1");
		r = check_body(program, s->then_body, false, error);
		if (r == 0)
			r = check_body(program, s->else_body, false, error);
		if (r < 0)
			return r;
	}
	return 0;
}

static int check_thread(const struct oclmm_program *program, const struct oclmm_thread *thread,
                        struct oclmm_error *error)
{
	const struct oclmm_placement *p = &thread->placement;

	if (p->host)
		return refuse(error, program, &thread->position, "a host thread");
	if (p->sub_group_given)
		return refuse(error, program, &thread->position, "placement in a sub-group");
	if (p->device != program->threads[0].placement.device)
		return refuse(error, program, &thread->position, "a test on two devices");
	return check_body(program, thread->body, true, error);
}

/* Roles of one work-group meet at the same barriers, or there is no kernel for them. */
static int check_barriers(const struct oclmm_program *program, const struct oclmm_kernel_plan *plan,
                          struct oclmm_error *error)
{
	for (uint32_t i = 0; i < program->thread_count; i++)
		for (uint32_t j = 0; j < i; j++)
			if (plan->role_work_group[i] == plan->role_work_group[j] &&
			    oclmm_segments(&program->threads[i]) != oclmm_segments(&program->threads[j]))
				return refuse(error, program, &program->threads[i].position,
				              "a barrier that not all work-items of the group reach");
	return 0;
}

static void place_roles(const struct oclmm_program *program, struct oclmm_kernel_plan *plan)
{
	uint32_t roles[OCLMM_KERNEL_ROLES] = { 0 };

	for (uint32_t i = 0; i < program->thread_count; i++) {
		uint32_t group = plan->work_groups;

		for (uint32_t j = 0; j < i; j++)
			if (program->threads[j].placement.work_group == program->threads[i].placement.work_group)
				group = plan->role_work_group[j];
		plan->role_work_group[i] = group;
		plan->work_groups += group == plan->work_groups;
		if (++roles[group] > plan->crowd)
			plan->crowd = roles[group];
		plan->has_barrier |= oclmm_segments(&program->threads[i]) > 1;
	}
}

static int check_limits(const struct oclmm_program *program, const struct oclmm_outcome_space *space,
                        struct oclmm_error *error)
{
	if (program->thread_count == 0)
		return oclmm_error_set(error, -ENOTSUP, "a program without threads cannot be run");
	if (program->thread_count > OCLMM_KERNEL_ROLES)
		return oclmm_error_set(error, -ENOTSUP, "more than %d threads", OCLMM_KERNEL_ROLES);
	if (program->location_count > OCLMM_KERNEL_LOCATIONS)
		return oclmm_error_set(error, -ENOTSUP, "more than %d locations", OCLMM_KERNEL_LOCATIONS);
	if (space->size > OCLMM_KERNEL_OUTCOMES)
		return oclmm_error_set(error, -ENOTSUP, "more than %d outcomes to count", OCLMM_KERNEL_OUTCOMES);
	if (space->observable_count != program->observable_count)
		return oclmm_error_set(error, -EINVAL, "the outcome space is another program's");
	return 0;
}

int oclmm_kernel_plan(const struct oclmm_program *program, const struct oclmm_outcome_space *space,
                      struct oclmm_error *error, struct oclmm_kernel_plan *ret_plan)
{
	struct oclmm_kernel_plan plan = {
		.roles = program->thread_count,
		.outcomes = space->size,
		.observables = program->observable_count,
	};
	int r = check_limits(program, space, error);

	for (uint32_t i = 0; r == 0 && i < program->thread_count; i++)
		r = check_thread(program, &program->threads[i], error);
	if (r < 0)
		return r;
	place_roles(program, &plan);
	r = check_barriers(program, &plan, error);
	if (r < 0)
		return r;
	plan.planes = oclmm_count_planes(program);
	for (uint32_t i = 0; i < program->observable_count; i++)
		plan.wide |= oclmm_type_bits(program->observables[i].type) == 64;
	for (uint32_t i = 0; i < program->location_count; i++) {
		const struct oclmm_location *l = &program->locations[i];

		if (l->space == OCLMM_SPACE_LOCAL)
			plan.local_bytes += l->elements * (oclmm_type_bits(l->type) / 8);
	}
	plan.has_local = plan.local_bytes > 0;
	*ret_plan = plan;
	return 0;
}
