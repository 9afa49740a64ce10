// SPDX-License-Identifier: Apache-2.0
/*
 * Frames over a socket: a kind, a size and so many bytes. Both ends are the
 * same program on the same machine, so numbers go as they are; a child whose
 * memory was overwritten may still send anything, so reading checks every length.
 */
#ifndef OCLMM_RUNNER_PROCESS_WIRE_H
#define OCLMM_RUNNER_PROCESS_WIRE_H

#include "oclmm/base.h"

/* A frame longer than this is damage, not a result. */
enum { WIRE_MAX = 256 << 20 };

/* Writing: append to a text, then send it as one frame. */
void wire_put(struct oclmm_text *text, const void *bytes, size_t size);
void wire_put_string(struct oclmm_text *text, const char *string); /* NULL is kept */
/* A `kind` is the caller's own number, from 1. A peer that is gone is -EPIPE, never a signal. */
int wire_send(int socket, uint32_t kind, const struct oclmm_text *text);

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
/*
 * Returns 1 with a frame, valid until the next call; 0 when none is complete;
 * -EPROTO for one of no kind from 1 to `kinds`.
 */
int wire_next(struct wire_input *input, uint32_t kinds, uint32_t *ret_kind,
              struct wire_reader *ret_reader);
/* The same, but waits for a frame: 0 when the peer has closed the socket. */
int wire_wait(struct wire_input *input, int socket, uint32_t kinds, uint32_t *ret_kind,
              struct wire_reader *ret_reader);

#endif
