// SPDX-License-Identifier: Apache-2.0
/**
 * \file
 * All litmus files below a folder, parsed; and complaints that name them.
 */
#ifndef TESTS_SUITE_FOLDER_H
#define TESTS_SUITE_FOLDER_H

#include <string.h>

#include "oclmm/syntax.h"

/** The number of complaints so far: the test's exit status is whether there are any. */
extern unsigned complaints;
/** Complains about a file or variant, on stderr. */
void complain(const char *name, const char *format, ...) OCLMM_PRINTF(2, 3);

/**
 * Calls `visit` for every litmus file one folder below `root`, in the order of
 * their names. A file that is refused is complained about and left out.
 * \return the number of files visited
 */
size_t visit_folder(const char *root, void (*visit)(const struct oclmm_litmus *litmus, void *data),
                    void *data);

/** The same for `most` files at a time, or what is left of them. */
size_t visit_folder_by(size_t most, const char *root,
                       void (*visit)(struct oclmm_litmus *const *litmus, size_t count, void *data),
                       void *data);

/** Whether a test that takes one in so many takes this one: of each file the first, and of the
 * others those that their hash chooses. */
static inline bool is_sampled(const struct oclmm_litmus *litmus, uint32_t variant,
                              unsigned long one_in)
{
	return variant == 0 || litmus->variants[variant].program->hash % one_in == 0;
}

/** What no device is given, for the oracle to answer alone: fine-grained memory of both kinds. */
static inline bool is_for_the_oracle(const char *name)
{
	static const char whole[] = "MP+rel+acq+na+fine";

	return strncmp(name, whole, sizeof(whole) - 1) == 0;
}

/** Whether work-items of one text get values of collective functions: what these are, only a run
 * step by step tells, and no search of executions. */
bool has_given_values(const struct oclmm_program *program);

#endif
