// SPDX-License-Identifier: Apache-2.0
/*
 * Who plays the roles of a launch. A role is a thread of the program; a *part*
 * of a session is some of its roles with the executor that plays them: a kernel on the
 * device's queue. The draw, the layout, the counting and the record of a launch
 * know nothing of executors; they are called once per launch and part, never per instance.
 */
#ifndef OCLMM_RUNNER_STRESS_EXECUTOR_H
#define OCLMM_RUNNER_STRESS_EXECUTOR_H

#include "environment.h"

struct oclmm_range;
struct oclmm_slot;

/* What all parts of a launch are told. */
struct oclmm_launch {
	const struct oclmm_environment *environment;
	const struct oclmm_parameters *parameters; /* as drawn; the same for all */
	struct oclmm_slot *slot;
	const struct oclmm_range *range; /* of its kernels */
};

struct oclmm_executor {
	/* Begins to play, and does not wait for the end. */
	int (*start)(void *data, const struct oclmm_launch *launch, struct oclmm_error *error);
	/*
	 * Waits, a bounded time, until all is played that was started, and
	 * what it wrote can be read by the commands that are queued from then on. Comes once for
	 * every start that gave 0. NULL: such commands run after it by themselves.
	 */
	int (*join)(void *data, const struct oclmm_launch *launch, struct oclmm_error *error);
};

/* Roles and who plays them. */
struct oclmm_part {
	const struct oclmm_executor *executor;
	void *data;     /* the executor's */
	uint32_t roles; /* set of 1u << index of a thread */
};

/* Whether each role is in one part. \return 0, or -EINVAL naming the role. */
int oclmm_parts_check(const struct oclmm_part *parts, uint32_t count, uint32_t roles,
                      struct oclmm_error *error);
/*
 * Starts all parts of a launch, in order, and joins them. Where one cannot start, those before it
 * are joined all the same. \return 0 or the first error.
 */
int oclmm_parts_play(const struct oclmm_part *parts, uint32_t count,
                     const struct oclmm_launch *launch, struct oclmm_error *error);

#endif
