// SPDX-License-Identifier: Apache-2.0
/* One shape: search, compare what was found with the defaults, keep it if it is better. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "profile/candidates.h"
#include "tune.h"

/* Of the time of a shape, so much is for the search; the rest compares. */
static const double SEARCH_SHARE = 0.8;
/* Probability that the search drops the best while the device stays as it is. */
static const double DELTA = 0.05;
/* A profile holds the best environment and others close behind it: variants of the shape may prefer
 * those. */
enum { WINNERS = 3 };
static const double WINNERS_SHARE = 0.8;
/* The tuned and the default ones run in turn, so often, each at least so long. */
enum { COMPARISONS = 5, WAITS = 3, WAIT_RUNS = 20 };
static const double COMPARISON_LEAST = 0.05;
/* A shape that breaks in its first run gets another first run. */
enum { WARM_UPS = 2 };

static int compare_numbers(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static double median(double *values, size_t count)
{
	qsort(values, count, sizeof(*values), compare_numbers);
	return values[count / 2];
}

static enum tune_ended compare(struct tuning_trial *trial,
                               const struct oclmm_environment_set *defaults,
                               struct tuning_result *result, double seconds)
{
	double weak[2][COMPARISONS], instances[2][COMPARISONS];

	for (int i = 0; i < 2 * COMPARISONS; i++) {
		struct tune_sample sample = {0};
		enum tune_ended ended = tuning_trial_set(trial, i % 2 ? defaults : &result->set, 0,
		                                         seconds, &sample);

		if (ended != TUNE_RAN)
			return ended;
		weak[i % 2][i / 2] = sample.weak / sample.seconds;
		instances[i % 2][i / 2] = sample.instances / sample.seconds;
	}
	result->tuned = (struct tuning_figures){median(weak[0], COMPARISONS),
	                                        median(instances[0], COMPARISONS)};
	result->defaults = (struct tuning_figures){median(weak[1], COMPARISONS),
	                                           median(instances[1], COMPARISONS)};
	return TUNE_RAN;
}

/* Runs just long enough for three, by the share that was seen, until there are twelve. */
static enum tune_ended wait_once(struct tuning_trial *trial, const struct tuning_result *result,
                                 double *ret_three, double *ret_twelve)
{
	uint64_t instances = (uint64_t)(3 * result->tuned.instances / result->tuned.weak) + 1;
	double weak = 0, seconds = 0;

	*ret_three = *ret_twelve = -1;
	for (int i = 0; i < WAIT_RUNS && weak < 12; i++) {
		struct tune_sample sample = {0};
		enum tune_ended ended = tuning_trial_set(trial, &result->set, instances, 0,
		                                         &sample);

		if (ended != TUNE_RAN)
			return ended;
		weak += sample.weak;
		seconds += sample.seconds;
		if (*ret_three < 0 && weak >= 3)
			*ret_three = seconds;
	}
	if (weak >= 12)
		*ret_twelve = seconds;
	return TUNE_RAN;
}

static enum tune_ended measure_waits(struct tuning_trial *trial, struct tuning_result *result,
                                     double most)
{
	double three[WAITS], twelve[WAITS];

	/* so rare that waiting would take longer than the search did */
	if (12 / result->tuned.weak * WAITS > most)
		return TUNE_RAN;
	for (int i = 0; i < WAITS; i++) {
		enum tune_ended ended = wait_once(trial, result, &three[i], &twelve[i]);

		if (ended != TUNE_RAN)
			return ended;
	}
	result->to_three = median(three, WAITS);
	result->to_twelve = median(twelve, WAITS);
	return TUNE_RAN;
}

/* ---- the profile ---- */

static void keep(struct tuning *tuning, const struct run_item *item, struct tuning_result *result)
{
	const struct oclmm_device_info *info = tuning->run.context.device;
	struct oclmm_profile profile = {
		.seed = tuning->run.context.seed,
		.seconds = result->seconds,
		.candidates = result->candidates,
		.showing = result->showing,
		.weak = result->tuned.weak,
		.weak_default = result->defaults.weak,
		.instances = result->tuned.instances,
		.set = result->set,
	};
	int r;

	snprintf(profile.platform, sizeof(profile.platform), "%s", info->platform);
	snprintf(profile.device, sizeof(profile.device), "%s", info->name);
	snprintf(profile.driver, sizeof(profile.driver), "%s", info->driver);
	snprintf(profile.shape, sizeof(profile.shape), "%s", result->shape);
	snprintf(profile.test, sizeof(profile.test), "%s", item->record.program->name);
	snprintf(profile.date, sizeof(profile.date), "%s", item->started);
	r = oclmm_profile_write(tuning->folder, &profile, &result->path);
	if (r < 0) {
		snprintf(result->message, sizeof(result->message), "cannot write %.500s: %s",
		         result->path, strerror(-r));
		result->end = TUNING_FAILED;
	}
}

/* One from before that the defaults beat now does harm. */
static void drop_old(struct tuning *tuning, const struct tuning_result *result)
{
	for (size_t i = 0; i < tuning->profiles.count; i++) {
		const struct oclmm_profile *old = &tuning->profiles.profiles[i];

		if (strcmp(old->shape, result->shape) == 0 && unlink(old->path) == 0)
			options_error(tuning->run.command, "note: removed %s", old->path);
	}
}

/* ---- the search ---- */

static void admit(struct tune_race *race, const struct oclmm_profile *profile)
{
	for (uint32_t i = 0; profile && i < profile->set.count; i++) {
		struct oclmm_environment environment = profile->set.environments[i];

		/* another device's may be too large for this one */
		oclmm_environment_fit(&environment, race->info, race->plan);
		tune_race_admit(race, &environment, "given");
	}
}

/* What was found before, here or elsewhere, takes part: for this shape, or the nearest. */
static void admit_known(struct tuning *tuning, struct tune_race *race, const char *shape)
{
	admit(race, oclmm_profiles_find(&tuning->profiles, shape));
	for (size_t i = 0; i < tuning->options.with_count; i++)
		admit(race, oclmm_profiles_find(&tuning->with[i], shape));
}

static void take_race(const struct tune_race *race, struct tuning_result *result)
{
	tune_race_showing(race, &result->candidates, &result->showing);
	result->seconds = race->spent;
	result->first = race->first;
	result->third = race->third;
	result->twelfth = race->twelfth;
	result->lost = race->lost;
	result->drifts = race->drifts;
	for (size_t i = 0; i < race->count; i++) {
		result->instances_run += race->candidates[i].instances;
		result->weak_run += race->candidates[i].weak;
	}
}

/* The first run says whether the device takes the test at all, and compiles it. */
static enum tune_ended warm_up(struct tuning_trial *trial, const struct oclmm_environment_set *set)
{
	struct tune_sample ignored = {0};
	enum tune_ended ended = TUNE_CANDIDATE_LOST;

	for (int i = 0; i < WARM_UPS && ended == TUNE_CANDIDATE_LOST; i++)
		ended = tuning_trial_set(trial, set, 1, 0, &ignored);
	return ended;
}

static enum tune_ended search(struct tuning *tuning, struct tuning_trial *trial,
                              struct run_item *item, struct tuning_result *result)
{
	struct oclmm_kernel_plan plan;
	struct tune_race race = {
		.info = tuning->run.context.device,
		.plan = &plan,
		.seed = item->record.seed,
		.seconds = tuning->options.seconds * SEARCH_SHARE,
		.drawn = (uint32_t)tuning->options.environments,
		.delta = DELTA,
		.run = tuning_trial_run,
		.data = trial,
	};
	enum tune_ended ended;

	if (run_joint_plan(item->test->litmus, run_weakest(item->test->litmus, item->test->variant),
	                   &plan) < 0)
		return TUNE_OVER;
	tune_race_init(&race, &item->environments, "default");
	admit_known(tuning, &race, result->shape);
	ended = tune_race_run(&race);
	take_race(&race, result);
	result->known = tuning_known(&race);
	tune_race_winners(&race, WINNERS, WINNERS_SHARE, &result->set);
	tune_race_finish(&race);
	return ended;
}

static enum tune_ended tune(struct tuning *tuning, struct tuning_trial *trial,
                            struct run_item *item, struct tuning_result *result)
{
	double seconds = tuning->options.seconds * (1 - SEARCH_SHARE);
	enum tune_ended ended = warm_up(trial, &item->environments);

	if (ended == TUNE_RAN)
		ended = search(tuning, trial, item, result);
	if (ended != TUNE_RAN)
		return ended;
	result->end = TUNING_SILENT;
	if (result->set.count == 0)
		return ended;
	ended = compare(trial, &item->environments, result,
	                fmax(seconds / (2 * COMPARISONS), COMPARISON_LEAST));
	if (ended == TUNE_RAN && result->tuned.weak > 0)
		ended = measure_waits(trial, result, seconds);
	if (ended == TUNE_RAN)
		result->end = result->tuned.weak > result->defaults.weak ? TUNING_WRITTEN
		                                                         : TUNING_DEFAULTS;
	return ended;
}

void tuning_one(struct tuning *tuning, size_t index)
{
	struct run *run = &tuning->run;
	struct tuning_result *result = &tuning->results[index];
	struct run_item *item = &run->items[index];
	struct tuning_trial *trial;

	result->end = TUNING_NOT_APPLICABLE;
	result->first = result->third = result->twelfth = result->to_three = result->to_twelve = -1;
	run_item_prepare(item, &run->context, result->test, run_expected_of(run, index));
	if (!item->job.space || item->environments.count == 0) {
		snprintf(result->message, sizeof(result->message), "%s",
		         item->record.message ? item->record.message
		                              : "it cannot be run on a device");
		return;
	}
	trial = tuning_trial_create(tuning, item, result);
	if (!trial) {
		result->end = TUNING_FAILED;
		return;
	}
	if (tune(tuning, trial, item, result) == TUNE_CANDIDATE_LOST)
		result->end = TUNING_FAILED;
	tuning_trial_destroy(trial);
	if (tuning->options.dry)
		return;
	if (result->end == TUNING_WRITTEN)
		keep(tuning, item, result);
	else if (result->end == TUNING_DEFAULTS)
		drop_old(tuning, result);
}
