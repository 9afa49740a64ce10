// SPDX-License-Identifier: Apache-2.0
/* What a run prints and writes, from its beginning to its end. */
#ifndef OCLMM_RUNNER_RUN_TELL_H
#define OCLMM_RUNNER_RUN_TELL_H

#include "run.h"

/* Notes how much of a test is done; `data` is a struct run_lane. */
void run_note_progress(void *data, double fraction);
/* Fills in what holds for all records of a run, by its options, its device and its lanes. */
void run_make_header(struct run *run);
/* Begins all reports, with the records taken over from a file. */
void run_tell_begin(struct run_session *session);
/* Gives all reports one more part of a test; a single part is the whole. */
void run_report(struct run *run, struct run_item *part, struct run_item *whole);
/* Ends all reports. Returns the status to leave with. */
int run_tell_end(struct run_session *session);

#endif
