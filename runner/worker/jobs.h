// SPDX-License-Identifier: Apache-2.0
/* Jobs as bytes, so that a child runs what it has never seen. */
#ifndef OCLMM_RUNNER_WORKER_JOBS_H
#define OCLMM_RUNNER_WORKER_JOBS_H

#include "process/wire.h"
#include "stress/stress.h"

/*
 * Adds some jobs, with all that they point to: programs, spaces, environments. What a job asks of
 * outcomes by functions is sent as the outcomes of its space for which they hold, so that one
 * outside of it is never a hit. What is told of progress stays here.
 */
void worker_jobs_pack(struct oclmm_text *text, const struct oclmm_run_request *jobs,
                      const size_t *numbers, size_t count);
/* Returns 0, or -EPROTO; they live in the arena. What was one program or one joint is one again. */
int worker_jobs_unpack(struct wire_reader *reader, struct oclmm_arena *arena,
                       struct oclmm_run_request **ret_jobs, size_t *ret_count);

#endif
