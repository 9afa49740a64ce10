// SPDX-License-Identifier: Apache-2.0
/*
 * What goes over the socket between the program and its child: frames of a
 * kind, a size and so many bytes. Both ends are the same program on the same
 * machine, so numbers go as they are; a child whose memory was overwritten may
 * still send anything, so reading checks every length.
 */
#ifndef OCLMM_RUNNER_WORKER_WIRE_H
#define OCLMM_RUNNER_WORKER_WIRE_H

#include "oclmm/base.h"

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
	WIRE_CLASS, /* what the device says of a job, before anything of it is built */
	WIRE_RESULT,
	WIRE_BYTES,
	WIRE_TABLE,
};

/* A frame longer than this is damage, not a result. */
enum { WIRE_MAX = 256 << 20 };

/* Writing: append to a text, then send it as one frame. */
void wire_put(struct oclmm_text *text, const void *bytes, size_t size);
void wire_put_string(struct oclmm_text *text, const char *string); /* NULL is kept */
int wire_send(int socket, enum wire_kind kind, const struct oclmm_text *text);

/* Reading: `failed` once anything was not there; what is read then is zero. */
struct wire_reader {
	const char *at;
	size_t left;
	bool failed;
};
void wire_get(struct wire_reader *reader, void *bytes, size_t size);
/* malloc-ed or NULL */
char *wire_get_string(struct wire_reader *reader);

/* Bytes that have come in and are not yet a whole frame. */
struct wire_input {
	struct oclmm_text text;
	size_t taken; /* of the frame that was given last */
};
/* Reads what is there. Returns the number of bytes, 0 at the end, or a negative errno value. */
long wire_receive(struct wire_input *input, int socket);
/* Returns 1 with a frame, valid until the next call; 0 when none is complete; -EPROTO. */
int wire_next(struct wire_input *input, uint32_t *ret_kind, struct wire_reader *ret_reader);

#endif
