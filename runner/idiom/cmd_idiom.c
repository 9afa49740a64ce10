// SPDX-License-Identifier: Apache-2.0
/* oclmm idiom: whole kernels whose work-groups synchronise. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "command.h"
#include "oclmm/grade.h"
#include "report.h"
#include "run/choose.h"
#include "run/session.h"
#include "select/suite.h"
#include "sweep.h"

static const double TIMEOUT = 120, TIMEOUT_PUBLISHED = 10;
static const uint64_t MOST_RUNS = 1000000;

static int set_runs(const char *option, const char *value, void *ret_runs)
{
	uint64_t number = 0;

	if (option_count(option, value, &number))
		return OPTIONS_ERROR;
	if (number > MOST_RUNS)
		return option_refuse(option, value, "a number of runs up to 1000000");
	*(uint32_t *)ret_runs = (uint32_t)number;
	return 0;
}

/* No elements are a case like others. */
static int set_size(const char *option, const char *value, void *ret_size)
{
	if (strcmp(value, "0") != 0)
		return option_count(option, value, ret_size);
	*(uint64_t *)ret_size = 0;
	return 0;
}

static int set_form(enum idiom_form form, void *ret_form)
{
	*(enum idiom_form *)ret_form = form;
	return 0;
}

static int set_published(const char *option, const char *value, void *ret_form)
{
	(void)option;
	(void)value;
	return set_form(IDIOM_PUBLISHED, ret_form);
}

static int set_repaired(const char *option, const char *value, void *ret_form)
{
	(void)option;
	(void)value;
	return set_form(IDIOM_REPAIRED, ret_form);
}

static const struct option_spec options[] = {
	{"as-published", 0, NULL, "the form that was published; it may hang, and is ended then",
         SETS_BY(set_published, struct idiom_command, request.form)},
	RUN_DEVICE_OPTION(struct idiom_command, device),
	{"group-size", 0, "N", "work-items in a work-group",
         SETS_COUNT(struct idiom_command, request.group_size)},
	{"groups", 0, "N", "work-groups", SETS_COUNT(struct idiom_command, request.groups)},
	{"json", 'j', NULL, "print one JSON object per program",
         SETS_FLAG(struct idiom_command, json)},
	RUN_NO_WAIT_OPTION(struct idiom_command, no_wait),
	{"plot", 0, "FILE.svg",
         "run in sizes up to --size and several group sizes, and draw the times",
         SETS_TEXT(struct idiom_command, plot)},
	{"repaired", 0, NULL, "the form that the memory model defines (default)",
         SETS_BY(set_repaired, struct idiom_command, request.form)},
	{"repeat", 0, "N", "and N runs more, each under stress and in another shape",
         SETS_BY(set_runs, struct idiom_command, request.repeat)},
	{"runs", 0, "N", "runs that are timed (default 5); the median counts",
         SETS_BY(set_runs, struct idiom_command, request.runs)},
	{"seed", 0, "N", "of data and of stress (default 1)",
         SETS_NUMBER(struct idiom_command, request.seed)},
	{"size", 0, "N", "elements", SETS_BY(set_size, struct idiom_command, request.size)},
	{"steps", 0, "N", "of the neighbour sum, two barriers each",
         SETS_COUNT(struct idiom_command, request.steps)},
	{"timeout", 0, "SECONDS", "without a sign of life (default 120, as published 10)",
         SETS_SECONDS(struct idiom_command, timeout)},
	RUN_WAIT_OPTION(struct idiom_command, wait),
	{0},
};

static int list_programs(void)
{
	for (size_t i = 0; i < idiom_program_count; i++)
		printf("%s\n    %s\n    as published: %s\n", idiom_programs[i]->name,
		       idiom_programs[i]->summary, idiom_programs[i]->published);
	return OCLMM_EXIT_PASS;
}

static int check_name(const struct command *command, const char *name)
{
	const char *names[32];
	size_t count = 0;

	if (idiom_find(name))
		return 0;
	for (; count < idiom_program_count && count < OCLMM_COUNT(names); count++)
		names[count] = idiom_programs[count]->name;
	return options_error(command, "no program \"%s\"%s", name,
	                     suggest(name, names, count, "oclmm idiom lists them").text);
}

static int run_program(struct idiom_command *idiom, const char *name)
{
	struct idiom_result result;

	idiom->request.program = idiom_find(name);
	idiom_run(idiom->run->context.identity, &idiom->request, idiom->timeout, &result);
	if (result.end == IDIOM_REFUSED || result.end == IDIOM_FAILED ||
	    result.end == IDIOM_UNSUPPORTED)
		options_error(idiom->command, "%s: %s", name, result.message);
	return idiom_say(idiom, &result);
}

static int run_each(struct idiom_command *idiom, char **names, int count)
{
	int status = OCLMM_EXIT_PASS;

	for (int i = 0; i < count; i++)
		status = idiom_worse(status, run_program(idiom, names[i]));
	return status;
}

static int run_programs(struct idiom_command *idiom, char **names, int count)
{
	struct run_session session = {0};
	struct run run = {
		.session = &session,
		.command = idiom->command,
		.lock = -1,
		.options = {.device = idiom->device,
	                    .no_wait = idiom->no_wait,
	                    .wait = idiom->wait},
		.worker = {.limit = TIMEOUT},
	};
	struct oclmm_error error = {0};
	char *folder = suite_folder(&error);
	int status;

	if (!folder)
		return report_error(&error);
	idiom->request.folder = folder;
	status = run_find_device(&run);
	if (status == 0)
		status = run_lock_device(&run, run.context.identity, &run.lock);
	idiom->run = &run;
	if (status == 0)
		status = idiom->plot ? idiom_draw(idiom, names, count)
		                     : run_each(idiom, names, count);
	idiom->run = NULL;
	run_session_finish(&session);
	free(folder);
	return status;
}

static int start(const struct command *command, int argc, char **argv)
{
	struct idiom_command idiom = {
		.command = command,
		.request =
			{
				.size = IDIOM_DEFAULT,
				.steps = IDIOM_DEFAULT,
				.group_size = IDIOM_DEFAULT,
				.groups = IDIOM_DEFAULT,
				.runs = 5,
				.seed = 1,
			},
	};
	int first, status = options_parse(command, argc, argv, &idiom, &first);

	if (status)
		return status;
	for (int i = first; i < argc; i++) {
		if (check_name(command, argv[i]))
			return OCLMM_EXIT_USAGE;
	}
	if (first == argc)
		return list_programs();
	if (idiom.timeout == 0)
		idiom.timeout = idiom.request.form == IDIOM_PUBLISHED ? TIMEOUT_PUBLISHED : TIMEOUT;
	return run_programs(&idiom, argv + first, argc - first);
}

const struct command command_idiom = {
	.name = "idiom",
	.arguments = "[NAME…]",
	.summary = "run whole kernels that synchronise work-groups",
	.description = "Without NAME it lists them. Each computes an answer that is compared with "
		       "a sequential\n"
		       "one, in a process of its own with a time limit. Of groups that wait for "
		       "each other no\n"
		       "more are started than run at the same time, which is measured; more are "
		       "refused.\n\n"
		       "Exit status: 0 the answer is right; 1 it is wrong; 2 usage, or what the "
		       "device or the\n"
		       "program cannot do; 3 it did not end, or gave up waiting; 77 no device, or "
		       "none that\n"
		       "has OpenCL 2.0 atomics; 99 it could not be run, or a file not be\n"
		       "written.",
	.options = options,
	.one_of = (const char *const[]){"as-published repaired", "no-wait wait", NULL},
	.run = start,
};
