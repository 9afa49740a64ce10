// SPDX-License-Identifier: Apache-2.0
/* Programs in many sizes and group sizes, for a picture of their times. */
#ifndef OCLMM_RUNNER_IDIOM_SWEEP_H
#define OCLMM_RUNNER_IDIOM_SWEEP_H

#include "idiom.h"
#include "plot.h"

/* Runs what the request says now. */
typedef void idiom_try_fn(void *data, struct idiom_result *ret_result);

/* Whether there is anything to sweep: such a form, and elements. */
bool idiom_has_sizes(const struct idiom_request *request);

/*
 * Tries request->program in sizes up to request->size (or its own) and, unless the request names
 * one, group sizes; `request` is changed from try to try, and is as before in the end. What is not
 * right leaves a gap, and what is refused ends a line. The panel is the caller's to finish.
 */
void idiom_sweep(struct idiom_request *request, idiom_try_fn *try, void *data,
                 struct plot_panel *panel);
void idiom_sweep_finish(struct plot_panel *panel);

#endif
