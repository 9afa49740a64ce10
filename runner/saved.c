// SPDX-License-Identifier: Apache-2.0
#include "saved.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oclmm/grade.h"
#include "selection.h"

int saved_read(const struct command *command, const char *path, bool partial,
               struct oclmm_results **ret_results)
{
	struct oclmm_error error = { 0 };
	int r = oclmm_results_read(path, partial, &error, ret_results);

	(void)command;
	if (r == 0)
		return 0;
	print_error(&error);
	return OCLMM_EXIT_USAGE;
}

int saved_join(const struct command *command, char **paths, int count, bool partial,
               struct oclmm_text *text)
{
	struct oclmm_results **results = oclmm_calloc((size_t)count + 1, sizeof(*results));
	struct oclmm_error error = { 0 };
	int status = 0;

	/* all refused files are named, not only the first */
	for (int i = 0; i < count; i++) {
		int one = saved_read(command, paths[i], partial, &results[i]);

		status = status ? status : one;
	}
	if (status == 0 && oclmm_results_merge((const struct oclmm_results *const *)results,
	                                       (size_t)count, partial, &error, text) < 0) {
		print_error(&error);
		if (!partial)
			fputs("      --partial takes what there is\n", stderr);
		status = OCLMM_EXIT_USAGE;
	}
	for (int i = 0; i < count; i++)
		oclmm_results_destroy(results[i]);
	free(results);
	return status;
}
