// SPDX-License-Identifier: Apache-2.0
/*
 * Derives the moved controls of every test of the suite and holds them against
 * the oracle: what interleaving reaches in the changed program, no reading of
 * the text may forbid there. Prints how many tests have some, and which have none.
 *
 * usage: suite LITMUS-FOLDER [list]
 */
#include <glob.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "oclmm/control.h"
#include "oclmm/syntax.h"

struct totals {
	uint64_t tests, with, programs, steps[OCLMM_STEP_COUNT];
	uint64_t wrong;
	bool list;
};

static void complain(struct totals *totals, const char *name, const char *what)
{
	printf("%s: %s\n", name, what);
	totals->wrong++;
}

/*
 * Whether the oracle allows one of the outcomes that the test forbids, or sees a race. Arithmetic
 * without a defined value is none of a compiler's steps: what a device makes of it is foreseen by
 * nobody, and would be no evidence.
 */
static bool oracle_agrees(const struct oclmm_program *moved, const struct oclmm_expected *expected)
{
	const struct oclmm_check_options options = {0};
	struct oclmm_answer *answer;
	struct oclmm_error error;
	bool agrees = false;

	if (oclmm_check(moved, &options, &error, &answer) < 0)
		return false;
	agrees = answer->undefined[OCLMM_MODEL_CONSENSUS] &&
	         answer->witness[OCLMM_MODEL_CONSENSUS].reason < OCLMM_UNDEFINED_OVERFLOW;
	for (uint32_t i = 0; i < answer->state_count && !agrees; i++)
		agrees = answer->states[i].status[OCLMM_MODEL_CONSENSUS] == OCLMM_STATUS_ALLOWED &&
		         oclmm_expected_status(expected, answer->states[i].values, NULL) ==
		                 OCLMM_STATUS_FORBIDDEN;
	oclmm_answer_destroy(answer);
	return agrees;
}

/* Statements with those of branches and loops behind them. */
static void list(struct oclmm_text *text, const struct oclmm_program *program, uint32_t thread,
                 const struct oclmm_statement *first)
{
	for (const struct oclmm_statement *s = first; s; s = s->next) {
		struct oclmm_statement copy = *s;
		struct oclmm_parts parts;

		oclmm_statement_print(text, program, thread, s);
		oclmm_statement_parts(&copy, &parts);
		for (unsigned i = 0; i < parts.body_count; i++) {
			oclmm_text_add(text, "{");
			list(text, program, thread, *parts.bodies[i]);
			oclmm_text_add(text, "}");
		}
	}
}

static uint32_t changed_threads(const struct oclmm_program *a, const struct oclmm_program *b)
{
	uint32_t changed = 0;

	for (uint32_t t = 0; t < a->thread_count; t++) {
		struct oclmm_text x = {0}, y = {0};

		list(&x, a, t, a->threads[t].body);
		list(&y, b, t, b->threads[t].body);
		changed += strcmp(oclmm_text_string(&x), oclmm_text_string(&y)) != 0;
		oclmm_text_finish(&x);
		oclmm_text_finish(&y);
	}
	return changed;
}

static bool is_legal(const struct oclmm_program *program)
{
	struct oclmm_litmus *litmus = NULL;
	struct oclmm_error error;
	struct oclmm_text text = {0};
	int r;

	oclmm_program_print(&text, program);
	r = oclmm_litmus_parse("moved", oclmm_text_string(&text), text.length, NULL, &error,
	                       &litmus);
	if (r < 0)
		printf("%s\n%s", error.message, oclmm_text_string(&text));
	oclmm_text_finish(&text);
	oclmm_litmus_destroy(litmus);
	return r == 0;
}

/* A text that work-items share was read anew. */
static bool same_observables(const struct oclmm_program *a, const struct oclmm_program *b)
{
	bool same = a->observable_count == b->observable_count;

	for (uint32_t i = 0; same && i < a->observable_count; i++)
		same = strcmp(a->observables[i].name, b->observables[i].name) == 0;
	return same && (a->shared || a->observables == b->observables);
}

static void check_moved(struct totals *totals, const struct oclmm_program *program,
                        const struct oclmm_expected *expected, const struct oclmm_moved *moved)
{
	const char *name = moved->program->name;

	totals->programs++;
	totals->steps[moved->step]++;
	if (totals->list)
		printf("  %s\n", name);
	if (!oracle_agrees(moved->program, expected))
		complain(totals, name, "the oracle forbids it");
	if (program->shared) {
		if (strcmp(moved->program->shared->body, program->shared->body) == 0)
			complain(totals, name, "its text is not changed");
	} else if ((changed_threads(program, moved->program) > 1) !=
	           (moved->step == OCLMM_STEP_EVERYWHERE))
		complain(totals, name, "another number of threads is changed");
	if (!is_legal(moved->program))
		complain(totals, name, "is not legal");
	if (!same_observables(moved->program, program))
		complain(totals, name, "observes something else");
}

/* Where few are wanted, they are the first of all; of one it is what all threads do, if there is
 * such a control. */
static void check_few(struct totals *totals, const struct oclmm_program *program,
                      const struct oclmm_expected *expected, const struct oclmm_controls *all)
{
	for (uint32_t limit = 1; limit <= 2; limit++) {
		uint32_t count = all->count < limit ? all->count : limit;
		struct oclmm_controls *few;

		if (oclmm_controls_derive(program, expected, limit, &few) < 0) {
			complain(totals, program->name, "has no controls where few are wanted");
			continue;
		}
		if (few->count != count)
			complain(totals, program->name, "has another number of few controls");
		for (uint32_t i = 0; i < few->count && i < count; i++) {
			bool everywhere = limit == 1 && all->count > 1 &&
			                  all->moved[1].step == OCLMM_STEP_EVERYWHERE;

			if (few->moved[i].program->hash !=
			            all->moved[everywhere ? 1 : i].program->hash ||
			    strcmp(few->moved[i].name, all->moved[everywhere ? 1 : i].name) != 0)
				complain(totals, few->moved[i].name, "is not the first of all");
		}
		oclmm_controls_destroy(few);
	}
}

static void check_test(struct totals *totals, const struct oclmm_program *program)
{
	const struct oclmm_check_options options = {0};
	struct oclmm_expected_file *file = oclmm_expected_create("");
	struct oclmm_controls *controls = NULL;
	struct oclmm_answer *answer;
	struct oclmm_error error;

	if (oclmm_check(program, &options, &error, &answer) < 0) {
		complain(totals, program->name, "the oracle does not answer");
	} else {
		oclmm_expected_add(file, answer, OCLMM_MODEL_CONSENSUS);
		oclmm_answer_destroy(answer);
		if (oclmm_controls_derive(program, oclmm_expected_at(file, 0), 0, &controls) == 0) {
			totals->tests++;
			totals->with += controls->count > 0;
			if (!controls->count || totals->list)
				printf("%s: %u of %u steps\n", program->name, controls->count,
				       controls->tried);
			/* of a text that work-items share, fewer steps are tried in order */
			if (!program->shared)
				check_few(totals, program, oclmm_expected_at(file, 0), controls);
		}
	}
	for (uint32_t i = 0; controls && i < controls->count; i++)
		check_moved(totals, program, oclmm_expected_at(file, 0), &controls->moved[i]);
	oclmm_controls_destroy(controls);
	oclmm_expected_destroy(file);
}

enum { STRIDE = 11 };

static void check_file(struct totals *totals, const char *path)
{
	struct oclmm_litmus *litmus;
	struct oclmm_error error;

	if (oclmm_litmus_read(path, NULL, &error, &litmus) < 0) {
		complain(totals, path, error.message);
		return;
	}
	/* of a text that work-items share, variants have the same steps: some of them will do */
	for (uint32_t i = 0; i < litmus->variant_count;
	     i += litmus->variants[i].program->shared ? STRIDE : 1)
		check_test(totals, litmus->variants[i].program);
	oclmm_litmus_destroy(litmus);
}

int main(int argc, char **argv)
{
	struct totals totals = {.list = argc > 2};
	char pattern[4096];
	glob_t files;

	snprintf(pattern, sizeof(pattern), "%s/*/*.litmus", argc > 1 ? argv[1] : ".");
	if (glob(pattern, 0, NULL, &files) != 0)
		return 1;
	for (size_t i = 0; i < files.gl_pathc; i++)
		check_file(&totals, files.gl_pathv[i]);
	globfree(&files);
	printf("%" PRIu64 " of %" PRIu64
	       " tests that forbid something have moved controls, %" PRIu64 " in all\n",
	       totals.with, totals.tests, totals.programs);
	for (int i = 0; i < OCLMM_STEP_COUNT; i++)
		printf("  %-10s %6" PRIu64 "\n", oclmm_step_word((enum oclmm_moved_step)i),
		       totals.steps[i]);
	return totals.wrong || !totals.tests;
}
