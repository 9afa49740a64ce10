// SPDX-License-Identifier: Apache-2.0
/* The commands, one file each. */
#ifndef OCLMM_RUNNER_CLI_COMMANDS_H
#define OCLMM_RUNNER_CLI_COMMANDS_H

#include "cli.h"

extern const struct command command_audit;
extern const struct command command_baseline;
extern const struct command command_check;
extern const struct command command_compare;
extern const struct command command_devices;
extern const struct command command_explain;
extern const struct command command_export;
extern const struct command command_generate;
extern const struct command command_grade;
extern const struct command command_idiom;
extern const struct command command_list;
extern const struct command command_merge;
extern const struct command command_new;
extern const struct command command_planted;
extern const struct command command_playground;
extern const struct command command_report;
extern const struct command command_run;
extern const struct command command_show;
extern const struct command command_shrink;
extern const struct command command_tune;

/* Gives those that need no device what they use of one, and children what they do, in a program
 * that has OpenCL. */
void connect_devices(void);

#endif
