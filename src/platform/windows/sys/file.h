// SPDX-License-Identifier: Apache-2.0
/* Locks of whole files. */
#ifndef OCLMM_PLATFORM_SYS_FILE_H
#define OCLMM_PLATFORM_SYS_FILE_H

enum { LOCK_EX = 2, LOCK_NB = 4 };

int flock(int file, int operation);

#endif
