// SPDX-License-Identifier: Apache-2.0
#ifndef OCLMM_REPORT_RESULTS_H
#define OCLMM_REPORT_RESULTS_H

#include "fields.h"
#include "oclmm/report.h"

/* Reads a `test` line; what is kept lives in the line's arena. */
int results_read_test(const struct line *line, json_t *object, struct oclmm_saved *ret_saved);

#endif
