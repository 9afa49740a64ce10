// SPDX-License-Identifier: Apache-2.0
/* Times by threads: as functions that have their result where the caller says. */
#ifndef OCLMM_PLATFORM_TIME_H
#define OCLMM_PLATFORM_TIME_H

#ifndef _POSIX_THREAD_SAFE_FUNCTIONS
#define _POSIX_THREAD_SAFE_FUNCTIONS
#endif
#include_next <time.h>

#endif
