// SPDX-License-Identifier: Apache-2.0
/* A number of an error that Windows has no word for. */
#ifndef OCLMM_PLATFORM_ERRNO_H
#define OCLMM_PLATFORM_ERRNO_H

#include_next <errno.h>

/* A number that the C library has no other use for. */
#define ESTALE 151

#endif
