// SPDX-License-Identifier: Apache-2.0
/*
 * The commands that ask no device: which tests there are, what they say, what
 * the specification allows, and why.
 *
 * May see: select, api, picture, control, grade, cycle, kernels.
 */
#ifndef OCLMM_RUNNER_ORACLE_ORACLE_H
#define OCLMM_RUNNER_ORACLE_ORACLE_H

#include "cli/json.h"

#endif
