// SPDX-License-Identifier: Apache-2.0
/* The file of results that a run goes on with. */
#ifndef OCLMM_RUNNER_RUN_RESUME_H
#define OCLMM_RUNNER_RUN_RESUME_H

#include "run.h"

/* Claims and reads the file to go on with, if any; what it was begun with is then what `wish` asks
 * for. Returns 0 or a status. */
int run_resume_read(struct run_session *session, struct run *wish);
/* Marks its items as done, once the devices are known. Returns 0 or a status. */
int run_resume(struct run_session *session);

#endif
