// SPDX-License-Identifier: Apache-2.0
/*
 * Compares what the reader says of refused texts with tables of them, one for each file of
 * src/syntax that refuses. A row is
 *
 *     === name
 *     the text of a litmus file
 *     --- 9:3: error: the message, with line, caret and note below it
 *
 * and a blank line. What stands above the first row says what the table holds. In the text of a row
 * `=== name (escaped)`, `\x01` is a byte.
 *
 *     refused [--dartagnan] [--promote] TABLE ...
 *
 * With --dartagnan only the grammar shared with Dartagnan is read, and without it each text has to
 * be accepted. --promote rewrites the messages: read the difference before keeping it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oclmm/syntax.h"

static const char row_mark[] = "=== ", message_mark[] = "--- ", escaped_mark[] = " (escaped)";

/* Names, texts and messages are pieces of the table. */
struct row {
	const char *name, *input, *message;
	size_t name_length, input_length, message_length;
};

static const char *next_line(const char *line)
{
	const char *end = strchr(line, '\n');

	return end ? end + 1 : line + strlen(line);
}

static bool begins(const char *line, const char *mark)
{
	return strncmp(line, mark, strlen(mark)) == 0;
}

/* The first line from here on that begins so, or the end. */
static const char *find_line(const char *line, const char *mark)
{
	while (*line && !begins(line, mark))
		line = next_line(line);
	return line;
}

/* \return what follows the row, or NULL where it has no message */
static const char *read_row(const char *line, struct row *row)
{
	const char *end;

	row->name = line + strlen(row_mark);
	row->name_length = strcspn(row->name, "\n");
	row->input = next_line(line);
	line = find_line(row->input, message_mark);
	row->input_length = (size_t)(line - row->input);
	if (!*line)
		return NULL;
	row->message = line + strlen(message_mark);
	end = find_line(line, row_mark);
	row->message_length = (size_t)(end - row->message);
	/* the blank line before the next row */
	if (*end && row->message_length > 0)
		row->message_length--;
	return end;
}

static void unescape(struct oclmm_text *text, const char *from, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		unsigned byte;
		char letter = from[i];

		if (i + 3 < length && sscanf(from + i, "\\x%2x", &byte) == 1) {
			letter = (char)byte;
			i += 3;
		}
		oclmm_text_add_bytes(text, &letter, 1);
	}
}

/* What is said of a text, or NULL where it is accepted. */
static char *read_text(const struct row *row, bool dartagnan)
{
	const struct oclmm_syntax_options options = {.dartagnan = dartagnan};
	size_t mark = strlen(escaped_mark);
	struct oclmm_text text = {0};
	struct oclmm_litmus *litmus;
	struct oclmm_error error;
	char *said = NULL;

	if (row->name_length > mark && begins(row->name + row->name_length - mark, escaped_mark))
		unescape(&text, row->input, row->input_length);
	else
		oclmm_text_add_bytes(&text, row->input, row->input_length);
	if (oclmm_litmus_parse("", oclmm_text_string(&text), text.length, &options, &error,
	                       &litmus))
		said = oclmm_error_format(&error);
	else
		oclmm_litmus_destroy(litmus);
	oclmm_text_finish(&text);
	return said;
}

/* \return whether the row is as the table has it; adds it as it is */
static bool check_row(const char *path, const struct row *row, bool dartagnan, bool promote,
                      struct oclmm_text *table)
{
	char *said = read_text(row, dartagnan),
	     *otherwise = dartagnan ? read_text(row, false) : NULL;
	bool same = said && strlen(said) == row->message_length &&
	            strncmp(said, row->message, row->message_length) == 0;

	if (!said)
		printf("%s: %.*s is accepted\n", path, (int)row->name_length, row->name);
	else if (otherwise)
		printf("%s: %.*s is refused without Dartagnan, too\n%s", path,
		       (int)row->name_length, row->name, otherwise);
	else if (!same && !promote)
		printf("%s: %.*s is refused otherwise\n%sexpected\n%.*s", path,
		       (int)row->name_length, row->name, said, (int)row->message_length,
		       row->message);
	oclmm_text_add_bytes(table, row->name - strlen(row_mark),
	                     (size_t)(row->input - row->name) + strlen(row_mark));
	oclmm_text_add_bytes(table, row->input, row->input_length);
	oclmm_text_printf(table, "%s%s", message_mark, said ? said : "\n");
	same = said && !otherwise && (same || promote);
	free(said);
	free(otherwise);
	return same;
}

/* \return the number of failures */
static unsigned check_table(const char *path, bool dartagnan, bool promote, unsigned *rows)
{
	struct oclmm_text table = {0};
	struct oclmm_error error;
	unsigned failures = 0;
	const char *line;
	size_t length;
	char *text;

	if (oclmm_read_text(path, &error, &text, &length)) {
		printf("%s: %s\n", path, error.message);
		return 1;
	}
	line = find_line(text, row_mark);
	oclmm_text_add_bytes(&table, text, (size_t)(line - text));
	while (line && *line) {
		struct row row;

		line = read_row(line, &row);
		if (!line)
			break;
		++*rows;
		failures += !check_row(path, &row, dartagnan, promote, &table);
		if (*line)
			oclmm_text_add(&table, "\n");
	}
	if (!line) {
		printf("%s: the last row has no message\n", path);
		failures++;
	}
	if (promote && !failures && oclmm_write_file(path, table.data, table.length) < 0) {
		perror(path);
		failures++;
	}
	oclmm_text_finish(&table);
	free(text);
	return failures;
}

int main(int argc, char **argv)
{
	bool dartagnan = false, promote = false;
	unsigned rows = 0, failures = 0;

	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--dartagnan") == 0)
			dartagnan = true;
		else if (strcmp(argv[i], "--promote") == 0)
			promote = true;
		else
			failures += check_table(argv[i], dartagnan, promote, &rows);
	}
	printf("%u refused texts, %u failures\n", rows, failures);
	return failures || !rows ? 1 : 0;
}
