// SPDX-License-Identifier: Apache-2.0
/* oclmm compare: what changed between two runs. */
#include <inttypes.h>
#include <stdio.h>

#include "cli/commands.h"
#include "oclmm/grade.h"
#include "saved.h"

struct compare {
	bool all, partial, quiet;
};

static const struct option_spec options[] = {
	{"all", 0, NULL, "print every outcome that came or went, not only the weak ones",
         SETS_FLAG(struct compare, all)},
	{"partial", 0, NULL, "accept a run that was cut short", SETS_FLAG(struct compare, partial)},
	{"quiet", 'q', NULL, "print regressions only", SETS_FLAG(struct compare, quiet)},
	{0},
};

static int refuse_cut_short(const struct command *command, const struct compare *compare,
                            const struct oclmm_results *results)
{
	if (compare->partial || results->complete)
		return 0;
	return options_error(
		command,
		"%s: the run was cut short: the file has no last line; --partial takes "
		"what there is",
		results->path);
}

static enum oclmm_exit exit_of(const struct oclmm_comparison *counts)
{
	if (counts->regressions)
		return OCLMM_EXIT_FORBIDDEN;
	if (counts->broken)
		return OCLMM_EXIT_INFRASTRUCTURE;
	return counts->common ? OCLMM_EXIT_PASS : OCLMM_EXIT_NOTHING;
}

static enum oclmm_exit print_comparison(const struct compare *compare,
                                        const struct oclmm_results *before,
                                        const struct oclmm_results *after)
{
	enum oclmm_compare_lines lines = compare->all     ? OCLMM_COMPARE_ALL
	                                 : compare->quiet ? OCLMM_COMPARE_REGRESSIONS
	                                                  : OCLMM_COMPARE_NOTABLE;
	struct oclmm_comparison counts;
	struct oclmm_text text = {0};

	oclmm_results_compare(before, after, lines, &counts, &text);
	fputs(oclmm_text_string(&text), stdout);
	oclmm_text_finish(&text);
	cli_print_fitted("%s, %" PRIu64 " in both: %s, %" PRIu64 " broken, %" PRIu64
	                 " not run, %" PRIu64 " new, %s of what is seen, %" PRIu64 " of rates",
	                 oclmm_counted(counts.tests, "test").text, counts.common,
	                 oclmm_counted(counts.regressions, "regression").text, counts.broken,
	                 counts.not_run, counts.fresh,
	                 oclmm_counted(counts.changes, "other change").text, counts.rates);
	return exit_of(&counts);
}

static int read_records(const char *path, bool partial, struct oclmm_results **ret_results)
{
	struct oclmm_error error = {0};

	if (oclmm_results_read(path, partial, false, &error, ret_results) == 0)
		return 0;
	return report_error(&error);
}

static int run(const struct command *command, int argc, char **argv)
{
	struct compare compare = {0};
	struct oclmm_results *before = NULL, *after = NULL;
	int first, status = options_parse(command, argc, argv, &compare, &first);

	if (status)
		return status;
	if (argc - first != 2)
		return options_error(command,
		                     "name two results files, the one to compare with first");
	status = read_records(argv[first], compare.partial, &before);
	if (status == 0)
		status = read_records(argv[first + 1], compare.partial, &after);
	if (status == 0)
		status = refuse_cut_short(command, &compare, before);
	if (status == 0)
		status = refuse_cut_short(command, &compare, after);
	if (status == 0)
		status = print_comparison(&compare, before, after);
	oclmm_results_destroy(before);
	oclmm_results_destroy(after);
	return status;
}

const struct command command_compare = {
	.name = "compare",
	.arguments = "BEFORE AFTER",
	.summary = "say what changed between two results files",
	.description =
		"Where a test ran before, a forbidden outcome that was not seen then, and a\n"
		"feature that the device lacks now, are regressions. A test that is in one\n"
		"file alone is not run, or new; other outcomes that come and go, and rates,\n"
		"are reported, and fail nothing.\n"
		"Exit status: 0 no regression; 1 a regression; 2 usage, or a file that is "
		"refused;\n"
		"77 no test in common; 99 a test could not be run to the end that was before.",
	.options = options,
	.one_of = (const char *const[]){"all quiet", NULL},
	.run = run,
};
