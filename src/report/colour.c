// SPDX-License-Identifier: Apache-2.0
/*
 * Colours over a finished text, so that no report has to know of them: the
 * word that a line begins with, where it is a verdict's.
 */
#include <string.h>

#include "internal.h"

#define RED    "\x1b[1;31m"
#define YELLOW "\x1b[33m"
#define GREEN  "\x1b[32m"
#define FAINT  "\x1b[2m"
#define PLAIN  "\x1b[0m"

static const char verdict_line[] = "verdict: ";

/* What has no row is infrastructure: the run is not what it should be. */
static const char *colour_of(enum oclmm_verdict verdict)
{
	switch (verdict) {
	case OCLMM_VERDICT_PASS: return GREEN;
	case OCLMM_VERDICT_INCONCLUSIVE:
	case OCLMM_VERDICT_DISPUTED:
	case OCLMM_VERDICT_KNOWN:
	case OCLMM_VERDICT_STALE: return YELLOW;
	case OCLMM_VERDICT_UNDEFINED:
	case OCLMM_VERDICT_SKIP: return FAINT;
	default: return RED;
	}
}

/* The colour of a word that stands for a verdict, in a record's line or in the last, or NULL. */
static const char *find_colour(const char *word, size_t length)
{
	static const struct {
		const char *word, *colour;
	} others[] = {
		{"FORBIDDEN", RED}, {"pass?", FAINT}, {"incomplete", RED}, {"unfinished", YELLOW}};
	enum oclmm_verdict verdict;

	for (size_t i = 0; i < OCLMM_COUNT(others); i++) {
		if (strlen(others[i].word) == length && memcmp(others[i].word, word, length) == 0)
			return others[i].colour;
	}
	return oclmm_verdict_find(word, length, &verdict) ? colour_of(verdict) : NULL;
}

static void add_line(struct oclmm_text *text, const char *line, size_t length)
{
	size_t before = strspn(line, " "), word;
	const char *colour;

	if (strncmp(line, verdict_line, sizeof(verdict_line) - 1) == 0)
		before = sizeof(verdict_line) - 1;
	word = strcspn(line + before, " :\n");
	colour = find_colour(line + before, word);
	if (colour)
		oclmm_text_printf(text, "%.*s%s%.*s" PLAIN, (int)before, line, colour, (int)word,
		                  line + before);
	else
		word = before = 0;
	oclmm_text_add_bytes(text, line + before + word, length - before - word);
}

void report_colour(struct oclmm_text *text)
{
	const char *line = oclmm_text_string(text);
	struct oclmm_text coloured = {0};

	while (*line) {
		size_t length = strcspn(line, "\n");

		length += line[length] == '\n';
		add_line(&coloured, line, length);
		line += length;
	}
	oclmm_text_finish(text);
	*text = coloured;
}
