// SPDX-License-Identifier: Apache-2.0
/* What the program and its child say to each other, and in which frames. */
#ifndef OCLMM_RUNNER_WORKER_INTERNAL_H
#define OCLMM_RUNNER_WORKER_INTERNAL_H

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
	/* from the child */
	WIRE_DEVICES,
	WIRE_OPENED,
	WIRE_ERROR,
	WIRE_PROGRESS,
	WIRE_CLASS,  /* what the device says of a job of the group */
	WIRE_BEGIN,  /* one of them is built from now on */
	WIRE_PLAY,   /* all of them are built, and are launched from now on */
	WIRE_NEWS,   /* what was counted of one so far, as a result */
	WIRE_RESULT, /* of all of them, one after the other */
	WIRE_BYTES,
	WIRE_TABLE,
	WIRE_KINDS = WIRE_TABLE
};

struct worker {
	struct worker_options options;
	const struct oclmm_run_request *jobs;
	size_t count;
	struct process process;
	const char *doing; /* what it was asked for: the end of a message on its death */
	const struct worker_group *group; /* at hand, or NULL */
	struct worker_result
		*said; /* of its jobs, before their end: what is known then; malloc-ed */
	size_t built;  /* the one that is being built, or their number */
};

/* Sends a request, and finishes `text` unless it is NULL. */
void worker_send(struct worker *worker, enum wire_kind kind, struct oclmm_text *text);
/*
 * Waits for the answer. OCLMM_END_OK: a frame, valid until the next request; else the
 * child is no more.
 */
enum oclmm_end worker_await(struct worker *worker, uint32_t *ret_kind,
                            struct wire_reader *ret_reader);
/* Both. */
enum oclmm_end worker_ask(struct worker *worker, enum wire_kind kind, struct oclmm_text *text,
                          uint32_t *ret_kind, struct wire_reader *ret_reader);
/* Seconds in which it must be heard, by the group at hand or as always. */
double worker_limit(const struct worker *worker);
/* Ends the child at once: one that is asked for nothing has nothing to tidy up. Accepts NULL. */
void worker_kill(struct worker *worker);

/* child.c: serves requests until the socket ends; `data` is the worker. */
void worker_child(void *data, int socket);

/* requests.c: observables of a job of the group at hand. */
uint32_t worker_width(const struct worker *worker, size_t index);

/* requests.c: a child that opens a device meanwhile; NULL where none can be started. */
struct worker *worker_open_begin(const struct oclmm_device_identity *identity,
                                 const struct worker_options *options,
                                 const struct oclmm_run_request *jobs, size_t count);
/* Waits until it is open; a device that is not there any more is OCLMM_END_DEVICE_LOST. */
enum oclmm_end worker_open_end(struct worker *worker, struct oclmm_error *error);
/* Both, of a child that was started. */
enum oclmm_end worker_open(struct worker *worker, const struct oclmm_device_identity *identity,
                           struct oclmm_error *error);

/* results.c: a result as bytes, and back. */
void worker_result_pack(struct oclmm_text *text, const struct worker_result *result);
/* Returns 0, or -EPROTO; `width` is the number of observables of the job. */
int worker_result_unpack(struct wire_reader *reader, uint32_t width,
                         struct worker_result *ret_result);
/* The same for what is known of a result before anything is built: its class. */
void worker_class_pack(struct oclmm_text *text, const struct worker_result *result);
int worker_class_unpack(struct wire_reader *reader, struct worker_result *ret_result);
/* What else a child says; each returns 0, or -EPROTO for what no child that is well would say. */
int worker_error_unpack(struct wire_reader *reader, struct oclmm_error *ret_error);
int worker_devices_unpack(struct wire_reader *reader, struct worker_devices *ret_devices);
int worker_table_unpack(struct wire_reader *reader, struct oclmm_probe_table *ret_table);

#endif
