// SPDX-License-Identifier: Apache-2.0
/* Which single edits make a program stronger, and which weaker. */
#include <stdlib.h>
#include <string.h>

#include "edit.h"

enum {
	COST_FAR = 4, /* what is more than an argument: a statement added or removed */
	COST_BARRIER = 6,
	COST_ATOMIC = 8,
	MAX_BARRIER_PLACES = 256,
};

struct edits {
	const struct copy *copy;
	const struct oclmm_program *program;
	bool stronger;
	unsigned regions; /* that the program's accesses are in */
	struct edit *items;
	size_t count, capacity;
	bool cut; /* more ways to place barriers than are listed */
};

static void add(struct edits *l, const struct edit *e)
{
	oclmm_grow(&l->items, &l->capacity, l->count, sizeof(*l->items));
	l->items[l->count++] = *e;
}

static void add_value(struct edits *l, enum edit_kind kind, unsigned site, unsigned value,
                      unsigned cost)
{
	struct edit e = {.kind = kind, .site = site, .value = value, .cost = cost};

	add(l, &e);
}

/* ---- orders -------------------------------------------------------------------- */

static void add_orders(struct edits *l, unsigned site, enum edit_kind kind, enum oclmm_order now,
                       const struct oclmm_atomic *atomic)
{
	const enum oclmm_ordered ordered = !atomic ? OCLMM_ORDERED_FENCE
	                                   : kind == EDIT_FAILURE
	                                           ? OCLMM_ORDERED_LOAD
	                                           : oclmm_operation_ordered(atomic->op);
	const struct oclmm_orders *orders = oclmm_orders_of(ordered);

	for (unsigned i = 0; i < orders->count; i++) {
		enum oclmm_order o = orders->order[i];
		unsigned rank = oclmm_order_rank(o), old = oclmm_order_rank(now);

		if (o == now || !(l->stronger ? oclmm_order_leq(now, o) : oclmm_order_leq(o, now)))
			continue;
		if (kind == EDIT_FAILURE && !oclmm_order_leq(o, atomic->order))
			continue;
		add_value(l, kind, site, o, rank > old ? rank - old : old - rank);
	}
}

/* ---- scopes and flags -------------------------------------------------------------- */

static bool has_sub_groups(const struct oclmm_program *p)
{
	for (uint32_t t = 0; t < p->thread_count; t++)
		if (p->threads[t].placement.sub_group_given)
			return true;
	return false;
}

static void add_scopes(struct edits *l, unsigned site, enum oclmm_scope now)
{
	for (unsigned s = OCLMM_SCOPE_SUB_GROUP; s < OCLMM_SCOPE_COUNT; s++) {
		if (s == OCLMM_SCOPE_SUB_GROUP && !has_sub_groups(l->program))
			continue;
		if (l->stronger ? s > now : s < now)
			add_value(l, EDIT_SCOPE, site, s, l->stronger ? s - now : now - s);
	}
}

static void add_flags(struct edits *l, unsigned site, unsigned now, bool may_be_none)
{
	const unsigned both = OCLMM_FLAG_GLOBAL | OCLMM_FLAG_LOCAL;
	/* of barriers, and only where there are images */
	const unsigned all = both | (may_be_none ? (l->regions | now) & OCLMM_FLAG_IMAGE : 0);

	for (unsigned flags = may_be_none ? 0 : 1; flags <= all; flags++) {
		bool fits = l->stronger ? (flags & now) == now : (flags & now) == flags;

		fits = fits && !(flags & ~all);

		if (flags != now && fits)
			add_value(l, EDIT_FLAGS, site, flags, 1);
	}
}

enum oclmm_scope edits_scope(const struct oclmm_program *p)
{
	enum oclmm_scope scope = OCLMM_SCOPE_WORK_GROUP;

	for (uint32_t t = 0; t < p->thread_count; t++) {
		const struct oclmm_placement *a = &p->threads[0].placement,
					     *b = &p->threads[t].placement;

		if (a->host || b->host || a->device != b->device)
			return OCLMM_SCOPE_ALL_SVM_DEVICES;
		if (!oclmm_same_work_group(a, b))
			scope = OCLMM_SCOPE_DEVICE;
	}
	return scope;
}

/* ---- one place ------------------------------------------------------------------------ */

static bool is_of_host(const struct edits *l, const struct site *s)
{
	return l->program->threads[s->thread].placement.host;
}

static void add_atomic(struct edits *l, unsigned site, const struct site *s)
{
	const struct oclmm_atomic *a = s->atomic;

	if (a->legacy || a->op == OCLMM_OP_INIT)
		return;
	add_orders(l, site, EDIT_ORDER, a->order, a);
	if (oclmm_operation_is_cas(a->op))
		add_orders(l, site, EDIT_FAILURE, a->failure, a);
	/* the host's atomics have no scope argument */
	if (!is_of_host(l, s))
		add_scopes(l, site, a->scope);
}

static bool is_general_fence(const struct oclmm_fence *fence)
{
	return strcmp(fence->spelling, "atomic_work_item_fence") == 0;
}

static void add_fence(struct edits *l, unsigned site, const struct site *s)
{
	const struct oclmm_fence *fence = &s->statement->fence;
	bool image = fence->flags & OCLMM_FLAG_IMAGE;

	/* one for images has one form */
	if (is_general_fence(fence) && !image) {
		add_orders(l, site, EDIT_ORDER, fence->order, NULL);
		if (!is_of_host(l, s))
			add_scopes(l, site, fence->scope);
	}
	/* nor do its fences, or flags */
	if (!is_of_host(l, s) && !image)
		add_flags(l, site, fence->flags, false);
	if (!l->stronger)
		add_value(l, EDIT_REMOVE, site, 0, COST_FAR);
}

/* Once for all barriers that meet. */
static void add_barrier(struct edits *l, unsigned site, const struct site *s)
{
	/* a collective function has neither, and its value is used */
	if (s->statement->barrier.collective)
		return;
	for (unsigned i = 0; i < site; i++)
		if (barriers_meet(l->program, &l->copy->sites[i], s))
			return;
	if (!(s->statement->barrier.flags & OCLMM_FLAG_IMAGE))
		add_scopes(l, site, s->statement->barrier.scope);
	add_flags(l, site, s->statement->barrier.flags, true);
	if (!l->stronger)
		add_value(l, EDIT_REMOVE, site, 0, COST_FAR);
}

static void add_new_fence(struct edits *l, unsigned site)
{
	struct edit e = {.kind = EDIT_FENCE,
	                 .site = site,
	                 .flags = l->regions & ~(unsigned)OCLMM_FLAG_IMAGE,
	                 .scope = edits_scope(l->program),
	                 .cost = COST_FAR};

	if (is_of_host(l, &l->copy->sites[site]))
		e.flags = OCLMM_FLAG_GLOBAL;
	e.value = OCLMM_ORDER_ACQUIRE;
	if (e.flags)
		add(l, &e);
	e.value = OCLMM_ORDER_RELEASE;
	if (e.flags)
		add(l, &e);
	if (!(l->regions & OCLMM_FLAG_IMAGE))
		return;
	e.value = OCLMM_ORDER_ACQ_REL;
	e.flags = OCLMM_FLAG_IMAGE;
	e.scope = OCLMM_SCOPE_WORK_ITEM;
	add(l, &e);
}

/* ---- barriers, objects ------------------------------------------------------------------ */

/* All ways to put one barrier into each thread of a group, at top level. */
static void add_barrier_places(struct edits *l, const uint32_t *threads, unsigned count,
                               struct edit *e, unsigned *places)
{
	if (e->gap_count == count) {
		if (*places < MAX_BARRIER_PLACES)
			add(l, e);
		l->cut |= (*places)++ >= MAX_BARRIER_PLACES;
		return;
	}
	for (unsigned i = 0; i < l->copy->site_count; i++) {
		const struct site *s = &l->copy->sites[i];

		if (s->kind != SITE_GAP || !s->top || s->thread != threads[e->gap_count] ||
		    is_repeated(l->copy, s))
			continue;
		e->gaps[e->gap_count++] = i;
		add_barrier_places(l, threads, count, e, places);
		e->gap_count--;
	}
}

static void add_new_barriers(struct edits *l)
{
	struct edit e = {.kind = EDIT_BARRIER, .flags = l->regions, .cost = COST_BARRIER};

	for (uint32_t t = 0; t < l->program->thread_count; t++) {
		uint32_t threads[OCLMM_MAX_THREADS];
		unsigned count = 0, places = 0;
		bool first = !l->program->threads[t].placement.host;

		for (uint32_t u = 0; u < l->program->thread_count; u++) {
			if (!oclmm_same_work_group(&l->program->threads[t].placement,
			                           &l->program->threads[u].placement))
				continue;
			first &= u >= t;
			threads[count++] = u;
		}
		if (first && count > 1)
			add_barrier_places(l, threads, count, &e, &places);
	}
}

static void add_new_atomics(struct edits *l)
{
	for (uint32_t i = 0; i < l->program->location_count; i++) {
		struct edit e = {.kind = EDIT_ATOMIC,
		                 .value = i,
		                 .scope = edits_scope(l->program),
		                 .cost = COST_ATOMIC};

		if (!l->program->locations[i].atomic &&
		    !oclmm_location_is_image(&l->program->locations[i]))
			add(l, &e);
	}
}

/* ---- the list -------------------------------------------------------------------------------- */

static void find_regions(struct edits *l)
{
	for (uint32_t i = 0; i < l->program->location_count; i++)
		l->regions |= 1u << l->program->locations[i].space;
}

static int compare_edits(const void *a, const void *b)
{
	const struct edit *x = a, *y = b;
	int order = oclmm_compare_numbers(x->cost, y->cost);

	/* as they were added: by place, kind, value */
	order = order ? order : oclmm_compare_numbers(x->site, y->site);
	order = order ? order : oclmm_compare_numbers(x->kind, y->kind);
	order = order ? order : oclmm_compare_numbers(x->value, y->value);
	return order ? order : memcmp(x->gaps, y->gaps, sizeof(x->gaps));
}

/* What stands in the text once is changed once, wherever the program has it. */
static bool is_listed(const struct copy *copy, unsigned site)
{
	for (unsigned i = 0; i < site; i++)
		if (same_words(&copy->sites[i], &copy->sites[site]))
			return true;
	return false;
}

struct edit *edits_list(const struct copy *copy, bool stronger, size_t *ret_count, bool *ret_cut)
{
	struct edits l = {.copy = copy, .program = copy->original, .stronger = stronger};

	find_regions(&l);
	for (unsigned i = 0; i < copy->site_count; i++) {
		const struct site *s = &copy->sites[i];

		if (is_listed(copy, i))
			continue;
		if (s->kind == SITE_ATOMIC)
			add_atomic(&l, i, s);
		else if (s->kind == SITE_FENCE)
			add_fence(&l, i, s);
		else if (s->kind == SITE_BARRIER)
			add_barrier(&l, i, s);
		else if (stronger && !is_repeated(copy, s))
			add_new_fence(&l, i);
	}
	if (stronger) {
		add_new_barriers(&l);
		add_new_atomics(&l);
	}
	if (l.count)
		qsort(l.items, l.count, sizeof(*l.items), compare_edits);
	*ret_count = l.count;
	*ret_cut = l.cut;
	return l.items;
}

/* ---- in words ---- */

/* `the barrier of P0 in line 12`. */
static void print_subject(struct oclmm_text *text, const struct oclmm_program *p,
                          const struct site *s)
{
	uint32_t line = s->kind == SITE_ATOMIC ? s->atomic->object.position.line
	                                       : s->statement->position.line;

	oclmm_text_printf(text, "the %s of P%u in line %u ",
	                  s->kind == SITE_ATOMIC  ? oclmm_operation_stem(s->atomic->op)
	                  : s->kind == SITE_FENCE ? "fence"
	                                          : "barrier",
	                  p->threads[s->thread].id, line);
}

void edit_print(struct oclmm_text *text, const struct copy *copy, const struct edit *e)
{
	const struct oclmm_program *p = copy->original;
	const struct site *s = &copy->sites[e->site];
	uint32_t id = p->threads[s->thread].id;

	if (e->kind <= EDIT_REMOVE)
		print_subject(text, p, s);
	switch (e->kind) {
	case EDIT_ORDER:
	case EDIT_FAILURE:
		oclmm_text_printf(text, "%s %s", e->kind == EDIT_ORDER ? "with" : "failing with",
		                  oclmm_order_spelling((enum oclmm_order)e->value));
		break;
	case EDIT_SCOPE:
		oclmm_text_printf(text, "with %s",
		                  oclmm_scope_spelling((enum oclmm_scope)e->value));
		break;
	case EDIT_FLAGS:
		oclmm_text_printf(text, "with %s",
		                  e->value ? oclmm_flags_spelling(e->value) : "no flags");
		break;
	case EDIT_REMOVE: oclmm_text_add(text, "removed"); break;
	case EDIT_FENCE:
		oclmm_text_printf(text, "%s fence in P%u",
		                  e->value == OCLMM_ORDER_ACQUIRE ? "an acquire" : "a release", id);
		break;
	case EDIT_BARRIER:
		oclmm_text_printf(text, "a barrier in the work-group of P%u",
		                  p->threads[copy->sites[e->gaps[0]].thread].id);
		break;
	case EDIT_ATOMIC:
		oclmm_text_printf(text,
		                  "%s made atomic (this ends the race, it orders nothing else)",
		                  p->locations[e->value].name);
		break;
	}
}
