// SPDX-License-Identifier: Apache-2.0
/**
 * \file
 * Whole kernels in which work-groups synchronise: reductions, barriers over all
 * groups, prefix sums. Each computes an answer that the host knows, in two forms:
 * as it was published, and repaired by what the memory model asks for. Their
 * texts are the files *.cl of litmus/idiom/.
 *
 * A program runs in a child process with a time limit, because the published
 * forms may hang, and the drivers below them.
 *
 * May see: process, device, run.
 */
#ifndef OCLMM_RUNNER_IDIOM_IDIOM_H
#define OCLMM_RUNNER_IDIOM_IDIOM_H

#include "device/device.h"
#include "process/process.h"

enum idiom_form { IDIOM_REPAIRED, IDIOM_PUBLISHED };

/** A size that the program chooses. */
#define IDIOM_DEFAULT UINT64_MAX

struct idiom_actions;

struct idiom_program {
	const char *name;
	const char *summary;   /**< one line */
	const char *published; /**< what its published form is, or why there is none */
	const struct idiom_actions *repaired;
	const struct idiom_actions *as_published; /**< NULL: no such form */
};

/** What to run. Plain data; the strings stay the caller's. */
struct idiom_request {
	const struct idiom_program *program;
	enum idiom_form form;
	uint64_t size;       /**< elements; 0 is a size like others */
	uint64_t steps;      /**< of the neighbour sum */
	uint64_t group_size; /**< work-items */
	uint64_t groups;
	uint32_t runs;      /**< that are timed */
	uint32_t repeat;    /**< further runs, each in a stress environment of its own */
	uint64_t seed;      /**< of data and environments */
	const char *folder; /**< of the kernels */
};

/* How a program ended. X(enumerator, word) */
#define IDIOM_ENDS(X)                                                                              \
	X(RIGHT, "right")                                                                          \
	X(WRONG, "wrong")                                                                          \
	X(GAVE_UP, "gave up")                                                                      \
	X(TIMEOUT, "did not end")                                                                  \
	X(REFUSED, "refused")                                                                      \
	X(UNSUPPORTED, "unsupported")                                                              \
	X(FAILED, "failed")

enum idiom_end {
#define OCLMM_X(name, word) IDIOM_##name,
	IDIOM_ENDS(OCLMM_X)
#undef OCLMM_X
		IDIOM_END_COUNT
};

enum { IDIOM_ROWS = 16 };

/** What the progress probe found for one size of work-groups. */
struct idiom_row {
	uint64_t group_size;
	uint64_t groups; /**< that ran at the same time */
	bool together;   /**< the work-items of a group go on while others of it wait */
};

/** Plain data, without pointers: it comes from another process. Times are seconds, 0 where not
 * measured. */
struct idiom_result {
	enum idiom_end end;
	char message[512]; /**< unless RIGHT: what went wrong, one line */
	char note[256];    /**< what the reader should know besides; may be empty */
	uint64_t size, steps, group_size, groups;
	uint64_t co_resident; /**< groups that run at the same time; 0 where nobody asked */
	uint64_t barriers;    /**< over all groups, in one run */
	uint64_t bytes;       /**< that have to be read or written at least */
	uint32_t runs;
	double kernel; /**< from the first kernel's start to the last one's end, median of the runs
	                */
	double wall;   /**< from enqueueing to the answer on the host, median */
	double sequential; /**< the same on the host, one element after another */
	double copy_rate; /**< bytes per second, read and written, of copying a buffer on the device
	                   */
	uint32_t stress_runs, stress_right;
	bool launched; /**< built and measured: what follows is the program itself */
	bool sized;    /**< `size` is a number of elements */
	uint32_t row_count;
	struct idiom_row rows[IDIOM_ROWS];
};

/**
 * Runs a program in a child process.
 * \param limit seconds without a sign of life after which the child is ended; some more while it
 * builds
 */
void idiom_run(const struct oclmm_device_identity *device, const struct idiom_request *request,
               double limit, struct idiom_result *ret_result);
/** What that process does: it is asked by a frame, and answers. */
void idiom_serve(int socket);

#endif
