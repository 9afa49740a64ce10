// SPDX-License-Identifier: Apache-2.0
/* `--model NAME`, for every command that asks the oracle. */
#ifndef OCLMM_RUNNER_CLI_MODEL_OPTION_H
#define OCLMM_RUNNER_CLI_MODEL_OPTION_H

#include "cli/cli.h"
#include "oclmm/model.h"

/* An option_setter of an enum oclmm_model. OPTIONS_ERROR for an unknown name: what may have been
 * meant, and all there are, were printed. */
int option_model(const char *option, const char *name, void *ret_model);

#endif
