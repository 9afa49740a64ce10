// SPDX-License-Identifier: Apache-2.0
/* oclmm list: names of tests. */
#include <stdio.h>
#include <stdlib.h>

#include "cli/commands.h"
#include "oclmm/grade.h"
#include "select/narrow.h"
#include "select/select.h"
#include "select/shard.h"

struct list_options {
	bool files;
	bool details;
	const char *profile;
	struct shard shard;
	struct narrow narrow;
};

static const struct option_spec options[] = {
	NARROW_BUG_OPTION(struct list_options),
	NARROW_FAMILY_OPTION(struct list_options),
	NARROW_FEATURE_OPTION(struct list_options),
	{"files", 0, NULL, "one line per litmus file instead of per variant",
         SETS_FLAG(struct list_options, files)},
	{"long", 'l', NULL, "add the file, its question and the number of variants",
         SETS_FLAG(struct list_options, details)},
	{"profile", 'p', "NAME", "the tests of litmus/profiles/NAME",
         SETS_TEXT(struct list_options, profile)},
	{"shard", 0, "K/N", "the tests that oclmm run --shard K/N runs",
         SETS_BY(shard_parse, struct list_options, shard)},
	{0},
};

static void print_file(const struct chosen *chosen, bool details)
{
	const struct oclmm_litmus *litmus = chosen->litmus;

	if (details)
		cli_print_fitted("%-28s %4u  %s", oclmm_shown(chosen->file->relative).text,
		                 litmus->variant_count,
		                 oclmm_shown(litmus->question ? litmus->question : "").text);
	else
		printf("%s\n", oclmm_shown(chosen->file->relative).text);
}

static void print_variant(const struct chosen *chosen, bool details)
{
	if (details)
		printf("%-48s %s\n", oclmm_shown(chosen->variant->name).text,
		       oclmm_shown(chosen->file->relative).text);
	else
		printf("%s\n", oclmm_shown(chosen->variant->name).text);
}

static int run(const struct command *command, int argc, char **argv)
{
	struct list_options list = {0};
	struct selection selection;
	int first, refused = 0, status = options_parse(command, argc, argv, &list, &first);

	if (status)
		return status;
	if (list.profile && first < argc)
		return options_error(command, "either --profile or names, not both");
	status = list.profile ? selection_make_profile(&selection, list.profile)
	                      : selection_make_readable(&selection, argv + first, argc - first,
	                                                &refused);
	if (status == 0)
		status = narrow_apply(&list.narrow, &selection);
	shard_apply(&list.shard, &selection);
	for (size_t i = 0; status == 0 && i < selection.count; i++) {
		const struct chosen *chosen = &selection.chosen[i];

		if (!list.files)
			print_variant(chosen, list.details);
		else if (i == 0 || chosen->file != selection.chosen[i - 1].file)
			print_file(chosen, list.details);
	}
	if (refused)
		status = refused;
	else if (status == 0 && selection.count == 0)
		status = OCLMM_EXIT_NOTHING;
	selection_finish(&selection);
	return status;
}

const struct command command_list = {
	.name = "list",
	.arguments = "[FILE|DIR|PATTERN…]",
	.summary = "print the names of tests",
	.options = options,
	.repeatable = "bug family feature",
	.run = run,
};
