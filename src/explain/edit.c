// SPDX-License-Identifier: Apache-2.0
#include "edit.h"

#include <stdlib.h>
#include <string.h>

/* ---- copying ----------------------------------------------------------------- */

static struct oclmm_expression *copy_expression(struct copy *c,
                                                const struct oclmm_expression *from);

static void copy_place(struct copy *c, struct oclmm_place *place)
{
	place->index = copy_expression(c, place->index);
}

static struct oclmm_atomic *copy_atomic(struct copy *c, const struct oclmm_atomic *from)
{
	struct oclmm_atomic *to = oclmm_arena_copy(c->arena, from, sizeof(*from));

	copy_place(c, &to->object);
	copy_place(c, &to->expected_place);
	to->operand = copy_expression(c, from->operand);
	to->legacy_expected = copy_expression(c, from->legacy_expected);
	return to;
}

static struct oclmm_expression *copy_expression(struct copy *c, const struct oclmm_expression *from)
{
	struct oclmm_expression *to;

	if (!from)
		return NULL;
	to = oclmm_arena_copy(c->arena, from, sizeof(*from));
	copy_place(c, &to->place);
	if (from->atomic)
		to->atomic = copy_atomic(c, from->atomic);
	to->left = copy_expression(c, from->left);
	to->right = copy_expression(c, from->right);
	return to;
}

static struct oclmm_statement *copy_block(struct copy *c, const struct oclmm_statement *from)
{
	struct oclmm_statement *first = NULL, **link = &first;

	for (; from; from = from->next) {
		struct oclmm_statement *to = oclmm_arena_copy(c->arena, from, sizeof(*from));

		copy_place(c, &to->place);
		to->expression = copy_expression(c, from->expression);
		to->then_body = copy_block(c, from->then_body);
		to->else_body = copy_block(c, from->else_body);
		oclmm_grow(&c->pairs, &c->pair_capacity, c->pair_count, sizeof(*c->pairs));
		c->pairs[c->pair_count++] = (struct pair){to, from};
		*link = to;
		link = &to->next;
	}
	return first;
}

/* ---- places --------------------------------------------------------------------- */

static struct site *add_site(struct copy *c, enum site_kind kind, uint32_t thread)
{
	struct site *site = &c->sites[c->site_count < MAX_SITES ? c->site_count++ : MAX_SITES - 1];

	*site = (struct site){.kind = kind, .thread = thread};
	return site;
}

static void find_atomics(struct copy *c, uint32_t thread, struct oclmm_expression *e)
{
	if (!e)
		return;
	find_atomics(c, thread, e->left);
	find_atomics(c, thread, e->right);
	find_atomics(c, thread, e->place.index);
	if (!e->atomic)
		return;
	find_atomics(c, thread, e->atomic->operand);
	find_atomics(c, thread, e->atomic->legacy_expected);
	find_atomics(c, thread, e->atomic->object.index);
	add_site(c, SITE_ATOMIC, thread)->atomic = e->atomic;
}

static void find_gap(struct copy *c, uint32_t thread, struct oclmm_statement **link, bool top)
{
	struct site *site = add_site(c, SITE_GAP, thread);

	site->link = link;
	site->top = top;
}

static void find_sites(struct copy *c, uint32_t thread, struct oclmm_statement **link, bool top,
                       unsigned *barriers)
{
	find_gap(c, thread, link, top);
	for (; *link; link = &(*link)->next) {
		struct oclmm_statement *s = *link;

		find_atomics(c, thread, s->place.index);
		find_atomics(c, thread, s->expression);
		if (s->kind == OCLMM_STATEMENT_FENCE) {
			add_site(c, SITE_FENCE, thread)->statement = s;
		} else if (s->kind == OCLMM_STATEMENT_BARRIER) {
			struct site *site = add_site(c, SITE_BARRIER, thread);

			site->statement = s;
			site->number = (*barriers)++;
		} else if (s->kind == OCLMM_STATEMENT_IF || s->kind == OCLMM_STATEMENT_WHILE) {
			find_sites(c, thread, &s->then_body, false, barriers);
			if (s->else_body)
				find_sites(c, thread, &s->else_body, false, barriers);
		}
		find_gap(c, thread, &s->next, top);
	}
}

void copy_init(struct copy *c, struct oclmm_arena *arena, const struct oclmm_program *original)
{
	struct oclmm_program *p;

	c->arena = arena;
	c->original = original;
	c->site_count = c->removed_count = 0;
	c->pairs = NULL;
	c->pair_count = c->pair_capacity = 0;
	c->program = p = oclmm_arena_copy(arena, original, sizeof(*original));
	p->locations = oclmm_arena_copy(arena, p->locations,
	                                p->location_count * sizeof(*p->locations));
	p->threads = oclmm_arena_copy(arena, p->threads, p->thread_count * sizeof(*p->threads));
	for (uint32_t t = 0; t < p->thread_count; t++) {
		struct oclmm_thread *thread = &p->threads[t];
		unsigned barriers = 0;

		thread->parameters = oclmm_arena_copy(arena, thread->parameters,
		                                      thread->parameter_count *
		                                              sizeof(*thread->parameters));
		thread->body = copy_block(c, original->threads[t].body);
		find_sites(c, t, &thread->body, true, &barriers);
	}
}

void copy_finish(struct copy *c)
{
	free(c->pairs);
	c->pairs = NULL;
}

/* ---- edits ------------------------------------------------------------------------- */

bool same_work_group(const struct oclmm_program *program, uint32_t a, uint32_t b)
{
	const struct oclmm_placement *p = &program->threads[a].placement,
				     *q = &program->threads[b].placement;

	return !p->host && !q->host && p->device == q->device && p->work_group == q->work_group;
}

bool barriers_meet(const struct oclmm_program *program, const struct site *a, const struct site *b)
{
	const struct oclmm_placement *p = &program->threads[a->thread].placement;
	const struct oclmm_placement *q = &program->threads[b->thread].placement;

	return a->kind == SITE_BARRIER && b->kind == SITE_BARRIER && a->number == b->number &&
	       a->statement->sub_group == b->statement->sub_group &&
	       same_work_group(program, a->thread, b->thread) &&
	       (!a->statement->sub_group ||
	        (p->sub_group_given && q->sub_group_given && p->sub_group == q->sub_group));
}

/* An atomic function in the form that has its order and scope written. */
static void make_explicit(struct copy *c, struct oclmm_atomic *a)
{
	if (a->order_written && a->scope_written)
		return;
	a->spelling = oclmm_arena_printf(c->arena, "%s_explicit", oclmm_operation_stem(a->op));
	a->order_written = a->scope_written = true;
}

static void set_order(struct copy *c, struct oclmm_atomic *a, enum oclmm_order order)
{
	bool scope_written = a->scope_written, was_explicit = a->order_written;

	make_explicit(c, a);
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

static void remove_statement(struct copy *c, struct oclmm_statement *s)
{
	if (c->removed_count < MAX_CHANGED)
		c->removed[c->removed_count++] = s;
}

static void edit_statement(struct copy *c, struct oclmm_statement *s, const struct edit *e)
{
	if (e->kind == EDIT_ORDER) {
		s->order = (enum oclmm_order)e->value;
	} else if (e->kind == EDIT_FLAGS) {
		s->flags = e->value;
	} else if (e->kind == EDIT_SCOPE) {
		s->scope = (enum oclmm_scope)e->value;
		s->scope_written = true;
		/* barrier() takes no scope */
		if (s->kind == OCLMM_STATEMENT_BARRIER && !s->sub_group)
			s->spelling = "work_group_barrier";
	} else {
		remove_statement(c, s);
	}
}

static bool edit_site(struct copy *c, const struct edit *e)
{
	struct site *site = &c->sites[e->site];

	if (site->kind == SITE_ATOMIC) {
		if (e->kind == EDIT_ORDER) {
			set_order(c, site->atomic, (enum oclmm_order)e->value);
		} else if (e->kind == EDIT_FAILURE) {
			site->atomic->failure = (enum oclmm_order)e->value;
		} else {
			make_explicit(c, site->atomic);
			site->atomic->scope = (enum oclmm_scope)e->value;
		}
		return true;
	}
	if (site->kind == SITE_FENCE) {
		edit_statement(c, site->statement, e);
		return true;
	}
	/* barriers have the same flags and scope in the whole group */
	for (unsigned i = 0; i < c->site_count; i++)
		if (i == e->site || barriers_meet(c->original, site, &c->sites[i]))
			edit_statement(c, c->sites[i].statement, e);
	return true;
}

static void insert(struct copy *c, unsigned gap, const struct edit *e)
{
	struct oclmm_statement *s = OCLMM_NEW(c->arena, struct oclmm_statement);
	bool fence = e->kind == EDIT_FENCE;

	s->kind = fence ? OCLMM_STATEMENT_FENCE : OCLMM_STATEMENT_BARRIER;
	s->spelling = fence ? "atomic_work_item_fence" : "barrier";
	s->flags = e->flags;
	s->order = fence ? (enum oclmm_order)e->value : OCLMM_ORDER_NONE;
	s->scope = fence ? e->scope : OCLMM_SCOPE_WORK_GROUP;
	s->scope_written = fence;
	s->next = *c->sites[gap].link;
	*c->sites[gap].link = s;
}

/* ---- plain accesses become atomic --------------------------------------------------- */

struct conversion {
	struct copy *copy;
	uint32_t location;
	enum oclmm_scope scope;
	bool possible;
};

static struct oclmm_atomic *new_atomic(struct conversion *v, enum oclmm_operation op,
                                       const struct oclmm_place *object)
{
	struct oclmm_atomic *a = OCLMM_NEW(v->copy->arena, struct oclmm_atomic);

	a->op = op;
	a->spelling = op == OCLMM_OP_LOAD ? "atomic_load_explicit" : "atomic_store_explicit";
	a->object = *object;
	a->order = OCLMM_ORDER_RELAXED;
	a->scope = v->scope;
	a->order_written = a->scope_written = true;
	return a;
}

static void convert_legacy(struct conversion *v, struct oclmm_atomic *a)
{
	if (a->legacy_expected) {
		v->possible = false;
		return;
	}
	a->legacy = false;
	a->order_written = a->scope_written = false;
	make_explicit(v->copy, a);
	a->scope = v->scope;
}

static void convert_expression(struct conversion *v, struct oclmm_expression *e)
{
	if (!e)
		return;
	convert_expression(v, e->left);
	convert_expression(v, e->right);
	convert_expression(v, e->place.index);
	if (e->kind == OCLMM_EXPRESSION_LOAD && e->place.location == v->location) {
		e->kind = OCLMM_EXPRESSION_ATOMIC;
		e->atomic = new_atomic(v, OCLMM_OP_LOAD, &e->place);
		return;
	}
	if (!e->atomic)
		return;
	convert_expression(v, e->atomic->operand);
	convert_expression(v, e->atomic->legacy_expected);
	convert_expression(v, e->atomic->object.index);
	if (e->atomic->expected_in_memory && e->atomic->expected_place.location == v->location)
		v->possible = false;
	if (e->atomic->legacy && e->atomic->object.location == v->location)
		convert_legacy(v, e->atomic);
}

static void convert_block(struct conversion *v, struct oclmm_statement *s)
{
	for (; s; s = s->next) {
		convert_expression(v, s->place.index);
		convert_expression(v, s->expression);
		if (s->kind == OCLMM_STATEMENT_STORE && s->place.location == v->location) {
			struct oclmm_expression *call = OCLMM_NEW(v->copy->arena,
			                                          struct oclmm_expression);

			call->kind = OCLMM_EXPRESSION_ATOMIC;
			call->type = v->copy->program->locations[v->location].type;
			call->position = s->place.position;
			call->atomic = new_atomic(v, OCLMM_OP_STORE, &s->place);
			call->atomic->operand = s->expression;
			s->kind = OCLMM_STATEMENT_EVALUATE;
			s->expression = call;
		}
		convert_block(v, s->then_body);
		convert_block(v, s->else_body);
	}
}

static bool make_atomic(struct copy *c, const struct edit *e)
{
	struct conversion v = {
		.copy = c, .location = e->value, .scope = e->scope, .possible = true};
	struct oclmm_program *p = c->program;

	p->locations[v.location].atomic = true;
	for (uint32_t t = 0; t < p->thread_count; t++) {
		for (uint32_t i = 0; i < p->threads[t].parameter_count; i++)
			if (p->threads[t].parameters[i].location == v.location)
				p->threads[t].parameters[i].atomic = true;
		convert_block(&v, p->threads[t].body);
	}
	return v.possible;
}

bool copy_edit(struct copy *c, const struct edit *e)
{
	switch (e->kind) {
	case EDIT_FENCE: insert(c, e->site, e); return true;
	case EDIT_BARRIER:
		for (unsigned i = 0; i < e->gap_count; i++)
			insert(c, e->gaps[i], e);
		return true;
	case EDIT_ATOMIC: return make_atomic(c, e);
	default: return edit_site(c, e);
	}
}

static bool is_removed(const struct copy *c, const struct oclmm_statement *s)
{
	for (unsigned i = 0; i < c->removed_count; i++)
		if (c->removed[i] == s)
			return true;
	return false;
}

static void settle_block(struct copy *c, struct oclmm_statement **link)
{
	while (*link) {
		settle_block(c, &(*link)->then_body);
		settle_block(c, &(*link)->else_body);
		if (is_removed(c, *link))
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

/* ---- the difference -------------------------------------------------------------------- */

struct difference {
	struct copy *copy;
	struct oclmm_change_line *lines;
	unsigned count;
	uint32_t thread;
	uint32_t last; /* line of the statement before */
};

static const struct oclmm_statement *original_of(const struct copy *c,
                                                 const struct oclmm_statement *s)
{
	for (size_t i = 0; i < c->pair_count; i++)
		if (c->pairs[i].copy == s)
			return c->pairs[i].original;
	return NULL;
}

static const char *printed(struct difference *d, const struct oclmm_program *program,
                           const struct oclmm_statement *s)
{
	struct oclmm_text text;
	const char *string;

	oclmm_text_init(&text);
	print_statement(&text, program, d->thread, s);
	string = oclmm_arena_strdup(d->copy->arena, oclmm_text_string(&text));
	oclmm_text_finish(&text);
	return string;
}

static void add_line(struct difference *d, uint32_t line, const char *before, const char *after)
{
	if (d->count < MAX_CHANGED)
		d->lines[d->count++] = (struct oclmm_change_line){
			.thread = d->thread, .line = line, .before = before, .after = after};
}

/* Walks both blocks: statements of the copy have their originals, new ones none, removed ones are
 * missing. */
static void compare_blocks(struct difference *d, const struct oclmm_statement *was,
                           const struct oclmm_statement *is)
{
	while (was || is) {
		const struct oclmm_statement *original = is ? original_of(d->copy, is) : NULL;

		if (is && !original) {
			add_line(d, d->last, NULL, printed(d, d->copy->program, is));
			is = is->next;
			continue;
		}
		d->last = was->position.line;
		if (original != was) {
			add_line(d, was->position.line, printed(d, d->copy->original, was), NULL);
			was = was->next;
			continue;
		}

		const char *before = printed(d, d->copy->original, was),
			   *after = printed(d, d->copy->program, is);

		if (strcmp(before, after) != 0)
			add_line(d, was->position.line, before, after);
		compare_blocks(d, was->then_body, is->then_body);
		compare_blocks(d, was->else_body, is->else_body);
		was = was->next;
		is = is->next;
	}
}

void copy_compare(struct copy *c, struct oclmm_change_line **ret_lines, unsigned *ret_count)
{
	struct difference d = {
		.copy = c,
		.lines = OCLMM_NEW_ARRAY(c->arena, struct oclmm_change_line, MAX_CHANGED),
	};

	for (d.thread = 0; d.thread < c->program->thread_count; d.thread++) {
		d.last = c->original->threads[d.thread].position.line;
		compare_blocks(&d, c->original->threads[d.thread].body,
		               c->program->threads[d.thread].body);
	}
	*ret_lines = d.lines;
	*ret_count = d.count;
}
