// SPDX-License-Identifier: Apache-2.0
/* What a plan compiles as one text. */
/* before cmocka, which has a macro of the name of one of its functions */
#include "plan.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

enum { GROUP_MOST = 8 };

static const struct oclmm_run_request *job_of(const struct plan *plan,
                                              const struct run_group *group, size_t index)
{
	return &plan->schedule.jobs[group->jobs[index]];
}

/* Where groups are the same in each run a CPU compiles several of them as one text, but those that
 * come first. */
static bool is_across(const struct plan *plan, const struct run_group *group)
{
	return plan->run.options.budget <= 0 && plan->info.type & CL_DEVICE_TYPE_CPU &&
	       group->jobs[0] >= plan->run.first_count;
}

static uint64_t texts_of(const struct oclmm_run_request *job)
{
	return oclmm_joint_texts(job->program, job->space, job->environment,
	                         job->environment_count);
}

/* Where a program of a text is run: in the group, or anywhere. */
static const struct oclmm_run_request *find_job(const struct plan *plan,
                                                const struct run_group *group,
                                                const struct oclmm_joint *joint, uint32_t number)
{
	size_t count = group ? group->count : plan->schedule.job_count;

	for (size_t i = 0; i < count; i++) {
		const struct oclmm_run_request *job = group ? job_of(plan, group, i)
		                                            : &plan->schedule.jobs[i];

		if (job->joint == joint && job->program == joint->programs[number] &&
		    job->space == joint->spaces[number])
			return job;
	}
	return NULL;
}

/* A text has kernels of tests that are run, its own among them, each counted by its own outcomes
 * and in its own environments. Where it has those of several groups, all take the same texts. */
static void check_text(const struct plan *plan, const struct run_group *group, size_t index)
{
	const struct oclmm_run_request *job = job_of(plan, group, index);
	const struct oclmm_joint *joint = job->joint;
	uint32_t there = 0;

	assert_non_null(joint);
	assert_in_range(joint->count, 1, joint->lasts ? OCLMM_JOINT_MOST : GROUP_MOST);
	assert_int_equal(joint->lasts, is_across(plan, group) && texts_of(job));
	for (uint32_t i = 0; i < joint->count; i++) {
		const struct oclmm_run_request *other = find_job(plan, joint->lasts ? NULL : group,
		                                                 joint, i);

		assert_non_null(other);
		assert_ptr_equal(joint->environments[i], other->environment);
		assert_int_equal(joint->environment_counts[i], other->environment_count);
		if (joint->lasts)
			assert_int_equal(texts_of(other), texts_of(job));
		there += other->program == job->program && other->space == job->space;
	}
	assert_int_equal(there, 1);
	if (index < group->tests)
		assert_ptr_equal(plan->run.items[group->jobs[index]].job.joint, joint);
}

/* Where a seed decides who are neighbours, a text has one test and what is derived of it: then a
 * driver knows it in the next run. Else all of its room is used. */
static void check_texts(const struct plan *plan, const struct run_group *group)
{
	size_t texts = 0;

	for (size_t i = 0; i < group->count; i++) {
		const struct oclmm_joint *joint = job_of(plan, group, i)->joint;
		size_t tests = 0;

		check_text(plan, group, i);
		texts += joint->programs[0] == job_of(plan, group, i)->program;
		for (size_t k = 0; k < group->tests; k++)
			tests += job_of(plan, group, k)->joint == joint;
		if (plan->run.options.budget > 0)
			assert_in_range(tests, 0, 1);
	}
	if (plan->run.options.budget <= 0 && !is_across(plan, group))
		assert_int_equal(texts, (group->count + GROUP_MOST - 1) / GROUP_MOST);
}

/* Of texts across groups, one of each kind may have room. */
static void check_texts_across(const struct plan *plan)
{
	uint64_t *roomy = oclmm_calloc(plan->schedule.job_count + 1, sizeof(*roomy));
	size_t count = 0;

	for (size_t i = 0; i < plan->schedule.job_count; i++) {
		const struct oclmm_run_request *job = &plan->schedule.jobs[i];
		const struct oclmm_joint *joint = job->joint;

		if (!joint || !joint->lasts || joint->count == OCLMM_JOINT_MOST ||
		    joint->programs[0] != job->program || joint->spaces[0] != job->space)
			continue;
		for (size_t k = 0; k < count; k++)
			assert_int_not_equal(roomy[k], texts_of(job));
		roomy[count++] = texts_of(job);
	}
	free(roomy);
}

void plan_check_texts(const struct plan *plan)
{
	for (size_t g = 0; g < plan->schedule.group_count; g++)
		check_texts(plan, &plan->schedule.groups[g]);
	check_texts_across(plan);
}
