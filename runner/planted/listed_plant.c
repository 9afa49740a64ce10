// SPDX-License-Identifier: Apache-2.0
/* The tests of a plant of the table, in stages. */
#include "listed_plant.h"

#include <stdlib.h>
#include <string.h>

#include "process/process.h"

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

void listed_look(struct trial *trial)
{
	struct planted *planted = trial->planted;

	for (size_t i = 0; i < planted->selection.count && !process_interrupted; i++) {
		trial->concerns[i] = planted->tests[i].left_out
		                             ? CONCERN_NONE
		                             : concern_of(&trial->outcome->plant,
		                                          &planted->tests[i],
		                                          planted_model(planted));
		trial->counts[trial->concerns[i]]++;
	}
	trial->outcome->able = trial->counts[CONCERN_ABLE_SC] + trial->counts[CONCERN_ABLE];
	trial->outcome->concerned = planted->selection.count - trial->counts[CONCERN_NONE];
	trial->outcome->hopeless = is_hopeless(trial);
}

/* Neighbours are of one family and see much the same, or lose their counts alike. So where there
 * are many, a few from everywhere come first, then some more of them, then the rest. */
static int run_spread(struct trial *trial, enum concern concern)
{
	enum { FEW = 24, TIMES = 4 };
	size_t stride = trial->counts[concern] / FEW;
	bool *taken = oclmm_calloc(trial->planted->selection.count + 1, sizeof(*taken));
	int status = 0;

	for (bool all = false; status == 0 && !all && !trial_is_over(trial); stride /= TIMES) {
		all = stride < TIMES;
		status = trial_run_some(trial, concern, concern, trial->planted->options.seed, 0,
		                        all ? 1 : stride, taken);
	}
	free(taken);
	return status;
}

/* Once more, with other random choices; all of them where a file was named. */
static int run_again(struct trial *trial, enum concern last, uint64_t seed, double budget)
{
	if (trial->planted->as_named)
		return trial_run_named(trial, seed, budget);
	return trial_run_some(trial, CONCERN_ABLE_SC, last, seed, budget, 1, NULL);
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

/* On CPUs one test in four has an environment with wide groups: of eight tests hardly none has. */
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

	line_begin(&line, planted, planted->options.seed, trial_time_left(trial) / 2);
	while (added < enough && (i = next_shortest(trial, taken)) != SIZE_MAX) {
		taken[i] = true;
		line_add_test(&line, planted, i);
		added++;
	}
	free(taken);
	if (added > 0)
		return trial_run(trial, &line);
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

/* The bug acts in some groups, work-items or launches only, or by chance. */
static bool is_scattered(enum plant_bug bug)
{
	return bug >= PLANT_GROUP_RELAXED && bug <= PLANT_RARE_SPLIT;
}

static int run_first(struct trial *trial, enum concern last)
{
	int status = 0;

	if (trial->planted->as_named)
		return trial_run_named(trial, trial->planted->options.seed, 0);
	if (is_scattered(trial->outcome->plant.bug))
		status = run_shortest(trial);
	for (int stage = 0; stage <= (int)last && status == 0 && !trial_is_over(trial); stage++)
		status = run_spread(trial, (enum concern)stage);
	return status;
}

void listed_run(struct trial *trial)
{
	const struct planted *planted = trial->planted;
	const struct plant_outcome *outcome = trial->outcome;
	enum concern last = last_stage(trial);
	int status = run_first(trial, last);

	if (outcome->kills.count > 0 || outcome->equivalent || !plant_outcome_touched(outcome) ||
	    (outcome->concerned == 0 && !planted->as_named))
		return;
	/* rounds that grow: what a busy machine hid in a short run shows soon */
	for (double budget = AGAIN_SECONDS; status == 0 && !trial_is_over(trial); budget *= 2)
		status = run_again(trial, last, planted->options.seed + ++trial->again,
		                   budget < trial_time_left(trial) ? budget
		                                                   : trial_time_left(trial));
}
