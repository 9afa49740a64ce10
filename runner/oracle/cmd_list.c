// SPDX-License-Identifier: Apache-2.0
/* oclmm list: names of tests. */
#include <stdio.h>
#include <stdlib.h>

#include "cli/commands.h"
#include "oclmm/grade.h"
#include "select/narrow.h"
#include "select/select.h"
#include "select/shard.h"

enum {
	OPTION_BUG,
	OPTION_FAMILY,
	OPTION_FEATURE,
	OPTION_FILES,
	OPTION_LONG,
	OPTION_PROFILE,
	OPTION_SHARD,
};

static const struct option_spec options[] = {
	[OPTION_BUG] = NARROW_BUG_OPTION,
	[OPTION_FAMILY] = NARROW_FAMILY_OPTION,
	[OPTION_FEATURE] = NARROW_FEATURE_OPTION,
	[OPTION_FILES] = {"files", 0, NULL, "one line per litmus file instead of per variant"},
	[OPTION_LONG] = {"long", 'l', NULL,
                         "add the file, its question and the number of variants"},
	[OPTION_PROFILE] = {"profile", 'p', "NAME", "the tests of litmus/profiles/NAME"},
	[OPTION_SHARD] = {"shard", 0, "K/N", "the tests that oclmm run --shard K/N runs"},
	{0},
};

struct list_options {
	bool files;
	bool details;
	const char *profile;
	struct shard shard;
	struct narrow narrow;
};

static int set_option(void *data, int index, const char *value)
{
	struct list_options *list = data;

	switch (index) {
	case OPTION_BUG: return narrow_bug(&list->narrow, value);
	case OPTION_FAMILY: return narrow_family(&list->narrow, value);
	case OPTION_FEATURE: return narrow_feature(&list->narrow, value);
	case OPTION_FILES: list->files = true; break;
	case OPTION_LONG: list->details = true; break;
	case OPTION_PROFILE: list->profile = value; break;
	case OPTION_SHARD: return shard_parse(value, &list->shard);
	}
	return 0;
}

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
	int first, status = options_parse(command, argc, argv, set_option, &list, &first);

	if (status)
		return status;
	if (list.profile && first < argc)
		return options_error(command, "either --profile or names, not both");
	status = list.profile ? selection_make_profile(&selection, list.profile)
	                      : selection_make(&selection, argv + first, argc - first);
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
	if (status == 0 && selection.count == 0)
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
