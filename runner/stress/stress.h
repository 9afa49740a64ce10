// SPDX-License-Identifier: Apache-2.0
/**
 * \file
 * Runs one program on one device, many instances at a time, and counts the
 * outcomes. Says nothing of whether an outcome is legal.
 *
 * May see: device, host, codegen, histogram.
 */
#ifndef OCLMM_RUNNER_STRESS_STRESS_H
#define OCLMM_RUNNER_STRESS_STRESS_H

#include "oclmm/codegen.h"
#include "oclmm/histogram.h"
#include "oclmm/ir.h"

struct oclmm_device;
struct oclmm_environment; /* runner/stress/environment.h: every stress parameter as plain data */

struct oclmm_run_result;

/** What to run. All pointers stay the caller's. */
struct oclmm_run_request {
	const struct oclmm_program *program;
	const struct oclmm_outcome_space *space;
	const struct oclmm_environment *environment; /**< NULL: the default for the device's type */
	uint32_t environment_count; /**< how many stand there, to be taken in turn; 0 is 1, at most
	                               OCLMM_ENVIRONMENTS_MAX */
	uint64_t instances;         /**< run at least this many … */
	double seconds; /**< … or until this time has passed, when > 0 (then `instances` is a
	                   minimum unless 0) */
	uint64_t seed;  /**< of this test; every launch derives its own */
	uint64_t first_launch; /**< goes on behind the launches of an earlier run, whose … */
	uint64_t stimulus;     /**< … stimulus this one's continues */
	void (*progress)(void *data, double fraction); /**< may be NULL */
	/** Told when an outcome was counted for the first time: all that was counted so far. May
	 * be NULL. */
	void (*news)(void *data, const struct oclmm_run_result *so_far);
	void *progress_data; /**< of both */
	bool build_only;     /**< compile for the device, whose driver may keep the result, and run
	                        nothing */
};

/** What came of it. Free with oclmm_run_result_finish(). */
struct oclmm_run_result {
	struct oclmm_histogram *histogram; /**< its total equals `instances`; NULL: none ran */
	uint64_t instances;
	uint64_t launches;
	double compile_seconds;
	double seconds; /**< wall clock from the first launch to the last read-back */
	uint64_t
		stimulus; /**< hash of all permutations and environments; equal seeds, equal hash */
	uint64_t source_hash; /**< of the kernel's source */
	char *build_log;      /**< malloc-ed, may be NULL */
	uint32_t other_count; /**< raw tuples outside the space that were kept (all are counted) */
};

/**
 * \return how it ended; `ret_result` has what was counted until then, and the build log, and is
 * to be finished in any case.
 */
enum oclmm_end oclmm_run(struct oclmm_device *device, const struct oclmm_run_request *request,
                         struct oclmm_error *error, struct oclmm_run_result *ret_result);
void oclmm_run_result_finish(struct oclmm_run_result *result);

#endif
