// SPDX-License-Identifier: Apache-2.0
/* Why an edge is there, as a clause that somebody who programs in C can follow. */

#include "internal.h"

/* ---- how two events synchronise ---------------------------------------- */

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

/* ---- clauses ------------------------------------------------------------ */

void clause_say(struct clause *c, const char *words)
{
	oclmm_text_add(&c->text, words);
}

struct oclmm_event_letter clause_letter(const struct clause *c, unsigned event)
{
	return oclmm_event_letter(c->x, event);
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
	oclmm_text_printf(&c->text, "%s reads ", clause_letter(c, read).text);
	value(c, read, true);
	if (write < c->x->init_count) {
		clause_say(c, ", the initial value of ");
		object(c, read);
		return;
	}
	oclmm_text_printf(&c->text, ", which %s wrote", clause_letter(c, write).text);
}

static void why_release(struct clause *c, unsigned a, const struct oclmm_synchronization *p)
{
	if (a == p->x)
		oclmm_text_printf(&c->text, "%s releases", clause_letter(c, a).text);
	else
		oclmm_text_printf(&c->text, "%s %s before the write %s", clause_letter(c, a).text,
		                  c->x->event[a].barrier
		                          ? "(the entry of a barrier, a release fence) stands"
		                          : "is a release fence",
		                  clause_letter(c, p->x).text);
}

static void why_acquire(struct clause *c, unsigned b, const struct oclmm_synchronization *p)
{
	if (b == p->y)
		oclmm_text_printf(&c->text, "%s acquires and", clause_letter(c, b).text);
	else
		oclmm_text_printf(&c->text, "%s %s after %s, which", clause_letter(c, b).text,
		                  c->x->event[b].barrier
		                          ? "(the exit of a barrier, an acquire fence) comes"
		                          : "is an acquire fence",
		                  clause_letter(c, p->y).text);
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
	clause_say(c, ", ");
	why_acquire(c, b, p);
	clause_say(c, " reads ");
	value(c, p->y, true);
	oclmm_text_printf(&c->text, p->w == p->x ? " from %s" : ", written by %s",
	                  clause_letter(c, p->w).text);
	if (p->w != p->x)
		oclmm_text_printf(&c->text, " in the release sequence of %s",
		                  clause_letter(c, p->x).text);
	clause_say(c, "; their scopes include each other");
	if (p->region != region)
		clause_say(c, "; since both name both regions or are seq_cst, this holds in both "
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
		                  clause_letter(c, s->from).text, threads[to].id);
		if (!(c->x->reading.alternatives & 1u << OCLMM_KNOB_K13))
			clause_say(c, ", and both are in fine-grained shared virtual memory");
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
		return tell_command_way(&c->text, c->program, (uint32_t)a->thread,
		                        (uint32_t)b->thread);
	if (p->copy) {
		oclmm_text_printf(&c->text,
		                  "%s is part of a copy that the whole work-group makes, and %s "
		                  "waits for all of it",
		                  clause_letter(c, s->from).text, clause_letter(c, s->to).text);
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
	                  clause_letter(c, s->to).text, w < c->x->init_count ? "it" : "that",
	                  clause_letter(c, s->from).text, clause_letter(c, s->to).text);
}

static void why_sb(struct clause *c, const struct oclmm_step *s)
{
	oclmm_text_printf(&c->text, "P%u does %s before %s",
	                  c->program->threads[c->x->event[s->from].thread].id,
	                  clause_letter(c, s->from).text, clause_letter(c, s->to).text);
}

static void why_mo(struct clause *c, const struct oclmm_step *s)
{
	clause_say(c, "of the writes to ");
	object(c, s->from);
	oclmm_text_printf(&c->text, ", %s comes after %s", clause_letter(c, s->to).text,
	                  clause_letter(c, s->from).text);
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
		clause_say(c, oclmm_program_has_commands(c->program)
		                      ? "initial values are there before the commands begin"
		                      : "initial values are there before the kernel starts");
		return "A:3.3.9.5";
	case OCLMM_EDGE_S:
		oclmm_text_printf(&c->text, "%s must come before %s in S",
		                  clause_letter(c, s->from).text, clause_letter(c, s->to).text);
		break;
	case OCLMM_EDGE_DATA:
		oclmm_text_printf(&c->text, "what %s writes is computed from what %s reads",
		                  clause_letter(c, s->to).text, clause_letter(c, s->from).text);
		break;
	case OCLMM_EDGE_COUNT: break;
	}
	return oclmm_edge_section(s->edge);
}

void explain_steps(struct oclmm_arena *arena, const struct oclmm_program *program,
                   const struct oclmm_execution *x, struct oclmm_step *steps, unsigned count)
{
	struct clause c = {.program = program, .x = x};

	for (unsigned i = 0; i < count; i++) {
		steps[i].section = why(&c, &steps[i]);
		steps[i].why = oclmm_text_keep(&c.text, arena);
	}
}
