// SPDX-License-Identifier: Apache-2.0
/* A line on a terminal's standard error that tells how far a long command is; nothing in a pipe. */
#ifndef OCLMM_RUNNER_CLI_PROGRESS_H
#define OCLMM_RUNNER_CLI_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

struct progress {
	bool shown; /* standard error is a terminal */
	bool drawn; /* a line stands there now */
	size_t total;
	double started;
	double most; /* seconds that the whole takes at most; 0: not known */
	double last_drawn;
};

void progress_begin(struct progress *progress, size_t total);
/* `done` of the total are finished, and `fraction` of the next, called `name`. */
void progress_update(struct progress *progress, size_t done, double fraction, const char *name);
/* Takes the line away, so that other text may be printed. */
void progress_clear(struct progress *progress);

#endif
