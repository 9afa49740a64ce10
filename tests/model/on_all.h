// SPDX-License-Identifier: Apache-2.0
/* Many programs on all processors: oclmm_check() in several threads, each of which keeps its
 * memory. */
#ifndef OCLMM_TESTS_MODEL_ON_ALL_H
#define OCLMM_TESTS_MODEL_ON_ALL_H

#include "oclmm/model.h"

/* Gets the answer of programs[index], in one of the threads; NULL, and why, unless `result` is 0.
 */
typedef void (*on_all_answered)(void *data, size_t index, int result,
                                const struct oclmm_answer *answer, const struct oclmm_error *error);

/* `threads` may be 0: one for each processor there is. */
void on_all_check(const struct oclmm_program *const *programs, size_t count,
                  const struct oclmm_check_options *options, unsigned threads,
                  on_all_answered answered, void *data);

#endif
