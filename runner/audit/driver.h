// SPDX-License-Identifier: Apache-2.0
/* Assembly out of the binaries that drivers give. */
#ifndef OCLMM_RUNNER_AUDIT_DRIVER_H
#define OCLMM_RUNNER_AUDIT_DRIVER_H

#include "oclmm/base.h"
#include "process/tool.h"

/* The machine whose code it holds, as of oclmm_machine_find(), or NULL where it is none that can be
 * read. */
const char *driver_machine(const struct oclmm_text *binary);
/* Its code as text. Returns 0, -EBADMSG, or -ENODEV without a disassembler. */
int driver_text(const struct oclmm_text *binary, struct tool_patience *patience,
                struct oclmm_error *error, struct oclmm_text *ret_text);

#endif
