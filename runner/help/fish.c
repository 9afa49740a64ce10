// SPDX-License-Identifier: Apache-2.0
#include "help.h"

static void add_quoted(struct oclmm_text *text, const char *string)
{
	oclmm_text_add(text, "'");
	for (; *string; string++) {
		if (*string == '\'' || *string == '\\')
			oclmm_text_add(text, "\\");
		oclmm_text_add_bytes(text, string, 1);
	}
	oclmm_text_add(text, "'");
}

/* Whether the command at hand is this one: its name may also be an argument of others. */
static void begin(struct oclmm_text *text, const char *command)
{
	oclmm_text_printf(text, "complete -c oclmm -n '__oclmm_is %s'", command);
}

static void add_value(struct oclmm_text *text, enum complete_kind kind, const char *words)
{
	switch (kind) {
	case COMPLETE_ANYTHING: oclmm_text_add(text, " -x"); break;
	case COMPLETE_WORDS:
		oclmm_text_add(text, " -x -a ");
		add_quoted(text, words);
		break;
	case COMPLETE_FILES: oclmm_text_add(text, " -r -F"); break;
	case COMPLETE_FOLDERS:
		oclmm_text_add(text, " -x -a '(__fish_complete_directories)'");
		break;
	case COMPLETE_TESTS:
		oclmm_text_add(text, " -r -F -a '(oclmm --complete tests 2>/dev/null)'");
		break;
	case COMPLETE_LISTED:
		oclmm_text_printf(text,
		                  " -x -a '(oclmm list --%s list 2>/dev/null | string replace -r "
		                  "\" .*\" \"\")'",
		                  words);
		break;
	case COMPLETE_PROFILES:
		oclmm_text_add(text, " -r -F -a '(oclmm --complete profiles 2>/dev/null)'");
		break;
	}
}

static void add_option(struct oclmm_text *text, const struct command *command,
                       const struct option_spec *option)
{
	struct complete_value value;

	begin(text, command->name);
	if (option->letter)
		oclmm_text_printf(text, " -s %c", option->letter);
	oclmm_text_printf(text, " -l %s", option->name);
	if (option->argument) {
		complete_option(option, &value);
		add_value(text, value.kind, oclmm_text_string(&value.words));
		oclmm_text_finish(&value.words);
	}
	oclmm_text_add(text, " -d ");
	add_quoted(text, option->help);
	oclmm_text_add(text, "\n");
}

static void add_arguments(struct oclmm_text *text, const struct command *command)
{
	enum complete_kind kind = complete_arguments(command);

	if (kind == COMPLETE_ANYTHING)
		return;
	begin(text, command->name);
	oclmm_text_add(text, kind == COMPLETE_TESTS
	                             ? " -F -a '(oclmm --complete tests 2>/dev/null)'"
	                             : " -F");
	oclmm_text_add(text, "\n");
}

static void add_command(struct oclmm_text *text, const struct command *command)
{

	oclmm_text_printf(text, "\ncomplete -c oclmm -n __oclmm_needs_command -a %s -d ",
	                  command->name);
	add_quoted(text, command->summary);
	oclmm_text_printf(text, "\ncomplete -c oclmm -n '__oclmm_is help' -a %s\n", command->name);
	for (const struct option_spec *option = command->options; option->name; option++)
		add_option(text, command, option);
	add_option(text, command, &help_option);
	add_arguments(text, command);
}

void complete_fish(const struct complete_commands *commands, struct oclmm_text *text)
{
	oclmm_text_add(
		text,
		"# completion of oclmm for fish, written by oclmm --completion fish\n"
		"\n"
		"function __oclmm_is\n"
		"	set -l words (commandline -opc)\n"
		"	test (count $words) -gt 1; and test $words[2] = $argv[1]\n"
		"end\n"
		"\n"
		"function __oclmm_needs_command\n"
		"	test (count (commandline -opc)) -eq 1\n"
		"end\n"
		"\n"
		"complete -c oclmm -f\n"
		"complete -c oclmm -n __oclmm_needs_command -a help -d 'tell more of a command'\n"
		"complete -c oclmm -n __oclmm_needs_command -l help -d 'print a help text'\n"
		"complete -c oclmm -n __oclmm_needs_command -l version -d 'print the version'\n"
		"complete -c oclmm -n __oclmm_needs_command -l man -d 'print the manual'\n"
		"complete -c oclmm -n __oclmm_needs_command -l completion -x -a 'bash fish zsh'"
		" -d 'print a script for a shell'\n");
	for (size_t i = 0; i < commands->count; i++)
		add_command(text, commands->commands[i]);
}
