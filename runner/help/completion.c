// SPDX-License-Identifier: Apache-2.0
/* Completions for bash, fish and zsh. */
#include "help.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oclmm/grade.h"
#include "oclmm/model.h"
#include "oclmm/report.h"
#include "select/select.h"

/* What may stand for a value or an argument. */
enum complete_kind {
	COMPLETE_ANYTHING, /* nothing is offered */
	COMPLETE_WORDS,    /* these */
	COMPLETE_FILES,
	COMPLETE_FOLDERS,
	COMPLETE_TESTS,    /* names of tests, and files */
	COMPLETE_PROFILES, /* names of profiles, and files */
	COMPLETE_LISTED, /* what oclmm list prints for the value `list` of the option in `words` */
};

struct complete_value {
	enum complete_kind kind;
	struct oclmm_text words; /* divided by blanks */
};

static void add_word(struct oclmm_text *words, const char *word)
{
	oclmm_text_printf(words, "%s%s", words->length ? " " : "", word);
}

static void add_formats(struct oclmm_text *words)
{
	const struct oclmm_report_kind *kind;

	for (size_t i = 0; (kind = oclmm_report_kind_at(i)); i++)
		add_word(words, kind->name);
}

static void add_models(struct oclmm_text *words)
{
	for (int model = 0; model < OCLMM_MODEL_COUNT; model++)
		add_word(words, oclmm_model_name((enum oclmm_model)model));
}

static void add_claims(struct oclmm_text *words)
{
	add_word(words, oclmm_class_word(OCLMM_CLASS_CLAIMED));
	add_word(words, oclmm_class_word(OCLMM_CLASS_ACCEPTED));
}

static void add_annotations(struct oclmm_text *words)
{
	add_word(words, oclmm_report_github.name);
}

static void add_graphs(struct oclmm_text *words)
{
	oclmm_text_add(words, "interesting all none");
}

/* Options whose values are words of the program. A test tries each word on each command that has
 * them. */
static const struct {
	const char *option;
	void (*add)(struct oclmm_text *words);
} sets[] = {
	{"annotations", add_annotations}, {"claims", add_claims}, {"format", add_formats},
	{"graphs", add_graphs},           {"model", add_models},
};

static bool mentions(const char *text, const char *word)
{
	return strstr(text, word) != NULL;
}

const struct option_spec help_option = {.name = "help", .letter = 'h', .help = "print a help text"};

static void complete_option(const struct option_spec *option, struct complete_value *ret_value)
{
	const char *argument = option->argument;

	*ret_value = (struct complete_value){.kind = COMPLETE_ANYTHING};
	oclmm_text_init(&ret_value->words);
	for (size_t i = 0; i < OCLMM_COUNT(sets); i++) {
		if (strcmp(sets[i].option, option->name) == 0) {
			sets[i].add(&ret_value->words);
			ret_value->kind = COMPLETE_WORDS;
			return;
		}
	}
	if (mentions(option->help, "\"list\" prints all")) {
		ret_value->kind = COMPLETE_LISTED;
		oclmm_text_add(&ret_value->words, option->name);
	} else if (strcmp(option->name, "profile") == 0) {
		ret_value->kind = COMPLETE_PROFILES;
	} else if (mentions(argument, "FILE") || mentions(argument, "PATH")) {
		ret_value->kind = COMPLETE_FILES;
	} else if (mentions(argument, "DIR")) {
		ret_value->kind = COMPLETE_FOLDERS;
	}
}

static enum complete_kind complete_arguments(const struct command *command)
{
	const char *arguments = command->arguments;

	if (mentions(arguments, "PATTERN") || mentions(arguments, "TEST") ||
	    mentions(arguments, "VARIANT"))
		return COMPLETE_TESTS;
	if (mentions(arguments, "FILE") || mentions(arguments, "RESULTS") ||
	    mentions(arguments, "BEFORE"))
		return COMPLETE_FILES;
	return COMPLETE_ANYTHING;
}

static void list_profiles(const char *folder)
{
	struct dirent **entries;
	int count = scandir(folder, &entries, suite_is_visible, NULL);

	for (int i = 0; i < count; i++) {
		puts(entries[i]->d_name);
		free(entries[i]);
	}
	if (count >= 0)
		free(entries);
}

static void list_tests(void)
{
	struct selection selection;

	if (selection_make(&selection, NULL, 0) == 0) {
		for (size_t i = 0; i < selection.count; i++)
			puts(selection.chosen[i].variant->name);
	}
	selection_finish(&selection);
}

int complete_list(const char *what)
{
	struct oclmm_error ignored;
	struct oclmm_text path = {0};
	char *folder = suite_folder(&ignored);

	/* whoever presses a key wants no message */
	if (!folder)
		return 0;
	oclmm_text_printf(&path, "%s/profiles", folder);
	if (strcmp(what, "profiles") == 0)
		list_profiles(oclmm_text_string(&path));
	else
		list_tests();
	oclmm_text_finish(&path);
	free(folder);
	return 0;
}

/* ---- bash ---- */

/*
 * For bash, without the package bash-completion. Readline takes `=` and `:`
 * for the ends of words, and names of tests have them (`SB.order=sc`): the
 * script finds its word itself, and gives back what stands behind the last of these.
 */

static const char bash_functions[] =
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

static const char bash_finder[] =
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

static void add_bash_action(struct oclmm_text *text, enum complete_kind kind, const char *words)
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

static void add_bash_values(struct oclmm_text *text, const struct command *command)
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
		add_bash_action(text, value.kind, oclmm_text_string(&value.words));
		oclmm_text_finish(&value.words);
	}
}

static void add_bash_options(struct oclmm_text *text, const struct command *command)
{
	oclmm_text_printf(text, "	%s) _oclmm_words \"", command->name);
	for (const struct option_spec *option = command->options; option->name; option++)
		oclmm_text_printf(text, "--%s ", option->name);
	oclmm_text_add(text, "--help\" ;;\n");
}

static void complete_bash(const struct complete_commands *commands, struct oclmm_text *text)
{
	oclmm_text_add(text, bash_functions);
	oclmm_text_add(text, "\n_oclmm_commands=\"");
	for (size_t i = 0; i < commands->count; i++)
		oclmm_text_printf(text, "%s ", commands->commands[i]->name);
	oclmm_text_add(text, "help\"\n\n_oclmm_options() {\n	case $1 in\n");
	for (size_t i = 0; i < commands->count; i++)
		add_bash_options(text, commands->commands[i]);
	oclmm_text_add(text, "	esac\n}\n\n# false where the option takes no value\n"
	                     "_oclmm_value() {\n	case \"$1 $2\" in\n");
	for (size_t i = 0; i < commands->count; i++)
		add_bash_values(text, commands->commands[i]);
	oclmm_text_add(text, "	*) return 1 ;;\n	esac\n}\n\n_oclmm_arguments() {\n	"
	                     "case $1 in\n");
	for (size_t i = 0; i < commands->count; i++) {
		oclmm_text_printf(text, "	%s) ", commands->commands[i]->name);
		add_bash_action(text, complete_arguments(commands->commands[i]), "");
	}
	oclmm_text_add(text, "	esac\n}\n");
	oclmm_text_add(text, bash_finder);
}

/* ---- fish ---- */

static void add_fish_quoted(struct oclmm_text *text, const char *string)
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
static void fish_begin(struct oclmm_text *text, const char *command)
{
	oclmm_text_printf(text, "complete -c oclmm -n '__oclmm_is %s'", command);
}

static void add_fish_value(struct oclmm_text *text, enum complete_kind kind, const char *words)
{
	switch (kind) {
	case COMPLETE_ANYTHING: oclmm_text_add(text, " -x"); break;
	case COMPLETE_WORDS:
		oclmm_text_add(text, " -x -a ");
		add_fish_quoted(text, words);
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

static void add_fish_option(struct oclmm_text *text, const struct command *command,
                            const struct option_spec *option)
{
	struct complete_value value;

	fish_begin(text, command->name);
	if (option->letter)
		oclmm_text_printf(text, " -s %c", option->letter);
	oclmm_text_printf(text, " -l %s", option->name);
	if (option->argument) {
		complete_option(option, &value);
		add_fish_value(text, value.kind, oclmm_text_string(&value.words));
		oclmm_text_finish(&value.words);
	}
	oclmm_text_add(text, " -d ");
	add_fish_quoted(text, option->help);
	oclmm_text_add(text, "\n");
}

static void add_fish_arguments(struct oclmm_text *text, const struct command *command)
{
	enum complete_kind kind = complete_arguments(command);

	if (kind == COMPLETE_ANYTHING)
		return;
	fish_begin(text, command->name);
	oclmm_text_add(text, kind == COMPLETE_TESTS
	                             ? " -F -a '(oclmm --complete tests 2>/dev/null)'"
	                             : " -F");
	oclmm_text_add(text, "\n");
}

static void add_fish_command(struct oclmm_text *text, const struct command *command)
{

	oclmm_text_printf(text, "\ncomplete -c oclmm -n __oclmm_needs_command -a %s -d ",
	                  command->name);
	add_fish_quoted(text, command->summary);
	oclmm_text_printf(text, "\ncomplete -c oclmm -n '__oclmm_is help' -a %s\n", command->name);
	for (const struct option_spec *option = command->options; option->name; option++)
		add_fish_option(text, command, option);
	add_fish_option(text, command, &help_option);
	add_fish_arguments(text, command);
}

static void complete_fish(const struct complete_commands *commands, struct oclmm_text *text)
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
		add_fish_command(text, commands->commands[i]);
}

/* ---- zsh ---- */

static const char zsh_functions[] =
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
static void add_zsh_quoted(struct oclmm_text *text, const char *string)
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

static void add_zsh_action(struct oclmm_text *text, enum complete_kind kind, const char *words)
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

static void add_zsh_option(struct oclmm_text *text, const struct option_spec *option)
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
	add_zsh_quoted(text, option->help);
	oclmm_text_add(text, "]");
	if (option->argument) {
		oclmm_text_add(text, ":");
		add_zsh_quoted(text, option->argument);
		oclmm_text_add(text, ":");
		complete_option(option, &value);
		add_zsh_action(text, value.kind, oclmm_text_string(&value.words));
		oclmm_text_finish(&value.words);
	}
	oclmm_text_add(text, "' \\\n");
}

static void add_zsh_command(struct oclmm_text *text, const struct command *command)
{

	oclmm_text_printf(text, "		%s)\n			_arguments -s \\\n",
	                  command->name);
	for (const struct option_spec *option = command->options; option->name; option++)
		add_zsh_option(text, option);
	add_zsh_option(text, &help_option);
	oclmm_text_add(text, "			'*:");
	/* an empty message is none */
	add_zsh_quoted(text, *command->arguments ? command->arguments : "no argument");
	oclmm_text_add(text, ":");
	add_zsh_action(text, complete_arguments(command), "");
	oclmm_text_add(text, "'\n			;;\n");
}

static void complete_zsh(const struct complete_commands *commands, struct oclmm_text *text)
{
	oclmm_text_add(text, zsh_functions);
	oclmm_text_add(text, "\n_oclmm() {\n"
	                     "	local context state state_descr line curcontext=$curcontext\n"
	                     "	typeset -A opt_args\n"
	                     "	local -a commands\n"
	                     "	commands=(\n");
	for (size_t i = 0; i < commands->count; i++) {
		oclmm_text_printf(text, "		'%s:", commands->commands[i]->name);
		add_zsh_quoted(text, commands->commands[i]->summary);
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
		add_zsh_command(text, commands->commands[i]);
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

/* ---- a script ---- */

int complete_print(const char *shell, const struct complete_commands *commands)
{
	static const struct {
		const char *name;
		void (*write)(const struct complete_commands *commands, struct oclmm_text *text);
	} shells[] = {{"bash", complete_bash}, {"fish", complete_fish}, {"zsh", complete_zsh}};
	struct oclmm_text text;

	for (size_t i = 0; i < OCLMM_COUNT(shells); i++) {
		if (strcmp(shells[i].name, shell) != 0)
			continue;
		oclmm_text_init(&text);
		shells[i].write(commands, &text);
		fputs(oclmm_text_string(&text), stdout);
		oclmm_text_finish(&text);
		return 0;
	}
	fprintf(stderr, "oclmm: --completion: \"%s\" is not one of bash, fish, zsh\n", shell);
	return OCLMM_EXIT_USAGE;
}
