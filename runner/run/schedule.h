// SPDX-License-Identifier: Apache-2.0
/* Which tests run interleaved, and beside which controls. */
#ifndef OCLMM_RUNNER_RUN_SCHEDULE_H
#define OCLMM_RUNNER_RUN_SCHEDULE_H

#include "oclmm/control.h"
#include "one.h"

struct run;

/* A control of a test. */
struct run_control {
	const char *name;
	enum oclmm_control_kind kind;
	const struct oclmm_program *program;
	size_t job;       /* SIZE_MAX: it has no kernel, or observes other things */
	uint32_t *places; /* of each observable of the test, that of the control */
	/* What it has to show beside what the test forbids, by its own values; NULL: nothing. One
	 * with another operation or other numbers than the test shows values that the test never
	 * has, whatever the device does. */
	const struct oclmm_condition *asked;
	/* What it may show; NULL: not known. Of one that is a test what is allowed, of a moved one
	 * what any execution has. */
	const struct oclmm_expected *expected;
	const struct oclmm_outcome_space *space;
};
struct run_controls {
	struct run_control *controls;
	size_t count;
};

/* What one child runs interleaved. */
struct run_group {
	size_t *jobs;
	size_t count;
	size_t tests; /* the first of them, in their order; the others are controls that nobody
	                 asked for */
	size_t first; /* how many jobs the groups before it have */
};

/* The text that is being filled with programs that take the same texts. */
struct run_open_joint {
	uint64_t texts;
	struct oclmm_joint *joint;
	struct run_open_joint *next;
};

struct run_schedule {
	struct oclmm_arena *arena;
	/* Those of the items, in their order, and behind them what only stands beside tests. */
	struct oclmm_run_request *jobs;
	size_t job_count, job_capacity;
	size_t item_count;             /* of the jobs, the items' */
	struct run_controls *controls; /* of each item */
	struct run_group *groups;
	size_t group_count, group_capacity;
	struct run_open_joint *open; /* while it is made; or NULL */
};

/*
 * Puts the items that are not done into groups: tests of one litmus file whose
 * controls are in the end the same one share these. Where a budget decides in
 * which order tests have their turn, only neighbours share a group. What is derived
 * from a test is kept by the run, for the next schedule.
 */
void run_schedule_make(struct run *run, struct run_item *items, size_t count,
                       struct run_schedule *ret_schedule);
void run_schedule_finish(struct run_schedule *schedule);
/* Lets go what was derived, when no schedule is left. */
void run_schedule_forget(struct run *run);

/* texts.c: decides what of a group is compiled as one text. More launches of tests that were run
 * before take the texts of the run's schedule, which is still there. */
void run_texts_join(const struct run *run, struct run_item *items, struct run_schedule *schedule,
                    const struct run_group *group);
/*
 * enough.c: controls of the group that stand beside one test alone stop when
 * their outcome showed often enough, and those for which it did in earlier launches
 * are taken out.
 */
void run_controls_bound(const struct run *run, const struct run_item *items,
                        struct run_schedule *schedule, struct run_group *group);
/*
 * Hits that a control still needs so that silence beside it is worth what was asked
 * for, or 99.999 % where that is more; `log` is what its launches are worth so far,
 * as oclmm_evidence_log_escape() has it, and `controls` how many are of its kind.
 */
uint64_t run_hits_missing(double confidence, size_t controls, double log);
/*
 * evidence.c: whether a control showed what the test forbids and it may show itself. What it may
 * not comes of a driver that is wrong, and says nothing of the test. `data` is a struct run_hit.
 */
bool run_is_hit(const void *data, const int64_t *values);
/* Instances of it that ended as it may not. */
uint64_t run_control_astray(const struct run_control *control, const struct oclmm_run_result *run);
struct run_hit {
	const struct run_item *item;
	const struct run_control *control;
};
/*
 * evidence.c: what the launches of a group showed of the test that is its
 * `index`-th job. Owned by the item.
 */
void run_evidence_take(struct run_item *item, const struct run_controls *controls,
                       const struct run_group *group, const struct worker_result *results,
                       size_t index);

#endif
