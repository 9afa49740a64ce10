// SPDX-License-Identifier: Apache-2.0
/*
 * Which build of a driver this is. Its version alone does not tell: whoever works
 * on a driver builds it many times a day. So what counts is every file beside the
 * libraries that the process has loaded: the driver's own, its compiler's, which may
 * be loaded later, and the files that this one reads.
 */
#include "internal.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Folders of loaded libraries. */
struct folders {
	char **paths;
	size_t count, capacity;
};

static void add_folder(struct folders *folders, const char *path, size_t length)
{
	char *folder;

	for (size_t i = 0; i < folders->count; i++) {
		if (strlen(folders->paths[i]) == length &&
		    memcmp(folders->paths[i], path, length) == 0)
			return;
	}
	folder = oclmm_calloc(length + 1, 1);
	memcpy(folder, path, length);
	oclmm_grow(&folders->paths, &folders->capacity, folders->count, sizeof(char *));
	folders->paths[folders->count++] = folder;
}

/* A line of /proc/self/maps: `7f00-7f80 r-xp 00000000 fe:00 1234   /path`. */
static void take_line(struct folders *folders, const char *line, const char *own)
{
	const char *path = strchr(line, '/'), *rights = strchr(line, ' ');
	const char *end;

	if (!path || !rights || rights[3] != 'x')
		return;
	end = strrchr(path, '/');
	/* memory with a name, no file */
	if (end == path)
		return;
	/* what lies beside the program, in a build folder, is not the driver's */
	if (strncmp(path, own, (size_t)(end - path)) == 0 && own[end - path] == '/' &&
	    !strchr(own + (end - path) + 1, '/'))
		return;
	add_folder(folders, path, (size_t)(end - path));
}

static int compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* False where the system does not tell. */
static bool find_folders(struct folders *folders)
{
	char own[4096], *line = NULL;
	ssize_t length = readlink("/proc/self/exe", own, sizeof(own) - 1);
	FILE *maps = fopen("/proc/self/maps", "re");
	size_t size = 0;

	own[length > 0 ? length : 0] = '\0';
	while (maps && getline(&line, &size, maps) > 0)
		take_line(folders, line, own);
	if (maps)
		fclose(maps);
	free(line);
	/* the order of addresses is another one each time */
	if (folders->count)
		qsort(folders->paths, folders->count, sizeof(char *), compare);
	return folders->count > 0;
}

struct stamp {
	uint64_t name;
	int64_t size, seconds, nanoseconds;
};

/* In any order, for a folder has none: the sum of the hashes. */
static uint64_t hash_folder(const char *path)
{
	const struct dirent *entry;
	DIR *folder = opendir(path);
	uint64_t sum = 0;
	struct stat info;

	while (folder && (entry = readdir(folder))) {
		struct stamp stamp;

		if (fstatat(dirfd(folder), entry->d_name, &info, 0) < 0 || !S_ISREG(info.st_mode))
			continue;
		stamp = (struct stamp){
			.name = oclmm_hash(entry->d_name, strlen(entry->d_name)),
			.size = (int64_t)info.st_size,
			.seconds = (int64_t)info.st_mtim.tv_sec,
			.nanoseconds = info.st_mtim.tv_nsec,
		};
		sum += oclmm_hash(&stamp, sizeof(stamp));
	}
	if (folder)
		closedir(folder);
	return sum;
}

int oclmm_driver_key(const struct oclmm_device_info *info, struct oclmm_text *key)
{
	struct folders folders = {0};
	bool found = find_folders(&folders);

	oclmm_text_printf(key, "%s|%s|%s|%s|%s|%s\n", info->platform, info->vendor, info->name,
	                  info->driver, info->version, info->c_version);
	oclmm_driver_variables(key);
	for (size_t i = 0; i < folders.count; i++) {
		oclmm_text_printf(key, "\n%s %016" PRIx64, folders.paths[i],
		                  hash_folder(folders.paths[i]));
		free(folders.paths[i]);
	}
	oclmm_text_add(key, "\n");
	free(folders.paths);
	return found ? 0 : -ENOTSUP;
}
