// SPDX-License-Identifier: Apache-2.0
/*
 * litmus/bugs: each test of each bug stands for variants that exist, one at
 * least of a bug's tests forbids something or is undefined (then the bug was in
 * the program, not in the implementation); and the reader of the file refuses
 * what is wrong in it, and knows what a name stands for.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "folder.h"
#include "oclmm/model.h"
#include "select/narrow.h"

enum { MAX_NAMES = 16384 };

struct suite {
	char *names[MAX_NAMES];
	bool tells[MAX_NAMES]; /* forbidden or undefined */
	size_t count;
};

static void note_file(const struct oclmm_litmus *litmus, void *data)
{
	struct suite *suite = data;

	for (uint32_t i = 0; i < litmus->variant_count && suite->count < MAX_NAMES; i++) {
		struct oclmm_error error = {0};
		struct oclmm_answer *answer;
		enum oclmm_observation o;

		if (oclmm_check(litmus->variants[i].program, NULL, &error, &answer) < 0)
			continue;
		o = oclmm_answer_observation(answer, OCLMM_MODEL_CONSENSUS);
		suite->tells[suite->count] = o == OCLMM_OBSERVATION_NEVER ||
		                             o == OCLMM_OBSERVATION_UNDEFINED ||
		                             o == OCLMM_OBSERVATION_DISPUTED;
		suite->names[suite->count++] = oclmm_strdup(litmus->variants[i].name);
		oclmm_answer_destroy(answer);
	}
}

static void check_bug(const struct bug *bug, const struct suite *suite)
{
	char *tests = oclmm_strdup(bug->tests), *rest;
	bool tells = false;

	for (char *test = strtok_r(tests, " ", &rest); test; test = strtok_r(NULL, " ", &rest)) {
		struct bug one = {.tests = test};
		size_t found = 0;

		for (size_t i = 0; i < suite->count; i++) {
			if (bug_has_test(&one, suite->names[i])) {
				found++;
				tells |= suite->tells[i];
			}
		}
		if (!found)
			complain(bug->name, "there is no test %s", test);
	}
	if (!tells)
		complain(bug->name, "none of its tests forbids anything");
	free(tests);
}

static void check_names(void)
{
	static const struct {
		const char *test, *variant;
		bool stands;
	} cases[] = {
		{"CoRR", "CoRR", true},
		{"CoRR", "CoRR.order=sc", true},
		{"CoRR", "CoRR4", false},
		{"CoRR", "CoRR4.order=sc", false},
		{"CoRR", "MP+CoRR", false},
		{"Z6.0+rlx", "Z6.0+rlx.order=sc", true},
		{"Z6", "Z6.0+rlx.order=sc", false},
		{"SB.order=rlx", "SB.order=rlx", true},
		{"SB.order=rlx", "SB.write=xchg.order=rlx.place=wg00", true},
		{"SB.order=rlx", "SB.order=rlx-rlx", false},
		{"SB.order=rlx", "SB", false},
		{"SB.order=rlx.place=wg00", "SB.order=rlx.scope=wg.place=wg00", true},
		{"SB.order=rlx.place=wg00", "SB.order=rlx", false},
		{"SB MP", "MP.order=rlx", true},
	};

	for (size_t i = 0; i < OCLMM_COUNT(cases); i++) {
		struct bug bug = {.tests = cases[i].test};

		if (bug_has_test(&bug, cases[i].variant) != cases[i].stands)
			complain(cases[i].test, "%s %s",
			         cases[i].stands ? "should stand for" : "stands for",
			         cases[i].variant);
	}
}

/* Reads a text as the file `bugs` of a folder of its own. */
static int read_text(const char *text, struct bugs *bugs, struct oclmm_error *error)
{
	char folder[] = "/tmp/oclmm-bugs-XXXXXX", path[64];
	FILE *file;
	int r = -errno;

	if (!mkdtemp(folder))
		return r;
	snprintf(path, sizeof(path), "%s/bugs", folder);
	file = fopen(path, "w");
	if (file) {
		fputs(text, file);
		fclose(file);
	}
	r = bugs_read(bugs, folder, error);
	unlink(path);
	rmdir(folder);
	return r;
}

static void check_refusals(void)
{
	static const struct {
		const char *text;
		uint32_t line;
		const char *part;
	} cases[] = {
		{"bug a\nwhere b\nwhat c\n", 1, "one is missing"},
		{"bug a\nwhere b\nwhat c\ntests d\n\nbug b\ntests e\n", 6, "one is missing"},
		{"where b\n", 1, "begins with"},
		{"bug a\nwhen b\n", 2, "begins with"},
		{"bug a\nwhat b\nwhat c\n", 3, "two lines"},
		{"bug a\nwhat\n", 2, "nothing follows"},
		{"bug a\nwhere b\nwhat c\ntests d\nbug a\n", 5, "twice"},
	};
	struct bugs bugs;
	struct oclmm_error error = {0};

	for (size_t i = 0; i < OCLMM_COUNT(cases); i++) {
		if (read_text(cases[i].text, &bugs, &error) != -EINVAL)
			complain(cases[i].text, "is accepted");
		else if (error.position.line != cases[i].line ||
		         !strstr(error.message, cases[i].part))
			complain(cases[i].text, "line %u: %s", error.position.line, error.message);
		bugs_finish(&bugs);
	}
	if (read_text("# none\n\nbug a\nwhere b\nwhat c d\ntests e f\n", &bugs, &error) < 0 ||
	    bugs.count != 1 || strcmp(bugs.bugs[0].what, "c d") != 0 || !bugs_find(&bugs, "a") ||
	    bugs_find(&bugs, "b"))
		complain("a right file", "is not read as it should be");
	bugs_finish(&bugs);
}

int main(int argc, char **argv)
{
	static struct suite suite;
	struct oclmm_error error = {0};
	struct bugs bugs;

	if (argc != 2)
		return 2;
	check_names();
	check_refusals();
	visit_folder(argv[1], note_file, &suite);
	if (bugs_read(&bugs, argv[1], &error) < 0)
		complain(argv[1], "%s", error.message);
	for (size_t i = 0; i < bugs.count; i++)
		check_bug(&bugs.bugs[i], &suite);
	if (bugs.count < 15)
		complain(argv[1], "only %zu bugs are listed", bugs.count);
	bugs_finish(&bugs);
	for (size_t i = 0; i < suite.count; i++)
		free(suite.names[i]);
	return complaints != 0;
}
