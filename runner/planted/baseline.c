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
	char *text, *next;
	uint32_t number = 0;
	size_t length;
	int r, status = 0;

	if (!path)
		return 0;
	r = oclmm_read_file(path, &text, &length);
	if (r < 0)
		return options_error(planted->command, "cannot read %s: %s", path, strerror(-r));
	for (char *line = text; line && status == 0; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		status = take_baseline(planted, line, ++number);
	}
	free(text);
	return status;
}
