// SPDX-License-Identifier: Apache-2.0
/* A compiled thread: the operations that compile.c makes and play.c plays. */
#ifndef OCLMM_RUNNER_HOST_INTERNAL_H
#define OCLMM_RUNNER_HOST_INTERNAL_H

#include "host.h"

/* An atomic function but for the object that it is called with. */
struct host_call {
	enum oclmm_operation op;
	enum oclmm_type type;
	enum oclmm_order order, failure; /* `failure` of compare-exchanges only */
};

/*
 * What an operation does with values: registers, constants and intermediate
 * results, all numbered. `object` is the address of its place.
 */
enum host_kind {
	HOST_COPY,      /* to = a, as a value of the type */
	HOST_APPLY,     /* to = a op b, operands of the type */
	HOST_LOAD,      /* to = *object, plain */
	HOST_STORE,     /* *object = a, plain */
	HOST_ATOMIC,    /* to = call(object, a, &b) */
	HOST_FENCE,     /* of the call's order */
	HOST_JUMP,      /* to operation `target` */
	HOST_JUMP_ZERO, /* there when a is 0 */
	HOST_TURN,      /* cut when a is `target`; else a + 1 */
	HOST_END,
};

struct host_operation {
	enum host_kind kind;
	struct host_call call; /* its type is the operation's in any case */
	enum oclmm_operator op;
	uint32_t to, a, b;
	uint32_t location;
	uint32_t index; /* value that is the index, */
	uint32_t last;  /* held below or at this one */
	uint32_t bytes; /* of an element */
	uint32_t target;
};

struct host_code {
	struct host_operation *operations;
	size_t count, capacity;
	int64_t *initial; /* the values before the first operation */
	size_t values, values_capacity;
};

#endif
