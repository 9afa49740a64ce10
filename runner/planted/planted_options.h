// SPDX-License-Identifier: Apache-2.0
/* The options of `oclmm planted`. */
#ifndef OCLMM_RUNNER_PLANTED_PLANTED_OPTIONS_H
#define OCLMM_RUNNER_PLANTED_PLANTED_OPTIONS_H

#include "cli/cli.h"
#include "plant/plant.h"
#include "select/shard.h"

/* A choice as it was given. */
struct planted_choice {
	char text[PLANT_CHOICE];
	struct plant plant;
};

/* Owns its choices. */
struct planted_options {
	struct planted_choice *choices;
	size_t choice_count, choice_capacity;
	const char *profile;
	const char *device;
	const char *claims;
	const char *instances; /* as given, for the runs */
	uint64_t instance_count;
	const char *output;
	const char *baseline;
	const char *equivalents;
	const char *resume; /* goes on with this file, and writes there */
	const char *render; /* shows this file again, and runs nothing */
	double seconds;     /* of one plant */
	double budget;      /* of all; 0: as long as it takes */
	uint64_t seed;
	struct shard shard; /* of the plants; count 0: all */
	bool able;          /* only says which tests can show what */
	bool all, each, json, list, table;
};

extern const struct option_spec planted_option_specs[];
/* Every plant, where none was named; those of the shard. */
void planted_options_complete(struct planted_options *options);
void planted_options_finish(struct planted_options *options);

#endif
