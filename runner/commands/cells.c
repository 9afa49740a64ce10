// SPDX-License-Identifier: Apache-2.0
/* The cells of a launch: made, set before it, brought to the host behind it. */
#include "internal.h"

#include <errno.h>
#include <stdlib.h>

enum { ALIGNMENT = 4096 };

static int make_sub_buffer(struct cells *cells, size_t size, cl_mem *ret_sub,
                           struct oclmm_error *error)
{
	cl_buffer_region region = {cells->origin, size};
	cl_int code;

	*ret_sub = clCreateSubBuffer(cells->buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region,
	                             &code);
	return oclmm_cl_made(error, "clCreateSubBuffer", *ret_sub, code);
}

/*
 * Each from the first cell on, and one larger than the other: they overlap, and are not alike.
 * Where cells do not begin with the buffer a kernel, which has no offset for them, reaches the
 * buffer's own by a sub-buffer, too.
 */
static int make_sub_buffers(const struct commands *c, struct cells *cells,
                            struct oclmm_error *error)
{
	int r = 0;

	if (cells->origin > 0)
		r = make_sub_buffer(cells, bytes_of(c), &cells->all, error);
	for (uint32_t i = 0; r == 0 && i < c->sub_count; i++)
		r = make_sub_buffer(cells, bytes_of(c) + (size_t)i * ALIGNMENT, &cells->sub[i],
		                    error);
	return r;
}

static int make_buffer(const struct commands *c, struct cells *cells, struct oclmm_error *error)
{
	int r = oclmm_buffer_create(c->device, bytes_of(c) + (c->sub_count + 1) * (size_t)ALIGNMENT,
	                            error, &cells->buffer);

	return r < 0 ? r : make_sub_buffers(c, cells, error);
}

static int make(const struct commands *c, enum oclmm_storage storage, size_t origin,
                struct cells *cells, struct oclmm_error *error)
{
	size_t size = (bytes_of(c) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;

	cells->storage = storage;
	cells->origin = origin;
	cells->host = aligned_alloc(ALIGNMENT, size);
	if (!cells->host)
		return oclmm_error_set(error, -ENOMEM, "no memory for the cells of a round");
	/* a pipe is made anew for each launch */
	if (storage == OCLMM_STORAGE_HOST || storage == OCLMM_STORAGE_PIPE)
		return 0;
	if (oclmm_storage_is_svm(storage))
		return oclmm_svm_create(c->device, storage, bytes_of(c), error, &cells->svm);
	return make_buffer(c, cells, error);
}

/* Of programs with sub-buffers every second round has them behind the buffer's beginning. */
static int make_round(struct commands *c, uint32_t number, struct oclmm_error *error)
{
	const struct oclmm_program *p = c->program;
	struct round *round = &c->rounds[number];
	size_t origin = c->sub_count > 0 && number % 2 ? ALIGNMENT : 0;
	int r = 0;

	for (uint32_t i = 0; r == 0 && i < p->location_count; i++)
		r = make(c, p->locations[i].storage, origin, &round->object[i], error);
	for (uint32_t t = 0; t < p->thread_count; t++) {
		bool queued = oclmm_command_is_queued(command_of(c, t)->kind);

		for (uint32_t i = 0; r == 0 && i < p->threads[t].register_count; i++)
			r = make(c, queued ? OCLMM_STORAGE_BUFFER : OCLMM_STORAGE_HOST, origin,
			         &round->reg[c->first_register[t] + i], error);
	}
	return r;
}

int commands_cells_create(struct commands *c, struct oclmm_error *error)
{
	int r = 0;

	c->rounds = oclmm_calloc(c->shape.rounds, sizeof(*c->rounds));
	for (uint32_t i = 0; r == 0 && i < c->shape.rounds; i++)
		r = make_round(c, i, error);
	return r;
}

static void drop(const struct commands *c, struct cells *cells)
{
	oclmm_svm_destroy(c->device, cells->storage, cells->svm);
	if (cells->mapped)
		clReleaseEvent(cells->mapped);
	for (uint32_t i = 0; i < OCLMM_SUB_BUFFERS_MOST; i++) {
		if (cells->sub[i])
			clReleaseMemObject(cells->sub[i]);
	}
	if (cells->all)
		clReleaseMemObject(cells->all);
	if (cells->buffer)
		clReleaseMemObject(cells->buffer);
	free(cells->host);
}

void commands_cells_destroy(struct commands *c)
{
	for (uint32_t i = 0; c->rounds && i < c->shape.rounds; i++) {
		for (uint32_t k = 0; k < OCLMM_COMMAND_OBJECTS_MOST; k++)
			drop(c, &c->rounds[i].object[k]);
		for (uint32_t k = 0; k < OCLMM_COMMAND_REGISTERS_MOST; k++)
			drop(c, &c->rounds[i].reg[k]);
	}
	if (!c->abandoned)
		free(c->rounds);
}

int commands_cells_argument(cl_kernel kernel, cl_uint index, const struct cells *cells,
                            const struct oclmm_command *command, struct oclmm_error *error)
{
	cl_mem buffer = cells->all && !command->sub ? cells->all : buffer_of(cells, command);

	if (!cells->svm)
		return oclmm_argument_set(kernel, index, sizeof(cl_mem), &buffer, error);
	return OCLMM_CL_CALL(error, clSetKernelArgSVMPointer, kernel, index, cells->svm);
}

/* ---- setting ---- */

/* A new pipe is empty. What a launch left in the one before it, no call takes out. */
static int set_pipe(const struct commands *c, struct cells *cells, struct oclmm_error *error)
{
	cl_int code;

	if (cells->buffer)
		clReleaseMemObject(cells->buffer);
	cells->buffer = clCreatePipe(oclmm_device_context(c->device), 0, sizeof(uint32_t),
	                             c->shape.cells, NULL, &code);
	return oclmm_cl_made(error, "clCreatePipe", cells->buffer, code);
}

static int set(struct commands *c, struct cells *cells, uint32_t value, struct oclmm_error *error)
{
	static const struct oclmm_command itself = {.kind = OCLMM_COMMAND_KERNEL};
	size_t global = c->shape.cells;
	int r;

	if (cells->storage == OCLMM_STORAGE_PIPE)
		return set_pipe(c, cells, error);
	if (!cells->buffer && !cells->svm) {
		for (size_t i = 0; i < global; i++)
			cells->host[i] = value;
		return 0;
	}
	r = commands_cells_argument(c->set, 0, cells, &itself, error);
	if (r == 0)
		r = oclmm_argument_set(c->set, 1, sizeof(value), &value, error);
	if (r == 0)
		r = oclmm_kernel_enqueue(oclmm_device_queue(c->device), c->set, 1, &global, NULL,
		                         NULL, error);
	return r;
}

int commands_cells_set(struct commands *c, uint32_t rounds, struct oclmm_error *error)
{
	int r = 0;

	for (uint32_t i = 0; i < rounds; i++) {
		struct round *round = &c->rounds[i];

		for (uint32_t k = 0; r == 0 && k < c->program->location_count; k++)
			r = set(c, &round->object[k],
			        c->draw.base + (uint32_t)c->program->locations[k].initial[0],
			        error);
		for (uint32_t k = 0; r == 0 && k < c->register_count; k++)
			r = set(c, &round->reg[k], c->draw.base + COMMANDS_NOTHING, error);
	}
	if (r == 0)
		r = commands_settle(oclmm_device_queue(c->device), error);
	return r;
}

/* ---- bringing ---- */

static struct cells *observed(const struct commands *c, struct round *round, uint32_t observable)
{
	const struct oclmm_observable *o = &c->program->observables[observable];

	return o->is_register ? &round->reg[c->first_register[o->thread] + o->reg]
	                      : &round->object[o->location];
}

/* A register that nobody stored in: its thread has not run. */
static int check_there(const struct commands *c, struct round *round, uint32_t observable,
                       struct oclmm_error *error)
{
	const struct oclmm_observable *o = &c->program->observables[observable];
	const uint32_t *values = observed(c, round, observable)->host;
	uint32_t nothing = c->draw.base + COMMANDS_NOTHING, missing = 0;

	for (uint32_t i = 0; o->is_register && i < c->shape.cells; i++)
		missing += values[i] == nothing;
	if (missing == 0)
		return 0;
	return oclmm_error_set(error, -ERANGE, "P%u left no result in %u cells of a round",
	                       c->program->threads[o->thread].id, missing);
}

static int bring(const struct commands *c, const struct cells *cells, struct oclmm_error *error)
{
	cl_command_queue queue = oclmm_device_queue(c->device);

	if (cells->svm)
		return OCLMM_CL_CALL(error, clEnqueueSVMMemcpy, queue, CL_TRUE, cells->host,
		                     cells->svm, bytes_of(c), 0, NULL, NULL);
	if (!cells->buffer)
		return 0;
	return OCLMM_CL_CALL(error, clEnqueueReadBuffer, queue, cells->buffer, CL_TRUE,
	                     cells->origin, bytes_of(c), cells->host, 0, NULL, NULL);
}

int commands_cells_bring(struct commands *c, uint32_t rounds, struct oclmm_error *error)
{
	int r = 0;

	for (uint32_t i = 0; r == 0 && i < rounds; i++) {
		for (uint32_t k = 0; r == 0 && k < c->program->observable_count; k++) {
			r = bring(c, observed(c, &c->rounds[i], k), error);
			if (r == 0)
				r = check_there(c, &c->rounds[i], k, error);
		}
	}
	return r;
}

const uint32_t *commands_values(const struct commands *commands, uint32_t observable,
                                uint32_t round)
{
	return observed(commands, &commands->rounds[round], observable)->host;
}
