// SPDX-License-Identifier: Apache-2.0
/* The processors that a process may use, of the group that it is in: 64 at most. */
#ifndef OCLMM_PLATFORM_SCHED_H
#define OCLMM_PLATFORM_SCHED_H

#include_next <sched.h>
#include <stdint.h>
#include <sys/types.h>

typedef struct {
	uint64_t bits;
} cpu_set_t;

#define CPU_COUNT(set) __builtin_popcountll((set)->bits)

/* Of this process alone: 0. */
int sched_getaffinity(pid_t process, size_t size, cpu_set_t *ret_set);

#endif
