// SPDX-License-Identifier: Apache-2.0
/*
 * oclmm(1) in the macros of man(7): what the commands' tables say, and around
 * it what belongs to none of them.
 */
#include <stdio.h>
#include <string.h>

#include "help.h"
#include "oclmm/grade.h"

/* A plain hyphen, so that options can be copied; a backslash; letters outside of ASCII by their
 * number. */
static void put_letter(const unsigned char **at)
{
	const unsigned char *letter = *at;
	unsigned code = 0;
	int more = *letter >= 0xf0 ? 3 : *letter >= 0xe0 ? 2 : *letter >= 0xc0 ? 1 : 0;

	*at += 1;
	if (*letter == '-' || *letter == '\\') {
		fputs(*letter == '-' ? "\\-" : "\\e", stdout);
		return;
	}
	if (*letter < 0x80) {
		putchar(*letter);
		return;
	}
	code = *letter & (0x3fu >> more);
	for (; more > 0 && (**at & 0xc0) == 0x80; more--)
		code = code << 6 | (*(*at)++ & 0x3f);
	printf("\\[u%04X]", code);
}

/* What the status means stands by itself, though the help text has no room for an empty line. */
static bool begins_paragraph(const char *line)
{
	static const char status[] = "Exit status";

	return *line == '\n' || strncmp(line, status, strlen(status)) == 0;
}

/* A line that begins with `.` or `'` is a request. */
static void put(const char *string)
{
	const unsigned char *at = (const unsigned char *)string;
	bool fresh = true;

	while (*at) {
		if (fresh && (*at == '.' || *at == '\''))
			fputs("\\&", stdout);
		if (*at == '\n' && begins_paragraph((const char *)at + 1)) {
			fputs("\n.PP", stdout);
			at += at[1] == '\n';
		}
		fresh = *at == '\n';
		put_letter(&at);
	}
}

static void put_line(const char *request, const char *string)
{
	printf("%s", request);
	put(string);
	putchar('\n');
}

static void print_option(const struct option_spec *option)
{
	fputs(".TP\n", stdout);
	if (option->letter)
		printf("\\fB\\-%c\\fR, ", option->letter);
	fputs("\\fB\\-\\-", stdout);
	put(option->name);
	fputs("\\fR", stdout);
	if (option->argument) {
		fputs(" \\fI", stdout);
		put(option->argument);
		fputs("\\fR", stdout);
	}
	putchar('\n');
	put_line("", option->help);
}

static void print_command(const struct command *command)
{

	put_line(".SS oclmm ", command->name);
	printf(".B oclmm %s\n", command->name);
	fputs("[\\fIOPTION\\fR\\[u2026]]\n", stdout);
	if (*command->arguments)
		put_line("", command->arguments);
	puts(".PP");
	put_line("", command->summary);
	if (command->description) {
		puts(".PP");
		put_line("", command->description);
	}
	for (const struct option_spec *option = command->options; option->name; option++)
		print_option(option);
	print_option(&help_option);
}

/* A heading, then terms with their meanings. */
static void print_list(const char *heading, const char *const (*rows)[2], size_t count)
{
	printf(".SH %s\n", heading);
	for (size_t i = 0; i < count; i++) {
		puts(".TP");
		put_line(".B ", rows[i][0]);
		put_line("", rows[i][1]);
	}
}

static const char *const statuses[][2] = {
	{"0", "every gating test passed, or is known to fail"},
	{"1", "an outcome was seen that no reading of the specification allows, or a regression"},
	{"2", "usage, or a file that is refused"},
	{"3", "with --strict: a test is inconclusive"},
	{"4", "unfinished: the budget did not suffice for every test that can fail"},
	{"77", "nothing applicable was run: no device, or every test was skipped"},
	{"99", "infrastructure: a build, a crash, a time limit, lost results, an interrupted run"},
};

static const char *const variables[][2] = {
	{"OCLMM_SUITE",
         "the folder that holds litmus/ and expected/, where it is not to be looked for"},
	{"OCL_ICD_VENDORS, RUSTICL_ENABLE, POCL_DEVICES, CUDA_VISIBLE_DEVICES",
         "and others of the loader and the drivers choose what devices there are; a replay line "
         "repeats them"},
	{"TEST_SHARD_INDEX, TEST_TOTAL_SHARDS",
         "the shard to run, counted from 0, without --shard"},
	{"CI_NODE_INDEX, CI_NODE_TOTAL", "the same, counted from 1"},
	{"SLURM_ARRAY_TASK_ID, SLURM_ARRAY_TASK_MIN, SLURM_ARRAY_TASK_COUNT",
         "the same, counted from the second"},
	{"OCLMM_BUILD_OPTIONS",
         "options for the device's compiler besides the language version, such as -cl-opt-disable; "
         "a replay line repeats them"},
	{"OCLMM_PROGRAMS",
         "the folder where compiled programs are kept (default $XDG_CACHE_HOME/oclmm/programs); "
         "off: none are"},
	{"XDG_CACHE_HOME",
         "below it, in oclmm/, is kept what compilers accept, and what they made (default "
         "~/.cache)"},
	{"XDG_RUNTIME_DIR",
         "below it, in oclmm/, lie the locks of devices (default /tmp/oclmm-UID)"},
};

static const char *const files[][2] = {
	{OCLMM_DATA_FOLDER "/litmus",
         "the tests, where no folder litmus/ is in the current folder or above it"},
	{OCLMM_DATA_FOLDER "/expected", "what is allowed, worked out beforehand"},
	{OCLMM_DATA_FOLDER "/litmus/profiles", "lists of tests that --profile chooses by name"},
};

static const char *const examples[][2] = {
	{"oclmm devices --verbose",
         "What is there to run on, what does it claim, and what do its compilers accept?"},
	{"oclmm run --quick", "A pass of seconds on the best device."},
	{"oclmm run --profile default --budget 10m --resume results.jsonl --output results.xml",
         "Ten minutes as a gate; the same line goes on with a run that was killed."},
	{"oclmm check --all-models SB+sc+sc",
         "What may this test show, under each reading of the specification?"},
	{"oclmm compare last.jsonl today.jsonl", "Is anything worse than it was?"},
};

void manual_print(const struct complete_commands *commands)
{
	fputs(".\\\" SPDX-License-Identifier: Apache-2.0\n"
	      ".\\\" Written by oclmm --man from the tables of its commands.\n",
	      stdout);
	printf(".TH OCLMM 1 \"2026-11-21\" \"oclmm %s\" \"User Commands\"\n", OCLMM_VERSION);
	fputs(".SH NAME\n"
	      "oclmm \\- litmus tests for the OpenCL memory model\n"
	      ".SH SYNOPSIS\n"
	      ".B oclmm\n"
	      ".I COMMAND\n"
	      "[\\fIOPTION\\fR\\[u2026]] [\\fIARGUMENT\\fR\\[u2026]]\n"
	      ".br\n"
	      ".B oclmm \\-\\-help\n"
	      "|\n"
	      ".B oclmm \\-\\-version\n"
	      "|\n"
	      ".B oclmm \\-\\-man\n"
	      "|\n"
	      ".B oclmm \\-\\-completion\n"
	      "bash|fish|zsh\n"
	      ".SH DESCRIPTION\n"
	      "Runs small concurrent programs, litmus tests, millions of times on an OpenCL device "
	      "under\n"
	      "stress, counts how they end, and compares each ending with what the specification "
	      "allows,\n"
	      "which it works out itself.\n"
	      ".PP\n"
	      "Tests are named by files, by folders, or by patterns over the names of their\n"
	      "variants, such as \\fBSB+sc+sc*\\fR. Patterns are those of bash with extglob:\n"
	      "*, ?, [a\\-z], [!a\\-z], @(a|b), ?(a|b), *(a|b), +(a|b), !(a|b), and \\e before a\n"
	      "character that stands for itself.\n"
	      ".PP\n"
	      "\\fB\\-\\-man\\fR prints this page, and \\fB\\-\\-completion\\fR a script for a "
	      "shell, both from the\n"
	      "tables of the commands.\n"
	      ".SH COMMANDS\n",
	      stdout);
	for (size_t i = 0; i < commands->count; i++)
		print_command(commands->commands[i]);
	print_list("EXIT STATUS", statuses, OCLMM_COUNT(statuses));
	print_list("ENVIRONMENT", variables, OCLMM_COUNT(variables));
	print_list("FILES", files, OCLMM_COUNT(files));
	print_list("EXAMPLES", examples, OCLMM_COUNT(examples));
	fputs(".SH SEE ALSO\n"
	      ".BR clinfo (1),\n"
	      "the documentation in the folder docs/ of the sources\n",
	      stdout);
}
