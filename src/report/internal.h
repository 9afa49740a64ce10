// SPDX-License-Identifier: Apache-2.0
/* Pieces of text that several kinds of report have in common. */
#ifndef OCLMM_REPORT_INTERNAL_H
#define OCLMM_REPORT_INTERNAL_H

#include "oclmm/report.h"

/* Prints one outcome of a record: `0:r0=0; 1:r0=1;`. */
void report_outcome(struct oclmm_text *text, const struct oclmm_record *record,
                    const int64_t *values);
/* Prints ` # forbidden`, ` # disputed K2` or nothing. */
void report_row_comment(struct oclmm_text *text, const struct oclmm_graded_row *row);
/* What was seen of one status, `98 x 0:r0=0; 1:r0=1;`: each on a line with its comment, or each
 * after a comma. */
void report_rows(struct oclmm_text *text, const struct oclmm_record *record,
                 enum oclmm_status status, bool lines);
/* litmus7's block, with so many rows of its histogram at most. */
void report_block(struct oclmm_text *text, const struct oclmm_record *record, uint32_t most);
/* `Never`, `Sometimes`, `Always` of what was seen. */
const char *report_observed_word(const struct oclmm_grade *grade);
/* The command that repeats this test alone. */
void report_replay(struct oclmm_text *text, const struct oclmm_run_header *header,
                   const struct oclmm_record *record);
/* `compiler 7.6e-06, hardware never seen; ...`, or why nothing is to be known. */
void report_confidence(struct oclmm_text *text, const struct oclmm_record *record);
/* The n-th of the headers, from 0. */
const struct oclmm_run_header *report_header(const struct oclmm_run_header *first, size_t number);
/* How it is told from the others, `[2]`; nothing where there is one. */
void report_number(struct oclmm_text *text, const struct oclmm_run_header *first, size_t number);
/* A comment of the herd tools and of TAP for each device: what ran there. `end` follows each line.
 */
void report_runs(struct oclmm_text *text, const struct oclmm_run_header *first, const char *end);
/* The number after a blank, of the device of a record. */
void report_label(struct oclmm_text *text, const struct oclmm_run_header *first,
                  const struct oclmm_record *record);
/* Verdict, name, instances and weak outcomes, and below what is wrong. */
void report_test_line(struct oclmm_text *text, const struct oclmm_run_header *header,
                      const struct oclmm_record *record);
/* The same as a table with a heading, of those that need confidence. Returns whether there are any.
 */
bool report_judged(struct oclmm_text *text, const struct oclmm_run_header *header,
                   const struct oclmm_record *const *records, size_t count);
/* The columns that lines of tests begin with, verdict and name. What follows takes `room` columns:
 * where the name leaves too few, it goes to the next line. */
void report_columns(struct oclmm_text *text, const char *verdict, const char *name, size_t room);
/* A word with its hyphens as blanks: `never seen`. */
void report_words(struct oclmm_text *text, const char *word);
/* In one line, what a verdict is for: the outcomes, the missing feature, the message, the
 * expectation. */
void report_reason(struct oclmm_text *text, const struct oclmm_record *record);
/* Whether something went wrong that fails no run: the device does not claim what the test needs. */
bool report_is_excused(const struct oclmm_grade *grade);
/* `; it was expected until 2026-01-31`, or nothing. */
void report_expired(struct oclmm_text *text, const struct oclmm_grade *grade);
/* Whether a pass still waits for oclmm_grade_confidence(). */
bool report_awaits_confidence(const struct oclmm_record *record);
/* Of the tests without confidence, how many for which cause; nothing where there are none. */
void report_causes(struct oclmm_text *text, const struct oclmm_tally *tally);
/* What a run may claim, in one sentence that has every test once: `verdict: pass: of ...`. */
void report_verdict(struct oclmm_text *text, const struct oclmm_tally *tally,
                    enum oclmm_exit status);
/* The same and what was left out, each a line between `before` and `after`. */
void report_verdict_lines(struct oclmm_text *text, const struct oclmm_tally *tally,
                          enum oclmm_exit status, const char *before, const char *after);
/* The closing sentences of a run: verdict, and what was left out. Of several devices those of each
 * by itself, each behind its `part`, and then the verdict of all. */
void report_closing(struct oclmm_report *report, struct oclmm_text *text,
                    const struct oclmm_tally *tally, enum oclmm_exit status,
                    void (*part)(struct oclmm_report *report, size_t number,
                                 struct oclmm_text *text));
/* Breaks lines that are too wide, but for commands: those are for a shell. */
void report_wrap(struct oclmm_text *text);
/* Colours the verdicts that lines begin with, as terminals take it. */
void report_colour(struct oclmm_text *text);
/* The last line of a JSON Lines file. */
void report_json_manifest(struct oclmm_text *text, const struct oclmm_tally *tally,
                          uint64_t records, enum oclmm_exit status);
/* `crash/out-of-memory`: the verdict, and its cause where one is known. */
void report_verdict_and_cause(struct oclmm_text *text, const struct oclmm_record *record);

#endif
