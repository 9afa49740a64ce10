// SPDX-License-Identifier: Apache-2.0
/* In which environments a test runs: given on the command line, tuned for the device, or the
 * defaults. */
#ifndef OCLMM_RUNNER_RUN_ENVIRONMENTS_H
#define OCLMM_RUNNER_RUN_ENVIRONMENTS_H

#include "cli/cli.h"
#include "profile/sizes.h"
#include "select/select.h"

struct run_options;

/* The fewest launches of a test: where a control shows its outcome in seventeen of them, the
 * test's silence is as good as certain. */
enum { RUN_LAUNCHES = 32, RUN_INSTANCES = 1000000 };
/*
 * The fewest launches of a test for which more instances are asked: launches get longer before
 * there are more of them, because an empty one costs as much as 100,000 instances on a large GPU.
 * These suffice to give each environment a few hundredths of the time, and controls their hits.
 */
enum { RUN_LONG_LAUNCHES = 512 };

/* Where environments come from. All zero: the defaults. */
struct run_environments {
	struct oclmm_environment_set given; /* for all tests, when its count is not 0 */
	struct oclmm_sizes sizes;           /* of launches … */
	bool has_sizes;                     /* … that are asked for */
	enum oclmm_model model;             /* by which the device is judged */
	uint64_t instances; /* instances asked for of each test: launches grow with them */
	struct oclmm_profiles profiles;
	/* The last answer, kept because tests that share it follow each other. */
	const struct oclmm_variant *last;
	struct oclmm_environment_set last_set;
	const struct oclmm_profile *last_profile;
	/* What devices are given in the place of programs with barriers in branches. */
	struct run_fused {
		const struct oclmm_program *program, *fused;
	} * fused;
	size_t fused_count, fused_capacity;
	struct oclmm_arena *arena; /* theirs; NULL: there are none */
};

/* Checks the options and reads the files that they name; needs no device yet. Returns 0 or the
 * status to leave with. */
int run_environments_take(struct run_environments *environments, const struct command *command,
                          const struct run_options *options);
/*
 * Where the options name none, reads the user's profiles of the device; says on
 * standard error what is used. Returns 0 or the status to leave with.
 */
int run_environments_open(struct run_environments *environments, const struct command *command,
                          const struct run_options *options, const struct oclmm_device_info *info);
/* Whether a test that is named, and of which fewer instances may be asked, would have others by
 * default: then a command that repeats its launches names them. */
bool run_environments_are_special(const struct run_environments *environments);
void run_environments_finish(struct run_environments *environments);

/*
 * The environments of a test. A test and its controls get the same ones: they are chosen for the
 * weakest control that they share, and fitted to the needs of all of them. Returns the profile that
 * they are from, or NULL; the set's count is 0 where the test has no kernel.
 */
const struct oclmm_profile *run_environments_choose(struct run_environments *environments,
                                                    const struct oclmm_device_info *info,
                                                    const struct chosen *test,
                                                    struct oclmm_environment_set *ret_set);
/* The variant at the end of the chain of controls: the weakest one. */
const struct oclmm_variant *run_weakest(const struct oclmm_litmus *litmus,
                                        const struct oclmm_variant *variant);
/* What a variant without control, and all that it controls, need of an environment. Returns 0 or
 * negative. */
int run_joint_plan(const struct oclmm_litmus *litmus, const struct oclmm_variant *weakest,
                   struct oclmm_kernel_plan *ret_plan);
/* The plan of a program whose answer need not be known. Returns 0 or negative. */
int run_plan(const struct oclmm_program *program, struct oclmm_kernel_plan *ret_plan);
/* What a device is given to play a program: a text of its threads where these meet at barriers in
 * branches or loops, else the program. The same one at each call. */
const struct oclmm_program *run_for_device(struct run_environments *environments,
                                           const struct oclmm_program *program);
/* Whether there is something to run a program with: kernels that play it, or calls. */
bool run_can_play(const struct oclmm_program *program);

#endif
