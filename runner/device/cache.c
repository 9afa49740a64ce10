// SPDX-License-Identifier: Apache-2.0
/* The cache of a driver that shows no device, and says so only where nobody reads it, when it
 * cannot write there: PoCL. */
#include "internal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Where it would be, and which variable says so. */
static const char *find_folder(char *path, size_t size)
{
	static const struct {
		const char *variable, *below;
	} places[] = {{"POCL_CACHE_DIR", ""}, {"XDG_CACHE_HOME", "/pocl"}, {"HOME", "/.cache"}};

	for (size_t i = 0; i < OCLMM_COUNT(places); i++) {
		const char *value = getenv(places[i].variable);

		if (value && (size_t)snprintf(path, size, "%s%s", value, places[i].below) < size)
			return places[i].variable;
	}
	return NULL;
}

/* What permissions say is not enough: they bind no superuser, and not all file systems. */
static bool can_write(const char *folder)
{
	char path[4200];
	int file;

	snprintf(path, sizeof(path), "%s/oclmm-XXXXXX", folder);
	file = mkstemp(path);
	if (file < 0)
		return false;
	close(file);
	unlink(path);
	return true;
}

int oclmm_cache_check(cl_platform_id platform, struct oclmm_error *error)
{
	char name[64] = "", path[4096], *end;
	const char *variable = find_folder(path, sizeof(path));

	if (!variable ||
	    clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof(name) - 1, name, NULL) != 0 ||
	    strcmp(name, "Portable Computing Language") != 0)
		return 0;
	/* what is not there is made, in the nearest folder that is */
	while (access(path, F_OK) < 0 && (end = strrchr(path, '/')))
		end[end == path] = '\0';
	if (can_write(access(path, F_OK) < 0 ? "." : path))
		return 0;
	return oclmm_error_set(error, -EIO,
	                       "%s shows no device, and cannot write its cache: %s, by %s: %s",
	                       name, path, variable, strerror(errno));
}
