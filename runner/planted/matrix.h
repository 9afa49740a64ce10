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

#endif
