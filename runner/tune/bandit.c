// SPDX-License-Identifier: Apache-2.0
#include "bandit.h"

#include <math.h>
#include <stdlib.h>

#include "oclmm/base.h"

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

static double rate_of(const struct tune_arm *arm)
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

struct tune_interval tune_bandit_interval(const struct tune_bandit *bandit, size_t arm)
{
	double spread = spread_of(bandit);

	return (struct tune_interval){
		.rate = rate_of(&bandit->arms[arm]),
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
		    (best < 0 || rate_of(arm) > rate_of(&bandit->arms[best])))
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
		if (bandit->arms[i].state == TUNE_ACTIVE && rate_of(&bandit->arms[i]) > floor)
			floor = fmax(floor, lower_of(bandit, i, spread));
	}
	for (size_t i = 0; i < bandit->count; i++) {
		if (bandit->arms[i].state == TUNE_ACTIVE && rate_of(&bandit->arms[i]) < floor &&
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
	double n = (double)arm->pull_count, rate = rate_of(arm), count = 0, seconds = 0, worst = 0;
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

static void forget(struct tune_arm *arm, size_t first)
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
			arm->peak = rate_of(arm);
		forget(arm, i == changed ? first : arm->pull_count);
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
