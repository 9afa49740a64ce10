// SPDX-License-Identifier: Apache-2.0
/*
 * A cache is a folder of files, one a key. A file is a head, the key and the bytes:
 *
 *     "oclmm kept 1\n\0\0\0" | length of the key | of the bytes | hash of both | key | bytes
 */
#include "cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "platform/system.h"

/* Names of cache files begin with it. It and the magic are as old as the format: who changes one
 * leaves files that nobody trims. */
#define PREFIX "kept-"

/* ---- the folder ---- */

/* A file that somebody else wrote would run in a driver. */
static bool is_own(const struct stat *info)
{
	return info->st_uid == geteuid() && !(info->st_mode & (S_IWGRP | S_IWOTH));
}

char *cache_home(void)
{
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	struct oclmm_text path = {0};

	if (cache && oclmm_is_absolute(cache))
		oclmm_text_printf(&path, "%s/oclmm", cache);
	else if (home && oclmm_is_absolute(home))
		oclmm_text_printf(&path, "%s/.cache/oclmm", home);
	else
		return NULL;
	return oclmm_text_steal(&path);
}

int cache_prepare(const char *folder)
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
	return is_own(&info) ? 0 : -EPERM;
}

int cache_lock(const char *folder)
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

void cache_unlock(int lock)
{
	if (lock >= 0)
		close(lock);
}

/* ---- its files ---- */

struct head {
	char magic[16];
	uint64_t key, bytes; /* lengths */
	uint64_t hash;       /* of all that follows */
};

static const char magic[16] = "oclmm kept 1\n";

/* Times are set again once a day, no more: a file that is used is not among the oldest. */
enum { DAY = 24 * 60 * 60 };

static char *path_of(const char *folder, const struct oclmm_text *key)
{
	struct oclmm_text path = {0};

	oclmm_text_printf(&path, "%s/" PREFIX "%016" PRIx64, folder,
	                  oclmm_hash(key->data, key->length));
	return oclmm_text_steal(&path);
}

/* Whole and of this key? */
static bool fits(const char *data, size_t length, const struct oclmm_text *key)
{
	struct head head;

	if (length < sizeof(head))
		return false;
	memcpy(&head, data, sizeof(head));
	length -= sizeof(head);
	return memcmp(head.magic, magic, sizeof(magic)) == 0 && head.key == key->length &&
	       head.key <= length && head.bytes == length - head.key &&
	       head.hash == oclmm_hash(data + sizeof(head), length) &&
	       memcmp(data + sizeof(head), key->data, key->length) == 0;
}

static int check_file(const char *path)
{
	struct stat info;
	time_t now = time(NULL);

	if (lstat(path, &info) < 0)
		return -errno;
	if (!S_ISREG(info.st_mode) || !is_own(&info))
		return -ENOENT;
	if (now > info.st_mtim.tv_sec + DAY)
		utimensat(AT_FDCWD, path, NULL, 0);
	return 0;
}

int cache_read(const char *folder, const struct oclmm_text *key, struct oclmm_text *ret_bytes)
{
	char *path = path_of(folder, key), *data = NULL;
	size_t length, before = sizeof(struct head) + key->length;
	int r = check_file(path);

	if (r == 0)
		r = oclmm_read_file(path, &data, &length);
	if (r == 0 && !fits(data, length, key))
		r = -ENOENT;
	if (r == 0) {
		oclmm_text_init(ret_bytes);
		oclmm_text_add_bytes(ret_bytes, data + before, length - before);
	}
	free(data);
	free(path);
	return r;
}

int cache_write(const char *folder, const struct oclmm_text *key, const struct oclmm_text *bytes)
{
	struct head head = {.key = key->length, .bytes = bytes->length};
	struct oclmm_text file = {0};
	char *path = path_of(folder, key);
	int r;

	memcpy(head.magic, magic, sizeof(magic));
	oclmm_text_add_bytes(&file, (const char *)&head, sizeof(head));
	oclmm_text_add_bytes(&file, key->data, key->length);
	oclmm_text_add_bytes(&file, bytes->data, bytes->length);
	head.hash = oclmm_hash(file.data + sizeof(head), file.length - sizeof(head));
	memcpy(file.data, &head, sizeof(head));
	r = oclmm_write_private_file(path, file.data, file.length);
	oclmm_text_finish(&file);
	free(path);
	return r;
}

/* ---- trimming ---- */

struct file {
	char *name; /* a path */
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

/* Half-written files of a process that was killed have the prefix, too. */
static void list(const char *path, DIR *folder, struct files *files)
{
	const struct dirent *entry;
	struct stat info;

	while ((entry = readdir(folder))) {
		struct oclmm_text name = {0};

		if (strncmp(entry->d_name, PREFIX, strlen(PREFIX)) != 0)
			continue;
		oclmm_text_printf(&name, "%s/%s", path, entry->d_name);
		if (lstat(oclmm_text_string(&name), &info) < 0 || !S_ISREG(info.st_mode)) {
			oclmm_text_finish(&name);
			continue;
		}
		oclmm_grow(&files->files, &files->capacity, files->count, sizeof(*files->files));
		files->files[files->count++] = (struct file){
			.name = oclmm_text_steal(&name),
			.time = info.st_mtim,
			.bytes = (uint64_t)info.st_size,
		};
		files->bytes += (uint64_t)info.st_size;
	}
}

void cache_trim(const char *folder, uint64_t most)
{
	struct files files = {0};
	DIR *opened = opendir(folder);

	if (!opened)
		return;
	list(folder, opened, &files);
	closedir(opened);
	if (files.bytes > most)
		qsort(files.files, files.count, sizeof(*files.files), compare);
	for (size_t i = 0; i < files.count; i++) {
		/* one that is gone was removed by another process at the same time */
		if (files.bytes > most) {
			unlink(files.files[i].name);
			files.bytes -= files.files[i].bytes;
		}
		free(files.files[i].name);
	}
	free(files.files);
}
