// SPDX-License-Identifier: Apache-2.0
/*
 * The command that writes tests: from cycles, from the names of shapes, all of a size; and kernels
 * that are drawn.
 *
 * May see: process, select, tight.
 */
#ifndef OCLMM_RUNNER_GENERATE_GENERATE_H
#define OCLMM_RUNNER_GENERATE_GENERATE_H

#include "cli/commands.h"

#endif
