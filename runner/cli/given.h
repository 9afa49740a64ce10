// SPDX-License-Identifier: Apache-2.0
/* Which options a command line has so far, and whether one more goes with them. */
#ifndef OCLMM_RUNNER_CLI_GIVEN_H
#define OCLMM_RUNNER_CLI_GIVEN_H

#include "cli.h"

enum { MAX_OPTIONS = 64 };

struct given {
	const char *values[MAX_OPTIONS]; /* by index into the table; "" where it takes none */
};

/* Returns 0, or OPTIONS_ERROR after a message: of two values, or of two options of which one goes,
 * neither is what was meant. */
int given_add(struct given *given, const struct command *command, int index, const char *value);

#endif
