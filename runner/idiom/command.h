// SPDX-License-Identifier: Apache-2.0
/* The command `idiom` at work: what was asked for, and the device that was found. */
#ifndef OCLMM_RUNNER_IDIOM_COMMAND_H
#define OCLMM_RUNNER_IDIOM_COMMAND_H

#include "idiom.h"
#include "run/choose.h"

struct idiom_command {
	const struct command *command;
	struct idiom_request request;
	const char *device;
	const char *plot;
	const struct run *run; /* the device */
	double timeout;
	bool json;
	bool no_wait;
	double wait;
};

/* Prints a result of idiom->request; returns the exit status for it. */
int idiom_say(const struct idiom_command *idiom, const struct idiom_result *result);
/* Of two exit statuses: a wrong answer before anything else, then what kept a program from running.
 */
int idiom_worse(int a, int b);

/* draw.c: the programs in sizes and group sizes, as the picture idiom->plot. */
int idiom_draw(struct idiom_command *idiom, char **names, int count);

#endif
