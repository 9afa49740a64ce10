// SPDX-License-Identifier: Apache-2.0
/* A trial of a plant: runs of tests in child processes, with the layer in place. */
#ifndef OCLMM_RUNNER_PLANTED_TRIAL_H
#define OCLMM_RUNNER_PLANTED_TRIAL_H

#include "planted.h"

/* What one test came to, in all runs of a trial. */
struct tally {
	uint64_t instances, seen;
	bool skipped, broken;
};

/* A plant and where it stands. */
struct trial {
	struct planted *planted;
	struct plant_outcome *outcome;
	enum concern *concerns; /* by test */
	double *shares;         /* of a drawn one, by test: struct concerned.share */
	size_t counts[CONCERN_COUNT];
	double started;        /* clock at which the plant's first test was launched; 0: not yet */
	bool unhurried;        /* what a run waits for its own first launch is not counted either */
	double seconds;        /* it has this time */
	bool goes_on;          /* what it shows ends no run */
	uint64_t again;        /* how often tests were run again, for other random choices */
	struct tally *tallies; /* by test, or NULL */
};

/* The first of the rounds that a plant gets which was not killed at once. */
enum { AGAIN_SECONDS = 2 };

/* With room for what is said of each test. */
void trial_begin(struct trial *trial, struct planted *planted, struct plant_outcome *outcome);
void trial_finish(struct trial *trial);
double trial_time_left(const struct trial *trial);
/* It is killed, unless all kills are asked for, or too little time is left for a run. */
bool trial_is_over(const struct trial *trial);

/* A command line of `oclmm run`; words are borrowed but for these three. */
enum { SIZES_SIZE = 32 };
struct line {
	char **words;
	size_t count, capacity;
	char seed[24], budget[32], sizes[SIZES_SIZE];
};

/* `budget` 0: as long as it takes. */
void line_begin(struct line *line, const struct planted *planted, uint64_t seed, double budget);
/* In launches in which the plant acts, only. */
void line_add_sizes(struct line *line, const struct plant *plant);
void line_add_test(struct line *line, const struct planted *planted, size_t test);
/*
 * Launches in which a rule acts that is of some sizes of them: other launches would take its time,
 * and few tests have an environment of each size on a CPU, whose compiler has to know. Empty: any.
 */
const char *sizes_of(const struct plant *plant, char ret_sizes[SIZES_SIZE]);

/* Runs it, and frees its words. Returns 0, or the status to leave with when no run of any plant
 * will do better; so do those below. */
int trial_run(struct trial *trial, struct line *line);
/* The tests as they were named. */
int trial_run_named(struct trial *trial, uint64_t seed, double budget);
/* One test; `plant`: in the launches in which it acts. */
int trial_run_alone(struct trial *trial, size_t test, const struct plant *plant);
/* Every so many of the tests of some concerns, but for those that are taken; NULL: none is. */
int trial_run_some(struct trial *trial, enum concern from, enum concern to, uint64_t seed,
                   double budget, size_t stride, bool *taken);

/* Where all is drawn, only tests that kill have to be clean without a plant, and only those that
 * do not end under one have to end without: each is run by itself when it does (check_tests()). */
bool is_one_by_one(const struct planted *planted);
/* Where no device was asked, that of most devices. */
enum oclmm_model planted_model(const struct planted *planted);

#endif
