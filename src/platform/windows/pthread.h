// SPDX-License-Identifier: Apache-2.0
/* What threads do when a process is copied. */
#ifndef OCLMM_PLATFORM_PTHREAD_H
#define OCLMM_PLATFORM_PTHREAD_H

#include_next <pthread.h>

/* No process goes on in a copy of this one's memory. */
#undef pthread_atfork
#define pthread_atfork(before, parent, child) ((void)(before), (void)(parent), (void)(child), 0)

#endif
