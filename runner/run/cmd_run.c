// SPDX-License-Identifier: Apache-2.0
/* oclmm run: tests on a device, graded. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cache/cache.h"
#include "cli/commands.h"
#include "export/export.h"
#include "kernel.h"
#include "machine_code.h"
#include "oclmm/cat.h"
#include "process/tool.h"
#include "producer/producer.h"
#include "resume.h"
#include "saved/saved.h"
#include "session.h"
#include "tell.h"
#include "work.h"

static const double DEFAULT_LIMIT = 60;
/*
 * Seconds of a driver's own processor time, where all are drawn kernels: some of a thousand hang,
 * and the others take PoCL 3.1 less than one (docs/control.md).
 */
static const double DRAWN_PROCESSOR = 5;

enum { SHRUNK = 3 }; /* unless another number is asked for */

/* ---- its options ---- */

/*
 * A word names a profile of tests, a path a tuned one. The spelling alone decides, so that a file
 * that happens to have the name changes nothing.
 */
static int set_profile(const char *option, const char *value, void *target)
{
	struct run_options *options = target;
	static const char suffix[] = ".profile";
	size_t length = strlen(value), tail = strlen(suffix);

	if (!strchr(value, '/') && (length <= tail || strcmp(value + length - tail, suffix) != 0)) {
		if (options->profile && strcmp(options->profile, value) != 0)
			return options_error(&command_run,
			                     "either profile \"%s\" or \"%s\", not both; their "
			                     "tests can be given as names",
			                     options->profile, value);
		options->profile = value;
		return 0;
	}
	return option_append(option, value, options->tuned, &options->tuned_count, RUN_TUNED);
}

static int set_cache(const char *option, const char *value, void *target)
{
	struct run_options *options = target;
	static const char *const words[] = {
		[OCLMM_KEEP_NEVER] = "never",
		[OCLMM_KEEP_WHERE_IT_PAYS] = "auto",
		[OCLMM_KEEP_ALWAYS] = "always",
	};

	for (size_t i = 0; i < OCLMM_COUNT(words); i++) {
		if (strcmp(value, words[i]) == 0) {
			options->cache = (enum oclmm_keep)i;
			return 0;
		}
	}
	return option_refuse(option, value, "\"auto\", \"always\" or \"never\"");
}

/* Numbers of launches, each above the one before. */
static int set_halvings(const char *option, const char *value, void *target)
{
	struct oclmm_halvings *halvings = target;
	const char *at = value;

	halvings->count = 0;
	for (;;) {
		char *end;
		uint64_t number;

		errno = 0;
		number = strtoull(at, &end, 10);
		if (!isdigit((unsigned char)*at) || errno || (*end && *end != ',') ||
		    halvings->count == OCLMM_HALVINGS_MOST ||
		    (halvings->count && number <= halvings->at[halvings->count - 1]))
			return option_refuse(option, value,
			                     "at most 32 numbers of launches that rise, such as "
			                     "12,40");
		halvings->at[halvings->count++] = number;
		if (!*end)
			return 0;
		at = end + 1;
	}
}

static int set_turns(const char *option, const char *value, void *ret_turns)
{
	return oclmm_turns_parse(value, ret_turns)
	               ? 0
	               : option_refuse(option, value,
	                               "turns as a record has them, such as 30:96,4000");
}

static int set_quick(const char *option, const char *value, void *target)
{
	(void)value;
	return set_profile(option, "quick", target);
}

static int add_device(const char *option, const char *value, void *target)
{
	struct run_options *options = target;

	if (option_device(value, &value))
		return OPTIONS_ERROR;
	return option_append(option, value, options->devices, &options->device_count, RUN_DEVICES);
}

static int add_output(const char *option, const char *value, void *target)
{
	struct run_options *options = target;

	(void)option;
	return run_output_option(value, options->outputs, &options->output_count, RUN_OUTPUTS);
}

static int set_compilers(const char *option, const char *value, void *target)
{
	struct run_options *options = target;

	options->compilers_given = true;
	return option_number(option, value, &options->compilers);
}

static int set_instances(const char *option, const char *value, void *target)
{
	struct run_options *options = target;

	options->instances_given = true;
	return option_count(option, value, &options->instances);
}

static int set_shrink(const char *option, const char *value, void *ret_shrink)
{
	return option_number(option, value, ret_shrink);
}

int run_options_seed(const char *option, const char *value, void *target)
{
	struct run_options *options = target;

	options->seed_given = true;
	return option_number(option, value, &options->seed);
}

static int output_verbose(const char *option, const char *value, void *ret_kind)
{
	(void)value;
	return run_output_format(option, "text", ret_kind);
}

static const struct option_spec specs[] = {
	{"all", 0, NULL, "all tests, not those of the profile default alone",
         SETS_FLAG(struct run_options, all)},
	{"allow-unfinished", 0, NULL,
         "tests that the budget did not suffice for do not fail the run (status 4)",
         SETS_FLAG(struct run_options, unfinished_allowed)},
	REGRADE_ANNOTATIONS_OPTION(struct run_options),
	KERNEL_OPTIONS(struct run_options),
	{"artifacts", 0, "DIR", "for each failure a folder there with what its analysis needs",
         SETS_TEXT(struct run_options, artifacts)},
	{"audit", 0, NULL,
         "read the code that the device's compiler makes, and prove it right where it is",
         SETS_FLAG(struct run_options, audit)},
	{"brief", 0, NULL, "the same as --format brief: what has to be looked at",
         SETS_BY(run_output_brief, struct run_options, format)},
	{"budget", 'b', "SECONDS",
         "time for the whole run: half shared evenly, half where confidence is missing",
         SETS_SECONDS(struct run_options, budget)},
	NARROW_BUG_OPTION(struct run_options),
	{"cache", 0, "WHEN",
         "keep compiled programs on the disk: auto (default; where it pays), always, never",
         SETS(set_cache)},
	REGRADE_CAT_OPTION(struct run_options, rules),
	REGRADE_CLAIMS_OPTION(struct run_options, rules),
	{"compilers", 0, "N",
         "processes that compile beforehand (default: one per processor up to 16)",
         SETS(set_compilers)},
	REGRADE_CONFIDENCE_OPTION(struct run_options, rules),
	{"device", 'd', "NAME|INDEX|all",
         "as listed by oclmm devices; default: the first GPU. Given several times: "
         "on all of them at the same time",
         SETS(add_device)},
	{"environment", 0, "TEXT", "run in these environments, as a record has them",
         SETS_TEXT(struct run_options, environment)},
	REGRADE_EXPECTATIONS_OPTION(struct run_options, rules),
	{"expect-claims", 0, "FILE",
         "fail (99) where the device claims less than FILE, written by oclmm devices --json",
         SETS_TEXT(struct run_options, claims_expected)},
	NARROW_FAMILY_OPTION(struct run_options),
	NARROW_FEATURE_OPTION(struct run_options),
	{"format", 'f', "FORMAT", "on standard output: " RUN_OUTPUT_FORMATS,
         SETS_BY(run_output_format, struct run_options, format)},
	{"fresh", 0, NULL,
         "compile texts that no cache knows, of the driver or on the disk: to test the compiler",
         SETS_FLAG(struct run_options, fresh)},
	{"halved-at", 0, "LAUNCH,…",
         "from these launches on half the size, as a record has them, and never for slowness",
         SETS_BY(set_halvings, struct run_options, halvings)},
	{"il", 0, "spirv[:NAME]",
         "give the device SPIR-V that clang and a translator make of the kernels; "
         "NAME: llvm-spirv-14 …",
         SETS_TEXT(struct run_options, il)},
	{"instances", 'n', "N", "instances of each test, at least (default 1M)",
         SETS(set_instances)},
	REGRADE_MODEL_OPTION(struct run_options, rules),
	{"no-controls", 0, NULL, "run no controls: no test can pass then",
         SETS_FLAG(struct run_options, no_controls)},
	{"no-profile", 0, NULL, "do not use what oclmm tune found",
         SETS_FLAG(struct run_options, no_profile)},
	RUN_NO_WAIT_OPTION(struct run_options, no_wait),
	{"output", 'o', "FILE", "also write there: " RUN_OUTPUT_SUFFIXES, SETS(add_output)},
	{"pair", 0, "A,B",
         "tests of two devices on these two; all others on A (default: parts of one)",
         SETS_TEXT(struct run_options, pair)},
	{"profile", 'p', "NAME|PATH",
         "the tests of litmus/profiles/NAME; what oclmm tune wrote to PATH", SETS(set_profile)},
	{"quick", 0, NULL, "the same as --profile quick", SETS(set_quick)},
	REGRADE_REQUIRE_OPTION(struct run_options, rules),
	{"resume", 'r', "FILE", "go on with a run that was cut short, and write there",
         SETS_TEXT(struct run_options, resume)},
	{"seed", 's', "N", "master seed (default: drawn, and printed)", SETS(run_options_seed)},
	{"shard", 0, "K/N", "only the K-th of N parts of the tests; variants stay together",
         SETS_BY(shard_parse, struct run_options, shard)},
	{"shrink", 0, "N",
         "make at most N drawn kernels that fail small, half a minute each (default 3)",
         SETS_BY(set_shrink, struct run_options, shrink)},
	{"sizes", 0, "TEXT",
         "only launches of these sizes, groups=N, lanes=N or both: N, N-, -N, N-M, !N (no "
         "multiple of N)",
         SETS_TEXT(struct run_options, sizes)},
	{"spread", 0, NULL,
         "divide the tests among the devices, which are equal; default: those "
         "equal to the first GPU",
         SETS_FLAG(struct run_options, spread)},
	{"strict", 0, NULL, "inconclusive tests fail (status 3)",
         SETS_FLAG(struct run_options, strict)},
	REGRADE_STUCK_OPTION(struct run_options, rules),
	{"timeout", 't', "SECONDS",
         "a driver silent for so long is ended (default 60, and 5 of its own processor time "
         "where all tests are drawn)",
         SETS_SECONDS(struct run_options, limit)},
	{"turns", 0, "BLOCK:N,…", "environments have turns in these shares, as a record has them",
         SETS_BY(set_turns, struct run_options, turns)},
	REGRADE_UNPROVEN_OPTION(struct run_options),
	{"verbose", 'v', NULL, "the same as --format text",
         SETS_BY(output_verbose, struct run_options, format)},
	RUN_WAIT_OPTION(struct run_options, wait),
	{0},
};

/* ---- before a device is looked for ---- */

static int select_tests(struct run *run, char **names, int count)
{
	struct oclmm_error error;
	int status = run->options.profile
	                     ? selection_make_profile(&run->selection, run->options.profile)
	             : count == 0 ? selection_make(&run->selection, NULL, 0)
	                          : selection_make_readable(&run->selection, names, count,
	                                                    &run->refused);

	if (status == 0)
		status = narrow_apply(&run->options.narrow, &run->selection);
	/* no device is opened, and no file written over, where nothing is left */
	if (status == 0 && run->refused && run->selection.count == 0)
		return run->refused;
	if (status == 0)
		status = selection_refuse_namesakes(&run->selection);
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

static bool are_drawn(const struct selection *selection)
{
	for (size_t i = 0; i < selection->count; i++) {
		if (!selection->chosen[i].file->is_drawn)
			return false;
	}
	return selection->count > 0;
}

static int make_context(struct run *run)
{
	double processor = run->options.limit == 0 && are_drawn(&run->selection) ? DRAWN_PROCESSOR
	                                                                         : 0;
	int status;

	if (run->options.limit == 0)
		run->options.limit = DEFAULT_LIMIT;
	run->context.launches = RUN_LAUNCHES;
	run->context.instances = run->options.instances;
	run->context.halvings = run->options.halvings;
	run->context.turns = run->options.turns;
	run->context.arena = oclmm_arena_create();
	run->context.model = run->options.rules.model;
	run->context.grade.claims_accepted = run->options.rules.claims_accepted;
	run->worker = (struct worker_options){.limit = run->options.limit, .processor = processor};
	status = run_draw_seed(run);
	if (status == 0)
		status = saved_expectations(run->options.rules.expectations, &run->expectations);
	if (status == 0)
		status = saved_expectations_check(run->expectations, &run->selection);
	run->context.grade.expectations = run->expectations;
	run->context.grade.today = oclmm_today();
	return status;
}

static const char form[] = "spirv";

/* `spirv`, or `spirv:NAME`: then `*ret_name` is the name. */
static bool parse_il(const char *value, const char **ret_name)
{
	size_t length = strlen(form);

	*ret_name = NULL;
	if (strncmp(value, form, length) != 0)
		return false;
	if (value[length] == ':' && value[length + 1])
		*ret_name = value + length + 1;
	return value[length] == '\0' || *ret_name;
}

/* Finds who makes SPIR-V, where it is asked for. Returns 0 or the status to leave with. */
static int find_producer(struct run *run)
{
	enum { SHARES = TOOL_LATE_MOST + 1 };
	struct oclmm_error error = {0};
	const char *name;

	if (!run->options.il)
		return 0;
	if (!parse_il(run->options.il, &name))
		return options_error(run->command, "--il takes spirv or spirv:NAME, not \"%s\"",
		                     run->options.il);
	if (producer_find(name, &error, &run->producer) < 0) {
		report_error(&error);
		return OCLMM_EXIT_INFRASTRUCTURE;
	}
	/* a child that gives up its tools has to say so before it counts as hanging itself */
	if (run->options.limit / SHARES < PRODUCER_SECONDS)
		producer_limit(run->producer, run->options.limit / SHARES);
	run->context.il = producer_words(run->producer);
	oclmm_device_take_il(run->producer);
	return 0;
}

/* Missing folders are made below the deepest one that exists. */
static int can_make(const char *folder)
{
	char *path = oclmm_strdup(folder), *slash;
	struct stat info;
	const char *at = path;
	int r = stat(path, &info);

	while (r < 0 && errno == ENOENT && strcmp(at, ".") != 0) {
		slash = strrchr(path, '/');
		if (slash)
			*slash = '\0';
		at = !slash ? "." : *path ? path : "/";
		r = stat(at, &info);
	}
	if (r == 0 && !S_ISDIR(info.st_mode))
		r = -ENOTDIR;
	else if (r < 0 || access(at, W_OK | X_OK) < 0)
		r = -errno;
	free(path);
	return r;
}

/* Whether folders can be made where they are asked for. Returns 0 or a status. */
static int check_artifacts(const struct run *run)
{
	int r = run->options.artifacts ? can_make(run->options.artifacts) : 0;

	if (r == 0)
		return 0;
	options_error(run->command, "cannot create folders in %s: %s", run->options.artifacts,
	              strerror(-r));
	return OCLMM_EXIT_INFRASTRUCTURE;
}

/* Refuses what can be refused before it waits for anything or touches a file. */
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
		status = find_producer(run);
	if (status == 0)
		status = check_artifacts(run);
	run_output_standard(&session->outputs[session->output_count++]);
	if (status == 0)
		status = run_resume_read(session, run);
	if (status == 0)
		status = run_output_claim_all(run->command, options->outputs, options->output_count,
		                              session->outputs, &session->output_count);
	return status;
}

/* ---- programs kept from one run to the next ---- */

/* Bytes of compiled programs: about ten suites, with a driver whose programs have 30 KB each. */
static const uint64_t BYTES_MOST = UINT64_C(1) << 30;

static const struct run *first_of(const struct run_session *session)
{
	return &session->runs[0];
}

/* Lets children take compiled programs from the disk, and keep them there. */
static void begin_programs(struct run_session *session)
{
	const struct run *run = first_of(session);
	const char *given = getenv("OCLMM_PROGRAMS");
	char *home;

	if (run->options.fresh)
		oclmm_device_fresh_texts();
	if (run->options.fresh || run->options.cache == OCLMM_KEEP_NEVER ||
	    (given && strcmp(given, "off") == 0))
		return;
	if (given && *given) {
		session->programs = oclmm_strdup(given);
	} else if ((home = cache_home())) {
		struct oclmm_text path = {0};

		oclmm_text_printf(&path, "%s/programs", home);
		session->programs = oclmm_text_steal(&path);
		free(home);
	}
	if (session->programs)
		oclmm_device_keep_programs(run->options.cache, session->programs);
	if (run->producer)
		producer_keep(run->producer, session->programs);
}

/* Keeps no more programs, and drops the oldest where there are too many. */
static void end_programs(struct run_session *session)
{
	const struct run *run = first_of(session);

	oclmm_device_keep_programs(OCLMM_KEEP_NEVER, NULL);
	if (run->producer)
		producer_keep(run->producer, NULL);
	if (session->programs)
		cache_trim(session->programs, BYTES_MOST);
	free(session->programs);
	session->programs = NULL;
}

/* ---- at work ---- */

static void work(void *data, size_t index)
{
	struct run_session *session = data;

	run_tests(&session->runs[index]);
}

/* Runs all tests and writes all reports. Returns the status to leave with. */
static int run_all(struct run_session *session)
{
	struct run *first = &session->runs[0];
	double now = oclmm_clock();

	run_tell_begin(session);
	progress_begin(&session->progress, session->run_count * first->selection.count);
	session->progress.most = first->options.budget;
	begin_programs(session);
	for (size_t i = 0; i < session->run_count; i++) {
		session->runs[i].started_at = now;
		if (session->runs[i].options.budget > 0)
			session->runs[i].context.ask_until = now + session->runs[i].options.budget;
	}
	if (process_together(session->run_count, work, session) < 0) {
		options_error(first->command, "cannot start a thread for each device");
		for (size_t i = 0; i < session->run_count; i++)
			session->runs[i].stopped = true;
	}
	end_programs(session);
	progress_clear(&session->progress);
	return run_tell_end(session);
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

/* ---- drawn kernels that failed ---- */

/* That a device got wrong, or that ended its process. */
static bool is_wrong(const struct run_item *item)
{
	enum oclmm_verdict verdict = item->record.grade.verdict;

	return item->done && item->test->file->is_drawn &&
	       (verdict == OCLMM_VERDICT_FORBIDDEN || verdict == OCLMM_VERDICT_CRASH);
}

/* Each is tried in runs of its own, so the device is given back first. */
static void shrink_failed(struct run *run)
{
	enum { SECONDS = 30 };
	const struct chosen **tests = oclmm_calloc(run->selection.count + 1, sizeof(*tests));
	struct export_wrong wrong = {
		.tests = tests,
		.device = run->header.identity.device,
		.artifacts = run->options.artifacts,
		.seconds = SECONDS,
	};
	size_t others = 0;

	for (size_t i = 0; run->items && i < run->selection.count; i++) {
		if (!is_wrong(&run->items[i]))
			continue;
		if (wrong.count < run->options.shrink)
			tests[wrong.count++] = run->items[i].test;
		else
			others++;
	}
	if (wrong.count && !process_interrupted) {
		if (run->lock >= 0)
			close(run->lock);
		run->lock = -1;
		export_shrink(&wrong);
		if (others)
			fprintf(stderr, "%zu more failed: oclmm shrink makes them small\n", others);
	}
	free(tests);
}

static int start(struct run *wish, char **names, int count)
{
	struct run_options *options = &wish->options;
	int status;

	if (options->annotations && run_output_check_annotations(wish->command, options->format))
		return OCLMM_EXIT_USAGE;
	if (options->all && (options->profile || count > 0))
		return options_error(wish->command, "either --all or a profile or names, not both");
	if (options->audit && (options->il || options->rules.model.path))
		return options_error(wish->command,
		                     "--audit reads the code of OpenCL C, judged by our models: "
		                     "neither --il nor --cat goes with it");
	/* a user's own suite may have none */
	if (count == 0 && !options->all && !options->profile && !narrow_any(&options->narrow) &&
	    selection_has_profile("default"))
		options->profile = "default";
	wish->whole_suite = !options->profile && count == 0 && !narrow_any(&options->narrow);
	if (options->profile && count > 0)
		return options_error(wish->command,
		                     "either --profile (or --quick) or names, not both");
	status = check(wish, names, count);
	process_catch_interrupts();
	if (status == 0)
		status = run_session_open(wish->session, wish);
	if (status == 0 && options->audit)
		status = run_audit_all(wish->session);
	if (status == 0)
		status = run_all(wish->session);
	for (size_t i = 0; i < wish->session->run_count; i++)
		shrink_failed(&wish->session->runs[i]);
	if (wish->refused && status != OCLMM_EXIT_INFRASTRUCTURE)
		status = wish->refused;
	run_session_finish(wish->session);
	finish(wish);
	return status;
}

static int parse_and_start(const struct command *command, int argc, char **argv)
{
	struct run_session session = {0};
	struct run run = {
		.session = &session,
		.command = command,
		.lock = -1,
		.options =
			{
				.instances = RUN_INSTANCES,
				.shrink = SHRUNK,
				.cache = OCLMM_KEEP_WHERE_IT_PAYS,
				.rules.demand = REGRADE_DEMAND,
				.format = oclmm_report_kind("summary"),
			},
	};
	int first, status = options_parse(command, argc, argv, &run.options, &first);
	bool kernels = run.options.kernel.given;

	for (int i = first; status == 0 && i < argc; i++)
		kernels = kernels || kernel_is_file(argv[i]);
	if (kernels && run.options.limit == 0)
		run.options.limit = DEFAULT_LIMIT;
	if (status == 0 && kernels)
		status = run_draw_seed(&run);
	if (status == 0)
		status = kernels ? run_kernels(&run, argv + first, argc - first)
		                 : start(&run, argv + first, argc - first);
	oclmm_cat_destroy(run.options.rules.model.cat);
	return status;
}

const struct command command_run = {
	.name = "run",
	.arguments = "[FILE|DIR|PATTERN…|KERNEL.cl]",
	.summary = "run tests on a device and say whether it behaved",
	.description =
		"Without names it runs the profile default, about 2470 of the 13950 tests of the\n"
		"suite: about a minute on a large GPU, a quarter of an hour on two cores of a\n"
		"CPU. --quick is about 90 tests, --all the whole suite.\n\n"
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
		"3 no test that can fail has confidence, or with --strict one has none; 4 the\n"
		"budget did not suffice for every test that can fail; 77 nothing applicable; 99 a\n"
		"test could not be run.",
	.options = specs,
	.repeatable = "arg ask bug device family feature output profile",
	.one_of = (const char *const[]){"brief format verbose", "cat model", "device pair",
                                        "environment sizes", "fresh il", "no-wait wait",
                                        "pair spread", NULL},
	.run = parse_and_start,
};
