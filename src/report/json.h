// SPDX-License-Identifier: Apache-2.0
/* Values as results files have them. */
#ifndef OCLMM_REPORT_JSON_H
#define OCLMM_REPORT_JSON_H

#include "lines.h"

/* An outcome by observable. */
json_t *json_values(const struct oclmm_program *program, const int64_t *values);
/* What a record's launches showed; it has some. */
json_t *json_evidence(const struct oclmm_record *record);

#endif
