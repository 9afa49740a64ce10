// SPDX-License-Identifier: Apache-2.0
/* What oclmm show prints that takes more than a few lines. */
#ifndef OCLMM_RUNNER_ORACLE_SHOW_H
#define OCLMM_RUNNER_ORACLE_SHOW_H

#include "oclmm/model.h"
#include "oclmm/syntax.h"

/* cmd_show.c: the oracle's answer, whose outcome space kernels count by. Returns 0 or the status to
 * leave with. */
int show_ask(const struct oclmm_program *program, struct oclmm_answer **ret_answer);
/* show_il.c: the test's kernels as a producer of this machine makes them, and whether they are the
 * test; `producer` NULL: the first there is. Returns 0 or the status to leave with. */
int show_il(const struct oclmm_variant *variant, const char *producer);

#endif
