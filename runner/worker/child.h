// SPDX-License-Identifier: Apache-2.0
/* A child as the program sees it, and the frames between the two. */
#ifndef OCLMM_RUNNER_WORKER_CHILD_H
#define OCLMM_RUNNER_WORKER_CHILD_H

#include "process/process.h"
#include "worker.h"

/* The kinds of frames between the program and its child. */
enum wire_kind {
	/* to the child */
	WIRE_LIST = 1,
	WIRE_OPEN,
	WIRE_RUN,
	WIRE_BINARY,
	WIRE_PROBE,
	WIRE_SETTINGS, /* what the program has decided for all its children; has no answer */
	/* from the child */
	WIRE_DEVICES,
	WIRE_OPENED,
	WIRE_ERROR,
	WIRE_PROGRESS,
	WIRE_CLASS,  /* what the device says of a job of the group */
	WIRE_BEGIN,  /* one of them is being built from now on */
	WIRE_PLAY,   /* all of them are built; launches begin */
	WIRE_NEWS,   /* what was counted of one so far, as a result */
	WIRE_RESULT, /* the results of all of them, one after the other */
	WIRE_BYTES,
	WIRE_TABLE,
	WIRE_KINDS = WIRE_TABLE
};

struct worker {
	struct worker_options options;
	const struct oclmm_run_request *jobs;
	size_t count;
	struct process process;
	const char *doing;                /* what it was doing: the end of a message on its death */
	const struct worker_group *group; /* at hand, or NULL */
	struct worker_result *said; /* what is known of its jobs before their end; malloc-ed */
	size_t built;               /* the job that is being built, or the number of jobs */
	/* seconds of its processor time: that it may be silent for, 0 where the clock alone
	 * counts; that it was silent for at most, and answered; and after which it was ended */
	double processor, longest, spent;
};

/* Turns a result into bytes, and back. */
void worker_result_pack(struct oclmm_text *text, const struct worker_result *result);
/* Returns 0, or -EPROTO; `width` is the number of observables of the job. */
int worker_result_unpack(struct wire_reader *reader, uint32_t width,
                         struct worker_result *ret_result);
/* The same for the class of a result, which is known before anything is built. */
void worker_class_pack(struct oclmm_text *text, const struct worker_result *result);
int worker_class_unpack(struct wire_reader *reader, struct worker_result *ret_result);
/* The other frames of a child; each returns 0, or -EPROTO for what no sound child sends. */
int worker_error_unpack(struct wire_reader *reader, struct oclmm_error *ret_error);
int worker_devices_unpack(struct wire_reader *reader, struct worker_devices *ret_devices);
int worker_table_unpack(struct wire_reader *reader, struct oclmm_probe_table *ret_table);

#endif
