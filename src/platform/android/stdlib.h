// SPDX-License-Identifier: Apache-2.0
/* Sorting with a context, which bionic has from API level 36 on. */
#ifndef OCLMM_PLATFORM_STDLIB_H
#define OCLMM_PLATFORM_STDLIB_H

#include_next <stdlib.h>

void qsort_r(void *base, size_t count, size_t size,
             int (*compare)(const void *a, const void *b, void *context), void *context);

#endif
