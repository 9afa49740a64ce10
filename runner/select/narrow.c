// SPDX-License-Identifier: Apache-2.0
#include "narrow.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bugs.h"
#include "oclmm/grade.h"

/* ---- the words ------------------------------------------------------- */

static int refuse(const char *what, const char *word, const char *const *words, size_t count)
{
	char list[64];

	snprintf(list, sizeof(list), "see --%s list", what);
	fprintf(stderr, "oclmm: unknown %s \"%s\"%s\n", what, oclmm_shown(word).text,
	        suggest(word, words, count, list).text);
	return OPTIONS_ERROR;
}

static int print_families(void)
{
	struct suite_families families;
	struct oclmm_error error = {0};
	int r = suite_families_list(&families, &error);

	if (r < 0)
		report_error(&error);
	for (size_t i = 0; i < families.count; i++)
		printf("%s\n", oclmm_shown(families.names[i]).text);
	suite_families_finish(&families);
	return r < 0 ? OPTIONS_ERROR : OPTIONS_HELP;
}

int narrow_family(const char *option, const char *name, void *target)
{
	struct narrow *narrow = target;

	if (strcmp(name, "list") == 0)
		return print_families();
	return option_append(option, name, narrow->families, &narrow->family_count, NARROW_NAMES);
}

static int print_features(void)
{
	for (int i = 0; i < TEST_FEATURE_COUNT; i++)
		printf("%-22s %s\n", test_feature_word((enum test_feature)i),
		       test_feature_meaning((enum test_feature)i));
	return OPTIONS_HELP;
}

int narrow_feature(const char *option, const char *word, void *target)
{
	struct narrow *narrow = target;
	const char *words[TEST_FEATURE_COUNT];

	if (strcmp(word, "list") == 0)
		return print_features();
	for (int i = 0; i < TEST_FEATURE_COUNT; i++) {
		words[i] = test_feature_word((enum test_feature)i);
		if (strcmp(words[i], word) == 0) {
			narrow->features |= UINT64_C(1) << i;
			return 0;
		}
	}
	return refuse(option, word, words, OCLMM_COUNT(words));
}

/* The suite's list. Returns 0 or OPTIONS_ERROR, which stands for status 2 as well. */
static int read_bugs(struct bugs *bugs)
{
	struct oclmm_error error = {0};
	char *folder = suite_folder(&error);
	int r = folder ? bugs_read(bugs, folder, &error) : -1;

	free(folder);
	if (r == 0)
		return 0;
	report_error(&error);
	return OPTIONS_ERROR;
}

static int print_bugs(void)
{
	struct bugs bugs = {0};
	int r = read_bugs(&bugs);

	for (size_t i = 0; r == 0 && i < bugs.count; i++) {
		struct oclmm_text text = {0};

		oclmm_text_printf(&text, "%s: %s", bugs.bugs[i].where, bugs.bugs[i].what);
		cli_print_row(bugs.bugs[i].name, 23, oclmm_text_string(&text));
		oclmm_text_finish(&text);
	}
	bugs_finish(&bugs);
	return r ? r : OPTIONS_HELP;
}

int narrow_bug(const char *option, const char *name, void *target)
{
	struct narrow *narrow = target;

	if (strcmp(name, "list") == 0)
		return print_bugs();
	return option_append(option, name, narrow->bugs, &narrow->bug_count, NARROW_NAMES);
}

bool narrow_any(const struct narrow *narrow)
{
	return narrow->family_count || narrow->bug_count || narrow->features;
}

/* ---- the selection --------------------------------------------------- */

static void keep(struct selection *selection,
                 bool (*fits)(const struct chosen *chosen, const void *data), const void *data)
{
	size_t kept = 0;

	for (size_t i = 0; i < selection->count; i++) {
		if (fits(&selection->chosen[i], data))
			selection->chosen[kept++] = selection->chosen[i];
	}
	selection->count = kept;
}

static bool fits_family(const struct chosen *chosen, const void *data)
{
	const struct narrow *narrow = data;

	return oclmm_is_among(chosen->file->family, narrow->families, narrow->family_count);
}

/* A family that nobody chose anything of is still one; a name that is no folder's is refused. */
static int apply_families(const struct narrow *narrow, struct selection *selection)
{
	struct suite_families families;
	struct oclmm_error error = {0};
	int status = 0;

	if (suite_families_list(&families, &error) < 0)
		return report_error(&error);
	for (size_t i = 0; i < narrow->family_count && status == 0; i++) {
		const char *const *names = (const char *const *)families.names;

		if (!oclmm_is_among(narrow->families[i], names, families.count))
			status = refuse("family", narrow->families[i], names, families.count);
	}
	suite_families_finish(&families);
	if (status)
		return OCLMM_EXIT_USAGE;
	keep(selection, fits_family, narrow);
	return 0;
}

static bool fits_features(const struct chosen *chosen, const void *data)
{
	const struct narrow *narrow = data;

	return (test_features(chosen->variant->program) & narrow->features) == narrow->features;
}

struct wanted_bugs {
	const struct bug *bugs[NARROW_NAMES];
	size_t count;
};

static bool fits_bugs(const struct chosen *chosen, const void *data)
{
	const struct wanted_bugs *wanted = data;

	for (size_t i = 0; i < wanted->count; i++) {
		if (bug_has_test(wanted->bugs[i], chosen->variant->name))
			return true;
	}
	return false;
}

static int find_bugs(const struct narrow *narrow, const struct bugs *bugs,
                     struct wanted_bugs *wanted)
{
	for (size_t i = 0; i < narrow->bug_count; i++) {
		const struct bug *bug = bugs_find(bugs, narrow->bugs[i]);
		const char **names;

		if (bug) {
			wanted->bugs[wanted->count++] = bug;
			continue;
		}
		names = oclmm_calloc(bugs->count + 1, sizeof(*names));
		for (size_t k = 0; k < bugs->count; k++)
			names[k] = bugs->bugs[k].name;
		refuse("bug", narrow->bugs[i], names, bugs->count);
		free(names);
		return OCLMM_EXIT_USAGE;
	}
	return 0;
}

static int apply_bugs(const struct narrow *narrow, struct selection *selection)
{
	struct wanted_bugs wanted = {0};
	struct bugs bugs = {0};
	int status = read_bugs(&bugs) ? OCLMM_EXIT_USAGE : 0;

	if (status == 0)
		status = find_bugs(narrow, &bugs, &wanted);
	if (status == 0) {
		keep(selection, fits_bugs, &wanted);
		selection_add_controls(selection);
	}
	bugs_finish(&bugs);
	return status;
}

int narrow_apply(const struct narrow *narrow, struct selection *selection)
{
	int status = 0;

	if (!narrow_any(narrow))
		return 0;
	if (narrow->bug_count)
		status = apply_bugs(narrow, selection);
	if (status == 0 && narrow->family_count)
		status = apply_families(narrow, selection);
	if (status == 0 && narrow->features)
		keep(selection, fits_features, narrow);
	if (status || selection->count)
		return status;
	fputs("oclmm: no test fits all that was asked for\n", stderr);
	return OCLMM_EXIT_NOTHING;
}
