// SPDX-License-Identifier: Apache-2.0
/* Which lie a layer of the loader is asked to tell, and from when on. */
#ifndef OCLMM_TESTS_FAULTS_LIE_H
#define OCLMM_TESTS_FAULTS_LIE_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* OCLMM_LIE names it, OCLMM_LIE_AFTER how many launches come before it. */
static inline bool lie_is_due(const char *lie, unsigned launched)
{
	const char *told = getenv("OCLMM_LIE"), *after = getenv("OCLMM_LIE_AFTER");

	return told && strcmp(told, lie) == 0 &&
	       launched >= (after ? (unsigned)strtoul(after, NULL, 10) : 0);
}

#endif
