// SPDX-License-Identifier: Apache-2.0
/* The search for tight tests as a command: progress on disk, and the list at the end. */
#ifndef OCLMM_RUNNER_GENERATE_TIGHT_H
#define OCLMM_RUNNER_GENERATE_TIGHT_H

#include <stdbool.h>

#include "select/shard.h"

struct tight_options {
	unsigned edges;
	bool no_updates;
	bool brute;
	unsigned jobs;      /* 0: one for each processor */
	struct shard shard; /* of the forms; all that is written of one is PATH.part */
	const char *path;   /* of the list; what is found before the end is in PATH.part */
};

/* Returns the status to leave with. */
int tight_run(const struct tight_options *options);

#endif
