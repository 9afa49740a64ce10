// SPDX-License-Identifier: Apache-2.0
/* oclmm tune: looks for the environments in which a device shows most weak outcomes. */
#include "tune.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/json.h"
#include "oclmm/base.h"
#include "oclmm/grade.h"
#include "oclmm/report.h"
#include "profile/candidates.h"
#include "run/session.h"

/* ---- the race between environments ----------------------------------------- */

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

/* How many of the arms that once led race again on a device that changed. */
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

/** Adds one more. */
static void tune_race_admit(struct tune_race *race, const struct oclmm_environment *environment,
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

/* ---- the command ----------------------------------------------------------- */

enum { TUNING_WITH = 8 };

struct tuning_options {
	const char *with[TUNING_WITH]; /* profiles whose environments take part */
	size_t with_count;
	double seconds;        /* for each shape */
	uint64_t environments; /* drawn at the start */
	const char *output;    /* JSON Lines, or NULL */
	bool list, show;
	bool dry; /* write no profile */
};

/* Several runs of one set of environments. Medians, per second. */
struct tuning_figures {
	double weak, instances;
};

enum tuning_end {
	TUNING_WRITTEN,        /* better than the defaults: there is a profile */
	TUNING_DEFAULTS,       /* the defaults are as good */
	TUNING_SILENT,         /* nothing weak was seen */
	TUNING_NOT_APPLICABLE, /* the device or its compiler does not take the test */
	TUNING_FAILED,         /* it broke, or the profile cannot be written */
	TUNING_INTERRUPTED,
	TUNING_END_COUNT,
};

/* What came of one shape. */
struct tuning_result {
	const struct chosen *test;
	char shape[OCLMM_SHAPE_SIZE];
	enum tuning_end end;
	char message[640];
	double compile_seconds;
	double seconds; /* of searching */
	double first, third,
		twelfth; /* seconds of searching until they were seen; negative: never */
	uint64_t candidates, showing;
	unsigned lost, drifts;
	double instances_run, weak_run; /* in the search, in all */
	uint64_t forbidden;
	json_t *known; /* rates of the environments that were not drawn */
	struct oclmm_environment_set set;
	struct tuning_figures tuned, defaults;
	double to_three,
		to_twelve; /* seconds of running in the tuned ones; negative: not measured */
	char *path;        /* of the profile; malloc-ed or NULL */
};

struct tuning {
	struct run_session session; /* the devices there are, progress, what is allowed */
	struct run run; /* device, seed, selection: the tests that stand for the shapes */
	struct tuning_options options;
	char *folder;                            /* of the device's profiles, or NULL */
	struct oclmm_profiles profiles;          /* that are there already */
	struct oclmm_profiles with[TUNING_WITH]; /* from elsewhere */
	struct tuning_result *results;
	FILE *output;
};

/* ---- which tests ---- */

/* Which tests stand for the shapes to tune. */

/* The shapes of the literature, with relaxed operations: most tests of the suite strengthen one of
 * them. */
static char usual[] = "@(MP|SB|LB|R|S|2+2W|IRIW|WRC|RWC|ISA2|Z6.[0-5])+(+rlx)?(.shape=Z6_[1-5])";

static const char relaxed[] = "+(+rlx)";

static bool is_word(const char *argument)
{
	return !argument[strcspn(argument, "/*?[]()@!|")] && !strstr(argument, ".litmus");
}

/*
 * The pattern of a shape's relaxed test: `MP` stands for MP+rlx+rlx, `2+2W` for
 * 2+2W+rlx+rlx. Malloc-ed.
 */
static char *shape_pattern(const char *word)
{
	struct oclmm_text text = {0};

	oclmm_text_printf(&text, "%s%s", word, relaxed);
	return oclmm_text_steal(&text);
}

static bool names_a_variant(const struct selection *all, const char *word)
{
	for (size_t i = 0; i < all->count; i++) {
		if (strcmp(all->chosen[i].variant->name, word) == 0)
			return true;
	}
	return false;
}

/* Whether a shape's name begins some relaxed test of the suite. */
static bool names_a_shape(const struct selection *all, const char *word)
{
	size_t length = strlen(word);

	for (size_t i = 0; i < all->count; i++) {
		const char *name = all->chosen[i].variant->name;

		if (strncmp(name, word, length) == 0 && strncmp(name + length, "+rlx", 4) == 0)
			return true;
	}
	return false;
}

/* Tests or shapes by name; none: the usual ones. Returns 0 or the status to leave with. */
static int tuning_select(const struct command *command, struct selection *selection, char **names,
                         int count)
{
	char **arguments = oclmm_calloc((size_t)count + 1, sizeof(*arguments));
	struct selection all = {0};
	bool words = false;
	int status = 0;

	(void)command;
	for (int i = 0; i < count; i++)
		words |= is_word(names[i]);
	if (words)
		status = selection_make(&all, NULL, 0);
	for (int i = 0; i < count; i++) {
		bool shape = is_word(names[i]) && !names_a_variant(&all, names[i]) &&
		             names_a_shape(&all, names[i]);

		arguments[i] = shape ? shape_pattern(names[i]) : oclmm_strdup(names[i]);
	}
	if (count == 0)
		arguments[0] = oclmm_strdup(usual);
	selection_finish(&all);
	if (status == 0)
		status = selection_make(selection, arguments, count ? count : 1);
	for (int i = 0; i <= count; i++)
		free(arguments[i]);
	free(arguments);
	return status;
}

static bool has_shape(const struct chosen *chosen, size_t count, const char *shape)
{
	char other[OCLMM_SHAPE_SIZE];

	for (size_t i = 0; i < count; i++) {
		oclmm_shape(chosen[i].variant->program, other);
		if (strcmp(other, shape) == 0)
			return true;
	}
	return false;
}

/* Leaves one test for each shape, the weakest: others of the shape are served by what it finds. */
static void tuning_reduce(struct selection *selection)
{
	size_t kept = 0;

	for (size_t i = 0; i < selection->count; i++) {
		struct chosen chosen = selection->chosen[i];
		char shape[OCLMM_SHAPE_SIZE];

		chosen.variant = run_weakest(chosen.litmus, chosen.variant);
		oclmm_shape(chosen.variant->program, shape);
		if (!has_shape(selection->chosen, kept, shape))
			selection->chosen[kept++] = chosen;
	}
	selection->count = kept;
}

/* ---- trials of environments ---- */

/*
 * Runs one environment after the other in a child process. A child that dies or
 * hangs costs the environment that it ran, and a fresh one goes on.
 */

/* More failures than this, one behind the other, are not the environments' fault. */
enum { FAILURES_MOST = 5 };
/* Compiling that does not count, in times of what was asked for. */
static const double FORGIVEN_MOST = 2;

struct tuning_trial {
	struct tuning *tuning;
	struct run_item *item;
	struct tuning_result *result;
	struct oclmm_run_request job;
	struct worker *worker; /* NULL: none at the moment */
	uint64_t number;       /* of the run: each has a seed of its own */
	unsigned failures;     /* since the last run that went well */
	bool ran;              /* one did */
	double usual_compile;  /* seconds that a run takes to compile what it compiled before */
	double forgiven;       /* seconds of compiling that did not count */
};

/* A child that runs one environment after the other. */
static struct tuning_trial *tuning_trial_create(struct tuning *tuning, struct run_item *item,
                                                struct tuning_result *result)
{
	struct tuning_trial *trial = oclmm_calloc(1, sizeof(*trial));

	*trial = (struct tuning_trial){.tuning = tuning, .item = item, .result = result};
	return trial;
}

static void tuning_trial_destroy(struct tuning_trial *trial)
{
	if (!trial)
		return;
	worker_stop(trial->worker);
	free(trial);
}

static void set_message(struct tuning_result *result, const char *message)
{
	snprintf(result->message, sizeof(result->message), "%s", message);
	result->message[strcspn(result->message, "\n")] = '\0';
}

static enum tune_ended start_child(struct tuning_trial *trial)
{
	struct run *run = &trial->tuning->run;
	struct oclmm_error error = {0};

	if (worker_start_on(run->context.identity, &run->worker, &trial->job, 1, &error,
	                    &trial->worker) == 0)
		return TUNE_RAN;
	set_message(trial->result, error.message);
	trial->result->end = process_interrupted ? TUNING_INTERRUPTED : TUNING_FAILED;
	run->stopped = true;
	return TUNE_OVER;
}

static double count_weak(const struct oclmm_grade *grade)
{
	double weak = 0;

	for (uint32_t i = 0; i < grade->row_count; i++)
		weak += grade->rows[i].witness ? (double)grade->rows[i].count : 0;
	return weak;
}

/*
 * Drivers compile anew for each number of lanes, once; later searches and runs
 * do without. That is not the environment's cost, but it is not endless either.
 */
static double forgive(struct tuning_trial *trial)
{
	double compile = trial->item->record.counts.compile_seconds,
	       more = compile - trial->usual_compile;

	if (trial->number == 1 || more < 0)
		trial->usual_compile = compile;
	if (trial->number == 1 || more < trial->usual_compile ||
	    trial->forgiven + more > FORGIVEN_MOST * trial->tuning->options.seconds)
		return 0;
	trial->forgiven += more;
	return more;
}

/* What no environment may ever show: told at once, with all that repeats it. */
static void tell_forbidden(struct tuning_trial *trial, const struct oclmm_environment_set *set)
{
	struct oclmm_text text = {0};

	trial->result->forbidden += trial->item->record.grade.forbidden;
	progress_clear(&trial->tuning->session.progress);
	oclmm_environment_set_print(&text, set);
	options_error(trial->tuning->run.command,
	              "%s showed a forbidden outcome %s, with seed %llu; "
	              "to look closer: oclmm run --environment '%s' %s",
	              trial->item->record.program->name,
	              oclmm_counted(trial->item->record.grade.forbidden, "time").text,
	              (unsigned long long)trial->job.seed, oclmm_text_string(&text),
	              trial->item->record.program->name);
	oclmm_text_finish(&text);
}

static void take_sample(struct tuning_trial *trial, const struct oclmm_environment_set *set,
                        struct worker_result *result, struct tune_sample *ret_sample)
{
	struct run_item *item = trial->item;

	oclmm_grade_finish(&item->record.grade);
	run_item_take(item, result, 1);
	run_item_judge(item, &trial->tuning->run.context);
	trial->ran = true;
	trial->failures = 0;
	trial->result->message[0] = '\0';
	ret_sample->weak = count_weak(&item->record.grade);
	ret_sample->instances = (double)item->record.counts.instances;
	ret_sample->seconds = item->record.counts.seconds;
	trial->result->compile_seconds += item->record.counts.compile_seconds;
	if (item->record.grade.forbidden)
		tell_forbidden(trial, set);
}

/* The child is gone, or not to be trusted any more. */
static enum tune_ended fail_trial(struct tuning_trial *trial, const struct worker_result *result)
{
	struct tuning_result *to = trial->result;

	if (result->end == OCLMM_END_UNSUPPORTED || result->end == OCLMM_END_BUILD_FAILED) {
		if (trial->ran)
			return TUNE_CANDIDATE_LOST;
		set_message(to, result->message);
		to->end = TUNING_NOT_APPLICABLE;
		return TUNE_OVER;
	}
	worker_stop(trial->worker);
	trial->worker = NULL;
	if (result->end == OCLMM_END_INTERRUPTED) {
		to->end = TUNING_INTERRUPTED;
		return TUNE_OVER;
	}
	progress_clear(&trial->tuning->session.progress);
	options_error(trial->tuning->run.command, "note: %s: %s (%s); its environment is out",
	              trial->item->record.program->name, result->message,
	              oclmm_end_words(result->end));
	set_message(to, result->message);
	if (++trial->failures < FAILURES_MOST)
		return TUNE_CANDIDATE_LOST;
	to->end = TUNING_FAILED;
	return TUNE_OVER;
}

/* Runs several environments in turn, and at least so many instances. */
static enum tune_ended tuning_trial_set(struct tuning_trial *trial,
                                        const struct oclmm_environment_set *set, uint64_t instances,
                                        double seconds, struct tune_sample *ret_sample)
{
	const struct worker_group group = {.jobs = &(size_t){0}, .count = 1, .seconds = seconds};
	struct worker_result result = {0};
	double begin = oclmm_clock();
	enum tune_ended ended;
	size_t culprit;

	if (process_interrupted) {
		trial->result->end = TUNING_INTERRUPTED;
		return TUNE_OVER;
	}
	trial->job = trial->item->job;
	trial->job.environment = set->environments;
	trial->job.environment_count = set->count;
	trial->job.instances = instances;
	trial->job.seed = oclmm_random(trial->item->record.seed, trial->number++);
	ended = trial->worker ? TUNE_RAN : start_child(trial);
	if (ended == TUNE_RAN) {
		worker_run_group(trial->worker, &group, &result, &culprit);
		if (result.end == OCLMM_END_OK) {
			take_sample(trial, set, &result, ret_sample);
			begin += forgive(trial);
		} else {
			ended = fail_trial(trial, &result);
		}
		worker_result_finish(&result);
	}
	ret_sample->cost = oclmm_clock() - begin;
	return ended;
}

/* For struct tune_race; `data` is a trial. */
static enum tune_ended tuning_trial_run(void *data, const struct oclmm_environment *environment,
                                        double seconds, struct tune_sample *ret_sample)
{
	const struct oclmm_environment_set set = {.environments = {*environment}, .count = 1};

	return tuning_trial_set(data, &set, 0, seconds, ret_sample);
}

/* ---- what is said ---- */

static const char *const end_words[TUNING_END_COUNT] = {
	[TUNING_WRITTEN] = "tuned", [TUNING_DEFAULTS] = "defaults",
	[TUNING_SILENT] = "silent", [TUNING_NOT_APPLICABLE] = "skip",
	[TUNING_FAILED] = "failed", [TUNING_INTERRUPTED] = "interrupted",
};

/* Columns that the first word of a line takes, and the blank after it. */
enum { END = 11 + 1 };

/* `12.3 M`, or a dash for what was not measured; in a column. */
static void print_quantity(double number, int width)
{
	struct oclmm_text text = {0};

	if (number > 0 && number < 1000)
		oclmm_text_printf(&text, "%.3g", number);
	else if (number > 0)
		oclmm_report_quantity(&text, number);
	else
		oclmm_text_add(&text, "-");
	printf(" %*s", width, oclmm_text_string(&text));
	oclmm_text_finish(&text);
}

static void print_time(double seconds)
{
	if (seconds < 0)
		printf(" %8s", "-");
	else if (seconds < 1e-3)
		printf(" %5.3g us", seconds * 1e6);
	else if (seconds < 1)
		printf(" %5.3g ms", seconds * 1e3);
	else
		printf(" %5.3g s ", seconds);
}

static void print_device(const struct oclmm_device_info *info)
{
	cli_print_fitted("%s: %s, driver %s", oclmm_shown(info->platform).text,
	                 oclmm_shown(info->name).text, oclmm_shown(info->driver).text);
}

/* How it ended, which test, and why; what does not fit goes on below the test. */
static void print_end(const struct tuning_result *result)
{
	struct oclmm_shown name = oclmm_shown(result->test->variant->name);
	struct oclmm_shown message = oclmm_shown(result->message);
	struct oclmm_text line = {0}, fitted = {0};

	oclmm_text_printf(&line, "%-*s%s%s%s", END, end_words[result->end], name.text,
	                  *message.text ? "  " : "", message.text);
	oclmm_text_add_hung(&fitted, oclmm_text_string(&line), line.length, OCLMM_TEXT_WIDTH, END);
	printf("%s\n", oclmm_text_string(&fitted));
	oclmm_text_finish(&line);
	oclmm_text_finish(&fitted);
}

/* What the words and columns of the table mean; it is read while the search runs. */
static const struct {
	const char *word, *meaning;
} legend[] = {
	{"tuned", "better environments were found; oclmm run uses them from now on"},
	{"defaults", "nothing was found that is better than the default environments"},
	{"silent", "no environment showed a weak outcome"},
	{"skip", "the device cannot run the test"},
	{"weak/s", "weak outcomes per second, in the best environments"},
	{"default", "the same in the default environments"},
	{"ratio", "weak/s divided by default"},
	{"instances", "copies of the test that ran per second"},
	{"first", "how long the search took to see its first weak outcome"},
	{"showing", "environments that showed weak outcomes, of those that ran"},
	{"to 3", "running time until 3 weak outcomes were seen"},
	{"to 12", "the same until 12 were seen"},
	{"compiling", "time that went to the driver's compiler"},
};

static void tuning_print_head(const struct tuning *tuning)
{
	print_device(tuning->run.context.device);
	printf("seed %llu, %g s for each shape, plus the time to compile\n\n",
	       (unsigned long long)tuning->run.context.seed, tuning->options.seconds);
	for (size_t i = 0; i < sizeof(legend) / sizeof(legend[0]); i++)
		printf("  %-*s%s\n", END, legend[i].word, legend[i].meaning);
	putchar('\n');
	printf("%-*s%s\n", END, "", "test");
	printf(" %7s %7s %6s %9s %8s %9s %8s %8s %9s\n", "weak/s", "default", "ratio", "instances",
	       "first", "showing", "to 3", "to 12", "compiling");
	fflush(stdout);
}

static double instances_per_second(const struct tuning_result *result)
{
	return result->tuned.instances > 0
	               ? result->tuned.instances
	               : result->instances_run / (result->seconds > 0 ? result->seconds : 1);
}

static void print_figures(const struct tuning_result *result)
{
	char showing[48];

	print_quantity(result->tuned.weak, 7);
	print_quantity(result->defaults.weak, 7);
	if (result->defaults.weak > 0)
		printf(" %6.2f", result->tuned.weak / result->defaults.weak);
	else
		printf(" %6s", "-");
	print_quantity(instances_per_second(result), 9);
	print_time(result->first);
	snprintf(showing, sizeof(showing), "%llu/%llu", (unsigned long long)result->showing,
	         (unsigned long long)result->candidates);
	printf(" %9s", showing);
	print_time(result->to_three);
	print_time(result->to_twelve);
	putchar(' ');
	print_time(result->compile_seconds);
	putchar('\n');
}

static void tuning_print_result(const struct tuning_result *result)
{
	print_end(result);
	if (result->candidates > 0)
		print_figures(result);
	fflush(stdout);
}

/* ---- JSON Lines ---- */

static json_t *write_figures(const struct tuning_figures *write_figures)
{
	return json_pack("{s:f, s:f}", "weak", write_figures->weak, "instances",
	                 write_figures->instances);
}

static json_t *write_environments(const struct oclmm_environment_set *set)
{
	json_t *array = json_array();

	for (uint32_t i = 0; i < set->count; i++) {
		struct oclmm_text text = {0};

		oclmm_environment_brief(&text, &set->environments[i]);
		json_array_append_new(array, json_string(oclmm_text_string(&text)));
		oclmm_text_finish(&text);
	}
	return array;
}

/* Null where there was no time for it. */
static double per_second(double count, double seconds)
{
	return seconds > 0 ? count / seconds : -1;
}

/* The rates of the environments that a race began with, or that were given, as JSON. */
static json_t *tuning_known(const struct tune_race *race)
{
	json_t *array = json_array();

	for (size_t i = 0; i < race->count; i++) {
		const struct tune_candidate *candidate = &race->candidates[i];
		struct oclmm_text text = {0};
		json_t *object;

		if (strcmp(candidate->origin, "default") != 0 &&
		    strcmp(candidate->origin, "given") != 0)
			continue;
		oclmm_environment_brief(&text, &candidate->environment);
		object = json_object();
		json_put_text(object, "origin", candidate->origin);
		json_put_real(object, "weak", per_second(candidate->weak, candidate->seconds));
		json_put_real(object, "instances",
		              per_second(candidate->instances, candidate->seconds));
		json_put_printed(object, "environment", &text);
		json_array_append_new(array, object);
	}
	return array;
}

/* One line of JSON. Returns 0 or a negative errno value. */
static int tuning_write_result(struct tuning *tuning, const struct tuning_result *result)
{
	const struct oclmm_device_info *info = tuning->run.context.device;
	json_t *object = json_object();
	struct oclmm_text line = {0};
	int r;

	json_put_count(object, "format", 1);
	json_put_text(object, "platform", info->platform);
	json_put_text(object, "device", info->name);
	json_put_text(object, "driver", info->driver);
	json_put_text(object, "test", result->test->variant->name);
	json_put_text(object, "shape", result->shape);
	json_put_text(object, "end", end_words[result->end]);
	if (result->message[0])
		json_put_text(object, "message", result->message);
	json_put_real(object, "compile_seconds", result->compile_seconds);
	json_put_real(object, "seconds", result->seconds);
	json_put_count(object, "candidates", result->candidates);
	json_put_count(object, "showing", result->showing);
	json_put_count(object, "lost", result->lost);
	json_put_count(object, "drifts", result->drifts);
	json_put_real(object, "instances", result->instances_run);
	json_put_real(object, "weak", result->weak_run);
	json_put_count(object, "forbidden", result->forbidden);
	json_put_real(object, "to_first", result->first);
	json_put_real(object, "to_third", result->third);
	json_put_real(object, "to_twelfth", result->twelfth);
	json_object_set_new(object, "tuned", write_figures(&result->tuned));
	json_object_set_new(object, "default", write_figures(&result->defaults));
	json_put_real(object, "to_3", result->to_three);
	json_put_real(object, "to_12", result->to_twelve);
	json_object_set_new(object, "environments", write_environments(&result->set));
	json_object_set_new(object, "known",
	                    result->known ? json_incref(result->known) : json_array());
	json_print_line(&line, object);
	errno = 0;
	r = fputs(oclmm_text_string(&line), tuning->output) >= 0 ? fflush(tuning->output) : -1;
	if (r != 0)
		r = errno ? -errno : -EIO;
	oclmm_text_finish(&line);
	return r;
}

/* ---- --list and --show ---- */

static void tuning_print_profiles(const struct tuning *tuning)
{
	const struct oclmm_device_info *info = tuning->run.context.device;

	print_device(info);
	if (tuning->profiles.count == 0) {
		cli_print_fitted("no profiles in %s", oclmm_shown(tuning->folder).text);
		return;
	}
	cli_print_fitted("%s in %s", oclmm_counted(tuning->profiles.count, "profile").text,
	                 oclmm_shown(tuning->folder).text);
	printf("\n%-24s %s\n %7s %7s  %-20s  driver\n", "shape", "test", "weak/s", "default",
	       "date");
	for (size_t i = 0; i < tuning->profiles.count; i++) {
		const struct oclmm_profile *profile = &tuning->profiles.profiles[i];

		cli_print_fitted("%-24s %s", oclmm_shown(profile->shape).text,
		                 oclmm_shown(profile->test).text);
		print_quantity(profile->weak, 7);
		print_quantity(profile->weak_default, 7);
		printf("  %-20s  %s%s\n", oclmm_shown(profile->date).text,
		       oclmm_shown(profile->driver).text,
		       oclmm_profile_names(profile->driver, info->driver) ? ""
		                                                          : " (another one now)");
	}
}

static void tuning_print_tests(struct tuning *tuning)
{
	struct run *run = &tuning->run;

	run->environments.profiles = tuning->profiles;
	for (size_t i = 0; i < run->selection.count; i++) {
		const struct chosen *chosen = &run->selection.chosen[i];
		struct oclmm_environment_set set;
		const struct oclmm_profile *profile = run_environments_choose(&run->environments,
		                                                              run->context.device,
		                                                              chosen, &set);
		char shape[OCLMM_SHAPE_SIZE];

		oclmm_shape(chosen->variant->program, shape);
		printf("%s: shape %s, %s%s\n", oclmm_shown(chosen->variant->name).text, shape,
		       profile     ? "tuned: "
		       : set.count ? "the defaults"
		                   : "cannot be run",
		       oclmm_shown(profile ? profile->path : "").text);
		for (uint32_t k = 0; k < set.count; k++) {
			struct oclmm_text text = {0};

			oclmm_environment_brief(&text, &set.environments[k]);
			printf("    %s\n", oclmm_text_string(&text));
			oclmm_text_finish(&text);
		}
	}
	run->environments.profiles = (struct oclmm_profiles){0};
}

/* ---- one shape ---- */

/* One shape: search, compare what was found with the defaults, keep it if it is better. */

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

static enum tune_ended compare_with_defaults(struct tuning_trial *trial,
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

static enum tune_ended tune_shape(struct tuning *tuning, struct tuning_trial *trial,
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
	ended = compare_with_defaults(trial, &item->environments, result,
	                              fmax(seconds / (2 * COMPARISONS), COMPARISON_LEAST));
	if (ended == TUNE_RAN && result->tuned.weak > 0)
		ended = measure_waits(trial, result, seconds);
	if (ended == TUNE_RAN)
		result->end = result->tuned.weak > result->defaults.weak ? TUNING_WRITTEN
		                                                         : TUNING_DEFAULTS;
	return ended;
}

/* Tunes the shape of a chosen test. */
static void tuning_one(struct tuning *tuning, size_t index)
{
	struct run *run = &tuning->run;
	struct tuning_result *result = &tuning->results[index];
	struct run_item *item = &run->items[index];
	struct tuning_trial *trial;

	result->end = TUNING_NOT_APPLICABLE;
	result->first = result->third = result->twelfth = result->to_three = result->to_twelve = -1;
	run_item_prepare(item, &run->context, result->test, run_expected_of(run, index));
	if (process_interrupted) {
		result->end = TUNING_INTERRUPTED;
		return;
	}
	if (!item->job.space || item->environments.count == 0) {
		snprintf(result->message, sizeof(result->message), "%s",
		         item->record.message ? item->record.message
		                              : "it cannot be run on a device");
		return;
	}
	trial = tuning_trial_create(tuning, item, result);
	if (tune_shape(tuning, trial, item, result) == TUNE_CANDIDATE_LOST)
		result->end = TUNING_FAILED;
	tuning_trial_destroy(trial);
	if (tuning->options.dry)
		return;
	if (result->end == TUNING_WRITTEN)
		keep(tuning, item, result);
	else if (result->end == TUNING_DEFAULTS)
		drop_old(tuning, result);
}

/* ---- the command ---- */

/* oclmm tune: looks for the environments in which a device shows most weak outcomes. */

static const double DEFAULT_SECONDS = 10, DEFAULT_LIMIT = 30;
enum { DEFAULT_ENVIRONMENTS = 32, ENVIRONMENTS_MOST = 1000 };

static int set_environments(const char *option, const char *value, void *target)
{
	uint64_t *environments = target;

	if (option_number(option, value, environments))
		return OPTIONS_ERROR;
	return *environments <= ENVIRONMENTS_MOST ? 0
	                                          : option_refuse(option, value, "at most 1000");
}

static int set_output(const char *option, const char *value, void *ret_path)
{
	return option_file(option, value, ".jsonl", ret_path);
}

static int add_with(const char *option, const char *value, void *target)
{
	struct tuning *tuning = target;

	return option_append(option, value, tuning->options.with, &tuning->options.with_count,
	                     TUNING_WITH);
}

static const struct option_spec options[] = {
	RUN_DEVICE_OPTION(struct tuning, run.options.device),
	{"dry-run", 0, NULL, "write no profile", SETS_FLAG(struct tuning, options.dry)},
	{"environments", 0, "N", "drawn at the start, for each shape (default 32)",
         SETS_BY(set_environments, struct tuning, options.environments)},
	{"list", 0, NULL, "the profiles of the device; run nothing",
         SETS_FLAG(struct tuning, options.list)},
	RUN_NO_WAIT_OPTION(struct tuning, run.options.no_wait),
	{"output", 'o', "FILE", "write what was found there, too, a line of JSON for each shape",
         SETS_BY(set_output, struct tuning, options.output)},
	{"seconds", 0, "SECONDS", "for each shape, plus the time to compile (default 10)",
         SETS_SECONDS(struct tuning, options.seconds)},
	{"seed", 's', "N", "of all that is drawn (default: drawn, and printed)",
         SETS_BY(run_options_seed, struct tuning, run.options)},
	{"show", 0, NULL, "which environments oclmm run gives to tests; run nothing",
         SETS_FLAG(struct tuning, options.show)},
	{"timeout", 't', "SECONDS", "a driver silent for so long is ended (default 30)",
         SETS_SECONDS(struct tuning, run.options.limit)},
	RUN_WAIT_OPTION(struct tuning, run.options.wait),
	{"with", 0, "PATH", "profiles of another device, a file or a folder, take part",
         SETS(add_with)},
	{0},
};

/* ---- preparations ---- */

static int find_folder(struct tuning *tuning)
{
	struct oclmm_error error;
	int r;

	tuning->folder = oclmm_profile_folder(tuning->run.context.device);
	if (!tuning->folder && tuning->options.dry)
		return 0;
	if (!tuning->folder) {
		options_error(tuning->run.command,
		              "neither XDG_DATA_HOME nor HOME names a folder for profiles");
		return OCLMM_EXIT_INFRASTRUCTURE;
	}
	r = oclmm_profiles_add(&tuning->profiles, tuning->folder, &error);
	if (r < 0 && r != -ENOENT) {
		report_error(&error);
		return r == -EINVAL ? OCLMM_EXIT_USAGE : OCLMM_EXIT_INFRASTRUCTURE;
	}
	return 0;
}

static int read_with(struct tuning *tuning)
{
	struct oclmm_error error;

	for (size_t i = 0; i < tuning->options.with_count; i++) {
		if (oclmm_profiles_add(&tuning->with[i], tuning->options.with[i], &error) < 0)
			return report_error(&error);
	}
	return 0;
}

/* Found out now, and not after minutes of tuning. */
static int check_writable(struct tuning *tuning)
{
	int r;

	if (tuning->options.dry)
		return 0;
	r = oclmm_make_folders(tuning->folder);
	if (r == 0 && access(tuning->folder, W_OK | X_OK) < 0)
		r = -errno;
	if (r == 0)
		return 0;
	options_error(tuning->run.command, "cannot write to %s: %s", tuning->folder, strerror(-r));
	return OCLMM_EXIT_INFRASTRUCTURE;
}

static int open_output(struct tuning *tuning)
{
	if (!tuning->options.output)
		return 0;
	tuning->output = fopen(tuning->options.output, "we");
	if (tuning->output)
		return 0;
	options_error(tuning->run.command, "cannot open %s: %s", tuning->options.output,
	              strerror(errno));
	return OCLMM_EXIT_INFRASTRUCTURE;
}

/* ---- the whole ---- */

static int write_result(struct tuning *tuning, const struct tuning_result *result)
{
	int r;

	progress_clear(&tuning->session.progress);
	tuning_print_result(result);
	r = tuning->output ? tuning_write_result(tuning, result) : 0;
	if (r < 0)
		options_error(tuning->run.command, "cannot write %s: %s", tuning->options.output,
		              strerror(-r));
	return r < 0 ? OCLMM_EXIT_INFRASTRUCTURE : 0;
}

static void show_progress(void *data, double fraction)
{
	struct tuning *tuning = data;

	(void)fraction;
	progress_update(&tuning->session.progress, tuning->run.done, 0,
	                tuning->run.selection.chosen[tuning->run.done].variant->name);
}

/* 1 before 99 before 77: a forbidden outcome is never hidden. */
static int status_of(const struct tuning *tuning)
{
	bool forbidden = false, failed = false, any = false;

	for (size_t i = 0; i < tuning->run.selection.count; i++) {
		const struct tuning_result *result = &tuning->results[i];

		forbidden |= result->forbidden > 0;
		failed |= !result->test || result->end == TUNING_FAILED ||
		          result->end == TUNING_INTERRUPTED;
		any |= result->test && result->end != TUNING_NOT_APPLICABLE;
	}
	return forbidden ? OCLMM_EXIT_FORBIDDEN
	       : failed  ? OCLMM_EXIT_INFRASTRUCTURE
	       : any     ? 0
	                 : OCLMM_EXIT_NOTHING;
}

static int tune_all(struct tuning *tuning)
{
	struct run *run = &tuning->run;
	int worst = 0, status;

	tuning_print_head(tuning);
	progress_begin(&tuning->session.progress, run->selection.count);
	for (run->done = 0;
	     run->done < run->selection.count && !process_interrupted && !run->stopped;
	     run->done++) {
		struct tuning_result *result = &tuning->results[run->done];

		result->test = &run->selection.chosen[run->done];
		oclmm_shape(result->test->variant->program, result->shape);
		show_progress(tuning, 0);
		tuning_one(tuning, run->done);
		status = write_result(tuning, result);
		worst = status ? status : worst;
	}
	status = status_of(tuning);
	return status == OCLMM_EXIT_FORBIDDEN || !worst ? status : worst;
}

static void finish(struct tuning *tuning)
{
	struct run *run = &tuning->run;

	for (size_t i = 0; run->items && i < run->selection.count; i++)
		run_item_finish(&run->items[i]);
	for (size_t i = 0; tuning->results && i < run->selection.count; i++) {
		free(tuning->results[i].path);
		json_decref(tuning->results[i].known);
	}
	for (size_t i = 0; i < tuning->options.with_count; i++)
		oclmm_profiles_finish(&tuning->with[i]);
	free(run->items);
	free(tuning->results);
	free(tuning->folder);
	oclmm_profiles_finish(&tuning->profiles);
	run_environments_finish(&run->environments);
	oclmm_arena_destroy(run->context.arena);
	run_session_finish(&tuning->session);
	selection_finish(&run->selection);
	if (tuning->output)
		fclose(tuning->output);
}

static int work(struct tuning *tuning)
{
	struct run *run = &tuning->run;
	int status;

	if (tuning->options.list) {
		tuning_print_profiles(tuning);
		return 0;
	}
	if (tuning->options.show) {
		tuning_print_tests(tuning);
		return 0;
	}
	status = check_writable(tuning);
	if (status == 0)
		status = open_output(tuning);
	if (status)
		return status;
	run->worker.progress = show_progress;
	run->worker.data = tuning;
	run->items = oclmm_calloc(run->selection.count + 1, sizeof(*run->items));
	tuning->results = oclmm_calloc(run->selection.count + 1, sizeof(*tuning->results));
	return tune_all(tuning);
}

static int start(const struct command *command, int argc, char **argv)
{
	struct tuning tuning = {
		.run = {.session = &tuning.session,
	                .command = command,
	                .lock = -1,
	                .options.limit = DEFAULT_LIMIT},
		.options = {.seconds = DEFAULT_SECONDS, .environments = DEFAULT_ENVIRONMENTS},
	};
	struct run *run = &tuning.run;
	int first, status = options_parse(command, argc, argv, &tuning, &first);

	if (status)
		return status;
	if (tuning.options.list && (tuning.options.show || first < argc))
		return options_error(command, "--list takes no tests, and goes without --show");
	if (!tuning.options.list)
		status = tuning_select(command, &run->selection, argv + first, argc - first);
	if (status == 0)
		status = read_with(&tuning);
	if (status == 0)
		status = run_draw_seed(&tuning.run);
	if (status == 0 && !tuning.options.show)
		tuning_reduce(&run->selection);
	run->worker = (struct worker_options){.limit = run->options.limit};
	run->context.environments = &run->environments;
	run->context.arena = oclmm_arena_create();
	/* shapes that are done keep their profiles */
	process_catch_interrupts();
	if (status == 0)
		status = run_find_device(run);
	/* for looking only it may be in use */
	if (status == 0 && !tuning.options.list && !tuning.options.show)
		status = run_lock_device(run, run->context.identity, &run->lock);
	if (status == 0)
		status = find_folder(&tuning);
	if (status == 0)
		status = work(&tuning);
	finish(&tuning);
	return status;
}

const struct command command_tune = {
	.name = "tune",
	.arguments = "[FILE|DIR|PATTERN|SHAPE…]",
	.summary = "find the conditions in which a device shows most weak outcomes",
	.description = "A shape such as MP or 2+2W stands for its test with relaxed operations; of "
		       "tests with one\n"
		       "shape the weakest is run, and its profile serves all. Without names: MP SB "
		       "LB R S 2+2W\n"
		       "IRIW WRC RWC ISA2 Z6.0 to Z6.5. For each shape the default environments, "
		       "drawn ones and\n"
		       "descendants of the best race until the time is up; what is found is "
		       "compared with the\n"
		       "defaults and kept, if it is better, in $XDG_DATA_HOME/oclmm/profiles or\n"
		       "~/.local/share/oclmm/profiles. oclmm run uses it.\n\n"
		       "Exit status: 0 done; 1 a forbidden outcome was seen; 2 usage, or a file "
		       "that is refused;\n"
		       "77 nothing applicable; 99 a shape could not be tuned, or a profile "
		       "could not be written.",
	.options = options,
	.repeatable = "with",
	.one_of = (const char *const[]){"list output show", "no-wait wait", NULL},
	.run = start,
};
