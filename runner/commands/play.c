// SPDX-License-Identifier: Apache-2.0
/* A launch: cells set, round after round played, results brought. */
#include "internal.h"

#include "oclmm/codegen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- making ---- */

static int build(struct commands *c, struct oclmm_error *error, char **ret_log, uint64_t *ret_hash)
{
	struct oclmm_text source;
	char name[16];
	int r;

	oclmm_generate_commands(c->program, &source);
	c->mark = oclmm_kernel_mark(c->program, &(struct oclmm_codegen_options){0});
	*ret_hash = oclmm_hash(oclmm_text_string(&source), strlen(oclmm_text_string(&source)));
	r = oclmm_device_build(c->device, oclmm_text_string(&source), error, ret_log, &c->kernels);
	oclmm_text_finish(&source);
	if (r == 0)
		r = oclmm_kernel_create(c->kernels, "set_cells", error, &c->set);
	if (r == 0)
		r = oclmm_kernel_create(c->kernels, "lag", error, &c->lag);
	if (r == 0)
		r = oclmm_buffer_create(c->device, sizeof(cl_uint), error, &c->lag_end);
	for (uint32_t i = 0; r == 0 && i < c->program->thread_count; i++) {
		if (command_of(c, i)->kind != OCLMM_COMMAND_KERNEL)
			continue;
		snprintf(name, sizeof(name), "P%u", c->program->threads[i].id);
		r = oclmm_kernel_create(c->kernels, name, error, &c->kernel[i]);
	}
	return r;
}

/* What a thread waits for from outside of a queue, which has to be flushed then (A:5.15). */
static uint32_t outside(const struct commands *c, uint32_t thread)
{
	const struct oclmm_command *command = command_of(c, thread);
	uint32_t set = command->callbacks | command->polls;

	for (uint32_t i = 0; i < c->program->thread_count; i++) {
		if (oclmm_command_is_queued(command->kind) &&
		    command_of(c, i)->queue != command->queue)
			set |= command->waits & 1u << i;
	}
	return set;
}

/* Registers of all threads stand in one row; events that nobody asks for are not made. */
static void number(struct commands *c)
{
	for (uint32_t i = 0; i < c->program->thread_count; i++) {
		const struct oclmm_command *command = command_of(c, i);

		c->first_register[i] = c->register_count;
		c->register_count += c->program->threads[i].register_count;
		c->asked |= command->waits | command->callbacks | command->polls;
		if (command->kind == OCLMM_COMMAND_MAP)
			c->asked |= 1u << i;
		c->called_back |= command->callbacks;
		if (command->sub > c->sub_count)
			c->sub_count = command->sub;
		c->leaving |= outside(c, i);
	}
}

int commands_create(struct oclmm_device *device, const struct oclmm_program *program,
                    const struct commands_shape *shape, struct oclmm_error *error, char **ret_log,
                    uint64_t *ret_source_hash, struct commands **ret_commands)
{
	struct commands *c = oclmm_calloc(1, sizeof(*c));
	int r;

	c->device = device;
	c->program = program;
	c->shape = *shape;
	*ret_log = NULL;
	number(c);
	r = build(c, error, ret_log, ret_source_hash);
	if (r == 0)
		r = commands_queues_create(c, error);
	if (r == 0)
		r = commands_cells_create(c, error);
	if (r < 0)
		commands_destroy(c);
	else
		*ret_commands = c;
	return r;
}

void commands_destroy(struct commands *c)
{
	struct oclmm_error ignored;

	if (!c)
		return;
	commands_finish(c, &ignored);
	clFinish(oclmm_device_queue(c->device));
	commands_cells_destroy(c);
	commands_queues_destroy(c);
	for (uint32_t i = 0; i < OCLMM_MAX_THREADS; i++) {
		if (c->kernel[i])
			clReleaseKernel(c->kernel[i]);
	}
	if (c->set)
		clReleaseKernel(c->set);
	if (c->lag)
		clReleaseKernel(c->lag);
	if (c->lag_end)
		clReleaseMemObject(c->lag_end);
	if (c->kernels)
		clReleaseProgram(c->kernels);
	free(c);
}

/* ---- a round ---- */

/* User events are there before anything waits for them. */
static int begin(struct commands *c, struct round *round, struct oclmm_error *error)
{
	int r = 0;

	memset(round->turn, 0, sizeof(round->turn));
	for (uint32_t i = 0; r == 0 && i < c->program->thread_count; i++) {
		cl_int code;

		if (command_of(c, i)->kind != OCLMM_COMMAND_USER)
			continue;
		round->turn[i].event = clCreateUserEvent(oclmm_device_context(c->device), &code);
		r = oclmm_cl_made(error, "clCreateUserEvent", round->turn[i].event, code);
	}
	return r;
}

static int play_thread(struct commands *c, struct round *round, uint32_t i,
                       struct oclmm_error *error)
{
	int r;

	switch (command_of(c, i)->kind) {
	case OCLMM_COMMAND_HOST: return commands_host(c, round, i, error);
	case OCLMM_COMMAND_USER: return commands_user(c, round, i, error);
	default: break;
	}
	r = commands_enqueue(c, round, i, error);
	if (r == 0 && c->called_back >> i & 1)
		r = commands_ask_call(round, i, error);
	return r;
}

/* A command that waits for an event which the host failed to set would hold its queue for ever. */
static void release_waiting(const struct commands *c, struct round *round)
{
	for (uint32_t i = 0; i < c->program->thread_count; i++) {
		if (command_of(c, i)->kind == OCLMM_COMMAND_USER && round->turn[i].event)
			clSetUserEventStatus(round->turn[i].event, CL_COMPLETE);
	}
}

static int play_round(struct commands *c, struct round *round, struct oclmm_error *error)
{
	int r = begin(c, round, error);

	for (uint32_t i = 0; r == 0 && i < c->program->thread_count; i++)
		r = play_thread(c, round, i, error);
	if (r < 0) {
		c->abandoned = true;
		release_waiting(c, round);
	}
	return r;
}

/* ---- a launch ---- */

/* When all is done. A callback may still be on its way to what it tells. */
static void drop_events(struct commands *c, uint32_t rounds)
{
	if (c->lagging)
		clReleaseEvent(c->lagging);
	c->lagging = NULL;
	for (uint32_t i = 0; i < rounds; i++) {
		for (uint32_t k = 0; k < OCLMM_MAX_THREADS; k++) {
			struct turn *turn = &c->rounds[i].turn[k];

			if (turn->event)
				clReleaseEvent(turn->event);
			turn->event = NULL;
		}
	}
}

int commands_play(struct commands *c, const struct commands_draw *draw, uint32_t rounds,
                  struct oclmm_error *error)
{
	struct oclmm_error later;
	int finished, r;

	c->draw = *draw;
	r = commands_cells_set(c, rounds, error);
	if (r == 0)
		r = commands_lag(c, error);
	for (uint32_t i = 0; r == 0 && i < rounds; i++)
		r = play_round(c, &c->rounds[(draw->first + i) % rounds], error);
	for (uint32_t i = 0; r == 0 && i < rounds; i++)
		r = commands_unmap(c, &c->rounds[i], error);
	finished = commands_finish(c, r == 0 ? error : &later);
	r = r == 0 ? finished : r;
	drop_events(c, rounds);
	return r < 0 ? r : commands_cells_bring(c, rounds, error);
}
