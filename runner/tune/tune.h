// SPDX-License-Identifier: Apache-2.0
/*
 * The search for good environments, apart from devices: what `tune` does with one shape.
 *
 * May see: run.
 */
#ifndef OCLMM_RUNNER_TUNE_TUNE_H
#define OCLMM_RUNNER_TUNE_TUNE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/profile.h"

/* ---- a race between arms ---- */

/*
 * A race between candidates whose rates are known only from counts: which one
 * to try next, which one is beaten, and whether the device has changed since.
 * Knows nothing of environments or devices; docs/tuning.md has the reasons.
 *
 * A pull of an arm counts events in a time. Its count is taken as Poisson, or
 * wider than that by a factor that is estimated from how far successive pulls
 * of one arm differ. Each arm has an interval for its rate at every moment; all
 * of them together hold with probability 1 - delta, so that the best arm is
 * dropped at most that often while the device stays as it is.
 */
enum tune_state {
	TUNE_ACTIVE,
	TUNE_BEATEN, /**< its interval lay below the best one's */
	TUNE_FAILED, /**< it cannot be pulled */
};

struct tune_pull {
	double count;
	double seconds;
};

/** One candidate. Read only; tune_bandit_take() fills it. */
struct tune_arm {
	enum tune_state state;
	double count, seconds; /**< of all pulls that still count */
	struct tune_pull *pulls;
	size_t pull_count, pull_capacity;
	double peak; /**< its rate when the device last changed */
};

struct tune_bandit {
	double delta;
	struct tune_arm *arms;
	size_t count, capacity;
	unsigned epoch; /**< how often the device changed */
	double differences,
		difference_count; /**< squared and relative, of successive pulls of one arm */
};

struct tune_interval {
	double rate, lower, upper;
};

/** `delta`: probability that any interval misses its rate at any time. */
void tune_bandit_init(struct tune_bandit *bandit, double delta);
void tune_bandit_finish(struct tune_bandit *bandit);
/** Admits another arm. \return its index. */
size_t tune_bandit_add(struct tune_bandit *bandit);
/**
 * \return the arm to pull next: those never pulled first, then the one with
 * the highest rate or its strongest rival, whichever is known worse. -1 when no
 * arm can be pulled.
 */
long tune_bandit_next(const struct tune_bandit *bandit);
/**
 * Takes the count of a pull, and drops the arms that are beaten.
 * \return whether the device has changed: the best arm's rate is no longer what
 * it was. Then what was counted before does not count any more, and the best
 * arms so far, dropped or not, race anew.
 */
bool tune_bandit_take(struct tune_bandit *bandit, size_t arm, double count, double seconds);
/** An arm that cannot be pulled is out for good. */
void tune_bandit_fail(struct tune_bandit *bandit, size_t arm);

/** \return the arm with the highest rate among the active ones that were pulled, or -1. */
long tune_bandit_best(const struct tune_bandit *bandit);
size_t tune_bandit_active(const struct tune_bandit *bandit);
/** Whether no rival's interval reaches higher than (1 + slack) times the best one's lower end. */
bool tune_bandit_decided(const struct tune_bandit *bandit, double slack);

/**
 * \name Bounds for the mean of a Poisson count
 * The largest and the smallest mean m with m - k + k ln(k/m) <= level: by
 * Chernoff's bound either one misses the true mean with probability at most
 * exp(-level).
 * @{
 */
double tune_mean_upper(double count, double level);
double tune_mean_lower(double count, double level);
/** @} */

/* ---- a race between environments ---- */

/*
 * The search for good environments of one test: the defaults and drawn ones
 * race, and what wins has descendants that race with it, until the time is up.
 * What it means to run an environment is the caller's.
 */
/** One environment and what came of it. */
struct tune_candidate {
	struct oclmm_environment environment;
	const char *origin; /**< "default", "drawn", "mutated" or "given" */
	double weak, instances,
		seconds; /**< of all its runs, whatever the race has forgotten since */
};

/** What one run of an environment gave. */
struct tune_sample {
	double weak, instances;
	double seconds; /**< of running */
	double cost;    /**< the same with all that was around it: comes off the race's time */
};

/** How a run of an environment ended. */
enum tune_ended {
	TUNE_RAN,
	TUNE_CANDIDATE_LOST, /**< this environment does not work here */
	TUNE_OVER,           /**< no environment can be run any more */
};

struct tune_race {
	/* given */
	const struct oclmm_device_info *info;
	const struct oclmm_kernel_plan *plan;
	uint64_t seed;
	double seconds; /**< of cost, for all */
	uint32_t drawn; /**< environments drawn at the start */
	double delta;   /**< probability of dropping the best, while the device stays as it is */
	enum tune_ended (*run)(void *data, const struct oclmm_environment *environment,
	                       double seconds, struct tune_sample *ret_sample);
	void *data;
	/* found */
	struct tune_bandit bandit;
	struct tune_candidate *candidates; /**< parallel to the bandit's arms */
	size_t count, capacity;
	double spent;
	double weak; /**< in all */
	double first, third,
		twelfth; /**< cost until so many weak outcomes were seen; negative: never */
	unsigned lost, drifts;
	unsigned settled; /* runs of known candidates since there were new ones */
};

/** Starts with environments that are known, usually the defaults. The caller has filled what is
 * given. */
void tune_race_init(struct tune_race *race, const struct oclmm_environment_set *known,
                    const char *origin);
void tune_race_finish(struct tune_race *race);
/** \return TUNE_RAN, or TUNE_OVER when a run said so. */
enum tune_ended tune_race_run(struct tune_race *race);
/**
 * The best environment and those close behind it: at most `most`, none with
 * less than `share` of its rate. \return how many; 0 where nothing weak was seen.
 */
uint32_t tune_race_winners(const struct tune_race *race, uint32_t most, double share,
                           struct oclmm_environment_set *ret_set);
/** Candidates that ran, and those of them that showed a weak outcome. */
void tune_race_showing(const struct tune_race *race, uint64_t *ret_ran, uint64_t *ret_showing);

#endif
