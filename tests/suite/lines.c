// SPDX-License-Identifier: Apache-2.0
#include "lines.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "folder.h"

void lines_read(struct lines *lines, const char *root, const char *name)
{
	struct oclmm_text path = {0};
	char *line, *rest;
	size_t length;

	oclmm_text_printf(&path, "%s/profiles/%s", root, name);
	if (oclmm_read_file(oclmm_text_string(&path), &lines->text, &length) < 0) {
		complain(oclmm_text_string(&path), "cannot be read: %s", strerror(errno));
		exit(1);
	}
	oclmm_text_finish(&path);
	line = strtok_r(lines->text, "\n", &rest);
	for (; line; line = strtok_r(NULL, "\n", &rest)) {
		if (strcmp(line, "+controls") == 0) {
			lines->controls = true;
		} else if (line[0] != '#' && lines->count == MAX_LINES) {
			complain(name, "has more than %d lines: MAX_LINES", MAX_LINES);
			exit(1);
		} else if (line[0] != '#') {
			lines->line[lines->count++] = line;
		}
	}
}

bool lines_choose(struct lines *lines, const char *variant)
{
	bool chosen = false;

	for (size_t i = 0; i < lines->count; i++) {
		if (oclmm_pattern_matches(lines->line[i], variant))
			chosen = lines->used[i] = true;
	}
	return chosen;
}

void lines_finish(struct lines *lines)
{
	free(lines->text);
}
