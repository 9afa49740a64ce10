// SPDX-License-Identifier: Apache-2.0
/* Files as they are opened by others, and locks of theirs. */
#ifndef OCLMM_PLATFORM_FCNTL_H
#define OCLMM_PLATFORM_FCNTL_H

#include_next <fcntl.h>
#include <sys/stat.h>

/* No program that is started gets the file. */
#define O_CLOEXEC  _O_NOINHERIT
#define O_NOFOLLOW 0
#define O_NONBLOCK 0
/* A folder is locked by way of a file in it. */
#define O_DIRECTORY 0x10000000

/* `/dev/null` is there. */
int oclmm_windows_open(const char *path, int flags, ...);
#define open(...) oclmm_windows_open(__VA_ARGS__)

/* Who holds a lock is not told: its number is 0. */
enum { F_GETLK, F_SETLK };
enum { F_UNLCK, F_WRLCK };
struct flock {
	short l_type, l_whence;
	off_t l_start, l_len;
	pid_t l_pid;
};
int fcntl(int file, int command, struct flock *lock);

/* NULL for the times alone: now. */
enum { AT_FDCWD = -100, AT_SYMLINK_NOFOLLOW = 0x100 };
int utimensat(int folder, const char *path, const struct timespec *times, int flags);

#endif
