// SPDX-License-Identifier: Apache-2.0
/**
 * \file
 * Launches of some sizes alone, as a bug may be of: numbers of work-groups and of work-items.
 */
#ifndef OCLMM_RUNNER_PROFILE_SIZES_H
#define OCLMM_RUNNER_PROFILE_SIZES_H

#include "profile.h"

/** Which numbers are asked for; all zero: any. */
struct oclmm_numbers {
	uint32_t least, most; /**< 0: there is no such bound */
	uint32_t no_multiple; /**< of this; 0: any */
};

/** Of all work-groups of a launch, those that only stress among them, and of the work-items of
 * each. */
struct oclmm_sizes {
	struct oclmm_numbers groups, lanes;
};

/**
 * Reads `groups=16 lanes=2-`, one of them or both. Numbers are `16`, `16-` (or more), `-16` (or
 * less), `2-16`, or `!3` (no multiple of it).
 * \return 0, or -EINVAL with the place in `error`, counted from column 1 of line 1.
 */
int oclmm_sizes_parse(const char *text, struct oclmm_error *error, struct oclmm_sizes *ret_sizes);
/** Whether all launches of an environment have such sizes. */
bool oclmm_sizes_met(const struct oclmm_sizes *sizes, const struct oclmm_environment *environment,
                     const struct oclmm_kernel_plan *plan);
/** The number of work-groups next to one that is asked for. */
uint32_t oclmm_sizes_groups(const struct oclmm_sizes *sizes, uint32_t groups);
/**
 * Leaves of a set what has launches of such sizes, and where nothing has, changes all of it: so
 * many groups and work-items, and no more instances where that can be. What then does not fit the
 * program or the device oclmm_environment_check() refuses.
 */
void oclmm_sizes_narrow(const struct oclmm_sizes *sizes, const struct oclmm_device_info *info,
                        const struct oclmm_kernel_plan *plan, struct oclmm_environment_set *set);

#endif
