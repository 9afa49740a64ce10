// SPDX-License-Identifier: Apache-2.0
/* The kill matrix as text for people and as JSON Lines. */
#ifndef OCLMM_RUNNER_PLANTED_MATRIX_H
#define OCLMM_RUNNER_PLANTED_MATRIX_H

#include "child.h"
#include "outcome.h"

/* What holds for all plants of a matrix. */
struct matrix_header {
	const char *tool;
	struct child_device device;
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

/* The heading of the table. */
void matrix_head(struct oclmm_text *text, const struct matrix_header *header);
/* One plant: a line, and more where there is more to say. */
void matrix_plant(struct oclmm_text *text, const struct plant_outcome *outcome);
/* What it comes to. */
void matrix_score(struct oclmm_text *text, const struct plant_score *score);

/* The same as one JSON object per line: `planted`, `plant`, `score`. */
void matrix_json_head(struct oclmm_text *text, const struct matrix_header *header);
void matrix_json_plant(struct oclmm_text *text, const struct plant_outcome *outcome);
void matrix_json_score(struct oclmm_text *text, const struct plant_score *score, int status);

/* ---- a matrix that was written as JSON Lines -------------------------- */

struct matrix_saved {
	struct matrix_header header;
	struct plant_outcome *outcomes; /* the run without a plant comes first */
	struct equivalent *equivalents; /* what the outcomes refer to, one each */
	size_t count, capacity;
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
/* The score of each class, and what was not killed, as tables of a document. */
void matrix_tables(struct oclmm_text *text, const struct matrix_saved *saved);

#endif
