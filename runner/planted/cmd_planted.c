// SPDX-License-Identifier: Apache-2.0
/* oclmm planted: breaks the driver on purpose, one bug at a time, and says which tests notice. */
#include "concern.h"
#include "planted.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/json.h"
#include "oclmm/grade.h"
#include "process/process.h"
#include "select/select.h"
#include "select/shard.h"
#include "select/suite.h"

/* ---- options --------------------------------------------------------------- */

/* A choice as it was given. */
struct planted_choice {
	char text[PLANT_CHOICE];
	struct plant plant;
};

/* Owns its choices. */
struct planted_options {
	struct planted_choice *choices;
	size_t choice_count, choice_capacity;
	const char *profile;
	const char *device;
	const char *claims;
	const char *instances; /* as given, for the runs */
	uint64_t instance_count;
	const char *output;
	const char *baseline;
	const char *equivalents;
	const char *resume; /* goes on with this file, and writes there */
	const char *render; /* shows this file again, and runs nothing */
	double seconds;     /* of one plant */
	double budget;      /* of all; 0: as long as it takes */
	uint64_t seed;
	struct shard shard; /* of the plants; count 0: all */
	bool able;          /* only says which tests can show what */
	bool all, each, json, list, table;
};

static int add_plant(struct planted_options *options, const char *value)
{
	char message[PLANT_MESSAGE], wanted[PLANT_MESSAGE + 160];
	const char *names[PLANT_COUNT];
	struct planted_choice choice = {0};

	if (strlen(value) < PLANT_CHOICE && plant_parse(value, &choice.plant, message)) {
		snprintf(choice.text, sizeof(choice.text), "%s", value);
		oclmm_grow(&options->choices, &options->choice_capacity, options->choice_count,
		           sizeof(*options->choices));
		options->choices[options->choice_count++] = choice;
		return 0;
	}
	if (strlen(value) >= PLANT_CHOICE)
		snprintf(message, sizeof(message), "it is longer than any");
	for (int i = 0; i < PLANT_COUNT; i++)
		names[i] = plant_descriptions[i].name;
	/* behind a colon or @ stands what is no name */
	snprintf(wanted, sizeof(wanted), "a plant (%s%s); see --list", message,
	         suggest(value, names, strpbrk(value, ":@") ? 0 : PLANT_COUNT, NULL).text);
	return option_refuse("plant", value, wanted);
}

static int set_plant(const char *option, const char *value, void *target)
{
	(void)option;
	return add_plant(target, value);
}

static int set_claims(const char *option, const char *value, void *target)
{
	const char **claims = target;
	bool accepted;

	*claims = value;
	return option_either(option, value, "claimed", "accepted", &accepted);
}

static int set_instances(const char *option, const char *value, void *target)
{
	struct planted_options *options = target;

	options->instances = value;
	return option_count(option, value, &options->instance_count);
}

static int set_output(const char *option, const char *value, void *ret_path)
{
	return option_file(option, value, ".jsonl", ret_path);
}

static const struct option_spec planted_option_specs[] = {
	{"able", 0, NULL, "only say which tests can show each plant, by the model",
         SETS_FLAG(struct planted_options, able)},
	{"all", 0, NULL, "go on after the first kill: which tests kill a plant",
         SETS_FLAG(struct planted_options, all)},
	{"baseline", 0, "FILE", "plants by line: fail only when one of these is not killed",
         SETS_TEXT(struct planted_options, baseline)},
	{"budget", 'b', "SECONDS", "begin no plant after that (status 4)",
         SETS_SECONDS(struct planted_options, budget)},
	{"claims", 0, "WHICH", "claimed (default) or accepted: which tests kill",
         SETS_BY(set_claims, struct planted_options, claims)},
	{"device", 'd', "NAME|INDEX", "as listed by oclmm devices; default: the first GPU",
         SETS_DEVICE(struct planted_options, device)},
	{"each", 0, NULL, "plants of one function, order, width, space after the other",
         SETS_FLAG(struct planted_options, each)},
	{"equivalents", 0, "FILE", "plants that cannot show (default: the suite's list)",
         SETS_TEXT(struct planted_options, equivalents)},
	{"instances", 'n', "N", "instances of each test, at least (default 1M)",
         SETS(set_instances)},
	{"json", 0, NULL, "JSON Lines on standard output", SETS_FLAG(struct planted_options, json)},
	{"list", 0, NULL, "say which plants there are, and leave",
         SETS_FLAG(struct planted_options, list)},
	{"output", 'o', "FILE", "also write JSON Lines there",
         SETS_BY(set_output, struct planted_options, output)},
	{"plant", 0, "NAME[:N][@WORDS]",
         "this one only; may be repeated. WORDS say in which calls: load,64,local",
         SETS(set_plant)},
	{"profile", 'p', "NAME", "the tests of litmus/profiles/NAME (default: default)",
         SETS_TEXT(struct planted_options, profile)},
	{"render", 0, "FILE", "show what --output wrote, and run nothing",
         SETS_TEXT(struct planted_options, render)},
	{"resume", 'r', "FILE", "go on with a matrix that was cut short, and write there",
         SETS_TEXT(struct planted_options, resume)},
	{"seconds", 0, "SECONDS", "at most so long per plant (default 64)",
         SETS_SECONDS(struct planted_options, seconds)},
	{"seed", 's', "N", "master seed (default 1)", SETS_NUMBER(struct planted_options, seed)},
	{"shard", 0, "K/N", "plants K, K+N, K+2N and so on of the list only",
         SETS_BY(shard_parse, struct planted_options, shard)},
	{"table", 0, NULL, "with --render: tables of a document",
         SETS_FLAG(struct planted_options, table)},
	{0},
};

/* A mistake in each function, by itself. */
static void add_functions(struct planted_options *options, enum plant_bug bug)
{
	const struct oclmm_function *function;
	struct plant plant;
	char message[PLANT_MESSAGE];

	plant_parse(plant_descriptions[bug].name, &plant, message);
	for (size_t i = 0; (function = oclmm_function_at(i)); i++) {
		char choice[PLANT_CHOICE];

		snprintf(choice, sizeof(choice), "%s:%s", plant_descriptions[bug].name,
		         function->name);
		if (oclmm_function_concerned(plant.mutation.what, function))
			add_plant(options, choice);
	}
}

/* In another degree, or in calls that the table has no row for: rarer still, narrower still, behind
 * the 32nd work-item. */
static const struct {
	enum plant_bug bug;
	const char *more;
} degrees[] = {
	{PLANT_RARE_RELAXED, ":1000000"},
	{PLANT_RARE_SPLIT, ":1000000"},
	{PLANT_SCOPE_NARROWED, ":sub_group"},
	{PLANT_FENCE_NARROWED, ":global"},
	{PLANT_GROUP_RELAXED, ":64"},
	{PLANT_GROUP_SPLIT, ":64"},
	{PLANT_LANE_RELAXED, ":33"},
	{PLANT_LANE_SPLIT, ":33"},
	{PLANT_NO_RETRY, ":2"},
	{PLANT_TORN, ":16"},
	{PLANT_TORN, ":8"},
	{PLANT_ALL_RELAXED, "@generic"},
	{PLANT_RMW_SPLIT, "@generic"},
};

static void add_bug(struct planted_options *options, enum plant_bug bug)
{
	char choice[PLANT_CHOICE];

	if (options->each && plant_is_mistake(bug)) {
		add_functions(options, bug);
		return;
	}
	add_plant(options, plant_descriptions[bug].name);
	for (size_t i = 0; i < OCLMM_COUNT(degrees); i++) {
		if (degrees[i].bug != bug)
			continue;
		snprintf(choice, sizeof(choice), "%s%s", plant_descriptions[bug].name,
		         degrees[i].more);
		add_plant(options, choice);
	}
}

/* Those of the table that are of a bug that was named, or all of them. */
struct crossing {
	struct planted_options *options;
	const struct planted_options *named;
};

static void add_crossed(void *data, const char *text)
{
	const struct crossing *crossing = data;
	char message[PLANT_MESSAGE];
	struct plant plant;
	bool wanted = crossing->named->choice_count == 0;

	if (!plant_parse(text, &plant, message))
		return;
	for (size_t i = 0; i < crossing->named->choice_count; i++)
		wanted |= plant_is_part(&plant, &crossing->named->choices[i].plant);
	if (wanted)
		add_plant(crossing->options, text);
}

static void add_named(struct planted_options *options, const struct planted_choice *choice)
{
	if (plant_is_mistake(choice->plant.bug) && !plant_is_narrowed(&choice->plant))
		add_functions(options, choice->plant.bug);
	else
		add_plant(options, choice->text);
}

/* Neighbours of the list, which take about as long, go to different shards. */
static void keep_shard(struct planted_options *options)
{
	const struct shard *shard = &options->shard;
	size_t kept = 0;

	for (size_t i = 0; shard->count > 0 && i < options->choice_count; i++) {
		if (i % shard->count == shard->index - 1)
			options->choices[kept++] = options->choices[i];
	}
	if (shard->count > 0)
		options->choice_count = kept;
}

static void add_all(struct planted_options *options)
{
	struct planted_options named = *options;
	struct crossing crossing = {options, &named};

	options->choices = NULL;
	options->choice_count = options->choice_capacity = 0;
	for (int i = PLANT_NONE + 1; i < PLANT_COUNT && named.choice_count == 0; i++)
		add_bug(options, (enum plant_bug)i);
	for (size_t i = 0; i < named.choice_count; i++)
		add_named(options, &named.choices[i]);
	if (options->each)
		plant_cross(add_crossed, &crossing);
	free(named.choices);
}

/* Every plant, where none was named; those of the shard. */
static void planted_options_complete(struct planted_options *options)
{
	if (options->choice_count == 0 || options->each)
		add_all(options);
	keep_shard(options);
}

static void planted_options_finish(struct planted_options *options)
{
	free(options->choices);
	options->choices = NULL;
	options->choice_count = options->choice_capacity = 0;
}

/* ---- a run in a child process ---------------------------------------------- */

/*
 * `oclmm run` as a child process with the layer in place. Its JSON Lines come
 * through a pipe and are looked at while it runs, so that it can be stopped at
 * the first forbidden outcome.
 */
struct child_request {
	const char *program;    /* path of oclmm */
	const char *layer;      /* path of the layer */
	char *const *arguments; /* behind the program's name, NULL-terminated */
	bool stop_early;        /* at the first forbidden outcome that gates */
	double *started;        /* clock at which a plant's first run had its device; 0: not yet */
	double seconds;         /* after that the child is stopped; 0: never */
};

struct child_result {
	int status;    /* of the child, or negative: a signal or an errno value */
	bool stopped;  /* by us: at a kill, the deadline or an interruption */
	char *message; /* the last of what it said on standard error; malloc-ed or NULL */
};

/* A run that is asked to end_child does so after the test at hand's launches. */
static const double LEAVE_SECONDS = 10;
static const double SLICE = 0.1;

struct child {
	const struct child_request *request;
	struct plant_outcome *outcome;
	struct matrix_device *device;
	struct process process;
	char log[PATH_MAX]; /* the layer's, a temporary file */
	bool stopped;
	double asked; /* when it was asked to end_child */
};

static double elapsed(const struct child_request *request)
{
	return *request->started > 0 ? oclmm_clock() - *request->started : 0;
}

/* Another layer that the user has stays, beneath ours: it is part of the driver under test. Ours
 * changes nothing without a plant, so that compiled programs may be kept and used again. */
static void set_environment(const struct child *child)
{
	const char *others = getenv("OPENCL_LAYERS");
	struct oclmm_text layers = {0};

	if (!others)
		others = "";
	oclmm_text_printf(&layers, "%s%s%s", child->request->layer, *others ? ":" : "", others);
	setenv("OPENCL_LAYERS", oclmm_text_string(&layers), 1);
	if (child->outcome->plant.bug == PLANT_NONE && !*others)
		setenv("OCLMM_PASSING_LAYERS", oclmm_text_string(&layers), 1);
	else
		unsetenv("OCLMM_PASSING_LAYERS");
	oclmm_text_finish(&layers);
	setenv("OCLMM_PLANT", child->outcome->choice, 1);
	setenv("OCLMM_PLANT_LOG", child->log, 1);
	unsetenv("OCLMM_PLANT_VERBOSE");
}

static void be_run(void *data, int socket)
{
	const struct child *child = data;

	dup2(socket, STDOUT_FILENO);
	set_environment(child);
	execv(child->request->program, child->request->arguments);
	fprintf(stderr, "cannot execute %s: %s\n", child->request->program, strerror(errno));
	_exit(99);
}

static int start_child(struct child *child)
{
	/* the terminal's Ctrl-C is the command's to answer: it asks for the end_child itself */
	const struct process_job job = {
		.run = be_run, .data = child, .talks = true, .heard = true, .leads = true};
	const char *folder = getenv("TMPDIR");
	int file;

	/* mkostemp() refuses what is cut off */
	snprintf(child->log, sizeof(child->log), "%s/oclmm-planted-XXXXXX",
	         folder && *folder ? folder : "/tmp");
	file = mkostemp(child->log, O_CLOEXEC);
	if (file < 0) {
		child->log[0] = '\0';
		return -errno;
	}
	close(file);
	return process_start(&job, &child->process);
}

/* Once politely, so that it writes no half line and lets the device go; then by force. */
static void stop_child(struct child *child)
{
	if (!child->stopped) {
		child->stopped = true;
		child->asked = oclmm_clock();
		process_signal(&child->process, SIGTERM);
	} else if (oclmm_clock() - child->asked > LEAVE_SECONDS) {
		process_signal(&child->process, SIGKILL);
	}
}

static uint64_t number_of(json_t *object, const char *key)
{
	json_int_t value = json_integer_value(json_object_get(object, key));

	return value > 0 ? (uint64_t)value : 0;
}

/* One line per event of the layer: PLANT EVENT PLACES. */
static void read_log(const struct child *child, struct plant_outcome *outcome)
{
	char *text, *save;
	size_t length;

	if (oclmm_read_file(child->log, &text, &length) < 0)
		return;
	for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		unsigned long long places = 0;
		char event[32];

		if (sscanf(line, "%*s %31s %19llu", event, &places) != 2)
			continue;
		outcome->loaded |= strcmp(event, "loaded") == 0;
		outcome->programs += strcmp(event, "source") == 0;
		outcome->places += places;
		outcome->opaque += strcmp(event, "binary") == 0 || strcmp(event, "il") == 0;
		outcome->launches += strcmp(event, "launch") == 0;
		outcome->unbuilt += strcmp(event, "twin-failed") == 0;
	}
	free(text);
}

/* Whether the loader put the layer there: known before any test is built. */
static bool is_layer_there(const struct child *child)
{
	struct plant_outcome so_far = {0};

	read_log(child, &so_far);
	return so_far.loaded;
}

static void take_run(struct child *child, json_t *line)
{
	/* what it waited for the device until now is not the plant's time */
	if (*child->request->started <= 0)
		*child->request->started = oclmm_clock();
	if (child->device)
		matrix_take_device(child->device, line);
	if (!is_layer_there(child))
		stop_child(child);
}

/* A test that the plant's bug leads into a crash or lost counts is noticed, though by no
 * verdict. */
static void take_broken(struct child *child, json_t *line, const char *verdict)
{
	struct plant_outcome *outcome = child->outcome;

	if (outcome->broken++ == 0)
		snprintf(outcome->broken_test, sizeof(outcome->broken_test), "%s: %s",
		         json_get_text(line, "test"), verdict);
}

static void take_test(struct child *child, json_t *line)
{
	struct plant_outcome *outcome = child->outcome;
	const char *word = json_get_text(line, "verdict");
	enum oclmm_verdict verdict = OCLMM_VERDICT_COUNT;

	oclmm_verdict_find(word, strlen(word), &verdict);
	if (verdict == OCLMM_VERDICT_SKIP) {
		outcome->skipped++;
		return;
	}
	outcome->tests++;
	outcome->refused += verdict == OCLMM_VERDICT_BUILD_FAILED;
	outcome->instances += number_of(line, "instances");
	outcome->seconds = elapsed(child->request);
	if (oclmm_verdict_is_infrastructure(verdict))
		take_broken(child, line, word);
	if (verdict != OCLMM_VERDICT_FORBIDDEN)
		return;
	if (!json_is_true(json_object_get(line, "gates"))) {
		outcome->ungated++;
		return;
	}
	plant_outcome_add_kill(outcome, json_get_text(line, "test"), number_of(line, "forbidden"),
	                       number_of(line, "instances"));
	if (child->request->stop_early)
		stop_child(child);
}

static void take_line(struct child *child, const char *bytes, size_t length)
{
	json_t *line = json_loadb(bytes, length, 0, NULL);

	if (strcmp(json_get_text(line, "type"), "run") == 0)
		take_run(child, line);
	else if (strcmp(json_get_text(line, "type"), "test") == 0)
		take_test(child, line);
	json_decref(line);
}

/* Whole lines of what has come so far. */
static void take_lines(struct child *child)
{
	struct oclmm_text *text = &child->process.input.text;
	size_t begin = 0;

	for (size_t i = 0; i < text->length; i++) {
		if (text->data[i] != '\n')
			continue;
		/* what comes after the end_child was asked for belongs to no plant's time */
		if (!child->stopped)
			take_line(child, text->data + begin, i - begin);
		begin = i + 1;
	}
	oclmm_text_drop(text, begin);
}

/* A plant gets one test at least, however slow the machine: without any it was not tried. */
static bool is_child_over(const struct child *child)
{
	const struct child_request *request = child->request;

	return process_interrupted ||
	       (request->seconds > 0 && elapsed(request) > request->seconds &&
	        child->outcome->tests > 0);
}

static void follow_child(struct child *child)
{
	int r = 0;

	while (r == 0) {
		if (child->stopped || is_child_over(child))
			stop_child(child);
		r = process_hear(&child->process, SLICE);
		take_lines(child);
	}
}

static void end_child(struct child *child, struct child_result *result)
{
	int status;

	/* what is not heard of any more is ended by now, or about to */
	process_stop(&child->process, LEAVE_SECONDS);
	status = child->process.status;
	result->status = status >= 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
	result->stopped = child->stopped;
	result->message = process_said(&child->process);
	read_log(child, child->outcome);
	child->outcome->seconds = elapsed(child->request);
}

/*
 * Runs one child and adds what it reports to the outcome; device, where not
 * NULL, is filled from its first line. Returns 0 or a negative errno value.
 */
static int child_run(const struct child_request *request, struct plant_outcome *outcome,
                     struct matrix_device *device, struct child_result *ret_result)
{
	struct child child = {.request = request,
	                      .outcome = outcome,
	                      .device = device,
	                      .process = {.socket = -1, .output = -1}};
	struct child_result result = {0};
	int r = start_child(&child);

	if (r == 0) {
		follow_child(&child);
		end_child(&child, &result);
		*ret_result = result;
	}
	process_finish(&child.process);
	if (child.log[0])
		unlink(child.log);
	return r;
}

struct planted {
	const struct command *command;
	struct planted_options options;
	struct selection selection;
	struct concerned *tests; /* those of the selection */
	char **names;            /* as given on the line, or none */
	int name_count;
	bool as_named; /* a file is among them: only its path says which tests are meant */
	struct equivalents equivalents;
	bool in_baseline[PLANT_COUNT];
	struct matrix_saved saved; /* what was there when a matrix is gone on with */
	double started;            /* clock */
	char program[PATH_MAX], layer[PATH_MAX];
	struct utsname machine;
	struct matrix_header header;
	struct plant_score score;
	FILE *output;
	int failed;   /* the errno value with which it took no more, or 0 */
	bool unclean; /* tests of the run without a plant could not be run */
	size_t left;  /* plants that the budget did not suffice for */
	bool missed;  /* a plant that had to be killed was not */
};

/* ---- the runs of one plant ------------------------------------------------- */

/* A stage that could not even open the device is not begun. */
static const double LEAST_SECONDS = 0.5;

/* The first of the rounds that a plant gets which was not killed at once. */
static const double AGAIN_SECONDS = 2;

/* A command line of `oclmm run`; words are borrowed but for the two numbers. */
struct line {
	char **words;
	size_t count, capacity;
	char seed[24], budget[32];
};

/* A plant and where it stands. */
struct trial {
	struct planted *planted;
	struct plant_outcome *outcome;
	enum concern *concerns; /* by test */
	size_t counts[CONCERN_COUNT];
	double started; /* as child_request has it */
};

static void add_word(struct line *line, const char *word)
{
	oclmm_grow(&line->words, &line->capacity, line->count, sizeof(*line->words));
	line->words[line->count++] = (char *)(uintptr_t)word;
}

static void add_option(struct line *line, const char *name, const char *value)
{
	if (!value)
		return;
	add_word(line, name);
	add_word(line, value);
}

static void begin_line(struct line *line, const struct planted *planted, uint64_t seed,
                       double budget)
{
	*line = (struct line){0};
	snprintf(line->seed, sizeof(line->seed), "%" PRIu64, seed);
	snprintf(line->budget, sizeof(line->budget), "%.1f", budget);
	add_word(line, planted->program);
	add_word(line, "run");
	add_option(line, "--format", "json");
	/* whatever variables say: which tests run is decided here */
	add_option(line, "--shard", "1/1");
	add_option(line, "--seed", line->seed);
	add_option(line, "--device", planted->options.device);
	add_option(line, "--claims", planted->options.claims);
	/* what silence is worth is not asked here */
	add_word(line, "--no-controls");
	add_option(line, "--instances", planted->options.instances);
	add_option(line, "--budget", budget > 0 ? line->budget : NULL);
}

/* Returns 0, or the status to leave with when no run of any plant will do better. */
static int judge_run(const struct trial *trial, const struct child_result *result)
{
	bool unplanted = trial->outcome->plant.bug == PLANT_NONE;

	/* where these tests were all skipped others may run */
	if (result->stopped || trial->outcome->tests > 0 ||
	    (result->status == OCLMM_EXIT_NOTHING && !unplanted))
		return 0;
	fputs(result->message ? result->message : "", stderr);
	return result->status > 0 ? result->status : OCLMM_EXIT_INFRASTRUCTURE;
}

/* All of a matrix is of one device, also where it is gone on with. */
static int take_device(struct planted *planted, const struct matrix_device *device)
{
	struct matrix_device *known = &planted->header.device;

	if (!device->device[0])
		return 0;
	if (!known->device[0])
		*known = *device;
	if (strcmp(known->platform, device->platform) == 0 &&
	    strcmp(known->device, device->device) == 0 &&
	    strcmp(known->driver, device->driver) == 0)
		return 0;
	options_error(planted->command, "began on \"%s\" with driver %s, and is on \"%s\" with %s",
	              known->device, known->driver, device->device, device->driver);
	return OCLMM_EXIT_USAGE;
}

/* Returns as judge_run(). */
static int run_line(struct trial *trial, struct line *line)
{
	const struct planted *planted = trial->planted;
	bool unplanted = trial->outcome->plant.bug == PLANT_NONE;
	struct child_request request = {
		.program = planted->program,
		.layer = planted->layer,
		.stop_early = !planted->options.all && !unplanted,
		.started = &trial->started,
		.seconds = unplanted ? 0 : planted->options.seconds,
	};
	struct matrix_device device = {0};
	struct child_result result = {0};
	int r;

	add_word(line, NULL);
	request.arguments = line->words;
	r = child_run(&request, trial->outcome, &device, &result);
	free(line->words);
	if (r < 0) {
		options_error(planted->command, "cannot start a process: %s", strerror(-r));
		return OCLMM_EXIT_INFRASTRUCTURE;
	}
	r = judge_run(trial, &result);
	if (r == 0)
		r = take_device(trial->planted, &device);
	free(result.message);
	return r;
}

static void add_names(struct line *line, const struct planted *planted)
{
	if (planted->name_count == 0)
		add_option(line, "--profile", planted->options.profile);
	for (int i = 0; i < planted->name_count; i++)
		add_word(line, planted->names[i]);
}

static int run_named(struct trial *trial, uint64_t seed, double budget)
{
	struct line line;

	begin_line(&line, trial->planted, seed, budget);
	add_names(&line, trial->planted);
	return run_line(trial, &line);
}

/*
 * The driver as it is, in one run of all tests; fills the header's device.
 * Returns 0, or the status to leave with: nothing could be run at all.
 */
static int planted_run_none(struct planted *planted, struct plant_outcome *outcome)
{
	struct trial trial = {.planted = planted, .outcome = outcome};
	int status = run_named(&trial, planted->options.seed, 0);

	if (status == 0 && !outcome->loaded) {
		options_error(planted->command,
		              "the ICD loader did not load %s; a loader is needed that knows "
		              "OPENCL_LAYERS (ocl-icd from 2.3, or Khronos's)",
		              planted->layer);
		status = OCLMM_EXIT_INFRASTRUCTURE;
	}
	plant_outcome_judge(outcome);
	return status;
}

static double time_left(const struct trial *trial)
{
	double gone = trial->started > 0 ? oclmm_clock() - trial->started : 0;

	return trial->planted->options.seconds - gone;
}

static bool is_trial_over(const struct trial *trial)
{
	return process_interrupted || time_left(trial) < LEAST_SECONDS ||
	       (trial->outcome->kill_count > 0 && !trial->planted->options.all);
}

/* Every so many of the tests of some concerns, but for those that are taken; NULL: none is. */
static size_t add_tests(struct line *line, const struct trial *trial, enum concern from,
                        enum concern to, size_t stride, bool *taken)
{
	const struct selection *selection = &trial->planted->selection;
	size_t added = 0, met = 0;

	for (size_t i = 0; i < selection->count; i++) {
		if (trial->planted->tests[i].left_out || trial->concerns[i] < from ||
		    trial->concerns[i] > to || met++ % stride != 0 || (taken && taken[i]))
			continue;
		add_word(line, trial->planted->tests[i].pattern);
		if (taken)
			taken[i] = true;
		added++;
	}
	return added;
}

static int run_some(struct trial *trial, enum concern from, enum concern to, uint64_t seed,
                    double budget, size_t stride, bool *taken)
{
	struct line line;

	begin_line(&line, trial->planted, seed, budget);
	if (add_tests(&line, trial, from, to, stride, taken) > 0)
		return run_line(trial, &line);
	free(line.words);
	return 0;
}

/* Neighbours are of one family and see much the same, or lose their counts alike. So where there
 * are many, a few from everywhere come first, then some more of them, then the rest. */
static int run_spread(struct trial *trial, enum concern concern)
{
	enum { FEW = 24, TIMES = 4 };
	size_t stride = trial->counts[concern] / FEW;
	bool *taken = oclmm_calloc(trial->planted->selection.count + 1, sizeof(*taken));
	int status = 0;

	for (bool all = false; status == 0 && !all && !is_trial_over(trial); stride /= TIMES) {
		all = stride < TIMES;
		status = run_some(trial, concern, concern, trial->planted->options.seed, 0,
		                  all ? 1 : stride, taken);
	}
	free(taken);
	return status;
}

/* Once more, with other random choices; all of them where a file was named. */
static int run_again(struct trial *trial, enum concern last, uint64_t seed, double budget)
{
	if (trial->planted->as_named)
		return run_named(trial, seed, budget);
	return run_some(trial, CONCERN_ABLE_SC, last, seed, budget, 1, NULL);
}

/* The able test that is shortest behind those that are taken; one with seq_cst operations, where
 * there are any. */
static size_t next_shortest(const struct trial *trial, const bool *taken)
{
	const struct planted *planted = trial->planted;
	enum concern wanted = trial->counts[CONCERN_ABLE_SC] ? CONCERN_ABLE_SC : CONCERN_ABLE;
	size_t found = SIZE_MAX;

	for (size_t i = 0; i < planted->selection.count; i++) {
		if (taken[i] || trial->concerns[i] != wanted)
			continue;
		if (found == SIZE_MAX ||
		    strlen(planted->tests[i].text) < strlen(planted->tests[found].text))
			found = i;
	}
	return found;
}

/* On CPUs one test in four has an environment with wide groups: of eight hardly none has. */
static size_t enough_tests(enum plant_bug bug)
{
	enum { FEW = 3, SOME_WIDE = 8 };
	bool wide = bug == PLANT_GROUP_RELAXED || bug == PLANT_GROUP_SPLIT ||
	            bug == PLANT_LANE_RELAXED || bug == PLANT_LANE_SPLIT;

	return wide ? SOME_WIDE : FEW;
}

/*
 * A bug in few launches, groups, work-items or calls needs many instances of a
 * test rather than many tests: half of the time belongs to the shortest ones.
 */
static int run_shortest(struct trial *trial)
{
	const struct planted *planted = trial->planted;
	size_t enough = enough_tests(trial->outcome->plant.bug);
	bool *taken = oclmm_calloc(planted->selection.count + 1, sizeof(*taken));
	struct line line;
	size_t i, added = 0;

	begin_line(&line, planted, planted->options.seed, time_left(trial) / 2);
	while (added < enough && (i = next_shortest(trial, taken)) != SIZE_MAX) {
		taken[i] = true;
		add_word(&line, planted->tests[i].pattern);
		added++;
	}
	free(taken);
	if (added > 0)
		return run_line(trial, &line);
	free(line.words);
	return 0;
}

/*
 * The tests of which the model says that they can show the plant, and only
 * those where there are any. A plant that makes what the model cannot read has
 * the tests that it changes, the most telling ones first; one that changes none
 * may be in the harness, and has all. What is time_left of the time belongs to the
 * same tests again. A plant that is listed as equivalent gets the first part
 * only. Files that were named run as a whole.
 */
static enum concern last_stage(const struct trial *trial)
{
	if (trial->outcome->able > 0)
		return CONCERN_ABLE;
	return trial->outcome->concerned > 0 ? CONCERN_CHANGED : CONCERN_NONE;
}

static int run_first(struct trial *trial, enum concern last)
{
	int status = 0;

	if (trial->planted->as_named)
		return run_named(trial, trial->planted->options.seed, 0);
	if (plant_is_scattered(trial->outcome->plant.bug))
		status = run_shortest(trial);
	for (int stage = 0; stage <= (int)last && status == 0 && !is_trial_over(trial); stage++)
		status = run_spread(trial, (enum concern)stage);
	return status;
}

static void run_stages(struct trial *trial)
{
	const struct planted *planted = trial->planted;
	const struct plant_outcome *outcome = trial->outcome;
	enum concern last = last_stage(trial);
	uint64_t again = 0;
	int status = run_first(trial, last);

	if (outcome->kill_count > 0 || outcome->equivalent || !plant_outcome_touched(outcome) ||
	    (outcome->concerned == 0 && !planted->as_named))
		return;
	/* rounds that grow: what a busy machine hid in a short run shows soon */
	for (double budget = AGAIN_SECONDS; status == 0 && !is_trial_over(trial); budget *= 2)
		status = run_again(trial, last, planted->options.seed + ++again,
		                   budget < time_left(trial) ? budget : time_left(trial));
}

/* Where no device was asked, that of most devices. */
static enum oclmm_model model_of(const struct planted *planted)
{
	const char *version = planted->header.device.version;

	return version[0] ? oclmm_model_of_device(version) : OCLMM_MODEL_OPENCL_2_1;
}

/* Asks which tests the plant concerns. */
static void find_concerns(struct trial *trial)
{
	struct planted *planted = trial->planted;

	for (size_t i = 0; i < planted->selection.count; i++) {
		trial->concerns[i] = planted->tests[i].left_out
		                             ? CONCERN_NONE
		                             : concern_of(&trial->outcome->plant,
		                                          &planted->tests[i], model_of(planted));
		trial->counts[trial->concerns[i]]++;
	}
	trial->outcome->able = trial->counts[CONCERN_ABLE_SC] + trial->counts[CONCERN_ABLE];
	trial->outcome->concerned = planted->selection.count - trial->counts[CONCERN_NONE];
}

/* No chosen test can show it, and none has to be run to know it. */
static bool is_hopeless(const struct trial *trial)
{
	const struct plant_outcome *outcome = trial->outcome;

	if (outcome->able > 0 || trial->planted->as_named)
		return false;
	if (outcome->concerned > 0)
		return trial->counts[CONCERN_UNABLE] == outcome->concerned;
	/* one that changes no test may be in what all tests have in common */
	return plant_is_narrowed(&outcome->plant);
}

/* One plant, until it is killed or its time is over. */
static void planted_run_plant(struct planted *planted, struct plant_outcome *outcome)
{
	struct trial trial = {
		.planted = planted,
		.outcome = outcome,
		.concerns = oclmm_calloc(planted->selection.count + 1, sizeof(*trial.concerns)),
	};

	find_concerns(&trial);
	outcome->equivalent = equivalents_find(&planted->equivalents, &outcome->plant,
	                                       planted->header.device.platform,
	                                       planted->header.device.device,
	                                       planted->machine.machine);
	if (is_hopeless(&trial))
		outcome->hopeless = true;
	else
		run_stages(&trial);
	plant_outcome_judge(outcome);
	free(trial.concerns);
}

/* Takes the tests of the selection over, for planted_run_plant(). */
static void planted_prepare_tests(struct planted *planted)
{
	const struct selection *selection = &planted->selection;

	planted->tests = oclmm_calloc(selection->count + 1, sizeof(*planted->tests));
	for (size_t i = 0; i < selection->count; i++) {
		const struct oclmm_variant *variant = selection->chosen[i].variant;
		struct oclmm_text pattern = {0};

		oclmm_text_printf(&pattern, "@(%s)", variant->name);
		planted->tests[i] = (struct concerned){
			.program = variant->program,
			.control = variant->control != NULL,
			.pattern = oclmm_text_steal(&pattern),
		};
	}
}

/*
 * Leaves out the tests that showed something forbidden without a plant: what they show says
 * nothing of one. Returns their number; 0 as well where files were named, which run as a whole.
 */
static size_t planted_leave_out(struct planted *planted, const struct plant_outcome *unplanted)
{
	size_t found = 0;

	for (size_t i = 0; !planted->as_named && i < planted->selection.count; i++) {
		const char *name = planted->selection.chosen[i].variant->name;

		for (size_t k = 0; k < unplanted->kill_count; k++)
			planted->tests[i].left_out |= strcmp(unplanted->kills[k].test, name) == 0;
		found += planted->tests[i].left_out;
	}
	return found;
}

/* The first test of the earliest concern that there is. */
static const char *first_test(const struct trial *trial)
{
	for (int concern = 0; concern < CONCERN_UNABLE; concern++) {
		for (size_t i = 0; i < trial->planted->selection.count; i++) {
			if (trial->concerns[i] == (enum concern)concern)
				return trial->planted->selection.chosen[i].variant->name;
		}
	}
	return "-";
}

/*
 * Says for each plant how many tests can show it, and the first of them, and asks no device.
 * Returns 1 where one has none.
 */
static int planted_tell_able(struct planted *planted)
{
	int status = 0;

	for (size_t i = 0; i < planted->options.choice_count; i++) {
		const struct planted_choice *choice = &planted->options.choices[i];
		struct plant_outcome outcome = {.choice = choice->text, .plant = choice->plant};
		struct trial trial = {
			.planted = planted,
			.outcome = &outcome,
			.concerns = oclmm_calloc(planted->selection.count + 1,
		                                 sizeof(*trial.concerns)),
		};
		const struct equivalent *equivalent = equivalents_find(&planted->equivalents,
		                                                       &choice->plant, "", "",
		                                                       planted->machine.machine);

		find_concerns(&trial);
		outcome.hopeless = is_hopeless(&trial);
		cli_print_fitted("%-34s %4llu able %4llu changed  %s", choice->text,
		                 (unsigned long long)outcome.able,
		                 (unsigned long long)outcome.concerned,
		                 equivalent ? equivalent->argument : first_test(&trial));
		if (outcome.hopeless && !equivalent)
			status = OCLMM_EXIT_FORBIDDEN;
		free(trial.concerns);
	}
	return status;
}

/* ---- plants that have to be killed ----------------------------------------- */

static int take_baseline(struct planted *planted, char *line, uint32_t number)
{
	struct plant plant;
	struct oclmm_error error;
	char message[PLANT_MESSAGE];

	line[strcspn(line, "#\r")] = '\0';
	line += strspn(line, " \t");
	line[strcspn(line, " \t")] = '\0';
	if (!*line)
		return 0;
	if (plant_parse(line, &plant, message)) {
		planted->in_baseline[plant.bug] = true;
		return 0;
	}
	oclmm_error_set(&error, -EINVAL, "%s", message);
	snprintf(error.file, sizeof(error.file), "%s", planted->options.baseline);
	snprintf(error.source, sizeof(error.source), "%s", line);
	error.position = (struct oclmm_position){.line = number,
	                                         .column = 1,
	                                         .length = (uint32_t)strlen(line)};
	return report_error(&error);
}

/* Reads what --baseline names, if anything. Returns 0, or the status to leave with. */
static int planted_read_baseline(struct planted *planted)
{
	const char *path = planted->options.baseline;
	struct oclmm_lines lines;
	char *text;
	size_t length;
	int r, status = 0;

	if (!path)
		return 0;
	r = oclmm_read_file(path, &text, &length);
	if (r < 0)
		return options_error(planted->command, "cannot read %s: %s", path, strerror(-r));
	oclmm_lines_begin(&lines, path, text, length);
	while (status == 0 && oclmm_lines_next(&lines))
		status = take_baseline(planted, oclmm_lines_cut(&lines, text), lines.number);
	free(text);
	return status;
}

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
	matrix_head(text, MATRIX_JSON, &planted->header);
	if (saved)
		matrix_plant(text, MATRIX_JSON, saved);
	for (size_t i = 0; i < planted->options.choice_count; i++) {
		saved = matrix_saved_find(&planted->saved, planted->options.choices[i].text);
		if (saved)
			matrix_plant(text, MATRIX_JSON, saved);
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
	matrix_plant(&text, MATRIX_JSON, outcome);
	save(planted, &text);
}

static void tell_head(const struct planted *planted)
{
	struct oclmm_text text = {0};

	matrix_head(&text, form_of(planted), &planted->header);
	emit(&text);
}

static void tell_score(struct planted *planted, int status)
{
	struct oclmm_text text;

	oclmm_text_init(&text);
	matrix_score(&text, form_of(planted), &planted->score, status);
	emit(&text);
	oclmm_text_init(&text);
	matrix_score(&text, MATRIX_JSON, &planted->score, status);
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
