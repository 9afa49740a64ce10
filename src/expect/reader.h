// SPDX-License-Identifier: Apache-2.0
/* Lines of a text, taken apart from left to right, with positions for errors. */
#ifndef OCLMM_EXPECT_READER_H
#define OCLMM_EXPECT_READER_H

#include "oclmm/base.h"

struct reader {
	struct oclmm_lines lines;
	const char *text; /* all of it */
	const char *at;   /* cursor within the current line */
	struct oclmm_error *error;
};

/* The end of the current line. */
static inline const char *reader_end(const struct reader *reader)
{
	return reader->lines.line + reader->lines.length;
}
/* Stands before the first line. */
void reader_init(struct reader *reader, const char *path, const char *text, size_t length,
                 struct oclmm_error *error);
/* Steps to the next line. False at the end of the text. */
bool reader_line(struct reader *reader);
/* Moves the cursor, and with it the current line, to a place in the text. */
void reader_go_to(struct reader *reader, const char *at);
/* Whether the current line begins with `prefix`; if so, the cursor stands behind it. */
bool reader_begins(struct reader *reader, const char *prefix);
/* Takes `literal` at the cursor. */
bool reader_literal(struct reader *reader, const char *literal);
bool reader_at_end(const struct reader *reader);
/* Takes bytes up to, but not including, the first of `stops`; all of the line without one. */
void reader_until(struct reader *reader, const char *stops, const char **ret_text,
                  size_t *ret_length);
/* Takes a decimal value, negative or up to 2^64-1. `*ret_unsigned` only where it needs 64 unsigned
 * bits. */
bool reader_value(struct reader *reader, int64_t *ret_value, bool *ret_unsigned);
/* Fills the error at the cursor and returns -EINVAL. */
int reader_refuse(struct reader *reader, const char *format, ...) OCLMM_PRINTF(2, 3);

#endif
