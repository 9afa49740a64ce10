// SPDX-License-Identifier: Apache-2.0
/* Which tests a plant's rule concerns: those whose own statements it would change. */
#ifndef OCLMM_RUNNER_PLANTED_CONCERN_H
#define OCLMM_RUNNER_PLANTED_CONCERN_H

#include "oclmm/ir.h"
#include "saboteur/saboteur.h"

/* How early a test is tried under a plant. */
enum concern {
	CONCERN_STRONG,  /* changed, names a control, and has seq_cst operations: most is forbidden
	                    there */
	CONCERN_CONTROL, /* changed, and names a control, so that something is forbidden */
	CONCERN_CHANGED,
	CONCERN_NONE,
	CONCERN_COUNT,
};

/* `control`: the test names one. */
enum concern concern_of(const struct saboteur_plant *plant, const struct oclmm_program *program,
                        bool control);

#endif
