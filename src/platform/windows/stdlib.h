// SPDX-License-Identifier: Apache-2.0
/* Sorting with a context, whole paths, temporary files, the environment. */
#ifndef OCLMM_PLATFORM_STDLIB_H
#define OCLMM_PLATFORM_STDLIB_H

#include_next <stdlib.h>

void qsort_r(void *base, size_t count, size_t size,
             int (*compare)(const void *a, const void *b, void *context), void *context);
/* With slashes, as all paths here; `resolved` is NULL, or has room for PATH_MAX bytes. */
char *realpath(const char *path, char *resolved);
char *mkdtemp(char *pattern);
int oclmm_windows_mkstemp(char *pattern);
#define mkstemp                  oclmm_windows_mkstemp
#define mkostemp(pattern, flags) ((void)(flags), oclmm_windows_mkstemp(pattern))
int setenv(const char *name, const char *value, int overwrite);
int unsetenv(const char *name);

#endif
