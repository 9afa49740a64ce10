// SPDX-License-Identifier: Apache-2.0
/* The run that every report here is made of, with one test of each kind. */
#ifndef OCLMM_TESTS_REPORT_SAMPLE_H
#define OCLMM_TESTS_REPORT_SAMPLE_H

#include "../fixture/record.h"
#include "oclmm/report.h"

enum { SAMPLE_TESTS = 9 };

struct sample {
	struct oclmm_arena *arena;
	struct oclmm_expectations *expectations;
	struct made made[SAMPLE_TESTS];
	struct oclmm_record *records[SAMPLE_TESTS];
	struct oclmm_run_header header;
	struct oclmm_tally tally;
	enum oclmm_exit status;
};

/* Runs and judges: graded, confidence included. */
void sample_make(struct sample *sample, bool strict);
void sample_finish(struct sample *sample);
/* Writes a report of the sample as a run does, record by record. Grades once more on the way. */
void sample_report(struct sample *sample, const struct oclmm_report_kind *kind,
                   struct oclmm_text *text);
/* Its results in JSON; the caller frees them. */
char *sample_text(struct sample *sample);
/* The same with the first `from` replaced, which has to be there. */
char *sample_damage(const char *text, const char *from, const char *to);

#endif
