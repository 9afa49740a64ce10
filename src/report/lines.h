// SPDX-License-Identifier: Apache-2.0
/* The lines of a results file, and the objects in them: each a struct and the table of its keys. */
#ifndef OCLMM_REPORT_LINES_H
#define OCLMM_REPORT_LINES_H

#include "fields.h"
#include "oclmm/report.h"

/* Counts up when a reader of the old form would misread the new one. */
enum { OCLMM_RESULTS_FORMAT = 1 };

/* The statuses that a run leaves with; one that was refused writes no results. */
extern const enum oclmm_exit fields_exits[];
extern const size_t fields_exit_count;

struct run_line {
	struct oclmm_run_header header;
	uint64_t format;
};
extern const struct fields run_fields;

/* Also of a `confidence` line. */
struct test_line {
	struct oclmm_record record;
	const char *test;
	uint64_t hash;
	enum oclmm_ended ended;
	enum oclmm_end cause; /* where it has one */
	json_t *outcomes, *evidence;
	double gone; /* of keys that say nothing any more */
};
extern const struct fields test_fields, confidence_fields;

struct outcome_line {
	struct oclmm_graded_row row;
	json_t *values;
};
extern const struct fields outcome_fields;

struct evidence_line {
	json_t *controls, *blocks, *shown;
	uint64_t rounds, met;
};
extern const struct fields evidence_fields;
extern const struct fields control_fields; /* of struct oclmm_evidence_control */

struct shown_line {
	json_t *values;
	uint64_t count;
};
extern const struct fields shown_fields;

struct end_line {
	uint64_t tests, records, verdicts[OCLMM_VERDICT_COUNT], instances, stimulus, left_out;
	uint64_t unfinished;
	bool interrupted;
	enum oclmm_exit exit;
};
extern const struct fields end_fields;

#endif
