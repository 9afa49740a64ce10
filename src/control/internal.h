// SPDX-License-Identifier: Apache-2.0
/* What the files of controls share. */
#ifndef OCLMM_CONTROL_INTERNAL_H
#define OCLMM_CONTROL_INTERNAL_H

#include "oclmm/control.h"

/* Fills in what oclmm_controls_derive() gives for a text that work-items share. */
void oclmm_controls_derive_of_text(struct oclmm_controls *controls,
                                   const struct oclmm_program *program,
                                   const struct oclmm_expected *expected, uint32_t limit);

#endif
