// SPDX-License-Identifier: Apache-2.0
#include "data_file.h"

#include <string.h>
#include <unistd.h>

#include "oclmm/base.h"

bool program_path(char path[PATH_MAX])
{
	ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - 1);

	path[length > 0 ? length : 0] = '\0';
	return length > 0;
}

/* The path when it can be read, else NULL. */
static char *readable(const char *folder, const char *between, const char *name)
{
	struct oclmm_text path = {0};

	oclmm_text_printf(&path, "%s%s%s", folder, between, name);
	if (access(oclmm_text_string(&path), R_OK) == 0)
		return oclmm_text_steal(&path);
	oclmm_text_finish(&path);
	return NULL;
}

/* Cuts the last so many names off a path; false when it has fewer. */
static bool climb(char *path, unsigned steps)
{
	for (; steps; steps--) {
		char *slash = strrchr(path, '/');

		if (!slash)
			return false;
		*slash = '\0';
	}
	return true;
}

/* The program is PREFIX/bin/oclmm or BUILD/runner/oclmm. */
static char *beside_program(const char *name, const char *built)
{
	char path[PATH_MAX], *found;

	if (!program_path(path) || !climb(path, 2))
		return NULL;
	found = readable(path, "/" OCLMM_DATA_BELOW "/oclmm/", name);
	return found ? found : readable(path, "/", built);
}

char *data_file(const char *name, const char *built)
{
	char *found = beside_program(name, built);

	return found ? found : readable(OCLMM_DATA_FOLDER, "/", name);
}
