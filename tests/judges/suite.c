// SPDX-License-Identifier: Apache-2.0
/*
 * The litmus files before the judges.
 *
 *     judge_suite FOLDER MAP...          no forbidden state is shown
 *     judge_suite FOLDER --one-in N MAP...    the same of each file's first variant, and of one
 *                                        in N of the others
 *     judge_suite FOLDER --rows FILE MAP...
 *
 * A line of FILE is `VARIANT : NAME…`: exactly these judges show a state that
 * satisfies the variant's condition. `#` begins a comment.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../suite/folder.h"
#include "trial.h"

struct row {
	char variant[128], judges[512];
	bool met;
};

struct session {
	struct trial trial;
	struct trial_counts counts;
	unsigned long one_in;
	struct row *rows;
	size_t row_count, row_capacity;
};

/* ---- nothing forbidden ----------------------------------------------- */

static void hold_file(const struct oclmm_litmus *litmus, void *data)
{
	struct session *session = data;

	/* processors know threads, and no commands between them; and where many relaxed updates of
	 * one object differ in their operands alone, one order is as good as another */
	if (oclmm_program_has_commands(litmus->variants[0].program) ||
	    strstr(litmus->path, "/values/") != NULL)
		return;
	for (uint32_t i = 0; i < litmus->variant_count; i++) {
		struct oclmm_text text = {0};

		if (!is_sampled(litmus, i, session->one_in))
			continue;
		/* nor copies that a group makes together, nor kernels that are enqueued; of images
		 * no machine's model speaks */
		if (oclmm_program_has_copies(litmus->variants[i].program) ||
		    oclmm_program_has_children(litmus->variants[i].program) ||
		    oclmm_program_has_images(litmus->variants[i].program) ||
		    has_given_values(litmus->variants[i].program))
			continue;
		if (trial_hold(&session->trial, litmus->variants[i].program, &session->counts,
		               &text) == TRIAL_SHOWN)
			complain(litmus->path, "%s", oclmm_text_string(&text));
		oclmm_text_finish(&text);
	}
}

/* ---- rows ------------------------------------------------------------ */

static bool satisfies(const int64_t *values, void *data)
{
	const struct oclmm_program *program = data;

	return oclmm_condition_holds(program, program->condition, values);
}

static void check_row(struct session *session, struct row *row, const struct oclmm_program *program)
{
	struct trial_findings findings;
	char shown[512] = "";

	row->met = true;
	if (trial_ask(&session->trial, program, satisfies, (void *)(uintptr_t)program, &findings) !=
	    0) {
		complain(row->variant, "too large");
		return;
	}
	for (unsigned i = 0; i < session->trial.count; i++)
		if (findings.shown[i]) {
			strcat(shown, " ");
			strcat(shown, judge_name(session->trial.judges[i]));
		}
	if (strcmp(shown, row->judges) != 0)
		complain(row->variant, "shown by%s, the table says%s", shown, row->judges);
}

static void check_rows(const struct oclmm_litmus *litmus, void *data)
{
	struct session *session = data;

	for (uint32_t i = 0; i < litmus->variant_count; i++)
		for (size_t r = 0; r < session->row_count; r++)
			if (strcmp(litmus->variants[i].name, session->rows[r].variant) == 0)
				check_row(session, &session->rows[r], litmus->variants[i].program);
}

static bool read_rows(struct session *session, const char *path)
{
	char *text, *rest = NULL;
	size_t length;

	if (oclmm_read_file(path, &text, &length) != 0) {
		fprintf(stderr, "cannot read %s\n", path);
		return false;
	}
	for (char *line = strtok_r(text, "\n", &rest); line != NULL;
	     line = strtok_r(NULL, "\n", &rest)) {
		struct row row = {0};

		if (*line == '#')
			continue;
		if (sscanf(line, "%127s :%511[^\n]", row.variant, row.judges) < 1) {
			fprintf(stderr, "%s: cannot read: %s\n", path, line);
			free(text);
			return false;
		}
		oclmm_grow(&session->rows, &session->row_capacity, session->row_count,
		           sizeof(*session->rows));
		session->rows[session->row_count++] = row;
	}
	free(text);
	return true;
}

static void hold_rows(struct session *session, const char *folder)
{
	visit_folder(folder, check_rows, session);
	for (size_t r = 0; r < session->row_count; r++)
		if (!session->rows[r].met)
			complain(session->rows[r].variant, "no such variant");
	free(session->rows);
}

int main(int argc, char **argv)
{
	struct session session = {.trial = {.limit = 100000}, .one_in = 1};
	bool rows = argc > 3 && strcmp(argv[2], "--rows") == 0;
	bool some = argc > 3 && strcmp(argv[2], "--one-in") == 0;
	int first = rows || some ? 4 : 2;

	if (some)
		session.one_in = strtoul(argv[3], NULL, 10);
	if (argc <= first || session.one_in == 0) {
		fputs("usage: judge_suite FOLDER [--rows FILE | --one-in N] MAP...\n", stderr);
		return 2;
	}
	if (!trial_open(&session.trial, argv + first, argc - first, NULL) ||
	    (rows && !read_rows(&session, argv[3])))
		return 1;
	if (rows) {
		hold_rows(&session, argv[1]);
	} else {
		visit_folder(argv[1], hold_file, &session);
		trial_print(&session.counts);
	}
	trial_close(&session.trial);
	return complaints > 0;
}
