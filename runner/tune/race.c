// SPDX-License-Identifier: Apache-2.0
#include "race.h"

#include <stdlib.h>
#include <string.h>

#include "profile/candidates.h"

/* A race has time for a few hundred runs, each long enough for a few launches. */
enum { RUNS = 300 };
static const double SLICE_LEAST = 0.005, SLICE_MOST = 0.2;
/*
 * When so few are left, or so many runs have gone into telling good ones apart,
 * the best have descendants: so many at a time.
 */
enum { FEW = 3, SETTLING = 8, LITTER = 8, PARENTS = 3, CANDIDATES_MOST = 2000 };
/* Good enough: nothing left can be better by more than this. */
static const double SLACK = 0.05;

void tune_race_admit(struct tune_race *race, const struct oclmm_environment *environment,
                     const char *origin)
{
	oclmm_grow(&race->candidates, &race->capacity, race->count, sizeof(*race->candidates));
	race->candidates[race->count++] = (struct tune_candidate){.environment = *environment,
	                                                          .origin = origin};
	tune_bandit_add(&race->bandit);
}

static void draw(struct tune_race *race)
{
	struct oclmm_environment fresh = oclmm_environment_draw(
		oclmm_random(race->seed, race->count), race->info, race->plan);

	tune_race_admit(race, &fresh, "drawn");
}

void tune_race_init(struct tune_race *race, const struct oclmm_environment_set *known,
                    const char *origin)
{
	tune_bandit_init(&race->bandit, race->delta);
	race->first = race->third = race->twelfth = -1;
	for (uint32_t i = 0; i < known->count; i++)
		tune_race_admit(race, &known->environments[i], origin);
	for (uint32_t i = 0; i < race->drawn; i++)
		draw(race);
}

void tune_race_finish(struct tune_race *race)
{
	tune_bandit_finish(&race->bandit);
	free(race->candidates);
	race->candidates = NULL;
	race->count = race->capacity = 0;
}

/* ---- descendants ---- */

static double rate_of(const struct tune_race *race, size_t index)
{
	const struct tune_arm *arm = &race->bandit.arms[index];

	return arm->seconds > 0 && arm->state != TUNE_FAILED ? arm->count / arm->seconds : 0;
}

/* The best ones so far, best first; those that the race dropped may still be good parents. */
static size_t find_best(const struct tune_race *race, size_t most, size_t *ret_best)
{
	size_t found = 0;

	for (size_t i = 0; i < race->count; i++) {
		size_t at = found < most ? found : most;

		if (rate_of(race, i) <= 0)
			continue;
		while (at > 0 && rate_of(race, i) > rate_of(race, ret_best[at - 1])) {
			if (at < most)
				ret_best[at] = ret_best[at - 1];
			at--;
		}
		if (at < most)
			ret_best[at] = i;
		found += found < most;
	}
	return found;
}

/* One in four is drawn, lest all descend from an ancestor that was only the first. */
static void breed(struct tune_race *race)
{
	size_t best[PARENTS], count = find_best(race, PARENTS, best);

	race->settled = 0;
	for (int i = 0; i < LITTER; i++) {
		uint64_t key = oclmm_random(race->seed, race->count);
		const struct oclmm_environment *parent;
		struct oclmm_environment child;

		if (count == 0 || i % 4 == 3) {
			draw(race);
			continue;
		}
		parent = &race->candidates[best[(size_t)i % count]].environment;
		child = oclmm_environment_mutate(key, parent,
		                                 &race->candidates[best[key % count]].environment,
		                                 race->info, race->plan);
		if (memcmp(&child, parent, sizeof(child)) == 0)
			draw(race);
		else
			tune_race_admit(race, &child, "mutated");
	}
}

static bool wants_more(const struct tune_race *race)
{
	if (race->count >= CANDIDATES_MOST || tune_bandit_next(&race->bandit) < 0)
		return race->count < CANDIDATES_MOST;
	for (size_t i = 0; i < race->count; i++) {
		if (race->bandit.arms[i].state == TUNE_ACTIVE &&
		    race->bandit.arms[i].pull_count == 0)
			return false;
	}
	/* where nothing weak was seen, nothing is beaten; then new ones are worth more than old
	 * ones again */
	return race->weak <= 0 || race->settled >= SETTLING ||
	       tune_bandit_active(&race->bandit) <= FEW ||
	       tune_bandit_decided(&race->bandit, SLACK);
}

/* ---- running ---- */

static void note_times(struct tune_race *race, double before, const struct tune_sample *sample)
{
	const double marks[] = {1, 3, 12};
	double *times[] = {&race->first, &race->third, &race->twelfth};

	/* within a run they are taken to come evenly */
	for (size_t i = 0; i < OCLMM_COUNT(marks); i++) {
		double missing = marks[i] - race->weak;

		if (*times[i] < 0 && missing <= sample->weak)
			*times[i] = before + sample->cost - sample->seconds +
			            sample->seconds * (missing > 0 ? missing / sample->weak : 0);
	}
}

static enum tune_ended run_one(struct tune_race *race, size_t index, double slice)
{
	struct tune_candidate *candidate = &race->candidates[index];
	struct tune_sample sample = {0};
	enum tune_ended ended = race->run(race->data, &candidate->environment, slice, &sample);
	double before = race->spent;

	race->settled += race->bandit.arms[index].pull_count > 0;
	race->spent += sample.cost;
	if (ended == TUNE_CANDIDATE_LOST) {
		race->lost++;
		tune_bandit_fail(&race->bandit, index);
	}
	if (ended != TUNE_RAN)
		return ended;
	note_times(race, before, &sample);
	candidate->weak += sample.weak;
	candidate->instances += sample.instances;
	candidate->seconds += sample.seconds;
	race->weak += sample.weak;
	race->drifts += tune_bandit_take(&race->bandit, index, sample.weak, sample.seconds);
	return TUNE_RAN;
}

enum tune_ended tune_race_run(struct tune_race *race)
{
	double slice = race->seconds / RUNS;

	slice = slice < SLICE_LEAST ? SLICE_LEAST : slice > SLICE_MOST ? SLICE_MOST : slice;
	while (race->spent < race->seconds) {
		long next;

		if (wants_more(race))
			breed(race);
		next = tune_bandit_next(&race->bandit);
		if (next < 0)
			break;
		if (run_one(race, (size_t)next, slice) == TUNE_OVER)
			return TUNE_OVER;
	}
	return TUNE_RAN;
}

/* ---- what came of it ---- */

/* The candidate whose interval begins highest, so that one lucky run does not win; -1 for none. */
static long find_surest(const struct tune_race *race, const bool *taken, double *ret_lower)
{
	long found = -1;

	for (size_t i = 0; i < race->count; i++) {
		double lower;

		if (taken[i] || rate_of(race, i) <= 0)
			continue;
		lower = tune_bandit_interval(&race->bandit, i).lower;
		if (found < 0 || lower > *ret_lower) {
			found = (long)i;
			*ret_lower = lower;
		}
	}
	return found;
}

uint32_t tune_race_winners(const struct tune_race *race, uint32_t most, double share,
                           struct oclmm_environment_set *ret_set)
{
	bool *taken = oclmm_calloc(race->count + 1, sizeof(*taken));
	double best = 0, lower = 0;
	uint32_t count = 0;

	while (count < most && count < OCLMM_ENVIRONMENTS_MAX) {
		long next = find_surest(race, taken, &lower);

		if (next < 0 || rate_of(race, (size_t)next) < share * best ||
		    lower < share * best / 2)
			break;
		taken[next] = true;
		best = count ? best : rate_of(race, (size_t)next);
		ret_set->environments[count++] = race->candidates[next].environment;
	}
	free(taken);
	ret_set->count = count;
	return count;
}

void tune_race_showing(const struct tune_race *race, uint64_t *ret_ran, uint64_t *ret_showing)
{
	uint64_t ran = 0, showing = 0;

	for (size_t i = 0; i < race->count; i++) {
		ran += race->candidates[i].seconds > 0;
		showing += race->candidates[i].weak > 0;
	}
	*ret_ran = ran;
	*ret_showing = showing;
}
