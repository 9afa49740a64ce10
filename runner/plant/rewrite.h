// SPDX-License-Identifier: Apache-2.0
/* Plants a bug into the text of a program. Knows no OpenCL and no file. */
#ifndef OCLMM_RUNNER_PLANT_REWRITE_H
#define OCLMM_RUNNER_PLANT_REWRITE_H

#include "oclmm/base.h"
#include "plant.h"

/*
 * Writes OpenCL C in which the plant's bug is written out, in portable terms:
 * atomic functions, volatile accesses, statement expressions and __typeof__.
 * Whatever is not concerned, white space and comments too, stays as it was.
 * A plant that acts by launch is written out for the launches in which it acts.
 * \param ret_text holds the result, the caller's to finish
 * \return the number of places that were changed; 0: the text is the same
 */
size_t plant_rewrite(const struct plant *plant, const char *source, size_t length,
                     struct oclmm_text *ret_text);

#endif
