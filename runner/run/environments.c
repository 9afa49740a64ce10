// SPDX-License-Identifier: Apache-2.0
#include "environments.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oclmm/control.h"
#include "oclmm/grade.h"
#include "profile/candidates.h"
#include "run_options.h"
#include "saved/saved.h"

/* ---- where they come from ---- */

static int read_profiles(struct run_environments *environments, const char *path, bool asked)
{
	struct oclmm_error error;
	int r = oclmm_profiles_add(&environments->profiles, path, &error);

	if (r >= 0 || (r == -ENOENT && !asked))
		return 0;
	if (!asked)
		snprintf(error.note, sizeof(error.note), "--no-profile does without it");
	return report_error(&error);
}

int run_environments_take(struct run_environments *environments, const struct command *command,
                          const struct run_options *options)
{
	struct oclmm_error error;
	int status = 0;

	environments->instances = options->instances;
	if ((options->environment != NULL) + (options->tuned_count > 0) + options->no_profile > 1)
		return options_error(command,
		                     "only one of --environment, --profile PATH and --no-profile");
	for (size_t i = 0; status == 0 && i < options->tuned_count; i++)
		status = read_profiles(environments, options->tuned[i], true);
	if (status == 0 && options->sizes) {
		environments->has_sizes = true;
		if (oclmm_sizes_parse(options->sizes, &error, &environments->sizes) < 0) {
			snprintf(error.file, sizeof(error.file), "--sizes");
			return report_error(&error);
		}
	}
	if (status || !options->environment ||
	    oclmm_environment_set_parse(options->environment, &error, &environments->given) == 0)
		return status;
	snprintf(error.file, sizeof(error.file), "--environment");
	return report_error(&error);
}

/* Environments tuned for another driver may still be good, and are as sound as any. */
static void say_source(const struct run_environments *environments, const struct command *command,
                       const struct oclmm_device_info *info, const char *path, bool others)
{
	const struct oclmm_profiles *profiles = &environments->profiles;
	const struct oclmm_profile *stale = NULL, *foreign = NULL;

	for (size_t i = 0; i < profiles->count; i++) {
		const struct oclmm_profile *profile = &profiles->profiles[i];

		if (!oclmm_profile_names(profile->device, info->name))
			foreign = profile;
		else if (!oclmm_profile_names(profile->driver, info->driver))
			stale = profile;
	}
	options_error(command, "note: environments tuned for %zu shape%s, from %s%s",
	              profiles->count, profiles->count == 1 ? "" : "s", path,
	              others ? " and others" : "");
	if (foreign)
		options_error(command, "note: %s was tuned on another device, %s", foreign->shape,
		              foreign->device);
	if (stale)
		options_error(command,
		              "note: %s was tuned with driver %s, and this is %s; "
		              "oclmm tune finds what is best now",
		              stale->shape, stale->driver, info->driver);
}

/* An environment in which this device can run no test would skip them all. */
static int check_given(const struct run_environments *environments,
                       const struct oclmm_device_info *info)
{
	static const struct oclmm_kernel_plan least = {.work_groups = 1, .crowd = 1};
	struct oclmm_error error = {0};

	for (uint32_t i = 0; i < environments->given.count; i++) {
		if (oclmm_environment_check(&environments->given.environments[i], info, &least,
		                            &error) < 0) {
			snprintf(error.file, sizeof(error.file), "--environment");
			return report_error(&error);
		}
	}
	return 0;
}

int run_environments_open(struct run_environments *environments, const struct command *command,
                          const struct run_options *options, const struct oclmm_device_info *info)
{
	char *folder = NULL;
	int status = 0;

	environments->model = regrade_model_for(&options->rules.model, info->version);
	if (!options->tuned_count && !options->no_profile && !options->environment)
		folder = oclmm_profile_folder(info);
	if (folder)
		status = read_profiles(environments, folder, false);
	if (status == 0 && environments->profiles.count)
		say_source(environments, command, info, folder ? folder : options->tuned[0],
		           options->tuned_count > 1);
	free(folder);
	return status ? status : check_given(environments, info);
}

void run_environments_finish(struct run_environments *environments)
{
	oclmm_profiles_finish(&environments->profiles);
	free(environments->fused);
	oclmm_arena_destroy(environments->arena);
	*environments = (struct run_environments){0};
}

/* ---- which one a test has ---- */

/* Of variants that are each other's controls in a cycle, all take the first in the file. */
static const struct oclmm_variant *first_of_cycle(const struct oclmm_litmus *litmus,
                                                  const struct oclmm_variant *variant)
{
	const struct oclmm_variant *first = variant, *at = variant;

	do {
		at = oclmm_litmus_find(litmus, at->control);
		if (at < first)
			first = at;
	} while (at != variant);
	return first;
}

const struct oclmm_variant *run_weakest(const struct oclmm_litmus *litmus,
                                        const struct oclmm_variant *variant)
{
	/* after so many steps we are in the cycle */
	for (uint32_t i = 0; i < litmus->variant_count; i++) {
		const struct oclmm_variant *control =
			variant->control ? oclmm_litmus_find(litmus, variant->control) : NULL;

		if (!control)
			return variant;
		variant = control;
	}
	return first_of_cycle(litmus, variant);
}

int run_plan(const struct oclmm_program *program, struct oclmm_kernel_plan *ret_plan)
{
	/* roles, groups and memory do not depend on the values that reads may have */
	const struct oclmm_outcome_space space = {.observable_count = program->observable_count,
	                                          .size = 1};
	struct oclmm_error ignored;

	return oclmm_kernel_plan(program, &space, &ignored, ret_plan);
}

bool run_can_play(const struct oclmm_program *program)
{
	struct oclmm_kernel_plan ignored;

	return oclmm_program_has_commands(program) || program->shared ||
	       run_plan(program, &ignored) == 0;
}

const struct oclmm_program *run_for_device(struct run_environments *environments,
                                           const struct oclmm_program *program)
{
	struct run_fused *fused;

	if (!oclmm_has_inner_barrier(program))
		return program;
	for (size_t i = 0; i < environments->fused_count; i++)
		if (environments->fused[i].program == program)
			return environments->fused[i].fused;
	if (!environments->arena)
		environments->arena = oclmm_arena_create();
	oclmm_grow(&environments->fused, &environments->fused_capacity, environments->fused_count,
	           sizeof(*environments->fused));
	fused = &environments->fused[environments->fused_count++];
	*fused = (struct run_fused){program, oclmm_program_for_device(environments->arena, program,
	                                                              environments->model)};
	return fused->fused;
}

int run_joint_plan(const struct oclmm_litmus *litmus, const struct oclmm_variant *weakest,
                   struct oclmm_kernel_plan *ret_plan)
{
	struct oclmm_kernel_plan plan = {0}, other;
	int r = run_plan(weakest->program, &plan);

	for (uint32_t i = 0; r == 0 && i < litmus->variant_count; i++) {
		const struct oclmm_variant *variant = &litmus->variants[i];

		if (variant != weakest && run_weakest(litmus, variant) == weakest &&
		    run_plan(variant->program, &other) == 0)
			oclmm_plan_join(&plan, &other);
	}
	if (r == 0)
		*ret_plan = plan;
	return r;
}

/* The same ones in each run, so that a driver's cache serves the next run, too. */
static uint32_t defaults(const struct oclmm_device_info *info, const struct oclmm_kernel_plan *plan,
                         const struct oclmm_variant *weakest,
                         struct oclmm_environment *ret_environments)
{
	uint32_t count = oclmm_environment_defaults(info, plan, ret_environments);
	uint64_t key = oclmm_hash(weakest->name, strlen(weakest->name));

	return oclmm_environment_share(info, plan, key, ret_environments, count);
}

static uint64_t instances_of_launch(const struct run_environments *environments)
{
	uint64_t usual = RUN_INSTANCES / RUN_LAUNCHES;
	uint64_t asked = environments->instances / RUN_LONG_LAUNCHES;

	return asked > usual ? asked : usual;
}

bool run_environments_are_special(const struct run_environments *environments)
{
	bool longer = instances_of_launch(environments) > RUN_INSTANCES / RUN_LAUNCHES;

	return environments->given.count || environments->profiles.count || longer;
}

/**
 * Makes launches shorter, so that there can be many of them, down to `enough`
 * instances or to the fewest with which a device of this kind is at work: fewer
 * rounds, and then fewer work-groups.
 */
static void shorten(struct oclmm_environment *e, const struct oclmm_device_info *info,
                    const struct oclmm_kernel_plan *plan, uint64_t enough)
{
	/* below these, starting a launch is most of it, and its groups hardly meet */
	enum { CPU_LEAST = 1 << 13, GPU_LEAST = 1 << 18, GPU_GROUPS_PER_UNIT = 8 };
	bool cpu = (info->type & CL_DEVICE_TYPE_CPU) != 0;
	uint64_t least = cpu ? CPU_LEAST : GPU_LEAST;
	uint32_t groups = cpu ? e->groups
	                      : oclmm_power_at_least(oclmm_device_units(info) *
	                                             GPU_GROUPS_PER_UNIT);

	groups = groups > plan->work_groups ? groups : plan->work_groups;
	least = enough > least ? enough : least;
	while (oclmm_environment_instances(e) / 2 >= least && e->rounds % 2 == 0)
		e->rounds /= 2;
	while (oclmm_environment_instances(e) / 2 >= least && e->groups % 2 == 0 &&
	       e->groups / 2 >= groups)
		e->groups /= 2;
}

/* Whether the host waits for a callback in some variant. */
static bool waits_for_calls(const struct oclmm_litmus *litmus)
{
	for (uint32_t i = 0; i < litmus->variant_count; i++) {
		const struct oclmm_program *program = litmus->variants[i].program;

		for (uint32_t k = 0; k < program->thread_count; k++)
			if (program->threads[k].placement.command.callbacks)
				return true;
	}
	return false;
}

static void choose_commands(const struct oclmm_device_info *info, const struct oclmm_litmus *litmus,
                            struct oclmm_environment *ret_e)
{
	enum { GPU_ROUNDS = 8, FEW_ROUNDS = 2 };

	oclmm_environment_commands(ret_e);
	/* What silence is worth is counted in launches, and there shorter ones show no less. */
	if (!(info->type & CL_DEVICE_TYPE_CPU))
		ret_e->rounds = GPU_ROUNDS;
	/* Each round then waits for one, which takes NVIDIA's driver up to 1.7 ms. No round is
	 * enqueued behind another, and only the first finds what the launch begins with still in
	 * its queue: more of them show nothing more. */
	if (waits_for_calls(litmus))
		ret_e->rounds = FEW_ROUNDS;
}

static void choose(struct run_environments *environments, const struct oclmm_device_info *info,
                   const struct oclmm_litmus *litmus, const struct oclmm_variant *weakest)
{
	struct oclmm_environment_set *set = &environments->last_set;
	const struct oclmm_profile *profile;
	struct oclmm_kernel_plan plan = {0};
	char shape[OCLMM_SHAPE_SIZE];

	environments->last = weakest;
	environments->last_profile = NULL;
	*set = (struct oclmm_environment_set){0};
	if (oclmm_program_has_commands(weakest->program)) {
		set->count = 1;
		choose_commands(info, litmus, &set->environments[0]);
		return;
	}
	if (run_for_device(environments, weakest->program)->shared) {
		set->count = 1;
		oclmm_environment_whole(info, environments->instances / RUN_LAUNCHES,
		                        &set->environments[0]);
		/* each instance is a group, and the text says how many work-items it has */
		if (environments->has_sizes)
			set->environments[0].groups = oclmm_sizes_groups(
				&environments->sizes, set->environments[0].groups);
		return;
	}
	if (run_joint_plan(litmus, weakest, &plan) < 0)
		return;
	if (environments->given.count) {
		*set = environments->given;
		return;
	}
	oclmm_shape(weakest->program, shape);
	profile = oclmm_profiles_find(&environments->profiles, shape);
	environments->last_profile = profile;
	if (profile)
		*set = profile->set;
	else
		set->count = defaults(info, &plan, weakest, set->environments);
	for (uint32_t i = 0; i < set->count; i++) {
		if (profile)
			oclmm_environment_fit(&set->environments[i], info, &plan);
		else
			shorten(&set->environments[i], info, &plan,
			        instances_of_launch(environments));
	}
	if (environments->has_sizes)
		oclmm_sizes_narrow(&environments->sizes, info, &plan, set);
}

const struct oclmm_profile *run_environments_choose(struct run_environments *environments,
                                                    const struct oclmm_device_info *info,
                                                    const struct chosen *test,
                                                    struct oclmm_environment_set *ret_set)
{
	const struct oclmm_variant *weakest = run_weakest(test->litmus, test->variant);
	const struct oclmm_program *program = run_for_device(environments, test->variant->program);

	/* a text of threads and roles are launched in two ways */
	if (!program->shared != !run_for_device(environments, weakest->program)->shared)
		weakest = test->variant;
	if (environments->last != weakest)
		choose(environments, info, test->litmus, weakest);
	*ret_set = environments->last_set;
	if (!run_can_play(program))
		ret_set->count = 0;
	return ret_set->count ? environments->last_profile : NULL;
}
