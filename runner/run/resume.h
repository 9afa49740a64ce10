// SPDX-License-Identifier: Apache-2.0
/* The results file that a run resumes. */
#ifndef OCLMM_RUNNER_RUN_RESUME_H
#define OCLMM_RUNNER_RUN_RESUME_H

#include "run.h"

/* Claims and reads the file to resume, if any; `wish` then asks for what the file was begun
 * with. Returns 0 or a status. */
int run_resume_read(struct run_session *session, struct run *wish);
/* Marks the items of the file as done, once the devices are known. Returns 0 or a status. */
int run_resume(struct run_session *session);

#endif
