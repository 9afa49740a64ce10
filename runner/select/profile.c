// SPDX-License-Identifier: Apache-2.0
/* The lists of tests of litmus/profiles. */
#include "select.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

/* Lines that are neither empty nor a comment, as arguments into `text`. */
static char **split_lines(char *text, int *ret_count, bool *ret_controls)
{
	char **lines = NULL;
	size_t capacity = 0, count = 0;

	*ret_controls = false;
	for (char *save, *line = strtok_r(text, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save)) {
		line += strspn(line, " \t");
		line[strcspn(line, "#\t\r ")] = '\0';
		if (strcmp(line, "+controls") == 0) {
			*ret_controls = true;
			continue;
		}
		if (!*line)
			continue;
		oclmm_grow(&lines, &capacity, count, sizeof(*lines));
		lines[count++] = line;
	}
	*ret_count = (int)count;
	return lines;
}

/* Names the one that may have been meant, or all that there are. */
static void refuse_profile(const char *profile, const char *folder)
{
	struct dirent **entries;
	struct oclmm_text there = {0};
	int found = scandir(folder, &entries, suite_is_visible, alphasort),
	    count = found < 0 ? 0 : found;
	const char **words = oclmm_calloc((size_t)count + 1, sizeof(*words));

	oclmm_text_add(&there, count ? "there are" : "there is none");
	for (int i = 0; i < count; i++) {
		words[i] = entries[i]->d_name;
		oclmm_text_printf(&there, "%s %s", i ? "," : "", words[i]);
	}
	fprintf(stderr, "oclmm: unknown profile \"%s\"%s\n", profile,
	        suggest(profile, words, (size_t)count, oclmm_text_string(&there)).text);
	for (int i = 0; i < count; i++)
		free(entries[i]);
	if (found >= 0)
		free(entries);
	free(words);
	oclmm_text_finish(&there);
}

static int refuse_empty(const char *profile)
{
	struct oclmm_error error = {0};

	oclmm_error_set(&error, -EINVAL, "the profile \"%s\" is empty", profile);
	return report_error(&error);
}

/* The text of a profile, or the status to leave with. */
static int read_profile(const char *suite, const char *profile, char **ret_text)
{
	struct oclmm_error error = {0};
	struct oclmm_text folder = {0}, path = {0};
	size_t length;
	int r = -ENOENT;

	oclmm_text_printf(&folder, "%s/profiles", suite);
	oclmm_text_printf(&path, "%s/%s", oclmm_text_string(&folder), profile);
	if (*profile && !strchr(profile, '/'))
		r = oclmm_read_file(oclmm_text_string(&path), ret_text, &length);
	if (r == -ENOENT) {
		refuse_profile(profile, oclmm_text_string(&folder));
	} else if (r < 0) {
		oclmm_error_set(&error, r, "cannot read profile %s: %s", oclmm_text_string(&path),
		                strerror(-r));
		report_error(&error);
	}
	oclmm_text_finish(&folder);
	oclmm_text_finish(&path);
	return r < 0 ? OCLMM_EXIT_USAGE : 0;
}

int selection_make_profile(struct selection *selection, const char *profile)
{
	struct oclmm_error error = {0};
	char *suite = suite_folder(&error), *text = NULL, **lines;
	bool controls;
	int count, status;

	*selection = (struct selection){0};
	if (!suite)
		return report_error(&error);
	status = read_profile(suite, profile, &text);
	free(suite);
	if (status)
		return status;
	lines = split_lines(text, &count, &controls);
	if (count)
		status = selection_make(selection, lines, count);
	else
		status = refuse_empty(profile);
	if (status == 0 && controls)
		selection_add_controls(selection);
	free(lines);
	free(text);
	return status;
}
