// SPDX-License-Identifier: Apache-2.0
/*
 * Completions for shells and the manual, written from the tables that the
 * commands are: what is completed exists, and what exists is completed.
 *
 * May see: select, report.
 */
#ifndef OCLMM_RUNNER_HELP_HELP_H
#define OCLMM_RUNNER_HELP_HELP_H

#include "cli/cli.h"

struct help_commands {
	const struct command *const *commands;
	size_t count;
};

/* What --man, --completion SHELL and --complete WHAT, the first argument, ask for, on standard
 * output. Returns 0 or the status to leave with. */
int help_print(int argc, char **argv, const struct help_commands *commands);

#endif
