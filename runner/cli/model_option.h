// SPDX-License-Identifier: Apache-2.0
/* `--model NAME`, for every command that asks the oracle. */
#ifndef OCLMM_RUNNER_CLI_MODEL_OPTION_H
#define OCLMM_RUNNER_CLI_MODEL_OPTION_H

#include "cli/cli.h"
#include "oclmm/model.h"

/* OPTIONS_ERROR for an unknown name: what may have been meant, and all there are, were printed. */
int option_model(const struct command *command, const char *name, enum oclmm_model *ret_model);

#endif
