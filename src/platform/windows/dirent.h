// SPDX-License-Identifier: Apache-2.0
/* Folders read at once. */
#ifndef OCLMM_PLATFORM_DIRENT_H
#define OCLMM_PLATFORM_DIRENT_H

#include_next <dirent.h>

/* Nothing says what entries are: whoever asks has to look. */
int scandir(const char *path, struct dirent ***ret_entries,
            int (*choose)(const struct dirent *entry),
            int (*compare)(const struct dirent **a, const struct dirent **b));
int alphasort(const struct dirent **a, const struct dirent **b);

#endif
