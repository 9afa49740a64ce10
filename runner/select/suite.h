// SPDX-License-Identifier: Apache-2.0
/* Where litmus files and their expected sets are. */
#ifndef OCLMM_RUNNER_SELECT_SUITE_H
#define OCLMM_RUNNER_SELECT_SUITE_H

#include "oclmm/base.h"
#include <limits.h>

struct dirent;

/* One litmus file and what belongs to it. */
struct suite_file {
	char *path;     /* as it is opened and named in messages */
	char *relative; /* below the suite's litmus/, or its bare name */
	char *family;   /* folder of `relative`, "" without one */
	char *expected; /* path of its expected sets, whether they exist or not */
	char *cycle;    /* of a line of a list: what the test is made from; `path` is the list's */
	bool is_drawn;  /* by its name, which `path` is */
	bool apart; /* not of the suite, or of a list: its tests' names alone do not find them */
};

struct suite_files {
	struct suite_file *files;
	size_t count;
	size_t capacity;
};

/*
 * The suite's folder litmus/: below $OCLMM_SUITE, the current folder or one
 * above it, one above the program, or the installed data.
 * Returns a malloc-ed path, relative in the current folder, or NULL with `error`.
 */
char *suite_folder(struct oclmm_error *error);

/* Adds all *.litmus below a folder, sorted. Returns 0 or a negative errno value. */
int suite_add_folder(struct suite_files *files, const char *path, struct oclmm_error *error);
/* The ending of such a list. */
#define SUITE_LIST ".cycles"
void suite_files_finish(struct suite_files *files);

/* For scandir(): leaves out hidden files, `.` and `..`. */
int suite_is_visible(const struct dirent *entry);

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
