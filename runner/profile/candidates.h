// SPDX-License-Identifier: Apache-2.0
/**
 * \file
 * Environments to try: drawn, changed, and made to fit. All of it is a pure
 * function of the key, and what comes out is never refused by
 * oclmm_environment_check().
 */
#ifndef OCLMM_RUNNER_PROFILE_CANDIDATES_H
#define OCLMM_RUNNER_PROFILE_CANDIDATES_H

#include "stress/environment.h"

/** Draws an environment from all ranges that are known to matter on a device of this kind. */
struct oclmm_environment oclmm_environment_draw(uint64_t key, const struct oclmm_device_info *info,
                                                const struct oclmm_kernel_plan *plan);
/** A good environment with a few fields changed: doubled, halved, drawn anew, or another good
 * one's. */
struct oclmm_environment oclmm_environment_mutate(uint64_t key,
                                                  const struct oclmm_environment *parent,
                                                  const struct oclmm_environment *other,
                                                  const struct oclmm_device_info *info,
                                                  const struct oclmm_kernel_plan *plan);
/**
 * Changes as little as the device and the program ask for: one tuned for
 * another test or on another device then serves here, too. Fields that fit
 * stay; one that fits altogether is not changed at all.
 */
void oclmm_environment_fit(struct oclmm_environment *environment,
                           const struct oclmm_device_info *info,
                           const struct oclmm_kernel_plan *plan);
/**
 * Keeps a launch short and small: a candidate that takes a second a launch
 * cannot be compared within a fraction of one.
 */
void oclmm_environment_bound(struct oclmm_environment *environment,
                             const struct oclmm_device_info *info,
                             const struct oclmm_kernel_plan *plan);

/** What a program asks of an environment, together with what others do: the larger of each. */
void oclmm_plan_join(struct oclmm_kernel_plan *plan, const struct oclmm_kernel_plan *other);

#endif
