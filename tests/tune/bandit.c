// SPDX-License-Identifier: Apache-2.0
/* The race on devices whose rates are known, over many seeds. */

#include "../fixture/test.h"

#include <math.h>

#include "device_simulated.h"
#include "tune/tune.h"

enum { SEEDS = 200, ARMS = 12 };
static const double DELTA = 0.1;

/* ---- bounds ---- */

/* P(X <= count) for a Poisson mean, term by term. */
static double below_or_at(int count, double mean)
{
	double sum = 0;

	for (int i = 0; i <= count; i++)
		sum += exp(i * log(mean) - mean - lgamma(i + 1.0));
	return sum;
}

static bool is_close(double a, double b)
{
	return fabs(a - b) <= 1e-6 * (1 + fabs(b));
}

/* At a bound, the count that was seen or one further out has at most the probability promised. */
TEST(bounds_hold)
{
	for (int count = 0; count <= 400; count = count * 3 / 2 + 1) {
		for (double level = 0.5; level < 40; level *= 1.7) {
			double upper = tune_mean_upper(count, level),
			       lower = tune_mean_lower(count, level);

			assert_true(upper > count && lower <= count && lower >= 0);
			assert_true(below_or_at(count, upper) <= exp(-level) * 1.0001);
			if (count > 0) {
				assert_true(1 - below_or_at(count - 1, lower) <=
				            exp(-level) * 1.0001 + 1e-12);
				/* they solve their equation: they are no wider than need be */
				assert_true(is_close(upper - count + count * log(count / upper),
				                     level));
				assert_true(is_close(lower - count + count * log(count / lower),
				                     level));
			}
		}
	}
	assert_true(tune_mean_upper(0, 3) == 3);
	assert_true(tune_mean_lower(0, 3) == 0);
}

/* ---- races ---- */

struct outcome {
	bool dropped_best;
	long winner;
	double seconds;
	bool drifted;
};

static size_t find_true_best(const double *rates)
{
	size_t best = 0;

	for (size_t i = 1; i < ARMS; i++)
		best = rates[i] > rates[best] ? i : best;
	return best;
}

/* `after` takes over from `rates` when half of the pulls are done. */
static struct outcome race(const double *rates, const double *after, double noise, uint64_t seed,
                           int pulls, double slack)
{
	struct simulated device = {.key = oclmm_random_derive(seed, "race"), .noise = noise};
	struct outcome outcome = {.winner = -1};
	struct tune_bandit bandit;

	tune_bandit_init(&bandit, DELTA);
	for (size_t i = 0; i < ARMS; i++)
		tune_bandit_add(&bandit);
	for (int i = 0; i < pulls; i++) {
		long arm = tune_bandit_next(&bandit);
		const double *now = after && i >= pulls / 2 ? after : rates;
		double seconds = 0.05;

		assert_true(arm >= 0 && arm < ARMS);
		assert_int_equal(bandit.arms[arm].state, TUNE_ACTIVE);
		outcome.seconds += seconds;
		outcome.drifted |= tune_bandit_take(&bandit, (size_t)arm,
		                                    simulated_count(&device, now[arm], seconds),
		                                    seconds);
		if (slack >= 0 && tune_bandit_decided(&bandit, slack))
			break;
	}
	outcome.dropped_best = bandit.arms[find_true_best(after ? after : rates)].state ==
	                       TUNE_BEATEN;
	outcome.winner = tune_bandit_best(&bandit);
	tune_bandit_finish(&bandit);
	return outcome;
}

/* Drawn so that they spread over three decades, as those of environments do; some are silent. */
static void draw_rates(uint64_t seed, double scale, double *ret_rates)
{
	struct simulated device = {.key = oclmm_random_derive(seed, "rates")};

	for (size_t i = 0; i < ARMS; i++) {
		ret_rates[i] = scale * pow(10, -3 * simulated_uniform(&device));
		if (simulated_uniform(&device) < 0.3 && i > 0)
			ret_rates[i] = 0;
	}
}

/* Every arm for as long as the race had, one after the other: slow, and hard to get wrong. */
static size_t exhaust(const double *rates, double noise, uint64_t seed, double seconds)
{
	struct simulated device = {.key = oclmm_random_derive(seed, "exhaust"), .noise = noise};
	double best = -1;
	size_t found = 0;

	for (size_t i = 0; i < ARMS; i++) {
		double sum = 0;

		for (double spent = 0; spent < seconds; spent += 0.05)
			sum += simulated_count(&device, rates[i], 0.05);
		if (sum > best) {
			best = sum;
			found = i;
		}
	}
	return found;
}

static void check_races(double scale, double noise)
{
	int dropped = 0, poor = 0, worse = 0, drifted = 0;

	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		double rates[ARMS];
		struct outcome outcome;
		size_t slow;

		draw_rates(seed, scale, rates);
		outcome = race(rates, NULL, noise, seed, 400, 0.05);
		slow = exhaust(rates, noise, seed, outcome.seconds);
		dropped += outcome.dropped_best;
		drifted += outcome.drifted;
		assert_true(outcome.winner >= 0);
		poor += rates[outcome.winner] < 0.9 * rates[find_true_best(rates)];
		worse += rates[outcome.winner] < 0.9 * rates[slow];
	}
	/* three standard deviations above what delta allows */
	assert_in_range(dropped, 0, (int)(SEEDS * DELTA + 3 * sqrt(SEEDS * DELTA)));
	assert_in_range(poor, 0, (int)(SEEDS * DELTA + 3 * sqrt(SEEDS * DELTA)));
	/* the reference had twelve times the time */
	assert_in_range(worse, 0, (int)(SEEDS * DELTA + 3 * sqrt(SEEDS * DELTA)));
	assert_in_range(drifted, 0, (int)(SEEDS * DELTA + 3 * sqrt(SEEDS * DELTA)));
}

TEST(finds_the_best_of_frequent_ones)
{
	check_races(1e8, 0);
}

TEST(finds_the_best_of_rare_ones)
{
	check_races(200, 0);
}

TEST(finds_the_best_on_an_unsteady_device)
{
	check_races(1e6, 0.3);
}

/* All alike: nothing is dropped, and no drift seen, more often than delta says, however long it
 * goes on. */
TEST(drops_nothing_among_equals)
{
	double rates[ARMS];
	int dropped = 0, drifted = 0;

	for (size_t i = 0; i < ARMS; i++)
		rates[i] = 1000;
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct outcome outcome = race(rates, NULL, 0, seed, 500, -1);

		dropped += outcome.dropped_best;
		drifted += outcome.drifted;
	}
	assert_in_range(dropped, 0, (int)(SEEDS * DELTA + 3 * sqrt(SEEDS * DELTA)));
	assert_in_range(drifted, 0, (int)(SEEDS * DELTA + 3 * sqrt(SEEDS * DELTA)));
}

/* What is beaten gets few pulls: a race of unequal arms must not take as long as one of equal
 * ones. */
TEST(stops_what_is_beaten)
{
	double rates[ARMS] = {1e6};
	struct tune_bandit bandit;
	struct simulated device = {.key = 5};

	for (size_t i = 1; i < ARMS; i++)
		rates[i] = 1e5;
	tune_bandit_init(&bandit, DELTA);
	for (size_t i = 0; i < ARMS; i++)
		tune_bandit_add(&bandit);
	for (int i = 0; i < 200; i++) {
		long arm = tune_bandit_next(&bandit);

		tune_bandit_take(&bandit, (size_t)arm, simulated_count(&device, rates[arm], 0.05),
		                 0.05);
	}
	assert_int_equal(tune_bandit_active(&bandit), 1);
	assert_int_equal(bandit.arms[0].state, TUNE_ACTIVE);
	assert_true(tune_bandit_decided(&bandit, 0));
	/* they are a tenth as good, so that a few pulls decide */
	for (size_t i = 1; i < ARMS; i++)
		assert_in_range(bandit.arms[i].pull_count, 1, 12);
	tune_bandit_finish(&bandit);
}

TEST(notices_that_the_device_changed)
{
	double before[ARMS], after[ARMS];
	int noticed = 0, found = 0;

	for (size_t i = 0; i < ARMS; i++)
		before[i] = after[i] = 1e5 / (double)(i + 2);
	before[3] = 1e6;
	after[3] = 1e4;
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct outcome outcome = race(before, after, 0.1, seed, 400, -1);

		noticed += outcome.drifted;
		found += outcome.winner == 0;
	}
	assert_in_range(noticed, (int)(SEEDS * (1 - DELTA)), SEEDS);
	/* arm 0 is the best then, and was out before */
	assert_in_range(found, (int)(SEEDS * (1 - DELTA)), SEEDS);
}

TEST(failed_arms_are_out)
{
	struct tune_bandit bandit;

	tune_bandit_init(&bandit, DELTA);
	assert_int_equal(tune_bandit_next(&bandit), -1);
	assert_int_equal(tune_bandit_best(&bandit), -1);
	tune_bandit_add(&bandit);
	tune_bandit_add(&bandit);
	assert_int_equal(tune_bandit_next(&bandit), 0);
	tune_bandit_fail(&bandit, 0);
	assert_int_equal(tune_bandit_next(&bandit), 1);
	tune_bandit_take(&bandit, 1, 10, 0.1);
	assert_int_equal(tune_bandit_best(&bandit), 1);
	tune_bandit_fail(&bandit, 1);
	assert_int_equal(tune_bandit_next(&bandit), -1);
	assert_int_equal(tune_bandit_active(&bandit), 0);
	tune_bandit_finish(&bandit);
}
