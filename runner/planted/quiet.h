// SPDX-License-Identifier: Apache-2.0
/* Whether a bug of orders that survived can show on the machine at all. */
#ifndef OCLMM_RUNNER_PLANTED_QUIET_H
#define OCLMM_RUNNER_PLANTED_QUIET_H

#include "trial.h"

/*
 * A machine may be stronger than its model. So the tests of a bug of orders that survived are run
 * with the strongest such bug: all is relaxed, no fence is left, and no scope, where the bug is in
 * scopes. What each part of that may do, the whole may. Where it shows nothing either, in as many
 * instances of each of these tests, the bug is quiet: no test could have told. Else the tests in
 * which it shows get the bug again.
 */

/* The bug is one of orders or scopes, of which that is asked. */
bool quiet_is_asked(const struct plant *plant);
void quiet_ask(struct trial *trial);

#endif
