// SPDX-License-Identifier: Apache-2.0
#include "help.h"

static const char functions[] =
	"#compdef oclmm\n"
	"# completion of oclmm for zsh, written by oclmm --completion zsh\n"
	"\n"
	"_oclmm_tests() {\n"
	"	local -a tests\n"
	"	tests=(${(f)\"$(oclmm --complete tests 2>/dev/null)\"})\n"
	"	_alternative 'tests:test:compadd -a tests' 'files:file:_files'\n"
	"}\n"
	"_oclmm_listed() {\n"
	"	local -a words\n"
	"	words=(${${(f)\"$(oclmm list --$1 list 2>/dev/null)\"}%% *})\n"
	"	compadd -a words\n"
	"}\n"
	"_oclmm_profiles() {\n"
	"	local -a profiles\n"
	"	profiles=(${(f)\"$(oclmm --complete profiles 2>/dev/null)\"})\n"
	"	_alternative 'profiles:profile:compadd -a profiles' 'files:file:_files'\n"
	"}\n";

/* Inside '…', and of a specification whose parts are divided by `:` and `]`. */
static void add_quoted(struct oclmm_text *text, const char *string)
{
	for (; *string; string++) {
		if (*string == '\'')
			oclmm_text_add(text, "'\\''");
		else if (*string == ':' || *string == '[' || *string == ']' || *string == '\\')
			oclmm_text_printf(text, "\\%c", *string);
		else
			oclmm_text_add_bytes(text, string, 1);
	}
}

static void add_action(struct oclmm_text *text, enum complete_kind kind, const char *words)
{
	static const char *const actions[] = {
		[COMPLETE_ANYTHING] = " ",
		[COMPLETE_FILES] = "_files",
		[COMPLETE_FOLDERS] = "_files -/",
		[COMPLETE_TESTS] = "_oclmm_tests",
		[COMPLETE_PROFILES] = "_oclmm_profiles",
	};

	if (kind == COMPLETE_WORDS)
		oclmm_text_printf(text, "(%s)", words);
	else if (kind == COMPLETE_LISTED)
		oclmm_text_printf(text, "{_oclmm_listed %s}", words);
	else
		oclmm_text_add(text, actions[kind]);
}

static void add_option(struct oclmm_text *text, const struct option_spec *option)
{
	const char *letter_end = option->argument ? "+" : "",
		   *name_end = option->argument ? "=" : "";
	struct complete_value value;

	oclmm_text_add(text, "			");
	/* what takes a value may often be repeated */
	if (option->argument)
		oclmm_text_add(text, "'*'");
	else if (option->letter)
		oclmm_text_printf(text, "'(-%c --%s)'", option->letter, option->name);
	if (option->letter)
		oclmm_text_printf(text, "{-%c%s,--%s%s}", option->letter, letter_end, option->name,
		                  name_end);
	else
		oclmm_text_printf(text, "--%s%s", option->name, name_end);
	oclmm_text_add(text, "'[");
	add_quoted(text, option->help);
	oclmm_text_add(text, "]");
	if (option->argument) {
		oclmm_text_add(text, ":");
		add_quoted(text, option->argument);
		oclmm_text_add(text, ":");
		complete_option(option, &value);
		add_action(text, value.kind, oclmm_text_string(&value.words));
		oclmm_text_finish(&value.words);
	}
	oclmm_text_add(text, "' \\\n");
}

static void add_command(struct oclmm_text *text, const struct command *command)
{

	oclmm_text_printf(text, "		%s)\n			_arguments -s \\\n",
	                  command->name);
	for (const struct option_spec *option = command->options; option->name; option++)
		add_option(text, option);
	add_option(text, &help_option);
	oclmm_text_add(text, "			'*:");
	/* an empty message is none */
	add_quoted(text, *command->arguments ? command->arguments : "no argument");
	oclmm_text_add(text, ":");
	add_action(text, complete_arguments(command), "");
	oclmm_text_add(text, "'\n			;;\n");
}

void complete_zsh(const struct complete_commands *commands, struct oclmm_text *text)
{
	oclmm_text_add(text, functions);
	oclmm_text_add(text, "\n_oclmm() {\n"
	                     "	local context state state_descr line curcontext=$curcontext\n"
	                     "	typeset -A opt_args\n"
	                     "	local -a commands\n"
	                     "	commands=(\n");
	for (size_t i = 0; i < commands->count; i++) {
		oclmm_text_printf(text, "		'%s:", commands->commands[i]->name);
		add_quoted(text, commands->commands[i]->summary);
		oclmm_text_add(text, "'\n");
	}
	oclmm_text_add(text, "		'help:tell more of a command'\n"
	                     "	)\n"
	                     "	_arguments -C \\\n"
	                     "		'(- *)--help[print a help text]' \\\n"
	                     "		'(- *)--version[print the version]' \\\n"
	                     "		'(- *)--man[print the manual]' \\\n"
	                     "		'(- *)--completion[print a script for a shell]:shell:(bash "
	                     "fish zsh)' \\\n"
	                     "		'1:command:->command' \\\n"
	                     "		'*::argument:->argument'\n"
	                     "	case $state in\n"
	                     "	command) _describe command commands ;;\n"
	                     "	argument)\n"
	                     "		case $line[1] in\n"
	                     "		help) _describe command commands ;;\n");
	for (size_t i = 0; i < commands->count; i++)
		add_command(text, commands->commands[i]);
	oclmm_text_add(text, "		esac\n"
	                     "		;;\n"
	                     "	esac\n"
	                     "}\n"
	                     "\n"
	                     "if [ \"$funcstack[1]\" = _oclmm ]; then\n"
	                     "	_oclmm \"$@\"\n"
	                     "else\n"
	                     "	compdef _oclmm oclmm\n"
	                     "fi\n");
}
