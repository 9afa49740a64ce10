// SPDX-License-Identifier: Apache-2.0
/*
 * Undefined programs: the race to show, and what is missing between its two
 * accesses. A program that is undefined for another reason keeps the oracle's
 * witness, which names the place.
 */
#include "internal.h"

/* ---- which race --------------------------------------------------------- */

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

/* A race with the outcome asked for says more; and one where the two threads have met already. */
static unsigned rank_of(const struct race_search *s, const struct oclmm_execution *x, unsigned a,
                        unsigned b)
{
	bool asked = x->values && program_asks_for(s->explain->program, x->values);
	unsigned met = contacts(x, a, b) + contacts(x, b, a);

	return 1 + (asked ? 8 : 0) + (met > 3 ? 3 : met) * 2 + (x->values ? 1 : 0);
}

static int look(void *data, const struct oclmm_execution *x)
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

/* ---- what is missing ---------------------------------------------------- */

static unsigned thread_id(const struct clause *t, unsigned event)
{
	return t->program->threads[t->x->event[event].thread].id;
}

static void tell_conflict(struct clause *t, unsigned a, unsigned b)
{
	const struct oclmm_event *ea = &t->x->event[a], *eb = &t->x->event[b];
	bool both = oclmm_event_writes(ea) && oclmm_event_writes(eb);

	oclmm_text_printf(&t->text, "%s and %s access ", clause_letter(t, a).text,
	                  clause_letter(t, b).text);
	print_object(&t->text, t->program, ea);
	oclmm_text_printf(&t->text, " from P%u and P%u, and %s: they conflict. ", thread_id(t, a),
	                  thread_id(t, b), both ? "both write" : "one of them writes");
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

static bool are_two_kernels(const struct clause *t, unsigned a, unsigned b)
{
	const struct oclmm_thread *threads = t->program->threads;
	const struct oclmm_placement *p = &threads[t->x->event[a].thread].placement;
	const struct oclmm_placement *q = &threads[t->x->event[b].thread].placement;

	return oclmm_two_kernels(p, q);
}

/* Memory that kernels in two queues have in common at commands only. \return whether it is such. */
static bool tell_queued(struct clause *t, unsigned a, unsigned b)
{
	const struct oclmm_location *l = &t->program->locations[t->x->event[a].location];

	if ((l->storage != OCLMM_STORAGE_BUFFER && l->storage != OCLMM_STORAGE_SVM_COARSE) ||
	    !are_two_kernels(t, a, b))
		return false;
	oclmm_text_printf(&t->text,
	                  ", and P%u and P%u are in two kernels: access to %s is ordered between "
	                  "them at synchronization points of commands, and whether atomic "
	                  "operations order it, too, the text leaves open (A:3.3.9.5). ",
	                  thread_id(t, a), thread_id(t, b),
	                  l->storage == OCLMM_STORAGE_BUFFER ? "an ordinary buffer"
	                                                     : "coarse-grained memory");
	return true;
}

static void tell_scopes(struct clause *t, unsigned a, unsigned b)
{
	const struct oclmm_event *ea = &t->x->event[a], *eb = &t->x->event[b];
	const struct oclmm_location *l = &t->program->locations[ea->location];

	clause_say(
		t,
		"Atomic accesses may conflict without a race only if each scope includes the other "
		"work-item "
		"(A:3.3.8): ");
	if (ea->scope != eb->scope) {
		oclmm_text_printf(&t->text, "%s has %s, %s %s, and %s. ", clause_letter(t, a).text,
		                  oclmm_scope_spelling(ea->scope), clause_letter(t, b).text,
		                  oclmm_scope_spelling(eb->scope),
		                  t->x->reading.regime == OCLMM_MODEL_OPENCL_3_1
		                          ? "one of them does not reach"
		                          : "up to OpenCL 3.0 they must be equal");
		return;
	}
	if (l->storage == OCLMM_STORAGE_BUFFER && are_two_kernels(t, a, b)) {
		oclmm_text_printf(&t->text,
		                  "P%u and P%u are in two kernels, and what these do to one "
		                  "ordinary buffer with atomic operations is left to the "
		                  "implementation (A:3.3.9.5). ",
		                  thread_id(t, a), thread_id(t, b));
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
		tell_scopes(t, a, b);
		return false;
	}
	if (plain_a && plain_b)
		clause_say(t, "Both are plain accesses");
	else
		oclmm_text_printf(&t->text, "%s is a plain access",
		                  clause_letter(t, plain_a ? a : b).text);
	if (tell_queued(t, a, b))
		return true;
	clause_say(t, ", so one would have to happen before the other (A:3.3.9). ");
	return false;
}

static void tell_side(struct clause *t, unsigned at, const struct oclmm_side *side, bool release)
{
	const char *name = release ? "release" : "acquire";

	if (side->kind == OCLMM_SIDE_FLAGS) {
		oclmm_text_printf(&t->text, "the flags of the fence %s leave out %s memory, where ",
		                  clause_letter(t, side->event).text,
		                  oclmm_space_spelling(t->x->event[at].region));
		print_object(&t->text, t->program, &t->x->event[at]);
		clause_say(t, " is");
		return;
	}
	oclmm_text_printf(&t->text, "%s has no %s order, and no %s fence stands %s it",
	                  clause_letter(t, at).text, name, name, release ? "before" : "after");
	if (side->kind == OCLMM_SIDE_MISPLACED)
		oclmm_text_printf(&t->text, " (%s comes too %s)",
		                  clause_letter(t, side->event).text, release ? "late" : "early");
}

static void tell_sides(struct clause *t, const struct oclmm_gap *g)
{
	bool release = g->release.kind != OCLMM_SIDE_THERE,
	     acquire = g->acquire.kind != OCLMM_SIDE_THERE;

	if (release)
		tell_side(t, g->w, &g->release, true);
	if (release && acquire)
		clause_say(t, "; and ");
	if (acquire)
		tell_side(t, g->y, &g->acquire, false);
}

static void tell_narrow(struct clause *t, unsigned release, unsigned acquire)
{
	oclmm_text_printf(&t->text, "%s has %s and %s %s, and these do not include each other",
	                  clause_letter(t, release).text,
	                  oclmm_scope_spelling(t->x->event[release].scope),
	                  clause_letter(t, acquire).text,
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
	oclmm_text_printf(&t->text, "%s reads what %s wrote, but that orders nothing: ",
	                  clause_letter(t, g->y).text, clause_letter(t, g->w).text);
	switch (g->kind) {
	case OCLMM_GAP_PLAIN: clause_say(t, "they are not both atomic"); break;
	case OCLMM_GAP_SIDES: tell_sides(t, g); break;
	case OCLMM_GAP_SCOPES: tell_narrow(t, g->release.event, g->acquire.event); break;
	case OCLMM_GAP_REGION: tell_region(t, g); break;
	default:
		oclmm_text_printf(&t->text, "what synchronises stands %s %s",
		                  g->kind == OCLMM_GAP_EARLY ? "before" : "after",
		                  clause_letter(t, g->kind == OCLMM_GAP_EARLY ? g->a : g->b).text);
		break;
	}
	clause_say(t, " (A:3.3.9.1, A:3.3.9.2). ");
}

static void tell_gap(struct clause *t, const struct race_search *s)
{
	enum oclmm_space region = t->x->event[s->a].region;
	struct oclmm_gap gap;

	oclmm_execution_gap(t->program, t->x, s->a, s->b, &gap);
	switch (gap.kind) {
	case OCLMM_GAP_NO_CONTACT:
		clause_say(
			t,
			"Nothing that one of the two has read by then comes from after the other's "
			"access, so neither happens before the other. ");
		break;
	case OCLMM_GAP_BARRIER_FLAG:
		oclmm_text_printf(&t->text,
		                  "The barrier between them has no %s flag, so it waits but orders "
		                  "nothing in %s memory (A:3.3.9.3). ",
		                  oclmm_flags_spelling(1u << region), oclmm_space_spelling(region));
		break;
	case OCLMM_GAP_BARRIER_GROUP:
		clause_say(
			t,
			"A barrier orders the work-items of one group only (A:3.3.9.3), and these "
			"two are in different ones. ");
		break;
	default: tell_contact(t, &gap); break;
	}
}

static const char *tell(struct explain *x, const struct race_search *s)
{
	struct clause t = {.program = x->program, .x = s->best};
	bool all;

	tell_conflict(&t, s->a, s->b);
	all = tell_unshielded(&t, s->a, s->b);
	if (all)
		;
	else if (oclmm_program_has_commands(x->program))
		tell_command_gap(&t.text, x->program, (uint32_t)s->best->event[s->a].thread,
		                 (uint32_t)s->best->event[s->b].thread);
	else
		tell_gap(&t, s);
	t.text.data[t.text.length - 1] = '\0';
	return oclmm_text_keep(&t.text, x->e->arena);
}

/* ---- the front ----------------------------------------------------------- */

int explain_race(struct explain *x)
{
	struct race_search s = {.explain = x};
	struct oclmm_visit_options visit = {.visit = look, .data = &s};
	int result = explain_visit(x, &visit);

	if (result < 0 || !s.best)
		return result;
	x->e->execution = s.best;
	x->e->race_a = s.a;
	x->e->race_b = s.b;
	x->e->why = tell(x, &s);
	return 0;
}
