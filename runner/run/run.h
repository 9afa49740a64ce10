// SPDX-License-Identifier: Apache-2.0
/*
 * `run`, from its options to its end. A run is a pipeline, and each part sees those before it:
 *
 *     run_options.h, environments.h, item.h   what is asked for, and a test of it
 *     run.h                                   the data that all parts have in common
 *     resume.h                                which results of a file it goes on with
 *     session.h                               the devices, and a run open on each
 *     schedule.h                              which tests run beside what
 *     evidence.h                              what launches showed: hits, silence beside controls
 *     tell.h                                  progress, reports, artifacts
 *     work.h                                  children run group by group, with second attempts
 *     cmd_run.c                               all of it
 *
 * May see: process, cache, producer, saved, survey, worker, profile, control, export, audit.
 */
#ifndef OCLMM_RUNNER_RUN_RUN_H
#define OCLMM_RUNNER_RUN_RUN_H

#include "cli/progress.h"
#include "item.h"
#include "oclmm/control.h"
#include "process/process.h"
#include "run_options.h"
#include "saved/output.h"

/* The expected sets of a litmus file, NULL where there are none that can be read. */
struct run_expected {
	const struct oclmm_litmus *litmus;
	struct oclmm_expected_file *file;
};

/* What the runs of one command have in common: the devices there are, what is allowed, and where
 * results go. */
struct run_session {
	struct worker_devices devices;
	struct run *runs; /* one for each device; with --spread one for all of them */
	size_t run_count;

	struct run_expected *expected;
	size_t expected_count, expected_capacity;

	struct run_output outputs[RUN_OUTPUTS + 2]; /* standard output, --resume, --output … */
	size_t output_count;
	struct run_output *resumed;    /* the one that goes on a file, or NULL */
	struct oclmm_results *results; /* of the file; which own their strings; NULL: it is new */
	bool ended;                    /* the file has an end … */
	size_t lines;                  /* … and so many bytes with it */
	bool complete;                 /* it has all tests, and the end */
	struct progress progress;
	char *programs; /* the folder where they are kept, or NULL */
};

/* A device of a run, and what it is at. */
struct run_lane {
	struct run *run;
	size_t device; /* its number in the list */
	const struct oclmm_device_identity *identity;
	struct worker_options worker;
	size_t at_hand;    /* tests that run together */
	double fraction;   /* of them that is done */
	bool plays;        /* their launches have begun */
	const char *doing; /* the name of one, for the progress bar; NULL: none */
	unsigned hung;     /* tests in a row that hung in both attempts */
	const struct oclmm_litmus *hung_file; /* of the last one that did … */
	unsigned hung_alike;                  /* … and how many of its tests did */
	bool gone;                            /* it is given up: said already */
	bool cut; /* it was interrupted while it looked for more confidence */
};

/* ---- what runs beside what ---- */

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
	const struct run_meeting *meeting;
};
/*
 * Outcomes of a member by which its own roles met: mere interleaving reaches them, and no order of
 * the roles one after the other does. Those that the test forbids are not among them: of a control
 * that has no others nobody can say how often it met.
 */
struct run_meeting {
	int64_t *values; /* of the test's observables */
	size_t count;    /* 0: nothing tells */
	uint32_t width;
};
struct run_controls {
	struct run_control *controls;
	size_t count;
	const struct run_meeting *meeting; /* of the test; NULL: not known */
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

/* ---- the tests on a device ---- */

/* The tests on one device, or spread over several that are equal. */
struct run {
	struct run_session *session;
	const struct command *command;
	struct run_options options;
	bool whole_suite; /* no profile, no names */
	struct selection selection;
	struct worker_options worker;
	size_t device; /* the first lane's */
	struct run_lane *lanes;
	size_t lane_count;
	size_t lanes_at_work;      /* at what is to be run once */
	struct producer *producer; /* of SPIR-V; NULL: the device is given OpenCL C */
	const char *partner;       /* the other device of a pair; NULL without */
	size_t partner_index;      /* its number in the list */
	int lock;                  /* its descriptor, or negative */
	struct run_context context;
	struct run_environments environments;
	struct oclmm_expectations *expectations;

	struct run_item *items;   /* one per chosen test, in order */
	struct oclmm_code *codes; /* of each, where it was read; else NULL */
	struct run_schedule schedule;
	size_t next_group;               /* of the schedule */
	size_t done;                     /* tests that are */
	double started_at;               /* by oclmm_clock(): from when the budget counts */
	struct run_ahead *ahead;         /* who compiles beforehand; NULL outside run_tests() */
	struct oclmm_controls **derived; /* of each chosen test, or NULL; the schedules' own */
	/* Of each chosen test its own, its weaker control's, and those of what was derived, in
	 * turn; the same. */
	struct run_meeting (*meetings)[2 + OCLMM_CONTROLS_USUAL];

	size_t resumed_count; /* records that came from the file */
	struct oclmm_run_header header;
	char *replay;
	char started[24];
	struct oclmm_text claims;
	struct oclmm_text variables;
	bool stopped; /* the run cannot go on: said already */
};

#endif
