// SPDX-License-Identifier: Apache-2.0
/*
 * A run from its options to its end.
 *
 * May see: process, cache, producer, saved, survey, worker, profile, control.
 */
#ifndef OCLMM_RUNNER_RUN_RUN_H
#define OCLMM_RUNNER_RUN_RUN_H

#include "cli/progress.h"
#include "one.h"
#include "process/process.h"
#include "run_options.h"
#include "saved/output.h"
#include "schedule.h"

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

	struct run_item *items; /* one per chosen test, in order */
	struct run_schedule schedule;
	size_t next_group;               /* of the schedule */
	size_t done;                     /* tests that are */
	double started_at;               /* by oclmm_clock(): from when the budget counts */
	struct run_ahead *ahead;         /* who compiles beforehand; NULL outside run_tests() */
	struct oclmm_controls **derived; /* of each chosen test, or NULL; the schedules' own */

	size_t resumed_count; /* records that came from the file */
	struct oclmm_run_header header;
	char *replay;
	char started[24];
	struct oclmm_text claims;
	struct oclmm_text variables;
	bool stopped; /* the run cannot go on: said already */
};

/* Tests that children are asked for, one child at a time. */
struct run_batch {
	struct run *run;
	struct run_lane *lane;
	struct run_item *items;
	struct run_schedule *schedule; /* whose first jobs are the items'; a child has them by index
	                                */
	struct worker_relay *relay;
};

/* il.c: finds who makes SPIR-V, where it is asked for. Returns 0 or the status to leave with. */
int run_find_producer(struct run *run);
/* The seed that was given, or one of the system's. Returns 0, or the status to leave with. */
int run_draw_seed(struct run *run);
/* Whether the device takes it. Returns 0 or the status to leave with. */
int run_check_il(const struct run *run);
/* devices.c: which devices there are, and the numbers of those that were asked for, at least
 * one. Returns 0 or the status to leave with. */
struct run_devices {
	size_t *indices; /* malloc-ed */
	size_t count;
};
int run_find_devices(struct run *run, struct run_devices *ret_devices);
/* run_device.c: finds those there are. None is nothing to run, or a failure where claims are
 * expected, all of which are gone then. Returns 0 or the status to leave with. */
int run_list_devices(struct run *run);
/* The same, and chooses one. Returns 0 or the status to leave with. */
int run_find_device(struct run *run);
/* The two of --pair; the first one's identity is then that of the pair. Returns its index, or
 * negative. */
int run_choose_pair(struct run *run, struct oclmm_error *error);
/* From now on the run has this one. */
void run_take_device(struct run *run, size_t index);
/* Takes a device for this run alone, when others let it go; `*ret_lock` is a descriptor. Returns 0
 * or the status to leave with. */
int run_lock_device(const struct run *run, const struct oclmm_device_identity *identity,
                    int *ret_lock);
/* session.c: the devices that were asked for, each with a run that begins like `wish`; all of
 * them are this run's alone then. Returns 0 or the status to leave with. */
int run_session_open(struct run_session *session, struct run *wish);
/* Runs all tests and writes all reports. Returns the status to leave with. */
int run_session_work(struct run_session *session);
/* Accepts one that was not opened. */
void run_session_finish(struct run_session *session);
/* How a device is told from the others of the session: ` [2]`, or nothing where there is one. */
struct run_label {
	char text[24];
};
struct run_label run_label(const struct run_lane *lane);
/* hung.c: the time limit of a test where others of its file hung; 0: as always. */
double run_hung_limit(const struct run_lane *lane, const struct run_item *item);
/* Says in the message of one that had less time than others why. */
void run_hung_explain(const struct run_lane *lane, const struct run_item *item,
                      struct worker_result *result);
/* After its last attempt; may give up the device. */
void run_hung_note(struct run_lane *lane, const struct run_item *item);
/* tests.c: runs what is not done, then run_more(). */
void run_tests(struct run *run);
/* Tells all reports of one more part of a test; the only one is the whole. */
void run_report(struct run *run, struct run_item *part, struct run_item *whole);
/* order.c: puts the chosen tests in the order in which a budget is spent; before any is prepared.
 */
void run_order(struct run *run);
/* Tests that were chosen, forbid something, and were not run. */
uint64_t run_count_unfinished(struct run *run);
/* ahead.c: starts the processes that compile beforehand; the schedule is made. */
void run_ahead_begin(struct run *run);
/* Waits for the n-th job of all groups to be compiled where that is under way. Returns the seconds
 * that it took, or 0. */
double run_ahead_wait(struct run *run, size_t n);
/* Notes what compiling so many tests took beforehand and what was left of it: where the driver
 * keeps nothing, it ends. */
void run_ahead_note(struct run *run, size_t tests, double before, double again);
/* Launches of a group begin, or are over. */
void run_ahead_plays(struct run *run, bool now);
void run_ahead_end(struct run *run);
/* programs.c: children take compiled programs from the disk, and keep them there. */
void run_programs_begin(struct run_session *session);
/* Also sees to it that they do not become too many. */
void run_programs_end(struct run_session *session);
/* more.c: spends what is left of the budget where tests of this device lack confidence. */
void run_more(struct run_lane *lane);
/* batch.c: for the jobs of a schedule that is made. */
void run_batch_begin(struct run_batch *batch);
/*
 * batch.c: all attempts at the tests of a group; `ran` says which of them have a result.
 * Returns false when the run ends here.
 */
bool run_batch_group(struct run_batch *batch, const struct run_group *group, double seconds);
/* Makes safe what was written. */
void run_batch_sync(const struct run_batch *batch);
/* The same, and ends the children. */
void run_batch_end(struct run_batch *batch);
/* resume.c: claims and reads the file to go on with, if any; what it was begun with is then what
 * `wish` asks for. Returns 0 or a status. */
int run_resume_read(struct run_session *session, struct run *wish);
/* Marks its items as done, once the devices are known. Returns 0 or a status. */
int run_resume(struct run_session *session);
/* artifacts.c: whether folders can be made where they are asked for. Returns 0 or a status. */
int run_check_artifacts(const struct run *run);
/* A folder for one failure. */
void run_keep_artifacts(struct run *run, struct run_item *item);
/* replay.c: the command line up to `--instances N NAME`; malloc-ed. */
char *run_make_replay(const struct run *run);

/* tests.c: the expected sets of a test's litmus file, NULL without; kept until the end. */
const struct oclmm_expected_file *run_expected_of(struct run *run, size_t test);

#endif
