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
	WIRE_AHEAD,    /* as WIRE_OPEN, to build jobs and not to run them */
	WIRE_BUILD,    /* one of them */
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
	WIRE_BUILT,  /* what building took: worker_compiled */
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

/* To a child that has nothing of this program's memory: what is decided for all of them. */
void worker_send_settings(const struct process *process);

/* What building a job ahead took in its process. */
struct worker_compiled {
	double seconds;   /* that its programs took */
	double processor; /* of processor time */
};
/* As oclmm_device_open_identified(), for a process that builds ahead and does nothing else. */
int worker_open_to_build(const struct oclmm_device_identity *identity, struct oclmm_error *error,
                         struct oclmm_device **ret_device);
struct worker_compiled worker_build(struct oclmm_device *device,
                                    const struct oclmm_run_request *job);

#endif
