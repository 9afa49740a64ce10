// SPDX-License-Identifier: Apache-2.0
/* oclmm tune: looks for the environments in which a device shows most weak outcomes. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands.h"
#include "oclmm/grade.h"
#include "run/session.h"
#include "tune.h"

static const double DEFAULT_SECONDS = 10, DEFAULT_LIMIT = 30;
enum { DEFAULT_ENVIRONMENTS = 32, ENVIRONMENTS_MOST = 1000 };

static int set_environments(const char *option, const char *value, void *target)
{
	uint64_t *environments = target;

	if (option_number(option, value, environments))
		return OPTIONS_ERROR;
	return *environments <= ENVIRONMENTS_MOST ? 0
	                                          : option_refuse(option, value, "at most 1000");
}

static int set_output(const char *option, const char *value, void *ret_path)
{
	return option_file(option, value, ".jsonl", ret_path);
}

static int add_with(const char *option, const char *value, void *target)
{
	struct tuning *tuning = target;

	return option_append(option, value, tuning->options.with, &tuning->options.with_count,
	                     TUNING_WITH);
}

static const struct option_spec options[] = {
	RUN_DEVICE_OPTION(struct tuning, run.options.device),
	{"dry-run", 0, NULL, "write no profile", SETS_FLAG(struct tuning, options.dry)},
	{"environments", 0, "N", "drawn at the start, for each shape (default 32)",
         SETS_BY(set_environments, struct tuning, options.environments)},
	{"list", 0, NULL, "the profiles of the device; run nothing",
         SETS_FLAG(struct tuning, options.list)},
	RUN_NO_WAIT_OPTION(struct tuning, run.options.no_wait),
	{"output", 'o', "FILE", "write what was found there, too, a line of JSON for each shape",
         SETS_BY(set_output, struct tuning, options.output)},
	{"seconds", 0, "SECONDS", "for each shape, beside compiling (default 10)",
         SETS_SECONDS(struct tuning, options.seconds)},
	{"seed", 's', "N", "of all that is drawn (default: drawn, and printed)",
         SETS_BY(run_options_seed, struct tuning, run.options)},
	{"show", 0, NULL, "which environments oclmm run gives to tests; run nothing",
         SETS_FLAG(struct tuning, options.show)},
	{"timeout", 't', "SECONDS", "a driver silent for so long is ended (default 30)",
         SETS_SECONDS(struct tuning, run.options.limit)},
	RUN_WAIT_OPTION(struct tuning, run.options.wait),
	{"with", 0, "PATH", "profiles of another device, a file or a folder, take part",
         SETS(add_with)},
	{0},
};

/* ---- preparations ---- */

static int find_folder(struct tuning *tuning)
{
	struct oclmm_error error;
	int r;

	tuning->folder = oclmm_profile_folder(tuning->run.context.device);
	if (!tuning->folder && tuning->options.dry)
		return 0;
	if (!tuning->folder) {
		options_error(tuning->run.command,
		              "neither XDG_DATA_HOME nor HOME names a folder for profiles");
		return OCLMM_EXIT_INFRASTRUCTURE;
	}
	r = oclmm_profiles_add(&tuning->profiles, tuning->folder, &error);
	if (r < 0 && r != -ENOENT) {
		report_error(&error);
		return r == -EINVAL ? OCLMM_EXIT_USAGE : OCLMM_EXIT_INFRASTRUCTURE;
	}
	return 0;
}

static int read_with(struct tuning *tuning)
{
	struct oclmm_error error;

	for (size_t i = 0; i < tuning->options.with_count; i++) {
		if (oclmm_profiles_add(&tuning->with[i], tuning->options.with[i], &error) < 0)
			return report_error(&error);
	}
	return 0;
}

/* Found out now, and not after minutes of tuning. */
static int check_writable(struct tuning *tuning)
{
	int r;

	if (tuning->options.dry)
		return 0;
	r = oclmm_make_folders(tuning->folder);
	if (r == 0 && access(tuning->folder, W_OK | X_OK) < 0)
		r = -errno;
	if (r == 0)
		return 0;
	options_error(tuning->run.command, "cannot write to %s: %s", tuning->folder, strerror(-r));
	return OCLMM_EXIT_INFRASTRUCTURE;
}

static int open_output(struct tuning *tuning)
{
	if (!tuning->options.output)
		return 0;
	tuning->output = fopen(tuning->options.output, "we");
	if (tuning->output)
		return 0;
	options_error(tuning->run.command, "cannot open %s: %s", tuning->options.output,
	              strerror(errno));
	return OCLMM_EXIT_INFRASTRUCTURE;
}

/* ---- the whole ---- */

static int write_result(struct tuning *tuning, const struct tuning_result *result)
{
	int r;

	progress_clear(&tuning->session.progress);
	tuning_print_result(result);
	r = tuning->output ? tuning_write_result(tuning, result) : 0;
	if (r < 0)
		options_error(tuning->run.command, "cannot write %s: %s", tuning->options.output,
		              strerror(-r));
	return r < 0 ? OCLMM_EXIT_INFRASTRUCTURE : 0;
}

static void show_progress(void *data, double fraction)
{
	struct tuning *tuning = data;

	(void)fraction;
	progress_update(&tuning->session.progress, tuning->run.done, 0,
	                tuning->run.selection.chosen[tuning->run.done].variant->name);
}

/* 1 before 99 before 77: a forbidden outcome is never hidden. */
static int status_of(const struct tuning *tuning)
{
	bool forbidden = false, failed = false, any = false;

	for (size_t i = 0; i < tuning->run.selection.count; i++) {
		const struct tuning_result *result = &tuning->results[i];

		forbidden |= result->forbidden > 0;
		failed |= !result->test || result->end == TUNING_FAILED ||
		          result->end == TUNING_INTERRUPTED;
		any |= result->test && result->end != TUNING_NOT_APPLICABLE;
	}
	return forbidden ? OCLMM_EXIT_FORBIDDEN
	       : failed  ? OCLMM_EXIT_INFRASTRUCTURE
	       : any     ? 0
	                 : OCLMM_EXIT_NOTHING;
}

static int tune_all(struct tuning *tuning)
{
	struct run *run = &tuning->run;
	int worst = 0, status;

	tuning_print_head(tuning);
	progress_begin(&tuning->session.progress, run->selection.count);
	for (run->done = 0;
	     run->done < run->selection.count && !process_interrupted && !run->stopped;
	     run->done++) {
		struct tuning_result *result = &tuning->results[run->done];

		result->test = &run->selection.chosen[run->done];
		oclmm_shape(result->test->variant->program, result->shape);
		show_progress(tuning, 0);
		tuning_one(tuning, run->done);
		status = write_result(tuning, result);
		worst = status ? status : worst;
	}
	status = status_of(tuning);
	return status == OCLMM_EXIT_FORBIDDEN || !worst ? status : worst;
}

static void finish(struct tuning *tuning)
{
	struct run *run = &tuning->run;

	for (size_t i = 0; run->items && i < run->selection.count; i++)
		run_item_finish(&run->items[i]);
	for (size_t i = 0; tuning->results && i < run->selection.count; i++) {
		free(tuning->results[i].path);
		json_decref(tuning->results[i].known);
	}
	for (size_t i = 0; i < tuning->options.with_count; i++)
		oclmm_profiles_finish(&tuning->with[i]);
	free(run->items);
	free(tuning->results);
	free(tuning->folder);
	oclmm_profiles_finish(&tuning->profiles);
	run_environments_finish(&run->environments);
	oclmm_arena_destroy(run->context.arena);
	run_session_finish(&tuning->session);
	selection_finish(&run->selection);
	if (tuning->output)
		fclose(tuning->output);
}

static int work(struct tuning *tuning)
{
	struct run *run = &tuning->run;
	int status;

	if (tuning->options.list) {
		tuning_print_profiles(tuning);
		return 0;
	}
	if (tuning->options.show) {
		tuning_print_tests(tuning);
		return 0;
	}
	status = check_writable(tuning);
	if (status == 0)
		status = open_output(tuning);
	if (status)
		return status;
	run->worker.progress = show_progress;
	run->worker.data = tuning;
	run->items = oclmm_calloc(run->selection.count + 1, sizeof(*run->items));
	tuning->results = oclmm_calloc(run->selection.count + 1, sizeof(*tuning->results));
	return tune_all(tuning);
}

static int start(const struct command *command, int argc, char **argv)
{
	struct tuning tuning = {
		.run = {.session = &tuning.session,
	                .command = command,
	                .lock = -1,
	                .options.limit = DEFAULT_LIMIT},
		.options = {.seconds = DEFAULT_SECONDS, .environments = DEFAULT_ENVIRONMENTS},
	};
	struct run *run = &tuning.run;
	int first, status = options_parse(command, argc, argv, &tuning, &first);

	if (status)
		return status;
	if (tuning.options.list && (tuning.options.show || first < argc))
		return options_error(command, "--list takes no tests, and goes without --show");
	if (!tuning.options.list)
		status = tuning_select(command, &run->selection, argv + first, argc - first);
	if (status == 0)
		status = read_with(&tuning);
	if (status == 0)
		status = run_draw_seed(&tuning.run);
	if (status == 0 && !tuning.options.show)
		tuning_reduce(&run->selection);
	run->worker = (struct worker_options){.limit = run->options.limit};
	run->context.environments = &run->environments;
	run->context.arena = oclmm_arena_create();
	/* shapes that are done keep their profiles */
	process_catch_interrupts();
	if (status == 0)
		status = run_find_device(run);
	/* for looking only it may be in use */
	if (status == 0 && !tuning.options.list && !tuning.options.show)
		status = run_lock_device(run, run->context.identity, &run->lock);
	if (status == 0)
		status = find_folder(&tuning);
	if (status == 0)
		status = work(&tuning);
	finish(&tuning);
	return status;
}

const struct command command_tune = {
	.name = "tune",
	.arguments = "[FILE|DIR|PATTERN|SHAPE…]",
	.summary = "find the conditions in which a device shows most weak outcomes",
	.description = "A shape such as MP or 2+2W stands for its test with relaxed operations; of "
		       "tests with one\n"
		       "shape the weakest is run, and its profile serves all. Without names: MP SB "
		       "LB R S 2+2W\n"
		       "IRIW WRC RWC ISA2 Z6.0 to Z6.5. For each shape the default environments, "
		       "drawn ones and\n"
		       "descendants of the best race until the time is up; what is found is "
		       "compared with the\n"
		       "defaults and kept, if it is better, in $XDG_DATA_HOME/oclmm/profiles or\n"
		       "~/.local/share/oclmm/profiles. oclmm run uses it.\n\n"
		       "Exit status: 0 done; 1 a forbidden outcome was seen; 2 usage, or a file "
		       "that is refused;\n"
		       "77 nothing applicable; 99 a shape could not be tuned, or a profile not be "
		       "written.",
	.options = options,
	.repeatable = "with",
	.one_of = (const char *const[]){"list output show", "no-wait wait", NULL},
	.run = start,
};
