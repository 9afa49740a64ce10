// SPDX-License-Identifier: Apache-2.0
/*
 * Prints what the reader makes of a file: every variant with its settings,
 * control and canonical text, or the refusal. Each canonical text is read
 * again and has to give itself and the same hash.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oclmm/syntax.h"

static int print_error(const struct oclmm_error *error)
{
	char *text = oclmm_error_format(error);

	fputs(text, stdout);
	free(text);
	return 1;
}

/* \return whether the canonical text gives itself again. */
static bool survives(const char *text, uint64_t hash)
{
	struct oclmm_litmus *litmus;
	struct oclmm_error error;
	struct oclmm_text again = {0};
	bool same;

	if (oclmm_litmus_parse("canonical", text, strlen(text), NULL, &error, &litmus)) {
		print_error(&error);
		return false;
	}
	oclmm_program_print(&again, litmus->variants[0].program);
	same = strcmp(oclmm_text_string(&again), text) == 0 &&
	       litmus->variants[0].program->hash == hash;
	if (!same)
		printf("the canonical text changed:\n%s", oclmm_text_string(&again));
	oclmm_text_finish(&again);
	oclmm_litmus_destroy(litmus);
	return same;
}

static bool print_variant(const struct oclmm_variant *variant, bool whole)
{
	struct oclmm_text text = {0};
	bool good;
	uint32_t i;

	printf("--- %s\n", variant->name);
	for (i = 0; i < variant->setting_count; i++)
		printf("%s=%s\n", variant->settings[i].axis, variant->settings[i].value);
	if (variant->control)
		printf("control %s\n", variant->control);
	oclmm_program_print(&text, variant->program);
	if (whole)
		fputs(oclmm_text_string(&text), stdout);
	good = survives(oclmm_text_string(&text), variant->program->hash);
	oclmm_text_finish(&text);
	return good;
}

static int print_litmus(const struct oclmm_litmus *litmus, bool whole)
{
	const char *word = oclmm_stated_word(litmus->stated);
	bool good = true;
	uint32_t i;

	printf("name %s\n", litmus->name);
	if (litmus->question)
		printf("question %s\n", litmus->question);
	if (word)
		printf("result %s at %u:%u\n", word, litmus->stated_position.line,
		       litmus->stated_position.column);
	if (litmus->comment)
		printf("comment\n%s\n", litmus->comment);
	for (i = 0; i < litmus->variant_count; i++)
		good = print_variant(&litmus->variants[i], whole) && good;
	return good ? 0 : 2;
}

int main(int argc, char **argv)
{
	struct oclmm_syntax_options options = {0};
	struct oclmm_litmus *litmus;
	struct oclmm_error error;
	bool whole = true;
	int result, first = 1;

	for (; first < argc && argv[first][0] == '-'; first++) {
		if (strcmp(argv[first], "--dartagnan") == 0)
			options.dartagnan = true;
		else if (strcmp(argv[first], "--names") == 0)
			whole = false;
	}
	if (first != argc - 1) {
		fputs("usage: show [--dartagnan] [--names] FILE\n", stderr);
		return 3;
	}
	if (oclmm_litmus_read(argv[first], &options, &error, &litmus))
		return print_error(&error);
	result = print_litmus(litmus, whole);
	oclmm_litmus_destroy(litmus);
	return result;
}
