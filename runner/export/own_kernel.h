// SPDX-License-Identifier: Apache-2.0
/* A kernel of somebody's own as one C file. */
#ifndef OCLMM_RUNNER_EXPORT_OWN_KERNEL_H
#define OCLMM_RUNNER_EXPORT_OWN_KERNEL_H

#include "kernels/kernels.h"

/**
 * Writes the file; `name` is its own, for its head. \return 0; -ENOTSUP for what cannot stand
 * alone, which `error` names
 */
int export_kernel(const struct kernel_file *file, const struct oclmm_kernel_answer *answer,
                  const char *name, struct oclmm_error *error, struct oclmm_text *ret_file);

#endif
