// SPDX-License-Identifier: Apache-2.0
/* Launches without a device. */
#ifndef OCLMM_TESTS_STRESS_PLAY_H
#define OCLMM_TESTS_STRESS_PLAY_H

#include "stress/environment.h"

/*
 * Plays a launch on the host without its memory accesses, and checks that every
 * role meets every instance once, that roles of one litmus work-group share a
 * place and no lane, that those of different ones share no place, that those of
 * one litmus sub-group and no others share a sub-group where the program is
 * placed in them, and that no two slots of any locations overlap.
 * \return 0, or -EINVAL with what is wrong.
 */
int play_launch(const struct oclmm_parameters *parameters, const struct oclmm_program *program,
                const struct oclmm_kernel_plan *plan, struct oclmm_error *error);

#endif
