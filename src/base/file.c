// SPDX-License-Identifier: Apache-2.0
#include "oclmm/base.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* None of our files is larger, and reading /dev/zero would never end. */
static const size_t MOST_BYTES = (size_t)1 << 30;

/* A file that says so itself is not read first. */
static bool is_too_large(int file)
{
	struct stat about;
	off_t at = lseek(file, 0, SEEK_CUR);

	return at >= 0 && fstat(file, &about) == 0 && S_ISREG(about.st_mode) &&
	       about.st_size > at && (uint64_t)(about.st_size - at) > MOST_BYTES;
}

/* Reads to the end rather than trusting the size: pipes and /proc have none. */
int oclmm_read_rest(int file, struct oclmm_text *text)
{
	char buffer[16 * 1024];
	ssize_t count;

	if (is_too_large(file))
		return -EFBIG;
	for (;;) {
		count = read(file, buffer, sizeof(buffer));
		if (count < 0 && errno == EINTR)
			continue;
		if (count < 0)
			return -errno;
		if (count == 0)
			return 0;
		if (text->length + (size_t)count > MOST_BYTES)
			return -EFBIG;
		oclmm_text_add_bytes(text, buffer, (size_t)count);
	}
}

int oclmm_read_file(const char *path, char **ret_data, size_t *ret_length)
{
	struct oclmm_text text = {0};
	int fd, error;

	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	error = oclmm_read_rest(fd, &text);
	close(fd);
	if (error) {
		oclmm_text_finish(&text);
		return error;
	}
	if (ret_length)
		*ret_length = text.length;
	*ret_data = oclmm_text_steal(&text);
	return 0;
}

int oclmm_read_text(const char *path, struct oclmm_error *error, char **ret_text,
                    size_t *ret_length)
{
	int r = oclmm_read_file(path, ret_text, ret_length);

	return r < 0 ? oclmm_error_set(error, r, "cannot read %s: %s", path, strerror(-r)) : 0;
}

int oclmm_write_rest(int file, const char *data, size_t length)
{
	while (length) {
		ssize_t count = write(file, data, length);

		if (count < 0 && errno == EINTR)
			continue;
		if (count <= 0)
			return count < 0 ? -errno : -EIO;
		data += count;
		length -= (size_t)count;
	}
	return 0;
}

/* Closing can report what writing did not (a full disk over NFS). */
static int write_and_close(int fd, const char *data, size_t length)
{
	int error = oclmm_write_rest(fd, data, length);

	if (close(fd) && !error && errno != EINTR)
		error = -errno;
	return error;
}

/* ---- files that are not whole yet ---- */

enum { NAME_SIZE = 4096 + 64, UNFINISHED_MOST = 8 };

enum { FREE, FILLED, KNOWN };

/* Read by whoever handles a signal, while any thread writes. Of more files at once the last ones
 * are not known here. */
static struct {
	atomic_int state;
	char name[NAME_SIZE];
} unfinished[UNFINISHED_MOST];

/* Returns its place, or UNFINISHED_MOST. */
static size_t note_unfinished(const char *path)
{
	size_t i = 0, length = strlen(path);

	if (length >= NAME_SIZE)
		return UNFINISHED_MOST;
	for (; i < UNFINISHED_MOST; i++) {
		int before = FREE;

		if (!atomic_compare_exchange_strong(&unfinished[i].state, &before, FILLED))
			continue;
		memcpy(unfinished[i].name, path, length + 1);
		atomic_store(&unfinished[i].state, KNOWN);
		break;
	}
	return i;
}

static void note_finished(size_t place)
{
	if (place < UNFINISHED_MOST)
		atomic_store(&unfinished[place].state, FREE);
}

void oclmm_remove_unfinished(void)
{
	for (size_t i = 0; i < UNFINISHED_MOST; i++) {
		if (atomic_load(&unfinished[i].state) == KNOWN)
			unlink(unfinished[i].name);
	}
}

/* ---- writing ---- */

/* mkstemp() would make the file private; this keeps what the umask says. */
static int open_beside(const char *path, char *name, size_t size, size_t *ret_place)
{
	int fd;

	for (int attempt = 0; attempt < 100; attempt++) {
		if ((size_t)snprintf(name, size, "%s.%ld.%d.tmp", path, (long)getpid(), attempt) >=
		    size)
			return -ENAMETOOLONG;
		*ret_place = note_unfinished(name);
		fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		if (fd >= 0)
			return fd;
		note_finished(*ret_place);
		if (errno != EEXIST)
			return -errno;
	}
	return -EEXIST;
}

static int replace(const char *path, mode_t mode, const char *data, size_t length)
{
	char name[NAME_SIZE];
	int fd, error;
	size_t place;

	fd = open_beside(path, name, sizeof(name), &place);
	if (fd < 0)
		return fd;
	error = mode && fchmod(fd, mode) ? -errno : 0;
	if (error)
		close(fd);
	else
		error = write_and_close(fd, data, length);
	if (!error && rename(name, path))
		error = -errno;
	if (error)
		unlink(name);
	note_finished(place);
	return error;
}

int oclmm_write_file(const char *path, const char *data, size_t length)
{
	struct stat status;
	char *target;
	int fd, error;

	if (stat(path, &status))
		return errno == ENOENT ? replace(path, 0, data, length) : -errno;
	if (S_ISDIR(status.st_mode))
		return -EISDIR;
	/* A rename would put a plain file in the place of a pipe or a device. */
	if (!S_ISREG(status.st_mode)) {
		fd = open(path, O_WRONLY | O_CLOEXEC);
		return fd < 0 ? -errno : write_and_close(fd, data, length);
	}
	/* ... and in the place of a symbolic link instead of what it names. */
	target = realpath(path, NULL);
	if (!target)
		return -errno;
	error = replace(target, status.st_mode & 07777, data, length);
	free(target);
	return error;
}

int oclmm_write_private_file(const char *path, const char *data, size_t length)
{
	return replace(path, 0600, data, length);
}

int oclmm_create_file(const char *path, const char *data, size_t length)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666), error;
	size_t place;

	if (fd < 0)
		return -errno;
	place = note_unfinished(path);
	error = write_and_close(fd, data, length);
	if (error)
		unlink(path);
	note_finished(place);
	return error;
}

static int make_folder(const char *path)
{
	struct stat status;

	if (!mkdir(path, 0777))
		return 0;
	if (errno != EEXIST)
		return -errno;
	if (stat(path, &status))
		return -errno;
	return S_ISDIR(status.st_mode) ? 0 : -ENOTDIR;
}

const char *oclmm_suffix(const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	const char *dot = strrchr(name, '.');

	return dot && dot != name ? dot : "";
}

int oclmm_make_folders(const char *path)
{
	char *copy = oclmm_strdup(path);
	char *slash;
	int error = 0;

	for (slash = copy + 1; *copy && !error && (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		error = make_folder(copy);
		*slash = '/';
	}
	if (!error)
		error = make_folder(copy);
	free(copy);
	return error;
}
