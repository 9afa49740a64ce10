// SPDX-License-Identifier: Apache-2.0
/* The list of plants that have to be killed: a name in each line. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "oclmm/grade.h"
#include "planted.h"

static int take_baseline(struct planted *planted, char *line, uint32_t number)
{
	struct plant plant;
	struct oclmm_error error;
	char message[PLANT_MESSAGE];

	line[strcspn(line, "#\r")] = '\0';
	line += strspn(line, " \t");
	line[strcspn(line, " \t")] = '\0';
	if (!*line)
		return 0;
	if (plant_parse(line, &plant, message)) {
		planted->in_baseline[plant.bug] = true;
		return 0;
	}
	oclmm_error_set(&error, -EINVAL, "%s", message);
	snprintf(error.file, sizeof(error.file), "%s", planted->options.baseline);
	snprintf(error.source, sizeof(error.source), "%s", line);
	error.position = (struct oclmm_position){.line = number,
	                                         .column = 1,
	                                         .length = (uint32_t)strlen(line)};
	return report_error(&error);
}

int planted_read_baseline(struct planted *planted)
{
	const char *path = planted->options.baseline;
	struct oclmm_lines lines;
	char *text;
	size_t length;
	int r, status = 0;

	if (!path)
		return 0;
	r = oclmm_read_file(path, &text, &length);
	if (r < 0)
		return options_error(planted->command, "cannot read %s: %s", path, strerror(-r));
	oclmm_lines_begin(&lines, path, text, length);
	while (status == 0 && oclmm_lines_next(&lines))
		status = take_baseline(planted, oclmm_lines_cut(&lines, text), lines.number);
	free(text);
	return status;
}
