// SPDX-License-Identifier: Apache-2.0
/** \file The lines of a profile: which variants they choose. */
#ifndef TESTS_SUITE_LINES_H
#define TESTS_SUITE_LINES_H

#include <stdbool.h>
#include <stddef.h>

enum { MAX_LINES = 1000 };

struct lines {
	bool controls; /**< the line `+controls`: the reader adds them */
	char *text;
	char *line[MAX_LINES];
	bool used[MAX_LINES]; /**< it chose something */
	size_t count;
};

/** Reads profiles/NAME below a folder, or ends the program. */
void lines_read(struct lines *lines, const char *root, const char *name);
/** Whether a variant is chosen; marks each line that does so. */
bool lines_choose(struct lines *lines, const char *variant);
void lines_finish(struct lines *lines);

#endif
