// SPDX-License-Identifier: Apache-2.0
/* oclmm merge: joins results files. */
#include "cli/commands.h"
#include "oclmm/grade.h"
#include "saved.h"

struct merge {
	const char *output;
	bool partial;
};

static const struct option_spec options[] = {
	{"output", 'o', "FILE", "write there instead of standard output",
         SETS_TEXT(struct merge, output)},
	REGRADE_PARTIAL_OPTION(struct merge, partial),
	{0},
};

static int run(const struct command *command, int argc, char **argv)
{
	struct merge merge = {0};
	struct oclmm_text text = {0};
	int first, status = options_parse(command, argc, argv, &merge, &first);

	if (status)
		return status;
	status = saved_join(command, argv + first, argc - first, merge.partial, &text, NULL);
	if (status == 0)
		status = command_write(command, merge.output, &text);
	oclmm_text_finish(&text);
	return status;
}

const struct command command_merge = {
	.name = "merge",
	.arguments = "RESULTS…",
	.summary = "join results files",
	.description =
		"Order and repetition of the files do not matter. Two results for the same test, "
		"device,\n"
		"driver, environment and seed that differ, and a missing shard, are refused.\n"
		"Exit status: 0 joined, whatever the results say; 2 usage, or a file that is "
		"refused;\n"
		"99 the output could not be written.",
	.options = options,
	.run = run,
};
