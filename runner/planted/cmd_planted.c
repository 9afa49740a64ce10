// SPDX-License-Identifier: Apache-2.0
/* oclmm planted: breaks the driver on purpose, one bug at a time, and says which tests notice. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands.h"
#include "oclmm/grade.h"
#include "planted.h"
#include "process/process.h"
#include "select/suite.h"

static const double DEFAULT_SECONDS = 64;

/* ---- what is needed -------------------------------------------------- */

static bool use_layer(struct planted *planted, const char *folder, const char *name)
{
	int length = snprintf(planted->layer, sizeof(planted->layer), "%s/%s", folder, name);

	return length > 0 && (size_t)length < sizeof(planted->layer) &&
	       access(planted->layer, R_OK) == 0;
}

/* Where OCLMM_PLANT_LAYER says, beside the program in a build folder, or installed. */
static int find_layer(struct planted *planted)
{
	static const char name[] = "liboclmm-plant.so";
	const char *given = getenv("OCLMM_PLANT_LAYER");
	char folder[PATH_MAX];

	if (!program_path(planted->program))
		return options_error(planted->command, "cannot find out where this program is");
	if (given && *given) {
		if (access(given, R_OK) == 0 && realpath(given, planted->layer))
			return 0;
		return options_error(planted->command,
		                     "OCLMM_PLANT_LAYER is \"%s\", which cannot be read", given);
	}
	snprintf(folder, sizeof(folder), "%s", planted->program);
	*strrchr(folder, '/') = '\0';
	if (use_layer(planted, folder, "plant/liboclmm-plant.so") ||
	    use_layer(planted, OCLMM_LIBRARY_FOLDER, name))
		return 0;
	options_error(planted->command, "cannot find %s, neither in %s/plant nor in %s", name,
	              folder, OCLMM_LIBRARY_FOLDER);
	return OCLMM_EXIT_INFRASTRUCTURE;
}

static int read_equivalents(struct planted *planted)
{
	struct oclmm_error error = {0};
	struct oclmm_text path = {0};
	char *folder = planted->options.equivalents ? NULL : suite_folder(&error);
	int r = 0;

	if (planted->options.equivalents)
		oclmm_text_add(&path, planted->options.equivalents);
	else if (folder)
		oclmm_text_printf(&path, "%s/planted/equivalents", folder);
	/* a suite of one's own need not have the file */
	if (planted->options.equivalents || (folder && access(oclmm_text_string(&path), F_OK) == 0))
		r = equivalents_read(&planted->equivalents, oclmm_text_string(&path), &error);
	if (r < 0)
		report_error(&error);
	oclmm_text_finish(&path);
	free(folder);
	return r < 0 ? OCLMM_EXIT_USAGE : 0;
}

/* The beginning of the file: what is known before anything is tried. */
static void write_known(struct planted *planted, struct oclmm_text *text)
{
	const struct plant_outcome *saved = matrix_saved_find(&planted->saved, "none");

	oclmm_text_init(text);
	matrix_json_head(text, &planted->header);
	if (saved)
		matrix_json_plant(text, saved);
	for (size_t i = 0; i < planted->options.choice_count; i++) {
		saved = matrix_saved_find(&planted->saved, planted->options.choices[i].text);
		if (saved)
			matrix_json_plant(text, saved);
	}
}

/* In one step: one that goes on never has less than it had, whatever ends it. */
static int open_output(struct planted *planted)
{
	const char *path = planted->options.resume ? planted->options.resume
	                                           : planted->options.output;
	struct oclmm_text text;
	int r;

	if (!path)
		return 0;
	write_known(planted, &text);
	r = oclmm_write_file(path, oclmm_text_string(&text), text.length);
	oclmm_text_finish(&text);
	if (r == 0)
		planted->output = fopen(path, "ae");
	if (planted->output)
		return 0;
	options_error(planted->command, "cannot write %s: %s", path, strerror(r < 0 ? -r : errno));
	return OCLMM_EXIT_INFRASTRUCTURE;
}

static void list_plants(void)
{
	for (int i = PLANT_NONE + 1; i < PLANT_COUNT; i++) {
		const struct plant_description *plant = &plant_descriptions[i];
		struct oclmm_text text = {0};

		oclmm_text_printf(&text, "%s; breaks %s; shows: %s", plant->what, plant->rule,
		                  plant->where);
		cli_print_row(plant->name, 20, oclmm_text_string(&text));
		oclmm_text_finish(&text);
	}
}

/* ---- the matrix ------------------------------------------------------ */

/* Writes what a function wrote as text. */
static void emit(struct oclmm_text *text)
{
	fputs(oclmm_text_string(text), stdout);
	fflush(stdout);
	oclmm_text_finish(text);
}

/* The same into the file, until that takes no more. */
static void save(struct planted *planted, struct oclmm_text *text)
{
	errno = 0;
	if (planted->output && !planted->failed &&
	    (fputs(oclmm_text_string(text), planted->output) < 0 || fflush(planted->output) != 0))
		planted->failed = errno ? errno : EIO;
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

static void tell_plant(struct planted *planted, const struct plant_outcome *outcome)
{
	struct oclmm_text text;

	oclmm_text_init(&text);
	if (planted->options.json)
		matrix_json_plant(&text, outcome);
	else
		matrix_plant(&text, outcome);
	emit(&text);
	if (is_saved(planted, outcome))
		return;
	oclmm_text_init(&text);
	matrix_json_plant(&text, outcome);
	save(planted, &text);
}

static void tell_head(const struct planted *planted)
{
	struct oclmm_text text = {0};

	if (planted->options.json)
		matrix_json_head(&text, &planted->header);
	else
		matrix_head(&text, &planted->header);
	emit(&text);
}

static void tell_score(struct planted *planted, int status)
{
	struct oclmm_text text;

	oclmm_text_init(&text);
	if (planted->options.json)
		matrix_json_score(&text, &planted->score, status);
	else
		matrix_score(&text, &planted->score);
	emit(&text);
	oclmm_text_init(&text);
	matrix_json_score(&text, &planted->score, status);
	save(planted, &text);
}

static void count(struct planted *planted, const struct plant_outcome *outcome)
{
	bool killed = plant_outcome_is_kill(outcome);

	plant_score_add(&planted->score, outcome);
	if (outcome->state == PLANT_CONTRADICTION)
		planted->missed = true;
	if (planted->options.baseline)
		planted->missed |= planted->in_baseline[outcome->plant.bug] && !killed;
	else
		planted->missed |= !killed && outcome->state != PLANT_EQUIVALENT &&
		                   outcome->state != PLANT_LACKING;
}

static int exit_status(const struct planted *planted)
{
	if (process_interrupted || planted->failed)
		return OCLMM_EXIT_INFRASTRUCTURE;
	if (planted->missed)
		return OCLMM_EXIT_FORBIDDEN;
	if (planted->left > 0 && !planted->unclean)
		return OCLMM_EXIT_UNFINISHED;
	return planted->unclean ? OCLMM_EXIT_INFRASTRUCTURE : OCLMM_EXIT_PASS;
}

/* ---- going on with a matrix -------------------------------------------- */

static int read_saved(struct planted *planted)
{
	const char *path = planted->options.resume;
	const struct matrix_header *now = &planted->header, *then = &planted->saved.header;
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
	planted->header.device = then->device;
	return 0;
}

/* ---- the run ----------------------------------------------------------- */

static void account(struct planted *planted, const struct plant_outcome *outcome)
{
	count(planted, outcome);
	tell_plant(planted, outcome);
}

static bool is_over(const struct planted *planted)
{
	return process_interrupted || planted->failed ||
	       (planted->options.budget > 0 &&
	        oclmm_clock() - planted->started > planted->options.budget);
}

static void run_plants(struct planted *planted)
{
	for (size_t i = 0; i < planted->options.choice_count; i++) {
		const struct planted_choice *choice = &planted->options.choices[i];
		const struct plant_outcome *saved = matrix_saved_find(&planted->saved,
		                                                      choice->text);
		struct plant_outcome outcome = {.choice = choice->text, .plant = choice->plant};

		if (!saved && is_over(planted)) {
			planted->left++;
			continue;
		}
		if (!saved)
			planted_run_plant(planted, &outcome);
		/* one that was cut short says nothing */
		if (saved || !process_interrupted)
			account(planted, saved ? saved : &outcome);
		else
			planted->left++;
		plant_outcome_finish(&outcome);
	}
}

static void run_with(struct planted *planted, const struct plant_outcome *unplanted)
{
	size_t left_out;

	tell_head(planted);
	tell_plant(planted, unplanted);
	plant_score_add(&planted->score, unplanted);
	planted->unclean = unplanted->state == PLANT_NOTICED;
	left_out = planted_leave_out(planted, unplanted);
	if (left_out > 0)
		fprintf(stderr, "oclmm: %s showed something forbidden without a plant: left out\n",
		        oclmm_counted(left_out, "test").text);
	if (left_out == unplanted->kill_count)
		run_plants(planted);
	else
		options_error(planted->command,
		              "forbidden outcomes without a plant: nothing else is tried");
}

/* A driver that is not clean without a plant is told by the status, whatever the score. */
static int run_matrix(struct planted *planted)
{
	const struct plant_outcome *saved = matrix_saved_find(&planted->saved, "none");
	struct plant_outcome unplanted = {.choice = "none"};
	int status = saved ? 0 : planted_run_none(planted, &unplanted);

	if (status == 0 && process_interrupted)
		status = OCLMM_EXIT_INFRASTRUCTURE;
	if (status == 0)
		status = open_output(planted);
	if (status == 0) {
		if (!saved)
			saved = &unplanted;
		run_with(planted, saved);
		if (planted->left > 0)
			fprintf(stderr, "oclmm: %s not tried; --resume goes on\n",
			        oclmm_counted(planted->left, "plant").text);
		status = saved->kill_count ? OCLMM_EXIT_FORBIDDEN : exit_status(planted);
		tell_score(planted, status);
	}
	plant_outcome_finish(&unplanted);
	return status;
}

static int prepare(struct planted *planted)
{
	struct planted_options *options = &planted->options;
	int status;

	for (int i = 0; i < planted->name_count; i++)
		planted->as_named |= access(planted->names[i], F_OK) == 0;
	if (planted->name_count == 0 && !options->profile)
		options->profile = "default";
	status = options->profile
	                 ? selection_make_profile(&planted->selection, options->profile)
	                 : selection_make(&planted->selection, planted->names, planted->name_count);
	if (status == 0)
		status = read_equivalents(planted);
	if (status == 0)
		status = planted_read_baseline(planted);
	if (status == 0 && !options->able)
		status = find_layer(planted);
	uname(&planted->machine);
	planted_options_complete(options);
	planted->header = (struct matrix_header){
		.tool = "oclmm " OCLMM_VERSION,
		.machine = planted->machine.machine,
		.profile = options->profile,
		.claims = options->claims,
		.seed = options->seed,
		.instances = options->instance_count,
		.seconds = options->seconds,
		.tests = planted->selection.count,
		.plants = options->choice_count,
		.all = options->all,
	};
	if (status == 0)
		planted_prepare_tests(planted);
	return status == 0 ? read_saved(planted) : status;
}

static int finish(struct planted *planted, int status)
{
	for (size_t i = 0; planted->tests && i < planted->selection.count; i++)
		concerned_finish(&planted->tests[i]);
	free(planted->tests);
	selection_finish(&planted->selection);
	matrix_saved_finish(&planted->saved);
	planted_options_finish(&planted->options);
	equivalents_finish(&planted->equivalents);
	if (!planted->output)
		return status;
	if (fclose(planted->output) != 0 && !planted->failed)
		planted->failed = errno;
	if (!planted->failed)
		return status;
	options_error(planted->command, "cannot write %s: %s",
	              planted->options.resume ? planted->options.resume : planted->options.output,
	              strerror(planted->failed));
	return OCLMM_EXIT_INFRASTRUCTURE;
}

/* Shows a matrix that was written before. */
static int render(struct planted *planted)
{
	struct matrix_saved *saved = &planted->saved;
	struct oclmm_error error = {0};
	struct oclmm_text text = {0};

	if (matrix_read(planted->options.render, &error, saved) < 0)
		return report_error(&error);
	if (planted->options.table) {
		matrix_tables(&text, saved);
		emit(&text);
		return 0;
	}
	planted->header = saved->header;
	tell_head(planted);
	for (size_t i = 0; i < saved->count; i++) {
		plant_score_add(&planted->score, &saved->outcomes[i]);
		tell_plant(planted, &saved->outcomes[i]);
	}
	tell_score(planted, 0);
	return 0;
}

/* No two of the ways to use the command, and what one of them lacks. */
static int check_options(const struct planted *planted, bool names)
{
	const struct planted_options *options = &planted->options;

	if (options->profile && names)
		return options_error(planted->command, "either --profile or names, not both");
	if (options->table && !options->render)
		return options_error(planted->command, "--table is for --render");
	return 0;
}

static int run(const struct command *command, int argc, char **argv)
{
	struct planted planted = {
		.command = command,
		.options = {.claims = "claimed", .seconds = DEFAULT_SECONDS, .seed = 1},
		.started = oclmm_clock(),
	};
	int first, status = options_parse(command, argc, argv, &planted.options, &first);

	if (status == 0 && planted.options.list) {
		list_plants();
		planted_options_finish(&planted.options);
		return 0;
	}
	if (status == 0)
		status = check_options(&planted, first < argc);
	if (status == 0 && planted.options.render)
		return finish(&planted, render(&planted));
	planted.names = argv + first;
	planted.name_count = argc - first;
	if (status == 0)
		status = prepare(&planted);
	process_catch_interrupts();
	if (status == 0)
		status = planted.options.able ? planted_tell_able(&planted) : run_matrix(&planted);
	return finish(&planted, status);
}

const struct command command_planted = {
	.name = "planted",
	.arguments = "[FILE|DIR|PATTERN…]",
	.summary = "plant bugs into the driver and say which tests find them",
	.description =
		"A layer of the ICD loader rewrites the programs that pass through it, one "
		"planted bug at\n"
		"a time; each is tried in runs of its own, in child processes, until a test "
		"shows a\n"
		"forbidden outcome. The driver as it is comes first; tests that it fails are\n"
		"left out. "
		"A plant gets the tests that can show it, as the model says.\n\n"
		"Exit status: 0 every plant was killed that can show on this device; 1 one "
		"was not, or\n"
		"one was that is listed as equivalent, or something forbidden was seen "
		"without a plant;\n"
		"2 usage; 4 the budget did not suffice; 77 no device; 99 the runs or some tests "
		"without a plant failed.",
	.options = planted_option_specs,
	.repeatable = "plant",
	.one_of = (const char *const[]){"able list render", "output resume", NULL},
	.run = run,
};
