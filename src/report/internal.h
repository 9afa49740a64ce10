// SPDX-License-Identifier: Apache-2.0
/* The sentences that several kinds of report have in common. */
#ifndef OCLMM_REPORT_INTERNAL_H
#define OCLMM_REPORT_INTERNAL_H

#include "oclmm/report.h"

/* Prints one outcome of a record: `0:r0=0; 1:r0=1;`. */
void oclmm_report_outcome(struct oclmm_text *text, const struct oclmm_record *record,
                          const int64_t *values);
/* All that is to be said of a record: its block with at most `most` rows of the histogram, what
 * its silence is worth, and the command that repeats what is forbidden. */
void oclmm_report_whole(struct oclmm_text *text, const struct oclmm_run_header *header,
                        const struct oclmm_record *record, uint32_t most);
/* The command that repeats this test alone. */
void oclmm_report_replay(struct oclmm_text *text, const struct oclmm_run_header *header,
                         const struct oclmm_record *record);
/* A comment of the herd tools and of TAP for each device: what ran there. `end` follows each line.
 */
void oclmm_report_runs(struct oclmm_text *text, const struct oclmm_run_header *first,
                       const char *end);
/* The number after a blank, of the device of a record. */
void oclmm_report_label(struct oclmm_text *text, const struct oclmm_run_header *first,
                        const struct oclmm_record *record);
/* In one line, what a verdict is for: the outcomes, the missing feature, the message, the
 * expectation. */
void oclmm_report_reason(struct oclmm_text *text, const struct oclmm_record *record);
/* Whether something went wrong that does not fail the run: the device does not claim what the test
 * needs. */
bool oclmm_report_is_excused(const struct oclmm_grade *grade);
/* A verdict in one of the four words that other tools know. */
enum oclmm_report_result {
	OCLMM_RESULT_PASS,
	OCLMM_RESULT_FAILURE,
	OCLMM_RESULT_ERROR,
	OCLMM_RESULT_SKIPPED,
	OCLMM_RESULT_COUNT
};
enum oclmm_report_result oclmm_report_result(const struct oclmm_run_header *header,
                                             const struct oclmm_record *record);
/* What a run may claim, in one sentence that counts every test once: `verdict: pass: of ...`. */
void oclmm_report_verdict(struct oclmm_text *text, const struct oclmm_tally *tally,
                          enum oclmm_exit status);
/* The same and what was left out, each a line between `before` and `after`. */
void oclmm_report_verdict_lines(struct oclmm_text *text, const struct oclmm_tally *tally,
                                enum oclmm_exit status, const char *before, const char *after);
/* Breaks lines that are too wide, but for commands: those are for a shell. */
void oclmm_report_wrap(struct oclmm_text *text);
/* Many readers keep numbers as doubles, which are exact up to here. */
#define OCLMM_RESULTS_MOST ((uint64_t)1 << 53)

#endif
