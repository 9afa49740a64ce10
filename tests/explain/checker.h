// SPDX-License-Identifier: Apache-2.0
/** \file Checks an explanation against its own execution, with rules written down a second time. */
#ifndef EXPLAIN_CHECKER_H
#define EXPLAIN_CHECKER_H

#include "oclmm/explain.h"

/** \return NULL when all that it claims holds, else what does not. */
const char *check_explanation(const struct oclmm_explanation *explanation);

#endif
