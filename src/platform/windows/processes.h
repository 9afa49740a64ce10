// SPDX-License-Identifier: Apache-2.0
/* Between how processes are started and how they end. */
#ifndef OCLMM_PLATFORM_PROCESSES_H
#define OCLMM_PLATFORM_PROCESSES_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Takes handles of a process and of the job that it leads. Returns 0 or a negative errno value. */
int oclmm_windows_adopt(pid_t pid, void *process, void *job);
void oclmm_windows_kill_group(pid_t leader);
bool oclmm_windows_process_uses(pid_t pid, uint64_t *ret_memory, double *ret_processor);

#endif
