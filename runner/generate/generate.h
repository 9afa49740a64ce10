// SPDX-License-Identifier: Apache-2.0
/*
 * The command that writes tests: from cycles, from the names of shapes, all of a size; and kernels
 * that are drawn.
 *
 * May see: select, tight.
 */
#ifndef OCLMM_RUNNER_GENERATE_GENERATE_H
#define OCLMM_RUNNER_GENERATE_GENERATE_H

#include "oclmm/cycle.h"

/* The litmus file of kernel `number` of those that a seed draws. */
void generate_kernel(uint64_t seed, uint64_t number, const char *name, struct oclmm_text *ret_text);

#endif
