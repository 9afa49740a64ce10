// SPDX-License-Identifier: Apache-2.0
/* The kill matrix as JSON Lines: written, and read back. */
#ifndef OCLMM_RUNNER_PLANTED_MATRIX_H
#define OCLMM_RUNNER_PLANTED_MATRIX_H

#include <jansson.h>
#include <stdio.h>

#include "outcome.h"

/* The device, as a run names it in its first line. */
struct matrix_device {
	char platform[128], device[128], driver[128], version[128];
};

/* What holds for all plants of a matrix. */
struct matrix_header {
	const char *tool;
	struct matrix_device device;
	const char *machine; /* as uname has it */
	const char *profile; /* or NULL */
	const char *claims;
	uint64_t seed;
	uint64_t instances; /* asked per test; 0: the default of a run */
	double seconds;     /* at most, per plant */
	size_t tests;       /* chosen */
	size_t plants;      /* chosen, too */
	bool all;           /* plants are not stopped at the first kill */
};

/* What a test showed where nothing orders, in all runs so far. */
struct loosened {
	const char *plant; /* nothing-orders, or nothing-orders:scopes */
	const char *test;
	const char *sizes; /* of launches; "": any */
	uint64_t instances, seen;
	bool unknown; /* it could not be run to the end */
};

/* One line each: `planted`, `plant`, `score`, `without-order`. */
void matrix_write_head(struct oclmm_text *text, const struct matrix_header *header);
void matrix_write_plant(struct oclmm_text *text, const struct plant_outcome *outcome);
/* `status` is that of the program. */
void matrix_write_score(struct oclmm_text *text, const struct plant_score *score, int status);
void matrix_write_loosened(struct oclmm_text *text, const struct loosened *loosened);

/* The file that lines are added to, if any. */
struct matrix_output {
	FILE *file;
	int failed; /* the errno value with which it took no more, or 0 */
};

/* Writes into the file, until that takes no more; drops the text. */
void matrix_output_add(struct matrix_output *output, struct oclmm_text *text);

/* ---- read back --------------------------------------------------------- */

struct matrix_saved {
	struct matrix_header header;
	struct plant_outcome *outcomes; /* the run without a plant comes first */
	struct equivalent *equivalents; /* what the outcomes refer to, one each */
	size_t count, capacity;
	struct loosened *loosened;
	size_t loosened_count, loosened_capacity;
	void *lines; /* what all strings belong to */
};

/*
 * Reads one that is whole or was cut short: a half last line is left out, and so is the score,
 * which follows from the plants. Returns 0; -EINVAL with a position; another errno value where the
 * file cannot be read.
 */
int matrix_read(const char *path, struct oclmm_error *error, struct matrix_saved *ret_saved);
void matrix_saved_finish(struct matrix_saved *saved);
/* What became of a choice before; NULL: it is still to be tried. */
const struct plant_outcome *matrix_saved_find(const struct matrix_saved *saved, const char *choice);
/* The sum of all lines that are alike; of a new one `plant` and `test` stay the caller's. */
struct loosened *matrix_loosened(struct matrix_saved *saved, const char *plant, const char *test,
                                 const char *sizes);
/* From the line that a run begins with, or that a matrix does. */
void matrix_take_device(struct matrix_device *device, json_t *line);

#endif
