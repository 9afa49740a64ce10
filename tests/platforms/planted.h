// SPDX-License-Identifier: Apache-2.0
/* Failures of the system in what ends a process with the one that started it: each system has a
 * file of them. */
#ifndef OCLMM_TESTS_PLATFORMS_PLANTED_H
#define OCLMM_TESTS_PLATFORMS_PLANTED_H

#include <stdbool.h>

/* The variable that names the failure, for the programs that a test starts. */
#define PLANTED "OCLMM_TEST_PLANTED"

/* The system says that it did what it was asked, and did not: whoever was started stays. Up to
 * NULL. */
extern const char *const planted_stays[];
/* It says that it cannot, so that nobody may be started. Up to NULL. */
extern const char *const planted_refusals[];
/* Whether the process that the last refusal was about has ended, which is waited for. */
bool planted_is_gone(double seconds);

#endif
