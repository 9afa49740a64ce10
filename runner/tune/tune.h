// SPDX-License-Identifier: Apache-2.0
/*
 * oclmm tune, from its options to its table.
 *
 * May see: run.
 */
#ifndef OCLMM_RUNNER_TUNE_TUNE_H
#define OCLMM_RUNNER_TUNE_TUNE_H

#include <jansson.h>

#include "race.h"
#include "run/choose.h"

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
		twelfth; /* seconds of searching until so many were seen; negative: never */
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

/* tuning_select.c: tests or shapes by name; none: the usual ones. Returns 0 or the status to leave
 * with. */
int tuning_select(const struct command *command, struct selection *selection, char **names,
                  int count);
/* Leaves one test for each shape, the weakest: others of the shape are served by what it finds. */
void tuning_reduce(struct selection *selection);

/* tuning_one.c: tunes the shape of a chosen test. */
void tuning_one(struct tuning *tuning, size_t index);
/* tuning_trial.c: a child that runs one environment after the other. */
struct tuning_trial;
struct tuning_trial *tuning_trial_create(struct tuning *tuning, struct run_item *item,
                                         struct tuning_result *result);
void tuning_trial_destroy(struct tuning_trial *trial);
/* For struct tune_race; `data` is a trial. */
enum tune_ended tuning_trial_run(void *data, const struct oclmm_environment *environment,
                                 double seconds, struct tune_sample *ret_sample);
/* The same with several in turn, and at least so many instances. */
enum tune_ended tuning_trial_set(struct tuning_trial *trial,
                                 const struct oclmm_environment_set *set, uint64_t instances,
                                 double seconds, struct tune_sample *ret_sample);

/* tuning_print.c */
void tuning_print_head(const struct tuning *tuning);
void tuning_print_result(const struct tuning_result *result);
/* The rates of the environments that a race began with, or that were given, as JSON. */
json_t *tuning_known(const struct tune_race *race);
/* One line of JSON. Returns 0 or a negative errno value. */
int tuning_write_result(struct tuning *tuning, const struct tuning_result *result);
void tuning_print_profiles(const struct tuning *tuning);
void tuning_print_tests(struct tuning *tuning);

#endif
