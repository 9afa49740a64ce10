// SPDX-License-Identifier: Apache-2.0
/*
 * Adjustments of what synchronises a program: at one place another order, scope or flags, a fence
 * or a barrier more or less, an object made atomic. Which there are that make a program stronger,
 * or weaker; making them; and what has become of the program, by lines.
 */
#include <stdlib.h>
#include <string.h>

#include "builder.h"

enum site_kind {
	SITE_ATOMIC, /* a call of an atomic function */
	SITE_FENCE,
	SITE_BARRIER,
	SITE_GAP, /* between two statements, or at either end of a block */
};

/* A place in a program. Copies of one program have the same places in the same order. */
struct site {
	enum site_kind kind;
	uint32_t thread;
	unsigned number; /* barriers: which one of the thread's */
	bool top;        /* gaps: not inside a branch or loop */
	struct oclmm_atomic *atomic;
	struct oclmm_statement *statement; /* fence, barrier; gaps: the one before, or NULL */
	struct oclmm_statement **link;     /* gaps: where a new statement is linked in */
};

/* A copy under change. */
struct oclmm_adjusted {
	struct oclmm_arena *arena;
	const struct oclmm_program *original;
	struct oclmm_program *program;
	struct site *sites;
	size_t site_count, site_capacity;
	struct pair {
		const struct oclmm_statement *copy, *original;
		bool removed; /* by an edit; taken out when the copy is settled */
	} * pairs;
	size_t pair_count, pair_capacity;
};

/* ---- a copy ----------------------------------------------------------------- */

/* Which statement of the copy is which of the original: both stand in the same order. */
static void pair_bodies(struct oclmm_adjusted *c, struct oclmm_statement *copy,
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

static struct site *add_site(struct oclmm_adjusted *c, enum site_kind kind, uint32_t thread)
{
	struct site *site;

	oclmm_grow(&c->sites, &c->site_capacity, c->site_count, sizeof(*c->sites));
	site = &c->sites[c->site_count++];
	*site = (struct site){.kind = kind, .thread = thread};
	return site;
}

static void find_atomics(struct oclmm_adjusted *c, uint32_t thread, const struct oclmm_parts *parts)
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

static void find_gap(struct oclmm_adjusted *c, uint32_t thread, struct oclmm_statement *before,
                     struct oclmm_statement **link, bool top)
{
	struct site *site = add_site(c, SITE_GAP, thread);

	site->statement = before;
	site->link = link;
	site->top = top;
}

static void find_sites(struct oclmm_adjusted *c, uint32_t thread, struct oclmm_statement **link,
                       bool top, unsigned *barriers)
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

struct oclmm_adjusted *oclmm_adjusted_create(struct oclmm_arena *arena,
                                             const struct oclmm_program *original)
{
	struct oclmm_adjusted *c = oclmm_calloc(1, sizeof(*c));

	c->arena = arena;
	c->original = original;
	c->program = oclmm_program_copy(arena, original);
	for (uint32_t t = 0; t < original->thread_count; t++) {
		unsigned barriers = 0;

		pair_bodies(c, c->program->threads[t].body, original->threads[t].body);
		find_sites(c, t, &c->program->threads[t].body, true, &barriers);
	}
	return c;
}

void oclmm_adjusted_destroy(struct oclmm_adjusted *copy)
{
	if (!copy)
		return;
	free(copy->pairs);
	free(copy->sites);
	free(copy);
}

/* ---- edits ------------------------------------------------------------------------- */

static uint32_t written(const struct site *site)
{
	return site->kind == SITE_ATOMIC ? site->atomic->written : site->statement->written;
}

/* Whether two places are one in the text: of a loop that was unrolled. */
static bool same_words(const struct site *a, const struct site *b)
{
	return a == b || (a->kind == b->kind && a->kind != SITE_GAP && written(a) &&
	                  written(a) == written(b));
}

static bool stands_again(const struct oclmm_adjusted *c, const struct oclmm_statement *s)
{
	unsigned count = 0;

	for (size_t i = 0; s && s->written && i < c->pair_count; i++)
		count += c->pairs[i].original->written == s->written;
	return count > 1;
}

/* Whether a gap is inside of what the text has as one statement and the program as several. */
static bool is_repeated(const struct oclmm_adjusted *c, const struct site *gap)
{
	return stands_again(c, gap->statement) || stands_again(c, *gap->link);
}

/* Of a barrier, those of the group's other threads that meet it: the same kind and number. */
static bool barriers_meet(const struct oclmm_program *program, const struct site *a,
                          const struct site *b)
{
	return a->kind == SITE_BARRIER && b->kind == SITE_BARRIER && a->number == b->number &&
	       a->statement->barrier.sub_group == b->statement->barrier.sub_group &&
	       oclmm_same_group(&program->threads[a->thread].placement,
	                        &program->threads[b->thread].placement,
	                        a->statement->barrier.sub_group);
}

/* The failure order is no stronger than the other, and never releases. */
static enum oclmm_order failure_below(const struct oclmm_atomic *a, enum oclmm_order order)
{
	if (!oclmm_operation_is_cas(a->op))
		return a->failure;
	if (order == OCLMM_ORDER_RELAXED || order == OCLMM_ORDER_RELEASE)
		return OCLMM_ORDER_RELAXED;
	return order != OCLMM_ORDER_SEQ_CST && a->failure == OCLMM_ORDER_SEQ_CST
	               ? OCLMM_ORDER_ACQUIRE
	               : a->failure;
}

/* The pair of a statement of the copy; NULL: it is new. */
static struct pair *copy_find_pair(const struct oclmm_adjusted *c,
                                   const struct oclmm_statement *copy)
{
	for (size_t i = 0; i < c->pair_count; i++)
		if (c->pairs[i].copy == copy)
			return &c->pairs[i];
	return NULL;
}

static void edit_fence(struct oclmm_fence *fence, const struct oclmm_adjustment *e)
{
	if (e->kind == OCLMM_ADJUSTMENT_ORDER) {
		fence->order = (enum oclmm_order)e->value;
	} else if (e->kind == OCLMM_ADJUSTMENT_FLAGS) {
		fence->flags = e->value;
	} else if (e->kind == OCLMM_ADJUSTMENT_SCOPE) {
		fence->scope = (enum oclmm_scope)e->value;
		fence->scope_written = true;
	}
}

static void edit_barrier(struct oclmm_barrier *barrier, const struct oclmm_adjustment *e)
{
	if (e->kind == OCLMM_ADJUSTMENT_FLAGS) {
		barrier->flags = e->value;
	} else if (e->kind == OCLMM_ADJUSTMENT_SCOPE) {
		barrier->scope = (enum oclmm_scope)e->value;
		barrier->scope_written = true;
		/* barrier() takes no scope */
		if (!barrier->sub_group && barrier->part == OCLMM_BARRIER_WHOLE)
			barrier->spelling = "work_group_barrier";
	}
}

static void edit_statement(struct oclmm_adjusted *c, struct oclmm_statement *s,
                           const struct oclmm_adjustment *e)
{
	if (e->kind == OCLMM_ADJUSTMENT_REMOVE)
		copy_find_pair(c, s)->removed = true;
	else if (s->kind == OCLMM_STATEMENT_FENCE)
		edit_fence(&s->fence, e);
	else
		edit_barrier(&s->barrier, e);
}

static void edit_atomic(struct oclmm_adjusted *c, struct oclmm_atomic *atomic,
                        const struct oclmm_adjustment *e)
{
	if (e->kind == OCLMM_ADJUSTMENT_ORDER) {
		oclmm_build_set_order(c->arena, atomic, (enum oclmm_order)e->value,
		                      failure_below(atomic, (enum oclmm_order)e->value));
	} else if (e->kind == OCLMM_ADJUSTMENT_FAILURE) {
		oclmm_build_set_order(c->arena, atomic, atomic->order, (enum oclmm_order)e->value);
	} else {
		oclmm_build_set_scope(c->arena, atomic, (enum oclmm_scope)e->value);
	}
}

/* Barriers have the same flags and scope in the whole group. */
static void edit_barriers(struct oclmm_adjusted *c, const struct site *site,
                          const struct oclmm_adjustment *e)
{
	for (unsigned i = 0; i < c->site_count; i++)
		if (&c->sites[i] == site || barriers_meet(c->original, site, &c->sites[i]))
			edit_statement(c, c->sites[i].statement, e);
}

/* The place, and what is the same in the text. */
static void edit_site(struct oclmm_adjusted *c, const struct oclmm_adjustment *e)
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

/* Plain accesses, and those by functions of OpenCL 1.x, become atomic ones of an order. */
struct conversion {
	struct oclmm_adjusted *copy;
	uint32_t location;
	enum oclmm_scope scope;
	bool possible;
};

static struct oclmm_atomic *new_atomic(struct conversion *v, enum oclmm_operation op,
                                       const struct oclmm_place *object)
{
	return OCLMM_MAKE(v->copy->arena, struct oclmm_atomic, .op = op,
	                  .spelling = op == OCLMM_OP_LOAD ? "atomic_load_explicit"
	                                                  : "atomic_store_explicit",
	                  .object = *object, .order = OCLMM_ORDER_RELAXED, .scope = v->scope,
	                  .order_written = true, .scope_written = true);
}

static void convert_legacy(struct conversion *v, struct oclmm_atomic *a)
{
	if (a->comparand.kind == OCLMM_COMPARAND_VALUE) {
		v->possible = false;
		return;
	}
	a->legacy = false;
	a->order_written = a->scope_written = false;
	oclmm_build_set_scope(v->copy->arena, a, v->scope);
}

static void convert_expression(struct conversion *v, struct oclmm_expression *e)
{
	struct oclmm_atomic *a;

	if (e->kind == OCLMM_EXPRESSION_LOAD && e->load.location == v->location) {
		a = new_atomic(v, OCLMM_OP_LOAD, &e->load);
		e->kind = OCLMM_EXPRESSION_ATOMIC;
		e->atomic = a;
	} else if (e->kind == OCLMM_EXPRESSION_ATOMIC) {
		a = e->atomic;
		if (a->comparand.kind == OCLMM_COMPARAND_MEMORY &&
		    a->comparand.place.location == v->location)
			v->possible = false;
		if (a->legacy && a->object.location == v->location)
			convert_legacy(v, a);
	}
}

static void convert_inside(struct conversion *v, const struct oclmm_parts *parts)
{
	for (unsigned i = 0; i < parts->expression_count; i++) {
		struct oclmm_parts inner;

		oclmm_expression_parts(*parts->expressions[i], &inner);
		convert_inside(v, &inner);
		convert_expression(v, *parts->expressions[i]);
	}
}

static void convert_store(struct conversion *v, struct oclmm_statement *s)
{
	struct oclmm_expression *call =
		OCLMM_MAKE(v->copy->arena, struct oclmm_expression, .kind = OCLMM_EXPRESSION_ATOMIC,
	                   .type = v->copy->program->locations[v->location].type,
	                   .position = s->store.place.position,
	                   .atomic = new_atomic(v, OCLMM_OP_STORE, &s->store.place));

	call->atomic->operand = s->store.value;
	s->kind = OCLMM_STATEMENT_EVALUATE;
	s->effect = call;
}

static void convert_block(struct conversion *v, struct oclmm_statement *s)
{
	for (; s; s = s->next) {
		struct oclmm_parts parts;

		oclmm_statement_parts(s, &parts);
		convert_inside(v, &parts);
		if (s->kind == OCLMM_STATEMENT_STORE && s->store.place.location == v->location)
			convert_store(v, s);
		for (unsigned i = 0; i < parts.body_count; i++)
			convert_block(v, *parts.bodies[i]);
	}
}

/* Makes an object and all accesses of it atomic. Returns false where it cannot. */
static bool copy_make_atomic(struct oclmm_adjusted *c, const struct oclmm_adjustment *e)
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

static void insert(struct oclmm_adjusted *c, unsigned gap, const struct oclmm_adjustment *e)
{
	struct oclmm_statement *s = OCLMM_NEW(c->arena, struct oclmm_statement);

	if (e->kind == OCLMM_ADJUSTMENT_FENCE) {
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

/* Makes one edit. Returns false when it cannot be made. */
static bool copy_edit(struct oclmm_adjusted *c, const struct oclmm_adjustment *e)
{
	switch (e->kind) {
	case OCLMM_ADJUSTMENT_FENCE: insert(c, e->site, e); break;
	case OCLMM_ADJUSTMENT_BARRIER:
		for (unsigned i = 0; i < e->gap_count; i++)
			insert(c, e->gaps[i], e);
		break;
	case OCLMM_ADJUSTMENT_ATOMIC: return copy_make_atomic(c, e);
	default: edit_site(c, e); break;
	}
	return true;
}

static void settle_block(struct oclmm_adjusted *c, struct oclmm_statement **link)
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

/* Takes removed statements out; no edits afterwards. */
static void copy_settle(struct oclmm_adjusted *c)
{
	for (uint32_t t = 0; t < c->program->thread_count; t++)
		settle_block(c, &c->program->threads[t].body);
}

/* ---- in which lines a copy differs from its program ---------------------------------- */

struct difference {
	struct oclmm_adjusted *copy;
	struct oclmm_change_line *lines;
	size_t count, capacity;
	uint32_t thread;
};

/* A block of the program: a thread's body, or one that a statement opens. */
struct block {
	const struct oclmm_statement *head; /* NULL: the thread's body */
	bool otherwise;                     /* behind `else` */
};

static const char *printed(struct difference *d, const struct oclmm_program *program,
                           const struct oclmm_statement *s)
{
	struct oclmm_text text = {0};

	oclmm_statement_print(&text, program, d->thread, s);
	return oclmm_text_keep(&text, d->copy->arena);
}

static void add_line(struct difference *d, uint32_t line, const char *place, const char *before,
                     const char *after)
{
	oclmm_grow(&d->lines, &d->capacity, d->count, sizeof(*d->lines));
	d->lines[d->count++] = (struct oclmm_change_line){.thread = d->thread,
	                                                  .line = line,
	                                                  .place = place,
	                                                  .before = before,
	                                                  .after = after};
}

/* The last line that is known of an expression. */
static int note_line(void *data, const struct oclmm_expression *e)
{
	uint32_t *last = data;

	*last = e->position.line > *last ? e->position.line : *last;
	return 0;
}

/* Whether something else may stand on the line of a statement, in front of it. */
static bool shares_line(const struct oclmm_thread *thread, const struct oclmm_statement *before,
                        const struct oclmm_statement *s)
{
	static const struct oclmm_visitor visitor = {.expression = note_line};
	uint32_t last = thread->position.line;

	if (!before)
		return last == s->position.line;
	/* a brace that ends it may */
	if (before->kind == OCLMM_STATEMENT_IF || before->kind == OCLMM_STATEMENT_WHILE)
		return true;
	last = before->position.line;
	oclmm_visit_statement(&visitor, before, &last);
	return last >= s->position.line;
}

/*
 * Where a new statement stands: in front of `next`, or at the end of its block. A block may have no
 * braces in the text, so what stands first or last in one is told by the statement that opens it.
 */
static void add_new(struct difference *d, const struct block *block,
                    const struct oclmm_statement *before, const struct oclmm_statement *next,
                    const struct oclmm_statement *is)
{
	const struct oclmm_thread *thread = &d->copy->original->threads[d->thread];
	struct oclmm_arena *arena = d->copy->arena;
	const char *what = printed(d, d->copy->program, is), *place;
	uint32_t line = next ? next->position.line : thread->position.line;

	if (block->head && (!next || !before)) {
		line = block->head->position.line;
		place = oclmm_arena_printf(arena, "%s in the %sblock of line %u",
		                           before ? "last" : "first",
		                           block->otherwise ? "else " : "", line);
	} else if (!next) {
		place = oclmm_arena_printf(arena, "at the end of P%u", thread->id);
	} else if (shares_line(thread, before, next)) {
		place = oclmm_arena_printf(arena, "before `%s` in line %u",
		                           printed(d, d->copy->original, next), line);
	} else {
		place = oclmm_arena_printf(arena, "before line %u", line);
	}
	add_line(d, line, place, NULL, what);
}

/* Walks both blocks: statements of the copy have their originals, new ones none, removed ones are
 * missing. */
static void compare_blocks(struct difference *d, const struct block *block,
                           struct oclmm_statement *was, struct oclmm_statement *is)
{
	const struct oclmm_statement *last = NULL;

	while (was || is) {
		const struct pair *pair = is ? copy_find_pair(d->copy, is) : NULL;
		struct oclmm_parts before_parts, after_parts;
		const char *before, *after;

		if (is && (!pair || !was)) {
			add_new(d, block, last, was, is);
			is = is->next;
			continue;
		}
		last = was;
		before = printed(d, d->copy->original, was);
		if (!pair || pair->original != was) {
			add_line(d, was->position.line, NULL, before, NULL);
			was = was->next;
			continue;
		}
		after = printed(d, d->copy->program, is);
		if (strcmp(before, after) != 0)
			add_line(d, was->position.line, NULL, before, after);
		oclmm_statement_parts(was, &before_parts);
		oclmm_statement_parts(is, &after_parts);
		/* without its last statement an `else` is gone */
		for (unsigned i = 0; i < before_parts.body_count || i < after_parts.body_count; i++)
			compare_blocks(d, &(struct block){.head = was, .otherwise = i == 1},
			               i < before_parts.body_count ? *before_parts.bodies[i] : NULL,
			               i < after_parts.body_count ? *after_parts.bodies[i] : NULL);
		was = was->next;
		is = is->next;
	}
}

/* The lines that differ, owned by the copy's arena. */
void oclmm_adjusted_lines(struct oclmm_adjusted *c, struct oclmm_change_line **ret_lines,
                          unsigned *ret_count)
{
	const struct block body = {0};
	struct difference d = {.copy = c};

	for (d.thread = 0; d.thread < c->program->thread_count; d.thread++)
		compare_blocks(&d, &body, c->original->threads[d.thread].body,
		               c->program->threads[d.thread].body);
	*ret_lines = oclmm_arena_copy(c->arena, d.lines, d.count * sizeof(*d.lines));
	*ret_count = (unsigned)d.count;
	free(d.lines);
}

/* ---- edits that make a program stronger, or weaker ----------------------------------- */

enum {
	COST_FAR = 4, /* what is more than an argument: a statement added or removed */
	COST_BARRIER = 6,
	COST_ATOMIC = 8,
	MAX_BARRIER_PLACES = 256,
};

struct listing {
	const struct oclmm_adjusted *copy;
	const struct oclmm_program *program;
	bool stronger;
	unsigned regions; /* that the program's accesses are in */
	struct oclmm_adjustment *items;
	size_t count, capacity;
	bool cut; /* more ways to place barriers than are listed */
};

static void add(struct listing *l, const struct oclmm_adjustment *e)
{
	oclmm_grow(&l->items, &l->capacity, l->count, sizeof(*l->items));
	l->items[l->count++] = *e;
}

static void add_value(struct listing *l, enum oclmm_adjustment_kind kind, unsigned site,
                      unsigned value, unsigned cost)
{
	struct oclmm_adjustment e = {.kind = kind, .site = site, .value = value, .cost = cost};

	add(l, &e);
}

static void add_orders(struct listing *l, unsigned site, enum oclmm_adjustment_kind kind,
                       enum oclmm_order now, const struct oclmm_atomic *atomic)
{
	const enum oclmm_ordered ordered = !atomic ? OCLMM_ORDERED_FENCE
	                                   : kind == OCLMM_ADJUSTMENT_FAILURE
	                                           ? OCLMM_ORDERED_LOAD
	                                           : oclmm_operation_ordered(atomic->op);
	const struct oclmm_orders *orders = oclmm_orders_of(ordered);

	for (unsigned i = 0; i < orders->count; i++) {
		enum oclmm_order o = orders->order[i];
		unsigned rank = oclmm_order_rank(o), old = oclmm_order_rank(now);

		if (o == now || !(l->stronger ? oclmm_order_leq(now, o) : oclmm_order_leq(o, now)))
			continue;
		if (kind == OCLMM_ADJUSTMENT_FAILURE && !oclmm_order_leq(o, atomic->order))
			continue;
		add_value(l, kind, site, o, rank > old ? rank - old : old - rank);
	}
}

static bool has_sub_groups(const struct oclmm_program *p)
{
	for (uint32_t t = 0; t < p->thread_count; t++)
		if (p->threads[t].placement.sub_group_given)
			return true;
	return false;
}

static void add_scopes(struct listing *l, unsigned site, enum oclmm_scope now)
{
	for (unsigned s = OCLMM_SCOPE_SUB_GROUP; s < OCLMM_SCOPE_COUNT; s++) {
		if (s == OCLMM_SCOPE_SUB_GROUP && !has_sub_groups(l->program))
			continue;
		if (l->stronger ? s > now : s < now)
			add_value(l, OCLMM_ADJUSTMENT_SCOPE, site, s,
			          l->stronger ? s - now : now - s);
	}
}

static void add_flags(struct listing *l, unsigned site, unsigned now, bool may_be_none)
{
	const unsigned both = OCLMM_FLAG_GLOBAL | OCLMM_FLAG_LOCAL;
	/* of barriers, and only where there are images */
	const unsigned all = both | (may_be_none ? (l->regions | now) & OCLMM_FLAG_IMAGE : 0);

	for (unsigned flags = may_be_none ? 0 : 1; flags <= all; flags++) {
		bool fits = l->stronger ? (flags & now) == now : (flags & now) == flags;

		fits = fits && !(flags & ~all);

		if (flags != now && fits)
			add_value(l, OCLMM_ADJUSTMENT_FLAGS, site, flags, 1);
	}
}

/* The narrowest scope that reaches every thread of the program. */
enum oclmm_scope oclmm_adjustment_scope(const struct oclmm_program *p)
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

static bool is_of_host(const struct listing *l, const struct site *s)
{
	return l->program->threads[s->thread].placement.host;
}

static void add_atomic(struct listing *l, unsigned site, const struct site *s)
{
	const struct oclmm_atomic *a = s->atomic;

	if (a->legacy || a->op == OCLMM_OP_INIT)
		return;
	add_orders(l, site, OCLMM_ADJUSTMENT_ORDER, a->order, a);
	if (oclmm_operation_is_cas(a->op))
		add_orders(l, site, OCLMM_ADJUSTMENT_FAILURE, a->failure, a);
	/* the host's atomics have no scope argument */
	if (!is_of_host(l, s))
		add_scopes(l, site, a->scope);
}

static bool is_general_fence(const struct oclmm_fence *fence)
{
	return strcmp(fence->spelling, "atomic_work_item_fence") == 0;
}

static void add_fence(struct listing *l, unsigned site, const struct site *s)
{
	const struct oclmm_fence *fence = &s->statement->fence;
	bool image = fence->flags & OCLMM_FLAG_IMAGE;

	/* one for images has one form */
	if (is_general_fence(fence) && !image) {
		add_orders(l, site, OCLMM_ADJUSTMENT_ORDER, fence->order, NULL);
		if (!is_of_host(l, s))
			add_scopes(l, site, fence->scope);
	}
	/* nor do its fences, or flags */
	if (!is_of_host(l, s) && !image)
		add_flags(l, site, fence->flags, false);
	if (!l->stronger)
		add_value(l, OCLMM_ADJUSTMENT_REMOVE, site, 0, COST_FAR);
}

/* Once for all barriers that meet. */
static void add_barrier(struct listing *l, unsigned site, const struct site *s)
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
		add_value(l, OCLMM_ADJUSTMENT_REMOVE, site, 0, COST_FAR);
}

static void add_new_fence(struct listing *l, unsigned site)
{
	struct oclmm_adjustment e = {.kind = OCLMM_ADJUSTMENT_FENCE,
	                             .site = site,
	                             .flags = l->regions & ~(unsigned)OCLMM_FLAG_IMAGE,
	                             .scope = oclmm_adjustment_scope(l->program),
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
static void add_barrier_places(struct listing *l, const uint32_t *threads, unsigned count,
                               struct oclmm_adjustment *e, unsigned *places)
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

static void add_new_barriers(struct listing *l)
{
	struct oclmm_adjustment e = {.kind = OCLMM_ADJUSTMENT_BARRIER,
	                             .flags = l->regions,
	                             .cost = COST_BARRIER};

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

static void add_new_atomics(struct listing *l)
{
	for (uint32_t i = 0; i < l->program->location_count; i++) {
		struct oclmm_adjustment e = {.kind = OCLMM_ADJUSTMENT_ATOMIC,
		                             .value = i,
		                             .scope = oclmm_adjustment_scope(l->program),
		                             .cost = COST_ATOMIC};

		if (!l->program->locations[i].atomic &&
		    !oclmm_location_is_image(&l->program->locations[i]))
			add(l, &e);
	}
}

static void find_regions(struct listing *l)
{
	for (uint32_t i = 0; i < l->program->location_count; i++)
		l->regions |= 1u << l->program->locations[i].space;
}

static int compare_edits(const void *a, const void *b)
{
	const struct oclmm_adjustment *x = a, *y = b;
	int order = oclmm_compare_numbers(x->cost, y->cost);

	/* as they were added: by place, kind, value */
	order = order ? order : oclmm_compare_numbers(x->site, y->site);
	order = order ? order : oclmm_compare_numbers(x->kind, y->kind);
	order = order ? order : oclmm_compare_numbers(x->value, y->value);
	return order ? order : memcmp(x->gaps, y->gaps, sizeof(x->gaps));
}

/* What stands in the text once is changed once, wherever the program has it. */
static bool is_listed(const struct oclmm_adjusted *copy, unsigned site)
{
	for (unsigned i = 0; i < site; i++)
		if (same_words(&copy->sites[i], &copy->sites[site]))
			return true;
	return false;
}

/* All edits that make a program stronger, or weaker; malloc-ed, the smallest first. `*ret_cut`: of
 * the ways to place barriers there are more. */
struct oclmm_adjustment *oclmm_adjustments_list(const struct oclmm_adjusted *copy, bool stronger,
                                                size_t *ret_count, bool *ret_cut)
{
	struct listing l = {.copy = copy, .program = copy->original, .stronger = stronger};

	*ret_count = 0;
	*ret_cut = false;
	/* it is all its work-items', of which there may be more than have a text of their own, and
	 * a change of one of them is no text */
	if (copy->original->shared)
		return NULL;
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

/* ---- edits in words ------------------------------------------------------------------ */

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

/* `the atomic_load of P1 in line 38 with memory_order_relaxed`. */
void oclmm_adjustment_print(struct oclmm_text *text, const struct oclmm_adjusted *copy,
                            const struct oclmm_adjustment *e)
{
	const struct oclmm_program *p = copy->original;
	const struct site *s = &copy->sites[e->site];
	uint32_t id = p->threads[s->thread].id;

	if (e->kind <= OCLMM_ADJUSTMENT_REMOVE)
		print_subject(text, p, s);
	switch (e->kind) {
	case OCLMM_ADJUSTMENT_ORDER:
	case OCLMM_ADJUSTMENT_FAILURE:
		oclmm_text_printf(text, "%s %s",
		                  e->kind == OCLMM_ADJUSTMENT_ORDER ? "with" : "failing with",
		                  oclmm_order_spelling((enum oclmm_order)e->value));
		break;
	case OCLMM_ADJUSTMENT_SCOPE:
		oclmm_text_printf(text, "with %s",
		                  oclmm_scope_spelling((enum oclmm_scope)e->value));
		break;
	case OCLMM_ADJUSTMENT_FLAGS:
		oclmm_text_printf(text, "with %s",
		                  e->value ? oclmm_flags_spelling(e->value) : "no flags");
		break;
	case OCLMM_ADJUSTMENT_REMOVE: oclmm_text_add(text, "removed"); break;
	case OCLMM_ADJUSTMENT_FENCE:
		oclmm_text_printf(text, "%s fence in P%u",
		                  e->value == OCLMM_ORDER_ACQUIRE ? "an acquire" : "a release", id);
		break;
	case OCLMM_ADJUSTMENT_BARRIER:
		oclmm_text_printf(text, "a barrier in the work-group of P%u",
		                  p->threads[copy->sites[e->gaps[0]].thread].id);
		break;
	case OCLMM_ADJUSTMENT_COUNT: break;
	case OCLMM_ADJUSTMENT_ATOMIC:
		oclmm_text_printf(text,
		                  "%s made atomic (this ends the race, it orders nothing else)",
		                  p->locations[e->value].name);
		break;
	}
}

/* ---- for who searches among them ------------------------------------------------------ */

bool oclmm_adjust(struct oclmm_adjusted *copy, const struct oclmm_adjustment *edits, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		if (!copy_edit(copy, &edits[i]))
			return false;
	copy_settle(copy);
	return true;
}

bool oclmm_adjustment_is_like(const struct oclmm_adjusted *copy, const struct oclmm_adjustment *a,
                              const struct oclmm_adjustment *b)
{
	if (a->kind != b->kind)
		return false;
	if (a->kind == OCLMM_ADJUSTMENT_FENCE)
		return a->value == b->value &&
		       copy->sites[a->site].thread == copy->sites[b->site].thread;
	if (a->kind == OCLMM_ADJUSTMENT_BARRIER)
		return copy->sites[a->gaps[0]].thread == copy->sites[b->gaps[0]].thread;
	return a->kind == OCLMM_ADJUSTMENT_ATOMIC ? a->value == b->value : a->site == b->site;
}

const struct oclmm_program *oclmm_adjusted_program(const struct oclmm_adjusted *copy)
{
	return copy->program;
}
