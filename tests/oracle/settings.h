// SPDX-License-Identifier: Apache-2.0
/** \file Inside the reference oracle: the settings of a program. */
#ifndef ORACLE_SETTINGS_H
#define ORACLE_SETTINGS_H

#include "reference.h"

/** Lists the settings that can differ; the first four have all knobs at their defaults. */
unsigned list_settings(const struct oclmm_program *program, struct reference_setting *ret_settings);

/** The knobs that can matter, as a set of 1u << enum oclmm_knob. */
unsigned knobs_that_matter(const struct oclmm_program *program);

/** read_mem_fence or write_mem_fence, K11. */
bool is_one_way_fence(const struct oclmm_fence *fence);

#endif
