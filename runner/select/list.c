// SPDX-License-Identifier: Apache-2.0
/* Lists of cycles. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oclmm/cycle.h"
#include "suite.h"

static int add_line(struct suite_files *files, const char *path, unsigned number, const char *line,
                    struct oclmm_error *error)
{
	const char *words = strchr(line, ' ');
	struct oclmm_cycle cycle;
	struct oclmm_text name = {0};
	int r = oclmm_cycle_parse(words ? words + 1 : "", error, &cycle);

	if (r < 0) {
		snprintf(error->file, sizeof(error->file), "%s", path);
		if (error->position.line)
			error->position.column += words ? (unsigned)(words + 1 - line) : 0;
		error->position.line = number;
		snprintf(error->source, sizeof(error->source), "%s", line);
		return r;
	}
	oclmm_cycle_name(&name, &cycle);
	suite_add_cycle(files, path, oclmm_text_string(&name), words + 1);
	oclmm_text_finish(&name);
	return 0;
}

int suite_add_list(struct suite_files *files, const char *path, struct oclmm_error *error)
{
	struct oclmm_lines lines;
	char *text;
	size_t length;
	int r = oclmm_read_text(path, error, &text, &length);

	if (r < 0)
		return r;
	oclmm_lines_begin(&lines, path, text, length);
	while (r == 0 && oclmm_lines_next(&lines)) {
		const char *line = oclmm_lines_cut(&lines, text);

		if (*line && *line != '#')
			r = add_line(files, path, lines.number, line, error);
	}
	free(text);
	return r;
}
