// SPDX-License-Identifier: Apache-2.0
/* What the host does between its calls. It waits for nothing without a bound of its own, but where
 * the function itself waits. */
#include "internal.h"

#include <errno.h>
#include <sched.h>
#include <time.h>

/* Seconds in which a callback comes, and a status changes: far beyond what a launch takes. */
static const double PATIENCE = 5;
/* What has not come within these is late, and may need the processor that the host looks with. */
static const double LATE = 0.05;

static void CL_CALLBACK note_call(cl_event event, cl_int status, void *data)
{
	struct turn *turn = data;

	(void)event;
	(void)status;
	atomic_store_explicit(&turn->called, true, memory_order_release);
}

int commands_ask_call(struct round *round, uint32_t thread, struct oclmm_error *error)
{
	struct turn *turn = &round->turn[thread];

	return OCLMM_CL_CALL(error, clSetEventCallback, turn->event, CL_COMPLETE, note_call, turn);
}

/* ---- waiting ---- */

static int has_come(struct turn *turn, bool by_call, bool *ret_come, struct oclmm_error *error)
{
	cl_int status = CL_QUEUED, code;

	if (by_call) {
		*ret_come = atomic_load_explicit(&turn->called, memory_order_acquire);
		return 0;
	}
	code = clGetEventInfo(turn->event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status),
	                      &status, NULL);
	*ret_come = status == CL_COMPLETE;
	if (code == CL_SUCCESS && status < 0)
		return oclmm_cl_check(error, "a command", status);
	return oclmm_cl_check(error, "clGetEventInfo", code);
}

static int await(const struct commands *c, struct round *round, uint32_t thread, bool by_call,
                 struct oclmm_error *error)
{
	const struct timespec a_moment = {.tv_nsec = 500000};
	double begun = oclmm_clock();
	bool come = false;
	int r = has_come(&round->turn[thread], by_call, &come, error);

	while (r == 0 && !come) {
		double waited = oclmm_clock() - begun;

		if (waited > PATIENCE)
			return oclmm_error_set(error, -ERANGE,
			                       by_call ? "the callback of P%u did not come"
			                               : "P%u did not become complete",
			                       c->program->threads[thread].id);
		if (waited > LATE)
			nanosleep(&a_moment, NULL);
		else
			sched_yield();
		r = has_come(&round->turn[thread], by_call, &come, error);
	}
	return r;
}

static int wait_for_events(const struct commands *c, struct round *round, uint32_t set,
                           struct oclmm_error *error)
{
	cl_event events[OCLMM_MAX_THREADS];
	cl_uint count = 0;

	for (uint32_t i = 0; i < c->program->thread_count; i++) {
		if (set >> i & 1)
			events[count++] = round->turn[i].event;
	}
	if (count == 0)
		return 0;
	return OCLMM_CL_CALL(error, clWaitForEvents, count, events);
}

/* The queues of a set, by way of a command in each. */
static int for_queues(const struct commands *c, uint32_t set, bool finish,
                      struct oclmm_error *error)
{
	int r = 0;

	for (uint32_t i = 0; r == 0 && i < c->program->thread_count; i++) {
		const struct oclmm_command *command = command_of(c, i);
		cl_command_queue queue;

		if (!oclmm_command_is_queued(command->kind) || !(set >> command->queue & 1))
			continue;
		set &= ~(1u << command->queue);
		queue = commands_queue(c, command);
		r = finish ? OCLMM_CL_CALL(error, clFinish, queue)
		           : OCLMM_CL_CALL(error, clFlush, queue);
	}
	return r;
}

/* ---- its own work ---- */

static uint32_t *place(const struct commands *c, struct round *round, uint32_t thread,
                       const struct oclmm_statement *s)
{
	if (s->kind == OCLMM_STATEMENT_STORE)
		return memory_of(&round->object[s->store.place.location]);
	return round->reg[c->first_register[thread] + s->assign.reg].host;
}

/* A plain copy for each cell; what another thread of the driver stores meanwhile is read as it
 * comes. */
static void copy(const struct commands *c, struct round *round, uint32_t thread,
                 const struct oclmm_statement *s)
{
	const struct oclmm_expression *value = s->kind == OCLMM_STATEMENT_STORE ? s->store.value
	                                                                        : s->assign.value;
	volatile uint32_t *to = place(c, round, thread, s);
	const volatile uint32_t *from = NULL;

	if (value->kind == OCLMM_EXPRESSION_REGISTER)
		from = round->reg[c->first_register[thread] + value->reg].host;
	else if (value->kind == OCLMM_EXPRESSION_LOAD)
		from = memory_of(&round->object[value->load.location]);
	for (uint32_t i = 0; i < c->shape.cells; i++)
		to[i] = from ? from[i] : c->draw.base + (uint32_t)value->constant;
}

int commands_host(const struct commands *c, struct round *round, uint32_t thread,
                  struct oclmm_error *error)
{
	const struct oclmm_command *command = command_of(c, thread);
	int r = for_queues(c, command->flushes, false, error);

	if (r == 0)
		r = wait_for_events(c, round, command->waits, error);
	for (uint32_t i = 0; r == 0 && i < c->program->thread_count; i++) {
		if (command->callbacks >> i & 1)
			r = await(c, round, i, true, error);
		if (r == 0 && command->polls >> i & 1)
			r = await(c, round, i, false, error);
	}
	if (r == 0)
		r = for_queues(c, command->finishes, true, error);
	for (const struct oclmm_statement *s = c->program->threads[thread].body; r == 0 && s;
	     s = s->next)
		copy(c, round, thread, s);
	return r;
}

int commands_user(const struct commands *c, struct round *round, uint32_t thread,
                  struct oclmm_error *error)
{
	int r = wait_for_events(c, round, command_of(c, thread)->waits, error);

	if (r == 0)
		r = OCLMM_CL_CALL(error, clSetUserEventStatus, round->turn[thread].event,
		                  CL_COMPLETE);
	return r;
}
