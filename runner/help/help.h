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

struct complete_commands {
	const struct command *const *commands;
	size_t count;
};

/* The option that all commands have. */
extern const struct option_spec help_option;

/* The script of a shell on standard output. Returns 0 or the status to leave with. */
int complete_print(const char *shell, const struct complete_commands *commands);
/* What only the installed suite knows: `tests` or `profiles`, a line each; silent where there is
 * none. */
int complete_list(const char *what);

/* manual.c: oclmm(1) on standard output. */
void manual_print(const struct complete_commands *commands);

#endif
