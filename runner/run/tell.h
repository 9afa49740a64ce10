// SPDX-License-Identifier: Apache-2.0
/* What a run says while it goes on, and at its end. */
#ifndef OCLMM_RUNNER_RUN_TELL_H
#define OCLMM_RUNNER_RUN_TELL_H

#include "run.h"

/* How a device is told from the others of the session: ` [2]`, or nothing where there is one. */
struct run_label {
	char text[24];
};
struct run_label run_label(const struct run_lane *lane);
/* So much of what is at hand is done; `data` is a struct run_lane. */
void run_note_progress(void *data, double fraction);
/* Begins all reports, with what was taken over from a file. */
void run_tell_begin(struct run_session *session);
/* Tells all reports of one more part of a test; the only one is the whole. */
void run_report(struct run *run, struct run_item *part, struct run_item *whole);
/* Ends all reports. Returns the status to leave with. */
int run_tell_end(struct run_session *session);

#endif
