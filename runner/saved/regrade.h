// SPDX-License-Identifier: Apache-2.0
/* Saved records joined with the tests and expected sets of today. */
#ifndef OCLMM_RUNNER_SAVED_REGRADE_H
#define OCLMM_RUNNER_SAVED_REGRADE_H

#include "cli/cli.h"
#include "oclmm/report.h"
#include "select/select.h"

struct regrade {
	struct oclmm_results *results;
	struct selection selection;
	struct oclmm_record **records; /* one per saved test, ready for oclmm_grade() */
	size_t count;
	struct oclmm_expected_file *
		*expected; /* one per litmus file, NULL until needed and where there is none */
	bool *expected_read;
	struct oclmm_expected_file **computed; /* where expected/ had no fitting entry */
	size_t computed_count, computed_capacity;
};

/* Zero-initialise. Reads the results; returns 0 or the status to leave with. */
int regrade_read(struct regrade *regrade, const struct command *command, char **paths, int count,
                 bool partial);
/* Finds tests (`litmus` names files and folders, none means the suite) and their expected sets. */
int regrade_join(struct regrade *regrade, const struct command *command, char **litmus, int count);
/* The test of this name among those that regrade_join() found, or NULL. */
const struct chosen *regrade_find(const struct regrade *regrade, const char *name);
/* The day in UTC, as expectations have it. */
int32_t regrade_today(void);
/* Frees everything, the grades too. */
void regrade_finish(struct regrade *regrade);

#endif
