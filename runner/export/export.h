// SPDX-License-Identifier: Apache-2.0
/**
 * \file
 * A test as one C file that needs the OpenCL headers, the loader and nothing of this program: what
 * a failure is handed on as. The smallest stress that still shows the failure is found by compiling
 * and running the file itself.
 *
 * May see: select, exchange, explain, control, expect, producer, process, kernels.
 */
#ifndef OCLMM_RUNNER_EXPORT_EXPORT_H
#define OCLMM_RUNNER_EXPORT_EXPORT_H

#include "oclmm/explain.h"
#include "oclmm/model.h"

struct chosen;
struct producer;

/** How a launch is made. All are powers of two but polls and stress. */
struct export_environment {
	uint32_t pairs;  /**< work-groups for each litmus work-group of the test */
	uint32_t lanes;  /**< instances that such a work-group has at once */
	uint32_t rounds; /**< instances that a work-item plays one after the other */
	uint32_t stride; /**< objects from one instance to the next, in sizes of the largest */
	uint32_t polls;  /**< of a work-item, for those that play the same instance */
	uint32_t busy;   /**< further work-groups, which make memory traffic */
	uint32_t stress; /**< operations of each of their work-items */
};
enum { EXPORT_ENVIRONMENTS_MOST = 8 };

/** How the file runs the test: what the search changes. */
struct export_setting {
	struct export_environment environments[EXPORT_ENVIRONMENTS_MOST]; /**< taken in turn */
	uint32_t count;
	uint32_t launches;
	bool scatters; /**< each location's objects are permuted */
	bool lags;     /**< of commands: a kernel that takes some time comes before the first */
};

/** What is exported. All pointers stay the caller's. */
struct export_job {
	const struct oclmm_program *program;
	const struct oclmm_answer *answer;
	const struct oclmm_explanation *explanation; /**< NULL: none was found */
	const char *device;   /**< part of a name that the file looks for first; NULL: any */
	const char *name;     /**< of the file, for its head */
	const char *seen;     /**< a sentence on what was seen, where and when; NULL: nothing */
	const char *module;   /**< name of the file of SPIR-V beside it; NULL: OpenCL C */
	const char *question; /**< that the test asks, or NULL */
};

/** Where a test failed. */
struct export_failure {
	const char *device;                            /**< its name */
	const char *seen;                              /**< a sentence on that */
	const char *question;                          /**< that the test asks, or NULL */
	const char *name;                              /**< of the file, for its head */
	const struct export_environment *environments; /**< that it ran in */
	uint32_t count;
};

/** Lines that a file of a test has at most, where there is a way to say it in as many. */
enum { EXPORT_LINES = 200 };
/** How long a file goes on behind its launches if it has seen nothing, and how often it has to see
 * what it looks for to end before them; but not where it is told a number of launches. */
enum { EXPORT_SECONDS = 60, EXPORT_ENOUGH = 100 };

/**
 * The stress of a file that nothing was searched for: rows that fit CPUs and GPUs, in turn. Before
 * them come those of `failed`, where a test failed before, made to fit. Tests of commands and those
 * whose work-items share a text have no such rows.
 */
void export_setting_default(const struct oclmm_program *program,
                            const struct export_environment *failed, uint32_t failed_count,
                            struct export_setting *ret_setting);
/**
 * Writes the file, the text of the kernels apart, and what the layer that plants bugs is to be
 * given with it (OCLMM_PLANT_TEXTS), empty without a plant. \return 0; -ENOTSUP for what cannot
 * stand alone, which `error` names
 */
int export_write(const struct export_job *job, const struct export_setting *setting,
                 struct oclmm_error *error, struct oclmm_text *ret_file,
                 struct oclmm_text *ret_kernels, struct oclmm_text *ret_planted);
/** \return why export_write() refuses the test, to be freed; NULL: it does not, or that is not
 * known within a second */
char *export_refusal(const struct oclmm_program *program);
/** The same without a search, for a folder of what failed: the test is explained, too. */
int export_plainly(const struct oclmm_program *program, const struct export_failure *failure,
                   struct oclmm_error *error, struct oclmm_text *ret_file,
                   struct oclmm_text *ret_planted);

/** Kernels whose work-items share a text and that a device got wrong. */
struct export_wrong {
	const struct chosen *const *tests;
	size_t count;
	const char *device;    /**< its name */
	const char *artifacts; /**< a folder, which has one for each test; NULL: standard error */
	double seconds;        /**< for each */
};

/**
 * Makes each small and says of which wrong step of a compiler it would come, on standard error, as
 * `oclmm shrink` does. Nobody else may hold the lock of the device.
 */
void export_shrink(const struct export_wrong *wrong);

#endif
