// SPDX-License-Identifier: Apache-2.0
/* The runs of one command, one for each device. */
#ifndef OCLMM_RUNNER_RUN_SESSION_H
#define OCLMM_RUNNER_RUN_SESSION_H

#include "run.h"

/* cmd_run.c: the seed that was given, or one of the system's. Returns 0, or the status to leave
 * with. */
int run_draw_seed(struct run *run);
/* The devices that were asked for, each with a run that begins like `wish`; all of them are this
 * run's alone then. Returns 0 or the status to leave with. */
int run_session_open(struct run_session *session, struct run *wish);
/* Runs all tests and writes all reports. Returns the status to leave with. */
int run_session_work(struct run_session *session);
/* Accepts one that was not opened. */
void run_session_finish(struct run_session *session);

#endif
