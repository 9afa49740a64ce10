// SPDX-License-Identifier: Apache-2.0
/* oclmm audit: judges the code that a compiler makes of tests. */
#include "audit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/commands.h"
#include "process/process.h"
#include "select/narrow.h"
#include "select/shard.h"

enum { OUTPUTS_MOST = 8, PLANTS_MOST = 32 };

struct audit_options {
	const struct command *command;
	const char *target, *compiler, *profile, *machine_model;
	const char *outputs[OUTPUTS_MOST], *plants[PLANTS_MOST];
	size_t output_count, plant_count;
	struct narrow narrow;
	struct shard shard;
	enum oclmm_model model;
	enum audit_format format;
	bool all, strict;
};

static int set_target(const char *option, const char *value, void *target)
{
	struct audit_options *options = target;

	(void)option;
	if (strcmp(value, "list") == 0) {
		audit_targets_print();
		return OPTIONS_HELP;
	}
	options->target = value;
	return 0;
}

static int set_format(const char *option, const char *value, void *target)
{
	struct audit_options *options = target;

	for (int i = 0; i < AUDIT_FORMAT_COUNT; i++) {
		if (strcmp(audit_format_name((enum audit_format)i), value) == 0) {
			options->format = (enum audit_format)i;
			return 0;
		}
	}
	return option_refuse(option, value, "summary, text, json or junit");
}

static int add_output(const char *option, const char *value, void *target)
{
	struct audit_options *options = target;

	if (audit_format_of_file(value) == AUDIT_FORMAT_COUNT)
		return option_refuse(option, value, "a file *.txt, *.jsonl, *.xml (JUnit)");
	return option_append(option, value, options->outputs, &options->output_count, OUTPUTS_MOST);
}

static int add_plant(const char *option, const char *value, void *target)
{
	struct audit_options *options = target;

	return option_append(option, value, options->plants, &options->plant_count, PLANTS_MOST);
}

static const struct option_spec specs[] = {
	{"all", 0, NULL, "all tests, not those of the profile default alone",
         SETS_FLAG(struct audit_options, all)},
	NARROW_BUG_OPTION(struct audit_options),
	{"compiler", 0, "PATH", "a clang (default: the one of this machine)",
         SETS_TEXT(struct audit_options, compiler)},
	NARROW_FAMILY_OPTION(struct audit_options),
	NARROW_FEATURE_OPTION(struct audit_options),
	{"format", 'f', "summary|text|json|junit", "on standard output (default: summary)",
         SETS(set_format)},
	{"machine-model", 0, "FILE",
         "judge by the model in this cat file, not by the machine's own",
         SETS_TEXT(struct audit_options, machine_model)},
	{"model", 'm', "NAME", "what OpenCL allows: a version's model, not consensus",
         SETS_BY(option_model, struct audit_options, model)},
	{"output", 'o', "FILE",
         "also write there: *.txt, *.jsonl, *.xml (JUnit), or no suffix: text", SETS(add_output)},
	{"plant", 0, "NAME|all",
         "give the compiler this bug, and say which test finds it; names as of oclmm planted",
         SETS(add_plant)},
	{"profile", 'p', "NAME", "the tests of litmus/profiles/NAME",
         SETS_TEXT(struct audit_options, profile)},
	{"shard", 0, "K/N", "only the K-th of N parts of the tests; variants stay together",
         SETS_BY(shard_parse, struct audit_options, shard)},
	{"strict", 0, NULL, "what is not readable, or too large, fails (status 3)",
         SETS_FLAG(struct audit_options, strict)},
	{"target", 0, "T[:CPU]", "the machine to compile for (default x86-64); \"list\" prints all",
         SETS(set_target)},
	{0},
};

/* 1 outranks 99, which outranks 3, then 77. */
static int status_of(const struct audit *audit, bool strict)
{
	bool judged = false, broken = false, open = false;

	for (size_t i = 0; i < audit->count; i++) {
		const struct audit_case *c = &audit->cases[i];

		if (c->judged && c->verdict == AUDIT_WRONG)
			return OCLMM_EXIT_FORBIDDEN;
		broken |= !c->judged || c->verdict == AUDIT_NOT_BUILT;
		open |= c->verdict == AUDIT_UNREADABLE || c->verdict == AUDIT_TOO_LARGE;
		judged |= c->judged && c->verdict == AUDIT_RIGHT;
	}
	if (broken)
		return OCLMM_EXIT_INFRASTRUCTURE;
	if (open && (strict || !judged))
		return OCLMM_EXIT_INCONCLUSIVE;
	return judged ? OCLMM_EXIT_PASS : OCLMM_EXIT_NOTHING;
}

static int write_all(const struct audit_options *options, const struct audit *audit, int status)
{
	struct oclmm_text text = {0};
	int failed = 0;

	for (size_t i = 0; i < options->output_count && !failed; i++) {
		audit_print(audit, audit_format_of_file(options->outputs[i]), status, &text);
		failed = command_write(options->command, options->outputs[i], &text);
		oclmm_text_finish(&text);
	}
	audit_print(audit, options->format, status, &text);
	fputs(oclmm_text_string(&text), stdout);
	oclmm_text_finish(&text);
	return failed && status != OCLMM_EXIT_FORBIDDEN ? failed : status;
}

/* Reads the model once, so that what is wrong with it is told once. */
static int read_model(const struct audit_options *options, struct audit *audit)
{
	struct oclmm_cat_model *model;
	struct oclmm_error error = {0};
	int r;

	if (!options->machine_model)
		return 0;
	audit->cat_path = options->machine_model;
	r = oclmm_read_text(audit->cat_path, &error, &audit->cat_text, &audit->cat_length);
	if (r == 0)
		r = oclmm_machine_cat(audit_compiler_machine(audit->compiler), audit->cat_path,
		                      audit->cat_text, audit->cat_length, &error, &model);
	if (r < 0)
		return report_error(&error);
	oclmm_cat_destroy(model);
	return 0;
}

static int audit_selection(const struct audit_options *options, const struct selection *selection)
{
	struct audit audit = {.model = options->model, .arena = oclmm_arena_create()};
	struct oclmm_error error = {0};
	int r = audit_compiler_find(options->target, options->compiler, &error, &audit.compiler);
	int status = 0;

	if (r < 0) {
		report_error(&error);
		status = r == -EINVAL ? OCLMM_EXIT_USAGE : OCLMM_EXIT_INFRASTRUCTURE;
	}
	if (status == 0)
		status = read_model(options, &audit);
	if (status == 0) {
		audit.cases = oclmm_calloc(selection->count + 1, sizeof(*audit.cases));
		audit.count = selection->count;
		for (size_t i = 0; i < audit.count; i++) {
			audit.cases[i].chosen = &selection->chosen[i];
			audit.cases[i].program = selection->chosen[i].variant->program;
		}
		audit_judge(&audit);
		status = options->plant_count
		                 ? audit_plant(&audit, options->plants, options->plant_count)
		                 : write_all(options, &audit, status_of(&audit, options->strict));
	}
	free(audit.cat_text);
	audit_finish(&audit);
	return status;
}

static int run(const struct command *command, int argc, char **argv)
{
	struct audit_options options = {.command = command,
	                                .target = "x86-64",
	                                .model = OCLMM_MODEL_CONSENSUS};
	struct selection selection;
	int first, status = options_parse(command, argc, argv, &options, &first);

	if (status)
		return status;
	if (options.all && (options.profile || first < argc))
		return options_error(command, "either --all or a profile or names, not both");
	if (options.profile && first < argc)
		return options_error(command, "either --profile or names, not both");
	if (first == argc && !options.all && !options.profile && !narrow_any(&options.narrow) &&
	    selection_has_profile("default"))
		options.profile = "default";
	process_catch_interrupts();
	status = options.profile ? selection_make_profile(&selection, options.profile)
	                         : selection_make(&selection, argv + first, argc - first);
	if (status == 0)
		status = narrow_apply(&options.narrow, &selection);
	if (status == 0)
		shard_apply(&options.shard, &selection);
	if (status == 0)
		status = audit_selection(&options, &selection);
	selection_finish(&selection);
	return status;
}

const struct command command_audit = {
	.name = "audit",
	.arguments = "[FILE|DIR|PATTERN…]",
	.summary = "judge the code that a compiler makes of tests",
	.description =
		"Compiles each thread of a test as a function of its own, reads the assembly, and\n"
		"asks the memory model of the machine whether it allows what OpenCL forbids. No\n"
		"device takes part. Without names it takes the profile default.\n\n"
		"right: it does not. wrong: it does, with the outcome, an execution of the code\n"
		"that shows it, and the place where an order is missing. unreadable: the\n"
		"instruction that the reader does not know. not-built: the compiler's words.\n\n"
		"Exit status: 0 right; 1 a test is wrong; 2 usage, or a file that is refused;\n"
		"3 with --strict, or where nothing else was judged, what is not readable or too\n"
		"large; 77 nothing to judge; 99 a test was not built, or there is no compiler.",
	.options = specs,
	.repeatable = "bug family feature output plant",
	.run = run,
};
