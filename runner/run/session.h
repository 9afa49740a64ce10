// SPDX-License-Identifier: Apache-2.0
/* The devices of a command, and the runs on them. */
#ifndef OCLMM_RUNNER_RUN_SESSION_H
#define OCLMM_RUNNER_RUN_SESSION_H

#include "run.h"

/* Finds the device of a command that takes one, or the pair. Returns 0 or the status to leave
 * with. */
int run_find_device(struct run *run);
/* Locks a device for this run, and waits until it is free; `*ret_lock` is a descriptor. Returns
 * 0 or the status to leave with. */
int run_lock_device(const struct run *run, const struct oclmm_device_identity *identity,
                    int *ret_lock);
/* cmd_run.c: the seed that was given, or one of the system's. Returns 0, or the status to leave
 * with. */
int run_draw_seed(struct run *run);
/* Opens a run on each of the devices asked for, with the options of `wish`; all of them are
 * locked then. Returns 0 or the status to leave with. */
int run_session_open(struct run_session *session, struct run *wish);
/* Accepts a session that was not opened. */
void run_session_finish(struct run_session *session);

#endif
