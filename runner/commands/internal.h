// SPDX-License-Identifier: Apache-2.0
/* The objects of a program of commands, and the rounds that are played on them. */
#ifndef OCLMM_RUNNER_COMMANDS_INTERNAL_H
#define OCLMM_RUNNER_COMMANDS_INTERNAL_H

#include "commands.h"

#include <stdatomic.h>

/* What a register's cells hold that nobody has stored in, moved by the base. */
enum { COMMANDS_NOTHING = 0x5a5a5a5a };

/* Cells: a buffer, shared virtual memory, or memory of the host. */
struct cells {
	cl_mem buffer;                      /* or a pipe; NULL: one of the others */
	cl_mem sub[OCLMM_SUB_BUFFERS_MOST]; /* of the buffer, where commands use them */
	cl_mem all;                         /* that of all cells, where they begin behind origin */
	size_t origin;                      /* bytes of the buffer before the first cell */
	void *svm;                          /* NULL: one of the others; of this kind: */
	enum oclmm_storage storage;
	uint32_t *host; /* its own memory; of the others, where their values are brought */
	uint32_t *map;  /* NULL: not mapped */
	cl_event mapped;
	cl_command_queue map_queue;
	cl_mem map_buffer; /* that was mapped: itself or a sub-buffer */
};

/* A thread in a round. */
struct turn {
	cl_event event;
	atomic_bool called; /* by the callback of its event */
};

struct round {
	struct cells object[OCLMM_COMMAND_OBJECTS_MOST];
	struct cells reg[OCLMM_COMMAND_REGISTERS_MOST]; /* of all threads, one after the other */
	struct turn turn[OCLMM_MAX_THREADS];
};

struct commands {
	struct oclmm_device *device;
	const struct oclmm_program *program;
	struct commands_shape shape;
	cl_program kernels;
	uint32_t mark; /* that they take off the base */
	cl_kernel set, lag, kernel[OCLMM_MAX_THREADS];
	cl_event lagging; /* of the lag, where order is free; NULL: no command waits for it */
	cl_mem lag_end;   /* what the loop of `lag` came to; nobody looks at it */
	cl_command_queue in_order[OCLMM_QUEUES_MOST], unordered[OCLMM_QUEUES_MOST];
	uint32_t device_of[OCLMM_QUEUES_MOST];
	uint32_t first_register[OCLMM_MAX_THREADS];
	uint32_t register_count;
	uint32_t sub_count; /* sub-buffers that each buffer has */
	/* threads whose events somebody asks for, by a callback, and from outside of its queue */
	uint32_t asked, called_back, leaving;
	struct round *rounds;
	bool abandoned; /* a round failed: a callback may still come, and finds its place */
	struct commands_draw draw;
};

/* Where the host uses it; of buffers and coarse-grained memory while they are mapped. */
static inline uint32_t *memory_of(struct cells *cells)
{
	return cells->map ? cells->map : cells->svm ? cells->svm : cells->host;
}

/* The byte of that at which a transfer or a map begins. */
static inline size_t origin_of(const struct cells *cells, const struct oclmm_command *command)
{
	return command->sub ? 0 : cells->origin;
}

/* The buffer or the sub-buffer of it that a command uses. */
static inline cl_mem buffer_of(const struct cells *cells, const struct oclmm_command *command)
{
	return command->sub ? cells->sub[command->sub - 1] : cells->buffer;
}

/* Of an object in a round. */
static inline size_t bytes_of(const struct commands *c)
{
	return (size_t)c->shape.cells * sizeof(uint32_t);
}

static inline const struct oclmm_command *command_of(const struct commands *c, uint32_t thread)
{
	return &c->program->threads[thread].placement.command;
}

/* queues.c */
int commands_queues_create(struct commands *c, struct oclmm_error *error);
void commands_queues_destroy(struct commands *c);
cl_command_queue commands_queue(const struct commands *c, const struct oclmm_command *command);
/* Waits for all that a queue has, in two ways, so that a driver in which one of them fails is
 * judged by what it shows. */
int commands_settle(cl_command_queue queue, struct oclmm_error *error);
/* The same for all of the program's. */
int commands_finish(struct commands *c, struct oclmm_error *error);

/* cells.c */
int commands_cells_create(struct commands *c, struct oclmm_error *error);
void commands_cells_destroy(struct commands *c);
/* Sets all cells of some rounds to their initial values. */
int commands_cells_set(struct commands *c, uint32_t rounds, struct oclmm_error *error);
/* Gives an object to a kernel, as a command uses it. */
int commands_cells_argument(cl_kernel kernel, cl_uint index, const struct cells *cells,
                            const struct oclmm_command *command, struct oclmm_error *error);
/* Brings what is observed to the host. */
int commands_cells_bring(struct commands *c, uint32_t rounds, struct oclmm_error *error);

/* calls.c: the call for a command. */
/* Keeps the queue of the first command busy, or that command waiting, so that without an edge
 * others come first. */
int commands_lag(struct commands *c, struct oclmm_error *error);
int commands_enqueue(struct commands *c, struct round *round, uint32_t thread,
                     struct oclmm_error *error);
/* Unmaps what a round leaves mapped. */
int commands_unmap(struct commands *c, struct round *round, struct oclmm_error *error);

/* host.c: what the host does between its calls. */
int commands_host(const struct commands *c, struct round *round, uint32_t thread,
                  struct oclmm_error *error);
/* Waits for its events and sets its own. */
int commands_user(const struct commands *c, struct round *round, uint32_t thread,
                  struct oclmm_error *error);
/* Asks to be called when a thread's event is complete. */
int commands_ask_call(struct round *round, uint32_t thread, struct oclmm_error *error);

#endif
