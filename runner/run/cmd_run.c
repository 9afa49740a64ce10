// SPDX-License-Identifier: Apache-2.0
/* oclmm run: tests on a device, graded. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "cli/commands.h"
#include "process/process.h"
#include "producer/producer.h"
#include "run.h"
#include "saved/regrade.h"
#include "saved/saved.h"
#include "survey/claims.h"

static const double DEFAULT_LIMIT = 60;

static int select_tests(struct run *run, char **names, int count)
{
	struct oclmm_error error;
	int status = run->options.profile
	                     ? selection_make_profile(&run->selection, run->options.profile)
	                     : selection_make(&run->selection, names, count);

	if (status == 0)
		status = narrow_apply(&run->options.narrow, &run->selection);

	if (status == 0 && run->options.shard.count == 0 &&
	    shard_from_environment(&error, &run->options.shard) < 0)
		return report_error(&error);
	if (status == 0)
		shard_apply(&run->options.shard, &run->selection);
	return status;
}

int run_draw_seed(struct run *run)
{
	run->context.seed = run->options.seed;
	if (!run->options.seed_given && getrandom(&run->context.seed, sizeof(run->context.seed),
	                                          0) != sizeof(run->context.seed))
		return options_error(run->command, "cannot draw a seed: %s; give one with --seed",
		                     strerror(errno));
	return 0;
}

static int make_context(struct run *run)
{
	int status;

	run->context.launches = RUN_LAUNCHES;
	run->context.instances = run->options.instances;
	run->context.halvings = run->options.halvings;
	run->context.arena = oclmm_arena_create();
	run->context.model = run->options.rules.model;
	run->context.grade.claims_accepted = run->options.rules.claims_accepted;
	run->worker = (struct worker_options){.limit = run->options.limit};
	status = run_draw_seed(run);
	if (status == 0)
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
	struct run_session *session = run->session;
	int status = run_environments_take(&run->environments, run->command, options);

	if (status == 0)
		status = select_tests(run, names, count);
	if (status == 0)
		status = make_context(run);
	if (status == 0)
		status = run_find_producer(run);
	if (status == 0)
		status = run_check_artifacts(run);
	run_output_standard(&session->outputs[session->output_count++]);
	if (status == 0)
		status = run_resume_read(session, run);
	if (status == 0)
		status = run_output_claim_all(run->command, options->outputs, options->output_count,
		                              session->outputs, &session->output_count);
	return status;
}

static void finish(struct run *wish)
{
	oclmm_expectations_destroy(wish->expectations);
	oclmm_device_take_il(NULL);
	producer_destroy(wish->producer);
	oclmm_arena_destroy(wish->context.arena);
	run_environments_finish(&wish->environments);
	selection_finish(&wish->selection);
}

static int start(const struct command *command, int argc, char **argv)
{
	struct run_session session = {0};
	struct run run = {
		.session = &session,
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
	int first, status = options_parse(command, argc, argv, &run.options, &first);

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
		status = run_session_open(&session, &run);
	if (status == 0)
		status = run_session_work(&session);
	run_session_finish(&session);
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
	.repeatable = "bug device family feature output profile",
	.one_of = (const char *const[]){"brief format verbose", "device pair", "no-wait wait",
                                        "pair spread", NULL},
	.run = start,
};
