// SPDX-License-Identifier: Apache-2.0
#include "planted.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "concern.h"
#include "oclmm/grade.h"
#include "process/process.h"

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

static void add(struct line *line, const char *word)
{
	oclmm_grow(&line->words, &line->capacity, line->count, sizeof(*line->words));
	line->words[line->count++] = (char *)(uintptr_t)word;
}

static void add_option(struct line *line, const char *name, const char *value)
{
	if (!value)
		return;
	add(line, name);
	add(line, value);
}

static void begin_line(struct line *line, const struct planted *planted, uint64_t seed,
                       double budget)
{
	*line = (struct line){0};
	snprintf(line->seed, sizeof(line->seed), "%" PRIu64, seed);
	snprintf(line->budget, sizeof(line->budget), "%.1f", budget);
	add(line, planted->program);
	add(line, "run");
	add_option(line, "--format", "json");
	/* whatever variables say: which tests run is decided here */
	add_option(line, "--shard", "1/1");
	add_option(line, "--seed", line->seed);
	add_option(line, "--device", planted->options.device);
	add_option(line, "--claims", planted->options.claims);
	/* what silence is worth is not asked here */
	add(line, "--no-controls");
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
static int take_device(struct planted *planted, const struct child_device *device)
{
	struct child_device *known = &planted->header.device;

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
	struct child_device device = {0};
	struct child_result result;
	int r;

	add(line, NULL);
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
		add(line, planted->names[i]);
}

static int run_named(struct trial *trial, uint64_t seed, double budget)
{
	struct line line;

	begin_line(&line, trial->planted, seed, budget);
	add_names(&line, trial->planted);
	return run_line(trial, &line);
}

int planted_run_none(struct planted *planted, struct plant_outcome *outcome)
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

static double left(const struct trial *trial)
{
	double gone = trial->started > 0 ? oclmm_clock() - trial->started : 0;

	return trial->planted->options.seconds - gone;
}

static bool is_over(const struct trial *trial)
{
	return process_interrupted || left(trial) < LEAST_SECONDS ||
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
		add(line, trial->planted->tests[i].pattern);
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

	for (bool all = false; status == 0 && !all && !is_over(trial); stride /= TIMES) {
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

	begin_line(&line, planted, planted->options.seed, left(trial) / 2);
	while (added < enough && (i = next_shortest(trial, taken)) != SIZE_MAX) {
		taken[i] = true;
		add(&line, planted->tests[i].pattern);
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
 * may be in the harness, and has all. What is left of the time belongs to the
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
	for (int stage = 0; stage <= (int)last && status == 0 && !is_over(trial); stage++)
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
	for (double budget = AGAIN_SECONDS; status == 0 && !is_over(trial); budget *= 2)
		status = run_again(trial, last, planted->options.seed + ++again,
		                   budget < left(trial) ? budget : left(trial));
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

void planted_run_plant(struct planted *planted, struct plant_outcome *outcome)
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

void planted_prepare_tests(struct planted *planted)
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

size_t planted_leave_out(struct planted *planted, const struct plant_outcome *unplanted)
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

int planted_tell_able(struct planted *planted)
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
