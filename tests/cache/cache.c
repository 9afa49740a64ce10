// SPDX-License-Identifier: Apache-2.0
/* What is kept comes back whole and by its own key, or not at all. */

#include "../fixture/test.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cache/cache.h"

#include "../fixture/folder.h"

static char folder[64];

static void make_folder(void)
{
	strcpy(folder, "/tmp/oclmm-cache-XXXXXX");
	assert_non_null(mkdtemp(folder));
	assert_int_equal(cache_prepare(folder), 0);
}

static void remove_folder(void)
{
	fixture_each_file(folder, fixture_remove_file);
	assert_int_equal(rmdir(folder), 0);
}

static struct oclmm_text text_of(const char *string)
{
	struct oclmm_text text = {0};

	oclmm_text_add(&text, string);
	return text;
}

static void keep(const char *key, const char *bytes)
{
	struct oclmm_text a = text_of(key), b = text_of(bytes);

	assert_int_equal(cache_write(folder, &a, &b), 0);
	oclmm_text_finish(&a);
	oclmm_text_finish(&b);
}

/* NULL: nothing is there. */
static void assert_kept(const char *key, const char *bytes)
{
	struct oclmm_text a = text_of(key), b;
	int r = cache_read(folder, &a, &b);

	assert_int_equal(r, bytes ? 0 : -ENOENT);
	if (bytes) {
		assert_int_equal(b.length, strlen(bytes));
		assert_memory_equal(oclmm_text_string(&b), bytes, b.length);
		oclmm_text_finish(&b);
	}
	oclmm_text_finish(&a);
}

static char only[512];

static void note_path(const char *path)
{
	snprintf(only, sizeof(only), "%s", path);
}

/* The path of the only file. */
static const char *only_file(void)
{
	assert_int_equal(fixture_each_file(folder, note_path), 1);
	return only;
}

TEST(what_is_kept_comes_back)
{
	make_folder();
	assert_kept("a key", NULL);
	keep("a key", "bytes");
	keep("another\nkey", "");
	assert_kept("a key", "bytes");
	assert_kept("another\nkey", "");
	assert_kept("a ke", NULL);
	keep("a key", "others, and more of them");
	assert_kept("a key", "others, and more of them");
	assert_int_equal(fixture_each_file(folder, NULL), 2);
	remove_folder();
}

TEST(another_keys_file_is_none)
{
	char first[512];

	make_folder();
	keep("one", "bytes of one");
	strcpy(first, only_file());
	fixture_remove_file(first);
	keep("two", "bytes of two");
	/* as if both keys had one hash */
	assert_int_equal(rename(only_file(), first), 0);
	assert_kept("one", NULL);
	keep("one", "again");
	assert_kept("one", "again");
	remove_folder();
}

TEST(damage_is_noticed)
{
	char path[512], *data;
	size_t length;

	make_folder();
	keep("key", "some bytes");
	strcpy(path, only_file());
	assert_int_equal(oclmm_read_file(path, &data, &length), 0);
	for (size_t i = 0; i < length; i++) {
		data[i] ^= 0x10;
		assert_int_equal(oclmm_write_file(path, data, length), 0);
		assert_kept("key", NULL);
		data[i] ^= 0x10;
		/* cut off there */
		assert_int_equal(oclmm_write_file(path, data, i), 0);
		assert_kept("key", NULL);
	}
	/* something behind it */
	assert_int_equal(oclmm_write_file(path, data, length + 1), 0);
	assert_kept("key", NULL);
	assert_int_equal(oclmm_write_file(path, data, length), 0);
	assert_kept("key", "some bytes");
	free(data);
	remove_folder();
}

/* What is no file, in its place: not followed, not waited for, and replaced. */
TEST(others_are_no_files)
{
	char path[512], target[] = "/tmp/oclmm-cache-target-XXXXXX";
	int file = mkstemp(target);
	struct stat info;

	assert_true(file >= 0);
	close(file);
	make_folder();
	keep("key", "bytes");
	strcpy(path, only_file());
	for (int kind = 0; kind < 2; kind++) {
		fixture_remove_file(path);
		assert_int_equal(kind ? symlink(target, path) : mkfifo(path, 0600), 0);
		assert_kept("key", NULL);
		keep("key", "bytes");
		assert_kept("key", "bytes");
		assert_int_equal(lstat(path, &info), 0);
		assert_true(S_ISREG(info.st_mode));
	}
	assert_int_equal(stat(target, &info), 0);
	assert_int_equal(info.st_size, 0);
	unlink(target);
	remove_folder();
}

TEST(a_folder_of_others_is_refused)
{
	make_folder();
	assert_int_equal(chmod(folder, 0777), 0);
	assert_int_equal(cache_prepare(folder), -EPERM);
	assert_int_equal(chmod(folder, 0700), 0);
	assert_int_equal(cache_prepare(folder), 0);
	assert_true(cache_prepare("/dev/null/below") < 0);
	remove_folder();
}

static void remove_folders(const char *const *folders, size_t count)
{
	for (size_t i = 0; i < count; i++)
		assert_int_equal(rmdir(folders[i]), 0);
}

/* Where the umask lets the group write, what is made lets it not. */
TEST(the_umask_does_not_open_it)
{
	char inner[128], outer[96], path[512];
	const char *const made[] = {inner, outer};
	mode_t mask = umask(002);
	struct stat info;

	make_folder();
	snprintf(outer, sizeof(outer), "%s/outer", folder);
	snprintf(inner, sizeof(inner), "%s/inner", outer);
	assert_int_equal(cache_prepare(inner), 0);
	assert_int_equal(cache_prepare(inner), 0);
	assert_int_equal(stat(inner, &info), 0);
	assert_int_equal(info.st_mode, S_IFDIR | 0700);
	remove_folders(made, OCLMM_COUNT(made));

	keep("key", "bytes");
	assert_kept("key", "bytes");
	strcpy(path, only_file());
	assert_int_equal(stat(path, &info), 0);
	assert_int_equal(info.st_mode, S_IFREG | 0600);
	umask(mask);
	remove_folder();
}

TEST(a_file_that_others_may_write_is_none)
{
	static const mode_t modes[] = {0620, 0602};

	make_folder();
	for (size_t i = 0; i < OCLMM_COUNT(modes); i++) {
		keep("key", "bytes");
		assert_int_equal(chmod(only_file(), modes[i]), 0);
		assert_kept("key", NULL);
		keep("key", "bytes");
		assert_kept("key", "bytes");
	}
	assert_int_equal(cache_prepare(only_file()), -ENOTDIR);
	remove_folder();
}

/* As on a full disk: no byte more can be written. */
TEST(a_full_disk_leaves_what_was_there)
{
	struct oclmm_text key = text_of("key"), bytes = text_of("a new one");
	struct rlimit before, none;

	make_folder();
	keep("key", "the old one");
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	none = before;
	none.rlim_cur = 8;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &none), 0);
	assert_true(cache_write(folder, &key, &bytes) < 0);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	assert_kept("key", "the old one");
	assert_int_equal(fixture_each_file(folder, NULL), 1);
	oclmm_text_finish(&key);
	oclmm_text_finish(&bytes);
	remove_folder();
}

/* ---- at the same time ---- */

enum { WRITERS = 4, WRITES = 200, LONG = 20000 };

static void write_many(char letter)
{
	struct oclmm_text key = text_of("key"), bytes;
	bool well = true;

	oclmm_text_init(&bytes);
	for (int i = 0; i < LONG; i++)
		oclmm_text_add_bytes(&bytes, &letter, 1);
	for (int i = 0; i < WRITES; i++)
		well &= cache_write(folder, &key, &bytes) == 0;
	_exit(well ? 0 : 1);
}

TEST(writers_do_not_mix)
{
	struct oclmm_text key = text_of("key"), bytes;
	int left = WRITERS, status;

	make_folder();
	for (int i = 0; i < WRITERS; i++) {
		pid_t child = fork();

		assert_true(child >= 0);
		if (child == 0)
			write_many((char)('a' + i));
	}
	while (left > 0) {
		if (waitpid(-1, &status, WNOHANG) > 0) {
			assert_int_equal(status, 0);
			left--;
		}
		if (cache_read(folder, &key, &bytes) < 0)
			continue;
		assert_int_equal(bytes.length, LONG);
		for (int i = 1; i < LONG; i++)
			assert_int_equal(bytes.data[i], bytes.data[0]);
		oclmm_text_finish(&bytes);
	}
	assert_int_equal(cache_read(folder, &key, &bytes), 0);
	oclmm_text_finish(&bytes);
	oclmm_text_finish(&key);
	assert_int_equal(fixture_each_file(folder, NULL), 1);
	remove_folder();
}

/* Each adds one to a number in a file, which it reads and writes apart. */
static void count_up(void)
{
	char path[128], *data;
	bool well = true;
	size_t length;

	snprintf(path, sizeof(path), "%s/number", folder);
	for (int i = 0; i < WRITES; i++) {
		int lock = cache_lock(folder);
		char next[16];

		well &= lock >= 0 && oclmm_read_file(path, &data, &length) == 0;
		if (!well)
			break;
		snprintf(next, sizeof(next), "%d", atoi(data) + 1);
		free(data);
		well &= oclmm_write_file(path, next, strlen(next)) == 0;
		cache_unlock(lock);
	}
	_exit(well ? 0 : 1);
}

TEST(one_at_a_time_has_the_lock)
{
	char path[128], *data;
	size_t length;
	int status;

	make_folder();
	snprintf(path, sizeof(path), "%s/number", folder);
	assert_int_equal(oclmm_write_file(path, "0", 1), 0);
	for (int i = 0; i < WRITERS; i++) {
		pid_t child = fork();

		assert_true(child >= 0);
		if (child == 0)
			count_up();
	}
	for (int i = 0; i < WRITERS; i++) {
		assert_true(waitpid(-1, &status, 0) > 0);
		assert_int_equal(status, 0);
	}
	assert_int_equal(oclmm_read_file(path, &data, &length), 0);
	assert_int_equal(atoi(data), WRITERS * WRITES);
	free(data);
	remove_folder();
	assert_int_equal(cache_lock(folder), -ENOENT);
	cache_unlock(-ENOENT);
}

/* ---- trimming ---- */

/* Keeps something, as if it were so many seconds ago. */
static void keep_before(const char *key, const char *bytes, time_t seconds)
{
	const struct timespec then = {.tv_sec = time(NULL) - seconds};
	const struct timespec times[2] = {then, then};
	char path[128];

	keep(key, bytes);
	snprintf(path, sizeof(path), "%s/kept-%016llx", folder,
	         (unsigned long long)oclmm_hash(key, strlen(key)));
	assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

TEST(the_oldest_go_first)
{
	static const char *const keys[] = {"trim-new", "trim-oldest", "trim-old", "trim-read"};
	static const time_t ages[] = {10, 90000, 50000, 200000};
	char bytes[1001], other[512];
	FILE *file;

	memset(bytes, 'x', 1000);
	bytes[1000] = '\0';
	make_folder();
	for (size_t i = 0; i < OCLMM_COUNT(keys); i++)
		keep_before(keys[i], bytes, ages[i]);
	snprintf(other, sizeof(other), "%s/other", folder);
	file = fopen(other, "w");
	assert_non_null(file);
	fprintf(file, "%5000d", 1);
	fclose(file);
	/* one that is used is young again */
	assert_kept("trim-read", bytes);
	cache_trim(folder, 10000);
	assert_int_equal(fixture_each_file(folder, NULL), 5);
	cache_trim(folder, 3500);
	assert_kept("trim-oldest", NULL);
	assert_kept("trim-old", bytes);
	cache_trim(folder, 2500);
	assert_kept("trim-old", NULL);
	assert_kept("trim-new", bytes);
	assert_kept("trim-read", bytes);
	cache_trim(folder, 0);
	/* what is none of the store's stays */
	assert_string_equal(only_file(), other);
	remove_folder();
	cache_trim("/nowhere", 0);
}
