// SPDX-License-Identifier: Apache-2.0
/* The race between environments, and the arithmetic by which one of them beats another. */
#include "tune.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "oclmm/base.h"
#include "profile/candidates.h"

/* ---- bounds for the mean of a count ---- */

/*
 * Both bounds are count · exp(y) with exp(y) - 1 - y = level / count: one
 * solution above 0 and one below. Bisection, because it cannot leave the bracket.
 */
enum { STEPS = 44 };

static double excess(double y)
{
	return expm1(y) - y;
}

/* Between `near`, where the excess is below the goal, and `far`, where it is not. */
static double solve(double near, double far, double goal)
{
	for (int i = 0; i < STEPS; i++) {
		double middle = (near + far) / 2;

		if (excess(middle) < goal)
			near = middle;
		else
			far = middle;
	}
	return far;
}

double tune_mean_upper(double count, double level)
{
	/* exp(y) - 1 - y is at least exp(y) / 2 - 1/2 from y = 2 on */
	return count > 0 ? count * exp(solve(0, 2 + log1p(2 * level / count), level / count))
	                 : level;
}

double tune_mean_lower(double count, double level)
{
	/* exp(y) - 1 - y is at least -y - 1 */
	return count > 0 ? count * exp(solve(0, -level / count - 1, level / count)) : 0;
}

/* ---- arms and their pulls ---- */

/* Of the arms that once were in front, so many race anew on a device that changed. */
enum { REOPENED = 8 };
/* Before a spread is seen, pulls are taken to differ by a tenth, as if four differences had said
 * so. */
static const double ASSUMED_SPREAD = 0.01, ASSUMED_WEIGHT = 4;
/* Nothing is steadier than this: a hundredth. */
static const double LEAST_SPREAD = 1e-4;
/* Counts below this say nothing of a spread beyond Poisson's. */
static const double TELLING_COUNT = 16;

void tune_bandit_init(struct tune_bandit *bandit, double delta)
{
	*bandit = (struct tune_bandit){.delta = delta};
}

void tune_bandit_finish(struct tune_bandit *bandit)
{
	for (size_t i = 0; i < bandit->count; i++)
		free(bandit->arms[i].pulls);
	free(bandit->arms);
	*bandit = (struct tune_bandit){0};
}

size_t tune_bandit_add(struct tune_bandit *bandit)
{
	oclmm_grow(&bandit->arms, &bandit->capacity, bandit->count, sizeof(*bandit->arms));
	bandit->arms[bandit->count] = (struct tune_arm){.state = TUNE_ACTIVE};
	return bandit->count++;
}

static double rate_of_arm(const struct tune_arm *arm)
{
	return arm->seconds > 0 ? arm->count / arm->seconds : 0;
}

/*
 * From the differences of successive pulls, not from the mean: a device that
 * drifts must not pass for one that is merely unsteady.
 */
static void add_difference(struct tune_bandit *bandit, const struct tune_pull *a,
                           const struct tune_pull *b)
{
	double rate_a = a->count / a->seconds, rate_b = b->count / b->seconds;
	double rate = (rate_a + rate_b) / 2, difference = rate_a - rate_b;
	double poisson = rate / a->seconds + rate / b->seconds;

	if (a->count < TELLING_COUNT || b->count < TELLING_COUNT)
		return;
	bandit->differences += (difference * difference - poisson) / (2 * rate * rate);
	bandit->difference_count += 1;
}

/* Square of the relative spread that pulls of one arm have beyond Poisson's. */
static double spread_of(const struct tune_bandit *bandit)
{
	double sum = ASSUMED_SPREAD * ASSUMED_WEIGHT + bandit->differences;
	double spread = sum / (ASSUMED_WEIGHT + bandit->difference_count);

	return spread > LEAST_SPREAD ? spread : LEAST_SPREAD;
}

/* How much wider than Poisson's a sum of `pulls` counts is. */
static double widening(double spread, double count, double pulls)
{
	return pulls > 0 ? 1 + spread * count / pulls : 1;
}

/*
 * The probabilities that an interval fails, over both ends, all arms, all
 * numbers of pulls and all epochs, sum up to delta: 1/n² over n gives π²/6.
 */
static double level_of(const struct tune_bandit *bandit, size_t arm)
{
	const double zeta = 1.6449340668482264;
	double a = (double)arm + 1, n = (double)bandit->arms[arm].pull_count,
	       e = bandit->epoch + 1.0;

	return log(2 * zeta * zeta * zeta * a * a * n * n * e * e / bandit->delta);
}

static double upper_of(const struct tune_bandit *bandit, size_t index, double spread)
{
	const struct tune_arm *arm = &bandit->arms[index];
	double factor = widening(spread, arm->count, (double)arm->pull_count);

	if (arm->pull_count == 0)
		return INFINITY;
	return tune_mean_upper(arm->count / factor, level_of(bandit, index)) * factor /
	       arm->seconds;
}

static double lower_of(const struct tune_bandit *bandit, size_t index, double spread)
{
	const struct tune_arm *arm = &bandit->arms[index];
	double factor = widening(spread, arm->count, (double)arm->pull_count);

	if (arm->pull_count == 0)
		return 0;
	return tune_mean_lower(arm->count / factor, level_of(bandit, index)) * factor /
	       arm->seconds;
}

static struct tune_interval interval_of(const struct tune_bandit *bandit, size_t arm)
{
	double spread = spread_of(bandit);

	return (struct tune_interval){
		.rate = rate_of_arm(&bandit->arms[arm]),
		.lower = lower_of(bandit, arm, spread),
		.upper = upper_of(bandit, arm, spread),
	};
}

long tune_bandit_best(const struct tune_bandit *bandit)
{
	long best = -1;

	for (size_t i = 0; i < bandit->count; i++) {
		const struct tune_arm *arm = &bandit->arms[i];

		if (arm->state == TUNE_ACTIVE && arm->pull_count > 0 &&
		    (best < 0 || rate_of_arm(arm) > rate_of_arm(&bandit->arms[best])))
			best = (long)i;
	}
	return best;
}

/* The active arm besides the best one that may be better than all others. */
static long find_rival(const struct tune_bandit *bandit, long best, double spread,
                       double *ret_upper)
{
	long rival = -1;

	for (size_t i = 0; i < bandit->count; i++) {
		double upper;

		if (bandit->arms[i].state != TUNE_ACTIVE || (long)i == best)
			continue;
		upper = upper_of(bandit, i, spread);
		if (rival < 0 || upper > *ret_upper) {
			rival = (long)i;
			*ret_upper = upper;
		}
	}
	return rival;
}

long tune_bandit_next(const struct tune_bandit *bandit)
{
	double upper = 0;
	long best, rival;

	for (size_t i = 0; i < bandit->count; i++) {
		if (bandit->arms[i].state == TUNE_ACTIVE && bandit->arms[i].pull_count == 0)
			return (long)i;
	}
	best = tune_bandit_best(bandit);
	rival = find_rival(bandit, best, spread_of(bandit), &upper);
	if (rival < 0 || best < 0)
		return best;
	return bandit->arms[best].seconds < bandit->arms[rival].seconds ? best : rival;
}

bool tune_bandit_decided(const struct tune_bandit *bandit, double slack)
{
	double spread = spread_of(bandit), upper = 0;
	long best = tune_bandit_best(bandit);

	if (best < 0)
		return false;
	if (find_rival(bandit, best, spread, &upper) < 0)
		return true;
	return upper <= (1 + slack) * lower_of(bandit, (size_t)best, spread);
}

size_t tune_bandit_active(const struct tune_bandit *bandit)
{
	size_t active = 0;

	for (size_t i = 0; i < bandit->count; i++)
		active += bandit->arms[i].state == TUNE_ACTIVE;
	return active;
}

static void drop_beaten(struct tune_bandit *bandit)
{
	double spread = spread_of(bandit), floor = 0;

	/* a bound lies on its side of the rate: most need not be worked out */
	for (size_t i = 0; i < bandit->count; i++) {
		if (bandit->arms[i].state == TUNE_ACTIVE && rate_of_arm(&bandit->arms[i]) > floor)
			floor = fmax(floor, lower_of(bandit, i, spread));
	}
	for (size_t i = 0; i < bandit->count; i++) {
		if (bandit->arms[i].state == TUNE_ACTIVE && rate_of_arm(&bandit->arms[i]) < floor &&
		    upper_of(bandit, i, spread) < floor)
			bandit->arms[i].state = TUNE_BEATEN;
	}
}

/* ---- drift ---- */

/* Of a count from its mean, as the bounds have it; 0 ln 0 is 0. */
static double divergence(double count, double mean)
{
	return mean - count + (count > 0 ? count * log(count / mean) : 0);
}

/*
 * Generalised likelihood ratio: how much better two rates, before and after
 * some pull, explain an arm's counts than one rate does.
 */
static bool find_change(const struct tune_bandit *bandit, const struct tune_arm *arm, double spread,
                        size_t *ret_first)
{
	double n = (double)arm->pull_count, rate = rate_of_arm(arm), count = 0, seconds = 0,
	       worst = 0;
	double factor = widening(spread, arm->count, n);

	if (arm->pull_count < 2 || rate <= 0)
		return false;
	for (size_t i = 0; i + 1 < arm->pull_count; i++) {
		double ratio;

		count += arm->pulls[i].count;
		seconds += arm->pulls[i].seconds;
		ratio = divergence(count, rate * seconds) +
		        divergence(arm->count - count, rate * (arm->seconds - seconds));
		if (ratio / factor > worst) {
			worst = ratio / factor;
			*ret_first = i + 1;
		}
	}
	return worst > (1 + 1 / n) * log(3 * n * sqrt(n) / bandit->delta);
}

static void forget_pulls(struct tune_arm *arm, size_t first)
{
	arm->count = arm->seconds = 0;
	for (size_t i = first; i < arm->pull_count; i++) {
		arm->pulls[i - first] = arm->pulls[i];
		arm->count += arm->pulls[i].count;
		arm->seconds += arm->pulls[i].seconds;
	}
	arm->pull_count -= first < arm->pull_count ? first : arm->pull_count;
}

static long highest_peak(const struct tune_bandit *bandit)
{
	long found = -1;

	for (size_t i = 0; i < bandit->count; i++) {
		const struct tune_arm *arm = &bandit->arms[i];

		if (arm->state == TUNE_BEATEN && arm->peak > 0 &&
		    (found < 0 || arm->peak > bandit->arms[found].peak))
			found = (long)i;
	}
	return found;
}

/* All counts but those of the changed arm after its change are of another device, so to speak. */
static void reopen(struct tune_bandit *bandit, size_t changed, size_t first)
{
	long next;

	bandit->epoch++;
	for (size_t i = 0; i < bandit->count; i++) {
		struct tune_arm *arm = &bandit->arms[i];

		if (arm->seconds > 0)
			arm->peak = rate_of_arm(arm);
		forget_pulls(arm, i == changed ? first : arm->pull_count);
		if (arm->state == TUNE_ACTIVE && i != changed)
			arm->state = TUNE_BEATEN;
	}
	for (int i = 1; i < REOPENED && (next = highest_peak(bandit)) >= 0; i++)
		bandit->arms[next].state = TUNE_ACTIVE;
}

bool tune_bandit_take(struct tune_bandit *bandit, size_t index, double count, double seconds)
{
	struct tune_arm *arm = &bandit->arms[index];
	bool was_best = tune_bandit_best(bandit) == (long)index;
	size_t first = 0;

	if (seconds <= 0)
		return false;
	oclmm_grow(&arm->pulls, &arm->pull_capacity, arm->pull_count, sizeof(*arm->pulls));
	arm->pulls[arm->pull_count++] = (struct tune_pull){count, seconds};
	if (arm->pull_count > 1)
		add_difference(bandit, &arm->pulls[arm->pull_count - 2],
		               &arm->pulls[arm->pull_count - 1]);
	arm->count += count;
	arm->seconds += seconds;
	if ((was_best || tune_bandit_best(bandit) == (long)index) &&
	    find_change(bandit, arm, spread_of(bandit), &first)) {
		reopen(bandit, index, first);
		return true;
	}
	drop_beaten(bandit);
	return false;
}

void tune_bandit_fail(struct tune_bandit *bandit, size_t arm)
{
	bandit->arms[arm].state = TUNE_FAILED;
}

/* ---- environments ---- */

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

static double rate_of_candidate(const struct tune_race *race, size_t index)
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

		if (rate_of_candidate(race, i) <= 0)
			continue;
		while (at > 0 &&
		       rate_of_candidate(race, i) > rate_of_candidate(race, ret_best[at - 1])) {
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

		if (taken[i] || rate_of_candidate(race, i) <= 0)
			continue;
		lower = interval_of(&race->bandit, i).lower;
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

		if (next < 0 || rate_of_candidate(race, (size_t)next) < share * best ||
		    lower < share * best / 2)
			break;
		taken[next] = true;
		best = count ? best : rate_of_candidate(race, (size_t)next);
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
