// SPDX-License-Identifier: Apache-2.0
/*
 * The command that writes tests: from cycles, from the names of shapes, all of a size.
 *
 * May see: select, tight.
 */
#ifndef OCLMM_RUNNER_GENERATE_GENERATE_H
#define OCLMM_RUNNER_GENERATE_GENERATE_H

#include "oclmm/cycle.h"

#endif
