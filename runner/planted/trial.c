// SPDX-License-Identifier: Apache-2.0
/* A trial of a plant: runs of tests in child processes, with the layer in place. */
#include "trial.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/json.h"
#include "oclmm/grade.h"
#include "process/process.h"
#include "process/tool.h"

/* ---- a run in a child process ---------------------------------------------- */

/*
 * `oclmm run` as a child process with the layer in place. Its JSON Lines come
 * through a pipe and are looked at while it runs, so that it can be stopped at
 * the first forbidden outcome.
 */
struct child_request {
	const char *layer;            /* its path */
	const char *const *arguments; /* path of oclmm and what is behind it, NULL-terminated */
	const struct selection *selection; /* has its tests */
	bool stop_early;                   /* at the first forbidden outcome that gates */
	double *started;       /* clock at which a plant's first test was launched; 0: not yet */
	double seconds;        /* after that the child is stopped; 0: never */
	bool unhurried;        /* what it waits for its own first launch is not counted either */
	struct tally *tallies; /* by test of the selection, or NULL */
};

struct child_result {
	int status;    /* of the child, or negative: a signal or an errno value */
	bool stopped;  /* by us: at a kill, the deadline or an interruption */
	char *message; /* the last of what it said on standard error; malloc-ed or NULL */
};

/* A run that is asked to end does so after the launches of the test at hand. */
static const double LEAVE_SECONDS = 10;
static const double SLICE = 0.1;

struct child {
	const struct child_request *request;
	struct plant_outcome *outcome;
	struct matrix_device *device;
	struct process process;
	char log[PATH_MAX]; /* the layer's, a temporary file */
	double began;       /* clock */
	bool launched;      /* it has told of a test that ran */
	bool stopped;
	double asked; /* when it was asked to end */
};

static double elapsed(const struct child_request *request)
{
	return *request->started > 0 ? oclmm_clock() - *request->started : 0;
}

/* A layer of the user's own stays beneath ours: it is part of the driver under test. Ours changes
 * nothing without a plant, so that compiled programs may be cached then. */
static int start_with(const char *log, struct child *child)
{
	const struct child_request *request = child->request;
	struct oclmm_text layer = {0}, passing = {0}, plant = {0}, told = {0};
	int r;

	oclmm_text_printf(&layer, "OCLMM_LAYER=%s", request->layer);
	oclmm_text_add(&passing, "OCLMM_PASSING_LAYERS");
	if (child->outcome->plant.bug == PLANT_NONE)
		oclmm_text_printf(&passing, "=%s", request->layer);
	oclmm_text_printf(&plant, "OCLMM_PLANT=%s", child->outcome->choice);
	oclmm_text_printf(&told, "OCLMM_PLANT_LOG=%s", log);
	{
		const char *const variables[] = {
			oclmm_text_string(&layer), oclmm_text_string(&passing),
			oclmm_text_string(&plant), oclmm_text_string(&told),
			"OCLMM_PLANT_VERBOSE",     NULL};
		/* Ctrl-C reaches the command alone, which asks the child to end */
		const struct process_job job = {.arguments = request->arguments,
		                                .variables = variables,
		                                .speaks = true,
		                                .talks = true,
		                                .heard = true,
		                                .leads = true};

		r = process_start(&job, &child->process);
	}
	oclmm_text_finish(&layer);
	oclmm_text_finish(&passing);
	oclmm_text_finish(&plant);
	oclmm_text_finish(&told);
	return r;
}

static int start_child(struct child *child)
{
	char *path = tool_temporary("planted");
	int file;

	/* mkostemp() refuses what is cut off */
	snprintf(child->log, sizeof(child->log), "%s", path);
	free(path);
	file = mkostemp(child->log, O_CLOEXEC);
	if (file < 0) {
		child->log[0] = '\0';
		return -errno;
	}
	close(file);
	return start_with(child->log, child);
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
	if (child->device)
		matrix_take_device(child->device, line);
	if (!is_layer_there(child))
		stop_child(child);
}

/* A test that the plant's bug leads into a crash or lost counts is noticed, though by no
 * verdict. */
static void take_broken(struct child *child, json_t *line, const char *verdict)
{
	plant_outcome_add_broken(child->outcome, json_text_of(line, "test"), verdict);
}

/* What it waited for the device and for the compiler until then is not the plant's time. */
static void note_launch(struct child *child, double when)
{
	double *started = child->request->started;

	if (*started <= 0)
		*started = when;
	else if (child->request->unhurried && !child->launched && when > child->began)
		*started += when - child->began;
	child->launched = true;
}

/* The test was refused for what it needs only under the plant. */
static bool is_beyond(const struct child *child, const char *name)
{
	const struct selection *selection = child->request->selection;
	const struct plant *plant = &child->outcome->plant;

	for (size_t i = 0; i < selection->count; i++) {
		const struct oclmm_variant *variant = selection->chosen[i].variant;

		if (strcmp(variant->name, name) == 0)
			return concerned_needs_more(plant, variant->program);
	}
	return false;
}

static void add_tally(const struct child *child, json_t *line, enum oclmm_verdict verdict)
{
	const struct selection *selection = child->request->selection;
	struct tally *tally = child->request->tallies;

	for (size_t i = 0; tally && i < selection->count; i++, tally++) {
		if (strcmp(selection->chosen[i].variant->name, json_text_of(line, "test")) != 0)
			continue;
		tally->instances += number_of(line, "instances");
		tally->seen += number_of(line, "forbidden");
		tally->skipped |= verdict == OCLMM_VERDICT_SKIP;
		tally->broken |= oclmm_verdict_is_infrastructure(verdict);
		return;
	}
}

static void take_test(struct child *child, json_t *line)
{
	struct plant_outcome *outcome = child->outcome;
	const char *word = json_text_of(line, "verdict");
	enum oclmm_verdict verdict = OCLMM_VERDICT_COUNT;

	oclmm_verdict_find(word, strlen(word), &verdict);
	add_tally(child, line, verdict);
	if (verdict == OCLMM_VERDICT_SKIP || (verdict == OCLMM_VERDICT_BUILD_FAILED &&
	                                      is_beyond(child, json_text_of(line, "test")))) {
		outcome->skipped++;
		return;
	}
	note_launch(child, oclmm_clock() - json_time_of(line, "seconds"));
	outcome->tests++;
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
	kills_add(&outcome->kills, json_text_of(line, "test"),
	          (struct kill){.seen = number_of(line, "forbidden"),
	                        .instances = number_of(line, "instances"),
	                        .instances_before = outcome->instances,
	                        .seconds = outcome->seconds});
	if (child->request->stop_early)
		stop_child(child);
}

static void take_child_line(struct child *child, const char *bytes, size_t length)
{
	json_t *line = json_loadb(bytes, length, 0, NULL);

	if (strcmp(json_text_of(line, "type"), "run") == 0)
		take_run(child, line);
	else if (strcmp(json_text_of(line, "type"), "test") == 0)
		take_test(child, line);
	else if (strcmp(json_text_of(line, "confidence"), "stuck") == 0)
		take_broken(child, line, "stuck");
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
		/* what comes after that belongs to no plant's time */
		if (!child->stopped)
			take_child_line(child, text->data + begin, i - begin);
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
	        (request->unhurried ? child->launched : child->outcome->tests > 0));
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
	                      .began = oclmm_clock(),
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

/* ---- the runs of a trial ---------------------------------------------------- */

/* A stage that could not even open the device is not begun. */
static const double LEAST_SECONDS = 0.5;

void trial_begin(struct trial *trial, struct planted *planted, struct plant_outcome *outcome)
{
	size_t count = planted->selection.count + 1;

	*trial = (struct trial){
		.planted = planted,
		.outcome = outcome,
		.concerns = oclmm_calloc(count, sizeof(*trial->concerns)),
		.shares = oclmm_calloc(count, sizeof(*trial->shares)),
		.tallies = oclmm_calloc(count, sizeof(*trial->tallies)),
		.seconds = planted->options.seconds,
	};
}

void trial_finish(struct trial *trial)
{
	free(trial->concerns);
	free(trial->shares);
	free(trial->tallies);
}

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

void line_begin(struct line *line, const struct planted *planted, uint64_t seed, double budget)
{
	*line = (struct line){0};
	snprintf(line->seed, sizeof(line->seed), "%" PRIu64, seed);
	snprintf(line->budget, sizeof(line->budget), "%.1f", budget);
	add_word(line, planted->program);
	add_word(line, "run");
	add_option(line, "--format", "json");
	/* the tests are chosen here, whatever variables say */
	add_option(line, "--shard", "1/1");
	add_option(line, "--seed", line->seed);
	add_option(line, "--device", planted->options.device);
	add_option(line, "--claims", planted->options.claims);
	/* controls would only say what silence is worth */
	add_word(line, "--no-controls");
	add_option(line, "--instances", planted->options.instances);
	add_option(line, "--budget", budget > 0 ? line->budget : NULL);
}

/* Returns 0, or the status to leave with when no run of any plant will do better. */
static int judge_run(const struct trial *trial, const struct child_result *result)
{
	bool unplanted = trial->outcome->plant.bug == PLANT_NONE;

	/* others may run where these tests were all left out */
	if (result->stopped || trial->outcome->tests > 0 ||
	    ((result->status == OCLMM_EXIT_NOTHING || trial->outcome->skipped > 0) && !unplanted))
		return 0;
	fputs(result->message ? result->message : "", stderr);
	return result->status > 0 ? result->status : OCLMM_EXIT_INFRASTRUCTURE;
}

/* A matrix is of one device, also when it is resumed. */
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

int trial_run(struct trial *trial, struct line *line)
{
	const struct planted *planted = trial->planted;
	bool unplanted = trial->outcome->plant.bug == PLANT_NONE;
	struct child_request request = {
		.layer = planted->layer,
		.selection = &planted->selection,
		.stop_early = !planted->options.all && !unplanted && !trial->goes_on,
		.started = &trial->started,
		.seconds = unplanted ? 0 : trial->seconds,
		.unhurried = trial->unhurried,
		.tallies = trial->tallies,
	};
	struct matrix_device device = {0};
	struct child_result result = {0};
	int r;

	add_word(line, NULL);
	request.arguments = (const char *const *)line->words;
	r = child_run(&request, trial->outcome, &device, &result);
	/* where no test ran there is an end, too */
	if (trial->started <= 0)
		trial->started = oclmm_clock();
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

void line_add_test(struct line *line, const struct planted *planted, size_t test)
{
	add_word(line, planted->tests[test].pattern);
}

static void add_names(struct line *line, const struct planted *planted)
{
	if (planted->name_count == 0)
		add_option(line, "--profile", planted->options.profile);
	for (int i = 0; i < planted->name_count; i++)
		add_word(line, planted->names[i]);
}

int trial_run_named(struct trial *trial, uint64_t seed, double budget)
{
	struct line line;

	line_begin(&line, trial->planted, seed, budget);
	add_names(&line, trial->planted);
	return trial_run(trial, &line);
}

bool is_one_by_one(const struct planted *planted)
{
	return planted->options.drawn_only && !planted->as_named && planted->selection.count > 0;
}

const char *sizes_of(const struct plant *plant, char ret_sizes[SIZES_SIZE])
{
	enum oclmm_where where = plant->launches ? plant->launches : plant->mutation.where;
	unsigned long long n = plant->launches ? plant->launch_number : plant->mutation.number;

	*ret_sizes = '\0';
	/* those of the list show in the environments of any run */
	if (!plant->drawn)
		return ret_sizes;
	switch (where) {
	case OCLMM_WHERE_BIG_GROUP:
	case OCLMM_WHERE_LANE: snprintf(ret_sizes, SIZES_SIZE, "lanes=%llu-", n); break;
	case OCLMM_WHERE_SMALL_GROUP: snprintf(ret_sizes, SIZES_SIZE, "lanes=-%llu", n); break;
	case OCLMM_WHERE_EXACT_GROUP: snprintf(ret_sizes, SIZES_SIZE, "lanes=%llu", n); break;
	case OCLMM_WHERE_UNEVEN_GROUP: snprintf(ret_sizes, SIZES_SIZE, "lanes=!%llu", n); break;
	case OCLMM_WHERE_MANY_GROUPS: snprintf(ret_sizes, SIZES_SIZE, "groups=%llu-", n); break;
	case OCLMM_WHERE_LONE_GROUP: snprintf(ret_sizes, SIZES_SIZE, "groups=%llu", n); break;
	case OCLMM_WHERE_ODD_GROUP: snprintf(ret_sizes, SIZES_SIZE, "groups=2-"); break;
	/* as many behind it as before it */
	case OCLMM_WHERE_FROM_GROUP: snprintf(ret_sizes, SIZES_SIZE, "groups=%llu-", 2 * n); break;
	default: break;
	}
	return ret_sizes;
}

void line_add_sizes(struct line *line, const struct plant *plant)
{
	if (*sizes_of(plant, line->sizes))
		add_option(line, "--sizes", line->sizes);
}

int trial_run_alone(struct trial *trial, size_t test, const struct plant *plant)
{
	struct line line;

	line_begin(&line, trial->planted, trial->planted->options.seed, 0);
	line_add_sizes(&line, plant);
	line_add_test(&line, trial->planted, test);
	return trial_run(trial, &line);
}

double trial_time_left(const struct trial *trial)
{
	double gone = trial->started > 0 ? oclmm_clock() - trial->started : 0;

	return trial->seconds - gone;
}

bool trial_is_over(const struct trial *trial)
{
	return process_interrupted || trial_time_left(trial) < LEAST_SECONDS ||
	       (trial->outcome->kills.count > 0 && !trial->planted->options.all);
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
		line_add_test(line, trial->planted, i);
		if (taken)
			taken[i] = true;
		added++;
	}
	return added;
}

int trial_run_some(struct trial *trial, enum concern from, enum concern to, uint64_t seed,
                   double budget, size_t stride, bool *taken)
{
	struct line line;

	line_begin(&line, trial->planted, seed, budget);
	line_add_sizes(&line, &trial->outcome->plant);
	if (add_tests(&line, trial, from, to, stride, taken) > 0)
		return trial_run(trial, &line);
	free(line.words);
	return 0;
}

enum oclmm_model planted_model(const struct planted *planted)
{
	const char *version = planted->header.device.version;

	return version[0] ? oclmm_model_of_device(version) : OCLMM_MODEL_OPENCL_2_1;
}
