// SPDX-License-Identifier: Apache-2.0
/* Messages of the C library. */
#ifndef OCLMM_PLATFORM_LOCALE_H
#define OCLMM_PLATFORM_LOCALE_H

#include_next <locale.h>

/* Messages of the C library are in English: a category that setlocale() does not know. */
#define LC_MESSAGES (LC_MAX + 1)

#endif
