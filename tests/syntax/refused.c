// SPDX-License-Identifier: Apache-2.0
/*
 * Compares what the reader says of refused texts with tables of them, one for each file of
 * src/syntax that refuses. What stands above the first row says what the table holds. A row is
 *
 *     === name
 *     the text of a litmus file
 *     --- 9:3-7: the message, for columns 3 to 7 of line 9
 *           and its note
 *
 * and a blank line. The line and the caret that stand between message and note are not written out:
 * they have to be those of the text. Where they are not, in a line that was cut, the message stands
 * as it is. The rows below
 *
 *     +++
 *     OPENCL T
 *     { [x] = 0; }
 *     ...
 *     exists (x=1)
 *
 * have only what comes in place of the dots. In the text of a row `=== name (escaped)`, `\x01` is a
 * byte.
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

static const char row_mark[] = "=== ", message_mark[] = "--- ", escaped_mark[] = " (escaped)",
		  frame_mark[] = "+++\n", frame_hole[] = "...\n";

/* A piece of the table. */
struct piece {
	const char *at;
	size_t length;
};

struct row {
	struct piece above, name, input, message, below; /* above and below: of its frame */
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

static struct piece piece(const char *from, const char *end)
{
	return (struct piece){from, (size_t)(end - from)};
}

/* \return the first row of the frame, which has what stands above and below its rows */
static const char *read_frame(const char *line, struct row *row)
{
	const char *first = find_line(line, row_mark), *above = next_line(line),
		   *hole = find_line(above, frame_hole), *below = next_line(hole);

	row->above = piece(above, hole);
	/* without the blank line before the row */
	row->below = piece(below, first > below ? first - 1 : below);
	return first;
}

/* \return what follows the row, or NULL where it has no message */
static const char *read_row(const char *line, struct row *row)
{
	const char *input = next_line(line), *message = find_line(input, message_mark), *end;

	if (!*message)
		return NULL;
	row->name = piece(line + strlen(row_mark), input - 1);
	row->input = piece(input, message);
	for (end = message; *end && !begins(end, row_mark) && !begins(end, frame_mark);)
		end = next_line(end);
	/* without the blank line before the next */
	row->message = piece(message + strlen(message_mark), *end ? end - 1 : end);
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

static void add_piece(struct oclmm_text *text, struct piece piece)
{
	oclmm_text_add_bytes(text, piece.at, piece.length);
}

static void compose(struct oclmm_text *text, const struct row *row)
{
	size_t mark = strlen(escaped_mark);

	add_piece(text, row->above);
	if (row->name.length > mark && begins(row->name.at + row->name.length - mark, escaped_mark))
		unescape(text, row->input.at, row->input.length);
	else
		add_piece(text, row->input);
	add_piece(text, row->below);
}

/* What is said of a text, or NULL where it is accepted. */
static char *read_text(const struct oclmm_text *text, bool dartagnan)
{
	const struct oclmm_syntax_options options = {.dartagnan = dartagnan};
	struct oclmm_litmus *litmus;
	struct oclmm_error error;

	if (oclmm_litmus_parse("", text->data, text->length, &options, &error, &litmus))
		return oclmm_error_format(&error);
	oclmm_litmus_destroy(litmus);
	return NULL;
}

/* The line of the text and a caret below it, up to where the caret's tail begins. */
static void add_echo(struct oclmm_text *echo, const char *text, unsigned line, unsigned column)
{
	for (unsigned i = 1; i < line; i++)
		text = next_line(text);
	oclmm_text_printf(echo, "%5u | ", line);
	add_piece(echo, piece(text, next_line(text)));
	oclmm_text_add(echo, "      | ");
	for (unsigned i = 0; i + 1 < column && text[i] && text[i] != '\n'; i++)
		oclmm_text_add(echo, text[i] == '\t' ? "\t" : " ");
	oclmm_text_add(echo, "^");
}

/* A message as tables have it. */
static void shorten(struct oclmm_text *table, const char *said, const char *text)
{
	const char *source = next_line(said), *tail;
	struct oclmm_text echo = {0};
	unsigned line, column;
	int begin = 0;
	size_t length;

	if (sscanf(said, "%u:%u: error: %n", &line, &column, &begin) == 2 && begin)
		add_echo(&echo, text, line, column);
	tail = source + echo.length;
	if (!echo.length || !begins(source, oclmm_text_string(&echo)) ||
	    tail[length = strspn(tail, "~")] != '\n') {
		oclmm_text_add(table, said);
	} else {
		oclmm_text_printf(table, "%u:%u", line, column);
		if (length)
			oclmm_text_printf(table, "-%zu", column + length);
		oclmm_text_add(table, ": ");
		add_piece(table, piece(said + begin, source));
		oclmm_text_add(table, tail + length + 1);
	}
	oclmm_text_finish(&echo);
}

/* \return whether the row is as the table has it; adds it as it is */
static bool check_row(const char *path, const struct row *row, bool dartagnan, bool promote,
                      struct oclmm_text *table)
{
	struct oclmm_text text = {0}, message = {0};
	char *said, *otherwise = NULL;
	bool same;

	compose(&text, row);
	said = read_text(&text, dartagnan);
	if (dartagnan)
		otherwise = read_text(&text, false);
	if (said)
		shorten(&message, said, oclmm_text_string(&text));
	same = message.length == row->message.length &&
	       strncmp(oclmm_text_string(&message), row->message.at, message.length) == 0;
	if (!said)
		printf("%s: %.*s is accepted\n", path, (int)row->name.length, row->name.at);
	else if (otherwise)
		printf("%s: %.*s is refused without Dartagnan, too\n%s", path,
		       (int)row->name.length, row->name.at, otherwise);
	else if (!same && !promote)
		printf("%s: %.*s is refused otherwise\n%sexpected\n%.*s", path,
		       (int)row->name.length, row->name.at, oclmm_text_string(&message),
		       (int)row->message.length, row->message.at);
	oclmm_text_add(table, row_mark);
	add_piece(table, piece(row->name.at, row->input.at));
	add_piece(table, row->input);
	oclmm_text_printf(table, "%s%s", message_mark, said ? oclmm_text_string(&message) : "\n");
	same = said && !otherwise && (same || promote);
	oclmm_text_finish(&message);
	oclmm_text_finish(&text);
	free(said);
	free(otherwise);
	return same;
}

/* \return the number of failures */
static unsigned check_table(const char *path, bool dartagnan, bool promote, unsigned *rows)
{
	struct oclmm_text table = {0};
	struct row row = {0};
	struct oclmm_error error;
	unsigned failures = 0;
	const char *line;
	size_t length;
	char *text;

	if (oclmm_read_text(path, &error, &text, &length)) {
		printf("%s: %s\n", path, error.message);
		return 1;
	}
	for (line = text; *line && !begins(line, row_mark) && !begins(line, frame_mark);)
		line = next_line(line);
	add_piece(&table, piece(text, line));
	while (line && *line) {
		if (begins(line, frame_mark)) {
			const char *first = read_frame(line, &row);

			add_piece(&table, piece(line, first));
			line = first;
		}
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
