// SPDX-License-Identifier: Apache-2.0
/* From a verdict to the execution that shows it. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "oclmm/cat.h"

#include "internal.h"

/*
 * What an execution is in words: its events, the rule that it breaks, why its edges are there, and
 * what is missing between two accesses that race. Clauses that somebody who programs in C can
 * follow.
 */

/* ---- events -------------------------------------------------------------------------- */

/* a … z, then aa, ab …: events are numbered behind the initial writes. */
struct oclmm_event_letter oclmm_event_letter(const struct oclmm_execution *x, unsigned event)
{
	struct oclmm_event_letter letter;
	char *at = letter.text;

	if (event < x->init_count) {
		*at++ = 'i';
		if (event >= 10)
			*at++ = (char)('0' + event / 10 % 10);
		*at++ = (char)('0' + event % 10);
	} else {
		event -= x->init_count;
		if (event >= 26)
			*at++ = (char)('a' + event / 26 - 1);
		*at++ = (char)('a' + event % 26);
	}
	*at = '\0';
	return letter;
}

static void print_object(struct oclmm_text *text, const struct oclmm_program *program,
                         const struct oclmm_event *e)
{
	const struct oclmm_location *l = &program->locations[e->location];

	oclmm_text_add(text, l->name);
	if (l->is_array)
		oclmm_text_printf(text, "[%u]", e->element);
}

static void print_flags(struct oclmm_text *text, unsigned flags)
{
	if (!flags)
		oclmm_text_add(text, "0");
	if (flags & OCLMM_FLAG_GLOBAL)
		oclmm_text_add(text, "G");
	if (flags & OCLMM_FLAG_LOCAL)
		oclmm_text_add(text, "L");
	if (flags & OCLMM_FLAG_IMAGE)
		oclmm_text_add(text, "I");
}

static void print_fence(struct oclmm_text *text, const struct oclmm_event *e)
{
	if (e->waited)
		oclmm_text_add(text, "waits for copies ");
	else if (e->barrier)
		oclmm_text_printf(text, "%s %s ", e->sub_group ? "SB" : "B",
		                  e->entry ? "entry" : "exit");
	else
		oclmm_text_add(text, "F ");
	print_flags(text, e->flags);
}

static void print_values(struct oclmm_text *text, const struct oclmm_program *program,
                         const struct oclmm_event *e)
{
	enum oclmm_type type = program->locations[e->location].type;

	oclmm_text_add(text, "=");
	if (oclmm_event_reads(e))
		oclmm_value_print(text, type, e->read);
	if (e->kind == OCLMM_EVENT_UPDATE)
		oclmm_text_add(text, "→");
	if (oclmm_event_writes(e))
		oclmm_value_print(text, type, e->written);
}

void oclmm_event_print(struct oclmm_text *text, const struct oclmm_program *program,
                       const struct oclmm_execution *x, unsigned event)
{
	static const char *const kinds[] = {"R", "W", "U", "F"};
	const struct oclmm_event *e = &x->event[event];

	oclmm_text_printf(text, "%s: ", oclmm_event_letter(x, event).text);
	if (e->enqueued) {
		oclmm_text_printf(text, "enqueues P%u", program->threads[e->enqueued - 1].id);
		return;
	}
	if (oclmm_event_is_fence(e)) {
		print_fence(text, e);
	} else {
		oclmm_text_printf(text, "%s ", kinds[e->kind]);
		print_object(text, program, e);
		print_values(text, program, e);
	}
	if (e->copied)
		oclmm_text_add(text, " of a copy");
	if (e->thread < 0 || e->copied || e->waited)
		return;
	oclmm_text_printf(text, " %s", oclmm_order_short(e->order));
	if (e->scope != OCLMM_SCOPE_NONE)
		oclmm_text_printf(text, " %s", oclmm_scope_short(e->scope));
}

/* ---- the rule that is broken --------------------------------------------------------- */

static const char *const sentences[] = {
	[OCLMM_RULE_ATOMICITY] =
		"a read-modify-write reads the write that stands immediately before "
		"its own in modification order",
	[OCLMM_RULE_HAPPENS_BEFORE] = "nothing happens before itself",
	[OCLMM_RULE_FUTURE] = "no read happens before the write that it reads from",
	[OCLMM_RULE_HIDDEN] = "a plain read returns the last write before it in happens-before",
	[OCLMM_RULE_UNORDERED] = "a plain read takes its value from a write that happens before it",
	[OCLMM_RULE_WRITE_WRITE] = "of two writes to one object, the one that happens before the "
				   "other comes first in modification order",
	[OCLMM_RULE_WRITE_READ] =
		"a read returns no value that is older in modification order than "
		"a write which happens before it",
	[OCLMM_RULE_READ_WRITE] = "what a read returns stands in modification order before a write "
				  "that it happens before",
	[OCLMM_RULE_READ_READ] = "a read returns no value that is older in modification order than "
				 "what an earlier read returned",
	[OCLMM_RULE_THIN_AIR] = "no value is computed from itself",
};

static bool misses(const struct oclmm_execution *x, const struct oclmm_total_edge *e)
{
	return oclmm_event_reads(&x->event[e->from]) && e->from != e->to &&
	       x->mo[x->rf[e->from]] & BIT(e->to);
}

static const char *reason(const struct oclmm_execution *x, const struct oclmm_total_edge *e)
{
	switch (e->rule) {
	case OCLMM_TOTAL_HB: return "S contains happens-before";
	case OCLMM_TOTAL_MO: return "S contains modification order";
	case OCLMM_TOTAL_READ:
		return misses(x, e) ? "rule 1: it misses that write" : "rule 1: it is read from";
	case OCLMM_TOTAL_PLACED:
		return misses(x, e) ? "rule 1: it misses that write"
		                    : "rule 1: its place in this try";
	case OCLMM_TOTAL_RULE_2: return "rule 2: a read after a seq_cst fence";
	case OCLMM_TOTAL_RULE_3: return "rule 3: a write before a seq_cst fence";
	case OCLMM_TOTAL_RULE_4: return "rule 4: a write before one fence, a read after another";
	case OCLMM_TOTAL_RULE_5: return "rule 5: a write before one fence, a write after another";
	case OCLMM_TOTAL_SCOPED: return "the scoped order of seq_cst";
	}
	return "";
}

static void print_letters(struct oclmm_text *text, const struct oclmm_execution *x,
                          const struct oclmm_total_cycle *cycle)
{
	for (unsigned i = 0; i < cycle->count; i++)
		oclmm_text_printf(text, "%s → ", oclmm_event_letter(x, cycle->edge[i].from).text);
	oclmm_text_add(text, oclmm_event_letter(x, cycle->edge[0].from).text);
}

static void print_others(struct oclmm_text *text, const struct oclmm_execution *x,
                         const struct oclmm_breach *b)
{
	oclmm_text_add(
		text,
		". A seq_cst read from a weaker write may stand in several places (rule 1); ");
	oclmm_text_add(text, b->other_count ? "the others close cycles too: "
	                                    : "all of them close this cycle");
	for (unsigned i = 0; i < b->other_count; i++) {
		oclmm_text_add(text, i ? "; " : "");
		print_letters(text, x, &b->other[i]);
	}
	oclmm_text_add(text, b->more ? " and more" : "");
}

static void print_order(struct oclmm_text *text, const struct oclmm_execution *x,
                        const struct oclmm_breach *b)
{
	const struct oclmm_total_cycle *c = &b->total;

	oclmm_text_add(text, "the seq_cst operations stand in one order S, and here ");
	for (unsigned i = 0; i < c->count; i++) {
		oclmm_text_add(text, i == 0 ? "" : i + 1 == c->count ? " and " : ", ");
		oclmm_text_printf(text, "%s would stand before %s (%s)",
		                  oclmm_event_letter(x, c->edge[i].from).text,
		                  oclmm_event_letter(x, c->edge[i].to).text,
		                  reason(x, &c->edge[i]));
	}
	if (b->placed)
		print_others(text, x, b);
}

/* words.c: what the broken rule says, in sentences. */
static const char *describe_rule(struct oclmm_arena *arena, const struct oclmm_execution *x,
                                 const struct oclmm_breach *breach)
{
	struct oclmm_text text = {0};

	if (oclmm_rule_axiom(breach->rule) != OCLMM_AXIOM_SEQ_CST)
		return sentences[breach->rule];
	print_order(&text, x, breach);
	return oclmm_text_keep(&text, arena);
}

/* ---- what orders two commands, and what does not ------------------------------------- */

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
	case OCLMM_COMMAND_EDGE_SEEN:
		oclmm_text_printf(text, "the host has seen in P%u that P%u is complete", q, p);
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
	case OCLMM_COMMAND_EDGE_REPLAYED:
		oclmm_text_printf(text,
		                  command_of(t, a)->kind == OCLMM_COMMAND_REPLAY
		                          ? "P%u replays P%u"
		                          : "P%u is complete before its replay P%u is",
		                  p, q);
		break;
	case OCLMM_COMMAND_EDGE_RECORDED_FIRST:
		oclmm_text_printf(text,
		                  "P%u and P%u are recorded for queue %u, which executes in order, "
		                  "and P%u is recorded first",
		                  p, q, queue, p);
		break;
	case OCLMM_COMMAND_EDGE_SYNC_POINT:
		oclmm_text_printf(text, "P%u has the sync point of P%u in its list", q, p);
		break;
	case OCLMM_COMMAND_EDGE_RECORDED_BARRIER:
		oclmm_text_printf(
			text,
			command_of(t, b)->kind == OCLMM_COMMAND_BARRIER
				? "the barrier P%u waits for all that is recorded before it"
				: "P%u is recorded after the barrier",
			q);
		break;
	case OCLMM_COMMAND_EDGE_SEMAPHORE:
		oclmm_text_printf(text, "P%u waits for the semaphore that P%u signals", q, p);
		break;
	}
}

static void order_by(const struct oclmm_program *program, unsigned alternatives,
                     struct oclmm_command_order *ret_order)
{
	oclmm_command_order(
		program,
		(alternatives & 1u << OCLMM_KNOB_K17 ? OCLMM_COMMANDS_EARLY_WRITES : 0) |
			(alternatives & 1u << OCLMM_KNOB_K18 ? OCLMM_COMMANDS_SEEN_COMPLETE : 0),
		ret_order);
}

static const char *tell_command_way(struct oclmm_text *text, const struct oclmm_program *program,
                                    unsigned alternatives, uint32_t a, uint32_t b)
{
	struct telling t = {text, program};
	unsigned char moments[OCLMM_MOMENTS_MOST];
	struct oclmm_command_order order;
	const char *section = NULL;
	unsigned count;

	order_by(program, alternatives, &order);
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

/* What is missing between two commands. */

/* Something that only looks like an edge. \return whether there is such a thing. */
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

static void tell_command_gap(struct oclmm_text *text, const struct oclmm_program *program,
                             uint32_t a, uint32_t b)
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
	else if (oclmm_command_is_recorded(p) && oclmm_command_is_recorded(q) &&
	         p->recording == q->recording &&
	         oclmm_command_replay_of(program, a) != oclmm_command_replay_of(program, b))
		oclmm_text_printf(text,
		                  "Both are played from the command buffer %u, by P%u and by P%u, "
		                  "and nothing orders these replays (cl_khr_command_buffer). ",
		                  p->recording - 1, id(&t, oclmm_command_replay_of(program, a)),
		                  id(&t, oclmm_command_replay_of(program, b)));
	else if (oclmm_command_is_recorded(p) && p->recording == q->recording)
		oclmm_text_printf(
			text,
			"Both are recorded in the command buffer %u for a queue that may "
			"execute them in any order, and neither waits for the other's sync "
			"point (cl_khr_command_buffer). ",
			p->recording - 1);
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

/* ---- edges --------------------------------------------------------------------------- */

/* Words on events of an execution, in the making. */
struct clause {
	struct oclmm_text text;
	const struct oclmm_program *program;
	const struct oclmm_execution *x;
};

static void say(struct clause *c, const char *words)
{
	oclmm_text_add(&c->text, words);
}

static struct oclmm_event_letter letter(const struct clause *c, unsigned event)
{
	return oclmm_event_letter(c->x, event);
}

static const struct oclmm_synchronization *find_in(const struct oclmm_execution *x,
                                                   enum oclmm_space region, unsigned a, unsigned b)
{
	for (unsigned i = 0; i < x->synchronization_count; i++) {
		const struct oclmm_synchronization *s = &x->synchronizations[i];

		if (s->a == a && s->b == b && s->region == region)
			return s;
	}
	return NULL;
}

/* A barrier before atomics, the region itself before the other one. */
static const struct oclmm_synchronization *find_synchronization(const struct oclmm_execution *x,
                                                                enum oclmm_space region, unsigned a,
                                                                unsigned b)
{
	const struct oclmm_synchronization *s = find_in(x, region, a, b);

	if (s || region == OCLMM_SPACE_IMAGE)
		return s;
	return find_in(x, region == OCLMM_SPACE_GLOBAL ? OCLMM_SPACE_LOCAL : OCLMM_SPACE_GLOBAL, a,
	               b);
}

static void object(struct clause *c, unsigned event)
{
	print_object(&c->text, c->program, &c->x->event[event]);
}

static void value(struct clause *c, unsigned event, bool read)
{
	const struct oclmm_event *e = &c->x->event[event];

	oclmm_value_print(&c->text, c->program->locations[e->location].type,
	                  read ? e->read : e->written);
}

static void say_reads(struct clause *c, unsigned read, unsigned write)
{
	oclmm_text_printf(&c->text, "%s reads ", letter(c, read).text);
	value(c, read, true);
	if (write < c->x->init_count) {
		say(c, ", the initial value of ");
		object(c, read);
		return;
	}
	oclmm_text_printf(&c->text, ", which %s wrote", letter(c, write).text);
}

static void why_release(struct clause *c, unsigned a, const struct oclmm_synchronization *p)
{
	if (a == p->x)
		oclmm_text_printf(&c->text, "%s releases", letter(c, a).text);
	else
		oclmm_text_printf(&c->text, "%s %s before the write %s", letter(c, a).text,
		                  c->x->event[a].barrier
		                          ? "(the entry of a barrier, a release fence) stands"
		                          : "is a release fence",
		                  letter(c, p->x).text);
}

static void why_acquire(struct clause *c, unsigned b, const struct oclmm_synchronization *p)
{
	if (b == p->y)
		oclmm_text_printf(&c->text, "%s acquires and", letter(c, b).text);
	else
		oclmm_text_printf(&c->text, "%s %s after %s, which", letter(c, b).text,
		                  c->x->event[b].barrier
		                          ? "(the exit of a barrier, an acquire fence) comes"
		                          : "is an acquire fence",
		                  letter(c, p->y).text);
}

static bool has_both_regions(const struct oclmm_execution *x)
{
	bool has[OCLMM_SPACE_COUNT] = {false};

	for (unsigned i = 0; i < x->count; i++)
		if (!oclmm_event_is_fence(&x->event[i]))
			has[x->event[i].region] = true;
	return has[OCLMM_SPACE_GLOBAL] && has[OCLMM_SPACE_LOCAL];
}

static bool synchronises_once(const struct oclmm_execution *x, unsigned a, unsigned b)
{
	return !(x->sw[OCLMM_SPACE_GLOBAL][a] & x->sw[OCLMM_SPACE_LOCAL][a] & BIT(b));
}

static void why_synchronises(struct clause *c, unsigned a, unsigned b,
                             const struct oclmm_synchronization *p, enum oclmm_space region)
{
	why_release(c, a, p);
	say(c, ", ");
	why_acquire(c, b, p);
	say(c, " reads ");
	value(c, p->y, true);
	oclmm_text_printf(&c->text, p->w == p->x ? " from %s" : ", written by %s",
	                  letter(c, p->w).text);
	if (p->w != p->x)
		oclmm_text_printf(&c->text, " in the release sequence of %s", letter(c, p->x).text);
	say(c, "; their scopes include each other");
	if (p->region != region)
		say(c, "; since both name both regions or are seq_cst, this holds in both "
		       "regions");
	else if (has_both_regions(c->x) && synchronises_once(c->x, a, b))
		oclmm_text_printf(&c->text, "; this orders %s memory only",
		                  oclmm_space_spelling(c->x->event[p->y].region));
}

/* What lets a child kernel begin. */
static void why_child(struct clause *c, const struct oclmm_step *s)
{
	uint32_t from = (uint32_t)c->x->event[s->from].thread,
		 to = (uint32_t)c->x->event[s->to].thread, parent = 0;
	const struct oclmm_enqueue *enqueue = oclmm_find_enqueue(c->program, to, &parent);
	const struct oclmm_thread *threads = c->program->threads;

	if (enqueue->after == from + 1) {
		oclmm_text_printf(&c->text, "the kernel P%u waits for the event of the kernel P%u",
		                  threads[to].id, threads[from].id);
	} else if (enqueue->flag == OCLMM_ENQUEUE_NO_WAIT) {
		oclmm_text_printf(&c->text, "P%u does %s before it enqueues P%u", threads[from].id,
		                  letter(c, s->from).text, threads[to].id);
		if (!(c->x->reading.alternatives & 1u << OCLMM_KNOB_K13))
			say(c, ", and both are in fine-grained shared virtual memory");
	} else {
		oclmm_text_printf(&c->text,
		                  "the kernel P%u does not begin before the %s of P%u ends",
		                  threads[to].id,
		                  enqueue->flag == OCLMM_ENQUEUE_WAIT_KERNEL ? "kernel"
		                                                             : "work-group",
		                  threads[parent].id);
	}
}

static const char *why_sw(struct clause *c, const struct oclmm_step *s, enum oclmm_space region)
{
	const struct oclmm_event *a = &c->x->event[s->from], *b = &c->x->event[s->to];
	const struct oclmm_synchronization *p = find_synchronization(c->x, region, s->from, s->to);

	if (p->command)
		return tell_command_way(&c->text, c->program, c->x->reading.alternatives,
		                        (uint32_t)a->thread, (uint32_t)b->thread);
	if (p->copy) {
		oclmm_text_printf(&c->text,
		                  "%s is part of a copy that the whole work-group makes, and %s "
		                  "waits for all of it",
		                  letter(c, s->from).text, letter(c, s->to).text);
		return "C:6.15.11";
	}
	if (p->child) {
		why_child(c, s);
		return "A:3.3.9.5";
	}
	if (!p->barrier) {
		why_synchronises(c, s->from, s->to, p, region);
		return oclmm_event_is_fence(a) || oclmm_event_is_fence(b) ? "A:3.3.9.2"
		                                                          : "A:3.3.9.1";
	}
	if (a->split) {
		oclmm_text_printf(&c->text,
		                  "no work-item has waited before all of the work-group have "
		                  "arrived, and both calls name %s memory",
		                  oclmm_space_spelling(region));
		return "cl_intel_split_work_group_barrier";
	}
	oclmm_text_printf(&c->text,
	                  "no work-item of the %s leaves the barrier before all have entered it, "
	                  "and its flags "
	                  "name %s memory",
	                  a->sub_group ? "sub-group" : "work-group", oclmm_space_spelling(region));
	return a->sub_group ? "A:3.3.9.4" : "A:3.3.9.3";
}

static void why_fr(struct clause *c, const struct oclmm_step *s)
{
	unsigned w = c->x->rf[s->from];

	say_reads(c, s->from, w);
	if (w == s->to)
		return;
	oclmm_text_printf(&c->text, "; %s overwrites %s, so %s was too early to see %s",
	                  letter(c, s->to).text, w < c->x->init_count ? "it" : "that",
	                  letter(c, s->from).text, letter(c, s->to).text);
}

static void why_sb(struct clause *c, const struct oclmm_step *s)
{
	oclmm_text_printf(&c->text, "P%u does %s before %s",
	                  c->program->threads[c->x->event[s->from].thread].id,
	                  letter(c, s->from).text, letter(c, s->to).text);
}

static void why_mo(struct clause *c, const struct oclmm_step *s)
{
	say(c, "of the writes to ");
	object(c, s->from);
	oclmm_text_printf(&c->text, ", %s comes after %s", letter(c, s->to).text,
	                  letter(c, s->from).text);
}

/* The first region in which two events synchronise. */
static enum oclmm_space region_of(const struct oclmm_execution *x, unsigned a, unsigned b)
{
	unsigned region = OCLMM_SPACE_GLOBAL;

	while (region + 1 < OCLMM_SPACE_COUNT && !(x->sw[region][a] & BIT(b)))
		region++;
	return (enum oclmm_space)region;
}

static const char *why(struct clause *c, const struct oclmm_step *s)
{
	switch (s->edge) {
	case OCLMM_EDGE_SB: why_sb(c, s); break;
	case OCLMM_EDGE_RF: say_reads(c, s->to, s->from); break;
	case OCLMM_EDGE_MO: why_mo(c, s); break;
	case OCLMM_EDGE_FR: why_fr(c, s); break;
	case OCLMM_EDGE_SW: return why_sw(c, s, region_of(c->x, s->from, s->to));
	case OCLMM_EDGE_HB:
		say(c, oclmm_program_has_commands(c->program)
		               ? "initial values are there before the commands begin"
		               : "initial values are there before the kernel starts");
		return "A:3.3.9.5";
	case OCLMM_EDGE_S:
		oclmm_text_printf(&c->text, "%s must come before %s in S", letter(c, s->from).text,
		                  letter(c, s->to).text);
		break;
	case OCLMM_EDGE_DATA:
		oclmm_text_printf(&c->text, "what %s writes is computed from what %s reads",
		                  letter(c, s->to).text, letter(c, s->from).text);
		break;
	case OCLMM_EDGE_COUNT: break;
	}
	return oclmm_edge_section(s->edge);
}

void oclmm_explain_steps(struct oclmm_arena *arena, const struct oclmm_program *program,
                         const struct oclmm_execution *x, struct oclmm_step *steps, unsigned count)
{
	struct clause c = {.program = program, .x = x};

	for (unsigned i = 0; i < count; i++) {
		steps[i].name = oclmm_edge_name(steps[i].edge);
		steps[i].section = why(&c, &steps[i]);
		steps[i].why = oclmm_text_keep(&c.text, arena);
	}
}

/* ---- what is missing where two accesses race ----------------------------------------- */

static unsigned thread_id(const struct clause *t, unsigned event)
{
	return t->program->threads[t->x->event[event].thread].id;
}

static void tell_conflict(struct clause *t, unsigned a, unsigned b)
{
	const struct oclmm_event *ea = &t->x->event[a], *eb = &t->x->event[b];
	bool both = oclmm_event_writes(ea) && oclmm_event_writes(eb);

	oclmm_text_printf(&t->text, "%s and %s access ", letter(t, a).text, letter(t, b).text);
	print_object(&t->text, t->program, ea);
	if (ea->thread == eb->thread)
		oclmm_text_printf(&t->text, " from P%u", thread_id(t, a));
	else
		oclmm_text_printf(&t->text, " from P%u and P%u", thread_id(t, a), thread_id(t, b));
	oclmm_text_printf(&t->text, ", and %s: they conflict. ",
	                  both ? "both write" : "one of them writes");
}

static const char *unit(enum oclmm_scope scope)
{
	switch (scope) {
	case OCLMM_SCOPE_SUB_GROUP: return "its sub-group";
	case OCLMM_SCOPE_WORK_GROUP: return "its work-group";
	case OCLMM_SCOPE_DEVICE: return "its device";
	default: return "itself";
	}
}

static bool at_commands_only(const struct clause *t, unsigned a, unsigned b)
{
	const struct oclmm_event *ea = &t->x->event[a], *eb = &t->x->event[b];
	const struct oclmm_thread *threads = t->program->threads;

	return t->x->reading.regime != OCLMM_MODEL_SCOPED &&
	       !(t->x->reading.alternatives & 1u << OCLMM_KNOB_K15 &&
	         ea->storage == OCLMM_STORAGE_SVM_FINE) &&
	       oclmm_at_commands_only(&threads[ea->thread].placement,
	                              &threads[eb->thread].placement, ea->storage,
	                              !oclmm_event_is_atomic(ea) || !oclmm_event_is_atomic(eb));
}

/* Memory that two threads have in common at commands only. */
static void tell_commands_only(struct clause *t, unsigned a, unsigned b)
{
	const struct oclmm_location *l = &t->program->locations[t->x->event[a].location];
	const struct oclmm_thread *threads = t->program->threads;
	const struct oclmm_placement *p = &threads[t->x->event[a].thread].placement;
	const struct oclmm_placement *q = &threads[t->x->event[b].thread].placement;
	bool plain = !oclmm_event_is_atomic(&t->x->event[a]) ||
	             !oclmm_event_is_atomic(&t->x->event[b]);
	const char *memory = l->storage == OCLMM_STORAGE_BUFFER       ? "an ordinary buffer"
	                     : l->storage == OCLMM_STORAGE_SVM_COARSE ? "coarse-grained memory"
	                     : l->storage == OCLMM_STORAGE_PROGRAM
	                             ? "a variable at program scope"
	                             : "fine-grained memory without atomics";

	if (!oclmm_two_kernels(p, q))
		oclmm_text_printf(&t->text,
		                  "P%u and P%u are %s: access to %s is ordered between them at "
		                  "synchronization points of commands, and by no atomic operations "
		                  "(A:3.3.5). ",
		                  thread_id(t, a), thread_id(t, b),
		                  p->host || q->host ? "on host and device" : "on two devices",
		                  memory);
	else if (plain)
		oclmm_text_printf(
			&t->text,
			"P%u and P%u are in two kernels: access to %s is ordered between them at "
			"synchronization points of commands, and whether atomic operations order "
			"it, too, the text leaves open (A:3.3.9.5). ",
			thread_id(t, a), thread_id(t, b), memory);
	else
		oclmm_text_printf(&t->text,
		                  "P%u and P%u are in two kernels, and what these do to one "
		                  "ordinary buffer with atomic operations is left to the "
		                  "implementation, except at synchronization points of commands "
		                  "(A:3.3.9.5). ",
		                  thread_id(t, a), thread_id(t, b));
}

/* K19: what comes first writes by one name, and no map shows it to what uses the other. */
static bool is_unshown(const struct clause *t, unsigned a, unsigned b)
{
	const struct oclmm_event *x = &t->x->event[a], *y = &t->x->event[b];
	struct oclmm_command_order order;
	uint32_t p = (uint32_t)x->thread, q = (uint32_t)y->thread, l = x->location;

	if (!(t->x->reading.alternatives & 1u << OCLMM_KNOB_K19) ||
	    oclmm_command_by_buffer(t->program, p, l) == oclmm_command_by_buffer(t->program, q, l))
		return false;
	order_by(t->program, t->x->reading.alternatives, &order);
	return (oclmm_command_ordered(&order, p, q) && oclmm_event_writes(x) &&
	        !oclmm_command_is_shown(t->program, &order, p, q, l)) ||
	       (oclmm_command_ordered(&order, q, p) && oclmm_event_writes(y) &&
	        !oclmm_command_is_shown(t->program, &order, q, p, l));
}

static void tell_unshown(struct clause *t, unsigned a, unsigned b)
{
	bool by_buffer = oclmm_command_by_buffer(t->program, (uint32_t)t->x->event[a].thread,
	                                         t->x->event[a].location);

	oclmm_text_printf(&t->text,
	                  "%s uses a buffer that is made over the memory, and %s the memory's "
	                  "pointer: what is written by the one need not be seen by the other until "
	                  "a map of the buffer shows it (A:5.2.1, A:5.5.4). ",
	                  letter(t, by_buffer ? a : b).text, letter(t, by_buffer ? b : a).text);
}

static void tell_scopes(struct clause *t, unsigned a, unsigned b)
{
	const struct oclmm_event *ea = &t->x->event[a], *eb = &t->x->event[b];
	const struct oclmm_location *l = &t->program->locations[ea->location];

	say(t, "Atomic accesses may conflict without a race only if each scope includes the other "
	       "work-item "
	       "(A:3.3.8): ");
	if (ea->scope != eb->scope) {
		oclmm_text_printf(&t->text, "%s has %s, %s %s, and %s. ", letter(t, a).text,
		                  oclmm_scope_spelling(ea->scope), letter(t, b).text,
		                  oclmm_scope_spelling(eb->scope),
		                  t->x->reading.regime == OCLMM_MODEL_OPENCL_3_1
		                          ? "one of them does not reach"
		                          : "up to OpenCL 3.0 they must be equal");
		return;
	}
	if (ea->scope >= OCLMM_SCOPE_DEVICE && !oclmm_storage_has_svm_atomics(l->storage)) {
		oclmm_text_printf(
			&t->text, "%s reaches no further than one device for an object in %s. ",
			oclmm_scope_spelling(ea->scope),
			oclmm_storage_is_svm(l->storage) ? "shared virtual memory without atomics"
			: l->storage == OCLMM_STORAGE_PROGRAM ? "the memory of one device's program"
							      : "an ordinary buffer");
		return;
	}
	oclmm_text_printf(
		&t->text,
		"with %s an operation reaches %s only, and P%u and P%u run in different ones. ",
		oclmm_scope_spelling(ea->scope), unit(ea->scope), thread_id(t, a), thread_id(t, b));
}

/* \return whether that says it all. */
static bool tell_unshielded(struct clause *t, unsigned a, unsigned b)
{
	bool plain_a = !oclmm_event_is_atomic(&t->x->event[a]),
	     plain_b = !oclmm_event_is_atomic(&t->x->event[b]);

	if (!plain_a && !plain_b) {
		if (at_commands_only(t, a, b)) {
			tell_commands_only(t, a, b);
			return true;
		}
		tell_scopes(t, a, b);
		return false;
	}
	if (plain_a && plain_b)
		say(t, "Both are plain accesses");
	else
		oclmm_text_printf(&t->text, "%s is a plain access",
		                  letter(t, plain_a ? a : b).text);
	if (is_unshown(t, a, b)) {
		say(t, ", and ");
		tell_unshown(t, a, b);
		return true;
	}
	if (at_commands_only(t, a, b)) {
		say(t, ", and ");
		tell_commands_only(t, a, b);
		return true;
	}
	say(t, ", so one would have to happen before the other (A:3.3.9). ");
	return false;
}

static void tell_side(struct clause *t, unsigned at, const struct oclmm_side *side, bool release)
{
	const char *name = release ? "release" : "acquire";

	if (side->kind == OCLMM_SIDE_FLAGS) {
		oclmm_text_printf(&t->text, "the flags of the fence %s leave out %s memory, where ",
		                  letter(t, side->event).text,
		                  oclmm_space_spelling(t->x->event[at].region));
		print_object(&t->text, t->program, &t->x->event[at]);
		say(t, " is");
		return;
	}
	oclmm_text_printf(&t->text, "%s has no %s order, and no %s fence stands %s it",
	                  letter(t, at).text, name, name, release ? "before" : "after");
	if (side->kind == OCLMM_SIDE_MISPLACED)
		oclmm_text_printf(&t->text, " (%s comes too %s)", letter(t, side->event).text,
		                  release ? "late" : "early");
}

static void tell_sides(struct clause *t, const struct oclmm_gap *g)
{
	bool release = g->release.kind != OCLMM_SIDE_THERE,
	     acquire = g->acquire.kind != OCLMM_SIDE_THERE;

	if (release)
		tell_side(t, g->w, &g->release, true);
	if (release && acquire)
		say(t, "; and ");
	if (acquire)
		tell_side(t, g->y, &g->acquire, false);
}

static void tell_narrow(struct clause *t, unsigned release, unsigned acquire)
{
	oclmm_text_printf(&t->text, "%s has %s and %s %s, and these do not include each other",
	                  letter(t, release).text, oclmm_scope_spelling(t->x->event[release].scope),
	                  letter(t, acquire).text,
	                  oclmm_scope_spelling(t->x->event[acquire].scope));
}

static void tell_region(struct clause *t, const struct oclmm_gap *g)
{
	oclmm_text_printf(&t->text, "they synchronise in %s memory only, and ",
	                  oclmm_space_spelling(t->x->event[g->w].region));
	print_object(&t->text, t->program, &t->x->event[g->a]);
	oclmm_text_printf(&t->text, " is %s", oclmm_space_spelling(t->x->event[g->a].region));
}

/* Why reading w in y did not synchronise a's thread with b's. */
static void tell_contact(struct clause *t, const struct oclmm_gap *g)
{
	oclmm_text_printf(&t->text,
	                  "%s reads what %s wrote, but that orders nothing: ", letter(t, g->y).text,
	                  letter(t, g->w).text);
	switch (g->kind) {
	case OCLMM_GAP_PLAIN: say(t, "they are not both atomic"); break;
	case OCLMM_GAP_SIDES: tell_sides(t, g); break;
	case OCLMM_GAP_SCOPES: tell_narrow(t, g->release.event, g->acquire.event); break;
	case OCLMM_GAP_REGION: tell_region(t, g); break;
	default:
		oclmm_text_printf(&t->text, "what synchronises stands %s %s",
		                  g->kind == OCLMM_GAP_EARLY ? "before" : "after",
		                  letter(t, g->kind == OCLMM_GAP_EARLY ? g->a : g->b).text);
		break;
	}
	say(t, " (A:3.3.9.1, A:3.3.9.2). ");
}

/* A copy and what its own work-item does, or another copy. */
static void tell_copied(struct clause *t, unsigned a, unsigned b)
{
	bool copied_a = t->x->event[a].copied, copied_b = t->x->event[b].copied;

	if (copied_a && copied_b)
		say(t, "Both are of asynchronous copies, and the work-item has not waited for one "
		       "before it began the other");
	else
		oclmm_text_printf(&t->text,
		                  "%s is of an asynchronous copy, which goes on beside its "
		                  "work-item until that waits for it, and %s comes before the wait",
		                  letter(t, copied_a ? a : b).text,
		                  letter(t, copied_a ? b : a).text);
	say(t, " (C:6.15.11). ");
}

static void tell_gap(struct clause *t, unsigned a, unsigned b)
{
	enum oclmm_space region = t->x->event[a].region;
	struct oclmm_gap gap;

	oclmm_execution_gap(t->program, t->x, a, b, &gap);
	switch (gap.kind) {
	case OCLMM_GAP_NO_CONTACT:
		say(t, "Nothing that one of the two has read by then comes from after the other's "
		       "access, so neither happens before the other. ");
		break;
	case OCLMM_GAP_BARRIER_FLAG:
		oclmm_text_printf(&t->text,
		                  "The barrier between them has no %s flag, so it waits but orders "
		                  "nothing in %s memory (A:3.3.9.3). ",
		                  oclmm_flags_spelling(1u << region), oclmm_space_spelling(region));
		break;
	case OCLMM_GAP_BARRIER_HALVES:
		oclmm_text_printf(&t->text,
		                  "Of the barrier between them, arrival and wait do not both have "
		                  "the flag %s and a scope that reaches the other work-item "
		                  "(cl_intel_split_work_group_barrier). ",
		                  oclmm_flags_spelling(1u << region));
		break;
	case OCLMM_GAP_BARRIER_GROUP:
		say(t, "A barrier orders the work-items of one group only (A:3.3.9.3), and these "
		       "two are in different ones. ");
		break;
	default: tell_contact(t, &gap); break;
	}
}

/* What is missing between two accesses that race. */
static const char *describe_race(struct oclmm_arena *arena, const struct oclmm_program *program,
                                 const struct oclmm_execution *x, unsigned a, unsigned b)
{
	struct clause t = {.program = program, .x = x};

	tell_conflict(&t, a, b);
	if (x->event[a].thread == x->event[b].thread) {
		tell_copied(&t, a, b);
	} else if (!tell_unshielded(&t, a, b)) {
		if (oclmm_program_has_commands(program))
			tell_command_gap(&t.text, program, (uint32_t)x->event[a].thread,
			                 (uint32_t)x->event[b].thread);
		else
			tell_gap(&t, a, b);
	}
	t.text.data[t.text.length - 1] = '\0';
	return oclmm_text_keep(&t.text, arena);
}

/* Where a text has one outcome, the answer says it, and a forbidden execution is a picture beside
 * it. That is looked for among few candidates: loops and updates of work-items make millions. */
enum { CANDIDATES_IN_STEP = 2000 };
enum { DEFAULT_CANDIDATES = 200000, DEFAULT_CHECKS = 3000 };

/* ---- the outcome and the reading ----------------------------------------- */

static void note_state(struct explain *x)
{
	const struct oclmm_answer *answer = x->answer;
	struct oclmm_explanation *e = x->e;

	for (uint32_t i = 0; i < answer->state_count; i++)
		e->states += program_asks_for(x->program, answer->states[i].values);
	x->state = oclmm_explain_state(x, answer);
	e->status = x->state ? x->state->status[e->model] : OCLMM_STATUS_FORBIDDEN;
	if (program_is_undefined(answer, e->model)) {
		e->status = OCLMM_STATUS_UNDEFINED;
		e->witness = oclmm_arena_copy(e->arena, &answer->witness[e->model],
		                              sizeof(*e->witness));
	}
	if (e->status == OCLMM_STATUS_DISPUTED)
		e->deciding = x->state->deciding[e->model];
	if (e->status == OCLMM_STATUS_DISPUTED && e->model == OCLMM_MODEL_CONSENSUS) {
		e->versions = OCLMM_MODEL_VERSIONS;
		memcpy(e->by_version, x->state->status, sizeof(e->by_version));
	}
}

/* Readings as they are preferred: 2.1 first, for most devices are of its kind; then without
 * alternatives. */
static unsigned reading_rank(const struct oclmm_reading *r)
{
	static const unsigned ranks[OCLMM_MODEL_COUNT] = {
		[OCLMM_MODEL_OPENCL_2_1] = 0,
		[OCLMM_MODEL_OPENCL_3_1] = 1,
		[OCLMM_MODEL_OPENCL_2_0] = 2,
		[OCLMM_MODEL_SCOPED] = 3,
	};

	return ranks[r->regime] + 4 * (unsigned)__builtin_popcount(r->alternatives);
}

static void prefer_reading(const struct explain *x,
                           bool (*fits)(const struct explain *x, uint32_t i),
                           struct oclmm_reading *ret_reading)
{
	bool found = false;

	for (uint32_t i = 0; i < x->answer->reading_count; i++) {
		const struct oclmm_reading *reading = &x->answer->readings[i];

		if (!oclmm_model_covers(x->e->model, reading) || !fits(x, i) ||
		    (found && reading_rank(reading) >= reading_rank(ret_reading)))
			continue;
		*ret_reading = *reading;
		found = true;
	}
}

/* Whether a reading is one that gives the verdict its reason. */
static bool is_fitting(const struct explain *x, uint32_t reading)
{
	const struct oclmm_explanation *e = x->e;

	if (e->status == OCLMM_STATUS_UNDEFINED)
		return x->answer->undefined_by[reading];
	return e->status != OCLMM_STATUS_DISPUTED || !x->state->allowed_by[reading];
}

static void list_readings(struct explain *x)
{
	struct oclmm_explanation *e = x->e;

	if (e->model == OCLMM_MODEL_SCOPED || e->text)
		return;
	e->readings = OCLMM_NEW_ARRAY(e->arena, struct oclmm_reading_verdict,
	                              x->answer->reading_count + 1);
	for (uint32_t i = 0; i < x->answer->reading_count; i++) {
		enum oclmm_status status = OCLMM_STATUS_FORBIDDEN;

		if (!oclmm_model_covers(e->model, &x->answer->readings[i]))
			continue;
		if (x->answer->undefined_by[i])
			status = OCLMM_STATUS_UNDEFINED;
		else if (x->state && x->state->allowed_by[i])
			status = OCLMM_STATUS_ALLOWED;
		e->readings[e->reading_count++] = (struct oclmm_reading_verdict){
			.reading = x->answer->readings[i], .status = status};
	}
}

/* ---- executions ------------------------------------------------------------ */

struct execution_search {
	struct explain *explain;
	const int64_t *values; /* the one state wanted; NULL: all that are asked for */
	bool consistent;       /* a consistent one is looked for, not the closest failure */
	struct oclmm_execution *best;
	struct oclmm_breach breach;
	unsigned rank;
	struct oclmm_cat_why why; /* by a model as text, in place of `breach` */
	struct tally {
		const char *name;
		unsigned number; /* in the order in which they are asked */
		uint64_t executions;
	} * failures;
	size_t failure_count, failure_capacity;
};

static bool is_wanted(void *data, const int64_t *values)
{
	const struct execution_search *s = data;
	const struct oclmm_program *p = s->explain->program;

	if (s->values)
		return memcmp(s->values, values, p->observable_count * sizeof(*values)) == 0;
	return program_asks_for(p, values);
}

/* An execution is the closer the later its first broken axiom is asked; basic axioms weigh most. */
static unsigned failure_rank(unsigned broken)
{
	unsigned rank = 0;

	for (unsigned i = 0; i < OCLMM_AXIOM_COUNT; i++)
		if (broken & 1u << i)
			rank |= 1u << (OCLMM_AXIOM_COUNT - 1 - i);
	return rank;
}

static void count_failure(struct execution_search *s, const char *name, unsigned number)
{
	size_t i = 0;

	while (i < s->failure_count && s->failures[i].number != number)
		i++;
	if (i == s->failure_count) {
		oclmm_grow(&s->failures, &s->failure_capacity, i, sizeof(*s->failures));
		s->failures[s->failure_count++] = (struct tally){.name = name, .number = number};
	}
	s->failures[i].executions++;
}

/* The later in the model the check that fails first, the closer; then the shorter its cycle. */
static void keep_failed_check(struct execution_search *s, const struct oclmm_execution *x)
{
	const struct oclmm_cat_why *why = x->why;
	bool shown = why->count > 0;

	count_failure(s, why->name, why->number);
	if (s->best && (why->number < s->why.number ||
	                (why->number == s->why.number &&
	                 (!shown || (s->why.count > 0 && why->count >= s->why.count)))))
		return;
	s->why = *why;
	s->best = oclmm_execution_copy(s->explain->e->arena, s->explain->program, x);
}

static void keep_failure(struct execution_search *s, const struct oclmm_execution *x)
{
	unsigned rank = failure_rank(x->broken), first = (unsigned)__builtin_ctz(x->broken);
	struct oclmm_breach breach;

	count_failure(s, oclmm_axiom_name((enum oclmm_axiom)first), first);
	if (s->best && rank > s->rank)
		return;
	if (!oclmm_execution_breach(x, &breach) ||
	    (s->best && rank == s->rank && breach.count >= s->breach.count))
		return;
	s->rank = rank;
	s->breach = breach;
	s->best = oclmm_execution_copy(s->explain->e->arena, s->explain->program, x);
}

static int look(void *data, const struct oclmm_execution *x)
{
	struct execution_search *s = data;

	s->explain->e->candidates++;
	if (!s->consistent && x->why)
		keep_failed_check(s, x);
	else if (!s->consistent && x->broken)
		keep_failure(s, x);
	if (!s->consistent || x->broken)
		return 0;
	s->best = oclmm_execution_copy(s->explain->e->arena, s->explain->program, x);
	return 1;
}

static int visit_executions(struct explain *x, struct oclmm_visit_options *visit)
{
	int result;

	visit->reading = x->e->reading;
	visit->cat = x->options->cat;
	visit->limit = x->options->candidate_limit;
	if (x->answer->in_step && visit->limit > CANDIDATES_IN_STEP)
		visit->limit = CANDIDATES_IN_STEP;
	visit->time_limit = x->options->time_limit;
	visit->ended = x->options->ended;
	visit->ended_data = x->options->data;
	result = oclmm_executions(x->program, visit, x->error);
	x->e->candidates_cut |= result == -ETIME;
	return result < 0 && result != -ETIME ? result : 0;
}

static int search(struct execution_search *s, bool wide)
{
	struct oclmm_visit_options visit = {
		.wide = wide, .wanted = is_wanted, .visit = look, .data = s};

	return visit_executions(s->explain, &visit);
}

static int compare_failures(const void *a, const void *b)
{
	const struct tally *x = a, *y = b;
	int order = oclmm_compare_numbers(y->executions, x->executions);

	return order ? order : oclmm_compare_numbers(x->number, y->number);
}

static void note_failures(struct oclmm_explanation *e, struct execution_search *s)
{
	e->failures = OCLMM_NEW_ARRAY(e->arena, struct oclmm_failure, s->failure_count + 1);
	if (!s->failures)
		return;
	qsort(s->failures, s->failure_count, sizeof(*s->failures), compare_failures);
	for (size_t i = 0; i < s->failure_count; i++)
		e->failures[e->failure_count++] = (struct oclmm_failure){
			.name = oclmm_arena_strdup(e->arena, s->failures[i].name),
			.executions = s->failures[i].executions};
	free(s->failures);
}

/* The edge that a base relation of a model as text is; HB, as which it is drawn, for all else. */
static enum oclmm_edge edge_of(const struct oclmm_cat_step *step)
{
	static const struct {
		const char *name;
		enum oclmm_edge edge;
	} known[] = {
		{"po", OCLMM_EDGE_SB},
		{"rf", OCLMM_EDGE_RF},
		{"co", OCLMM_EDGE_MO},
		{"dep", OCLMM_EDGE_DATA},
	};

	for (size_t i = 0; !step->inverse && i < OCLMM_COUNT(known); i++)
		if (strcmp(step->name, known[i].name) == 0)
			return known[i].edge;
	return OCLMM_EDGE_HB;
}

/* From a read back to its write and on to a later one: our fr, the rb of docs/opencl.cat. */
static bool is_from_read(const struct oclmm_cat_step *step)
{
	return step[0].inverse && strcmp(step[0].name, "rf") == 0 && !step[1].inverse &&
	       strcmp(step[1].name, "co") == 0;
}

static void note_steps_of_check(struct explain *x, const struct execution_search *s,
                                const char *section, struct oclmm_violation *v)
{
	const struct oclmm_cat_why *why = &s->why;
	struct oclmm_arena *arena = x->e->arena;

	v->steps = OCLMM_NEW_ARRAY(arena, struct oclmm_step, why->count + 1);
	for (unsigned i = 0; i < why->count; i++) {
		const struct oclmm_cat_step *from = &why->steps[i];
		struct oclmm_step *step = &v->steps[v->step_count++];

		*step = (struct oclmm_step){.edge = edge_of(from),
		                            .from = from->from,
		                            .to = from->to};
		if (i + 1 < why->count && is_from_read(from)) {
			step->edge = OCLMM_EDGE_FR;
			step->to = why->steps[++i].to;
		}
		if (step->edge == OCLMM_EDGE_HB) {
			step->name = oclmm_arena_printf(arena, "%s%s", from->name,
			                                from->inverse ? "^-1" : "");
			step->why = "by the model's relation of this name";
			step->section = section;
		} else {
			oclmm_explain_steps(arena, x->program, s->best, step, 1);
		}
	}
}

/* The check of a model as text that the execution breaks. */
static void note_check(struct explain *x, const struct execution_search *s)
{
	struct oclmm_explanation *e = x->e;
	struct oclmm_violation *v = OCLMM_NEW(e->arena, struct oclmm_violation);

	v->axiom = OCLMM_AXIOM_COUNT;
	v->rule = oclmm_arena_strdup(e->arena, s->why.name);
	v->section = oclmm_arena_printf(e->arena, "%s, line %u", e->text, s->why.line);
	v->why = oclmm_arena_printf(e->arena, "The model asks for `%s`%s", s->why.check,
	                            s->why.ordered
	                                    ? "; some check breaks under each order that its "
	                                      "`with` may choose, this one under the last"
	                                    : "");
	note_steps_of_check(x, s, v->section, v);
	e->violation = v;
}

static void note_violation(struct explain *x, const struct execution_search *s)
{
	struct oclmm_explanation *e = x->e;
	struct oclmm_violation *v = OCLMM_NEW(e->arena, struct oclmm_violation);

	v->axiom = oclmm_rule_axiom(s->breach.rule);
	v->rule = oclmm_rule_name(s->breach.rule);
	v->why = describe_rule(e->arena, s->best, &s->breach);
	v->section = oclmm_axiom_section(v->axiom);
	v->step_count = s->breach.count;
	v->steps = OCLMM_NEW_ARRAY(e->arena, struct oclmm_step, v->step_count);
	for (unsigned i = 0; i < v->step_count; i++) {
		const struct oclmm_arrow *a = &s->breach.arrow[i];

		v->steps[i] = (struct oclmm_step){.edge = a->edge, .from = a->from, .to = a->to};
	}
	oclmm_explain_steps(e->arena, x->program, s->best, v->steps, v->step_count);
	e->violation = v;
}

static void note_execution(struct explain *x, struct execution_search *s)
{
	struct oclmm_explanation *e = x->e;

	e->execution = s->best;
	if (!s->best)
		return;
	e->reached = true;
	e->values = oclmm_arena_copy(e->arena, s->best->values,
	                             x->program->observable_count * sizeof(*e->values));
}

static int explain_allowed(struct explain *x)
{
	struct execution_search s = {.explain = x, .values = x->state->values, .consistent = true};
	int result = search(&s, false);

	note_execution(x, &s);
	return result;
}

/* The closest failure: among those that keep to the rules of one work-item, if there are any. */
static int explain_forbidden(struct explain *x)
{
	struct execution_search s = {.explain = x};
	int result;

	if (x->e->status == OCLMM_STATUS_DISPUTED)
		s.values = x->state->values;
	result = search(&s, false);
	if (result == 0 && !s.best && !x->e->candidates_cut)
		result = search(&s, true);
	note_execution(x, &s);
	if (s.best && x->e->text)
		note_check(x, &s);
	else if (s.best)
		note_violation(x, &s);
	note_failures(x->e, &s);
	return result;
}

/* ---- outcomes that nothing ends in ------------------------------------------ */

enum { MAX_DOMAIN = 16 };

struct domain_search {
	const struct oclmm_program *program;
	struct domain {
		int64_t values[MAX_DOMAIN];
		unsigned count;
		bool more;
	} * domains;
};

static bool in_domain(const struct domain *d, int64_t value)
{
	for (unsigned i = 0; i < d->count; i++)
		if (d->values[i] == value)
			return true;
	return d->more;
}

static bool note_values(void *data, const int64_t *values)
{
	struct domain_search *s = data;

	for (uint32_t i = 0; i < s->program->observable_count; i++) {
		struct domain *d = &s->domains[i];

		if (in_domain(d, values[i]))
			continue;
		if (d->count == MAX_DOMAIN)
			d->more = true;
		else
			d->values[d->count++] = values[i];
	}
	return false;
}

static int visit_nothing(void *data, const struct oclmm_execution *x)
{
	(void)data;
	(void)x;
	return 0;
}

/* A comparison for equality with a value that the observable never takes. */
static const struct oclmm_condition *find_unreachable(const struct domain_search *s,
                                                      const struct oclmm_condition *c)
{
	const struct oclmm_condition *found = NULL;

	if (!c)
		return NULL;
	if (c->kind == OCLMM_CONDITION_COMPARE && c->op == OCLMM_OPERATOR_EQ && !c->a.is_constant &&
	    c->b.is_constant && !in_domain(&s->domains[c->a.observable], c->b.constant))
		return c;
	if (c->kind != OCLMM_CONDITION_NOT)
		found = find_unreachable(s, c->left);
	return found || c->kind == OCLMM_CONDITION_NOT ? found : find_unreachable(s, c->right);
}

static int compare_values(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

static const char *tell_domain(struct explain *x, const struct domain_search *s)
{
	const struct oclmm_condition *c = x->e->unreachable;
	struct domain *d = &s->domains[c->a.observable];
	const struct oclmm_observable *o = &x->program->observables[c->a.observable];
	struct oclmm_text text = {0};

	qsort(d->values, d->count, sizeof(*d->values), compare_values);
	oclmm_text_printf(&text, "%s never has the value ", o->name);
	oclmm_value_print(&text, o->type, c->b.constant);
	oclmm_text_add(&text, ": it ends as ");
	for (unsigned i = 0; i < d->count; i++) {
		oclmm_text_add(&text, i == 0 ? "" : i + 1 == d->count ? " or " : ", ");
		oclmm_value_print(&text, o->type, d->values[i]);
	}
	return oclmm_text_keep(&text, x->e->arena);
}

static int explain_unreached(struct explain *x)
{
	struct domain_search s = {
		.program = x->program,
		.domains = OCLMM_NEW_ARRAY(x->e->arena, struct domain,
	                                   x->program->observable_count + 1),
	};
	struct oclmm_visit_options visit = {
		.wide = true, .wanted = note_values, .visit = visit_nothing, .data = &s};
	int result = visit_executions(x, &visit);

	if (result < 0)
		return result;
	x->e->why = "these values do not come together, whichever writes the reads take their "
		    "values from";
	if (x->e->candidates_cut)
		return 0;
	x->e->unreachable = find_unreachable(&s, x->program->condition);
	if (x->e->unreachable)
		x->e->why = tell_domain(x, &s);
	return 0;
}

/* ---- disputes: the same execution under a reading that allows it --------------------- */

struct dispute {
	const struct oclmm_execution *shown;
	const struct oclmm_program *program;
	struct oclmm_arena *arena;
	struct oclmm_execution *same; /* what was shown, under the other reading */
};

static bool is_outcome_shown(void *data, const int64_t *values)
{
	const struct dispute *d = data;

	return memcmp(values, d->shown->values, d->program->observable_count * sizeof(*values)) ==
	       0;
}

static bool is_same(const struct oclmm_execution *a, const struct oclmm_execution *b)
{
	if (a->count != b->count || memcmp(a->mo, b->mo, sizeof(a->mo)) != 0)
		return false;
	for (unsigned i = 0; i < a->count; i++) {
		const struct oclmm_event *e = &a->event[i], *f = &b->event[i];

		if (e->kind != f->kind || e->thread != f->thread ||
		    e->position.line != f->position.line ||
		    e->position.column != f->position.column ||
		    (oclmm_event_reads(e) && a->rf[i] != b->rf[i]))
			return false;
	}
	return true;
}

static int look_for_shown(void *data, const struct oclmm_execution *x)
{
	struct dispute *d = data;

	if (!is_same(x, d->shown))
		return 0;
	d->same = oclmm_execution_copy(d->arena, d->program, x);
	return 1;
}

/* The first edge of the cycle that the other reading does not have. */
static const struct oclmm_step *missing_step(const struct explain *x,
                                             const struct oclmm_execution *other)
{
	const struct oclmm_violation *v = x->e->violation;

	for (unsigned i = 0; v && i < v->step_count; i++) {
		const struct oclmm_step *s = &v->steps[i];
		oclmm_events sw = oclmm_execution_sw(other, s->from);

		if (s->edge == OCLMM_EDGE_SW && !(sw & BIT(s->to)))
			return s;
	}
	return NULL;
}

/* Whether the reading that is not the default forbids more. */
static OCLMM_LOOK_UP(bool, forbids_more, oclmm_knob, OCLMM_KNOBS, THIRD);
/* What is different under the reading that allows, or NULL. */
static OCLMM_LOOK_UP(const char *, sentence_of, oclmm_knob, OCLMM_KNOBS, FOURTH);

/* The sentence of a knob that alone makes the difference: of the alternative, or for those that
 * allow less, of the text without it. */
static const char *tell_knob(const struct explain *x)
{
	unsigned deciding = x->e->deciding, alternatives = x->e->allowing.alternatives;
	enum oclmm_knob knob;

	if (deciding == 0 || deciding & (deciding - 1))
		return NULL;
	knob = (enum oclmm_knob)__builtin_ctz(deciding);
	if (forbids_more(knob) ? alternatives & deciding : alternatives != deciding)
		return NULL;
	return sentence_of(knob);
}

static const char *tell_difference(const struct explain *x, const struct oclmm_execution *other)
{
	const struct oclmm_step *missing = other ? missing_step(x, other) : NULL;
	const char *knob = tell_knob(x);

	if (knob)
		return knob;
	if (!other || other->broken)
		return "another execution that ends so is consistent there";
	if (missing)
		return oclmm_arena_printf(x->e->arena,
		                          "the same execution is consistent there, because %s does "
		                          "not synchronize with %s",
		                          oclmm_event_letter(other, missing->from).text,
		                          oclmm_event_letter(other, missing->to).text);
	switch (x->e->violation ? x->e->violation->axiom : OCLMM_AXIOM_COUNT) {
	case OCLMM_AXIOM_SEQ_CST:
		return "the same execution is consistent there: that reading does not ask for "
		       "every step of this cycle in an order S";
	case OCLMM_AXIOM_THIN_AIR:
		return "the same execution is consistent there: that reading lets a value depend "
		       "on itself";
	default:
		return "the same execution is consistent there: that reading does not order what "
		       "this cycle orders by happens-before";
	}
}

static bool is_allowing(const struct explain *x, uint32_t reading)
{
	return x->state->allowed_by[reading];
}

static int explain_dispute(struct explain *x)
{
	struct dispute d = {.shown = x->e->execution, .program = x->program, .arena = x->e->arena};
	struct oclmm_visit_options visit = {
		.wide = x->e->violation && x->e->violation->axiom == OCLMM_AXIOM_THIN_AIR,
		.wanted = is_outcome_shown,
		.visit = look_for_shown,
		.data = &d,
		.limit = x->options->candidate_limit,
		.time_limit = x->options->time_limit,
		.ended = x->options->ended,
		.ended_data = x->options->data,
	};
	int result;

	prefer_reading(x, is_allowing, &x->e->allowing);
	if (!d.shown)
		return 0;
	visit.reading = x->e->allowing;
	result = oclmm_executions(x->program, &visit, x->error);
	if (result < 0 && result != -ETIME)
		return result;
	x->e->allowing_why = tell_difference(x, d.same);
	return 0;
}

/* ---- races --------------------------------------------------------------------------- */

/* A program that is undefined for another reason keeps the oracle's witness, which names the place.
 */

struct race_search {
	struct explain *explain;
	struct oclmm_execution *best;
	unsigned a, b;
	unsigned rank;
};

/* Reads of b's thread in front of b that take their value from a's thread, from a on or behind
 * it. */
static unsigned contacts(const struct oclmm_execution *x, unsigned a, unsigned b)
{
	unsigned n = 0;

	for (unsigned y = x->init_count; y < x->count; y++)
		n += oclmm_event_reads(&x->event[y]) && x->sb[y] & BIT(b) &&
		     x->sb[a] & BIT(x->rf[y]);
	return n;
}

static bool is_access(const struct oclmm_event *e, const struct oclmm_access *access)
{
	return e->thread == (int)access->thread && e->statement == access->statement &&
	       e->position.line == access->position.line &&
	       e->position.column == access->position.column;
}

/* Whether it is the pair that the oracle has named. */
static bool is_named(const struct race_search *s, const struct oclmm_execution *x, unsigned a,
                     unsigned b)
{
	const struct oclmm_witness *w = s->explain->e->witness;
	const struct oclmm_event *ea = &x->event[a], *eb = &x->event[b];

	return (is_access(ea, &w->a) && is_access(eb, &w->b)) ||
	       (is_access(ea, &w->b) && is_access(eb, &w->a));
}

/* The race that check names comes before all others; then one with the outcome asked for, which
 * says more, and one where the two threads have met already. */
static unsigned rank_of(const struct race_search *s, const struct oclmm_execution *x, unsigned a,
                        unsigned b)
{
	bool asked = x->values && program_asks_for(s->explain->program, x->values);
	unsigned met = contacts(x, a, b) + contacts(x, b, a);

	return 1 + (is_named(s, x, a, b) ? 16 : 0) + (asked ? 8 : 0) + (met > 3 ? 3 : met) * 2 +
	       (x->values ? 1 : 0);
}

static int look_for_race(void *data, const struct oclmm_execution *x)
{
	struct race_search *s = data;

	if (x->broken)
		return 0;
	for (unsigned a = x->init_count; a < x->count; a++) {
		FOR_EACH (b, x->races[a]) {
			unsigned rank = rank_of(s, x, a, (unsigned)b);

			if (rank <= s->rank)
				continue;
			s->rank = rank;
			s->a = a;
			s->b = (unsigned)b;
			s->best = oclmm_execution_copy(s->explain->e->arena, s->explain->program,
			                               x);
		}
	}
	return 0;
}

static int explain_race(struct explain *x)
{
	struct race_search s = {.explain = x};
	struct oclmm_visit_options visit = {.visit = look_for_race, .data = &s};
	int result = visit_executions(x, &visit);

	if (result < 0 || !s.best)
		return result;
	x->e->execution = s.best;
	x->e->race_a = s.a;
	x->e->race_b = s.b;
	x->e->why = x->e->text ? oclmm_arena_printf(x->e->arena, "The model raises its flag %s.",
	                                            s.best->flag)
	                       : describe_race(x->e->arena, x->program, s.best, s.a, s.b);
	return 0;
}

static int explain_status(struct explain *x)
{
	struct oclmm_explanation *e = x->e;
	int result;

	switch (e->status) {
	case OCLMM_STATUS_ALLOWED: return explain_allowed(x);
	case OCLMM_STATUS_UNDEFINED:
		if (x->answer->explored) {
			e->why = "It has too many executions for one to be shown, or for a repair "
				 "to be judged.";
			return 0;
		}
		return e->witness->reason == OCLMM_UNDEFINED_RACE ? explain_race(x) : 0;
	default:
		result = explain_forbidden(x);
		if (result == 0 && !e->reached && !e->candidates_cut)
			result = explain_unreached(x);
		if (result == 0 && e->status == OCLMM_STATUS_DISPUTED)
			result = explain_dispute(x);
		return result;
	}
}

static enum oclmm_model asked_model(unsigned models)
{
	return models ? (enum oclmm_model)__builtin_ctz(models) : OCLMM_MODEL_CONSENSUS;
}

/* Too large for a search: all that can be shown is where it ends. */
static int note_only(struct explain *x)
{
	struct oclmm_explanation *e = x->e;
	size_t size = x->program->observable_count * sizeof(*e->only);

	if (x->answer->state_count)
		e->only = oclmm_arena_copy(e->arena, x->answer->states[0].values, size);
	e->execution = NULL;
	e->violation = NULL;
	e->failure_count = 0;
	e->candidates = 0;
	e->candidates_cut = false;
	return 0;
}

static int explain_all(struct explain *x)
{
	const struct oclmm_check_options check = {.models = x->models,
	                                          .time_limit = x->options->time_limit,
	                                          .ended = x->options->ended,
	                                          .data = x->options->data,
	                                          .cat = x->options->cat};
	int result = oclmm_check(x->program, &check, x->error, &x->answer);

	if (result < 0)
		return result;
	/* executions are shown with one value for each of these, which none has in particular */
	if (x->answer->unspecified && !x->answer->undefined[x->e->model])
		return oclmm_error_set(
			x->error, -EINVAL,
			"%s: %s may have any value, after a division by zero, say: "
			"there is no execution to show",
			x->program->name,
			x->program->observables[__builtin_ctzll(x->answer->unspecified)].name);
	note_state(x);
	prefer_reading(x, is_fitting, &x->e->reading);
	list_readings(x);
	result = explain_status(x);
	if (x->answer->in_step && (result == -E2BIG || x->e->candidates_cut))
		return note_only(x);
	if (result == 0 && !x->options->no_changes && !x->answer->explored)
		result = oclmm_explain_changes(x);
	return result;
}

int oclmm_explain(const struct oclmm_program *program, const struct oclmm_explain_options *options,
                  struct oclmm_error *error, struct oclmm_explanation **ret_explanation)
{
	struct oclmm_explain_options o = options ? *options : (struct oclmm_explain_options){0};
	struct oclmm_arena *arena = oclmm_arena_create();
	struct oclmm_explanation *e = OCLMM_NEW(arena, struct oclmm_explanation);
	struct explain x = {.program = program, .options = &o, .error = error, .e = e};
	int result;

	if (!o.candidate_limit)
		o.candidate_limit = DEFAULT_CANDIDATES;
	if (!o.check_limit)
		o.check_limit = DEFAULT_CHECKS;
	e->arena = arena;
	e->program = program;
	e->model = asked_model(o.models);
	if (o.cat)
		e->text = oclmm_arena_strdup(arena, oclmm_cat_name(o.cat));
	x.models = 1u << e->model | 1u << OCLMM_MODEL_CONSENSUS;
	result = explain_all(&x);
	oclmm_answer_destroy(x.answer);
	if (result < 0) {
		oclmm_explanation_destroy(e);
		return result;
	}
	*ret_explanation = e;
	return 0;
}

void oclmm_explanation_destroy(struct oclmm_explanation *e)
{
	if (e)
		oclmm_arena_destroy(e->arena);
}
