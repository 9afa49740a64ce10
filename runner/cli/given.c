// SPDX-License-Identifier: Apache-2.0
#include "given.h"

#include <string.h>

static bool has_word(const char *words, const char *word)
{
	size_t length = strlen(word);

	while (words && *words) {
		size_t next = strcspn(words, " ");

		if (next == length && memcmp(words, word, length) == 0)
			return true;
		words += next + strspn(words + next, " ");
	}
	return false;
}

static int refuse_both(const struct command *command, int a, int b)
{
	/* in the order of the help, whichever came first */
	return options_error(command, "either --%s or --%s, not both",
	                     command->options[a < b ? a : b].name,
	                     command->options[a < b ? b : a].name);
}

int given_add(struct given *given, const struct command *command, int index, const char *value)
{
	const struct option_spec *option = &command->options[index];
	const char *before = given->values[index];

	if (before && value && strcmp(before, value) != 0 &&
	    !has_word(command->repeatable, option->name))
		return options_error(command, "--%s is given twice, as \"%s\" and as \"%s\"",
		                     option->name, before, value);
	for (const char *const *set = command->one_of; set && *set; set++) {
		for (int i = 0; has_word(*set, option->name) && command->options[i].name; i++) {
			if (i != index && given->values[i] &&
			    has_word(*set, command->options[i].name))
				return refuse_both(command, i, index);
		}
	}
	given->values[index] = value ? value : "";
	return 0;
}
