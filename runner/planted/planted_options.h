// SPDX-License-Identifier: Apache-2.0
/* The options of `oclmm planted`. */
#ifndef OCLMM_RUNNER_PLANTED_PLANTED_OPTIONS_H
#define OCLMM_RUNNER_PLANTED_PLANTED_OPTIONS_H

#include "cli/cli.h"
#include "saboteur/saboteur.h"

/* A choice as it was given. */
struct planted_choice {
	char text[80];
	struct saboteur_plant plant;
};

enum { PLANTED_CHOICES = 512 };

struct planted_options {
	struct planted_choice choices[PLANTED_CHOICES];
	size_t choice_count;
	const char *profile;
	const char *device;
	const char *claims;
	const char *instances; /* as given, for the runs */
	uint64_t instance_count;
	const char *output;
	const char *baseline;
	const char *equivalents;
	double seconds;
	uint64_t seed;
	bool all, each, json, list;
};

extern const struct option_spec planted_option_specs[];
/* An option_handler; `data` is the options. */
int planted_options_set(void *data, int index, const char *value);
/* Every plant, where none was named. */
void planted_options_complete(struct planted_options *options);

#endif
