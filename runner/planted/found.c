// SPDX-License-Identifier: Apache-2.0
/* What found such a bug before, and whether what a test shows is the bug. */
#include "found.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "select/suite.h"

/* The number of the test of that name; SIZE_MAX: none is chosen. */
static size_t find_test(const struct planted *planted, const char *name)
{
	for (size_t i = 0; i < planted->selection.count; i++)
		if (strcmp(planted->selection.chosen[i].variant->name, name) == 0)
			return i;
	return SIZE_MAX;
}

static void add_finding(struct planted *planted, enum plant_bug bug, const char *name)
{
	size_t test = find_test(planted, name);

	if (test == SIZE_MAX)
		return;
	oclmm_grow(&planted->findings, &planted->finding_capacity, planted->finding_count,
	           sizeof(*planted->findings));
	planted->findings[planted->finding_count++] = (struct finding){bug, test};
}

bool has_found(const struct planted *planted, enum plant_bug bug, size_t test)
{
	for (size_t i = 0; i < planted->finding_count; i++)
		if (planted->findings[i].bug == bug && planted->findings[i].test == test)
			return true;
	return false;
}

/* A line of litmus/planted/found, or of litmus/planted/first, which runs read, too
 * (run/schedule.c): TEST PLANT... */
static void take_findings(struct planted *planted, char *line)
{
	char *save, *test, *word;

	line[strcspn(line, "#")] = '\0';
	test = strtok_r(line, " \t\r", &save);
	while (test && (word = strtok_r(NULL, " \t\r", &save)))
		for (int bug = 0; bug < PLANT_COUNT; bug++)
			if (strcmp(plant_descriptions[bug].name, word) == 0)
				add_finding(planted, (enum plant_bug)bug, test);
}

/* A list of the suite, which it may lack. */
static void read_findings(struct planted *planted, const char *folder, const char *name)
{
	struct oclmm_error error = {0};
	struct oclmm_text path = {0};
	struct oclmm_lines lines;
	char *text = NULL;
	size_t length;

	oclmm_text_printf(&path, "%s/planted/%s", folder, name);
	if (access(oclmm_text_string(&path), F_OK) == 0 &&
	    oclmm_read_text(oclmm_text_string(&path), &error, &text, &length) == 0) {
		oclmm_lines_begin(&lines, oclmm_text_string(&path), text, length);
		while (oclmm_lines_next(&lines))
			take_findings(planted, oclmm_lines_cut(&lines, text));
	}
	free(text);
	oclmm_text_finish(&path);
}

void findings_read(struct planted *planted)
{
	struct oclmm_error error = {0};
	char *folder = suite_folder(&error);

	if (folder) {
		read_findings(planted, folder, "first");
		read_findings(planted, folder, "found");
	}
	for (size_t i = 0; i < planted->saved.count; i++) {
		const struct plant_outcome *outcome = &planted->saved.outcomes[i];

		for (size_t k = 0; k < outcome->kills.count; k++)
			add_finding(planted, outcome->plant.bug, outcome->kills.items[k].test);
	}
	free(folder);
}

/*
 * What a test does under a plant says something of it where the test, by itself and in launches of
 * the same sizes, does not do the same without one: show something forbidden, or not end.
 */
enum alike { SHOWS, DOES_NOT_END };
static bool does_so_unplanted(struct planted *planted, const struct plant *plant, const char *name,
                              enum alike what)
{
	struct plant_outcome unplanted = {.choice = "none"};
	struct trial alone = {.planted = planted, .outcome = &unplanted};
	char sizes[SIZES_SIZE];
	size_t number = find_test(planted, name);
	struct concerned *test;
	bool *sound;

	if (number == SIZE_MAX)
		return false;
	test = &planted->tests[number];
	sound = what == SHOWS ? &test->clean : &test->ends;
	if (*sound && !*sizes_of(plant, sizes))
		return false;
	trial_run_alone(&alone, number, plant);
	test->clean = unplanted.kills.count == 0;
	test->ends = unplanted.broken == 0;
	plant_outcome_finish(&unplanted);
	test->left_out = !*sound;
	return !*sound;
}

static void check_broken(struct trial *trial)
{
	struct plant_outcome *outcome = trial->outcome;

	for (size_t i = 0; i < outcome->broken_count;) {
		const char *name = outcome->broken_tests[i].name;

		if (outcome->broken_tests[i].checked ||
		    !does_so_unplanted(trial->planted, &outcome->plant, name, DOES_NOT_END)) {
			outcome->broken_tests[i++].checked = true;
			continue;
		}
		fprintf(stderr, "oclmm: %s could not be run to the end without a plant: left out\n",
		        name);
		plant_outcome_leave_out_broken(outcome, i);
	}
}

void check_tests(struct trial *trial, size_t from)
{
	struct plant_outcome *outcome = trial->outcome;
	double began = oclmm_clock();
	size_t kept = from;

	if (!is_one_by_one(trial->planted))
		return;
	for (size_t i = from; i < outcome->kills.count; i++) {
		struct kill kill = outcome->kills.items[i];

		if (!does_so_unplanted(trial->planted, &outcome->plant, kill.test, SHOWS)) {
			add_finding(trial->planted, outcome->plant.bug, kill.test);
			outcome->kills.items[kept++] = kill;
			continue;
		}
		fprintf(stderr, "oclmm: %s showed something forbidden without a plant: left out\n",
		        kill.test);
		free(kill.test);
	}
	outcome->kills.count = kept;
	if (kept == 0)
		check_broken(trial);
	trial->started += oclmm_clock() - began;
}

double sureness(const struct trial *trial, size_t test)
{
	return trial->shares[test] +
	       (has_found(trial->planted, trial->outcome->plant.bug, test) ? 1 : 0);
}
