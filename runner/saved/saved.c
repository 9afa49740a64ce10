// SPDX-License-Identifier: Apache-2.0
#include "saved.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "oclmm/grade.h"
#include "select/select.h"

static int read_one(const char *path, bool partial, struct oclmm_results **ret_results)
{
	struct oclmm_error error = {0};

	if (oclmm_results_read(path, partial, &error, ret_results) == 0)
		return 0;
	return report_error(&error);
}

int saved_read_records(const char *path, bool partial, struct oclmm_results **ret_results)
{
	struct oclmm_error error = {0};

	if (oclmm_results_read_records(path, partial, &error, ret_results) == 0)
		return 0;
	return report_error(&error);
}

int saved_expectations(const char *path, struct oclmm_expectations **ret_expectations)
{
	struct oclmm_error error = {0};

	if (!path || oclmm_expectations_read(path, &error, ret_expectations) == 0)
		return 0;
	return report_error(&error);
}

static bool is_named(const void *data, const char *pattern)
{
	const struct selection *selection = data;

	for (size_t file = 0; file < selection->files.count; file++) {
		const struct oclmm_litmus *litmus = selection->litmus[file];

		for (uint32_t i = 0; i < litmus->variant_count; i++) {
			if (oclmm_pattern_matches(pattern, litmus->variants[i].name))
				return true;
		}
	}
	return false;
}

static bool is_named_anywhere(const void *data, const char *pattern)
{
	const struct selection *const *selections = data;

	return is_named(selections[0], pattern) || is_named(selections[1], pattern);
}

int saved_expectations_check(const struct oclmm_expectations *expectations,
                             const struct selection *selection)
{
	const struct selection *selections[2] = {selection};
	struct oclmm_error error = {0};
	struct selection suite = {0};
	char *folder;
	int status = 0;

	if (!expectations ||
	    oclmm_expectations_check(expectations, is_named, selection, &error) == 0)
		return 0;
	/* a list is for the whole suite, whatever part of it is asked for now */
	folder = suite_folder(&error);
	if (folder)
		status = selection_make(&suite, NULL, 0);
	free(folder);
	selections[1] = &suite;
	error = (struct oclmm_error){0};
	if (status == 0 &&
	    oclmm_expectations_check(expectations, is_named_anywhere, selections, &error) < 0)
		status = report_error(&error);
	selection_finish(&suite);
	return status;
}

/* A hole may be accepted, a contradiction not. */
static int refuse(const struct oclmm_error *error, int r)
{
	report_error(error);
	if (r == -ENOENT)
		fputs("      --partial takes what there is\n", stderr);
	return OCLMM_EXIT_USAGE;
}

/* All refused files are named, not only the first. */
static int read_all(const struct command *command, char **paths, int count, bool partial,
                    struct oclmm_results **results)
{
	int status = 0;

	if (count == 0)
		return options_error(command,
		                     "name results files, as oclmm run --output writes them");
	for (int i = 0; i < count; i++) {
		int one = read_one(paths[i], partial, &results[i]);

		status = status ? status : one;
	}
	return status;
}

/* Into text where there is one, else into ret_results, which then owns what was read. */
static int put_together(const struct command *command, char **paths, int count, bool partial,
                        struct oclmm_text *text, struct oclmm_results **ret_results)
{
	struct oclmm_results **results = oclmm_calloc((size_t)count + 1, sizeof(*results));
	struct oclmm_error error = {0};
	int r = 0, status = read_all(command, paths, count, partial, results);

	if (status == 0 && text)
		r = oclmm_results_merge((const struct oclmm_results *const *)results, (size_t)count,
		                        partial, &error, text);
	else if (status == 0)
		r = oclmm_results_join(results, (size_t)count, partial, &error, ret_results);
	if (r < 0)
		status = refuse(&error, r);
	for (int i = 0; (text || status) && i < count; i++)
		oclmm_results_destroy(results[i]);
	free(results);
	return status;
}

int saved_merge(const struct command *command, char **paths, int count, bool partial,
                struct oclmm_text *text)
{
	return put_together(command, paths, count, partial, text, NULL);
}

int saved_join(const struct command *command, char **paths, int count, bool partial,
               struct oclmm_results **ret_results)
{
	return put_together(command, paths, count, partial, NULL, ret_results);
}
