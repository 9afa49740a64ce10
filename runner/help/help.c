// SPDX-License-Identifier: Apache-2.0
/*
 * Completions for bash, fish and zsh, and oclmm(1) in the macros of man(7): what the commands'
 * tables say, and in the manual what belongs to none of them.
 */
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

/* Options whose values are words of the program; a command that takes some of them alone lists
 * these, divided by `|`, in place of the value's name. A test tries each word on each command that
 * has them. */
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

/* The option that all commands have. */
static const struct option_spec help_option = {.name = "help",
                                               .letter = 'h',
                                               .help = "print a help text"};

static void complete_option(const struct option_spec *option, struct complete_value *ret_value)
{
	const char *argument = option->argument;

	*ret_value = (struct complete_value){.kind = COMPLETE_ANYTHING};
	oclmm_text_init(&ret_value->words);
	if (argument && argument[0] >= 'a' && argument[0] <= 'z' && strchr(argument, '|')) {
		for (const char *at = argument; *at; at++)
			oclmm_text_add_bytes(&ret_value->words, *at == '|' ? " " : at, 1);
		ret_value->kind = COMPLETE_WORDS;
		return;
	}
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

/* What only the installed suite knows: `tests` or `profiles`, a line each; silent where there is
 * none. */
static int complete_list(const char *what)
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

static void complete_bash(const struct help_commands *commands, struct oclmm_text *text)
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

static void complete_fish(const struct help_commands *commands, struct oclmm_text *text)
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
	/* an empty message counts as no message */
	add_zsh_quoted(text, *command->arguments ? command->arguments : "no argument");
	oclmm_text_add(text, ":");
	add_zsh_action(text, complete_arguments(command), "");
	oclmm_text_add(text, "'\n			;;\n");
}

static void complete_zsh(const struct help_commands *commands, struct oclmm_text *text)
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

/* The script of a shell on standard output. Returns 0 or the status to leave with. */
static int print_script(const char *shell, const struct help_commands *commands)
{
	static const struct {
		const char *name;
		void (*write)(const struct help_commands *commands, struct oclmm_text *text);
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

/* ---- the manual ---- */

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
	{"0", "some test has confidence, and every gating test passed or is known to fail"},
	{"1", "an outcome was seen that no reading of the specification allows, or a regression"},
	{"2", "usage, or a file that is refused"},
	{"3", "no test has confidence, or none can fail; with --strict: one of them has none"},
	{"4", "unfinished: the budget did not suffice for every test that can fail"},
	{"77", "nothing applicable was run: no device, or every test was skipped"},
	{"99", "infrastructure: a build, a crash, a time limit, lost results, an interrupted run"},
};

static const char *const variables[][2] = {
	{"OCLMM_SUITE",
         "the folder that holds litmus/ and expected/, where it is not to be looked for"},
	{"OCLMM_OPENCL",
         "the OpenCL loader, or a driver that is one (default libOpenCL.so.1 of the system)"},
	{"OCLMM_LAYER",
         "a layer of OpenCL loaders that is put before the loader, whether it knows layers or not"},
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

static void print_manual(const struct help_commands *commands)
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

/* ---- what main() is asked for ---- */

int help_print(int argc, char **argv, const struct help_commands *commands)
{
	if (strcmp(argv[1], "--man") == 0) {
		print_manual(commands);
		return 0;
	}
	if (argc != 3) {
		fputs("oclmm: --completion needs a shell: bash, fish or zsh\n", stderr);
		return OCLMM_EXIT_USAGE;
	}
	/* for those scripts, not for people */
	if (strcmp(argv[1], "--complete") == 0)
		return complete_list(argv[2]);
	return print_script(argv[2], commands);
}
