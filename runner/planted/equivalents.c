// SPDX-License-Identifier: Apache-2.0
#include "equivalents.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIELDS = 6 };

struct reader {
	const char *path;
	const char *line; /* a copy of the whole line */
	uint32_t number;
	struct oclmm_error *error;
};

static int refuse(const struct reader *reader, size_t column, const char *message)
{
	struct oclmm_error *error = reader->error;

	oclmm_error_set(error, -EINVAL, "%s", message);
	snprintf(error->file, sizeof(error->file), "%s", reader->path);
	snprintf(error->source, sizeof(error->source), "%s", reader->line);
	snprintf(error->note, sizeof(error->note), "%s",
	         "plant | platform | device | machine | argument | how it was seen");
	error->position = (struct oclmm_position){.line = reader->number,
	                                          .column = (uint32_t)column + 1,
	                                          .length = 1};
	return -EINVAL;
}

static char *trim(char *field)
{
	size_t length;

	field += strspn(field, " \t");
	length = strlen(field);
	while (length > 0 && strchr(" \t\r", field[length - 1]))
		field[--length] = '\0';
	return field;
}

static int read_line(const struct reader *reader, char *line, struct equivalent *ret_equivalent)
{
	char *fields[FIELDS], message[PLANT_MESSAGE], *start = line;
	struct plant plant;
	int count = 0;

	for (char *at = line; at && count < FIELDS; count++) {
		char *bar = count + 1 < FIELDS ? strchr(at, '|') : NULL;

		if (bar)
			*bar = '\0';
		fields[count] = trim(at);
		if (!*fields[count])
			return refuse(reader, (size_t)(at - start), "a field is empty");
		at = bar ? bar + 1 : NULL;
	}
	if (count < FIELDS)
		return refuse(reader, strlen(reader->line), "the line has fewer than six fields");
	if (!plant_parse(fields[0], &plant, message))
		return refuse(reader, (size_t)(fields[0] - start), message);
	*ret_equivalent = (struct equivalent){.plant = plant,
	                                      .platform = fields[1],
	                                      .device = fields[2],
	                                      .machine = fields[3],
	                                      .argument = fields[4],
	                                      .seen = fields[5]};
	return 0;
}

static int parse(struct equivalents *equivalents, const char *path, size_t length,
                 struct oclmm_error *error)
{
	struct reader reader = {.path = path, .error = error};
	struct oclmm_lines lines;
	int r = 0;

	oclmm_lines_begin(&lines, path, equivalents->text, length);
	while (r == 0 && oclmm_lines_next(&lines)) {
		char *line = oclmm_lines_cut(&lines, equivalents->text), *copy = oclmm_strdup(line);

		reader.number = lines.number;
		reader.line = copy;
		line[strcspn(line, "#")] = '\0';
		if (*trim(line)) {
			oclmm_grow(&equivalents->lines, &equivalents->capacity, equivalents->count,
			           sizeof(*equivalents->lines));
			r = read_line(&reader, line, &equivalents->lines[equivalents->count]);
			equivalents->count += r == 0;
		}
		free(copy);
	}
	return r;
}

int equivalents_read(struct equivalents *equivalents, const char *path, struct oclmm_error *error)
{
	size_t length;
	int r;

	*equivalents = (struct equivalents){0};
	r = oclmm_read_text(path, error, &equivalents->text, &length);
	if (r < 0)
		return r;
	r = parse(equivalents, path, length, error);
	if (r < 0)
		equivalents_finish(equivalents);
	return r;
}

void equivalents_finish(struct equivalents *equivalents)
{
	free(equivalents->lines);
	free(equivalents->text);
	*equivalents = (struct equivalents){0};
}

const struct equivalent *equivalents_find(const struct equivalents *equivalents,
                                          const struct plant *plant, const char *platform,
                                          const char *device, const char *machine)
{
	for (size_t i = 0; i < equivalents->count; i++) {
		const struct equivalent *line = &equivalents->lines[i];

		if (plant_is_part(plant, &line->plant) &&
		    oclmm_pattern_matches(line->platform, platform) &&
		    oclmm_pattern_matches(line->device, device) &&
		    oclmm_pattern_matches(line->machine, machine))
			return line;
	}
	return NULL;
}
