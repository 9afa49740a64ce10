// SPDX-License-Identifier: Apache-2.0
/* Emscripten's library, and what it lacks of the one that the sources are written for. */
#ifndef OCLMM_BROWSER_STDLIB_H
#define OCLMM_BROWSER_STDLIB_H

#include_next <stdlib.h>

/** As in glibc and POSIX.1-2024. A page has one thread, so that one sort runs at a time. */
void qsort_r(void *base, size_t count, size_t size,
             int (*compare)(const void *a, const void *b, void *data), void *data);

#endif
