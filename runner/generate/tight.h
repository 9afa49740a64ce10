// SPDX-License-Identifier: Apache-2.0
/* The search for tight tests as a command: progress on disk, and the list at the end. */
#ifndef OCLMM_RUNNER_GENERATE_TIGHT_H
#define OCLMM_RUNNER_GENERATE_TIGHT_H

#include <stdbool.h>

struct tight_options {
	unsigned edges;
	bool updates;
	bool brute;
	unsigned jobs;    /* 0: one for each processor */
	const char *path; /* of the list; what is found before the end is in PATH.part */
};

/* Returns the status to leave with. */
int tight_run(const struct tight_options *options);

#endif
