// SPDX-License-Identifier: Apache-2.0
/**
 * \file
 * Child processes that do everything that touches a driver, so that a driver
 * which crashes or hangs takes a test with it and not the run. The program
 * itself makes no OpenCL call. Requests and answers go over a socket; a request has all that a job
 * consists of, so that jobs may change from one to the next.
 *
 *     worker_start() ─ worker_devices() ─ worker_stop()
 *     worker_start_on() ─ worker_run_group() … ─ worker_stop()
 *     worker_relay_create() ─ { worker_relay_now() ─ worker_run_group() … } ─
 * worker_relay_destroy()
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
 * Jobs are tests that a child can run: requests of the room `stress`, in which the worker sets the
 * seconds and the callbacks. A job without a space only asks what the device says of the program.
 * Everything stays the caller's and outlives the worker.
 */

/** The child's answer to a job, or how the child ended. */
struct worker_result {
	enum oclmm_end end;
	bool classified; /**< the child sent the next two, however it ended */
	enum oclmm_support support;
	char missing[160];           /**< the feature that is missing or not claimed */
	char message[512];           /**< unless OK: what went wrong, one line */
	char options[320];           /**< the log of building the kernel, and whether it was kept */
	struct oclmm_run_result run; /**< the counts, also of a child that died later */
	char *log;                   /**< output of the driver, unless OK; malloc-ed or NULL */
};
void worker_result_finish(struct worker_result *result);

/** Devices as a child found them; the list has no ids. */
struct worker_devices {
	struct oclmm_device_list list;
	struct oclmm_device_identity *identities;
	char *dropped; /**< a line for each driver that the loader drops; malloc-ed, or NULL */
};
void worker_devices_finish(struct worker_devices *devices);

struct worker;

/** What all requests to a worker share. */
struct worker_options {
	double limit; /**< seconds of silence after which a child counts as hanging */
	/**
	 * For kernels that take little, and about as much as each other: seconds of its own
	 * processor time after which a silent child of a relay counts as hanging, too. Where one
	 * before took longer, it has several times as long. 0: the clock alone counts, as it does
	 * until one has answered.
	 */
	double processor;
	void (*progress)(void *data, double fraction);
	/** Called with true once all of a group is built and its launches begin; with false when
	 * the group is over, however it ended. May be NULL. */
	void (*plays)(void *data, bool now);
	void *data;
};

/** What a child does: it answers requests until the socket closes. */
void worker_serve(int socket);
/** Starts a child. \return 0 or negative with `error`. */
int worker_start(const struct worker_options *options, const struct oclmm_run_request *jobs,
                 size_t count, struct oclmm_error *error, struct worker **ret_worker);
/**
 * The same with a device open. Tries twice: a device that cannot be opened again is gone.
 * `*ret_worker` is NULL then.
 */
int worker_start_on(const struct oclmm_device_identity *identity,
                    const struct worker_options *options, const struct oclmm_run_request *jobs,
                    size_t count, struct oclmm_error *error, struct worker **ret_worker);
/** Ends the child, by force if it does not end itself. Accepts NULL. */
void worker_stop(struct worker *worker);

/* ---- one child after the other --------------------------------------- */

/** What all children of a relay share. Everything outlives them. */
struct worker_relay_options {
	const struct oclmm_device_identity *identity;
	struct worker_options worker;
	const struct oclmm_run_request *jobs;
	size_t count;
	size_t most;        /**< jobs of one child */
	uint64_t leak_most; /**< bytes that it may hold beyond what it held after its first job */
	bool beside;        /**< the next child opens the device while one runs */
};
/** A child at work, and its successor. */
struct worker_relay;
/** Starts the first child, which opens the device in the meantime. */
struct worker_relay *worker_relay_create(const struct worker_relay_options *options);
/** The child at hand, or a fresh one. \return as worker_start_on() */
int worker_relay_now(struct worker_relay *relay, struct oclmm_error *error,
                     struct worker **ret_worker);
/** Adds to the jobs that the child has answered, and may replace it. */
void worker_relay_served(struct worker_relay *relay, size_t jobs);
/** Ends the child: the next job gets a fresh one. */
void worker_relay_drop(struct worker_relay *relay);
/** Accepts NULL. */
void worker_relay_destroy(struct worker_relay *relay);

/** Lists the devices. `message` says what went wrong, unless OK. */
enum oclmm_end worker_devices(struct worker *worker, struct oclmm_error *error,
                              struct worker_devices *ret_devices);
/** What to run interleaved. */
struct worker_group {
	const size_t *jobs; /**< of equal environments, launches, instances and first launches */
	size_t count;       /**< at least 1 */
	uint64_t order;     /**< key of the order of their launches */
	double seconds; /**< seconds of all of them together; 0: the jobs' instances and launches
	                   only */
	double limit; /**< seconds of silence after which the child counts as hanging; 0: as always
	               */
	bool afresh;  /**< compiled from their texts, whatever is kept on the disk */
};
/**
 * Runs jobs on the open device, interleaved launch by launch (oclmm_run_together()).
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
/** How long building a job ahead took; zeros where it was not built. */
struct worker_built {
	double seconds;   /**< by the clock, without pauses */
	double processor; /**< of processor time */
};
/**
 * Starts `first` of them; they build the jobs in order, while others run, who come first. When a
 * job shows that programs have to be compiled, and are not taken from a cache, worker_ahead_wait()
 * starts the others of `processes`. A job without a program or a space is left out, and one that is
 * compiled with another is built with that. All arguments outlive them. \return 0 or a negative
 * errno value.
 */
int worker_ahead_start(const struct oclmm_run_request *jobs, size_t count,
                       const struct oclmm_device_identity *identity, unsigned first,
                       unsigned processes, struct worker_ahead **ret_ahead);
/**
 * Waits, at most `seconds`, until a job that is being built is built. A job that nobody has begun
 * is left to the caller.
 */
struct worker_built worker_ahead_wait(struct worker_ahead *ahead, size_t job, double seconds);
/** They halt where they are, until as many calls resume them. */
void worker_ahead_pause(struct worker_ahead *ahead, bool pause);
/** Kills them. Accepts NULL. */
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
