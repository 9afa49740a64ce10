// SPDX-License-Identifier: Apache-2.0
/*
 * `planted`: one plant after the other, and the matrix of what became of them. Each part sees those
 * before it:
 *
 *     equivalents.h      plants that cannot show on some devices
 *     outcome.h          what became of a plant, and the score of all
 *     causes.h           what survivors have in common
 *     matrix.h           all of it as JSON Lines, written and read back
 *     shown.h            the same for people
 *     known_machine.h    what a machine hides
 *     able.h             which tests can show a plant, by the model
 *     planted.h          the data that all parts below have in common
 *     trial.h            runs of a plant, in child processes
 *     found.h            which test found such a bug before
 *     quiet.h            whether the machine shows anything where nothing orders
 *     listed_plant.h     the tests of a plant of the table
 *     drawn_plant.h      the tests of one that was drawn
 *     score.h            every plant in its turn
 *     cmd_planted.c      all of it
 *
 * May see: process, select, plant, control.
 */
#ifndef OCLMM_RUNNER_PLANTED_PLANTED_H
#define OCLMM_RUNNER_PLANTED_PLANTED_H

#include <limits.h>
#include <sys/utsname.h>

#include "able.h"
#include "cli/cli.h"
#include "select/select.h"
#include "select/shard.h"
#include "shown.h"

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
	const char *machine; /* NULL: the device's */
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
	uint64_t drawn;     /* bugs that are drawn with the seed */
	uint64_t seed;
	struct shard shard; /* of the plants; count 0: all */
	bool drawn_only;    /* all choices were drawn */
	bool able;          /* only says which tests can show what */
	bool all, each, json, list, table;
};

/* A test that found a bug, whatever its words were. */
struct finding {
	enum plant_bug bug;
	size_t test;
};

/* What all plants of a command share. */
struct planted {
	const struct command *command;
	struct planted_options options;
	struct selection selection;
	struct concerned *tests; /* those of the selection */
	char **names;            /* as given on the line, or none */
	int name_count;
	bool as_named; /* a file is among them: only its path says which tests are meant */
	struct equivalents equivalents;
	bool in_baseline[PLANT_COUNT];
	struct matrix_saved saved; /* what was there when a matrix is gone on with */
	struct matrix_header header;
	struct matrix_output output;
	uint64_t loosened_lines; /* that were written or read */
	double started;          /* clock */
	char program[PATH_MAX], layer[PATH_MAX];
	struct utsname machine;
	struct machine machine_known; /* what the device's code is known to be like */
	bool machine_asked;
	struct finding *findings;
	size_t finding_count, finding_capacity;
};

#endif
