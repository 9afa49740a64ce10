// SPDX-License-Identifier: Apache-2.0
/* An explanation as one JSON object in a line. */
#ifndef OCLMM_RUNNER_EXPLAIN_JSON_H
#define OCLMM_RUNNER_EXPLAIN_JSON_H

#include "oclmm/explain.h"

void explain_print_json(struct oclmm_text *text, const struct oclmm_explanation *explanation);

#endif
