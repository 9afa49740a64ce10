// SPDX-License-Identifier: Apache-2.0
#include "oclmm/base.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

/* Every test works in a folder of its own, made the working folder. */
static int enter(void **state)
{
	char *folder = oclmm_strdup("/tmp/oclmm-file-XXXXXX");

	if (!mkdtemp(folder) || chdir(folder))
		return -1;
	*state = folder;
	return 0;
}

static int leave(void **state)
{
	char *command = NULL;
	int status = -1;

	if (!chdir("/") && asprintf(&command, "rm -rf '%s'", (char *)*state) > 0)
		status = system(command);
	free(command);
	free(*state);
	return status;
}

static unsigned entries(const char *folder)
{
	DIR *directory = opendir(folder);
	unsigned count = 0;

	assert_non_null(directory);
	while (readdir(directory))
		count++;
	closedir(directory);
	return count - 2; /* . and .. */
}

static void assert_holds(const char *path, const char *expected)
{
	char *data = NULL;
	size_t length = 0;

	assert_int_equal(oclmm_read_file(path, &data, &length), 0);
	assert_int_equal(length, strlen(expected));
	assert_string_equal(data, expected);
	free(data);
}

static void bytes_come_back(void **state)
{
	enum { SIZE = 100001 };
	char *bytes = oclmm_malloc(SIZE), *data = NULL;
	size_t length, i;

	(void)state;
	for (i = 0; i < SIZE; i++)
		bytes[i] = (char)oclmm_random_below(5, i, 256);
	assert_int_equal(oclmm_write_file("bytes", bytes, SIZE), 0);
	assert_int_equal(oclmm_read_file("bytes", &data, &length), 0);
	assert_int_equal(length, SIZE);
	assert_memory_equal(data, bytes, SIZE);
	assert_int_equal(data[SIZE], 0);
	free(data);
	assert_int_equal(oclmm_write_file("bytes", "", 0), 0);
	assert_holds("bytes", "");
	assert_int_equal(entries("."), 1);
	free(bytes);
}

static void failures_leave_results_alone(void **state)
{
	char *data = (char *)1;
	size_t length = 77;

	(void)state;
	assert_int_equal(oclmm_read_file("absent", &data, &length), -ENOENT);
	assert_int_equal(oclmm_read_file(".", &data, &length), -EISDIR);
	assert_ptr_equal(data, (char *)1);
	assert_int_equal(length, 77);
	assert_int_equal(oclmm_write_file("absent/file", "x", 1), -ENOENT);
	assert_int_equal(oclmm_write_file(".", "x", 1), -EISDIR);
	assert_int_equal(entries("."), 0);
}

static void a_new_file_replaces_none(void **state)
{
	(void)state;
	assert_int_equal(oclmm_create_file("absent/file", "x", 1), -ENOENT);
	assert_int_equal(oclmm_create_file("file", "1", 1), 0);
	assert_int_equal(oclmm_create_file("file", "2", 1), -EEXIST);
	assert_int_equal(symlink("nowhere", "link"), 0);
	assert_int_equal(oclmm_create_file("link", "2", 1), -EEXIST);
	assert_holds("file", "1");
	assert_int_equal(entries("."), 2);
}

static void modes_and_links_survive(void **state)
{
	struct stat status;

	(void)state;
	umask(027);
	assert_int_equal(oclmm_write_file("file", "1", 1), 0);
	assert_int_equal(stat("file", &status), 0);
	assert_int_equal(status.st_mode & 0777, 0640);
	assert_int_equal(chmod("file", 0604), 0);
	assert_int_equal(symlink("file", "link"), 0);
	assert_int_equal(oclmm_write_file("link", "2", 1), 0);
	assert_int_equal(lstat("link", &status), 0);
	assert_true(S_ISLNK(status.st_mode));
	assert_int_equal(stat("file", &status), 0);
	assert_int_equal(status.st_mode & 0777, 0604);
	assert_holds("file", "2");
}

static void a_device_stays_a_device(void **state)
{
	struct stat status;
	int reader;
	char bytes[8] = {0};

	(void)state;
	assert_int_equal(mkfifo("pipe", 0600), 0);
	reader = open("pipe", O_RDONLY | O_NONBLOCK);
	assert_true(reader >= 0);
	assert_int_equal(oclmm_write_file("pipe", "sent", 4), 0);
	assert_int_equal(read(reader, bytes, sizeof(bytes)), 4);
	assert_string_equal(bytes, "sent");
	close(reader);
	assert_int_equal(lstat("pipe", &status), 0);
	assert_true(S_ISFIFO(status.st_mode));
	assert_int_equal(entries("."), 1);
}

static void folders_are_made(void **state)
{
	char absolute[PATH_MAX];
	struct stat status;

	assert_int_equal(oclmm_make_folders("a/b//c/"), 0);
	assert_int_equal(oclmm_make_folders("a/b/c"), 0);
	assert_int_equal(stat("a/b/c", &status), 0);
	assert_true(S_ISDIR(status.st_mode));
	snprintf(absolute, sizeof(absolute), "%s/d/e", (char *)*state);
	assert_int_equal(oclmm_make_folders(absolute), 0);
	assert_int_equal(stat("d/e", &status), 0);
	assert_int_equal(oclmm_write_file("file", "x", 1), 0);
	assert_int_equal(oclmm_make_folders("file"), -ENOTDIR);
	assert_int_equal(oclmm_make_folders("file/below"), -ENOTDIR);
	assert_int_equal(oclmm_make_folders(""), -ENOENT);
	assert_int_equal(oclmm_make_folders("/"), 0);
}

static void a_private_file_is_nobody_else_s(void **state)
{
	static const char *const others[] = {"file", "link", "pipe"};
	mode_t mask = umask(0);
	struct stat status;

	(void)state;
	assert_int_equal(oclmm_write_file("target", "as it was", 9), 0);
	assert_int_equal(oclmm_write_file("file", "open to all", 11), 0);
	assert_int_equal(symlink("target", "link"), 0);
	assert_int_equal(mkfifo("pipe", 0666), 0);
	for (size_t i = 0; i < OCLMM_COUNT(others); i++) {
		assert_int_equal(oclmm_write_private_file(others[i], "mine", 4), 0);
		assert_int_equal(lstat(others[i], &status), 0);
		assert_int_equal(status.st_mode, S_IFREG | 0600);
		assert_holds(others[i], "mine");
	}
	assert_holds("target", "as it was");
	assert_int_equal(mkdir("folder", 0777), 0);
	assert_int_equal(oclmm_write_private_file("folder", "mine", 4), -EISDIR);
	assert_int_equal(entries("."), 5);
	umask(mask);
}

/* One that is larger than any of ours is refused by its size, and from where reading begins. */
static void what_is_too_large_is_not_read(void **state)
{
	const off_t size = ((off_t)1 << 30) + 4096;
	struct oclmm_text text = {0};
	int file = open("large", O_RDWR | O_CREAT, 0600);

	(void)state;
	assert_true(file >= 0);
	assert_int_equal(ftruncate(file, size), 0); /* with no blocks of its own */
	assert_int_equal(oclmm_read_rest(file, &text), -EFBIG);
	assert_int_equal(lseek(file, 0, SEEK_CUR), 0);
	assert_null(text.data);
	assert_int_equal(lseek(file, size - 3, SEEK_SET), size - 3);
	assert_int_equal(oclmm_read_rest(file, &text), 0);
	assert_int_equal(text.length, 3);
	oclmm_text_finish(&text);
	close(file);
}

static void a_suffix_is_the_last_name_s_own(void **state)
{
	(void)state;
	assert_string_equal(oclmm_suffix("a.json"), ".json");
	assert_string_equal(oclmm_suffix("b/a.tar.gz"), ".gz");
	assert_string_equal(oclmm_suffix("b.d/a"), "");
	assert_string_equal(oclmm_suffix("b.d/"), "");
	assert_string_equal(oclmm_suffix(".json"), "");
	assert_string_equal(oclmm_suffix("b/.json"), "");
	assert_string_equal(oclmm_suffix("a."), ".");
	assert_string_equal(oclmm_suffix(""), "");
}

static void failure_has_words(void **state)
{
	struct oclmm_error error = {0};
	char *text = NULL;
	size_t length = 7;

	(void)state;
	assert_int_equal(oclmm_read_text("none", &error, &text, &length), -ENOENT);
	assert_string_equal(error.message, "cannot read none: No such file or directory");
	assert_null(text);
	assert_int_equal(length, 7);
	assert_int_equal(oclmm_write_file("some", "words", 5), 0);
	assert_int_equal(oclmm_read_text("some", &error, &text, &length), 0);
	assert_string_equal(text, "words");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(bytes_come_back, enter, leave),
		cmocka_unit_test_setup_teardown(failure_has_words, enter, leave),
		cmocka_unit_test_setup_teardown(failures_leave_results_alone, enter, leave),
		cmocka_unit_test_setup_teardown(a_new_file_replaces_none, enter, leave),
		cmocka_unit_test_setup_teardown(modes_and_links_survive, enter, leave),
		cmocka_unit_test_setup_teardown(a_device_stays_a_device, enter, leave),
		cmocka_unit_test_setup_teardown(folders_are_made, enter, leave),
		cmocka_unit_test_setup_teardown(a_private_file_is_nobody_else_s, enter, leave),
		cmocka_unit_test_setup_teardown(what_is_too_large_is_not_read, enter, leave),
		cmocka_unit_test(a_suffix_is_the_last_name_s_own),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
