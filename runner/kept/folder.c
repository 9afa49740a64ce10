// SPDX-License-Identifier: Apache-2.0
/* Where things are kept, and how much of them. */
#include "internal.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

char *kept_home(void)
{
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	struct oclmm_text path;

	oclmm_text_init(&path);
	if (cache && *cache == '/')
		oclmm_text_printf(&path, "%s/oclmm", cache);
	else if (home && *home == '/')
		oclmm_text_printf(&path, "%s/.cache/oclmm", home);
	else
		return NULL;
	return oclmm_text_steal(&path);
}

int kept_prepare(const char *folder)
{
	struct stat info;
	int r = oclmm_make_folders(folder);

	if (r < 0)
		return r;
	if (stat(folder, &info) < 0)
		return -errno;
	return info.st_uid == geteuid() && !(info.st_mode & (S_IWGRP | S_IWOTH)) ? 0 : -EPERM;
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
