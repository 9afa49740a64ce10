// SPDX-License-Identifier: Apache-2.0
/* Which tests of commands can show a plant in calls: those that make the calls it changes. */
#ifndef OCLMM_RUNNER_PLANTED_CONCERN_CALLS_H
#define OCLMM_RUNNER_PLANTED_CONCERN_CALLS_H

#include "concern.h"

enum concern concern_of_calls(const struct plant *plant, const struct concerned *test);

#endif
