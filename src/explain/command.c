// SPDX-License-Identifier: Apache-2.0
/* What orders two commands, and what does not, in words. */
#include "internal.h"

/* A moment's thread. */
static uint32_t thread_of(unsigned moment)
{
	return moment / OCLMM_MOMENT_COUNT;
}

struct telling {
	struct oclmm_text *text;
	const struct oclmm_program *program;
};

static unsigned id(const struct telling *t, uint32_t thread)
{
	return t->program->threads[thread].id;
}

static const struct oclmm_command *command_of(const struct telling *t, uint32_t thread)
{
	return &t->program->threads[thread].placement.command;
}

void print_command_place(struct oclmm_text *text, const struct oclmm_program *program,
                         uint32_t thread)
{
	const struct oclmm_command *command = &program->threads[thread].placement.command;

	if (command->kind == OCLMM_COMMAND_HOST)
		oclmm_text_add(text, "the host between its calls");
	else
		oclmm_text_printf(text, "%s (%s)", oclmm_command_word(command->kind),
		                  oclmm_command_function(program, thread));
	if (oclmm_command_is_queued(command->kind))
		oclmm_text_printf(text, ", queue %u%s", command->queue,
		                  command->unordered ? ", out of order" : "");
	if (command->device)
		oclmm_text_printf(text, ", device %u", command->device);
	if (command->sub)
		oclmm_text_printf(text, ", sub-buffer %u", command->sub - 1);
}

/* What everybody expects is left out. */
static bool is_understood(enum oclmm_command_edge edge)
{
	return edge == OCLMM_COMMAND_EDGE_CALLS || edge == OCLMM_COMMAND_EDGE_RUNS;
}

static void tell_edge(const struct telling *t, enum oclmm_command_edge edge, uint32_t a, uint32_t b)
{
	struct oclmm_text *text = t->text;
	unsigned p = id(t, a), q = id(t, b), queue = command_of(t, a)->queue;

	switch (edge) {
	case OCLMM_COMMAND_EDGE_NONE:
	case OCLMM_COMMAND_EDGE_CALLS:
	case OCLMM_COMMAND_EDGE_RUNS: break;
	case OCLMM_COMMAND_EDGE_ENQUEUED:
		oclmm_text_printf(text, "the host enqueues P%u after that", q);
		break;
	case OCLMM_COMMAND_EDGE_WAIT_LIST:
		oclmm_text_printf(text, "P%u has the event of P%u in its wait list", q, p);
		break;
	case OCLMM_COMMAND_EDGE_IN_ORDER:
		oclmm_text_printf(text,
		                  "P%u and P%u are in queue %u, which executes in order, and P%u "
		                  "is enqueued first",
		                  p, q, queue, p);
		break;
	case OCLMM_COMMAND_EDGE_MARKER:
		oclmm_text_printf(text,
		                  "the marker P%u waits for all that is in queue %u before it", q,
		                  queue);
		break;
	case OCLMM_COMMAND_EDGE_BARRIER:
		oclmm_text_printf(text,
		                  command_of(t, b)->kind == OCLMM_COMMAND_BARRIER
		                          ? "the barrier P%u waits for all that is in queue %u "
		                            "before it"
		                          : "P%u is in queue %u after the barrier",
		                  q, queue);
		break;
	case OCLMM_COMMAND_EDGE_HOST_WAITS:
		oclmm_text_printf(text, "the host waits for the event of P%u in P%u", p, q);
		break;
	case OCLMM_COMMAND_EDGE_FINISH:
		oclmm_text_printf(text, "P%u is clFinish of queue %u, where P%u is", q, queue, p);
		break;
	case OCLMM_COMMAND_EDGE_CALLBACK:
		oclmm_text_printf(text, "the callback of the event of P%u has run in P%u", p, q);
		break;
	case OCLMM_COMMAND_EDGE_USER_EVENT:
		oclmm_text_printf(text, "P%u waits for the user event that P%u sets to CL_COMPLETE",
		                  q, p);
		break;
	case OCLMM_COMMAND_EDGE_BLOCKING:
		oclmm_text_printf(text, "the call of P%u returns when it is complete", p);
		break;
	case OCLMM_COMMAND_EDGE_MAPPED:
		oclmm_text_printf(text, "P%u uses what P%u has mapped, which is complete by then",
		                  q, p);
		break;
	case OCLMM_COMMAND_EDGE_UNMAPPED:
		oclmm_text_printf(text, "P%u unmaps what P%u used", q, p);
		break;
	}
}

const char *tell_command_way(struct oclmm_text *text, const struct oclmm_program *program,
                             uint32_t a, uint32_t b)
{
	struct telling t = {text, program};
	unsigned char moments[OCLMM_MOMENTS_MOST];
	struct oclmm_command_order order;
	const char *section = NULL;
	unsigned count;

	oclmm_command_order(program, &order);
	count = oclmm_command_way(&order, a, b, moments);
	for (unsigned i = 0; i + 1 < count; i++) {
		enum oclmm_command_edge edge =
			(enum oclmm_command_edge)order.edge[moments[i]][moments[i + 1]];

		if (is_understood(edge))
			continue;
		oclmm_text_add(text, section ? ", and " : "");
		tell_edge(&t, edge, thread_of(moments[i]), thread_of(moments[i + 1]));
		section = section ? section : oclmm_command_edge_section(edge);
	}
	if (section)
		return section;
	oclmm_text_printf(text, "the host does P%u before P%u", id(&t, a), id(&t, b));
	return oclmm_command_edge_section(OCLMM_COMMAND_EDGE_CALLS);
}

/* ---- what is missing ---- */

/* Something that looks like an edge and is none. \return whether there is. */
static bool tell_mistaken(const struct telling *t, uint32_t a)
{
	for (uint32_t i = 0; i < t->program->thread_count; i++) {
		const struct oclmm_command *command = command_of(t, i);

		if (command->polls >> a & 1) {
			oclmm_text_printf(t->text,
			                  "P%u has seen that the status of P%u is CL_COMPLETE, but "
			                  "asking for it is no synchronization point (A:3.3.9.5). ",
			                  id(t, i), id(t, a));
			return true;
		}
		if (oclmm_command_is_queued(command_of(t, a)->kind) &&
		    command->flushes >> command_of(t, a)->queue & 1) {
			oclmm_text_printf(t->text,
			                  "clFlush in P%u sends what is in queue %u to the device, "
			                  "and waits for nothing (A:5.15). ",
			                  id(t, i), command_of(t, a)->queue);
			return true;
		}
	}
	return false;
}

static bool tell_mapped(const struct telling *t, uint32_t host, uint32_t other)
{
	if (!oclmm_command_is_mapped(t->program, host))
		return false;
	oclmm_text_printf(t->text,
	                  "P%u uses a mapped object: what a command did to it is seen from the end "
	                  "of the map on, for which the host has to wait, and P%u sees what the "
	                  "host did only after the unmapping (A:5.5.4). ",
	                  id(t, host), id(t, other));
	return true;
}

static void tell_handle(const struct telling *t, uint32_t thread)
{
	uint32_t number = command_of(t, thread)->sub;

	oclmm_text_printf(t->text, "P%u uses ", id(t, thread));
	if (number)
		oclmm_text_printf(t->text, "sub-buffer %u", number - 1);
	else
		oclmm_text_add(t->text, "the buffer itself");
}

/* Two names of one memory. */
static void tell_overlap(const struct telling *t, uint32_t a, uint32_t b)
{
	if (command_of(t, a)->sub == command_of(t, b)->sub)
		return;
	tell_handle(t, a);
	oclmm_text_add(t->text, ", and ");
	tell_handle(t, b);
	oclmm_text_add(t->text, ": they overlap, and at the same time both may only be read "
	                        "(A:5.2.1). ");
}

void tell_command_gap(struct oclmm_text *text, const struct oclmm_program *program, uint32_t a,
                      uint32_t b)
{
	struct telling t = {text, program};
	const struct oclmm_command *p = command_of(&t, a), *q = command_of(&t, b);

	if (oclmm_command_is_queued(p->kind) && oclmm_command_is_queued(q->kind))
		tell_overlap(&t, a, b);
	if (tell_mapped(&t, a, b) || tell_mapped(&t, b, a) || tell_mistaken(&t, a) ||
	    tell_mistaken(&t, b))
		return;
	if (!oclmm_command_is_queued(p->kind) || !oclmm_command_is_queued(q->kind))
		oclmm_text_printf(text,
		                  "The host does not wait for P%u before it does P%u "
		                  "(A:3.3.9.5). ",
		                  id(&t, oclmm_command_is_queued(p->kind) ? a : b),
		                  id(&t, oclmm_command_is_queued(p->kind) ? b : a));
	else if (p->queue == q->queue)
		oclmm_text_printf(text,
		                  "Both are in queue %u, which may execute them in any order, and "
		                  "neither waits for the other's event (A:3.3.9.5). ",
		                  p->queue);
	else
		oclmm_text_printf(text,
		                  "They are in queues %u and %u, and neither waits for the other's "
		                  "event (A:3.3.9.5). ",
		                  p->queue, q->queue);
}
