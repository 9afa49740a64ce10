// SPDX-License-Identifier: Apache-2.0
/* The body of a run: one test, from its program to a graded record. */
#ifndef OCLMM_RUNNER_RUN_ITEM_H
#define OCLMM_RUNNER_RUN_ITEM_H

#include "environments.h"
#include "oclmm/grade.h"
#include "saved/saved.h"
#include "select/select.h"
#include "worker/worker.h"

/* What all tests of a run share. */
struct run_context {
	const struct oclmm_device_info *device;
	const struct oclmm_device_identity *identity;
	struct oclmm_grade_options grade;
	const char *il;     /* makes the SPIR-V that the device gets; NULL: it gets OpenCL C */
	uint64_t seed;      /* master seed */
	uint64_t launches;  /* the least for each test, and … */
	uint64_t instances; /* … so many instances */
	struct oclmm_halvings halvings; /* to repeat; none: slow launches are halved */
	struct oclmm_turns turns;       /* to repeat; none: by what environments yield */
	struct run_environments *environments;
	struct regrade_model model;
	struct oclmm_arena *arena; /* what tests are held to */
	double ask_until; /* by oclmm_clock(): the oracle has no more time then; 0: no limit of all
	                   */
};

struct run;
struct run_lane;

/* A record, and the owners of what it refers to. */
struct run_item {
	const struct chosen *test;
	struct oclmm_record record;
	struct oclmm_run_request job; /* points to the record's program and expected set */
	struct worker_result result;
	struct run_lane *lane;     /* on which it ran; NULL: on none of these */
	struct oclmm_arena *arena; /* of its evidence; or NULL */
	bool again; /* its first attempt ended with those of other tests, any of which may be the
	               cause */
	bool ran;   /* all attempts were made */
	bool done;  /* the record is graded */
	char message[640];
	char started[24];
	struct oclmm_expected_file *computed;      /* where expected/ had no fitting entry */
	struct oclmm_environment_set environments; /* that the job points to */
	char *environment;                         /* their text, for the record */
};

/* The device and how it gets its code; not yet the options of a test's kernel. */
struct oclmm_identity run_identity(const struct run_context *context);

/* The expected sets of a test's litmus file, read once and kept until the end; NULL where there
 * are none. */
const struct oclmm_expected_file *run_expected_of(struct run *run, size_t test);
/* Whether a test forbids an outcome, or may forbid one for all we know. */
bool run_can_fail(struct run *run, size_t test);

/*
 * Fills what is known before a test runs. The item must not move afterwards.
 * \param expected the expected sets of its litmus file, or NULL; an entry that
 * does not fit the program is not used, the oracle is asked instead
 */
void run_item_prepare(struct run_item *item, const struct run_context *context,
                      const struct chosen *test, const struct oclmm_expected_file *expected);
/* Takes over a child's answer. `attempt` counts from 1. */
void run_item_take(struct run_item *item, struct worker_result *result, uint32_t attempt);
/*
 * Makes the job count without atomic functions, for a second attempt after counts that did not add
 * up. Not where the item continues launches of other environments. Returns whether it was changed.
 */
bool run_item_count_alone(struct run_item *item);
/* A second item for the same test that continues behind the launches of `whole`; borrows from
 * it. */
void run_item_continue(struct run_item *part, const struct run_item *whole);
/* Adds the result of that item, and grades again. */
void run_item_extend(struct run_item *whole, const struct run_item *part,
                     const struct run_context *context);
/* Grades what is in the record. */
void run_item_judge(struct run_item *item, const struct run_context *context);
void run_item_finish(struct run_item *item);

#endif
