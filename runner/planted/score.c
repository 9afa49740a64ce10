// SPDX-License-Identifier: Apache-2.0
/* Every plant in its turn, and the matrix that comes of it. */
#include "score.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "drawn_plant.h"
#include "listed_plant.h"
#include "oclmm/grade.h"
#include "process/process.h"
#include "quiet.h"

/* What it comes to so far. */
struct scoring {
	struct planted *planted;
	struct plant_score score;
	size_t left;  /* plants that the budget did not suffice for */
	bool unclean; /* tests of the run without a plant could not be run, nor left out */
	bool missed;  /* a plant that had to be killed was not */
};

/*
 * The driver as it is, in one run of all tests; fills the header's device.
 * Returns 0, or the status to leave with: nothing could be run at all.
 */
static int run_none(struct planted *planted, struct plant_outcome *outcome)
{
	struct trial trial = {.planted = planted, .outcome = outcome};
	int status = is_one_by_one(planted) ? trial_run_alone(&trial, 0, &outcome->plant)
	                                    : trial_run_named(&trial, planted->options.seed, 0);

	if (status == 0 && !outcome->loaded) {
		options_error(planted->command,
		              "nothing passed through %s: it is not the layer that plants bugs",
		              planted->layer);
		status = OCLMM_EXIT_INFRASTRUCTURE;
	}
	plant_outcome_judge(outcome);
	return status;
}

/* One plant, until it is killed or its time is over. */
static void run_plant(struct planted *planted, struct plant_outcome *outcome)
{
	struct trial trial;

	trial_begin(&trial, planted, outcome);
	outcome->equivalent = equivalents_find(&planted->equivalents, &outcome->plant,
	                                       planted->header.device.platform,
	                                       planted->header.device.device,
	                                       planted->machine.machine);
	if (outcome->plant.drawn && !planted->as_named) {
		drawn_try(&trial);
	} else {
		listed_look(&trial);
		if (!outcome->hopeless) {
			listed_run(&trial);
			quiet_ask(&trial);
		}
	}
	plant_outcome_judge(outcome);
	trial_finish(&trial);
}

/*
 * Leaves out the tests that showed something forbidden without a plant: what they show says
 * nothing of one. Returns their number; 0 as well where files were named, which run as a whole.
 */
static size_t leave_out(struct planted *planted, const struct plant_outcome *unplanted)
{
	size_t found = 0;

	for (size_t i = 0; !planted->as_named && i < planted->selection.count; i++) {
		const char *name = planted->selection.chosen[i].variant->name;
		bool shows = false;

		for (size_t k = 0; k < unplanted->kills.count; k++)
			shows |= strcmp(unplanted->kills.items[k].test, name) == 0;
		found += shows;
		planted->tests[i].left_out |= shows;
	}
	return found;
}

/* A compiler that crashes costs its test. Returns how many tests that are. */
static size_t leave_out_broken(struct planted *planted, const struct plant_outcome *unplanted)
{
	size_t found = 0;

	for (size_t i = 0; !planted->as_named && i < planted->selection.count; i++) {
		const char *name = planted->selection.chosen[i].variant->name;
		bool broken = false;

		for (size_t k = 0; k < unplanted->broken_count; k++)
			broken |= strcmp(unplanted->broken_tests[k].name, name) == 0;
		found += broken;
		planted->tests[i].left_out |= broken;
	}
	return found;
}

/* ---- the file --------------------------------------------------------- */

/* Its beginning: what is known before anything is tried. */
static void write_known(struct planted *planted, struct oclmm_text *text)
{
	const struct plant_outcome *saved = matrix_saved_find(&planted->saved, "none");

	oclmm_text_init(text);
	matrix_write_head(text, &planted->header);
	if (saved)
		matrix_write_plant(text, saved);
	for (size_t i = 0; i < planted->saved.loosened_count; i++)
		matrix_write_loosened(text, &planted->saved.loosened[i]);
	for (size_t i = 0; i < planted->options.choice_count; i++) {
		saved = matrix_saved_find(&planted->saved, planted->options.choices[i].text);
		if (saved)
			matrix_write_plant(text, saved);
	}
}

static const char *output_path(const struct planted *planted)
{
	return planted->options.resume ? planted->options.resume : planted->options.output;
}

/* In one step: a matrix that is resumed never has less than it had, whatever ends it. */
static int open_output(struct planted *planted)
{
	const char *path = output_path(planted);
	struct oclmm_text text;
	int r;

	if (!path)
		return 0;
	write_known(planted, &text);
	r = oclmm_write_file(path, oclmm_text_string(&text), text.length);
	oclmm_text_finish(&text);
	if (r == 0)
		planted->output.file = fopen(path, "ae");
	if (planted->output.file)
		return 0;
	options_error(planted->command, "cannot write %s: %s", path, strerror(r < 0 ? -r : errno));
	return OCLMM_EXIT_INFRASTRUCTURE;
}

/* Returns the status, or that of a file that could not be written. */
static int close_output(struct planted *planted, int status)
{
	struct matrix_output *output = &planted->output;

	if (output->file && fclose(output->file) != 0 && !output->failed)
		output->failed = errno;
	output->file = NULL;
	if (!output->failed)
		return status;
	options_error(planted->command, "cannot write %s: %s", output_path(planted),
	              strerror(output->failed));
	return OCLMM_EXIT_INFRASTRUCTURE;
}

/* ---- the matrix ------------------------------------------------------ */

/* Writes what a function wrote as text. */
static void emit(struct oclmm_text *text)
{
	fputs(oclmm_text_string(text), stdout);
	fflush(stdout);
	oclmm_text_finish(text);
}

/* Whether the file has it already. */
static bool is_saved(const struct planted *planted, const struct plant_outcome *outcome)
{
	const struct matrix_saved *saved = &planted->saved;

	for (size_t i = 0; i < saved->count; i++) {
		if (outcome == &saved->outcomes[i])
			return true;
	}
	return false;
}

static enum matrix_form form_of(const struct planted *planted)
{
	return planted->options.json ? MATRIX_JSON : MATRIX_TEXT;
}

static void tell_plant(struct planted *planted, const struct plant_outcome *outcome)
{
	struct oclmm_text text;

	oclmm_text_init(&text);
	matrix_plant(&text, form_of(planted), outcome);
	emit(&text);
	if (is_saved(planted, outcome))
		return;
	oclmm_text_init(&text);
	matrix_write_plant(&text, outcome);
	matrix_output_add(&planted->output, &text);
}

static void tell_head(const struct planted *planted)
{
	struct oclmm_text text = {0};

	matrix_head(&text, form_of(planted), &planted->header);
	emit(&text);
}

static void tell_score(const struct scoring *scoring, int status)
{
	struct planted *planted = scoring->planted;
	struct oclmm_text text;

	oclmm_text_init(&text);
	matrix_score(&text, form_of(planted), &scoring->score, status);
	emit(&text);
	oclmm_text_init(&text);
	matrix_write_score(&text, &scoring->score, status);
	matrix_output_add(&planted->output, &text);
}

static void count(struct scoring *scoring, const struct plant_outcome *outcome)
{
	const struct planted *planted = scoring->planted;
	bool killed = plant_outcome_is_kill(outcome);

	plant_score_add(&scoring->score, outcome);
	if (outcome->state == PLANT_CONTRADICTION || outcome->state == PLANT_REFUSED)
		scoring->missed = true;
	if (planted->options.baseline)
		scoring->missed |= planted->in_baseline[outcome->plant.bug] && !killed;
	else
		scoring->missed |= !killed && plant_outcome_is_able(outcome) &&
		                   outcome->state != PLANT_QUIET;
}

static int exit_status(const struct scoring *scoring)
{
	if (process_interrupted || scoring->planted->output.failed)
		return OCLMM_EXIT_INFRASTRUCTURE;
	if (scoring->missed)
		return OCLMM_EXIT_FORBIDDEN;
	if (scoring->left > 0 && !scoring->unclean)
		return OCLMM_EXIT_UNFINISHED;
	return scoring->unclean ? OCLMM_EXIT_INFRASTRUCTURE : OCLMM_EXIT_PASS;
}

/* ---- going on with a matrix -------------------------------------------- */

int score_resume(struct planted *planted)
{
	const char *path = planted->options.resume;
	const struct matrix_header *now = &planted->header, *then = &planted->saved.header;
	const struct plant_outcome *unplanted;
	struct oclmm_error error = {0};

	if (!path || access(path, F_OK) != 0)
		return 0;
	if (matrix_read(path, &error, &planted->saved) < 0)
		return report_error(&error);
	if (now->tests != then->tests || now->seed != then->seed ||
	    now->instances != then->instances || !oclmm_same_string(now->claims, then->claims) ||
	    !oclmm_same_string(now->machine, then->machine))
		return options_error(planted->command,
		                     "%s was begun with other tests, instances, claims or seed, or "
		                     "on another machine",
		                     path);
	unplanted = matrix_saved_find(&planted->saved, "none");
	if (unplanted && unplanted->tests + unplanted->skipped < 2 && now->tests > 1 &&
	    !is_one_by_one(planted))
		return options_error(planted->command,
		                     "%s is of drawn bugs alone: it has no run of all tests "
		                     "without a plant",
		                     path);
	planted->header.device = then->device;
	planted->loosened_lines = planted->saved.loosened_count;
	return 0;
}

/* ---- the run ----------------------------------------------------------- */

static bool is_over(const struct planted *planted)
{
	return process_interrupted || planted->output.failed ||
	       (planted->options.budget > 0 &&
	        oclmm_clock() - planted->started > planted->options.budget);
}

static void run_plants(struct scoring *scoring)
{
	struct planted *planted = scoring->planted;

	for (size_t i = 0; i < planted->options.choice_count; i++) {
		const struct planted_choice *choice = &planted->options.choices[i];
		const struct plant_outcome *saved = matrix_saved_find(&planted->saved,
		                                                      choice->text);
		struct plant_outcome outcome = {.choice = choice->text, .plant = choice->plant};

		if (!saved && is_over(planted)) {
			scoring->left++;
			continue;
		}
		if (!saved)
			run_plant(planted, &outcome);
		/* one that was cut short says nothing */
		if (saved || !process_interrupted) {
			count(scoring, saved ? saved : &outcome);
			tell_plant(planted, saved ? saved : &outcome);
		} else {
			scoring->left++;
		}
		plant_outcome_finish(&outcome);
	}
}

static void run_with(struct scoring *scoring, const struct plant_outcome *unplanted)
{
	struct planted *planted = scoring->planted;
	size_t left_out, broken;

	tell_head(planted);
	tell_plant(planted, unplanted);
	plant_score_add(&scoring->score, unplanted);
	broken = leave_out_broken(planted, unplanted);
	scoring->unclean = unplanted->state == PLANT_NOTICED &&
	                   (broken < unplanted->broken || broken == unplanted->tests);
	if (broken > 0)
		fprintf(stderr, "oclmm: %s could not be run to the end without a plant: left out\n",
		        oclmm_counted(broken, "test").text);
	left_out = leave_out(planted, unplanted);
	if (left_out > 0)
		fprintf(stderr, "oclmm: %s showed something forbidden without a plant: left out\n",
		        oclmm_counted(left_out, "test").text);
	if (left_out == unplanted->kills.count)
		run_plants(scoring);
	else
		options_error(planted->command,
		              "forbidden outcomes without a plant: nothing else is tried");
}

/* The status says where a driver is not clean without a plant, whatever the score. */
int score_run(struct planted *planted)
{
	struct scoring scoring = {.planted = planted};
	const struct plant_outcome *saved = matrix_saved_find(&planted->saved, "none");
	struct plant_outcome unplanted = {.choice = "none"};
	int status = saved ? 0 : run_none(planted, &unplanted);

	if (process_interrupted && !saved) {
		fputs("oclmm planted: interrupted while the tests were run without a plant\n",
		      stderr);
		status = OCLMM_EXIT_INFRASTRUCTURE;
	}
	if (status == 0)
		status = open_output(planted);
	if (status == 0) {
		if (!saved)
			saved = &unplanted;
		run_with(&scoring, saved);
		if (scoring.left > 0)
			fprintf(stderr, "oclmm: %s%s not tried; --resume goes on\n",
			        process_interrupted ? "interrupted: " : "",
			        oclmm_counted(scoring.left, "plant").text);
		status = saved->kills.count ? OCLMM_EXIT_FORBIDDEN : exit_status(&scoring);
		tell_score(&scoring, status);
	}
	plant_outcome_finish(&unplanted);
	plant_score_finish(&scoring.score);
	return close_output(planted, status);
}
