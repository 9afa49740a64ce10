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
 * May see: producer, saved, survey, worker, profile, control, export, audit, kernels, launch.
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

/* What the runs of one command share: the devices, what is allowed, and where results go. */
struct run_session {
	struct worker_devices devices;
	struct run *runs; /* one for each device; with --spread one for all of them */
	size_t run_count;

	struct run_expected *expected;
	size_t expected_count, expected_capacity;

	struct run_output outputs[RUN_OUTPUTS + 2]; /* standard output, --resume, --output … */
	size_t output_count;
	struct run_output *resumed;    /* the one that continues a file, or NULL */
	struct oclmm_results *results; /* of the file; NULL: it is new */
	bool ended;                    /* the file has an end */
	size_t lines;                  /* bytes of its whole lines */
	bool complete;                 /* the file has all tests, and the end */
	struct progress progress;
	char *programs; /* the folder where they are kept, or NULL */
};

/* A device of a run, and what it works on. */
struct run_lane {
	struct run *run;
	size_t device; /* its number in the list */
	const struct oclmm_device_identity *identity;
	struct worker_options worker;
	size_t at_hand;    /* tests that run together */
	double fraction;   /* of them that is done */
	bool plays;        /* their launches have begun */
	const char *doing; /* the name of one of them, for the progress bar; NULL: none */
	unsigned hung;     /* tests in a row that hung in all attempts */
	bool hung_once;    /* one of them was tried once */
	const struct oclmm_litmus *hung_file;   /* of the last test that hung … */
	bool hung_drawn;                        /* … whether it is a drawn kernel … */
	unsigned hung_alike;                    /* … and how many of its tests hung */
	const struct oclmm_litmus *silent_file; /* of the last kernel that hung, be it a control */
	bool gone;                              /* it is given up: said already */
	bool cut; /* the user interrupted the run while it looked for more confidence */
};

/* ---- what runs beside what ---- */

/* A control of a test. */
struct run_control {
	const char *name;
	enum oclmm_control_kind kind;
	const struct oclmm_program *program;
	size_t job;       /* SIZE_MAX: it has no kernel, or observes other things */
	uint32_t *places; /* for each observable of the test, its index in the control */
	/* What counts as a hit beside what the test forbids, in its own values; NULL: nothing. A
	 * control with another operation or other numbers shows values that the test never has. */
	const struct oclmm_condition *asked;
	/* What it may show; NULL: not known. Where it is a test, its allowed states; where an
	 * access was moved, the states of any execution. */
	const struct oclmm_expected *expected;
	const struct oclmm_outcome_space *space;
	const struct run_meeting *meeting;
};
/*
 * Outcomes of a member by which its own roles met: those of interleavings that no order of whole
 * roles has. What the test forbids is not among them: how often a control met that has no other
 * such outcome is not known.
 */
struct run_meeting {
	int64_t *values; /* of the test's observables */
	size_t count;    /* 0: nothing tells */
	uint32_t width;
	/* Outcomes that some order of whole roles has, without what the test forbids as well. */
	int64_t *serial;
	size_t serial_count; /* 0: not known */
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
	size_t tests; /* the first jobs are theirs, in their order; the others are controls that
	                 nobody asked for */
	size_t first; /* jobs of the groups before it */
};

/* The kernel text to which programs with the same texts are being added. */
struct run_open_joint {
	uint64_t texts;
	struct oclmm_joint *joint;
	struct run_open_joint *next;
};

struct run_schedule {
	struct oclmm_arena *arena;
	/* Those of the items, in their order, then those that only stand beside tests. */
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
	size_t first_count; /* of the chosen tests: those that come first, each with its control */
	int refused;        /* the status of files that were refused, and left out; 0 without any */
	struct worker_options worker;
	size_t device; /* the first lane's */
	struct run_lane *lanes;
	size_t lane_count;
	size_t lanes_at_work;      /* at the tests that each run once */
	struct producer *producer; /* of SPIR-V; NULL: the device is given OpenCL C */
	const char *partner;       /* the other device of a pair, or NULL */
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
	double started_at;               /* by oclmm_clock(): when the budget began */
	struct run_ahead *ahead;         /* compiles ahead; NULL outside run_tests() */
	struct oclmm_controls **derived; /* of each chosen test, or NULL; for the schedules alone */
	/* For each chosen test the answers for it, its weaker control, and its derived controls,
	 * in turn; for the schedules alone. */
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
