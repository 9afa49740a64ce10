// SPDX-License-Identifier: Apache-2.0
#ifndef OCLMM_REPORT_INTERNAL_H
#define OCLMM_REPORT_INTERNAL_H

#include "oclmm/report.h"

/* Prints one outcome of a record: `0:r0=0; 1:r0=1;`. */
void report_outcome(struct oclmm_text *text, const struct oclmm_record *record, const int64_t *values);
/* Prints ` # forbidden`, ` # disputed K2` or nothing. */
void report_row_comment(struct oclmm_text *text, const struct oclmm_graded_row *row);
/* `Never`, `Sometimes`, `Always` of what was seen. */
const char *report_observed_word(const struct oclmm_grade *grade);
/* The command that repeats this test alone. */
void report_replay(struct oclmm_text *text, const struct oclmm_run_header *header,
                   const struct oclmm_record *record);
/* The closing sentences of a run: verdict, and what was left out. */
void report_closing(struct oclmm_text *text, const struct oclmm_tally *tally, enum oclmm_exit status);

#endif
