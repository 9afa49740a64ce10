// SPDX-License-Identifier: Apache-2.0
/* Functions of strings and bytes. */
#ifndef OCLMM_PLATFORM_STRING_H
#define OCLMM_PLATFORM_STRING_H

#include_next <string.h>

void *memmem(const void *bytes, size_t length, const void *wanted, size_t wanted_length);
void *memrchr(const void *bytes, int wanted, size_t length);
char *stpcpy(char *to, const char *from);
char *strndup(const char *text, size_t most);
char *strcasestr(const char *text, const char *wanted);
char *strsep(char **text, const char *delimiters);
char *strsignal(int number);

#endif
