// SPDX-License-Identifier: Apache-2.0
/*
 * Memory that is mapped: without a file, and nobody else's, for no process is a copy of another.
 * And a file without a name: a temporary one, which goes when it is closed.
 */
#ifndef OCLMM_PLATFORM_SYS_MMAN_H
#define OCLMM_PLATFORM_SYS_MMAN_H

#include <sys/types.h>

enum { PROT_READ = 1, PROT_WRITE = 2 };
enum { MAP_SHARED = 1, MAP_ANONYMOUS = 32 };
#define MAP_FAILED ((void *)-1)

void *mmap(void *wish, size_t size, int protection, int flags, int file, off_t place);
int munmap(void *memory, size_t size);

enum { MFD_CLOEXEC = 1 };

int memfd_create(const char *name, unsigned flags);

#endif
