// SPDX-License-Identifier: Apache-2.0
#ifndef OCLMM_RUNNER_WORKER_INTERNAL_H
#define OCLMM_RUNNER_WORKER_INTERNAL_H

#include <stdio.h>
#include <sys/types.h>

#include "wire.h"
#include "worker.h"

struct worker {
	struct worker_options options;
	const struct worker_job *jobs;
	size_t count;
	pid_t pid;  /* 0 once it was waited for */
	int status; /* of waitpid() */
	int socket;
	FILE *log; /* where its standard output and error go */
	struct wire_input input;
	const char *doing; /* what it was asked for: the end of a message on its death */
	struct worker_result
		said; /* of the job at hand, before it was built: only what is known then */
};

/*
 * Sends a request (and finishes `text`) and waits for the answer. WORKER_OK: a
 * frame, valid until the next request; else the child is no more.
 */
enum worker_end worker_ask(struct worker *worker, enum wire_kind kind, struct oclmm_text *text,
                           uint32_t *ret_kind, struct wire_reader *ret_reader);
void worker_end_by_force(struct worker *worker);

/* Seconds of a clock that only runs forward. */
double worker_clock(void);

/* child.c: serves requests until the socket ends; never returns. */
_Noreturn void worker_child(int socket, const struct worker_job *jobs, size_t count);

/* results.c: a result as bytes, and back. */
void worker_result_pack(struct oclmm_text *text, const struct worker_result *result);
/* Returns 0, or -EPROTO; `width` is the number of observables of the job. */
int worker_result_unpack(struct wire_reader *reader, uint32_t width,
                         struct worker_result *ret_result);
/* The same for what is known of a result before anything is built: its class. */
void worker_class_pack(struct oclmm_text *text, const struct worker_result *result);
int worker_class_unpack(struct wire_reader *reader, struct worker_result *ret_result);

/* describe.c: one line on how a child ended, from waitpid()'s status; `when` follows a comma. */
void worker_describe_death(int status, const char *when, char *message, size_t size);

#endif
