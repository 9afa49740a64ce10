// SPDX-License-Identifier: Apache-2.0
/* A command on its way into its queue: what the files that enqueue commands share. */
#ifndef OCLMM_RUNNER_COMMANDS_CALL_H
#define OCLMM_RUNNER_COMMANDS_CALL_H

#include "internal.h"

/* A command that is about to be enqueued. */
struct call {
	struct commands *c;
	struct round *round;
	uint32_t number;
	const struct oclmm_thread *thread;
	const struct oclmm_command *command;
	cl_command_queue queue;
	cl_event waits[OCLMM_MAX_THREADS + 1];
	cl_uint wait_count;
	cl_event *event; /* NULL: nobody asks for it */
	struct oclmm_error *error;
};

/* The wait list as the functions take it. */
static inline const cl_event *list(const struct call *call)
{
	return call->wait_count ? call->waits : NULL;
}

static inline struct cells *target(const struct call *call)
{
	return &call->round->object[call->thread->body->store.place.location];
}

static inline struct cells *origin(const struct call *call)
{
	return &call->round->object[call->thread->body->store.value->load.location];
}

static inline uint32_t value_of_fill(const struct call *call)
{
	return call->c->draw.base + (uint32_t)call->thread->body->store.value->constant;
}

/* Of a map or an unmapping. */
static inline struct cells *whole(const struct call *call)
{
	return &call->round->object[call->thread->parameters[0].location];
}

/* svm.c: the calls for objects in shared virtual memory. */
int commands_svm_fill(const struct call *call);
/* Of a write, a read, and a copy. */
int commands_svm_copy(const struct call *call);
int commands_svm_map(const struct call *call);
int commands_svm_unmap(cl_command_queue queue, const struct cells *cells, const cl_event *waits,
                       cl_uint count, cl_event *event, struct oclmm_error *error);

#endif
