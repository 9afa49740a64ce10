// SPDX-License-Identifier: Apache-2.0
#ifndef OCLMM_EXPECT_INTERNAL_H
#define OCLMM_EXPECT_INTERNAL_H

#include "oclmm/expect.h"

struct oclmm_expected_file {
	struct oclmm_arena *arena;
	const char *litmus;
	struct oclmm_expected **entries;
	size_t count;
	size_t capacity;
};

/* Appends an empty entry; the caller fills it from the file's arena. */
struct oclmm_expected *expected_append(struct oclmm_expected_file *file);

/* -1, 0, 1 by the tuples' order. */
int expected_compare_tuples(const int64_t *a, const int64_t *b, uint32_t width);

/* Sets count, stride and size from the domains' values. */
void expected_finish_space(struct oclmm_outcome_space *space);

/* Prints `0:r0=0; 1:r0=1;`. */
void expected_print_state(struct oclmm_text *text, const struct oclmm_expected *expected,
                          const int64_t *values);

/* The first line of a file, up to the name of the litmus file and after it. */
#define EXPECTED_INTRODUCTION     "# Allowed sets of "
#define EXPECTED_INTRODUCTION_END ", written by \"oclmm check --write\"\n"

#endif
