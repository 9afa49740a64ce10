// SPDX-License-Identifier: Apache-2.0
/*
 * The runs of one plant.
 *
 * May see: process, select, plant, control.
 */
#ifndef OCLMM_RUNNER_PLANTED_PLANTED_H
#define OCLMM_RUNNER_PLANTED_PLANTED_H

#include <limits.h>
#include <stdio.h>
#include <sys/utsname.h>

#include "concern.h"
#include "matrix.h"
#include "planted_options.h"
#include "select/select.h"

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
	double started;            /* clock */
	char program[PATH_MAX], layer[PATH_MAX];
	struct utsname machine;
	struct matrix_header header;
	struct plant_score score;
	FILE *output;
	int failed;   /* the errno value with which it took no more, or 0 */
	bool unclean; /* tests of the run without a plant could not be run */
	size_t left;  /* plants that the budget did not suffice for */
	bool missed;  /* a plant that had to be killed was not */
};

/* Reads what --baseline names, if anything. Returns 0, or the status to leave with. */
int planted_read_baseline(struct planted *planted);
/*
 * The driver as it is, in one run of all tests; fills the header's device.
 * Returns 0, or the status to leave with: nothing could be run at all.
 */
int planted_run_none(struct planted *planted, struct plant_outcome *outcome);
/*
 * Leaves out the tests that showed something forbidden without a plant: what they show says
 * nothing of one. Returns their number; 0 as well where files were named, which run as a whole.
 */
size_t planted_leave_out(struct planted *planted, const struct plant_outcome *unplanted);
/* Takes the tests of the selection over, for planted_run_plant(). */
void planted_prepare_tests(struct planted *planted);
/*
 * Says for each plant how many tests can show it, and the first of them, and asks no device.
 * Returns 1 where one has none.
 */
int planted_tell_able(struct planted *planted);
/* One plant, until it is killed or its time is over. */
void planted_run_plant(struct planted *planted, struct plant_outcome *outcome);

#endif
