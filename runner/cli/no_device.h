// SPDX-License-Identifier: Apache-2.0
/* What all commands say that need a device where there is none. */
#ifndef OCLMM_RUNNER_CLI_NO_DEVICE_H
#define OCLMM_RUNNER_CLI_NO_DEVICE_H

#include "cli.h"

/* Says on standard error that there is no device and what to install. Returns 77. */
int no_device(const struct command *command);

#endif
