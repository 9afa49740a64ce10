// SPDX-License-Identifier: Apache-2.0
#include "saved.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oclmm/grade.h"
#include "select/select.h"

int saved_read(const char *path, bool partial, struct oclmm_results **ret_results)
{
	struct oclmm_error error = {0};

	if (oclmm_results_read(path, partial, &error, ret_results) == 0)
		return 0;
	report_error(&error);
	return OCLMM_EXIT_USAGE;
}

int saved_expectations(const char *path, struct oclmm_expectations **ret_expectations)
{
	struct oclmm_error error = {0};

	if (!path || oclmm_expectations_read(path, &error, ret_expectations) == 0)
		return 0;
	report_error(&error);
	return OCLMM_EXIT_USAGE;
}

int saved_join(const struct command *command, char **paths, int count, bool partial,
               struct oclmm_text *text)
{
	struct oclmm_results **results = oclmm_calloc((size_t)count + 1, sizeof(*results));
	struct oclmm_error error = {0};
	int status = 0;

	if (count == 0)
		status = options_error(command,
		                       "name results files, as oclmm run --output writes them");
	/* all refused files are named, not only the first */
	for (int i = 0; i < count; i++) {
		int one = saved_read(paths[i], partial, &results[i]);

		status = status ? status : one;
	}
	if (status == 0 && oclmm_results_merge((const struct oclmm_results *const *)results,
	                                       (size_t)count, partial, &error, text) < 0) {
		report_error(&error);
		if (!partial)
			fputs("      --partial takes what there is\n", stderr);
		status = OCLMM_EXIT_USAGE;
	}
	for (int i = 0; i < count; i++)
		oclmm_results_destroy(results[i]);
	free(results);
	return status;
}
