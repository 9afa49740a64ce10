// SPDX-License-Identifier: Apache-2.0
/*
 * Changes that turn a verdict: repairs of undefined programs, weakenings that
 * allow a forbidden outcome. Every single edit is tried, the smallest first,
 * then every pair of small ones; the oracle judges each changed program. A
 * program that needs more than two is strengthened everywhere, and what proves
 * unnecessary is taken back edit by edit.
 */
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "oclmm/syntax.h"

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
struct copy {
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

enum edit_kind {
	EDIT_ORDER,   /* of an atomic function or a fence; value: the order */
	EDIT_FAILURE, /* of a compare-exchange */
	EDIT_SCOPE,
	EDIT_FLAGS,
	EDIT_REMOVE,  /* a fence or a barrier */
	EDIT_FENCE,   /* a new one in a gap; value: the order */
	EDIT_BARRIER, /* a new one in each thread of a group */
	EDIT_ATOMIC,  /* an object becomes atomic; value: its location */
};

struct edit {
	enum edit_kind kind;
	unsigned site;
	unsigned value;
	unsigned flags;                   /* of a new fence or barrier */
	enum oclmm_scope scope;           /* of a new fence; of the accesses that become atomic */
	unsigned gaps[OCLMM_MAX_THREADS]; /* BARRIER: sites */
	unsigned gap_count;
	unsigned cost;
};

/* ---- a copy ----------------------------------------------------------------- */

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

static void copy_init(struct copy *c, struct oclmm_arena *arena,
                      const struct oclmm_program *original)
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

static void copy_finish(struct copy *c)
{
	free(c->pairs);
	free(c->sites);
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

static bool stands_again(const struct copy *c, const struct oclmm_statement *s)
{
	unsigned count = 0;

	for (size_t i = 0; s && s->written && i < c->pair_count; i++)
		count += c->pairs[i].original->written == s->written;
	return count > 1;
}

/* Whether a gap is between statements of which the text has one and the program several. */
static bool is_repeated(const struct copy *c, const struct site *gap)
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

/* Brings a call into the form that has its order and scope written. */
static void copy_make_explicit(struct copy *c, struct oclmm_atomic *a)
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

/* The pair of a statement of the copy; NULL: it is new. */
static struct pair *copy_find_pair(const struct copy *c, const struct oclmm_statement *copy)
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

/* Plain accesses, and those by functions of OpenCL 1.x, become atomic ones of an order. */
struct conversion {
	struct copy *copy;
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
	copy_make_explicit(v->copy, a);
	a->scope = v->scope;
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
static bool copy_make_atomic(struct copy *c, const struct edit *e)
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

/* Makes one edit. Returns false when it cannot be made. */
static bool copy_edit(struct copy *c, const struct edit *e)
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

/* Takes removed statements out; no edits afterwards. */
static void copy_settle(struct copy *c)
{
	for (uint32_t t = 0; t < c->program->thread_count; t++)
		settle_block(c, &c->program->threads[t].body);
}

/* ---- in which lines a copy differs from its program ---------------------------------- */

struct difference {
	struct copy *copy;
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
static void copy_compare(struct copy *c, struct oclmm_change_line **ret_lines, unsigned *ret_count)
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

/* The narrowest scope that reaches every thread of the program. */
static enum oclmm_scope edits_scope(const struct oclmm_program *p)
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

/* All edits that make a program stronger, or weaker; malloc-ed, the smallest first. `*ret_cut`: of
 * the ways to place barriers there are more. */
static struct edit *edits_list(const struct copy *copy, bool stronger, size_t *ret_count,
                               bool *ret_cut)
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
static void edit_print(struct oclmm_text *text, const struct copy *copy, const struct edit *e)
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

enum { ENOUGH_PAIRS = 3 };

/* A change found, by what it is made of. */
struct found {
	struct edit edits[2];
	unsigned count;
	enum oclmm_status status;
};

struct change_search {
	struct explain *explain;
	bool repair;
	struct edit *edits;
	size_t edit_count;
	struct found *found;
	unsigned found_count;
	double deadline;
};

/* ---- one changed program ------------------------------------------------------------ */

static bool make(struct copy *copy, const struct edit *edits, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		if (!copy_edit(copy, &edits[i]))
			return false;
	copy_settle(copy);
	return true;
}

/* Legal OpenCL C as the reader of litmus files has it. */
static bool is_legal(const struct oclmm_program *program)
{
	struct oclmm_litmus *litmus = NULL;
	struct oclmm_error error;
	struct oclmm_text text = {0};
	int result;

	oclmm_program_print(&text, program);
	result = oclmm_litmus_parse("changed", oclmm_text_string(&text), text.length, NULL, &error,
	                            &litmus);
	oclmm_text_finish(&text);
	oclmm_litmus_destroy(litmus);
	return result == 0;
}

static enum oclmm_status outcome_status(const struct explain *x, const struct oclmm_answer *answer)
{
	enum oclmm_model model = x->e->model;
	const struct oclmm_state *state;

	if (program_is_undefined(answer, model))
		return OCLMM_STATUS_UNDEFINED;
	if (x->e->values)
		return oclmm_answer_status(answer, model, x->e->values);
	state = oclmm_explain_state(x, answer);
	return state ? state->status[model] : OCLMM_STATUS_FORBIDDEN;
}

/* \return whether the verdict is turned, and to what. */
static bool turns(struct change_search *s, const struct oclmm_program *program,
                  enum oclmm_status *ret_status)
{
	const struct explain *x = s->explain;
	struct oclmm_check_options check = {.models = x->models,
	                                    .time_limit = x->options->time_limit,
	                                    .text = x->options->text};
	struct oclmm_answer *answer;
	struct oclmm_error error;
	bool turned;

	x->e->checks++;
	if (oclmm_check(program, &check, &error, &answer) < 0)
		return false;
	*ret_status = outcome_status(x, answer);
	turned = s->repair ? *ret_status != OCLMM_STATUS_UNDEFINED
	                   : *ret_status != OCLMM_STATUS_FORBIDDEN;
	oclmm_answer_destroy(answer);
	return turned && is_legal(program);
}

static bool is_over(struct change_search *s)
{
	const struct explain *x = s->explain;

	if (x->e->checks >= x->options->check_limit ||
	    (s->deadline > 0 && oclmm_clock() > s->deadline))
		x->e->changes_cut = true;
	return x->e->changes_cut;
}

/* ---- what was found already ------------------------------------------------------------ */

static bool same_kind(const struct edit *a, const struct edit *b, const struct copy *copy)
{
	if (a->kind != b->kind)
		return false;
	if (a->kind == EDIT_FENCE)
		return a->value == b->value &&
		       copy->sites[a->site].thread == copy->sites[b->site].thread;
	if (a->kind == EDIT_BARRIER)
		return copy->sites[a->gaps[0]].thread == copy->sites[b->gaps[0]].thread;
	return a->kind == EDIT_ATOMIC ? a->value == b->value : a->site == b->site;
}

/* Whether every edit of a change found is of the kind and place of one of these: they are only more
 * of it. */
static bool is_more_of(const struct found *f, const struct edit *edits, unsigned count,
                       const struct copy *copy)
{
	for (unsigned i = 0; i < f->count; i++) {
		bool matched = false;

		for (unsigned k = 0; k < count; k++)
			matched |= same_kind(&f->edits[i], &edits[k], copy);
		if (!matched)
			return false;
	}
	return true;
}

static bool is_known(const struct change_search *s, const struct edit *edits, unsigned count,
                     const struct copy *copy, const enum oclmm_status *status)
{
	for (unsigned i = 0; i < s->found_count; i++)
		if (is_more_of(&s->found[i], edits, count, copy) &&
		    (s->repair || !status || s->found[i].status == OCLMM_STATUS_ALLOWED ||
		     s->found[i].status == *status))
			return true;
	return false;
}

static const char *in_words(struct oclmm_arena *arena, const struct copy *copy,
                            const struct edit *edits, unsigned count)
{
	struct oclmm_text text = {0};

	if (count > 2) {
		const char *join = ", among them made atomic: ";

		oclmm_text_printf(&text, "%u changes together", count);
		for (unsigned i = 0; i < count; i++) {
			if (edits[i].kind != EDIT_ATOMIC)
				continue;
			oclmm_text_printf(&text, "%s%s", join,
			                  copy->original->locations[edits[i].value].name);
			join = ", ";
		}
		return oclmm_text_keep(&text, arena);
	}
	for (unsigned i = 0; i < count; i++) {
		oclmm_text_add(&text, i ? ", and " : "");
		edit_print(&text, copy, &edits[i]);
	}
	return oclmm_text_keep(&text, arena);
}

static void keep(struct change_search *s, struct copy *copy, const struct edit *edits,
                 unsigned count, enum oclmm_status status)
{
	struct oclmm_explanation *e = s->explain->e;
	struct oclmm_change *c = &e->changes[e->change_count++];
	struct found *f = &s->found[s->found_count++];

	f->count = count < OCLMM_COUNT(f->edits) ? count : OCLMM_COUNT(f->edits);
	memcpy(f->edits, edits, f->count * sizeof(*edits));
	f->status = status;
	*c = (struct oclmm_change){.edits = count, .program = copy->program, .status = status};
	c->what = in_words(e->arena, copy, edits, count);
	for (unsigned i = 0; i < count; i++)
		c->made_atomic |= edits[i].kind == EDIT_ATOMIC;
	copy_compare(copy, &c->lines, &c->line_count);
}

/* Makes the change once more, to stay: what was tried is gone. */
static void keep_edits(struct change_search *s, const struct edit *edits, unsigned count,
                       enum oclmm_status status)
{
	struct copy *copy = oclmm_calloc(1, sizeof(*copy));

	copy_init(copy, s->explain->e->arena, s->explain->program);
	make(copy, edits, count);
	keep(s, copy, edits, count, status);
	copy_finish(copy);
	free(copy);
}

static bool edits_turn(struct change_search *s, const struct edit *edits, unsigned count,
                       enum oclmm_status *ret_status)
{
	struct oclmm_arena *arena = oclmm_arena_create();
	struct copy *copy = OCLMM_NEW(arena, struct copy);
	bool turned;

	copy_init(copy, arena, s->explain->program);
	turned = make(copy, edits, count) && turns(s, copy->program, ret_status);
	copy_finish(copy);
	oclmm_arena_destroy(arena);
	return turned;
}

static void try_edits(struct change_search *s, const struct copy *plain, const struct edit *edits,
                      unsigned count)
{
	enum oclmm_status status;

	/* of repairs, and of pairs, nothing is tried that only adds to what is known to be
	 * enough */
	if ((s->repair || count > 1) && is_known(s, edits, count, plain, NULL))
		return;
	if (edits_turn(s, edits, count, &status) && !is_known(s, edits, count, plain, &status))
		keep_edits(s, edits, count, status);
}

/* ---- the search ---------------------------------------------------------------------------- */

static bool is_small(const struct edit *e)
{
	return e->kind != EDIT_BARRIER && e->kind != EDIT_ATOMIC;
}

/* An object made atomic ends a race but is no synchronisation: it does not end the search. */
static bool is_enough(const struct change_search *s)
{
	for (unsigned i = 0; i < s->found_count; i++)
		if (s->found[i].edits[0].kind != EDIT_ATOMIC)
			return true;
	return false;
}

static void try_pairs(struct change_search *s, const struct copy *plain)
{
	unsigned before = s->found_count;
	unsigned most = s->edit_count ? 2 * s->edits[s->edit_count - 1].cost : 0;

	for (unsigned cost = 2; cost <= most; cost++) {
		for (size_t i = 0; i < s->edit_count; i++) {
			for (size_t k = i + 1; k < s->edit_count; k++) {
				const struct edit pair[] = {s->edits[i], s->edits[k]};

				if (pair[0].cost + pair[1].cost != cost || !is_small(&pair[0]) ||
				    !is_small(&pair[1]) || same_kind(&pair[0], &pair[1], plain))
					continue;
				if (is_over(s) || s->found_count - before >= ENOUGH_PAIRS)
					return;
				try_edits(s, plain, pair, 2);
			}
		}
	}
}

/* Every scope, order and flag as far as a race could need it: no seq_cst, which orders nothing more
 * there. `ret` has room for all edits. */
static unsigned strengthen_all(const struct change_search *s, const struct copy *plain,
                               struct edit *ret)
{
	unsigned count = 0;

	for (size_t i = 0; i < s->edit_count; i++) {
		const struct edit *e = &s->edits[i];
		bool order = e->kind == EDIT_ORDER && e->value != OCLMM_ORDER_SEQ_CST;
		unsigned k = 0;

		if (!order && e->kind != EDIT_FLAGS &&
		    !(e->kind == EDIT_SCOPE && e->value <= edits_scope(plain->original)))
			continue;
		/* of several for one place the last, which is the strongest */
		while (k < count && !(ret[k].site == e->site && ret[k].kind == e->kind))
			k++;
		ret[k] = *e;
		count += k == count;
	}
	return count;
}

/* And fences between all statements, and every object atomic. */
static unsigned add_all(const struct change_search *s, struct edit *edits, unsigned count)
{
	for (size_t i = 0; i < s->edit_count; i++)
		if (s->edits[i].kind == EDIT_FENCE)
			edits[count++] = s->edits[i];
	for (size_t i = 0; i < s->edit_count; i++)
		if (s->edits[i].kind == EDIT_ATOMIC)
			edits[count++] = s->edits[i];
	return count;
}

/* Takes back what proves unnecessary, the largest edits first. */
static void try_fewer(struct change_search *s, struct edit *edits, unsigned count)
{
	enum oclmm_status status, after;
	struct edit *fewer;

	if (!count || !edits_turn(s, edits, count, &status))
		return;
	fewer = oclmm_calloc(count, sizeof(*fewer));
	for (unsigned i = count; i-- > 0 && !is_over(s);) {
		memcpy(fewer, edits, i * sizeof(*edits));
		memcpy(fewer + i, edits + i + 1, (count - i - 1) * sizeof(*edits));
		if (!edits_turn(s, fewer, count - 1, &after))
			continue;
		status = after;
		memcpy(edits, fewer, --count * sizeof(*edits));
	}
	keep_edits(s, edits, count, status);
	free(fewer);
}

static void try_all(struct change_search *s, const struct copy *plain)
{
	struct edit *edits = oclmm_calloc(s->edit_count + 1, sizeof(*edits));
	unsigned count = strengthen_all(s, plain, edits);

	try_fewer(s, edits, count);
	if (!s->found_count)
		try_fewer(s, edits, add_all(s, edits, strengthen_all(s, plain, edits)));
	free(edits);
}

static unsigned rank(const struct oclmm_change *c)
{
	return (c->made_atomic ? 16u : 0) + (c->status == OCLMM_STATUS_UNDEFINED ? 8u : 0) +
	       (c->status == OCLMM_STATUS_DISPUTED ? 4u : 0) + c->edits;
}

/* Stable, so that the smaller stay in front. */
static void sort_changes(struct oclmm_change *changes, unsigned count)
{
	for (unsigned i = 1; i < count; i++) {
		struct oclmm_change c = changes[i];
		unsigned at = i;

		for (; at > 0 && rank(&changes[at - 1]) > rank(&c); at--)
			changes[at] = changes[at - 1];
		changes[at] = c;
	}
}

static bool is_worth_searching(const struct explain *x)
{
	if (x->e->status == OCLMM_STATUS_UNDEFINED)
		return true;
	return x->e->status == OCLMM_STATUS_FORBIDDEN && x->e->reached;
}

void oclmm_explain_changes(struct explain *x)
{
	struct change_search s = {.explain = x, .repair = x->e->status == OCLMM_STATUS_UNDEFINED};
	struct oclmm_arena *arena;
	struct copy *plain;
	size_t most;
	bool cut;

	/* what there is to change of commands are their edges, and the race says which is missing;
	 * a shared text is all its work-items', and a change of one of them is no text */
	if (!is_worth_searching(x) || oclmm_program_has_commands(x->program) || x->program->shared)
		return;
	arena = oclmm_arena_create();
	plain = OCLMM_NEW(arena, struct copy);
	if (x->options->time_limit > 0)
		s.deadline = oclmm_clock() + x->options->time_limit;
	copy_init(plain, arena, x->program);
	s.edits = edits_list(plain, s.repair, &s.edit_count, &cut);
	/* each edit by itself, some pairs, and what is left of all together */
	most = s.edit_count + ENOUGH_PAIRS + 1;
	s.found = oclmm_calloc(most, sizeof(*s.found));
	x->e->changes = OCLMM_NEW_ARRAY(x->e->arena, struct oclmm_change, most);
	x->e->changes_searched = true;
	for (size_t i = 0; i < s.edit_count && !is_over(&s); i++)
		try_edits(&s, plain, &s.edits[i], 1);
	if (!is_enough(&s))
		try_pairs(&s, plain);
	if (s.repair && !is_enough(&s) && !is_over(&s))
		try_all(&s, plain);
	x->e->changes_cut |= cut;
	sort_changes(x->e->changes, x->e->change_count);
	free(s.edits);
	free(s.found);
	copy_finish(plain);
	oclmm_arena_destroy(arena);
}
