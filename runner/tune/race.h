// SPDX-License-Identifier: Apache-2.0
/**
 * \file
 * The search for good environments of one test: the defaults and drawn ones
 * race, and what wins has descendants that race with it, until the time is up.
 * What it means to run an environment is the caller's.
 */
#ifndef OCLMM_RUNNER_TUNE_RACE_H
#define OCLMM_RUNNER_TUNE_RACE_H

#include "bandit.h"
#include "profile/set.h"

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
/** Adds one more. */
void tune_race_admit(struct tune_race *race, const struct oclmm_environment *environment,
                     const char *origin);
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
