// SPDX-License-Identifier: Apache-2.0
/* Bytes that nobody can foretell. */
#ifndef OCLMM_PLATFORM_SYS_RANDOM_H
#define OCLMM_PLATFORM_SYS_RANDOM_H

#include <sys/types.h>

ssize_t getrandom(void *bytes, size_t size, unsigned flags);

#endif
