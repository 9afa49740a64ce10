// SPDX-License-Identifier: Apache-2.0
/*
 * One run per device, because another run's stress could not be repeated by a seed. The lock is
 * flock()'s: it ends with its holder, however that ends. Children inherit none of the program's
 * files, so neither they nor processes that a driver forks in them hold it.
 */
#include "worker.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "platform/system.h"

/* Whether the folder is this user's own: in /tmp anybody could have made it. */
static int check_folder(const char *path, struct oclmm_error *error)
{
	struct stat info;

	if (mkdir(path, 0700) < 0 && errno != EEXIST)
		return oclmm_error_set(error, -errno, "cannot create %s: %s", path,
		                       strerror(errno));
	if (lstat(path, &info) < 0)
		return oclmm_error_set(error, -errno, "cannot look at %s: %s", path,
		                       strerror(errno));
	if (!S_ISDIR(info.st_mode) || info.st_uid != geteuid())
		return oclmm_error_set(error, -EPERM, "%s is not a folder of this user", path);
	return 0;
}

/* The file that stands for a device; `*ret_path` is malloc-ed. */
static int find_path(const struct oclmm_device_identity *identity, struct oclmm_error *error,
                     char **ret_path)
{
	const char *runtime = getenv("XDG_RUNTIME_DIR");
	struct oclmm_text path = {0};
	int r;

	if (runtime && oclmm_is_absolute(runtime) && access(runtime, W_OK | X_OK) == 0)
		oclmm_text_printf(&path, "%s/oclmm", runtime);
	else
		oclmm_text_printf(&path, "/tmp/oclmm-%u", (unsigned)geteuid());
	r = check_folder(oclmm_text_string(&path), error);
	if (r < 0) {
		oclmm_text_finish(&path);
		return r;
	}
	oclmm_text_printf(&path, "/%s.lock", identity->file);
	*ret_path = oclmm_text_steal(&path);
	return 0;
}

static long read_holder(int file)
{
	char digits[24] = "";

	if (pread(file, digits, sizeof(digits) - 1, 0) <= 0)
		return 0;
	return strtol(digits, NULL, 10);
}

static void write_holder(int file)
{
	char digits[24];
	int length = snprintf(digits, sizeof(digits), "%ld\n", (long)getpid());

	/* the number only says who holds the lock, which works without it */
	if (ftruncate(file, 0) < 0 || pwrite(file, digits, (size_t)length, 0) < 0)
		errno = 0;
}

static int take_lock(const char *path, struct oclmm_error *error, long *ret_holder)
{
	int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	int r;

	if (file < 0)
		return oclmm_error_set(error, -errno, "cannot open %s: %s", path, strerror(errno));
	if (flock(file, LOCK_EX | LOCK_NB) == 0) {
		write_holder(file);
		return file;
	}
	r = -errno;
	if (r == -EWOULDBLOCK)
		*ret_holder = read_holder(file);
	else
		oclmm_error_set(error, r, "cannot lock %s: %s", path, strerror(-r));
	close(file);
	return r;
}

int worker_lock(const struct oclmm_device_identity *identity, struct oclmm_error *error,
                long *ret_holder)
{
	char *path;
	int r = find_path(identity, error, &path);

	if (r < 0)
		return r;
	r = take_lock(path, error, ret_holder);
	free(path);
	return r;
}
