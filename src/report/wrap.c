// SPDX-License-Identifier: Apache-2.0
/* The width of lines: columns of tests, and what is broken where a line is wider than a terminal.
 */
#include <string.h>

#include "internal.h"

/* Of a name; with the verdict before it and the blanks. */
enum { NAME = 36, BEFORE = 12 + 1, COLUMNS = BEFORE + NAME };

void report_columns(struct oclmm_text *text, const char *verdict, const char *name, size_t room)
{
	struct oclmm_shown shown = oclmm_shown(name);
	size_t wide = oclmm_text_columns(shown.text, strlen(shown.text));

	oclmm_text_printf(text, "%-12s %s", verdict, shown.text);
	if (wide <= NAME)
		oclmm_text_printf(text, "%*s", (int)(NAME - wide), "");
	else if (BEFORE + wide + room > OCLMM_TEXT_WIDTH)
		oclmm_text_printf(text, "\n%*s",
		                  room < OCLMM_TEXT_WIDTH - COLUMNS ? COLUMNS : BEFORE - 1, "");
}

static bool is_command(const char *line)
{
	static const char mark[] = "replay: ";

	return strncmp(line + strspn(line, " "), mark, sizeof(mark) - 1) == 0;
}

/* Whether the verdict of a test begins the line, in its column. The longest ones leave one blank
 * before the name, by which no column can be told. */
static bool is_test(const char *line)
{
	size_t word = strcspn(line, " \n");
	enum oclmm_verdict verdict;

	return word + strspn(line + word, " ") == BEFORE &&
	       oclmm_verdict_find(line, word, &verdict);
}

static void add_line(struct oclmm_text *text, const char *line, size_t length)
{
	if (is_command(line))
		oclmm_text_add_bytes(text, line, length);
	else if (is_test(line))
		oclmm_text_add_hung(text, line, length, OCLMM_TEXT_WIDTH, BEFORE);
	else
		oclmm_text_add_fitted(text, line, length, OCLMM_TEXT_WIDTH);
}

void report_wrap(struct oclmm_text *text)
{
	const char *line = oclmm_text_string(text);
	struct oclmm_text wrapped = {0};

	while (*line) {
		size_t length = strcspn(line, "\n");

		add_line(&wrapped, line, length);
		line += length;
		if (*line)
			oclmm_text_add_bytes(&wrapped, line++, 1);
	}
	oclmm_text_finish(text);
	*text = wrapped;
}
