// SPDX-License-Identifier: Apache-2.0
/* What is said of a pattern that no test answers to. */
#ifndef OCLMM_RUNNER_SELECT_GUESS_H
#define OCLMM_RUNNER_SELECT_GUESS_H

#include <stddef.h>

/* Says it on standard error, with the name among those there are that was meant, if any is near.
 * `of` is the file whose tests the pattern was of; NULL: it was of all. */
void guess_test(const char *pattern, const char *of, const char *const *names, size_t count);

#endif
