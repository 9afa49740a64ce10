// SPDX-License-Identifier: Apache-2.0
#include "help.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oclmm/grade.h"
#include "oclmm/model.h"
#include "oclmm/report.h"
#include "select/select.h"

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

void complete_option(const struct option_spec *option, struct complete_value *ret_value)
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

enum complete_kind complete_arguments(const struct command *command)
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
