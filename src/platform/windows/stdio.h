// SPDX-License-Identifier: Apache-2.0
/* rename() that takes the place of a file, fopen() whose mode may have an `e`, and lines. */
#ifndef OCLMM_PLATFORM_STDIO_H
#define OCLMM_PLATFORM_STDIO_H

#include_next <stdio.h>
#include <sys/types.h>

int oclmm_windows_rename(const char *from, const char *to);
FILE *oclmm_windows_fopen(const char *path, const char *mode);
ssize_t getline(char **line, size_t *size, FILE *stream);
#define rename oclmm_windows_rename
#define fopen  oclmm_windows_fopen

#endif
