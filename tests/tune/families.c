// SPDX-License-Identifier: Apache-2.0
/*
 * Over all litmus files: a test and its control run in the same environments,
 * by default and with profiles, on any device, or the one would say nothing of
 * the other; and those environments are ones that the test can run in.
 * usage: families FILE…
 */
#include <stdio.h>
#include <string.h>

#include "profile/candidates.h"
#include "run/environments.h"

static const struct oclmm_device_info devices[] = {
	{.name = "GPU",
         .type = CL_DEVICE_TYPE_GPU,
         .compute_units = 132,
         .max_work_group_size = 1024,
         .global_memory = (cl_ulong)64 << 30,
         .local_memory = 48 << 10},
	{.name = "CPU",
         .type = CL_DEVICE_TYPE_CPU,
         .compute_units = 2,
         .max_work_group_size = 4096,
         .global_memory = (cl_ulong)4 << 30,
         .local_memory = 256 << 10},
	{.name = "small",
         .type = CL_DEVICE_TYPE_GPU,
         .compute_units = 1,
         .max_work_group_size = 64,
         .global_memory = (cl_ulong)256 << 20,
         .local_memory = 16 << 10,
         .short_loops = true},
};

static unsigned failures, tests, pairs, served;

static void fail(const char *test, const char *what)
{
	printf("%s: %s\n", test, what);
	failures++;
}

/* Profiles of two shapes, drawn for a program with two roles: others get them fitted. */
static void make_profiles(struct oclmm_profiles *profiles, const struct oclmm_device_info *info)
{
	static const char *const shapes[] = {"WaWb-RbRa.01.g", "WaWb-RbRa.00.l"};
	const struct oclmm_kernel_plan two = {.roles = 2, .work_groups = 2, .crowd = 1};

	for (size_t i = 0; i < OCLMM_COUNT(shapes); i++) {
		struct oclmm_profile *profile;

		oclmm_grow(&profiles->profiles, &profiles->capacity, profiles->count,
		           sizeof(*profile));
		profile = &profiles->profiles[profiles->count++];
		*profile = (struct oclmm_profile){.set.count = 2};
		snprintf(profile->shape, sizeof(profile->shape), "%s", shapes[i]);
		for (uint32_t k = 0; k < 2; k++)
			profile->set.environments[k] = oclmm_environment_draw(10 * i + k, info,
			                                                      &two);
	}
}

static bool are_same(const struct oclmm_environment_set *a, const struct oclmm_environment_set *b)
{
	return a->count == b->count &&
	       memcmp(a->environments, b->environments, a->count * sizeof(*a->environments)) == 0;
}

/* Where the host waits for a callback in each round, a launch of many would take long. */
static void check_commands(struct run_environments *environments,
                           const struct oclmm_device_info *info, const struct oclmm_litmus *litmus,
                           const struct oclmm_variant *variant,
                           const struct oclmm_environment_set *set)
{
	enum { MOST_ROUNDS = 4 };
	const struct oclmm_program *program = variant->program;
	struct oclmm_environment_set of_control;
	struct chosen control = {.litmus = litmus};

	if (set->count != 1)
		fail(variant->name, "has not the one environment of commands");
	for (uint32_t i = 0; i < program->thread_count; i++) {
		if (program->threads[i].placement.command.callbacks &&
		    set->environments[0].rounds > MOST_ROUNDS)
			fail(variant->name, "waits for many callbacks in a launch");
	}
	control.variant = variant->control ? oclmm_litmus_find(litmus, variant->control) : NULL;
	if (!control.variant)
		return;
	pairs++;
	run_environments_choose(environments, info, &control, &of_control);
	if (!are_same(set, &of_control))
		fail(variant->name, "does not run as its control does");
}

static void check_test(struct run_environments *environments, const struct oclmm_device_info *info,
                       const struct oclmm_litmus *litmus, const struct oclmm_variant *variant)
{
	const struct chosen test = {.litmus = litmus, .variant = variant};
	struct oclmm_environment_set set, of_control;
	struct oclmm_kernel_plan plan;
	struct oclmm_error error;
	struct chosen control = test;

	tests++;
	served += run_environments_choose(environments, info, &test, &set) != NULL;
	if (oclmm_program_has_commands(variant->program)) {
		check_commands(environments, info, litmus, variant, &set);
		return;
	}
	/* a shared text is a kernel of another form, without a plan */
	if (run_plan(variant->program, &plan) < 0) {
		if (set.count && !variant->program->shared)
			fail(variant->name, "has environments, and no kernel");
		return;
	}
	if (set.count == 0)
		fail(variant->name, "has no environments");
	for (uint32_t i = 0; i < set.count; i++) {
		if (oclmm_environment_check(&set.environments[i], info, &plan, &error) < 0)
			fail(variant->name, error.message);
	}
	control.variant = variant->control ? oclmm_litmus_find(litmus, variant->control) : NULL;
	if (!control.variant || run_plan(control.variant->program, &plan) < 0)
		return;
	pairs++;
	run_environments_choose(environments, info, &control, &of_control);
	if (!are_same(&set, &of_control))
		fail(variant->name, "does not run as its control does");
}

static void check_file(const char *path, const struct oclmm_device_info *info)
{
	struct run_environments environments[2] = {0};
	struct oclmm_litmus *litmus;
	struct oclmm_error error;

	if (oclmm_litmus_read(path, NULL, &error, &litmus) < 0) {
		fail(path, error.message);
		return;
	}
	make_profiles(&environments[1].profiles, info);
	for (int i = 0; i < 2; i++) {
		/* there and back, so that the answer does not depend on what was asked before */
		for (uint32_t k = 0; k < litmus->variant_count; k++)
			check_test(&environments[i], info, litmus, &litmus->variants[k]);
		for (uint32_t k = litmus->variant_count; k > 0; k--)
			check_test(&environments[i], info, litmus, &litmus->variants[k - 1]);
		run_environments_finish(&environments[i]);
	}
	oclmm_litmus_destroy(litmus);
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		for (size_t k = 0; k < OCLMM_COUNT(devices); k++)
			check_file(argv[i], &devices[k]);
	}
	printf("%u tests, %u pairs, %u served by profiles, %u failures\n", tests, pairs, served,
	       failures);
	return failures || pairs == 0 || served == 0;
}
