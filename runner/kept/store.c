// SPDX-License-Identifier: Apache-2.0
/*
 * A file: a head, the key, the bytes.
 *
 *     "oclmm kept 1\n\0\0\0" | length of the key | of the bytes | hash of both | key | bytes
 */
#include "internal.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

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

	oclmm_text_printf(&path, "%s/" STORE_PREFIX "%016" PRIx64, folder,
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

/* A file that somebody else put there would run in a driver. */
static int check_file(const char *path)
{
	struct stat info;
	time_t now = time(NULL);

	if (lstat(path, &info) < 0)
		return -errno;
	if (!S_ISREG(info.st_mode) || !kept_is_own(&info))
		return -ENOENT;
	if (now > info.st_mtim.tv_sec + DAY)
		utimensat(AT_FDCWD, path, NULL, 0);
	return 0;
}

int kept_read(const char *folder, const struct oclmm_text *key, struct oclmm_text *ret_bytes)
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

int kept_write(const char *folder, const struct oclmm_text *key, const struct oclmm_text *bytes)
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
