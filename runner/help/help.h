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

/* What may stand for a value or an argument. */
enum complete_kind {
	COMPLETE_ANYTHING, /* nothing is offered */
	COMPLETE_WORDS,    /* these */
	COMPLETE_FILES,
	COMPLETE_FOLDERS,
	COMPLETE_TESTS,    /* names of tests, and files */
	COMPLETE_PROFILES, /* names of profiles, and files */
	COMPLETE_LISTED, /* what oclmm list prints for the value `list` of the option in `words` */
};

struct complete_value {
	enum complete_kind kind;
	struct oclmm_text words; /* divided by blanks */
};

struct complete_commands {
	const struct command *const *commands;
	size_t count;
};

/* Finish `words` afterwards. */
/* That of all commands. */
extern const struct option_spec help_option;
void complete_option(const struct option_spec *option, struct complete_value *ret_value);
enum complete_kind complete_arguments(const struct command *command);

/* The script of a shell on standard output. Returns 0 or the status to leave with. */
int complete_print(const char *shell, const struct complete_commands *commands);
/* What only the installed suite knows: `tests` or `profiles`, a line each; silent where there is
 * none. */
int complete_list(const char *what);

void complete_bash(const struct complete_commands *commands, struct oclmm_text *text);
void complete_zsh(const struct complete_commands *commands, struct oclmm_text *text);
void complete_fish(const struct complete_commands *commands, struct oclmm_text *text);

/* manual.c: oclmm(1) on standard output. */
void manual_print(const struct complete_commands *commands);

#endif
