// SPDX-License-Identifier: Apache-2.0
/* Plants that cannot show on some devices, as a file that people review. */
#ifndef OCLMM_RUNNER_PLANTED_EQUIVALENTS_H
#define OCLMM_RUNNER_PLANTED_EQUIVALENTS_H

#include "oclmm/base.h"
#include "plant/plant.h"

/*
 * Plants that cannot show on some devices, as a file that people review. One
 * line each, six fields divided by `|`, `#` begins a comment:
 *
 *     plant | platform | device | machine | argument | how it was seen
 *
 * Platform, device and machine (as uname has it) are patterns as of the shell.
 */
struct equivalent {
	struct plant plant; /* and every part of it */
	const char *platform, *device, *machine;
	const char *argument;
	const char *seen;
};

struct equivalents {
	struct equivalent *lines;
	size_t count, capacity;
	char *text;
};

/* Returns 0; -EINVAL with a position; another errno value where the file cannot be read. */
int equivalents_read(struct equivalents *equivalents, const char *path, struct oclmm_error *error);
void equivalents_finish(struct equivalents *equivalents);
/* The first line that holds for a plant on a device, or NULL. */
const struct equivalent *equivalents_find(const struct equivalents *equivalents,
                                          const struct plant *plant, const char *platform,
                                          const char *device, const char *machine);

#endif
