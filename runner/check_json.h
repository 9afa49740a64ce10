// SPDX-License-Identifier: Apache-2.0
#ifndef OCLMM_RUNNER_CHECK_JSON_H
#define OCLMM_RUNNER_CHECK_JSON_H

#include "oclmm/model.h"

/* Prints an answer as one line of JSON: every model asked for, its states and its race. */
void check_print_json(struct oclmm_text *text, const struct oclmm_answer *answer);

#endif
