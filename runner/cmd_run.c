// SPDX-License-Identifier: Apache-2.0
/* oclmm run: tests on a device, graded. */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "commands.h"
#include "run.h"

static const uint64_t DEFAULT_INSTANCES = 1000000;
static const double DEFAULT_LIMIT = 60;
static const double DEFAULT_CONFIDENCE = 0.95;

volatile sig_atomic_t run_interrupted;

static void on_interrupt(int number)
{
	(void)number;
	run_interrupted = 1;
}

/* The first Ctrl-C ends the run with what is there; a second one kills as usual. */
static void catch_interrupts(void)
{
	struct sigaction action = { .sa_handler = on_interrupt, .sa_flags = (int)SA_RESETHAND };

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
}

static int open_outputs(struct run *run)
{
	for (size_t i = 0; i < run->options.output_count; i++) {
		const char *name = run->options.outputs[i];
		int r = run_output_open(&run->outputs[run->output_count], name);

		if (r < 0) {
			options_error(run->command, "cannot open %s: %s", name, strerror(-r));
			return OCLMM_EXIT_INFRASTRUCTURE;
		}
		run->output_count++;
	}
	return 0;
}

static void say(const struct run *run, const char *text)
{
	fprintf(stderr, "oclmm %s: %s\n", run->command->name, text);
}

static void print_notes(const struct run *run)
{
	const struct shard *shard = &run->options.shard;
	char text[160];

	if (shard->count) {
		snprintf(text, sizeof(text), "shard %" PRIu32 "/%" PRIu32 "%s%s: %zu tests", shard->index,
		         shard->count, shard->from ? " from " : "", shard->from ? shard->from : "",
		         run->selection.count);
		say(run, text);
	}
	if (run->resumed) {
		snprintf(text, sizeof(text), "%zu of %zu tests are there already%s", run->resumed_count,
		         run->selection.count, run->complete ? ", and the run is complete" : "");
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
	run->header = (struct oclmm_run_header){
		.tool = "oclmm " OCLMM_VERSION,
		.platform = info->platform,
		.device = info->name,
		.driver = info->driver,
		.version = info->version,
		.seed = run->context.seed,
		.instances = run->context.instances,
		.budget = run->options.budget,
		.profile = run->options.profile,
		.tests = run->selection.count,
		.whole_suite = run->whole_suite,
		.replay = run->replay,
		.strict = run->options.strict,
		.confidence = run->options.confidence,
		.shard = run->options.shard.index,
		.shards = run->options.shard.count,
		.started = run->started,
	};
}

/* Begins all reports; what was taken over is told to those that do not have it. */
static void begin_reports(struct run *run)
{
	for (size_t i = 0; i < run->output_count; i++) {
		struct run_output *output = &run->outputs[i];
		const struct oclmm_report_kind *kind = i == 0 ? run->options.format
			: output == run->resumed ? oclmm_report_kind("json") : run_output_kind(output->name);

		run_output_begin(output, kind, &run->header, output == run->resumed && output->good > 0);
		for (size_t k = 0; k < run->selection.count; k++) {
			if (run->items[k].done)
				run_output_record(output, &run->items[k].record, output == run->resumed);
		}
	}
}

static size_t judge_all(struct run *run, struct oclmm_record ***ret_records)
{
	struct oclmm_record **records = oclmm_calloc(run->selection.count + 1, sizeof(*records));
	size_t count = 0;

	for (size_t i = 0; i < run->selection.count; i++) {
		if (run->items[i].done)
			records[count++] = &run->items[i].record;
	}
	oclmm_grade_confidence(records, count, run->options.confidence);
	for (size_t i = 0; i < count; i++)
		oclmm_tally_add(&run->tally, records[i]);
	run->tally.left_out = run->selection.count - count;
	run->tally.interrupted = run->tally.left_out && (run_interrupted || run->stopped);
	*ret_records = records;
	return count;
}

static int end_report(struct run *run, struct run_output *output, struct oclmm_record **records,
                      size_t count, int status)
{
	int r;

	/* the file of a run that is complete has its end */
	output->silent = output == run->resumed && run->complete;
	oclmm_report_judged(&output->report, (const struct oclmm_record *const *)records, count);
	r = oclmm_report_end(&output->report, &run->tally, (enum oclmm_exit)status);
	run_output_sync(output);
	if (r == 0)
		r = output->report.failed;
	if (r == 0)
		return status;
	options_error(run->command, "cannot write %s: %s", output->name, strerror(-r));
	return status == OCLMM_EXIT_FORBIDDEN ? status : OCLMM_EXIT_INFRASTRUCTURE;
}

static int end_reports(struct run *run)
{
	struct oclmm_record **records;
	size_t count = judge_all(run, &records);
	int status = oclmm_tally_exit(&run->tally, run->options.strict), worst = status;

	for (size_t i = 0; i < run->output_count; i++) {
		int r = end_report(run, &run->outputs[i], records, count, status);

		worst = r != status ? r : worst;
	}
	if (run->options.annotations)
		run_output_annotate(&run->header, (const struct oclmm_record *const *)records, count, &run->tally,
		                    (enum oclmm_exit)status);
	free(records);
	return worst;
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
	for (size_t i = 0; i < run->expected_count; i++)
		oclmm_expected_destroy(run->expected[i].file);
	free(run->expected);
	oclmm_results_destroy(run->results);
	free(run->replay);
	oclmm_expectations_destroy(run->expectations);
	worker_devices_finish(&run->devices);
	selection_finish(&run->selection);
	/* the lock goes with the process */
}

static int select_tests(struct run *run, char **names, int count)
{
	struct oclmm_error error;
	int status = run->options.profile ? selection_make_profile(&run->selection, run->options.profile)
	                                  : selection_make(&run->selection, names, count);

	if (status == 0 && run->options.shard.count == 0 &&
	    shard_from_environment(&error, &run->options.shard) < 0) {
		print_error(&error);
		return OCLMM_EXIT_USAGE;
	}
	if (status == 0)
		shard_apply(&run->options.shard, &run->selection);
	run->items = oclmm_calloc(run->selection.count + 1, sizeof(*run->items));
	return status;
}

static int32_t today(void)
{
	time_t now = time(NULL);
	struct tm utc;

	gmtime_r(&now, &utc);
	return oclmm_date(utc.tm_year + 1900, utc.tm_mon + 1, utc.tm_mday);
}

static int make_context(struct run *run)
{
	struct oclmm_error error = { 0 };

	run->context.seed = run->options.seed;
	run->context.instances = run->options.instances;
	run->context.grade.claims_accepted = run->options.claims_accepted;
	run->worker = (struct worker_options){ .limit = run->options.limit, .interrupted = &run_interrupted };
	if (!run->options.seed_given &&
	    getrandom(&run->context.seed, sizeof(run->context.seed), 0) != sizeof(run->context.seed))
		return options_error(run->command, "cannot draw a seed: %s; give one with --seed", strerror(errno));
	if (run->options.expectations) {
		if (oclmm_expectations_read(run->options.expectations, &error, &run->expectations) < 0) {
			print_error(&error);
			return OCLMM_EXIT_USAGE;
		}
		run->context.grade.expectations = run->expectations;
		run->context.grade.today = today();
	}
	return 0;
}

static int start(const struct command *command, int argc, char **argv)
{
	struct run run = {
		.command = command,
		.lock = -1,
		.options = {
			.instances = DEFAULT_INSTANCES,
			.limit = DEFAULT_LIMIT,
			.confidence = DEFAULT_CONFIDENCE,
			.format = oclmm_report_kind("summary"),
		},
	};
	int first, status = options_parse(command, argc, argv, run_options_set, &run.options, &first);

	if (status)
		return status == OPTIONS_HELP ? 0 : OCLMM_EXIT_USAGE;
	if (run.options.annotations && run_output_check_annotations(command, run.options.format))
		return OCLMM_EXIT_USAGE;
	run.whole_suite = !run.options.profile && first == argc;
	if (run.options.profile && first < argc)
		return options_error(command, "either --profile (or --quick) or names, not both");
	/* whatever is refused is refused before a device is opened or a file is touched */
	status = select_tests(&run, argv + first, argc - first);
	if (status == 0)
		status = make_context(&run);
	catch_interrupts();
	if (status == 0)
		status = run_open_device(&run);
	if (status == 0) {
		run_output_standard(&run.outputs[run.output_count++]);
		status = run.options.resume ? run_resume(&run) : 0;
	}
	if (status == 0)
		status = open_outputs(&run);
	if (status == 0)
		status = run_all(&run);
	finish(&run);
	return status;
}

const struct command command_run = {
	.name = "run",
	.arguments = "[FILE|DIR|PATTERN…]",
	.summary = "run tests on a device and say whether it behaved",
	.description = "Each test runs in a child process: a driver that crashes or hangs is named and costs\n"
	               "that test, after a second attempt, and no other. A run that was killed goes on with\n"
	               "--resume. A failure prints a command that repeats its stimulus, launch by launch;\n"
	               "the outcome is the device's and need not be the same. Without --shard, shards are\n"
	               "taken from TEST_SHARD_INDEX and TEST_TOTAL_SHARDS, CI_NODE_INDEX and CI_NODE_TOTAL,\n"
	               "or SLURM_ARRAY_TASK_ID and SLURM_ARRAY_TASK_COUNT. All variants of a litmus file\n"
	               "are in one shard, a test with its control.\n\n"
	               "Exit status: 0 pass; 1 a forbidden outcome; 2 usage, or a file that is refused;\n"
	               "3 inconclusive with --strict; 77 nothing applicable; 99 a test could not be run.",
	.options = run_option_specs,
	.run = start,
};
