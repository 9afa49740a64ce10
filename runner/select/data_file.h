// SPDX-License-Identifier: Apache-2.0
/* What is installed beside the suite. */
#ifndef OCLMM_RUNNER_SELECT_DATA_FILE_H
#define OCLMM_RUNNER_SELECT_DATA_FILE_H

#include <limits.h>
#include <stdbool.h>

/* Where this program lies. False, and an empty path, where the system does not tell. */
bool program_path(char path[PATH_MAX]);

/*
 * A file of the installed data, wherever the installation was moved to, or of the build folder
 * that the program stands in.
 * \param name below share/oclmm
 * \param built below the build folder
 * Returns a malloc-ed path, or NULL where there is no such file.
 */
char *data_file(const char *name, const char *built);

#endif
