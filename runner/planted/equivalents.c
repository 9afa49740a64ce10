// SPDX-License-Identifier: Apache-2.0
/* Plants that cannot show on some devices, as a file that people review. */
#include "equivalents.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ENTRY_FIELDS = 6 };

struct list_reader {
	const char *path;
	const char *line; /* a copy of the whole line */
	uint32_t number;
	struct oclmm_error *error;
};

static int refuse_entry(const struct list_reader *list_reader, size_t column, const char *message)
{
	struct oclmm_error *error = list_reader->error;

	oclmm_error_set(error, -EINVAL, "%s", message);
	snprintf(error->file, sizeof(error->file), "%s", list_reader->path);
	snprintf(error->source, sizeof(error->source), "%s", list_reader->line);
	snprintf(error->note, sizeof(error->note), "%s",
	         "plant | platform | device | machine | argument | how it was seen");
	error->position = (struct oclmm_position){.line = list_reader->number,
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

static int read_entry(const struct list_reader *list_reader, char *line,
                      struct equivalent *ret_equivalent)
{
	char *fields[ENTRY_FIELDS], message[PLANT_MESSAGE], *start = line;
	struct plant plant;
	int count = 0;

	for (char *at = line; at && count < ENTRY_FIELDS; count++) {
		char *bar = count + 1 < ENTRY_FIELDS ? strchr(at, '|') : NULL;

		if (bar)
			*bar = '\0';
		fields[count] = trim(at);
		if (!*fields[count])
			return refuse_entry(list_reader, (size_t)(at - start), "a field is empty");
		at = bar ? bar + 1 : NULL;
	}
	if (count < ENTRY_FIELDS)
		return refuse_entry(list_reader, strlen(list_reader->line),
		                    "the line has fewer than six fields");
	if (!plant_parse(fields[0], &plant, message))
		return refuse_entry(list_reader, (size_t)(fields[0] - start), message);
	*ret_equivalent = (struct equivalent){.plant = plant,
	                                      .platform = fields[1],
	                                      .device = fields[2],
	                                      .machine = fields[3],
	                                      .argument = fields[4],
	                                      .seen = fields[5]};
	return 0;
}

static int parse_entries(struct equivalents *equivalents, const char *path, size_t length,
                         struct oclmm_error *error)
{
	struct list_reader list_reader = {.path = path, .error = error};
	struct oclmm_lines lines;
	int r = 0;

	oclmm_lines_begin(&lines, path, equivalents->text, length);
	while (r == 0 && oclmm_lines_next(&lines)) {
		char *line = oclmm_lines_cut(&lines, equivalents->text), *copy = oclmm_strdup(line);

		list_reader.number = lines.number;
		list_reader.line = copy;
		line[strcspn(line, "#")] = '\0';
		if (*trim(line)) {
			oclmm_grow(&equivalents->lines, &equivalents->capacity, equivalents->count,
			           sizeof(*equivalents->lines));
			r = read_entry(&list_reader, line, &equivalents->lines[equivalents->count]);
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
	r = parse_entries(equivalents, path, length, error);
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
