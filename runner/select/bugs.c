// SPDX-License-Identifier: Apache-2.0
#include "bugs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where a line of the file is kept. */
static const char **field(struct bug *bug, const char *word)
{
	if (strcmp(word, "where") == 0)
		return &bug->where;
	if (strcmp(word, "what") == 0)
		return &bug->what;
	return strcmp(word, "tests") == 0 ? &bug->tests : NULL;
}

static int refuse(struct bugs *bugs, struct oclmm_error *error, struct oclmm_position at,
                  const char *line, const char *message, const char *word)
{
	oclmm_error_set(error, -EINVAL, "%s%s%s%s", message, word ? " \"" : "", word ? word : "",
	                word ? "\"" : "");
	snprintf(error->file, sizeof(error->file), "%s", bugs->path);
	snprintf(error->source, sizeof(error->source), "%s", line);
	error->position = at;
	return -EINVAL;
}

static int check_last(struct bugs *bugs, struct oclmm_error *error)
{
	const struct bug *bug = bugs->count ? &bugs->bugs[bugs->count - 1] : NULL;

	if (!bug || (bug->where && bug->what && bug->tests))
		return 0;
	return refuse(bugs, error, bug->position, bug->name,
	              "a bug has the lines where, what and tests; one is missing of", bug->name);
}

static int begin(struct bugs *bugs, struct oclmm_error *error, struct oclmm_position at,
                 const char *name)
{
	int r = check_last(bugs, error);

	if (r < 0)
		return r;
	if (bugs_find(bugs, name))
		return refuse(bugs, error, at, name, "this bug stands twice:", name);
	oclmm_grow(&bugs->bugs, &bugs->capacity, bugs->count, sizeof(*bugs->bugs));
	bugs->bugs[bugs->count++] = (struct bug){.name = name, .position = at};
	return 0;
}

/* One line, cut into its first word and the rest. */
static int take_line(struct bugs *bugs, struct oclmm_error *error, uint32_t number, char *line)
{
	struct oclmm_position at = {number, 1, 1};
	size_t length = strcspn(line, " ");
	char *rest = line + length + strspn(line + length, " ");
	const char **place;

	if (!*line || *line == '#')
		return 0;
	if (!*rest)
		return refuse(bugs, error, at, line, "nothing follows the word", line);
	line[length] = '\0';
	if (strcmp(line, "bug") == 0)
		return begin(bugs, error, at, rest);
	place = bugs->count ? field(&bugs->bugs[bugs->count - 1], line) : NULL;
	if (!place)
		return refuse(bugs, error, at, line,
		              "a line begins with bug, where, what or tests, not", line);
	if (*place)
		return refuse(bugs, error, at, line, "this bug has two lines", line);
	*place = rest;
	return 0;
}

int bugs_read_file(struct bugs *bugs, const char *path, struct oclmm_error *error)
{
	struct oclmm_lines lines;
	size_t length;
	int r;

	*bugs = (struct bugs){.path = oclmm_strdup(path)};
	r = oclmm_read_text(bugs->path, error, &bugs->text, &length);
	if (r < 0)
		return r;
	oclmm_lines_begin(&lines, bugs->path, bugs->text, length);
	while (r == 0 && oclmm_lines_next(&lines))
		r = take_line(bugs, error, lines.number, oclmm_lines_cut(&lines, bugs->text));
	return r < 0 ? r : check_last(bugs, error);
}

int bugs_read(struct bugs *bugs, const char *folder, struct oclmm_error *error)
{
	struct oclmm_text path = {0};
	int r;

	oclmm_text_printf(&path, "%s/bugs", folder);
	r = bugs_read_file(bugs, oclmm_text_string(&path), error);
	oclmm_text_finish(&path);
	return r;
}

void bugs_finish(struct bugs *bugs)
{
	free(bugs->path);
	free(bugs->text);
	free(bugs->bugs);
	*bugs = (struct bugs){0};
}

const struct bug *bugs_find(const struct bugs *bugs, const char *name)
{
	for (size_t i = 0; i < bugs->count; i++) {
		if (strcmp(bugs->bugs[i].name, name) == 0)
			return &bugs->bugs[i];
	}
	return NULL;
}

/* The length of a test's name in front of its settings `.axis=value`. */
static size_t base_length(const char *test, size_t length)
{
	const char *equals = memchr(test, '=', length), *dot;

	if (!equals)
		return length;
	dot = memrchr(test, '.', (size_t)(equals - test));
	return dot ? (size_t)(dot - test) : length;
}

static bool has_setting(const char *settings, const char *setting, size_t length)
{
	for (; *settings; settings += 1 + strcspn(settings + 1, ".")) {
		if (strncmp(settings, setting, length) == 0 &&
		    (!settings[length] || settings[length] == '.'))
			return true;
	}
	return false;
}

static bool stands_for(const char *test, size_t length, const char *variant)
{
	size_t at = base_length(test, length);
	const char *settings = variant + at;

	if (strncmp(test, variant, at) != 0)
		return false;
	/* `CoRR` is neither CoRR4 nor CoRR.x; a dot in a name begins no setting */
	if (*settings && (*settings != '.' || base_length(variant, strlen(variant)) != at))
		return false;
	while (at < length) {
		size_t next = 1 + strcspn(test + at + 1, ". ");

		if (!has_setting(settings, test + at, next))
			return false;
		at += next;
	}
	return true;
}

bool bug_has_test(const struct bug *bug, const char *variant)
{
	for (const char *test = bug->tests; *test; test += strspn(test, " ")) {
		size_t length = strcspn(test, " ");

		if (stands_for(test, length, variant))
			return true;
		test += length;
	}
	return false;
}
