// SPDX-License-Identifier: Apache-2.0
/*
 * What is known of a file, with the number that it has on its disk and its time to the nanosecond.
 * There are no owners, groups or links: each file is its user's alone.
 */
#ifndef OCLMM_PLATFORM_SYS_STAT_H
#define OCLMM_PLATFORM_SYS_STAT_H

#include <io.h>
#include <stdint.h>
#include_next <sys/stat.h>
#include <time.h>

struct oclmm_windows_stat {
	uint64_t st_dev, st_ino;
	unsigned st_mode, st_uid;
	int64_t st_size;
	struct timespec st_mtim;
};
#undef stat
#undef fstat
#undef st_mtime
#define st_mtime st_mtim.tv_sec

int oclmm_windows_stat(const char *path, struct oclmm_windows_stat *ret_info);
int oclmm_windows_fstat(int file, struct oclmm_windows_stat *ret_info);
#define stat               oclmm_windows_stat
#define fstat              oclmm_windows_fstat
#define lstat(path, info)  oclmm_windows_stat(path, info)
#define S_ISLNK(mode)      0
#define fchmod(file, mode) ((void)(file), (void)(mode), 0)
#undef S_IWGRP
#undef S_IWOTH
#define S_IWGRP 0
#define S_IWOTH 0

int oclmm_windows_mkdir(const char *path);
#define mkdir(path, mode) ((void)(mode), oclmm_windows_mkdir(path))

#endif
