// SPDX-License-Identifier: Apache-2.0
/* How the parts of a results file are read: what the readers of its lines share. */
#ifndef OCLMM_REPORT_RESULTS_H
#define OCLMM_REPORT_RESULTS_H

#include "lines.h"

/* Reads a `test` line; what is kept lives in the line's arena. Adds its outcomes to `pieces`, in
 * their canonical form, where it is not NULL. */
int results_read_test(const struct line *line, json_t *object, struct oclmm_text *pieces,
                      struct oclmm_saved *ret_saved);
/* Reads an outcome's values in the order of the program's observables. */
int results_read_values(const struct line *line, struct oclmm_program *program, json_t *object,
                        int64_t *values);
/* Reads the object `evidence` of a record whose other fields are there. */
int results_read_evidence(const struct line *line, json_t *object, struct oclmm_program *program,
                          struct oclmm_record *record);

#endif
