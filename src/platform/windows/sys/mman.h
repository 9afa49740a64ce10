// SPDX-License-Identifier: Apache-2.0
/* A file without a name: a temporary one, which goes when it is closed. */
#ifndef OCLMM_PLATFORM_SYS_MMAN_H
#define OCLMM_PLATFORM_SYS_MMAN_H

enum { MFD_CLOEXEC = 1 };

int memfd_create(const char *name, unsigned flags);

#endif
