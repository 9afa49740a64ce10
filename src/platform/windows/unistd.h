// SPDX-License-Identifier: Apache-2.0
/* Functions of files and of the system. */
#ifndef OCLMM_PLATFORM_UNISTD_H
#define OCLMM_PLATFORM_UNISTD_H

#include <stddef.h>
#include <sys/types.h>
#include_next <unistd.h>

enum { _SC_NPROCESSORS_ONLN = 84, _SC_PAGESIZE = 30, _SC_PHYS_PAGES = 85 };

/* Every file may be executed, and every folder entered. */
#undef X_OK
#define X_OK 0

long sysconf(int name);
int fsync(int file);
/* /proc/self/exe alone is a link here. */
ssize_t readlink(const char *path, char *target, size_t size);
unsigned geteuid(void);
/* As low a priority as any positive number asks for. */
int nice(int more);
ssize_t pread(int file, void *bytes, size_t size, off_t place);
ssize_t pwrite(int file, const void *bytes, size_t size, off_t place);
int pipe2(int *ret_files, int flags);

#endif
