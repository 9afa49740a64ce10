// SPDX-License-Identifier: Apache-2.0
/* oclmm run: tests on a device, graded. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "cli/commands.h"
#include "process/process.h"
#include "producer/producer.h"
#include "run.h"
#include "saved/regrade.h"
#include "saved/saved.h"
#include "survey/claims.h"

static const double DEFAULT_LIMIT = 60;

static void say(const struct run *run, const char *text)
{
	fprintf(stderr, "oclmm %s: %s\n", run->command->name, text);
}

static void print_notes(const struct run *run)
{
	const struct shard *shard = &run->options.shard;
	char text[160];

	if (shard->count) {
		snprintf(text, sizeof(text), "shard %" PRIu32 "/%" PRIu32 "%s%s: %s", shard->index,
		         shard->count, shard->from ? " from " : "", shard->from ? shard->from : "",
		         oclmm_counted(run->selection.count, "test").text);
		say(run, text);
	}
	if (run->resumed) {
		snprintf(text, sizeof(text), "%zu of %s already there%s", run->resumed_count,
		         oclmm_counted(run->selection.count, "test").text,
		         run->complete ? ", and the run is complete" : "");
		say(run, text);
	}
}

static void make_header(struct run *run)
{
	const struct oclmm_device_info *info = run->context.device;
	time_t now = time(NULL);
	struct tm utc;

	gmtime_r(&now, &utc);
	strftime(run->started, sizeof(run->started), "%Y-%m-%dT%H:%M:%SZ", &utc);
	run->replay = run_make_replay(run);
	claims_print(&run->claims, info);
	oclmm_driver_variables(&run->variables);
	if (run->variables.length)
		run->variables.data[--run->variables.length] = '\0';
	/* what --resume takes over counts, too */
	run->whole_suite &= run->context.instances >= RUN_INSTANCES;
	run->header = (struct oclmm_run_header){
		.tool = "oclmm " OCLMM_VERSION,
		.platform = info->platform,
		.device = info->name,
		.driver = info->driver,
		.partner = run->partner,
		.version = info->version,
		.il = run->context.il,
		.claims = oclmm_text_string(&run->claims),
		.variables = oclmm_text_string(&run->variables),
		.seed = run->context.seed,
		.instances = run->context.instances,
		.budget = run->options.budget,
		.profile = run->options.profile,
		.tests = run->selection.count,
		.whole_suite = run->whole_suite,
		.replay = run->replay,
		.replay_environment = run->environments.given.count ||
	                              run->environments.profiles.count,
		.strict = run->options.strict,
		.unproven_property = run->options.unproven_property,
		.demand = run->options.rules.demand,
		.shard = run->options.shard.index,
		.shards = run->options.shard.count,
		.started = run->started,
	};
}

/* Begins all reports; what was taken over is told to those that do not have it. */
static void begin_reports(struct run *run)
{
	size_t saved = run->results ? run->results->saved_count : 0;

	for (size_t i = 0; i < run->output_count; i++) {
		struct run_output *output = &run->outputs[i];
		const struct oclmm_report_kind *kind =
			i == 0                   ? run->options.format
			: output == run->resumed ? oclmm_report_kind("json")
						 : oclmm_report_kind_of_file(output->name);

		run_output_begin(output, kind, &run->header,
		                 output == run->resumed && output->good > 0);
		/* its manifest counts the lines that are there */
		for (size_t k = 0; output == run->resumed && k < saved; k++)
			run_output_record(output, &run->results->saved[k].record, true);
		for (size_t k = 0; output != run->resumed && k < run->selection.count; k++) {
			if (run->items[k].done)
				run_output_record(output, &run->items[k].record, false);
		}
	}
}

static int end_reports(struct run *run)
{
	struct run_ending ending = {
		.command = run->command,
		.header = &run->header,
		.records = oclmm_calloc(run->selection.count + 1, sizeof(*ending.records)),
		.annotations = run->options.annotations,
	};
	int status;

	for (size_t i = 0; i < run->selection.count; i++) {
		if (run->items[i].done)
			ending.records[ending.count++] = &run->items[i].record;
	}
	ending.left_out = run->selection.count - ending.count;
	ending.unfinished = run->options.unfinished_allowed ? 0 : run_count_unfinished(run);
	ending.interrupted = run->cut || (ending.left_out && (process_interrupted || run->stopped));
	if (run->resumed)
		run->resumed->ended = run->complete;
	status = run_output_end_all(&ending, run->outputs, run->output_count);
	free(ending.records);
	return status;
}

static int run_all(struct run *run)
{
	make_header(run);
	print_notes(run);
	begin_reports(run);
	progress_begin(&run->progress, run->selection.count);
	run_tests(run);
	progress_clear(&run->progress);
	return end_reports(run);
}

static void finish(struct run *run)
{
	for (size_t i = 0; i < run->output_count; i++)
		run_output_close(&run->outputs[i]);
	for (size_t i = 0; run->items && i < run->selection.count; i++)
		run_item_finish(&run->items[i]);
	free(run->items);
	run_schedule_forget(run);
	for (size_t i = 0; i < run->expected_count; i++)
		oclmm_expected_destroy(run->expected[i].file);
	free(run->expected);
	oclmm_results_destroy(run->results);
	free(run->replay);
	oclmm_text_finish(&run->claims);
	oclmm_text_finish(&run->variables);
	oclmm_expectations_destroy(run->expectations);
	oclmm_device_take_il(NULL);
	producer_destroy(run->producer);
	oclmm_arena_destroy(run->context.arena);
	run_environments_finish(&run->environments);
	worker_devices_finish(&run->devices);
	selection_finish(&run->selection);
	/* the lock goes with the process */
}

static int select_tests(struct run *run, char **names, int count)
{
	struct oclmm_error error;
	int status = run->options.profile
	                     ? selection_make_profile(&run->selection, run->options.profile)
	                     : selection_make(&run->selection, names, count);

	if (status == 0)
		status = narrow_apply(&run->options.narrow, &run->selection);

	if (status == 0 && run->options.shard.count == 0 &&
	    shard_from_environment(&error, &run->options.shard) < 0) {
		report_error(&error);
		return OCLMM_EXIT_USAGE;
	}
	if (status == 0)
		shard_apply(&run->options.shard, &run->selection);
	run->items = oclmm_calloc(run->selection.count + 1, sizeof(*run->items));
	return status;
}

static int make_context(struct run *run)
{
	int status;

	run->context.seed = run->options.seed;
	run->context.launches = RUN_LAUNCHES;
	run->context.instances = run->options.instances;
	run->context.environments = &run->environments;
	run->context.arena = oclmm_arena_create();
	run->context.model = run->options.rules.model;
	run->context.grade.claims_accepted = run->options.rules.claims_accepted;
	run->worker = (struct worker_options){.limit = run->options.limit};
	if (!run->options.seed_given && getrandom(&run->context.seed, sizeof(run->context.seed),
	                                          0) != sizeof(run->context.seed))
		return options_error(run->command, "cannot draw a seed: %s; give one with --seed",
		                     strerror(errno));
	status = saved_expectations(run->options.rules.expectations, &run->expectations);
	if (status == 0)
		status = saved_expectations_check(run->expectations, &run->selection);
	run->context.grade.expectations = run->expectations;
	run->context.grade.today = regrade_today();
	return status;
}

/* Whatever is refused is refused before anything is waited for, and before a file is touched. */
static int check(struct run *run, char **names, int count)
{
	const struct run_options *options = &run->options;
	int status = run_environments_take(&run->environments, run->command, options);

	if (status == 0)
		status = select_tests(run, names, count);
	if (status == 0)
		status = make_context(run);
	if (status == 0)
		status = run_find_producer(run);
	if (status == 0)
		status = run_check_artifacts(run);
	run_output_standard(&run->outputs[run->output_count++]);
	if (status == 0)
		status = run_resume_read(run);
	if (status == 0)
		status = run_output_claim_all(run->command, options->outputs, options->output_count,
		                              run->outputs, &run->output_count);
	return status;
}

/*
 * Tests that need what a device does not claim gate nothing: a driver that stops
 * claiming something would pass for want of tests.
 */
static int check_claims(const struct run *run)
{
	const struct oclmm_device_info *info = run->context.device;
	const char *path = run->options.claims_expected;
	struct oclmm_error error = {0};
	struct oclmm_text missing;
	int status = 0;

	if (!path)
		return 0;
	oclmm_text_init(&missing);
	if (claims_expect(path, info, &error, &missing) < 0) {
		report_error(&error);
		status = OCLMM_EXIT_USAGE;
	} else if (missing.length) {
		options_error(run->command, "%s does not claim what %s expects: %s", info->name,
		              path, oclmm_text_string(&missing));
		status = OCLMM_EXIT_INFRASTRUCTURE;
	}
	oclmm_text_finish(&missing);
	return status;
}

/* Others may have it: what does not fit it is refused before they are waited for. */
static int take_device(struct run *run)
{
	int status = run_find_device(run);

	if (status == 0)
		status = run_check_il(run);
	if (status == 0)
		status = check_claims(run);
	if (status == 0)
		status = run_environments_open(&run->environments, run->command, &run->options,
		                               run->context.device);
	if (status == 0 && run->options.budget > 0)
		run_order(run);
	if (status == 0)
		status = run_resume(run);
	if (status == 0)
		status = run_lock_device(run);
	return status;
}

static int start(const struct command *command, int argc, char **argv)
{
	struct run run = {
		.command = command,
		.lock = -1,
		.options =
			{
				.instances = RUN_INSTANCES,
				.limit = DEFAULT_LIMIT,
				.cache = OCLMM_KEEP_WHERE_IT_PAYS,
				.rules.demand = REGRADE_DEMAND,
				.format = oclmm_report_kind("summary"),
			},
	};
	int first,
		status = options_parse(command, argc, argv, run_options_set, &run.options, &first);

	if (status)
		return status;
	if (run.options.annotations && run_output_check_annotations(command, run.options.format))
		return OCLMM_EXIT_USAGE;
	run.whole_suite = !run.options.profile && first == argc && !narrow_any(&run.options.narrow);
	if (run.options.profile && first < argc)
		return options_error(command, "either --profile (or --quick) or names, not both");
	status = check(&run, argv + first, argc - first);
	process_catch_interrupts();
	if (status == 0)
		status = take_device(&run);
	if (status == 0)
		status = run_all(&run);
	finish(&run);
	return status;
}

const struct command command_run = {
	.name = "run",
	.arguments = "[FILE|DIR|PATTERN…]",
	.summary = "run tests on a device and say whether it behaved",
	.description =
		"Each test runs in a child process: a driver that crashes or hangs is named and "
		"costs\n"
		"that test, after a second attempt, and no other. A run that was killed goes on "
		"with\n"
		"--resume. A failure prints a command that repeats its stimulus, launch by "
		"launch;\n"
		"the outcome is the device's and need not be the same. Without --shard, shards "
		"are\n"
		"taken from TEST_SHARD_INDEX and TEST_TOTAL_SHARDS, CI_NODE_INDEX and "
		"CI_NODE_TOTAL,\n"
		"or SLURM_ARRAY_TASK_ID and SLURM_ARRAY_TASK_COUNT. All variants of a litmus file\n"
		"are in one shard, a test with its control.\n\n"
		"Exit status: 0 pass; 1 a forbidden outcome; 2 usage, or a file that is refused;\n"
		"3 inconclusive with --strict; 4 the budget did not suffice for every test that\n"
		"can fail; 77 nothing applicable; 99 a test could not be run.",
	.options = run_option_specs,
	.run = start,
};
