// SPDX-License-Identifier: Apache-2.0
/* Which litmus files a pattern leaves out, told without parsing them. */
#ifndef OCLMM_RUNNER_SELECT_TEST_NAME_H
#define OCLMM_RUNNER_SELECT_TEST_NAME_H

#include <stdbool.h>

/* The name in the first line of a litmus file, malloc-ed; NULL where only a parser can tell, or say
 * what is wrong. */
char *test_name_peek(const char *path);

/* Whether `called` is the name of a test or of one of its variants, which are called
 * NAME.FEATURE=CHOICE…, by their names alone. */
bool test_name_may_be(const char *name, const char *called);

/*
 * Whether a pattern can choose a test or one of its variants; false is certain, true is not.
 */
bool test_name_may_match(const char *name, const char *pattern);

#endif
