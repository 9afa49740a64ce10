// SPDX-License-Identifier: Apache-2.0
/*
 * For bash, without the package bash-completion. Readline takes `=` and `:`
 * for the ends of words, and names of tests have them (`SB.order=sc`): the
 * script finds its word itself, and gives back what stands behind the last of these.
 */
#include "help.h"

static const char functions[] =
	"# completion of oclmm for bash, written by oclmm --completion bash\n"
	"\n"
	"_oclmm_words() {\n"
	"	local IFS=$' \\t\\n'\n"
	"	COMPREPLY+=($(compgen -W \"$1\" -- \"$word\"))\n"
	"}\n"
	"_oclmm_files() {\n"
	"	local IFS=$'\\n'\n"
	"	compopt -o filenames 2>/dev/null\n"
	"	COMPREPLY+=($(compgen -f -- \"$word\"))\n"
	"}\n"
	"_oclmm_folders() {\n"
	"	local IFS=$'\\n'\n"
	"	compopt -o filenames 2>/dev/null\n"
	"	COMPREPLY+=($(compgen -d -- \"$word\"))\n"
	"}\n"
	"_oclmm_tests() {\n"
	"	_oclmm_words \"$(oclmm --complete tests 2>/dev/null)\"\n"
	"	_oclmm_files\n"
	"}\n"
	"_oclmm_listed() {\n"
	"	_oclmm_words \"$(oclmm list --$1 list 2>/dev/null | cut -d ' ' -f 1)\"\n"
	"}\n"
	"_oclmm_profiles() {\n"
	"	_oclmm_words \"$(oclmm --complete profiles 2>/dev/null)\"\n"
	"	_oclmm_files\n"
	"}\n";

static const char finder[] =
	"\n"
	"_oclmm() {\n"
	"	local line=${COMP_LINE:0:COMP_POINT} word last command i\n"
	"	local -a before\n"
	"	word=${line##*[[:space:]]}\n"
	"	read -ra before <<<\"${line%\"$word\"}\"\n"
	"	command=${before[1]-} last=${before[${#before[@]} - 1]}\n"
	"	COMPREPLY=()\n"
	"	if ((${#before[@]} < 2)); then\n"
	"		_oclmm_words \"$_oclmm_commands --help --version --man --completion\"\n"
	"	elif [[ $command == help ]]; then\n"
	"		_oclmm_words \"$_oclmm_commands\"\n"
	"	elif [[ $command == --completion ]]; then\n"
	"		_oclmm_words \"bash fish zsh\"\n"
	"	elif [[ $word == --*=* ]]; then\n"
	"		last=${word%%=*} word=${word#*=}\n"
	"		_oclmm_value \"$command\" \"$last\"\n"
	"	elif ((${#before[@]} > 2)) && _oclmm_value \"$command\" \"$last\"; then\n"
	"		:\n"
	"	elif [[ $word == -* ]]; then\n"
	"		_oclmm_options \"$command\"\n"
	"	else\n"
	"		_oclmm_arguments \"$command\"\n"
	"	fi\n"
	"	if [[ $COMP_WORDBREAKS == *=* && $word == *[=:]* ]]; then\n"
	"		last=${word%\"${word##*[=:]}\"}\n"
	"		for i in \"${!COMPREPLY[@]}\"; do\n"
	"			COMPREPLY[i]=${COMPREPLY[i]#\"$last\"}\n"
	"		done\n"
	"	fi\n"
	"}\n"
	"complete -F _oclmm oclmm\n";

static void add_action(struct oclmm_text *text, enum complete_kind kind, const char *words)
{
	static const char *const calls[] = {
		[COMPLETE_ANYTHING] = ":",           [COMPLETE_WORDS] = "_oclmm_words",
		[COMPLETE_FILES] = "_oclmm_files",   [COMPLETE_FOLDERS] = "_oclmm_folders",
		[COMPLETE_TESTS] = "_oclmm_tests",   [COMPLETE_PROFILES] = "_oclmm_profiles",
		[COMPLETE_LISTED] = "_oclmm_listed",
	};

	oclmm_text_add(text, calls[kind]);
	if (kind == COMPLETE_WORDS || kind == COMPLETE_LISTED)
		oclmm_text_printf(text, " \"%s\"", words);
	oclmm_text_add(text, " ;;\n");
}

static void add_values(struct oclmm_text *text, const struct command *command)
{
	for (const struct option_spec *option = command->options; option->name; option++) {
		struct complete_value value;

		if (!option->argument)
			continue;
		oclmm_text_printf(text, "	\"%s --%s\"", command->name, option->name);
		if (option->letter)
			oclmm_text_printf(text, " | \"%s -%c\"", command->name, option->letter);
		oclmm_text_add(text, ") ");
		complete_option(option, &value);
		add_action(text, value.kind, oclmm_text_string(&value.words));
		oclmm_text_finish(&value.words);
	}
}

static void add_options(struct oclmm_text *text, const struct command *command)
{
	oclmm_text_printf(text, "	%s) _oclmm_words \"", command->name);
	for (const struct option_spec *option = command->options; option->name; option++)
		oclmm_text_printf(text, "--%s ", option->name);
	oclmm_text_add(text, "--help\" ;;\n");
}

void complete_bash(const struct complete_commands *commands, struct oclmm_text *text)
{
	oclmm_text_add(text, functions);
	oclmm_text_add(text, "\n_oclmm_commands=\"");
	for (size_t i = 0; i < commands->count; i++)
		oclmm_text_printf(text, "%s ", commands->commands[i]->name);
	oclmm_text_add(text, "help\"\n\n_oclmm_options() {\n	case $1 in\n");
	for (size_t i = 0; i < commands->count; i++)
		add_options(text, commands->commands[i]);
	oclmm_text_add(text, "	esac\n}\n\n# false where the option takes no value\n"
	                     "_oclmm_value() {\n	case \"$1 $2\" in\n");
	for (size_t i = 0; i < commands->count; i++)
		add_values(text, commands->commands[i]);
	oclmm_text_add(text, "	*) return 1 ;;\n	esac\n}\n\n_oclmm_arguments() {\n	"
	                     "case $1 in\n");
	for (size_t i = 0; i < commands->count; i++) {
		oclmm_text_printf(text, "	%s) ", commands->commands[i]->name);
		add_action(text, complete_arguments(commands->commands[i]), "");
	}
	oclmm_text_add(text, "	esac\n}\n");
	oclmm_text_add(text, finder);
}
