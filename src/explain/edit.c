// SPDX-License-Identifier: Apache-2.0
#include "edit.h"

#include <stdlib.h>

/* ---- copying ----------------------------------------------------------------- */

/* Which statement of the copy is which of the original: both stand in the same order. */
static void pair_bodies(struct copy *c, struct oclmm_statement *copy,
                        struct oclmm_statement *original)
{
	for (; copy; copy = copy->next, original = original->next) {
		struct oclmm_parts parts, original_parts;

		oclmm_grow(&c->pairs, &c->pair_capacity, c->pair_count, sizeof(*c->pairs));
		c->pairs[c->pair_count++] = (struct pair){.copy = copy, .original = original};
		oclmm_statement_parts(copy, &parts);
		oclmm_statement_parts(original, &original_parts);
		for (unsigned i = 0; i < parts.body_count; i++)
			pair_bodies(c, *parts.bodies[i], *original_parts.bodies[i]);
	}
}

/* ---- places --------------------------------------------------------------------- */

static struct site *add_site(struct copy *c, enum site_kind kind, uint32_t thread)
{
	struct site *site;

	oclmm_grow(&c->sites, &c->site_capacity, c->site_count, sizeof(*c->sites));
	site = &c->sites[c->site_count++];
	*site = (struct site){.kind = kind, .thread = thread};
	return site;
}

static void find_atomics(struct copy *c, uint32_t thread, const struct oclmm_parts *parts)
{
	for (unsigned i = 0; i < parts->expression_count; i++) {
		struct oclmm_expression *e = *parts->expressions[i];
		struct oclmm_parts inner;

		oclmm_expression_parts(e, &inner);
		find_atomics(c, thread, &inner);
		if (e->kind == OCLMM_EXPRESSION_ATOMIC)
			add_site(c, SITE_ATOMIC, thread)->atomic = e->atomic;
	}
}

static void find_gap(struct copy *c, uint32_t thread, struct oclmm_statement *before,
                     struct oclmm_statement **link, bool top)
{
	struct site *site = add_site(c, SITE_GAP, thread);

	site->statement = before;
	site->link = link;
	site->top = top;
}

static void find_sites(struct copy *c, uint32_t thread, struct oclmm_statement **link, bool top,
                       unsigned *barriers)
{
	find_gap(c, thread, NULL, link, top);
	for (; *link; link = &(*link)->next) {
		struct oclmm_statement *s = *link;
		struct oclmm_parts parts;

		oclmm_statement_parts(s, &parts);
		find_atomics(c, thread, &parts);
		if (s->kind == OCLMM_STATEMENT_FENCE) {
			add_site(c, SITE_FENCE, thread)->statement = s;
		} else if (s->kind == OCLMM_STATEMENT_BARRIER) {
			struct site *site = add_site(c, SITE_BARRIER, thread);

			site->statement = s;
			site->number = (*barriers)++;
		}
		for (unsigned i = 0; i < parts.body_count; i++)
			find_sites(c, thread, parts.bodies[i], false, barriers);
		find_gap(c, thread, s, &s->next, top);
	}
}

void copy_init(struct copy *c, struct oclmm_arena *arena, const struct oclmm_program *original)
{
	*c = (struct copy){
		.arena = arena,
		.original = original,
		.program = oclmm_program_copy(arena, original),
	};
	for (uint32_t t = 0; t < original->thread_count; t++) {
		unsigned barriers = 0;

		pair_bodies(c, c->program->threads[t].body, original->threads[t].body);
		find_sites(c, t, &c->program->threads[t].body, true, &barriers);
	}
}

void copy_finish(struct copy *c)
{
	free(c->pairs);
	free(c->sites);
}

/* ---- edits ------------------------------------------------------------------------- */

static uint32_t written(const struct site *site)
{
	return site->kind == SITE_ATOMIC ? site->atomic->written : site->statement->written;
}

bool same_words(const struct site *a, const struct site *b)
{
	return a == b || (a->kind == b->kind && a->kind != SITE_GAP && written(a) &&
	                  written(a) == written(b));
}

static bool stands_again(const struct copy *c, const struct oclmm_statement *s)
{
	unsigned count = 0;

	for (size_t i = 0; s && s->written && i < c->pair_count; i++)
		count += c->pairs[i].original->written == s->written;
	return count > 1;
}

bool is_repeated(const struct copy *c, const struct site *gap)
{
	return stands_again(c, gap->statement) || stands_again(c, *gap->link);
}

bool barriers_meet(const struct oclmm_program *program, const struct site *a, const struct site *b)
{
	return a->kind == SITE_BARRIER && b->kind == SITE_BARRIER && a->number == b->number &&
	       a->statement->barrier.sub_group == b->statement->barrier.sub_group &&
	       oclmm_same_group(&program->threads[a->thread].placement,
	                        &program->threads[b->thread].placement,
	                        a->statement->barrier.sub_group);
}

void copy_make_explicit(struct copy *c, struct oclmm_atomic *a)
{
	if (a->order_written && a->scope_written)
		return;
	a->spelling = oclmm_arena_printf(c->arena, "%s_explicit", oclmm_operation_stem(a->op));
	a->order_written = a->scope_written = true;
}

static void set_order(struct copy *c, struct oclmm_atomic *a, enum oclmm_order order)
{
	bool scope_written = a->scope_written, was_explicit = a->order_written;

	copy_make_explicit(c, a);
	a->scope_written = was_explicit ? scope_written : true;
	a->order = order;
	/* the failure order is no stronger than the other, and never releases */
	if (!oclmm_operation_is_cas(a->op))
		return;
	if (order == OCLMM_ORDER_RELAXED || order == OCLMM_ORDER_RELEASE)
		a->failure = OCLMM_ORDER_RELAXED;
	else if (order != OCLMM_ORDER_SEQ_CST && a->failure == OCLMM_ORDER_SEQ_CST)
		a->failure = OCLMM_ORDER_ACQUIRE;
}

struct pair *copy_find_pair(const struct copy *c, const struct oclmm_statement *copy)
{
	for (size_t i = 0; i < c->pair_count; i++)
		if (c->pairs[i].copy == copy)
			return &c->pairs[i];
	return NULL;
}

static void edit_fence(struct oclmm_fence *fence, const struct edit *e)
{
	if (e->kind == EDIT_ORDER) {
		fence->order = (enum oclmm_order)e->value;
	} else if (e->kind == EDIT_FLAGS) {
		fence->flags = e->value;
	} else if (e->kind == EDIT_SCOPE) {
		fence->scope = (enum oclmm_scope)e->value;
		fence->scope_written = true;
	}
}

static void edit_barrier(struct oclmm_barrier *barrier, const struct edit *e)
{
	if (e->kind == EDIT_FLAGS) {
		barrier->flags = e->value;
	} else if (e->kind == EDIT_SCOPE) {
		barrier->scope = (enum oclmm_scope)e->value;
		barrier->scope_written = true;
		/* barrier() takes no scope */
		if (!barrier->sub_group)
			barrier->spelling = "work_group_barrier";
	}
}

static void edit_statement(struct copy *c, struct oclmm_statement *s, const struct edit *e)
{
	if (e->kind == EDIT_REMOVE)
		copy_find_pair(c, s)->removed = true;
	else if (s->kind == OCLMM_STATEMENT_FENCE)
		edit_fence(&s->fence, e);
	else
		edit_barrier(&s->barrier, e);
}

static void edit_atomic(struct copy *c, struct oclmm_atomic *atomic, const struct edit *e)
{
	if (e->kind == EDIT_ORDER) {
		set_order(c, atomic, (enum oclmm_order)e->value);
	} else if (e->kind == EDIT_FAILURE) {
		atomic->failure = (enum oclmm_order)e->value;
	} else {
		copy_make_explicit(c, atomic);
		atomic->scope = (enum oclmm_scope)e->value;
	}
}

/* Barriers have the same flags and scope in the whole group. */
static void edit_barriers(struct copy *c, const struct site *site, const struct edit *e)
{
	for (unsigned i = 0; i < c->site_count; i++)
		if (&c->sites[i] == site || barriers_meet(c->original, site, &c->sites[i]))
			edit_statement(c, c->sites[i].statement, e);
}

/* The place, and what is the same in the text. */
static void edit_site(struct copy *c, const struct edit *e)
{
	for (unsigned i = 0; i < c->site_count; i++) {
		const struct site *site = &c->sites[i];

		if (!same_words(&c->sites[e->site], site))
			continue;
		if (site->kind == SITE_ATOMIC)
			edit_atomic(c, site->atomic, e);
		else if (site->kind == SITE_FENCE)
			edit_statement(c, site->statement, e);
		else
			edit_barriers(c, site, e);
	}
}

static void insert(struct copy *c, unsigned gap, const struct edit *e)
{
	struct oclmm_statement *s = OCLMM_NEW(c->arena, struct oclmm_statement);

	if (e->kind == EDIT_FENCE) {
		s->kind = OCLMM_STATEMENT_FENCE;
		s->fence = (struct oclmm_fence){.spelling = "atomic_work_item_fence",
		                                .flags = e->flags,
		                                .order = (enum oclmm_order)e->value,
		                                .scope = e->scope,
		                                .scope_written = true};
	} else {
		s->kind = OCLMM_STATEMENT_BARRIER;
		s->barrier = (struct oclmm_barrier){.spelling = "barrier",
		                                    .flags = e->flags,
		                                    .scope = OCLMM_SCOPE_WORK_GROUP};
	}
	s->next = *c->sites[gap].link;
	*c->sites[gap].link = s;
}

bool copy_edit(struct copy *c, const struct edit *e)
{
	switch (e->kind) {
	case EDIT_FENCE: insert(c, e->site, e); break;
	case EDIT_BARRIER:
		for (unsigned i = 0; i < e->gap_count; i++)
			insert(c, e->gaps[i], e);
		break;
	case EDIT_ATOMIC: return copy_make_atomic(c, e);
	default: edit_site(c, e); break;
	}
	return true;
}

static void settle_block(struct copy *c, struct oclmm_statement **link)
{
	while (*link) {
		const struct pair *pair = copy_find_pair(c, *link);
		struct oclmm_parts parts;

		oclmm_statement_parts(*link, &parts);
		for (unsigned i = 0; i < parts.body_count; i++)
			settle_block(c, parts.bodies[i]);
		if (pair && pair->removed)
			*link = (*link)->next;
		else
			link = &(*link)->next;
	}
}

void copy_settle(struct copy *c)
{
	for (uint32_t t = 0; t < c->program->thread_count; t++)
		settle_block(c, &c->program->threads[t].body);
}
