// SPDX-License-Identifier: Apache-2.0
/**
 * \file
 * Child processes that do everything that touches a driver, so that a driver
 * which crashes or hangs takes a test with it and not the run. The program
 * itself makes no OpenCL call: a child is a fork of it and has the programs to
 * run in its memory; requests and answers go over a socket.
 *
 *     worker_start() ─ worker_devices() ─ worker_stop()
 *     worker_start_on() ─ worker_run() … ─ worker_stop()
 *     worker_relay_create() ─ { worker_relay_now() ─ worker_run() … } ─ worker_relay_destroy()
 *
 * After anything but an answer the child is gone, and a fresh one has to be
 * started.
 *
 * May see: process, exchange, stress.
 */
#ifndef OCLMM_RUNNER_WORKER_WORKER_H
#define OCLMM_RUNNER_WORKER_WORKER_H

#include "device/device.h"
#include "device/probe.h"
#include "stress/stress.h"

/*
 * Jobs are tests that a child may be asked to run: requests of the room `stress`, in which
 * the worker sets the seconds and who is told. One without a space only asks what the
 * device says of the program. Everything stays the caller's and outlives the worker.
 */

/** What a child said of a job, or what became of the child. */
struct worker_result {
	enum oclmm_end end;
	bool classified; /**< the child came to say the next two, whatever became of it then */
	enum oclmm_support support;
	char missing[160];           /**< the feature that is not there or not claimed */
	char message[512];           /**< unless OK: what went wrong, one line */
	char options[320];           /**< that the kernel was built with, and that it was kept */
	struct oclmm_run_result run; /**< what was counted, also of a child that died later */
	char *log; /**< what the driver printed meanwhile, unless OK; malloc-ed or NULL */
};
void worker_result_finish(struct worker_result *result);

/** Devices as a child found them; the list has no ids. */
struct worker_devices {
	struct oclmm_device_list list;
	struct oclmm_device_identity *identities;
	char *dropped; /**< of drivers that the loader drops a line each; malloc-ed, or NULL */
};
void worker_devices_finish(struct worker_devices *devices);

struct worker;

/** What holds for all requests to a worker. */
struct worker_options {
	double limit; /**< seconds in which a child must let itself be heard */
	void (*progress)(void *data, double fraction);
	/** True once all of a group is built and its launches begin; false when it is over,
	 * however it ended. May be NULL. */
	void (*plays)(void *data, bool now);
	void *data;
};

/** Forks. \return 0 or negative with `error`. */
int worker_start(const struct worker_options *options, const struct oclmm_run_request *jobs,
                 size_t count, struct oclmm_error *error, struct worker **ret_worker);
/**
 * The same with a device open, tried twice; one that cannot be opened again and
 * again is gone. `*ret_worker` is NULL where there is none.
 */
int worker_start_on(const struct oclmm_device_identity *identity,
                    const struct worker_options *options, const struct oclmm_run_request *jobs,
                    size_t count, struct oclmm_error *error, struct worker **ret_worker);
/** Ends the child, by force where it does not go. Accepts NULL. */
void worker_stop(struct worker *worker);

/* ---- one child after the other --------------------------------------- */

/** What holds for all of them. Everything outlives them. */
struct worker_relay_options {
	const struct oclmm_device_identity *identity;
	struct worker_options worker;
	const struct oclmm_run_request *jobs;
	size_t count;
	size_t most;        /**< jobs of one child */
	uint64_t leak_most; /**< bytes that it may hold beyond those after its first job */
	bool beside;        /**< the next child opens the device while one runs */
};
/** A child at hand, and the one that follows it. */
struct worker_relay;
/** Starts the first child, which opens the device meanwhile. */
struct worker_relay *worker_relay_create(const struct worker_relay_options *options);
/** The child at hand, or a fresh one. \return as worker_start_on() */
int worker_relay_now(struct worker_relay *relay, struct oclmm_error *error,
                     struct worker **ret_worker);
/** Notes that the child at hand has answered for so many jobs, and may let it go. */
void worker_relay_served(struct worker_relay *relay, size_t jobs);
/** Ends the child at hand: the next job has a fresh one. */
void worker_relay_drop(struct worker_relay *relay);
/** The jobs were changed: a child that was started before does not know. */
void worker_relay_renew(struct worker_relay *relay);
/** Accepts NULL. */
void worker_relay_destroy(struct worker_relay *relay);

/** Enumerates. `message` says what went wrong, unless OK. */
enum oclmm_end worker_devices(struct worker *worker, struct oclmm_error *error,
                              struct worker_devices *ret_devices);
/**
 * Runs a job on the open device.
 * \param seconds of run time, 0: the job's instances only
 */
void worker_run(struct worker *worker, size_t job, double seconds,
                struct worker_result *ret_result);
/** What to run interleaved. */
struct worker_group {
	const size_t *jobs; /**< of equal environments, launches, instances and first launches */
	size_t count;       /**< at least 1 */
	uint64_t order;     /**< key of the order of their launches */
	double seconds;     /**< of all of them, 0: the jobs' instances and launches only */
	double limit; /**< seconds in which the child must let itself be heard; 0: as always */
	bool afresh;  /**< compiled from their texts, whatever is kept on the disk */
};
/**
 * Runs jobs interleaved, launch by launch (oclmm_run_together()).
 * \param ret_results one each; where the child is no more they say what it had
 * counted until then, and all of them how it went
 * \param ret_culprit the job (an index into the group) that was being built when the child went;
 * `count` where it was none
 * \return OCLMM_END_OK, or how the child ended
 */
enum oclmm_end worker_run_group(struct worker *worker, const struct worker_group *group,
                                struct worker_result *ret_results, size_t *ret_culprit);
/** Builds a job's kernel and asks the driver for its binary; -ENODATA where it gives none. */
int worker_binary(struct worker *worker, size_t job, struct oclmm_text *ret_binary);
/** What the open device's compiler accepts. `error` says what went wrong, unless OK. */
enum oclmm_end worker_probe(struct worker *worker, struct oclmm_error *error,
                            struct oclmm_probe_table *ret_table);

/* ---- building before the turn ------------------------------------------ */

/** Children that build kernels for the driver's cache. */
struct worker_ahead;
/** What building a job beforehand took; zeros where nobody did. */
struct worker_built {
	double seconds;   /**< by the clock, without pauses */
	double processor; /**< of processor time */
};
/**
 * Forks `first` of them; they build the jobs in order, while others run, who come first. When a
 * job shows that programs have to be compiled, and are not taken from a cache, worker_ahead_wait()
 * forks the others of `processes`. A job without a program or a space is left out, and one that is
 * compiled with another is built with that. All arguments outlive them. \return 0 or a negative
 * errno value.
 */
int worker_ahead_start(const struct oclmm_run_request *jobs, size_t count,
                       const struct oclmm_device_identity *identity, unsigned first,
                       unsigned processes, struct worker_ahead **ret_ahead);
/**
 * Waits until a job that is being built is built, at most `seconds`; one that
 * nobody has begun will not be.
 */
struct worker_built worker_ahead_wait(struct worker_ahead *ahead, size_t job, double seconds);
/** They halt where they are, until as many calls let them go on. */
void worker_ahead_pause(struct worker_ahead *ahead, bool pause);
/** Ends them, by force. Accepts NULL. */
void worker_ahead_stop(struct worker_ahead *ahead);

/* ---- a device for one run at a time ----------------------------------- */

/**
 * Takes the lock of a device without waiting: a file in $XDG_RUNTIME_DIR/oclmm, else in
 * /tmp/oclmm-USER.
 * \return a descriptor, which goes with the process; -EWOULDBLOCK when another process
 * has it, whose number is then in `*ret_holder` (0: unknown); else negative with `error`.
 */
int worker_lock(const struct oclmm_device_identity *identity, struct oclmm_error *error,
                long *ret_holder);

#endif
