// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "oclmm/base.h"

struct flow {
	struct oclmm_text *text;
	size_t width, indent;
	size_t column;
	bool started; /* something was added */
	bool open;    /* a word stands before, so that a blank goes between them */
};

size_t oclmm_text_columns(const char *word, size_t length)
{
	size_t count = 0;

	for (size_t i = 0; i < length; i++)
		count += ((unsigned char)word[i] & 0xc0) != 0x80;
	return count;
}

static void begin_line(struct flow *flow)
{
	oclmm_text_printf(flow->text, "\n%*s", (int)flow->indent, "");
	flow->column = flow->indent;
	flow->open = false;
}

static void add_word(struct flow *flow, const char *word, size_t length)
{
	size_t wide = oclmm_text_columns(word, length);

	if (flow->open && flow->column + 1 + wide > flow->width)
		begin_line(flow);
	oclmm_text_printf(flow->text, "%s%.*s", flow->open ? " " : "", (int)length, word);
	flow->column += flow->open + wide;
	flow->open = flow->started = true;
}

/* An empty line, or one that begins with a blank, stays as it was written. */
static void keep_line(struct flow *flow, const char *line, size_t length)
{
	if (flow->started)
		oclmm_text_printf(flow->text, "\n%*s", length ? (int)flow->indent : 0, "");
	oclmm_text_printf(flow->text, "%.*s", (int)length, line);
	flow->started = true;
	flow->open = false;
}

static void add_line(struct flow *flow, const char *line, size_t length, bool goes_on)
{
	const char *end = line + length;

	if (!goes_on && flow->started)
		begin_line(flow);
	while (line < end) {
		size_t word = strcspn(line, " \n");

		add_word(flow, line, word);
		line += word;
		line += strspn(line, " ");
	}
}

void oclmm_text_add_wrapped(struct oclmm_text *text, const char *string, size_t width,
                            size_t column, size_t indent)
{
	struct flow flow = {.text = text, .width = width, .indent = indent, .column = column};
	bool goes_on = false;

	while (*string) {
		size_t length = strcspn(string, "\n");
		bool kept = length == 0 || *string == ' ';

		if (kept)
			keep_line(&flow, string, length);
		else
			add_line(&flow, string, length, goes_on);
		goes_on = !kept;
		string += length;
		string += *string == '\n';
	}
}

/* ---- one line ---- */

/* Where the text of the last column begins that is not beyond `most`, or after the indentation and
 * two more. */
static size_t hanging(const char *line, size_t length, size_t most)
{
	size_t start = 0, column;

	while (start < length && line[start] == ' ')
		start++;
	column = start + 2;
	for (size_t at = start + 2; at < length && at <= most; at++) {
		if (line[at] != ' ' && line[at - 1] == ' ' && line[at - 2] == ' ')
			column = at;
	}
	return column;
}

/* The last blank that is not beyond `columns`, behind the first word; else the next one, or the
 * end. */
static size_t find_break(const char *line, size_t length, size_t columns)
{
	size_t found = 0, at = 0, column = 0;

	while (at < length && line[at] == ' ')
		at++, column++;
	for (; at < length && (column <= columns || !found); at++) {
		if (line[at] == ' ' && line[at - 1] != ' ')
			found = at;
		if (column >= columns && found)
			break;
		column += oclmm_text_columns(line + at, 1);
	}
	return column <= columns && at == length ? length : found ? found : length;
}

void oclmm_text_add_hung(struct oclmm_text *text, const char *line, size_t length, size_t width,
                         size_t indent)
{
	size_t room = width;
	bool comment = length && *line == '#';

	while (oclmm_text_columns(line, length) > room) {
		size_t at = find_break(line, length, room);

		oclmm_text_add_bytes(text, line, at);
		line += at;
		length -= at;
		while (length && *line == ' ') {
			line++;
			length--;
		}
		if (!length)
			return;
		oclmm_text_printf(text, "\n%-*s", (int)indent, comment ? "#" : "");
		room = width - indent;
	}
	oclmm_text_add_bytes(text, line, length);
}

void oclmm_text_add_fitted(struct oclmm_text *text, const char *line, size_t length, size_t width)
{
	oclmm_text_add_hung(text, line, length, width, hanging(line, length, width / 2));
}

void oclmm_text_add_fitted_lines(struct oclmm_text *text, const char *lines, size_t width)
{
	while (*lines) {
		size_t length = strcspn(lines, "\n");

		oclmm_text_add_fitted(text, lines, length, width);
		lines += length;
		if (*lines)
			oclmm_text_add_bytes(text, lines++, 1);
	}
}
