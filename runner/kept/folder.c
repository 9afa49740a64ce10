// SPDX-License-Identifier: Apache-2.0
/* Where things are kept, and how much of them. */
#include "internal.h"

#include <dirent.h>
#include <errno.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

char *kept_home(void)
{
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	struct oclmm_text path = {0};

	if (cache && *cache == '/')
		oclmm_text_printf(&path, "%s/oclmm", cache);
	else if (home && *home == '/')
		oclmm_text_printf(&path, "%s/.cache/oclmm", home);
	else
		return NULL;
	return oclmm_text_steal(&path);
}

bool kept_is_own(const struct stat *info)
{
	return info->st_uid == geteuid() && !(info->st_mode & (S_IWGRP | S_IWOTH));
}

int kept_prepare(const char *folder)
{
	char *copy = oclmm_strdup(folder);
	struct stat info;
	int r = oclmm_make_folders(dirname(copy));

	free(copy);
	/* whatever the umask lets others do */
	if (r == 0 && mkdir(folder, 0700) < 0 && errno != EEXIST)
		r = -errno;
	if (r < 0)
		return r;
	if (stat(folder, &info) < 0)
		return -errno;
	if (!S_ISDIR(info.st_mode))
		return -ENOTDIR;
	return kept_is_own(&info) ? 0 : -EPERM;
}

int kept_lock(const char *folder)
{
	int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC), r = -1;

	if (fd < 0)
		return -errno;
	while ((r = flock(fd, LOCK_EX)) < 0 && errno == EINTR)
		;
	if (r == 0)
		return fd;
	r = -errno;
	close(fd);
	return r;
}

void kept_unlock(int lock)
{
	if (lock >= 0)
		close(lock);
}

/* ---- trimming ---- */

struct file {
	char *name;
	struct timespec time;
	uint64_t bytes;
};
struct files {
	struct file *files;
	size_t count, capacity;
	uint64_t bytes;
};

static int compare(const void *a, const void *b)
{
	const struct timespec *x = &((const struct file *)a)->time,
			      *y = &((const struct file *)b)->time;

	if (x->tv_sec != y->tv_sec)
		return x->tv_sec < y->tv_sec ? -1 : 1;
	return (x->tv_nsec > y->tv_nsec) - (x->tv_nsec < y->tv_nsec);
}

/* Also what a process that was killed left half written: it is the store's by its name. */
static void list(DIR *folder, struct files *files)
{
	const struct dirent *entry;
	struct stat info;

	while ((entry = readdir(folder))) {
		if (strncmp(entry->d_name, STORE_PREFIX, strlen(STORE_PREFIX)) != 0 ||
		    fstatat(dirfd(folder), entry->d_name, &info, AT_SYMLINK_NOFOLLOW) < 0 ||
		    !S_ISREG(info.st_mode))
			continue;
		oclmm_grow(&files->files, &files->capacity, files->count, sizeof(*files->files));
		files->files[files->count++] = (struct file){
			.name = oclmm_strdup(entry->d_name),
			.time = info.st_mtim,
			.bytes = (uint64_t)info.st_size,
		};
		files->bytes += (uint64_t)info.st_size;
	}
}

void kept_trim(const char *folder, uint64_t most)
{
	struct files files = {0};
	DIR *opened = opendir(folder);

	if (!opened)
		return;
	list(opened, &files);
	if (files.bytes > most)
		qsort(files.files, files.count, sizeof(*files.files), compare);
	for (size_t i = 0; i < files.count; i++) {
		/* one that is gone was removed by another process at the same time */
		if (files.bytes > most) {
			unlinkat(dirfd(opened), files.files[i].name, 0);
			files.bytes -= files.files[i].bytes;
		}
		free(files.files[i].name);
	}
	free(files.files);
	closedir(opened);
}
