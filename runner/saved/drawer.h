// SPDX-License-Identifier: Apache-2.0
/*
 * Pictures of executions, drawn in a child process. Graphviz leaks, and some
 * of its releases overwrite memory or loop on graphs that they do not like; a
 * report with thousands of results must not be lost to one picture.
 */
#ifndef OCLMM_RUNNER_SAVED_DRAWER_H
#define OCLMM_RUNNER_SAVED_DRAWER_H

#include <sys/types.h>

#include "oclmm/ir.h"

/* Zero-initialise. The child starts with the first picture. */
struct drawer {
	pid_t child; /* 0: none */
	int socket;
	size_t failed; /* pictures that were given up */
};

/*
 * Draws an outcome, written as a condition. The program must have been there,
 * unchanged, since before the first picture: the child has a copy of it.
 * Returns a malloc-ed SVG, or NULL where there is none.
 */
char *drawer_draw(struct drawer *drawer, const struct oclmm_program *program, const char *outcome);
/* Ends the child. */
void drawer_finish(struct drawer *drawer);

#endif
